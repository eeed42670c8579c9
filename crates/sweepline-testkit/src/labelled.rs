//! Random labelled transition systems: an action may lead to any state, and to several.

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::{Computed, Model, Sink};

/// States `0..edges.len()`; the first is initial.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The edges of each state: action and target.
    pub edges: Vec<Vec<(u32, usize)>>,
    /// The measure of each state.
    pub values: Vec<i64>,
}

impl Model for Labelled {
    type State = usize;
    type Action = u32;
    type Worker = ();

    fn initial(&self, push: &mut dyn FnMut(&usize)) {
        push(&0);
    }

    fn worker(&self) {}

    fn successors(&self, (): &mut (), state: &usize, sink: &mut impl Sink<Self>) -> Computed {
        self.edges[*state].iter().for_each(|(action, target)| sink.push(*action, target));
        Ok(())
    }

    fn encode(&self, state: &usize, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(*state as u16).to_le_bytes());
    }

    fn decode(&self, bytes: &[u8]) -> usize {
        usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    }
}

/// Random systems of up to `most` states and four actions. Few states, so that different orders of actions
/// often reach the same state.
pub fn labelled(most: usize) -> impl Strategy<Value = Labelled> {
    (1..most).prop_flat_map(|len| {
        let edges = vec(vec((0..4u32, 0..len), 0..4), len);
        (edges, vec(0..4i64, len)).prop_map(|(edges, values)| Labelled { edges, values })
    })
}
