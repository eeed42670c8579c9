//! Everything that can be wrong with an expression, shown with a caret under the spot.

use miette::Diagnostic;
use sweepline_source::Mistakes;
use thiserror::Error;

/// What is wrong with an expression. Codes are stable: they are never reused.
#[derive(Clone, PartialEq, Debug, Error, Diagnostic)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum ExpressionProblem {
    /// Nothing to parse.
    #[error("the expression is empty")]
    #[diagnostic(
        code("SWL-EXPR-0001"),
        help("write for example `tokens(p) <= 3 and not fireable(t)`")
    )]
    Empty,

    /// A character that begins nothing.
    #[error("the character `{found}` has no meaning here")]
    #[diagnostic(
        code("SWL-EXPR-0002"),
        help("put names with unusual characters in double quotes: `tokens(\"my place\")`")
    )]
    UnexpectedCharacter { found: char },

    /// A string without an end.
    #[error("the quoted name does not end")]
    #[diagnostic(code("SWL-EXPR-0003"), help("close it with a double quote"))]
    OpenQuote,

    /// Something else was due.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(code("SWL-EXPR-0004"))]
    Expected {
        expected: &'static str,
        found: String,
        #[help]
        help: Option<&'static str>,
    },

    /// A name that no node has.
    #[error("there is no {what} `{name}`")]
    #[diagnostic(code("SWL-EXPR-0005"))]
    UnknownName {
        what: &'static str,
        name: String,
        #[help]
        help: Option<String>,
    },

    /// A name that several nodes have.
    #[error("several {what}s are called `{name}`")]
    #[diagnostic(code("SWL-EXPR-0006"), help("write the id instead: {}", ids.join(" or ")))]
    AmbiguousName { what: &'static str, name: String, ids: Vec<String> },

    /// A number where a condition belongs.
    #[error("expected a condition, found a number")]
    #[diagnostic(code("SWL-EXPR-0007"), help("compare it: `... > 0`"))]
    NotACondition,

    /// A condition where a number belongs.
    #[error("expected a number, found a condition")]
    #[diagnostic(
        code("SWL-EXPR-0008"),
        help("numbers are made of `tokens(place)`, constants, `+`, `-` and `*`")
    )]
    NotANumber,

    /// `a < b < c`.
    #[error("comparisons cannot be chained")]
    #[diagnostic(code("SWL-EXPR-0009"), help("write `a <= b and b <= c`"))]
    ChainedComparison,

    /// A product of two token counts.
    #[error("a product of two token counts is not linear")]
    #[diagnostic(code("SWL-EXPR-0010"), help("one of the two factors must be a number"))]
    NotLinear,

    /// Numbers beyond what can be computed exactly.
    #[error("the numbers are too large to compute with exactly")]
    #[diagnostic(code("SWL-EXPR-0011"))]
    TooLarge,

    /// Nested too deeply.
    #[error("the expression is nested more than {max_depth} deep")]
    #[diagnostic(code("SWL-EXPR-0012"))]
    TooDeep { max_depth: usize },

    /// Too much text.
    #[error("the expression has {bytes} bytes, more than the limit of {max_bytes}")]
    #[diagnostic(code("SWL-EXPR-0013"))]
    TooLong { bytes: usize, max_bytes: usize },
}

/// Why a text is not an expression: every unknown name of it, or the spot where its syntax breaks.
pub type ExpressionErrors = Mistakes<ExpressionProblem>;
