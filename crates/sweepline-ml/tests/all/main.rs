//! All tests of the crate from outside, in one program: what they share is compiled once.

mod corpus;
mod evaluation;
mod front;
