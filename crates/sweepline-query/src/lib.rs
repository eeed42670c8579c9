//! Expressions over states, for every kind of model: integer expressions, conditions, and the properties and
//! measures that a model declares by name.
//!
//! The model defines the names: it implements [`Named`]. A net has places and transitions; a composition of
//! processes has numbers, which are used like places, and events, which are used like transitions.

#![forbid(unsafe_code)]

mod declared;
mod display;
mod expr;
mod formula;
mod lex;
mod names;
mod parse;
mod parser;
mod predicate;
mod problem;
pub mod scan;

pub use declared::{Measure, Operand, Property, PropertyKind};
pub use expr::{Expr, Linear, MarkingView, ProductError, TooLarge};
pub use formula::{Assumed, Stated};
pub use names::{NameError, Named, PlaceId, TransitionId, Vocabulary, Words};
pub use parse::{parse_expr, parse_predicate};
pub use predicate::{Comparison, Node, Predicate};
pub use problem::{ExpressionErrors, ExpressionProblem};
