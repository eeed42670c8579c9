//! Expressions over markings, compiled.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use miette::Diagnostic;
use num_traits::ToPrimitive;
use sweepline_ml::core::{Expr, VarId};
use sweepline_ml::{
    Codec, Compiler, DataId, FunctionId, Machine, MlError, MlErrors, Prim, Problem, Raised,
    Refusal, Sources, Type, TypeId, Types, Word,
};
use thiserror::Error;

use super::cache::ValueCache;
use super::names::Scope;
use super::parts::Parts;
use super::stamps::looks_at_stamps;
use crate::explore::Worker;
use crate::explore::marking::{Kind, Marking};
use crate::explore::time::Clock;
use crate::net::Effects;

/// Why an expression cannot be evaluated.
#[derive(Debug, Error, Diagnostic)]
pub enum ExpressionError {
    /// It has a syntax or type error.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Wrong(#[from] MlErrors),
    /// A short name that several places share.
    #[error("{at}: `{name}` is ambiguous: several places have this name")]
    #[diagnostic(code("SWL-CPN-0061"), help("write which one you mean: {places}"))]
    Ambiguous {
        /// Where the expression was given.
        at: String,
        /// The name.
        name: String,
        /// The full names of the places.
        places: String,
    },
    /// The machine does not support an operation in it, or the declarations raise an exception.
    #[error("{0}")]
    Refused(Box<MlError>),
}

impl From<MlError> for ExpressionError {
    fn from(error: MlError) -> Self {
        ExpressionError::Refused(Box::new(error))
    }
}

/// An expression over markings.
pub struct Expression {
    text: String,
    /// The typed expression.
    pub(crate) term: Expr,
    function: FunctionId,
    arguments: Vec<Argument>,
    /// The places among the arguments.
    places: Vec<usize>,
    /// The variable for `deadlock`, if the expression uses it.
    pub(crate) deadlock: Option<VarId>,
    outcome: Outcome,
    /// Encodes the value, if the outcome is [`Outcome::Bytes`].
    codec: Option<Codec>,
    /// It reads the marking as a whole.
    sees_state: bool,
    /// It reads the model time or time stamps.
    sees_time: bool,
    /// Its value depends on its arguments alone, so values are cached.
    pure: bool,
    parts: Arc<Parts>,
    sources: Sources,
    /// The machine before any evaluation; each worker has a copy.
    machine: Machine,
    /// Unique among all expressions of the process.
    number: u64,
}

/// The number of the next expression.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The machine and the cache for one expression.
struct Evaluator {
    machine: Machine,
    cache: ValueCache,
}

/// The evaluator of each expression, by the number of the expression.
#[derive(Default)]
pub(crate) struct Evaluators(HashMap<u64, Evaluator, foldhash::fast::FixedState>);

impl Evaluators {
    fn of(&mut self, expression: &Expression) -> &mut Evaluator {
        self.0.entry(expression.number).or_insert_with(|| Evaluator {
            machine: expression.machine.clone(),
            cache: ValueCache::default(),
        })
    }
}

impl fmt::Debug for Expression {
    /// Shows the text only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.text).finish()
    }
}

/// An argument of a compiled expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Argument {
    /// The marking of a place.
    Place(usize),
    /// Whether the marking is dead.
    Deadlock,
}

/// How the value is converted to a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Bool,
    Int,
    IntInf,
    /// A multi-set, by its number of tokens.
    Size,
    /// Any value, as bytes.
    Bytes,
}

impl Scope {
    /// An expression of type `bool` in which `deadlock` is true in dead markings. Messages call the expression `name`.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn condition(&self, name: &str, text: &str) -> Result<Expression, ExpressionError> {
        let mut scope = self.clone();
        scope.declare_deadlock();
        scope.predicate(name, text)
    }

    /// A typed expression. A short name that several places share is reported as ambiguous.
    fn query(
        &mut self,
        name: &str,
        text: &str,
        expected: Option<TypeId>,
    ) -> Result<Expr, ExpressionError> {
        let mut errors = match self.environment.query(name, text, expected) {
            Ok(expr) => return Ok(expr),
            Err(errors) => errors,
        };
        for error in &mut errors.errors {
            if let Problem::Unknown { what: "value", help: Some(help), .. } = &mut error.problem
                && help.starts_with("declare it")
            {
                *help = "`sweepline info FILE --places` lists the places; write a place without quotes, with `_` for \
                         each space: `Place_Name`"
                    .to_owned();
            }
        }
        let shared = errors.errors.iter().find_map(|error| match &error.problem {
            Problem::Unknown { name, .. } => Some((error, name, self.shared.get(name)?)),
            _ => None,
        });
        Err(match shared {
            Some((error, name, places)) => ExpressionError::Ambiguous {
                at: error.source.name.to_string(),
                name: name.clone(),
                places: places
                    .iter()
                    .map(|place| format!("`{place}`"))
                    .collect::<Vec<_>>()
                    .join(", "),
            },
            None => errors.into(),
        })
    }

    /// An expression of type `bool`. Messages call it `name`.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn predicate(&self, name: &str, text: &str) -> Result<Expression, ExpressionError> {
        let mut scope = self.clone();
        let expr = scope.query(name, text, Some(Types::BOOL))?;
        scope.compile(text, &expr, Outcome::Bool)
    }

    /// An expression of type `int` or `IntInf.int`, or a multi-set, whose value is its number of tokens.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn number(&self, name: &str, text: &str) -> Result<Expression, ExpressionError> {
        let mut scope = self.clone();
        let expr = scope.query(name, text, None)?;
        match scope.outcome(expr.ty) {
            Some(outcome) => scope.compile(text, &expr, outcome),
            None => {
                // Checked again with the type `int`, for the message.
                let expr = scope.query(name, text, Some(Types::INT))?;
                scope.compile(text, &expr, Outcome::Int)
            }
        }
    }

    /// An expression of any type whose values can be encoded, for [`Expression::write`].
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn value(&self, name: &str, text: &str) -> Result<Expression, ExpressionError> {
        let mut scope = self.clone();
        let expr = scope.query(name, text, None)?;
        scope.compile(text, &expr, Outcome::Bytes)
    }

    /// How a value of this type is converted to a number, if it can be.
    fn outcome(&self, ty: TypeId) -> Option<Outcome> {
        match self.environment.program().types.get(ty) {
            Type::Int => Some(Outcome::Int),
            Type::IntInf => Some(Outcome::IntInf),
            Type::Data(DataId::LIST, _) => Some(Outcome::Size),
            _ => None,
        }
    }

    fn compile(
        &self,
        text: &str,
        expr: &Expr,
        outcome: Outcome,
    ) -> Result<Expression, ExpressionError> {
        let (environment, sources) = (&self.environment, self.environment.sources());
        let refused = |refusal: Refusal| refusal.explain(sources);
        let mut compiler = Compiler::new(environment.program());
        let open = environment.variables_in(expr);
        let function = compiler.compile_function(&open, expr).map_err(refused)?;
        let mut places = Vec::new();
        for (colour_set, form) in &self.colours {
            let colour = environment.colour_set(*colour_set).ty;
            places.push((compiler.codec(colour).map_err(refused)?, form.clone()));
        }
        let codec = match outcome {
            Outcome::Bytes => {
                let at = |refusal| Refusal { span: Some(expr.span), ..refusal };
                Some(compiler.codec(expr.ty).map_err(|refusal| refused(at(refusal)))?)
            }
            _ => None,
        };
        let code = compiler.finish().map_err(refused)?;
        let sees_state = code.uses(Prim::State);
        let sees_time = code.uses(Prim::ModelTime) || looks_at_stamps(environment, expr);
        let pure = !sees_state && Effects::new(environment).is_pure(environment, expr);
        let timed = places.iter().any(|(_, form)| form.kind == Kind::Timed);
        let parts = Arc::new(Parts { places, clock: Clock(self.time), timed });
        let machine = Machine::new(Arc::new(code), self.limits.clone());
        let mut machine = machine.map_err(|raised| raised.explain(sources))?;
        machine.set_host(parts.clone());
        let place = |var| self.places.iter().find(|known| known.0 == var);
        let arguments = open.into_iter().map(|var| match place(var) {
            Some((_, place)) => Argument::Place(place.0 as usize),
            None => Argument::Deadlock,
        });
        let arguments: Vec<Argument> = arguments.collect();
        let asks_for_deadlock = arguments.contains(&Argument::Deadlock);
        let known = arguments.iter().filter_map(|argument| match argument {
            Argument::Place(place) => Some(*place),
            Argument::Deadlock => None,
        });
        let known = known.collect();
        let pure = pure && !asks_for_deadlock;
        Ok(Expression {
            text: text.to_owned(),
            term: expr.clone(),
            function,
            arguments,
            places: known,
            deadlock: self.deadlock.filter(|_| asks_for_deadlock),
            outcome,
            codec,
            sees_state,
            sees_time,
            pure,
            parts,
            sources: sources.clone(),
            machine,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
        })
    }
}

impl Expression {
    /// The text of the expression.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it reads the model time or time stamps.
    pub fn asks_for_time(&self) -> bool {
        self.sees_time
    }

    /// The places that its value depends on; `None` if it may depend on anything else.
    pub(crate) fn places(&self) -> Option<&[usize]> {
        (self.pure && !self.sees_time).then_some(&self.places)
    }

    /// Whether it is a [condition](Scope::condition) that uses `deadlock`.
    pub fn asks_for_deadlock(&self) -> bool {
        self.deadlock.is_some()
    }

    /// Whether a marking satisfies it. `deadlock` counts as false.
    ///
    /// # Errors
    ///
    /// An exception that it raises, or a limit.
    pub fn holds(&self, worker: &mut Worker, marking: &Marking) -> Result<bool, Box<MlError>> {
        self.value(worker, marking).map(|value| value != 0)
    }

    /// Whether a marking satisfies it, with `is_dead` as the value of `deadlock`.
    ///
    /// # Errors
    ///
    /// An exception that it raises, or a limit.
    pub fn holds_knowing(
        &self,
        worker: &mut Worker,
        marking: &Marking,
        is_dead: bool,
    ) -> Result<bool, Box<MlError>> {
        let machine = &mut worker.evaluators.of(self).machine;
        let value = self.run(machine, marking, is_dead, |machine, word| self.number(machine, word));
        value.map(|value| value != 0)
    }

    /// Its value in a marking.
    ///
    /// # Errors
    ///
    /// An exception that it raises, a limit, or a value of more than 64 bits.
    pub fn value(&self, worker: &mut Worker, marking: &Marking) -> Result<i64, Box<MlError>> {
        let Evaluator { machine, cache } = worker.evaluators.of(self);
        let mut compute =
            || self.run(machine, marking, false, |machine, word| self.number(machine, word));
        if self.pure { cache.value(marking, &self.places, compute) } else { compute() }
    }

    /// Appends its value in a marking. Two values have the same bytes if and only if they are equal.
    ///
    /// # Errors
    ///
    /// An exception that it raises, or a limit.
    pub fn write(
        &self,
        worker: &mut Worker,
        marking: &Marking,
        out: &mut Vec<u8>,
    ) -> Result<(), Box<MlError>> {
        let machine = &mut worker.evaluators.of(self).machine;
        self.run(machine, marking, false, |machine, word| match self.codec {
            Some(codec) => codec.encode(machine, word, out),
            None => {
                out.extend_from_slice(&self.number(machine, word)?.to_le_bytes());
                Ok(())
            }
        })
    }

    fn run<T>(
        &self,
        machine: &mut Machine,
        marking: &Marking,
        is_dead: bool,
        read: impl FnOnce(&mut Machine, Word) -> Result<T, Raised>,
    ) -> Result<T, Box<MlError>> {
        let mark = machine.mark();
        let value = self.evaluate(machine, marking, is_dead).and_then(|word| read(machine, word));
        machine.reset(mark);
        value.map_err(|raised| Box::new(raised.explain(&self.sources)))
    }

    fn evaluate(
        &self,
        machine: &mut Machine,
        marking: &Marking,
        is_dead: bool,
    ) -> Result<Word, Raised> {
        let parts = &*self.parts;
        let time = parts.time(&mut machine.memory(), marking.time);
        let time = time.map_err(|halt| machine.halted(halt))?;
        machine.set_time(time);
        if self.sees_state {
            machine.set_state(marking.bytes())?;
        }
        let mut arguments = Vec::with_capacity(self.arguments.len());
        for argument in &self.arguments {
            arguments.push(match argument {
                Argument::Deadlock => is_dead.into(),
                Argument::Place(place) => {
                    let tokens = parts.tokens(&mut machine.memory(), marking, *place);
                    tokens.map_err(|halt| machine.halted(halt))?
                }
            });
        }
        machine.call(self.function, &arguments)
    }

    fn number(&self, machine: &Machine, word: Word) -> Result<i64, Raised> {
        Ok(match self.outcome {
            Outcome::Bool | Outcome::Int => Machine::to_int(word),
            Outcome::IntInf => machine.int_inf(word).to_i64().ok_or_else(|| {
                machine.refused(
                    "a value of more than 64 bits",
                    "make it smaller, for example with `div`",
                )
            })?,
            Outcome::Size => machine.list(word).count() as i64,
            // Callers use `write` for expressions with this outcome.
            Outcome::Bytes => 0,
        })
    }
}
