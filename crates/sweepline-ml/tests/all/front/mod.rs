//! The front end, construct by construct.

mod colour_sets;
mod errors;
mod inscriptions;
mod language;
mod library;
mod soup;

use sweepline_ml::Environment;
use sweepline_ml::core::{verify_bind, verify_expr};

/// The type of an expression after declarations, both of which must be correct.
fn type_of(declarations: &str, expr: &str) -> String {
    let mut environment = Environment::default();
    let declared = environment.declare_ml("declarations", declarations);
    declared.unwrap_or_else(|errors| panic!("{errors}"));
    let core = environment.expr("expression", expr, None);
    let core = core.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(verify_expr(environment.program_mut(), &core), Vec::new());
    // A declared value gets its most general type.
    environment.declare_ml("expression", &format!("val tested = {expr}")).expect("right");
    verify(&mut environment);
    let tested = environment.function("tested").expect("a variable");
    environment.show(environment.program().variable(tested).scheme.ty)
}

/// All bindings must be consistent with their types.
fn verify(environment: &mut Environment) {
    let binds = environment.program().binds.clone();
    for bind in &binds {
        assert_eq!(verify_bind(environment.program_mut(), bind), Vec::new(), "{bind:?}");
    }
}

/// The problems of declarations: for each, its code and the words it points at.
fn problems(declarations: &str) -> Vec<String> {
    let mut environment = Environment::default();
    match environment.declare_ml("declarations", declarations) {
        Ok(()) => Vec::new(),
        Err(errors) => shown(&errors),
    }
}

fn shown(errors: &sweepline_ml::MlErrors) -> Vec<String> {
    use miette::Diagnostic;
    let show = |error: &sweepline_ml::MlError| {
        let code = error.problem.code().map(|code| code.to_string()).unwrap_or_default();
        let words = error.source.text.get(error.span.range()).unwrap_or_default();
        format!("{} {words}", code.trim_start_matches("SWL-ML-"))
    };
    errors.errors.iter().map(show).collect()
}
