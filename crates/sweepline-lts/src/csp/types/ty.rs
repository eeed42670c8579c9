//! `Type`: a set of values.

use std::rc::Rc;

use crate::csp::ast::Sym;

/// The maximal nesting of types; below it, everything is unknown.
const MAX_NESTED: usize = 3;

/// The maximal number of components of a tuple whose types are known.
const MAX_WIDTH: usize = 16;

/// A set of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Type {
    /// All values.
    Unknown,
    /// No value: the evaluation fails or does not end.
    Never,
    Int,
    Bool,
    Str,
    Process,
    /// Channels, constructors and dotted values, so also events.
    Data,
    Map,
    Set(Rc<Type>),
    Seq(Rc<Type>),
    Tuple(Rc<[Type]>),
    Function(Rc<Signature>),
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Signature {
    pub(super) name: Option<Sym>,
    /// The lists of arguments that are missing: what each argument is if the call succeeds.
    pub(super) lists: Vec<Vec<Type>>,
    pub(super) result: Type,
}

impl Type {
    pub(super) fn set(of: Type) -> Type {
        Type::Set(Rc::new(of.below()))
    }

    pub(super) fn seq(of: Type) -> Type {
        Type::Seq(Rc::new(of.below()))
    }

    pub(super) fn any_set() -> Type {
        Type::set(Type::Unknown)
    }

    pub(super) fn any_seq() -> Type {
        Type::seq(Type::Unknown)
    }

    pub(super) fn tuple(all: Vec<Type>) -> Type {
        match all.len() <= MAX_WIDTH {
            true => Type::Tuple(all.into_iter().map(Type::below).collect()),
            false => Type::Unknown,
        }
    }

    pub(super) fn function(name: Option<Sym>, lists: Vec<Vec<Type>>, result: Type) -> Type {
        let lists = lists.into_iter().map(|list| list.into_iter().map(Type::below).collect());
        let (lists, result) = (lists.collect(), result.below());
        Type::Function(Rc::new(Signature { name, lists, result }))
    }

    /// The type as a part of another one.
    fn below(self) -> Type {
        if self.nesting() < MAX_NESTED { self } else { Type::Unknown }
    }

    fn nesting(&self) -> usize {
        match self {
            Type::Set(of) | Type::Seq(of) => 1 + of.nesting(),
            Type::Tuple(all) => 1 + all.iter().map(Type::nesting).max().unwrap_or(0),
            Type::Function(signature) => {
                let params = signature.lists.iter().flatten();
                1 + params.chain([&signature.result]).map(Type::nesting).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// A type that contains both.
    pub(super) fn join(&self, other: &Type) -> Type {
        match (self, other) {
            (Type::Never, one) | (one, Type::Never) => one.clone(),
            (a, b) if a == b => a.clone(),
            (Type::Set(a), Type::Set(b)) => Type::set(a.join(b)),
            (Type::Seq(a), Type::Seq(b)) => Type::seq(a.join(b)),
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                Type::tuple(a.iter().zip(b.iter()).map(|(a, b)| a.join(b)).collect())
            }
            _ => Type::Unknown,
        }
    }

    /// Whether there are values in both, and no value is common. Sets and sequences may be empty, so that the types of
    /// their members do not count.
    pub(super) fn is_disjoint(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Unknown | Type::Never, _) | (_, Type::Unknown | Type::Never) => false,
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() != b.len() || a.iter().zip(b.iter()).any(|(a, b)| a.is_disjoint(b))
            }
            _ => std::mem::discriminant(self) != std::mem::discriminant(other),
        }
    }

    /// The type of the members of a set or sequence.
    pub(super) fn member(&self) -> Type {
        match self {
            Type::Set(of) | Type::Seq(of) => Type::clone(of),
            _ => Type::Unknown,
        }
    }

    /// In words, for messages.
    pub(super) fn words(&self) -> String {
        match self {
            Type::Unknown => "any value".to_owned(),
            Type::Never => "no value".to_owned(),
            Type::Int => "a number".to_owned(),
            Type::Bool => "a Boolean".to_owned(),
            Type::Str => "a string".to_owned(),
            Type::Process => "a process".to_owned(),
            Type::Data => "an event or a value of a data type".to_owned(),
            Type::Map => "a map".to_owned(),
            Type::Set(of) => format!("a set{}", of.of_words()),
            Type::Seq(of) => format!("a sequence{}", of.of_words()),
            Type::Tuple(all) => {
                let all: Vec<_> = all.iter().take(4).map(Type::words).collect();
                format!("a tuple ({})", all.join(", "))
            }
            Type::Function(_) => "a function".to_owned(),
        }
    }

    /// ` of numbers`, after `a set`.
    fn of_words(&self) -> String {
        let plural = match self {
            Type::Unknown | Type::Never => return String::new(),
            Type::Int => "numbers",
            Type::Bool => "Booleans",
            Type::Str => "strings",
            Type::Process => "processes",
            Type::Data => "events or values of a data type",
            Type::Map => "maps",
            Type::Set(_) => "sets",
            Type::Seq(_) => "sequences",
            Type::Tuple(_) => "tuples",
            Type::Function(_) => "functions",
        };
        format!(" of {plural}")
    }
}
