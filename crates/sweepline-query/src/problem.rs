//! Everything that can be wrong with an expression, reported with a caret under the position.

use sweepline_source::{Mistakes, problems};

problems! {
    /// What is wrong with an expression. Codes are stable: they are never reused.
    #[derive(Clone, PartialEq, Debug, thiserror::Error, miette::Diagnostic)]
    pub enum ExpressionProblem {
        {}
        /// The text is empty.
        Empty = "SWL-EXPR-0001" ("the expression is empty")
            help("write for example `tokens(p) <= 3 and not fireable(t)`");
        /// A character that begins no token.
        UnexpectedCharacter { found: char } = "SWL-EXPR-0002"
            ("unexpected character `{found}`")
            help("remove it, or put a name that contains it in double quotes: `tokens(\"my place\")`");
        /// A quoted name without an end.
        OpenQuote = "SWL-EXPR-0003" ("the quoted name is not closed")
            help("close it with a double quote: `tokens(\"my place\")`");
        /// A syntax error.
        Expected { expected: &'static str, found: String, #[help] help: Option<&'static str> } =
            "SWL-EXPR-0004" ("expected {expected}, found {found}");
        /// A name that nothing has.
        UnknownName { what: &'static str, name: String, #[help] help: Option<String> } =
            "SWL-EXPR-0005" ("there is no {what} `{name}`");
        /// A name that several things have.
        AmbiguousName { what: &'static str, name: String, ids: Vec<String> } = "SWL-EXPR-0006"
            ("several {what}s are called `{name}`")
            help("write the id instead: {}", ids.join(" or "));
        /// A number instead of a condition.
        NotACondition = "SWL-EXPR-0007" ("expected a condition, found a number")
            help("compare the number: `tokens(p) > 0`");
        /// A condition instead of a number.
        NotANumber = "SWL-EXPR-0008" ("expected a number, found a condition")
            help("a number is made of `tokens(place)`, constants, `+`, `-` and `*`");
        /// `a < b < c`.
        ChainedComparison = "SWL-EXPR-0009" ("comparisons cannot be chained")
            help("write `a <= b and b <= c`");
        /// A product of two token counts.
        NotLinear = "SWL-EXPR-0010" ("a product of two token counts is not linear")
            help("one of the two factors must be a constant: `2 * tokens(p)`");
        /// Numbers beyond what can be computed exactly.
        TooLarge = "SWL-EXPR-0011" ("the numbers are too large for exact arithmetic")
            help("constants have at most 100 bits, coefficients 62 bits in total");
        /// Nested too deeply.
        TooDeep { max_depth: usize } = "SWL-EXPR-0012"
            ("the expression is nested more than {max_depth} levels deep");
        /// Too much text.
        TooLong { bytes: usize, max_bytes: usize } = "SWL-EXPR-0013"
            ("the expression has {bytes} bytes, more than the limit of {max_bytes}");
    }
}

/// Why a text is not an expression: all its unknown names, or its first syntax error.
pub type ExpressionErrors = Mistakes<ExpressionProblem>;
