//! Expressions over markings, in CPN ML.
//!
//! A place is a multi-set. It is written `Mark.Page'Place 1` for an instance of its page, `Page'Place` if the
//! page has one instance, or `Place` if only one place has that name. All declarations of the model can be
//! used, and `time ()`.

mod bounds;
mod cache;
mod expression;
mod names;
mod parts;
mod stamps;

#[cfg(test)]
mod tests;

pub use bounds::{AllBounds, MultiSet, PlaceBound, PlaceBounds};
pub(crate) use expression::Evaluators;
pub use expression::{Expression, ExpressionError};
pub use names::Scope;
pub(crate) use names::{marking_type, members};
pub(crate) use parts::Parts;
