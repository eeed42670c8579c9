//! Strongly connected components: what the states of a layer can do to come back to themselves.

mod graph;
#[cfg(test)]
mod graph_tests;

pub use graph::{Components, Graph, strong_components, strong_components_where};
