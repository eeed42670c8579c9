//! Everything that can be wrong with an expression, shown with a caret under the spot.

use sweepline_source::{Mistakes, problems};

problems! {
    /// What is wrong with an expression. Codes are stable: they are never reused.
    #[derive(Clone, PartialEq, Debug, thiserror::Error, miette::Diagnostic)]
    pub enum ExpressionProblem {
        {}
        /// Nothing to parse.
        Empty = "SWL-EXPR-0001" ("the expression is empty")
            help("write for example `tokens(p) <= 3 and not fireable(t)`");
        /// A character that begins nothing.
        UnexpectedCharacter { found: char } = "SWL-EXPR-0002"
            ("the character `{found}` has no meaning here")
            help("put names with unusual characters in double quotes: `tokens(\"my place\")`");
        /// A string without an end.
        OpenQuote = "SWL-EXPR-0003" ("the quoted name does not end")
            help("close it with a double quote");
        /// Something else was due.
        Expected { expected: &'static str, found: String, #[help] help: Option<&'static str> } =
            "SWL-EXPR-0004" ("expected {expected}, found {found}");
        /// A name that no node has.
        UnknownName { what: &'static str, name: String, #[help] help: Option<String> } =
            "SWL-EXPR-0005" ("there is no {what} `{name}`");
        /// A name that several nodes have.
        AmbiguousName { what: &'static str, name: String, ids: Vec<String> } = "SWL-EXPR-0006"
            ("several {what}s are called `{name}`")
            help("write the id instead: {}", ids.join(" or "));
        /// A number where a condition belongs.
        NotACondition = "SWL-EXPR-0007" ("expected a condition, found a number")
            help("compare it: `... > 0`");
        /// A condition where a number belongs.
        NotANumber = "SWL-EXPR-0008" ("expected a number, found a condition")
            help("numbers are made of `tokens(place)`, constants, `+`, `-` and `*`");
        /// `a < b < c`.
        ChainedComparison = "SWL-EXPR-0009" ("comparisons cannot be chained")
            help("write `a <= b and b <= c`");
        /// A product of two token counts.
        NotLinear = "SWL-EXPR-0010" ("a product of two token counts is not linear")
            help("one of the two factors must be a number");
        /// Numbers beyond what can be computed exactly.
        TooLarge = "SWL-EXPR-0011" ("the numbers are too large to compute with exactly");
        /// Nested too deeply.
        TooDeep { max_depth: usize } = "SWL-EXPR-0012"
            ("the expression is nested more than {max_depth} deep");
        /// Too much text.
        TooLong { bytes: usize, max_bytes: usize } = "SWL-EXPR-0013"
            ("the expression has {bytes} bytes, more than the limit of {max_bytes}");
    }
}

/// Why a text is not an expression: every unknown name of it, or the spot where its syntax breaks.
pub type ExpressionErrors = Mistakes<ExpressionProblem>;
