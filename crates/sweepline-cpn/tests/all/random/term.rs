//! Inscriptions: their text and their meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::value::{Set, Value};

/// A variable of a colour set.
pub(crate) type Var = (Set, u8);

pub(crate) type Binding = BTreeMap<Var, Value>;

/// An expression for a colour, a number or a condition. None raises an exception.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    Var(Var),
    Constant(Value),
    Tuple(Vec<Term>),
    List(Vec<Term>),
    Cons(Box<Term>, Box<Term>),
    Union(Box<Term>),
    Add(Box<Term>, i64),
    Mod(Box<Term>, i64),
    Next(Box<Term>),
    First(Box<Term>),
    Second(Box<Term>),
    Length(Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Equal(Box<Term>, Box<Term>),
    Less(Box<Term>, Box<Term>),
    Not(Box<Term>),
    Both(Box<Term>, Box<Term>),
}

pub(crate) fn boxed(term: Term) -> Box<Term> {
    Box::new(term)
}

fn int(value: Value) -> i64 {
    match value {
        Value::Int(n) => n,
        other => panic!("{other} is no number"),
    }
}

impl Term {
    pub(crate) fn value(&self, binding: &Binding) -> Value {
        let all = |terms: &[Term]| terms.iter().map(|term| term.value(binding)).collect();
        match self {
            Term::Var(var) => binding[var].clone(),
            Term::Constant(value) => value.clone(),
            Term::Tuple(parts) => Value::Tuple(all(parts)),
            Term::List(parts) => Value::List(all(parts)),
            Term::Cons(head, tail) => match tail.value(binding) {
                Value::List(mut parts) => {
                    parts.insert(0, head.value(binding));
                    Value::List(parts)
                }
                other => panic!("{other} is no list"),
            },
            Term::Union(of) => Value::Union(Some(Box::new(of.value(binding)))),
            Term::Add(term, n) => Value::Int(int(term.value(binding)) + n),
            Term::Mod(term, n) => Value::Int(int(term.value(binding)).rem_euclid(*n)),
            Term::Next(term) => match term.value(binding) {
                Value::Enum(n) => Value::Enum((n + 1) % 3),
                other => panic!("{other} is no constant"),
            },
            Term::First(pair) => part(pair.value(binding), 0),
            Term::Second(pair) => part(pair.value(binding), 1),
            Term::Length(list) => match list.value(binding) {
                Value::List(parts) => Value::Int(parts.len() as i64),
                other => panic!("{other} is no list"),
            },
            Term::If(test, yes, no) => if test.holds(binding) { yes } else { no }.value(binding),
            Term::Equal(a, b) => Value::Bool(a.value(binding) == b.value(binding)),
            Term::Less(a, b) => Value::Bool(int(a.value(binding)) < int(b.value(binding))),
            Term::Not(a) => Value::Bool(!a.holds(binding)),
            Term::Both(a, b) => Value::Bool(a.holds(binding) && b.holds(binding)),
        }
    }

    pub(crate) fn holds(&self, binding: &Binding) -> bool {
        self.value(binding) == Value::Bool(true)
    }

    pub(crate) fn number(&self, binding: &Binding) -> i64 {
        int(self.value(binding))
    }

    pub(crate) fn variables(&self, found: &mut BTreeSet<Var>) {
        match self {
            Term::Var(var) => _ = found.insert(*var),
            Term::Constant(_) => {}
            Term::Tuple(parts) | Term::List(parts) => {
                parts.iter().for_each(|part| part.variables(found));
            }
            Term::Cons(a, b) | Term::Equal(a, b) | Term::Less(a, b) | Term::Both(a, b) => {
                a.variables(found);
                b.variables(found);
            }
            Term::If(a, b, c) => [a, b, c].iter().for_each(|part| part.variables(found)),
            Term::Union(a) | Term::Add(a, _) | Term::Mod(a, _) | Term::Next(a) => {
                a.variables(found);
            }
            Term::First(a) | Term::Second(a) | Term::Length(a) | Term::Not(a) => a.variables(found),
        }
    }
}

fn part(value: Value, at: usize) -> Value {
    match value {
        Value::Tuple(mut parts) => parts.swap_remove(at),
        other => panic!("{other} is no pair"),
    }
}

pub(crate) fn variable_name((set, number): Var) -> String {
    format!("{}{number}", set.name().to_lowercase())
}

/// The text in a file, without XML entities.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join =
            |parts: &[Term]| parts.iter().map(Term::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Term::Var(var) => write!(f, "{}", variable_name(*var)),
            Term::Constant(value) => write!(f, "{value}"),
            Term::Tuple(parts) => write!(f, "({})", join(parts)),
            Term::List(parts) => write!(f, "[{}]", join(parts)),
            Term::Cons(head, tail) => write!(f, "({head} :: {tail})"),
            Term::Union(of) => write!(f, "(cs {of})"),
            Term::Add(term, n) if *n < 0 => write!(f, "({term} - {})", -n),
            Term::Add(term, n) => write!(f, "({term} + {n})"),
            Term::Mod(term, n) => write!(f, "({term} mod {n})"),
            Term::Next(term) => write!(f, "(next {term})"),
            Term::First(pair) => write!(f, "(first {pair})"),
            Term::Second(pair) => write!(f, "(second {pair})"),
            Term::Length(list) => write!(f, "(length {list})"),
            Term::If(a, b, c) => write!(f, "(if {a} then {b} else {c})"),
            Term::Equal(a, b) => write!(f, "({a} = {b})"),
            Term::Less(a, b) => write!(f, "({a} < {b})"),
            Term::Not(a) => write!(f, "(not {a})"),
            Term::Both(a, b) => write!(f, "({a} andalso {b})"),
        }
    }
}

/// An arc inscription.
#[derive(Clone, Debug)]
pub(crate) enum Tokens {
    /// One token, with an optional delay.
    One(Term, Option<Term>),
    Sum(Vec<(Term, Term)>),
    /// A sum whose parts have their own delays.
    TimedSum(Vec<(Term, Term, Term)>),
    /// A sum with one delay.
    DelayedSum(Vec<(Term, Term)>, Term),
    /// A sum under a condition, else `empty`.
    If(Term, Vec<(Term, Term)>),
}

impl Tokens {
    /// Each token with its delay.
    pub(crate) fn tokens(&self, binding: &Binding) -> Vec<(Value, i64)> {
        let repeat = |count: &Term, colour: &Term, delay: i64| {
            let count = usize::try_from(count.number(binding)).unwrap_or(0);
            vec![(colour.value(binding), delay); count]
        };
        let sum = |parts: &[(Term, Term)], delay: i64| -> Vec<(Value, i64)> {
            parts.iter().flat_map(|(count, colour)| repeat(count, colour, delay)).collect()
        };
        match self {
            Tokens::One(colour, delay) => {
                let delay = delay.as_ref().map_or(0, |delay| delay.number(binding));
                vec![(colour.value(binding), delay)]
            }
            Tokens::Sum(parts) => sum(parts, 0),
            Tokens::TimedSum(parts) => {
                let part = |(count, colour, delay): &(Term, Term, Term)| {
                    repeat(count, colour, delay.number(binding))
                };
                parts.iter().flat_map(part).collect()
            }
            Tokens::DelayedSum(parts, delay) => sum(parts, delay.number(binding)),
            Tokens::If(test, parts) => {
                if test.holds(binding) {
                    sum(parts, 0)
                } else {
                    Vec::new()
                }
            }
        }
    }

    pub(crate) fn variables(&self, found: &mut BTreeSet<Var>) {
        let mut sum = |parts: &[(Term, Term)]| {
            for (count, colour) in parts {
                count.variables(found);
                colour.variables(found);
            }
        };
        match self {
            Tokens::One(colour, delay) => {
                colour.variables(found);
                delay.iter().for_each(|delay| delay.variables(found));
            }
            Tokens::Sum(parts) => sum(parts),
            Tokens::TimedSum(parts) => {
                for (count, colour, delay) in parts {
                    [count, colour, delay].iter().for_each(|term| term.variables(found));
                }
            }
            Tokens::DelayedSum(parts, delay) => {
                sum(parts);
                delay.variables(found);
            }
            Tokens::If(test, parts) => {
                sum(parts);
                test.variables(found);
            }
        }
    }
}

fn write_sum(parts: &[(Term, Term)]) -> String {
    let parts: Vec<String> = parts.iter().map(|(n, c)| format!("{n}`{c}")).collect();
    parts.join(" ++ ")
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tokens::One(colour, None) => write!(f, "{colour}"),
            Tokens::One(colour, Some(delay)) => write!(f, "{colour}@+{delay}"),
            Tokens::Sum(parts) => write!(f, "{}", write_sum(parts)),
            Tokens::TimedSum(parts) => {
                let part = |(n, c, d): &(Term, Term, Term)| format!("{n}`{c}@+{d}");
                write!(f, "{}", parts.iter().map(part).collect::<Vec<_>>().join(" +++ "))
            }
            Tokens::DelayedSum(parts, delay) => write!(f, "({})@+{delay}", write_sum(parts)),
            Tokens::If(test, parts) => {
                write!(f, "if {test} then {} else empty", write_sum(parts))
            }
        }
    }
}
