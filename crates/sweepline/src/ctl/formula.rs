//! Formulas of computation tree logic.

use crate::formula::parse::{self, FormulaError, Written};
use crate::formula::{self, Along, Quantifier};

/// A formula of computation tree logic over atoms `A`. It is true or false in a state: temporal operators are about all
/// maximal runs from the state, or about some.
///
/// ```
/// use sweepline::ctl::Formula;
/// let back: Formula<&str> = Formula::atom("idle").possible().everywhere();
/// assert_eq!(back.to_string(), "AG EF idle");
/// ```
pub type Formula<A> = formula::Formula<A, Quantifier>;

impl<A> formula::Formula<A, Quantifier> {
    /// `E` and a temporal operator: some run satisfies it.
    #[must_use]
    pub fn some(along: Along<Self>) -> Self {
        Formula::runs(Quantifier::Exists, along)
    }

    /// `A` and a temporal operator: every run satisfies it.
    #[must_use]
    pub fn every(along: Along<Self>) -> Self {
        Formula::runs(Quantifier::All, along)
    }

    /// `EF f`: a state that satisfies it can be reached.
    #[must_use]
    pub fn possible(self) -> Self {
        Formula::some(Along::Finally(self))
    }

    /// `AG f`: every state that can be reached satisfies it.
    #[must_use]
    pub fn everywhere(self) -> Self {
        Formula::every(Along::Globally(self))
    }

    /// `AF f`: every run reaches a state that satisfies it.
    #[must_use]
    pub fn inevitable(self) -> Self {
        Formula::every(Along::Finally(self))
    }
}

/// Parses a formula of computation tree logic.
///
/// From the loosest to the tightest: `<->`, `->`, `||`, `&&`, then `!`, `EX`, `EF`, `EG`, `AX`, `AF` and `AG`.
/// `U`, `R`, `W` and `M` are written in `E[ ]` or `A[ ]`. The words `implies`, `or`, `and` and `not` are operators, too. An
/// atom is a condition in braces, `enabled(name)`, `taken(name)` or a bare name. Put a name in double quotes if it has
/// unusual characters or is one of these words.
///
/// ```
/// use sweepline::ctl;
/// let formula = ctl::parse("AG (sent -> E[!lost U {received > 0}])").unwrap();
/// assert_eq!(formula.map(|atom| atom.text).to_string(), "AG (sent -> E[! lost U received > 0])");
/// assert_eq!(ctl::parse("G sent").unwrap_err().at, 0..1);
/// ```
///
/// # Errors
///
/// The first error in the text.
pub fn parse(text: &str) -> Result<Formula<Written>, FormulaError> {
    parse::parse(text)
}
