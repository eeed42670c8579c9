//! What is kept of a layer: its edges, and which atoms hold where.

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

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

/// The edges inside a layer, by their targets.
pub(super) struct Backward {
    /// Row `i` ends where row `i + 1` starts.
    starts: Vec<usize>,
    sources: Vec<u32>,
}

impl Backward {
    /// Those of the first `expanded` states.
    pub(super) fn of(layer: &Layer, expanded: usize) -> Self {
        let nodes = || layer.graph.nodes().take(expanded);
        let mut starts = vec![0; layer.states + 1];
        for node in nodes() {
            layer.graph.targets(node).iter().for_each(|&target| starts[target as usize + 1] += 1);
        }
        for i in 0..layer.states {
            starts[i + 1] += starts[i];
        }
        let (mut next, mut sources) = (starts.clone(), vec![0; starts[layer.states]]);
        for node in nodes() {
            for &target in layer.graph.targets(node) {
                sources[next[target as usize]] = node;
                next[target as usize] += 1;
            }
        }
        Backward { starts, sources }
    }

    /// The states with an edge to `target`.
    #[inline]
    pub(super) fn sources(&self, target: usize) -> impl Iterator<Item = usize> + '_ {
        let row = &self.sources[self.starts[target]..self.starts[target + 1]];
        row.iter().map(|&source| source as usize)
    }
}
