//! Linear temporal logic (LTL): does every run of a model satisfy a formula?
//!
//! A [`Formula`] is about an infinite run. A letter of the run is a state and the action taken from it. A run that
//! ends in a dead state stays there for ever and takes no action, as in the Model Checking Contest.
//!
//! The runs that violate a formula are those of an automaton. Its [`Product`] with a model is itself a model, which is
//! searched for accepting cycles layer by layer while it is explored. Start at [`Check::ltl`](crate::Check::ltl).

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

pub use crate::formula::parse::{AtomKind, FormulaError, Written};
pub use atom::{Atom, Fairness, action, enabled, state};
pub use automaton::{Automaton, Edge, TooLarge};
pub use evaluate::Lasso;
pub use formula::{Formula, parse};
pub use product::{OfModel, Product, ProductAction, ProductState};
