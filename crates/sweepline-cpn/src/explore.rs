//! Exploring coloured nets: binding search, occurrences, markings as bytes.
//!
//! A [`CpnModel`] is compiled once from a [`Net`](crate::Net): for every transition instance `plan` says in
//! which order its variables are bound and by what, `compile` makes code of it, `search` runs it on a
//! marking, `fire` computes what an occurrence takes and puts, and `marking` writes the result.

mod compile;
mod effect;
mod fire;
mod marking;
mod model;
mod place;
mod plan;
mod search;
mod sheet;
mod start;
#[cfg(test)]
mod tests;
mod time;
mod transition;
mod trouble;
mod trusted;
mod view;

pub use compile::CompileError;
pub use marking::Marking;
pub use model::{CpnModel, Occurrence};
