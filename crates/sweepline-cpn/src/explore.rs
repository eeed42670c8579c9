//! State space exploration of coloured nets: binding search, occurrences, markings as bytes.
//!
//! A [`CpnModel`] is compiled once from a [`Net`](crate::Net). For every transition instance, `plan`
//! determines in which order its variables are bound and by what, `compile` turns the plan into code, `search`
//! runs it on a marking, `fire` computes the tokens that an occurrence removes and adds, and `marking` encodes
//! the result.

mod bindings;
mod compile;
mod dependence;
mod describe;
mod effect;
pub(crate) mod element;
mod error;
mod features;
mod fire;
mod goal;
mod guards;
mod instance;
pub(crate) mod marking;
mod model;
pub(crate) mod place;
mod plan;
mod relative;
mod search;
mod start;
#[cfg(test)]
mod tests;
pub(crate) mod time;
mod transition;
mod trusted;
mod view;

pub use compile::CompileError;
pub use dependence::NoDependence;
pub use describe::PlaceChange;
pub use goal::Changing;
pub use marking::Marking;
pub use model::{CpnModel, Occurrence, Worker};
pub use relative::{NoTimeEquivalence, TimeClass};
