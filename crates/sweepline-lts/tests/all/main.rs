//! All integration tests of the crate in one program, so that shared code is compiled once.

mod aut;
mod compiled;
mod composition;
mod csp;
mod divergence;
mod failures;
mod laws;
mod measures;
mod reductions;
