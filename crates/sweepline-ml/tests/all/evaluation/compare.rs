//! The machine and the reference evaluator must agree.

use std::sync::Arc;

use sweepline_ml::core::{Con, Program};
use sweepline_ml::{
    Cause, Compiler, DataId, Environment, Label, Limits, Machine, Options, Type, TypeId,
};

use super::reference::{Failure, Reference, Value};

/// The common result of both, which must be the same.
///
/// `None` if the reference evaluator does not support the expression.
#[track_caller]
pub(crate) fn agree(declarations: &str, expr: &str) -> Option<String> {
    agree_on(&Environment::default(), declarations, expr)
}

/// The same, on top of an environment.
#[track_caller]
pub(crate) fn agree_on(known: &Environment, declarations: &str, expr: &str) -> Option<String> {
    let mut environment = known.clone();
    let text = format!("{declarations};\nval it = {expr}");
    if let Err(errors) = environment.declare_ml("text", &text) {
        panic!("{errors}\n{text}");
    }
    let by_reference = std::thread::scope(|scope| {
        let environment = &environment;
        let walk = std::thread::Builder::new().stack_size(1 << 28);
        let walk = walk.spawn_scoped(scope, move || by_reference(environment));
        walk.expect("a thread").join().expect("the second evaluator does not panic")
    });
    let by_machine = by_machine(&environment);
    let by_reference = by_reference?;
    assert_eq!(by_machine, by_reference, "{text}");
    Some(by_machine)
}

fn by_machine(environment: &Environment) -> String {
    let it = environment.function("it").expect("it was declared");
    let ty = environment.program().variable(it).scheme.ty;
    let mut compiler = Compiler::new(environment.program());
    let it = compiler.compile_global(it).expect("it can be compiled");
    let layout = compiler.layout(ty);
    let codec = compiler.codec(ty).ok();
    let code = Arc::new(compiler.finish().expect("it can be compiled"));
    let value = Machine::new(code, Limits::default()).and_then(|mut machine| {
        let value = machine.call(it, &[])?;
        if let Some(codec) = codec {
            let mut bytes = Vec::new();
            codec.encode(&machine, value, &mut bytes)?;
            let back = codec.decode(&mut machine, &mut &bytes[..])?;
            assert!(machine.equal(codec.layout(), value, back), "bytes give the value back");
        }
        Ok(machine.show(layout, value))
    });
    match value {
        Ok(shown) => shown,
        Err(raised) => match raised.cause {
            Cause::Exception { shown, .. } => format!("raises {shown}"),
            other => format!("{other:?}"),
        },
    }
}

fn by_reference(environment: &Environment) -> Option<String> {
    let it = environment.function("it").expect("it was declared");
    let mut program = environment.program().clone();
    let ty = program.variable(it).scheme.ty;
    let (reference, failure) = Reference::new(environment.program());
    // Values may be deep, so they are not dropped recursively.
    let reference = std::mem::ManuallyDrop::new(reference);
    match (reference.global(it), failure) {
        (Some(value), _) => show(&mut program, ty, value),
        (None, Some(Failure::Raised(Value::Exn(exn, content)))) => {
            let exception = program.exception(exn).clone();
            let name = &exception.name;
            match (content, exception.arg) {
                (Some(content), Some(ty)) => {
                    Some(format!("raises {name} {}", show(&mut program, ty, &content)?))
                }
                _ => Some(format!("raises {name}")),
            }
        }
        _ => None,
    }
}

/// A value in the notation of the machine.
fn show(program: &mut Program, ty: TypeId, value: &Value<'_>) -> Option<String> {
    Some(match (value, program.types.get(ty).clone()) {
        (Value::Int(value), _) if *value < 0 => format!("(~{})", -value),
        (Value::Int(value), _) => value.to_string(),
        (Value::Large(value), _) => value.to_string().replace('-', "~"),
        (Value::Word(value), _) => value.to_string(),
        (Value::Char(code), _) => format!("#\"{}\"", char::from(*code)),
        (Value::Text(bytes), _) => {
            format!("\"{}\"", bytes.iter().map(|byte| char::from(*byte)).collect::<String>())
        }
        (Value::Record(values), Type::Record(fields)) => {
            let mut parts = Vec::new();
            let mut named = false;
            for (value, (label, ty)) in values.iter().zip(&fields) {
                let part = show(program, *ty, value)?;
                parts.push(match label {
                    Label::Name(name) => {
                        named = true;
                        format!("{name}={part}")
                    }
                    Label::Position(_) => part,
                });
            }
            let parts = parts.join(",");
            if named { format!("{{{parts}}}") } else { format!("({parts})") }
        }
        (Value::Con(..), Type::Data(DataId::LIST, arguments)) => {
            let (mut parts, mut at) = (Vec::new(), value.clone());
            while let Value::Con(1, Some(cell)) = at {
                let Value::Record(fields) = &*cell else { return None };
                parts.push(show(program, arguments[0], &fields[0])?);
                at = fields[1].clone();
            }
            format!("[{}]", parts.join(","))
        }
        (Value::Con(tag, content), Type::Data(data, arguments)) => {
            let name = program.datatype(data).constructors[*tag as usize].name.clone();
            match content {
                None => name.to_string(),
                Some(content) => {
                    let con = Con { data, tag: *tag };
                    let ty = program.constructor_arg(con, &arguments)?;
                    let inner = show(program, ty, content)?;
                    match (&*name, &**content) {
                        ("@", _) => inner,
                        (_, Value::Record(_)) => format!("{name}{inner}"),
                        _ => format!("{name}({inner})"),
                    }
                }
            }
        }
        (Value::Ref(_), _) => "ref".to_owned(),
        (Value::Array(_), _) => "array".to_owned(),
        (Value::Function(_), _) => "fn".to_owned(),
        (Value::Exn(..), _) => "exn".to_owned(),
        // The text of reals is tested by examples.
        _ => return None,
    })
}

/// An environment with another `int`.
pub(crate) fn with_bits(int_bits: u32) -> Environment {
    let mut options = Options::default();
    options.int_bits = int_bits;
    Environment::new(&options)
}
