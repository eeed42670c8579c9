//! Gathering the edges of a layer until it closes.

use std::collections::HashMap;

use super::super::{ClosedLayer, StateId, Statistics};
use super::{Graph, LayerComponents};

/// The edges of the layers that are expanded and not yet dropped.
pub(in super::super) struct Gather<A> {
    /// The layer being expanded, and its graph so far.
    current: u64,
    graph: Graph<A>,
    /// The graphs of layers that are expanded.
    passed: HashMap<u64, Graph<A>>,
    passed_bytes: usize,
    /// Number of stored states when the last state was expanded.
    pub(in super::super) stored: u64,
    lost: Option<&'static str>,
}

impl<A: Clone> Default for Gather<A> {
    fn default() -> Self {
        let (graph, passed) = (Graph::default(), HashMap::new());
        Gather { current: 0, graph, passed, passed_bytes: 0, stored: 0, lost: None }
    }
}

impl<A: Clone> Gather<A> {
    #[inline]
    pub(in super::super) fn link(&mut self, source: StateId, action: &A, target: StateId) {
        if source.layer != self.current {
            self.begin(source.layer);
        }
        let inside = target.layer == source.layer;
        let number = if inside { target.number } else { 0 };
        let most = source.number.max(number);
        if most >= Graph::<A>::MOST_NODES as u64 {
            self.lost = Some("a layer has more states than the limit");
        } else if source.number as usize + 1 < self.graph.len() {
            // The layer is expanded again, so there was a regress edge.
            self.lost = Some(REGRESS);
        } else {
            let target = if inside { number as u32 } else { Graph::<A>::OUT };
            self.graph.push(source.number as u32, action.clone(), target);
        }
    }

    /// Another layer is being expanded.
    fn begin(&mut self, layer: u64) {
        let graph = self.passed.remove(&layer);
        self.passed_bytes -= graph.as_ref().map_or(0, Graph::bytes);
        let before = std::mem::replace(&mut self.graph, graph.unwrap_or_default());
        if !before.is_empty() {
            self.passed_bytes += before.bytes();
            self.passed.insert(self.current, before);
        }
        self.current = layer;
    }

    /// The graph of a layer that closes, or the reason why it is unknown.
    pub(in super::super) fn close(
        &mut self,
        layer: &ClosedLayer<'_>,
        statistics: &Statistics,
    ) -> Result<Graph<A>, &'static str> {
        if statistics.regress_edges > 0 {
            self.lost = Some(REGRESS);
        }
        if let Some(why) = self.lost {
            *self = Gather { lost: self.lost, ..Gather::default() };
            return Err(why);
        }
        if layer.serial != self.current {
            self.begin(layer.serial);
        }
        let mut graph = std::mem::take(&mut self.graph);
        self.current = 0;
        match usize::try_from(layer.states) {
            Ok(states) if states <= Graph::<A>::MOST_NODES => graph.grow(states),
            _ => return Err("a layer has more states than the limit"),
        }
        Ok(graph)
    }

    /// The components of a layer whose graph [`close`](Gather::close) gave.
    pub(in super::super) fn components<'a>(
        &self,
        graph: &'a Graph<A>,
        layer: &'a ClosedLayer<'a>,
    ) -> LayerComponents<'a, A> {
        LayerComponents::new(graph, layer, self.stored)
    }

    /// Memory in use, plus what finding the components of the layer will need.
    pub(in super::super) fn bytes(&self) -> u64 {
        (self.graph.bytes() + SEARCH * self.graph.len() + self.passed_bytes) as u64
    }
}

/// Maximal bytes per node for the search for components and the list of their members.
const SEARCH: usize = 48;

pub(in super::super) const REGRESS: &str = "the measure is not monotone";
