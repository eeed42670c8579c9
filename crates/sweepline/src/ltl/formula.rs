//! Formulas of linear temporal logic, as they are written.

use std::fmt;

/// A formula of linear temporal logic over atoms `A`.
///
/// It says something about an infinite run. Each letter of the run is a state together with the
/// action taken from it; an atom is a condition on a letter. A run that ends in a dead state stays
/// there for ever and takes no action.
///
/// ```
/// use sweepline::ltl::Formula;
/// let answered = Formula::atom("asked").implies(Formula::atom("answered").eventually()).always();
/// assert_eq!(answered.to_string(), "G (asked -> F answered)");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula<A> {
    /// Holds of every run.
    True,
    /// Holds of none.
    False,
    /// Holds when the first letter satisfies the atom.
    Atom(A),
    /// `! f`
    Not(Box<Formula<A>>),
    /// `f && g`
    And(Box<Formula<A>>, Box<Formula<A>>),
    /// `f || g`
    Or(Box<Formula<A>>, Box<Formula<A>>),
    /// `f -> g`
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// `f <-> g`
    Iff(Box<Formula<A>>, Box<Formula<A>>),
    /// `X f`: from the second letter on.
    Next(Box<Formula<A>>),
    /// `F f`: from some letter on.
    Finally(Box<Formula<A>>),
    /// `G f`: from every letter on.
    Globally(Box<Formula<A>>),
    /// `f U g`: `g` at some time, and `f` until then.
    Until(Box<Formula<A>>, Box<Formula<A>>),
    /// `f R g`: `g` up to and including the time of `f`, or for ever.
    Release(Box<Formula<A>>, Box<Formula<A>>),
    /// `f W g`: `f U g`, or `f` for ever.
    WeakUntil(Box<Formula<A>>, Box<Formula<A>>),
    /// `f M g`: `f R g`, and `f` at some time.
    StrongRelease(Box<Formula<A>>, Box<Formula<A>>),
}

use Formula::{
    And, Atom, False, Finally, Globally, Iff, Implies, Next, Not, Or, Release, StrongRelease, True,
    Until, WeakUntil,
};

impl<A> Formula<A> {
    /// An atom as a formula.
    pub fn atom(atom: impl Into<A>) -> Self {
        Atom(atom.into())
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

    /// `X f`
    #[must_use]
    pub fn next(self) -> Self {
        Next(Box::new(self))
    }

    /// `F f`
    #[must_use]
    pub fn eventually(self) -> Self {
        Finally(Box::new(self))
    }

    /// `G f`
    #[must_use]
    pub fn always(self) -> Self {
        Globally(Box::new(self))
    }

    /// `f U g`
    #[must_use]
    pub fn until(self, other: Self) -> Self {
        Until(Box::new(self), Box::new(other))
    }

    /// `f R g`
    #[must_use]
    pub fn releases(self, other: Self) -> Self {
        Release(Box::new(self), Box::new(other))
    }

    /// `f W g`
    #[must_use]
    pub fn weakly_until(self, other: Self) -> Self {
        WeakUntil(Box::new(self), Box::new(other))
    }

    /// `f M g`
    #[must_use]
    pub fn strongly_releases(self, other: Self) -> Self {
        StrongRelease(Box::new(self), Box::new(other))
    }

    /// The formulas right below this one.
    pub(super) fn parts(&self) -> [Option<&Formula<A>>; 2] {
        match self {
            True | False | Atom(_) => [None, None],
            Not(f) | Next(f) | Finally(f) | Globally(f) => [Some(f), None],
            And(f, g)
            | Or(f, g)
            | Implies(f, g)
            | Iff(f, g)
            | Until(f, g)
            | Release(f, g)
            | WeakUntil(f, g)
            | StrongRelease(f, g) => [Some(f), Some(g)],
        }
    }

    /// Repeating a letter of a run never changes whether this holds, as far as its form tells: it has
    /// no `X`. What a reduction leaves out of a run must be invisible to the atoms, too.
    ///
    /// ```
    /// use sweepline::ltl::Formula;
    /// let p: Formula<&str> = Formula::atom("p");
    /// assert!(p.clone().always().is_stutter_invariant());
    /// assert!(!p.next().always().is_stutter_invariant());
    /// ```
    pub fn is_stutter_invariant(&self) -> bool {
        !matches!(self, Next(_))
            && self.parts().into_iter().flatten().all(Formula::is_stutter_invariant)
    }

    /// Shows every atom, from left to right.
    pub fn each_atom<'f>(&'f self, show: &mut impl FnMut(&'f A)) {
        if let Atom(atom) = self {
            show(atom);
        }
        self.parts().into_iter().flatten().for_each(|part| part.each_atom(show));
    }

    /// The same formula over other atoms, or the first atom's error.
    ///
    /// # Errors
    ///
    /// The first that `other` gives.
    pub fn try_map<B, E>(self, other: &mut impl FnMut(A) -> Result<B, E>) -> Result<Formula<B>, E> {
        let mut map = |f: Box<Formula<A>>| f.try_map(other).map(Box::new);
        Ok(match self {
            True => True,
            False => False,
            Not(f) => Not(map(f)?),
            And(f, g) => And(map(f)?, map(g)?),
            Or(f, g) => Or(map(f)?, map(g)?),
            Implies(f, g) => Implies(map(f)?, map(g)?),
            Iff(f, g) => Iff(map(f)?, map(g)?),
            Next(f) => Next(map(f)?),
            Finally(f) => Finally(map(f)?),
            Globally(f) => Globally(map(f)?),
            Until(f, g) => Until(map(f)?, map(g)?),
            Release(f, g) => Release(map(f)?, map(g)?),
            WeakUntil(f, g) => WeakUntil(map(f)?, map(g)?),
            StrongRelease(f, g) => StrongRelease(map(f)?, map(g)?),
            Atom(atom) => Atom(other(atom)?),
        })
    }

    /// The same formula over other atoms.
    pub fn map<B>(self, mut other: impl FnMut(A) -> B) -> Formula<B> {
        let mapped = self.try_map(&mut |atom| Ok::<B, std::convert::Infallible>(other(atom)));
        match mapped {
            Ok(formula) => formula,
            Err(never) => match never {},
        }
    }
}

/// As it can be written; parentheses around everything that is not a single word.
impl<A: fmt::Display> fmt::Display for Formula<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unary = |f: &mut fmt::Formatter<'_>, word: &str, part: &Formula<A>| match part {
            And(..) | Or(..) | Implies(..) | Iff(..) | Until(..) | Release(..) | WeakUntil(..)
            | StrongRelease(..) => write!(f, "{word}({part})"),
            _ => write!(f, "{word}{part}"),
        };
        let binary = |f: &mut fmt::Formatter<'_>, a: &Formula<A>, word: &str, b: &Formula<A>| {
            unary(f, "", a)?;
            unary(f, word, b)
        };
        match self {
            True => f.write_str("true"),
            False => f.write_str("false"),
            Atom(atom) => atom.fmt(f),
            Not(a) => unary(f, "! ", a),
            Next(a) => unary(f, "X ", a),
            Finally(a) => unary(f, "F ", a),
            Globally(a) => unary(f, "G ", a),
            And(a, b) => binary(f, a, " && ", b),
            Or(a, b) => binary(f, a, " || ", b),
            Implies(a, b) => binary(f, a, " -> ", b),
            Iff(a, b) => binary(f, a, " <-> ", b),
            Until(a, b) => binary(f, a, " U ", b),
            Release(a, b) => binary(f, a, " R ", b),
            WeakUntil(a, b) => binary(f, a, " W ", b),
            StrongRelease(a, b) => binary(f, a, " M ", b),
        }
    }
}
