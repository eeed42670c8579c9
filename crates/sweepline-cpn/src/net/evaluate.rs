//! Values that are needed while a model is loaded: sizes of colour sets, file names, initial markings to
//! compare.

use std::collections::HashMap;
use std::sync::Arc;

use sweepline_ml::core::{Expr, ExprKind, VarId};
use sweepline_ml::{
    Cause, ColourSetId, Compiler, Environment, Inscription, Limits, Machine, Prim, Raised, Refusal,
    Types, Typing,
};

/// Colour sets of at most this many values are enumerated.
const SMALL: i64 = 100;

/// The limits of such an evaluation. No model needs more, and loading a file must not take long.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.fuel = 5_000_000;
    limits.heap = 64 << 20;
    limits.stack = 16 << 20;
    limits
}

/// Which colour sets are small, computed once for each.
#[derive(Default)]
pub(super) struct Sizes {
    known: HashMap<ColourSetId, bool>,
}

impl Sizes {
    /// Whether a colour set can be enumerated.
    pub(super) fn is_small(&mut self, environment: &Environment, id: ColourSetId) -> bool {
        let set = environment.colour_set(id);
        if set.declares.iter().any(|function| &**function == "all") {
            return true;
        }
        *self.known.entry(id).or_insert_with(|| match set.function("size") {
            Some(size) => match size_of(environment, size) {
                Ok(size) => size <= SMALL,
                // It has no size, or its size does not fit in an `int`.
                Err(Some(Raised { cause: Cause::Exception { .. }, .. })) => false,
                // The declarations cannot be evaluated at all. Compiling the net will report why.
                Err(_) => true,
            },
            None => false,
        })
    }
}

fn size_of(environment: &Environment, size: VarId) -> Result<i64, Option<Raised>> {
    let mut compiler = Compiler::new(environment.program());
    let function = compiler.compile_call(size).map_err(|_| None)?;
    let code = compiler.finish().map_err(|_| None)?;
    let mut machine = Machine::new(Arc::new(code), limits()).map_err(|_| None)?;
    machine.call(function, &[0]).map(Machine::to_int).map_err(Some)
}

/// The value of an expression without variables, or the reason why it has none.
fn evaluate<T>(
    environment: &Environment,
    expr: &Expr,
    read: impl FnOnce(&Machine, sweepline_ml::Word) -> T,
) -> Result<T, String> {
    let refused = |refusal: Refusal| refusal.to_string();
    let raised = |raised: Raised| raised.to_string();
    let mut compiler = Compiler::new(environment.program());
    let function = compiler.compile_function(&[], expr).map_err(refused)?;
    let code = compiler.finish().map_err(refused)?;
    let mut machine = Machine::new(Arc::new(code), limits()).map_err(raised)?;
    let word = machine.call(function, &[]).map_err(raised)?;
    Ok(read(&machine, word))
}

/// The value of an expression of type `string`, or the reason why it has none.
pub(super) fn string(environment: &Environment, expr: &Expr) -> Result<String, String> {
    evaluate(environment, expr, |machine, word| machine.text(word))
}

/// Whether two initial markings are equal as multi-sets. `None` if they cannot be evaluated.
pub(super) fn same_marking(
    environment: &mut Environment,
    left: &Inscription,
    right: &Inscription,
) -> Option<bool> {
    let is_timed = |typing| matches!(typing, Typing::TimedToken | Typing::TimedMultiSet);
    if is_timed(left.typing) != is_timed(right.typing) {
        return Some(false);
    }
    let args = vec![as_list(environment, left), as_list(environment, right)];
    let types = &environment.program().types;
    let sweepline_ml::Type::Data(_, elements) = types.get(args[0].ty) else { return None };
    let kind = ExprKind::Prim { op: Prim::MultiSetEqual, types: elements.to_vec(), args };
    let equal = Expr { kind, ty: Types::BOOL, span: left.expr.span };
    evaluate(environment, &equal, |_, word| word == 1).ok()
}

fn as_list(environment: &mut Environment, inscription: &Inscription) -> Expr {
    let expr = inscription.expr.clone();
    if inscription.typing != Typing::Token {
        return expr;
    }
    let (ty, span) = (environment.program_mut().types.list(expr.ty), expr.span);
    Expr { kind: ExprKind::List(vec![expr]), ty, span }
}
