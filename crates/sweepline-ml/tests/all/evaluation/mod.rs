//! Evaluation of programs.

mod basis;
mod battery;
mod compare;
mod hostile;
mod interface;
mod programs;
mod random;
mod reference;
mod reference_prims;

use std::sync::Arc;

use sweepline_ml::{Compiler, Environment, Limits, Machine};

/// The value of the last expression after some declarations as text, or the error.
pub(crate) fn evaluate(declarations: &str, expr: &str) -> String {
    evaluate_with(declarations, expr, Limits::default())
}

pub(crate) fn evaluate_with(declarations: &str, expr: &str, limits: Limits) -> String {
    let mut environment = Environment::default();
    if let Err(errors) = environment.declare_ml("declarations", declarations) {
        return format!("refused: {errors}");
    }
    if let Err(errors) = environment.declare_ml("text", &format!("val it = {expr}")) {
        return format!("refused: {errors}");
    }
    let it = environment.function("it").expect("it was declared");
    let ty = environment.program().variable(it).scheme.ty;
    let mut compiler = Compiler::new(environment.program());
    let compiled = compiler.compile_global(it).and_then(|it| {
        let codec = compiler.layout(ty);
        Ok((it, codec, compiler.finish()?))
    });
    let (it, layout, code) = match compiled {
        Ok(compiled) => compiled,
        Err(refusal) => return refusal.explain(environment.sources()).to_string(),
    };
    let value = Machine::new(Arc::new(code), limits).and_then(|mut machine| {
        let value = machine.call(it, &[])?;
        Ok(machine.show(layout, value))
    });
    value.unwrap_or_else(|raised| raised.explain(environment.sources()).to_string())
}
