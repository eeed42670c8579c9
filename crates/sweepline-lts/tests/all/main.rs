//! All tests of the crate from outside, in one program: what they share is compiled once.

mod aut;
mod compiled;
mod composition;
mod csp;
mod divergence;
mod laws;
mod measures;
mod reductions;
