//! Every accepted program is well typed: declarations, and the inscriptions after them.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sweepline_ml::core::{verify_bind, verify_expr};
use sweepline_ml::Environment;

static LIBRARY: LazyLock<Environment> = LazyLock::new(|| {
    let mut environment = Environment::default();
    let sets = "colset I = int with 0..9 timed; colset E = with a | b; colset P = product I * E;
                colset U = union c:I + d; colset L = list P; var i : I; var e : E; var l : L;";
    environment.declare_ml("sets", sets).expect("lawful declarations");
    environment
});

fuzz_target!(|texts: (&str, &str)| {
    let (declarations, inscription) = texts;
    let mut environment = LIBRARY.clone();
    let before = environment.program().binds.len();
    let _ = environment.declare_ml("fuzz", declarations);
    let binds = environment.program().binds[before..].to_vec();
    for bind in &binds {
        assert_eq!(verify_bind(environment.program_mut(), bind), Vec::new());
    }
    let set = environment.find_colour_set("I").expect("I");
    if let Ok(found) = environment.arc("arc", inscription, set) {
        assert_eq!(verify_expr(environment.program_mut(), &found.expr), Vec::new());
    }
    for conjunct in environment.guard("guard", inscription).unwrap_or_default() {
        assert_eq!(verify_expr(environment.program_mut(), &conjunct), Vec::new());
    }
});
