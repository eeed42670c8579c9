//! The values of expressions.

use std::rc::Rc;

use super::ast::Sym;

/// A process term, in the table of terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ProcId(pub(super) u32);

/// A channel or a constructor of a data type: a name with fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct HeadId(pub(super) u32);

/// The values of the local names that a term uses, in the order of those names.
pub(super) type Captured = Rc<[Value]>;

/// A value. Equal values are equal as Rust values, so that they can be keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Value {
    Int(i64),
    Bool(bool),
    Str(Rc<str>),
    Tuple(Rc<[Value]>),
    Seq(Rc<[Value]>),
    Set(Set),
    Map(Rc<[(Value, Value)]>),
    /// A channel or constructor without fields.
    Head(HeadId),
    /// At least two parts joined by dots. A head is followed by its own fields only, none of which is dotted
    /// unless it begins with a head.
    Dot(Rc<[Value]>),
    Function(Function),
    Process(ProcId),
}

/// A set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Set {
    /// Sorted and without duplicates.
    Finite(Rc<[Value]>),
    /// `A.B`: members joined by dots.
    Product(Rc<[Set]>),
    /// An infinite set.
    Endless(Endless),
}

/// An infinite set: its members cannot be enumerated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Endless {
    /// `Int`.
    Ints,
    /// `{n..}`.
    From(i64),
    /// `Seq(S)`.
    Seqs(Rc<Set>),
    /// A data type that contains itself.
    Datatype(Sym),
    /// `Proc`, `Char`, `String`.
    Type(&'static str),
}

/// A function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Function {
    /// Defined at the top level.
    Global(Sym),
    /// Built in.
    BuiltIn(Sym),
    /// A definition of a `let`, by the numbers of both; a constant if it has no arguments.
    Local(u32, u32, Captured),
    /// A lambda, by the number of its body.
    Lambda(u32, Captured),
    /// Partially applied: with some of its lists of arguments.
    Partial(Rc<(Function, Vec<Vec<Value>>)>),
}

impl Value {
    /// The set of these.
    pub(super) fn set(mut members: Vec<Value>) -> Value {
        members.sort_unstable();
        members.dedup();
        Value::Set(Set::Finite(members.into()))
    }

    /// Its kind, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Int(_) => "a number",
            Value::Bool(_) => "a Boolean",
            Value::Str(_) => "a string",
            Value::Tuple(_) => "a tuple",
            Value::Seq(_) => "a sequence",
            Value::Set(_) => "a set",
            Value::Map(_) => "a map",
            Value::Head(_) => "a channel or constructor",
            Value::Dot(_) => "a dotted value",
            Value::Function(_) => "a function",
            Value::Process(_) => "a process",
        }
    }
}

/// Local names and their values; later ones shadow earlier ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    vars: Vec<(Sym, Value)>,
}

impl Env {
    /// `free` names with the values that were captured for them.
    pub(super) fn restored(free: &[Sym], captured: &Captured) -> Self {
        Env { vars: free.iter().copied().zip(captured.iter().cloned()).collect() }
    }

    pub(super) fn get(&self, name: Sym) -> Option<&Value> {
        self.vars.iter().rev().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    pub(super) fn push(&mut self, name: Sym, value: Value) {
        self.vars.push((name, value));
    }

    /// The number of names, to return to.
    pub(super) fn mark(&self) -> usize {
        self.vars.len()
    }

    pub(super) fn back_to(&mut self, mark: usize) {
        self.vars.truncate(mark);
    }

    /// The values of `free`, for a later evaluation.
    pub(super) fn capture(&self, free: &[Sym]) -> Captured {
        let value = |&name| self.get(name).expect("names were checked").clone();
        free.iter().map(value).collect()
    }
}
