//! Linear temporal logic: formulas about runs, and whether all runs of a model satisfy them.
//!
//! A [`Formula`] speaks of an infinite run: a letter is a state and the action taken from it. A run that
//! ends in a dead state is taken to stay there for ever, taking no action; that is how the Model Checking
//! Contest reads formulas.

mod automaton;
mod evaluate;
mod formula;
mod normal;
mod simplify;
mod tableau;
#[cfg(test)]
mod tests;

pub use automaton::{Automaton, Edge, TooLarge};
pub use evaluate::Lasso;
pub use formula::Formula;
