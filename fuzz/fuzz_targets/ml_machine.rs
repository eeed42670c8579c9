//! Every accepted program can be evaluated or gives an error: no panic, no infinite evaluation.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use sweepline_ml::{Compiler, Environment, Limits, Machine};

static LIBRARY: LazyLock<Environment> = LazyLock::new(|| {
    let mut environment = Environment::default();
    let sets = "colset I = int with 0..9; colset E = with a | b; colset P = product I * E;
                colset U = union c:I + d; colset L = list P; var i : I; var e : E; var l : L;";
    environment.declare_ml("sets", sets).expect("lawful declarations");
    environment
});

fuzz_target!(|texts: (&str, &str)| {
    let (declarations, inscription) = texts;
    let mut environment = LIBRARY.clone();
    if environment.declare_ml("fuzz", declarations).is_err() {
        return;
    }
    let set = environment.find_colour_set("I").expect("I");
    let Ok(arc) = environment.arc("arc", inscription, set) else { return };
    let variables = environment.variables_in(&arc.expr);
    let mut compiler = Compiler::new(environment.program());
    let Ok(function) = compiler.compile_function(&variables, &arc.expr) else { return };
    let Ok(codec) = compiler.codec(arc.expr.ty) else { return };
    let Ok(code) = compiler.finish() else { return };
    let mut limits = Limits::default();
    limits.fuel = 100_000;
    limits.heap = 1 << 20;
    limits.stack = 1 << 20;
    let Ok(mut machine) = Machine::new(Arc::new(code), limits) else { return };
    let arguments = vec![0; variables.len()];
    if let Ok(value) = machine.call(function, &arguments) {
        let mut bytes = Vec::new();
        if codec.encode(&machine, value, &mut bytes).is_err() {
            return;
        }
        if let Ok(back) = codec.decode(&mut machine, &mut &bytes[..]) {
            assert!(machine.equal(codec.layout(), value, back));
        }
    }
});
