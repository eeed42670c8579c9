//! Formulas of linear temporal logic.

use crate::formula::parse::{self, FormulaError, Written};
use crate::formula::{self, Along};

/// A formula of linear temporal logic over atoms `A`.
///
/// It is true or false of an infinite run. Each letter of the run is a state and the action taken from it. An atom is a
/// condition on a letter. A run that ends in a dead state stays there for ever and takes no action.
///
/// ```
/// use sweepline::ltl::Formula;
/// let answered = Formula::atom("asked").implies(Formula::atom("answered").eventually()).always();
/// assert_eq!(answered.to_string(), "G (asked -> F answered)");
/// ```
pub type Formula<A> = formula::Formula<A, ()>;

impl<A> formula::Formula<A, ()> {
    /// `X f`
    #[must_use]
    pub fn next(self) -> Self {
        Formula::runs((), Along::Next(self))
    }

    /// `F f`
    #[must_use]
    pub fn eventually(self) -> Self {
        Formula::runs((), Along::Finally(self))
    }

    /// `G f`
    #[must_use]
    pub fn always(self) -> Self {
        Formula::runs((), Along::Globally(self))
    }

    /// `f U g`
    #[must_use]
    pub fn until(self, other: Self) -> Self {
        Formula::runs((), Along::Until(self, other))
    }

    /// `f R g`
    #[must_use]
    pub fn releases(self, other: Self) -> Self {
        Formula::runs((), Along::Release(self, other))
    }

    /// `f W g`
    #[must_use]
    pub fn weakly_until(self, other: Self) -> Self {
        Formula::runs((), Along::WeakUntil(self, other))
    }

    /// `f M g`
    #[must_use]
    pub fn strongly_releases(self, other: Self) -> Self {
        Formula::runs((), Along::StrongRelease(self, other))
    }

    /// It has no `X`, so repeating a letter of a run never changes its value. A reduction for such a formula must also
    /// keep every step that changes an atom.
    ///
    /// ```
    /// use sweepline::ltl::Formula;
    /// let p: Formula<&str> = Formula::atom("p");
    /// assert!(p.clone().always().is_stutter_invariant());
    /// assert!(!p.next().always().is_stutter_invariant());
    /// ```
    pub fn is_stutter_invariant(&self) -> bool {
        let is_next = matches!(self, Formula::Runs((), along) if matches!(**along, Along::Next(_)));
        !is_next && self.parts().into_iter().flatten().all(Formula::is_stutter_invariant)
    }
}

/// Parses a formula of linear temporal logic.
///
/// From the loosest to the tightest: `<->`, `->`, `||`, `&&`, then `U`, `R`, `W` and `M`, then `!`, `X`, `F`
/// and `G`. The words `implies`, `or`, `and` and `not` are operators, too, and `[]` and `<>` mean `G` and `F`.
/// `->`, `U`, `R`, `W` and `M` group to the right. An atom is a condition in braces, `enabled(name)`, `taken(name)` or a
/// bare name. Put a name in double quotes if it has unusual characters or is one of these words.
///
/// ```
/// use sweepline::ltl;
/// let formula = ltl::parse("G (sent -> F {received > 0})").unwrap();
/// assert_eq!(formula.map(|atom| atom.text).to_string(), "G (sent -> F received > 0)");
/// assert_eq!(ltl::parse("G (sent -> ").unwrap_err().at, 11..11);
/// ```
///
/// # Errors
///
/// The first error in the text.
pub fn parse(text: &str) -> Result<Formula<Written>, FormulaError> {
    parse::parse(text)
}
