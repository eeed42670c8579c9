//! Linear temporal logic: formulas about runs, and whether all runs of a model satisfy them.
//!
//! A [`Formula`] speaks of an infinite run: a letter is a state and the action taken from it. A run that
//! ends in a dead state is taken to stay there for ever, taking no action; that is how the Model Checking
//! Contest reads formulas.

//! What violates a formula is an automaton; its [`Product`] with a model is a model whose cycles are
//! sought layer by layer as it is explored. The door is [`Check::ltl`](crate::Check::ltl).

mod atom;
mod automaton;
pub(crate) mod cut;
pub(crate) mod cycle;
mod evaluate;
mod formula;
pub(crate) mod lasso;
mod normal;
pub(crate) mod product;
pub(crate) mod search;
pub(crate) mod segment;
mod simplify;
pub(crate) mod summary;
mod tableau;

pub use crate::formula::parse::{FormulaError, Written};
pub use atom::{Atom, Fairness, action, state};
pub use automaton::{Automaton, Edge, TooLarge};
pub use evaluate::Lasso;
pub use formula::{Formula, parse};
pub use product::{OfModel, Product, ProductAction, ProductState};
