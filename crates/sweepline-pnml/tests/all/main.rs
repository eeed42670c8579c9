//! All tests of the crate from outside, in one program: what they share is compiled once.

mod agreement;
mod campaign;
mod corpus;
mod philosophers;
mod random;
mod reductions;
mod symmetric;
