//! Expressions over markings, in the language of the model.
//!
//! A place is a multi-set: `Mark.Page'Place 1` in every instance of its page, `Page'Place` where the
//! page has one instance, `Place` where one place alone is called so. All declarations of the model can
//! be used, and `time ()`.

mod bounds;
mod expression;
mod names;
mod parts;
mod remembered;
mod stamps;

#[cfg(test)]
mod tests;

pub use bounds::{AllBounds, MultiSet, PlaceBound, PlaceBounds};
pub(crate) use expression::Evaluators;
pub use expression::{Expression, ExpressionError};
pub use names::Scope;
pub(crate) use names::{marking_type, members};
pub(crate) use parts::Parts;
