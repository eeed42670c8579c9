//! All integration tests of the crate in one program, so that shared code is compiled once.

mod agreement;
mod campaign;
mod corpus;
mod form;
mod philosophers;
mod random;
mod reduced;
mod reductions;
mod structure;
mod symmetric;
