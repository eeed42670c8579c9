//! Computation tree logic (CTL): do the initial states of a model satisfy a formula?
//!
//! A [`Formula`] quantifies over the maximal runs from a state: the infinite ones, and those that end in a dead state. In a
//! dead state `EX f` is false and `AX f` is true, and `EG f` is true if `f` is, as in the Model Checking Contest.
//!
//! The exploration keeps the edges of the model. Then the formulas are decided by fixpoints, from the last layer to
//! the first. Start at [`Check::ctl`](crate::Check::ctl).

mod file;
pub(crate) mod follow;
mod formula;
pub(crate) mod gather;
mod layer;
pub(crate) mod normal;
pub(crate) mod path;
mod solve;
mod until;

pub use crate::formula::{Along, Quantifier};
pub use formula::{Formula, parse};
pub use until::until;
