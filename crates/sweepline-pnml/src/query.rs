//! Properties of markings: integer expressions, conditions, and the contest's formula files.

mod contest;
mod formula;
mod property;
mod property_reader;

#[cfg(test)]
mod contest_tests;
#[cfg(test)]
mod tests;

pub use contest::{
    read_properties, read_properties_str, read_supported_properties, read_supported_properties_str,
};
pub use property::{Combination, Property, Question};
pub use sweepline_query::{
    Comparison, Expr, ExpressionErrors, ExpressionProblem, Linear, MarkingView, Node, Predicate,
    ProductError, TooLarge, parse_expr, parse_predicate,
};
