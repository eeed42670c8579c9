//! All integration tests of the crate in one program, so that shared code is compiled once.

mod agreement;
mod campaign;
mod corpus;
mod philosophers;
mod random;
mod reductions;
mod symmetric;
