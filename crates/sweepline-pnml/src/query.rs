//! Questions about markings: integer expressions, conditions, and the contest's formula files.

mod contest;
mod display;
mod expr;
mod formula;
mod lex;
mod parse;
mod parser;
mod predicate;
mod problem;
mod property;
mod property_reader;

#[cfg(test)]
mod contest_tests;
#[cfg(test)]
mod tests;

pub use contest::{
    read_properties, read_properties_str, read_supported_properties, read_supported_properties_str,
};
pub use expr::{Expr, Linear, MarkingView, ProductError, TooLarge};
pub use parse::{parse_expr, parse_predicate};
pub use predicate::{Comparison, Node, Predicate};
pub use problem::{ExpressionErrors, ExpressionProblem};
pub use property::{Combination, Property, Question};
