//! Reference implementations for tests: a simple explorer, and random models for it to explore. A development
//! dependency only.
#![forbid(unsafe_code)]

mod corpora;
mod formula;
mod graph;
mod labelled;
mod machine;
mod reference;

pub use corpora::corpus;
pub use formula::{Fair, formulas, is_violated, letter};
pub use graph::{Graph, measured_graph};
pub use labelled::{Labelled, labelled};
pub use machine::{Machine, Rule, machine};
pub use reference::{Reference, assert_follows};
