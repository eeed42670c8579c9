//! Random graphs as models: many kinds of regress edges, cycles and dead states in a few dozen states.

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::progress::Features;
use sweepline::{Computed, Model, Sink};

/// A graph over `0..len` whose first `starts` states are initial.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Successors of each state.
    pub edges: Vec<Vec<usize>>,
    /// How many states are initial.
    pub starts: usize,
    /// Whether states are encoded in different lengths.
    pub ragged: bool,
    /// The measure: some components for each state.
    pub values: Vec<[i64; 3]>,
}

impl Model for Graph {
    type State = usize;
    type Action = usize;
    type Worker = ();

    fn initial(&self, push: &mut dyn FnMut(&usize)) {
        (0..self.starts.min(self.edges.len())).for_each(|state| push(&state));
    }

    fn worker(&self) {}

    fn successors(&self, (): &mut (), state: &usize, sink: &mut impl Sink<Self>) -> Computed {
        for (i, target) in self.edges[*state].iter().enumerate() {
            sink.push(i, target);
        }
        Ok(())
    }

    fn encode(&self, state: &usize, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(*state as u16).to_le_bytes());
        if self.ragged && !state.is_multiple_of(3) {
            bytes.resize(bytes.len() + state % 7, 0xA5);
        }
    }

    fn decode(&self, bytes: &[u8]) -> usize {
        usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    }
}

impl Features for Graph {
    fn features(&self, state: &usize, push: &mut dyn FnMut(i64)) {
        self.values[*state].iter().for_each(|&value| push(value));
    }
}

/// Random graphs with random measures. Some are made monotone in the first component, some in all.
pub fn measured_graph(most: usize) -> impl Strategy<Value = Graph> {
    (1..most, 0..4usize, any::<bool>(), 1..9i64, 0..3usize).prop_flat_map(
        |(len, degree, ragged, spread, monotone)| {
            let edges = vec(vec(0..len, 0..=degree + 1), len);
            let values = vec([0..spread, 0..spread, 0..spread], len);
            (edges, values, 1..=3usize).prop_map(move |(mut edges, mut values, starts)| {
                if monotone > 0 {
                    values.sort();
                }
                let rises = |from: [i64; 3], to: [i64; 3]| match monotone {
                    0 => true,
                    1 => from[0] <= to[0],
                    _ => from.iter().zip(&to).all(|(a, b)| a <= b),
                };
                for (from, targets) in edges.iter_mut().enumerate() {
                    targets.retain(|&to| rises(values[from], values[to]));
                }
                Graph { edges, starts, ragged, values }
            })
        },
    )
}
