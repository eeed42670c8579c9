//! All integration tests of the crate in one program, so that shared code is compiled once.

mod corpus;
mod evaluation;
mod front;
