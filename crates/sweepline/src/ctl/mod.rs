//! Computation tree logic: formulas about states and the runs that begin there, and whether the initial
//! states of a model satisfy them.
//!
//! A [`Formula`] quantifies over the maximal runs from a state: those that never end, and those that end
//! in a dead state. There `EX f` fails and `AX f` holds, and `EG f` holds where `f` does; that is how the
//! Model Checking Contest reads formulas.
//!
//! The edges of the model are kept while it is explored, and the formulas are decided by fixpoints, from the
//! last layer back to the first. The door is [`Check::ctl`](crate::Check::ctl).

mod file;
mod formula;
pub(crate) mod gather;
mod layer;
pub(crate) mod normal;
mod solve;
mod until;

pub use crate::formula::{Along, Quantifier};
pub use formula::{Formula, parse};
pub use until::until;
