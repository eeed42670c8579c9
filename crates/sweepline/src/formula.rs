//! Formulas of temporal logic: the syntax that [LTL](crate::ltl) and [CTL](crate::ctl) share.

pub(crate) mod parse;
mod words;

use std::fmt;

/// A formula of temporal logic over atoms `A`; `Q` tells [which runs](Which) its temporal operators are about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula<A, Q> {
    /// Always holds.
    True,
    /// Never holds.
    False,
    /// Holds where the atom does.
    Atom(A),
    /// `! f`
    Not(Box<Formula<A, Q>>),
    /// `f && g`
    And(Box<Formula<A, Q>>, Box<Formula<A, Q>>),
    /// `f || g`
    Or(Box<Formula<A, Q>>, Box<Formula<A, Q>>),
    /// `f -> g`
    Implies(Box<Formula<A, Q>>, Box<Formula<A, Q>>),
    /// `f <-> g`
    Iff(Box<Formula<A, Q>>, Box<Formula<A, Q>>),
    /// A temporal operator, and the runs that it is about.
    Runs(Q, Box<Along<Formula<A, Q>>>),
}

/// A temporal operator with its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Along<F> {
    /// `X f`: the second state satisfies `f`. On a run of one state, `EX f` is false and `AX f` is true.
    Next(F),
    /// `F f`: some state does.
    Finally(F),
    /// `G f`: every state does.
    Globally(F),
    /// `f U g`: some state satisfies `g`, and all before it `f`.
    Until(F, F),
    /// `f R g`: `g` up to and including the first state that satisfies `f`, or all along.
    Release(F, F),
    /// `f W g`: `f U g`, or `f` all along.
    WeakUntil(F, F),
    /// `f M g`: `f R g`, and some state satisfies `f`.
    StrongRelease(F, F),
}

/// Which runs a temporal operator is about: in CTL those of a [`Quantifier`], in LTL `()`, the run of the whole
/// formula.
pub trait Which: Copy {
    /// The meaning of an operator without a quantifier; `None` if it needs one.
    const UNWRITTEN: Option<Self>;

    /// The meaning of a quantifier.
    fn written(quantifier: Quantifier) -> Self;

    /// As it is written.
    fn letter(self) -> &'static str;
}

/// A quantifier over the maximal runs from a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// `A`
    All,
    /// `E`
    Exists,
}

impl Which for () {
    const UNWRITTEN: Option<()> = Some(());

    fn written(_: Quantifier) {}

    fn letter(self) -> &'static str {
        ""
    }
}

impl Which for Quantifier {
    const UNWRITTEN: Option<Quantifier> = None;

    fn written(quantifier: Quantifier) -> Quantifier {
        quantifier
    }

    fn letter(self) -> &'static str {
        match self {
            Quantifier::All => "A",
            Quantifier::Exists => "E",
        }
    }
}

use Formula::{And, Atom, False, Iff, Implies, Not, Or, Runs, True};

impl<A, Q: Copy> Formula<A, Q> {
    /// An atom as a formula.
    pub fn atom(atom: A) -> Self {
        Atom(atom)
    }

    /// `! f`
    #[must_use]
    #[allow(
        clippy::should_implement_trait,
        reason = "one of many connectives, all of them methods"
    )]
    pub fn not(self) -> Self {
        Not(Box::new(self))
    }

    /// `f && g`
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        And(Box::new(self), Box::new(other))
    }

    /// `f || g`
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Or(Box::new(self), Box::new(other))
    }

    /// `f -> g`
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        Implies(Box::new(self), Box::new(other))
    }

    /// `f <-> g`
    #[must_use]
    pub fn iff(self, other: Self) -> Self {
        Iff(Box::new(self), Box::new(other))
    }

    /// A temporal operator about the runs that `which` names.
    #[must_use]
    pub fn runs(which: Q, along: Along<Self>) -> Self {
        Runs(which, Box::new(along))
    }

    /// The formulas right below this one.
    pub fn parts(&self) -> [Option<&Self>; 2] {
        match self {
            True | False | Atom(_) => [None, None],
            Not(f) => [Some(f), None],
            And(f, g) | Or(f, g) | Implies(f, g) | Iff(f, g) => [Some(f), Some(g)],
            Runs(_, along) => along.parts(),
        }
    }

    /// It has no temporal operator.
    pub fn is_plain(&self) -> bool {
        !matches!(self, Runs(..)) && self.parts().into_iter().flatten().all(Formula::is_plain)
    }

    /// The value of a [plain](Formula::is_plain) formula, by the values that `holds` gives its atoms. A temporal operator
    /// counts as false.
    ///
    /// # Errors
    ///
    /// The first error of `holds`.
    pub fn plain_value<E>(&self, holds: &mut impl FnMut(&A) -> Result<bool, E>) -> Result<bool, E> {
        Ok(match self {
            True => true,
            False => false,
            Atom(atom) => holds(atom)?,
            Not(f) => !f.plain_value(holds)?,
            And(f, g) => f.plain_value(holds)? && g.plain_value(holds)?,
            Or(f, g) => f.plain_value(holds)? || g.plain_value(holds)?,
            Implies(f, g) => !f.plain_value(holds)? || g.plain_value(holds)?,
            Iff(f, g) => f.plain_value(holds)? == g.plain_value(holds)?,
            Runs(..) => false,
        })
    }

    /// Calls `show` with every atom, from left to right.
    pub fn each_atom<'f>(&'f self, show: &mut impl FnMut(&'f A)) {
        if let Atom(atom) = self {
            show(atom);
        }
        self.parts().into_iter().flatten().for_each(|part| part.each_atom(show));
    }

    /// The same formula over other atoms.
    ///
    /// # Errors
    ///
    /// The first error of `other`.
    pub fn try_map<B, E>(
        self,
        other: &mut impl FnMut(A) -> Result<B, E>,
    ) -> Result<Formula<B, Q>, E> {
        let mut map = |f: Box<Self>| f.try_map(other).map(Box::new);
        Ok(match self {
            True => True,
            False => False,
            Not(f) => Not(map(f)?),
            And(f, g) => And(map(f)?, map(g)?),
            Or(f, g) => Or(map(f)?, map(g)?),
            Implies(f, g) => Implies(map(f)?, map(g)?),
            Iff(f, g) => Iff(map(f)?, map(g)?),
            Atom(atom) => Atom(other(atom)?),
            Runs(which, along) => Formula::runs(which, along.try_map(&mut |f| f.try_map(other))?),
        })
    }

    /// The same formula over other atoms.
    pub fn map<B>(self, mut other: impl FnMut(A) -> B) -> Formula<B, Q> {
        let mapped = self.try_map(&mut |atom| Ok::<B, std::convert::Infallible>(other(atom)));
        match mapped {
            Ok(formula) => formula,
            Err(never) => match never {},
        }
    }
}

impl<F> Along<F> {
    /// The formulas right below this one.
    pub fn parts(&self) -> [Option<&F>; 2] {
        match self {
            Along::Next(f) | Along::Finally(f) | Along::Globally(f) => [Some(f), None],
            Along::Until(f, g)
            | Along::Release(f, g)
            | Along::WeakUntil(f, g)
            | Along::StrongRelease(f, g) => [Some(f), Some(g)],
        }
    }

    /// The same operator with other operands.
    ///
    /// # Errors
    ///
    /// The first error of `other`.
    pub fn try_map<G, E>(self, other: &mut impl FnMut(F) -> Result<G, E>) -> Result<Along<G>, E> {
        Ok(match self {
            Along::Next(f) => Along::Next(other(f)?),
            Along::Finally(f) => Along::Finally(other(f)?),
            Along::Globally(f) => Along::Globally(other(f)?),
            Along::Until(f, g) => Along::Until(other(f)?, other(g)?),
            Along::Release(f, g) => Along::Release(other(f)?, other(g)?),
            Along::WeakUntil(f, g) => Along::WeakUntil(other(f)?, other(g)?),
            Along::StrongRelease(f, g) => Along::StrongRelease(other(f)?, other(g)?),
        })
    }
}

/// In a form that can be parsed, with parentheses around every binary operand.
impl<A: fmt::Display, Q: Which> fmt::Display for Formula<A, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unary = |f: &mut fmt::Formatter<'_>, word: &str, part: &Self| match part {
            And(..) | Or(..) | Implies(..) | Iff(..) => write!(f, "{word}({part})"),
            Runs(which, along) if which.letter().is_empty() && along.parts()[1].is_some() => {
                write!(f, "{word}({part})")
            }
            _ => write!(f, "{word}{part}"),
        };
        let binary = |f: &mut fmt::Formatter<'_>, a: &Self, word: &str, b: &Self| {
            unary(f, "", a)?;
            unary(f, word, b)
        };
        let (which, along) = match self {
            True => return f.write_str("true"),
            False => return f.write_str("false"),
            Atom(atom) => return atom.fmt(f),
            Not(a) => return unary(f, "! ", a),
            And(a, b) => return binary(f, a, " && ", b),
            Or(a, b) => return binary(f, a, " || ", b),
            Implies(a, b) => return binary(f, a, " -> ", b),
            Iff(a, b) => return binary(f, a, " <-> ", b),
            Runs(which, along) => (which.letter(), &**along),
        };
        f.write_str(which)?;
        let (a, word, b) = match along {
            Along::Next(a) => return unary(f, "X ", a),
            Along::Finally(a) => return unary(f, "F ", a),
            Along::Globally(a) => return unary(f, "G ", a),
            Along::Until(a, b) => (a, " U ", b),
            Along::Release(a, b) => (a, " R ", b),
            Along::WeakUntil(a, b) => (a, " W ", b),
            Along::StrongRelease(a, b) => (a, " M ", b),
        };
        if which.is_empty() {
            return binary(f, a, word, b);
        }
        f.write_str("[")?;
        binary(f, a, word, b)?;
        f.write_str("]")
    }
}
