//! What is kept of a layer to decide formulas: its edges, and the states that satisfy each atom.

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use crate::lists::Lists;
use crate::observe::Graph;

/// The edges of a layer, and the atoms that its states satisfy.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Layer {
    pub(super) serial: u64,
    /// The first layer with an edge into this one; zero if there is none.
    pub(super) first: u64,
    /// The number of states, including those that are not expanded yet.
    pub(super) states: usize,
    /// The edges inside.
    pub(super) graph: Graph<()>,
    /// The edges into other layers, in the order of their sources.
    pub(super) outside: Vec<Outside>,
    /// For each atom the states that satisfy it.
    pub(super) atoms: Vec<FixedBitSet>,
}

/// An edge into another layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Outside {
    pub(super) source: u32,
    /// The number of the target in its layer.
    pub(super) number: u32,
    pub(super) layer: u64,
}

impl Layer {
    pub(super) fn new(serial: u64, atoms: usize) -> Self {
        Layer { serial, atoms: vec![FixedBitSet::new(); atoms], ..Layer::default() }
    }

    /// Memory taken.
    pub(super) fn bytes(&self) -> usize {
        let atoms: usize = self.atoms.iter().map(set_bytes).sum();
        self.graph.bytes() + self.outside.capacity() * size_of::<Outside>() + atoms
    }

    /// The additional memory to solve the layer: `sets` of states, the edges backwards, and counts.
    pub(super) fn bytes_to_solve(&self, sets: usize) -> usize {
        4 * self.graph.edge_count() + (8 + 4 + 4 + 4) * self.states + sets * self.states.div_ceil(8)
    }

    /// For each state the sources of its edges inside the layer, among the first `expanded` states.
    pub(super) fn backward(&self, expanded: usize) -> Lists<u32> {
        let nodes = self.graph.nodes().take(expanded);
        let edges = nodes.flat_map(|node| {
            self.graph.targets(node).iter().map(move |&target| (target as usize, node))
        });
        Lists::grouped(self.states, edges)
    }

    /// For each of the first `expanded` states the number of its edges inside the layer; zero for the others.
    pub(super) fn degrees(&self, expanded: usize) -> Vec<u32> {
        let mut degrees = vec![0; self.states];
        for node in self.graph.nodes().take(expanded) {
            degrees[node as usize] = self.graph.targets(node).len() as u32;
        }
        degrees
    }
}

/// Memory that a set takes.
pub(super) fn set_bytes(set: &FixedBitSet) -> usize {
    set.len().div_ceil(8)
}
