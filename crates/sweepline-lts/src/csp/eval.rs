//! Evaluation: expressions to values, processes to terms.
//!
//! Evaluation is lazy for the process after an event, the second of two processes in sequence, the
//! alternatives of an internal choice and the definitions of a `let`. They are evaluated when they are
//! needed, in the environment of their definition, of which only the names in use are kept.

mod built_in;
mod call;
mod collection;
mod completion;
mod data;
mod event;
mod expr;
mod globals;
mod operator;
mod pattern;

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

pub(super) use built_in::built_in_names;
pub(super) use event::Offer;

use globals::{Global, Globals};
use sweepline_source::Span;

use super::ast::{Head, Lambda, Later, Let, Prefix, Sym};
use super::load::Script;
use super::process::{Event, Proc, Terms, Thunk};
use super::value::{Captured, Endless, Env, Function, HeadId, ProcId, Set, Value};
use crate::problem::Problem;

/// The maximal nesting of evaluations; the stack is large enough for it.
const MAX_NESTED: u32 = 20_000;

/// The maximal number of evaluation steps.
const MAX_STEPS: u64 = 2_000_000_000;

/// Steps between two checks of the flag that ends evaluation.
const STEPS: u64 = 1 << 16;

/// The maximal number of fields of a channel.
const MAX_FIELDS: usize = 1_000;

/// The maximal number of events that a prefix offers.
const MAX_OFFERS: usize = 250_000;

/// The maximal number of members of a set.
pub(super) const MAX_SET: usize = 2_000_000;

/// A problem and its position.
pub(super) type Failure = Box<(Span, Problem)>;

pub(super) type Evaluated<T> = Result<T, Failure>;

pub(super) fn fail<T>(span: Span, problem: Problem) -> Evaluated<T> {
    Err(Box::new((span, problem)))
}

/// A channel or constructor.
pub(super) struct HeadInfo<'s> {
    pub(super) name: Sym,
    pub(super) is_channel: bool,
    pub(super) arity: usize,
    decl: &'s Head,
    /// The types of its fields, computed on demand.
    types: Option<Rc<[Set]>>,
}

/// Evaluates parts of one script.
pub(super) struct Evaluator<'s> {
    pub(super) script: &'s Script,
    pub(super) terms: Terms,
    pub(super) heads: Vec<HeadInfo<'s>>,
    by_name: HashMap<Sym, Global<'s>>,
    /// The values of constants, at the top level and of `let`s; `None` while one is being evaluated.
    constants: HashMap<Function, Option<Value>>,
    bodies: HashMap<u32, Later>,
    prefixes: HashMap<u32, Arc<Prefix>>,
    lambdas: HashMap<u32, Arc<Lambda>>,
    lets: HashMap<u32, Arc<Let>>,
    /// The first call that gave each term, which is its name in messages.
    pub(super) origins: HashMap<ProcId, (Sym, Rc<[Value]>)>,
    /// The current nesting of names of terms in names of terms.
    pub(super) n_shown: Cell<u32>,
    nested: u32,
    n_steps: u64,
    /// The names of the active calls.
    calls: Vec<Sym>,
}

impl<'s> Evaluator<'s> {
    pub(super) fn new(script: &'s Script) -> Self {
        let Globals { by_name, heads } = Globals::of(script);
        let mut evaluator = Evaluator {
            script,
            terms: Terms::default(),
            heads,
            by_name,
            constants: HashMap::new(),
            bodies: HashMap::new(),
            prefixes: HashMap::new(),
            lambdas: HashMap::new(),
            lets: HashMap::new(),
            origins: HashMap::new(),
            n_shown: Cell::new(0),
            nested: 0,
            n_steps: 0,
            calls: Vec::new(),
        };
        // The members of a type may be dotted. An error in a type is reported where the type is used.
        for head in 0..evaluator.heads.len() {
            if let Ok(types) = evaluator.head_types(HeadId(head as u32)) {
                evaluator.heads[head].arity = types.len();
            }
            (evaluator.nested, evaluator.calls) = (0, Vec::new());
        }
        evaluator
    }

    pub(super) fn name(&self, name: Sym) -> &'s str {
        self.script.names().text(name.0)
    }

    fn head_by_name(&self, name: Sym) -> Option<HeadId> {
        match self.by_name.get(&name) {
            Some(Global::Head(head)) => Some(*head),
            _ => None,
        }
    }

    /// Counts a step, and a level of nesting until [`leave`](Self::leave).
    fn enter(&mut self, span: Span) -> Evaluated<()> {
        self.nested += 1;
        self.n_steps += 1;
        if self.nested > MAX_NESTED {
            let last = self.calls.iter().rev().take(8).rev();
            let calls: Vec<_> = last.map(|&name| format!("`{}`", self.name(name))).collect();
            let calls = format!("... {}", calls.join(" calls "));
            return fail(span, Problem::EndlessCalls { calls });
        }
        if self.n_steps.is_multiple_of(STEPS) && self.script.limits().is_stopped() {
            return fail(span, Problem::Stopped);
        }
        match self.n_steps > MAX_STEPS {
            true => fail(span, Problem::TooManySteps { limit: MAX_STEPS }),
            false => Ok(()),
        }
    }

    fn leave(&mut self) {
        self.nested -= 1;
    }

    /// The value of a top-level name.
    fn global(&mut self, name: Sym, span: Span) -> Evaluated<Value> {
        match self.by_name.get(&name).copied() {
            Some(Global::Head(head)) => Ok(Value::Head(head)),
            Some(Global::Define(definition)) if definition.arity() > 0 => {
                Ok(Value::Function(Function::Global(name)))
            }
            Some(Global::BuiltIn) => self.built_in_name(name, span),
            Some(global) => self.constant(name, global, span),
            None => {
                let name = self.name(name).to_owned();
                fail(span, Problem::Undeclared { name, similar: None })
            }
        }
    }

    /// The value of a constant, which `eval` evaluates once; `None` while it is being evaluated.
    fn once(
        &mut self,
        constant: Function,
        name: Sym,
        eval: impl FnOnce(&mut Self) -> Evaluated<Value>,
    ) -> Evaluated<Option<Value>> {
        if let Some(known) = self.constants.get(&constant) {
            return Ok(known.clone());
        }
        self.constants.insert(constant.clone(), None);
        let value = eval(self);
        if value.is_err() {
            self.constants.remove(&constant);
        }
        let value = value?;
        self.note_origin(name, &[], &value);
        self.constants.insert(constant, Some(value.clone()));
        Ok(Some(value))
    }

    /// The value of a top-level constant or type.
    fn constant(&mut self, name: Sym, global: Global<'s>, span: Span) -> Evaluated<Value> {
        let value = self.once(Function::Global(name), name, |eval| {
            eval.calls.push(name);
            let value = match global {
                Global::Define(definition) => {
                    eval.eval(&definition.clauses[0].body, &mut Env::default())
                }
                Global::Datatype(constructors) => eval.datatype(constructors, span),
                Global::Subtype(parts) => eval.subtype(parts),
                Global::Nametype(of) => {
                    eval.field_types(of).map(|mut types| match (types.len(), types.pop()) {
                        (1, Some(only)) => Value::Set(only),
                        (_, last) => {
                            types.extend(last);
                            Value::Set(Set::Product(types.into()))
                        }
                    })
                }
                Global::Head(_) | Global::BuiltIn => unreachable!("they are no constants"),
            };
            eval.calls.pop();
            value
        })?;
        Ok(value.unwrap_or_else(|| match global {
            Global::Datatype(_) => Value::Set(Set::Endless(Endless::Datatype(name))),
            // A process may refer to itself before its value is known, if the reference is evaluated later.
            _ => Value::Process(self.terms.intern(Proc::Later(Thunk::Global(name)))),
        }))
    }

    fn note_origin(&mut self, name: Sym, args: &[Value], value: &Value) {
        if let Value::Process(id) = value {
            self.origins.entry(*id).or_insert_with(|| (name, args.into()));
        }
    }

    /// The value of a local name; constants of a `let` are evaluated on demand.
    fn local(&mut self, value: Value, span: Span) -> Evaluated<Value> {
        let Value::Function(function @ Function::Local(group, index, captured)) = &value else {
            return Ok(value);
        };
        let group = self.lets[group].clone();
        let definition = &group.decls[*index as usize];
        if definition.arity() > 0 {
            return Ok(value);
        }
        let known = self.once(function.clone(), definition.name, |eval| {
            let mut env = eval.group_env(&group, captured);
            eval.enter(span)?;
            let value = eval.eval(&definition.clauses[0].body, &mut env);
            eval.leave();
            value
        })?;
        Ok(known.unwrap_or_else(|| {
            let thunk = Thunk::Local(function.clone());
            Value::Process(self.terms.intern(Proc::Later(thunk)))
        }))
    }

    /// The environment of the definitions of a `let`: the captured names, and the definitions themselves.
    fn group_env(&self, group: &Let, captured: &Captured) -> Env {
        let mut env = Env::restored(group.free.get().expect("names were checked"), captured);
        self.push_group(group, captured, &mut env);
        env
    }

    fn push_group(&self, group: &Let, captured: &Captured, env: &mut Env) {
        for (index, definition) in group.decls.iter().enumerate() {
            if !(definition.is_part && self.head_by_name(definition.name).is_some()) {
                let function = Function::Local(group.id, index as u32, captured.clone());
                env.push(definition.name, Value::Function(function));
            }
        }
    }

    /// Evaluates a deferred process.
    pub(super) fn force(&mut self, thunk: &Thunk) -> Evaluated<ProcId> {
        match thunk {
            Thunk::Body(id, captured) => {
                let body = self.bodies[id].clone();
                let free = body.free.get().expect("names were checked");
                self.process(&body.expr, &mut Env::restored(free, captured))
            }
            Thunk::Global(name) => {
                let span = self.definition_span(*name).unwrap_or(self.script.nowhere());
                let value = self.global(*name, span)?;
                self.settled(value, *name, thunk, span)
            }
            Thunk::Local(function) => {
                let Function::Local(group, index, _) = function else {
                    unreachable!("a constant of a `let`")
                };
                let definition = &self.lets[group].decls[*index as usize];
                let (name, span) = (definition.name, definition.span);
                let value = self.local(Value::Function(function.clone()), span)?;
                self.settled(value, name, thunk, span)
            }
            Thunk::Sequence(all) => {
                let (first, rest) = all.split_first().expect("a sequence of at least one");
                let first = self.force(first)?;
                Ok(match rest {
                    [] => first,
                    _ => {
                        let rest = Thunk::Sequence(rest.into());
                        self.terms.intern(Proc::Sequential(first, rest))
                    }
                })
            }
        }
    }

    /// The process that `thunk` evaluated to, unless it is still the thunk itself.
    fn settled(&mut self, value: Value, name: Sym, thunk: &Thunk, span: Span) -> Evaluated<ProcId> {
        match value {
            Value::Process(id) => match self.terms.proc(id) {
                Proc::Later(again) if again == thunk => {
                    fail(span, Problem::Circular { name: self.name(name).to_owned() })
                }
                _ => Ok(id),
            },
            other => self.wrong_kind(span, "a process", &other),
        }
    }

    /// A body to be evaluated later, with the part of `env` that it uses.
    fn thunk(&mut self, body: &Later, env: &Env) -> Thunk {
        self.bodies.entry(body.id).or_insert_with(|| body.clone());
        Thunk::Body(body.id, env.capture(body.free.get().expect("names were checked")))
    }

    pub(super) fn prefix(&self, id: u32) -> Arc<Prefix> {
        self.prefixes[&id].clone()
    }

    /// The position of a body.
    pub(super) fn body_span(&self, id: u32) -> Option<Span> {
        self.bodies.get(&id).map(|body| body.expr.span)
    }

    /// The position of the definition of a top-level name.
    pub(super) fn definition_span(&self, name: Sym) -> Option<Span> {
        match self.by_name.get(&name) {
            Some(Global::Define(definition)) => Some(definition.span),
            _ => None,
        }
    }

    fn wrong_kind<T>(&self, span: Span, expected: &str, found: &Value) -> Evaluated<T> {
        // A term that comes from using a name in its own definition gets no name.
        if let Value::Process(id) = found
            && let Proc::Later(Thunk::Global(name)) = self.terms.proc(*id)
        {
            return fail(span, Problem::Circular { name: self.name(*name).to_owned() });
        }
        let found = match found {
            Value::Process(_) | Value::Function(_) => found.kind().to_owned(),
            _ => format!("{}: `{}`", found.kind(), self.show(found)),
        };
        fail(span, Problem::WrongKind { expected: expected.to_owned(), found })
    }

    /// The number of an event.
    pub(super) fn event(&mut self, value: Value) -> Event {
        Event(self.terms.events.intern(value))
    }
}
