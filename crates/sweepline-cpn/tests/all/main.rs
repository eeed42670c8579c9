//! All integration tests of the crate in one program, so that shared code is compiled once.

mod corpus;
mod graphs;
mod hostile;
mod oracle;
mod random;
mod script;
mod symmetric;
