//! Compiles all terms of a model, computes its global values, and evaluates its initial markings.

use std::sync::Arc;

use sweepline_ml::core::{Expr, Program};
use sweepline_ml::{Codec, Compiler, FunctionId, Limits, Machine, Raised, Refusal, Type};

use super::model::Checked;

/// The result for a model.
#[derive(Default)]
pub(crate) struct Evaluated {
    pub(crate) terms: usize,
    pub(crate) bytes: usize,
    pub(crate) failures: Vec<String>,
}

pub(crate) fn evaluate(checked: &Checked) -> Evaluated {
    let mut evaluated = Evaluated::default();
    let environment = &checked.environment;
    let sources = environment.sources();
    let mut compiler = Compiler::new(environment.program());
    let mut markings = Vec::new();
    for (at, term) in checked.terms.iter().enumerate() {
        let variables = environment.variables_in(term);
        evaluated.terms += 1;
        match compiler.compile_function(&variables, term) {
            Err(refusal) => evaluated.failures.push(refusal.explain(sources).to_string()),
            Ok(function) if checked.markings.contains(&at) => markings.push((function, term)),
            Ok(_) => {}
        }
    }
    let codecs: Result<Vec<(FunctionId, Codec)>, Refusal> = markings
        .into_iter()
        .map(|(function, term)| Ok((function, codec(&mut compiler, environment.program(), term)?)))
        .collect();
    let finished = codecs.and_then(|codecs| Ok((codecs, compiler.finish()?)));
    let (markings, code) = match finished {
        Ok(finished) => finished,
        Err(refusal) => {
            evaluated.failures.push(refusal.explain(sources).to_string());
            return evaluated;
        }
    };
    let mut machine = match Machine::new(Arc::new(code), Limits::default()) {
        Ok(machine) => machine,
        Err(raised) => {
            evaluated.failures.push(format!("start: {}", raised.explain(sources)));
            return evaluated;
        }
    };
    for (function, codec) in markings {
        let mark = machine.mark();
        match tokens(&mut machine, function, codec) {
            Ok(count) => evaluated.bytes += count,
            Err(raised) => evaluated.failures.push(raised.explain(sources).to_string()),
        }
        machine.reset(mark);
    }
    evaluated
}

/// The codec of a marking: of one token or of a list of them.
fn codec(compiler: &mut Compiler<'_>, program: &Program, term: &Expr) -> Result<Codec, Refusal> {
    assert!(!matches!(program.types.get(term.ty), Type::Unknown(_)), "types are known");
    compiler.codec(term.ty)
}

/// Evaluates, then encodes and decodes the value.
fn tokens(machine: &mut Machine, function: FunctionId, codec: Codec) -> Result<usize, Raised> {
    let value = machine.call(function, &[])?;
    let mut bytes = Vec::new();
    codec.encode(machine, value, &mut bytes)?;
    let mut rest = &bytes[..];
    let back = codec.decode(machine, &mut rest)?;
    assert!(rest.is_empty(), "all bytes belong to the value");
    let layout = codec.layout();
    assert!(machine.equal(layout, value, back), "{}", machine.show(layout, value));
    assert!(machine.compare(layout, value, back).is_eq(), "{}", machine.show(layout, value));
    let mut rest = &bytes[..];
    codec.skip(machine, &mut rest)?;
    assert!(rest.is_empty(), "as many bytes are skipped");
    Ok(bytes.len())
}
