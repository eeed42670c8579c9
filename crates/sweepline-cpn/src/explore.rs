//! Exploring coloured nets: binding search, occurrences, markings as bytes.
//!
//! A [`CpnModel`] is compiled once from a [`Net`](crate::Net): for every transition instance `plan` says in
//! which order its variables are bound and by what, `compile` makes code of it, `search` runs it on a
//! marking, `fire` computes what an occurrence takes and puts, and `marking` writes the result.

mod about;
mod compile;
mod dependence;
mod effect;
pub(crate) mod element;
mod features;
mod fire;
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
mod trouble;
mod trusted;
mod view;

pub use about::PlaceChange;
pub use compile::CompileError;
pub use dependence::NoDependence;
pub use marking::Marking;
pub use model::{CpnModel, Occurrence, Worker};
pub use relative::{NoTimeEquivalence, TimeClass};
