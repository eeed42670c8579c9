//! What sweepline is tested against: a reference explorer that is obviously right, and random
//! models for it to explore. A development dependency only.
#![forbid(unsafe_code)]

mod graph;
mod reference;

pub use graph::{Graph, measured_graph};
pub use reference::{Reference, assert_follows};
