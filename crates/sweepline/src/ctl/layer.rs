//! What is kept of a layer: its edges, and which atoms hold where.

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use crate::lists::Lists;
use crate::observe::Graph;

/// The edges of a layer and what its states satisfy.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Layer {
    pub(super) serial: u64,
    /// The first layer with an edge into this one; zero where there is none.
    pub(super) first: u64,
    /// How many states it has, those only known as targets included.
    pub(super) states: usize,
    /// The edges inside.
    pub(super) graph: Graph<()>,
    /// The edges that lead elsewhere, in the order of their sources.
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

    /// What the layer will take while formulas are decided, besides: edges the other way round, and
    /// counts.
    pub(super) fn bytes_to_solve(&self, sets: usize) -> usize {
        4 * self.graph.edge_count() + (8 + 4 + 4 + 4) * self.states + sets * self.states.div_ceil(8)
    }

    /// The sources of the edges inside, by target, of those that leave the first `expanded` states.
    pub(super) fn backward(&self, expanded: usize) -> Lists<u32> {
        let nodes = self.graph.nodes().take(expanded);
        let edges = nodes.flat_map(|node| {
            self.graph.targets(node).iter().map(move |&target| (target as usize, node))
        });
        Lists::grouped(self.states, edges)
    }

    /// How many edges inside each of the first `expanded` states has; none for the others.
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
