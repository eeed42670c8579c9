//! Searches a product for accepting cycles while it is explored, layer by layer.

use std::collections::HashMap;

use super::cycle::{Cycle, accepting_cycle};
use super::product::{Acceptance, Product, ProductAction};
use crate::model::Model;
use crate::observe::{
    ClosedLayer, DECIDED, Flow, Graph, Hit, Observer, StateId, Statistics, Visit,
};
use crate::progress::Value;

/// A layer is searched first when it has this number of edges, and again each time the number has doubled.
const EDGES: usize = 1 << 14;

/// The most bytes that the search takes for each state of a layer.
const SEARCH: usize = 48;

/// Observes the exploration of a product and keeps the edges within each layer. Under a monotone measure no cycle leaves
/// its layer.
pub(crate) struct CycleSearch<'w, W: ?Sized> {
    acceptance: Acceptance,
    layers: HashMap<u64, Kept>,
    watcher: &'w mut W,
    /// The violation, if one was found.
    pub(crate) found: Option<Violation>,
    /// There is a regress edge, so a cycle may leave its layer.
    pub(crate) regressed: bool,
    /// A layer has more states than 32 bits number.
    pub(crate) is_full: bool,
}

/// Why a formula is violated.
pub(crate) enum Violation {
    /// Every run from this state violates the formula.
    Prefix(Hit),
    /// A cycle within a layer.
    Cycle(InLayer),
}

/// A cycle within a layer.
pub(crate) struct InLayer {
    /// The state where it starts.
    pub(crate) id: StateId,
    /// The states stored when the first and the last state of the layer were expanded. Layers reuse names, so these tell
    /// which layer is meant.
    pub(crate) stored: (u64, u64),
    /// The progress of the layer.
    pub(crate) value: Value,
    /// The edges of the cycle, by number among those of their source that stay in the layer.
    pub(crate) edges: Vec<usize>,
}

/// A layer that is being expanded.
struct Kept {
    graph: Graph<u32>,
    /// The number of edges at which it is searched next.
    due: usize,
    stored: (u64, u64),
    value: Value,
}

impl<'w, W: ?Sized> CycleSearch<'w, W> {
    pub(crate) fn new(acceptance: Acceptance, watcher: &'w mut W) -> Self {
        CycleSearch {
            acceptance,
            layers: HashMap::new(),
            watcher,
            found: None,
            regressed: false,
            is_full: false,
        }
    }

    /// Searches the edges that are known of a layer.
    fn search(&mut self, serial: u64) -> Flow {
        let Some(kept) = self.layers.get(&serial) else { return Ok(()) };
        let Some(Cycle { start, edges }) = accepting_cycle(&kept.graph, &self.acceptance) else {
            return Ok(());
        };
        self.found = Some(Violation::Cycle(InLayer {
            id: StateId { layer: serial, number: u64::from(start) },
            stored: kept.stored,
            value: kept.value.clone(),
            edges,
        }));
        DECIDED
    }

    fn regress(&mut self) -> Flow {
        self.regressed = true;
        DECIDED
    }
}

impl<'a, M: Model, W: Observer<M> + ?Sized> Observer<Product<'a, M>> for CycleSearch<'_, W> {
    fn node(&mut self, visit: &Visit<'_, Product<'a, M>>, worker: &mut M::Worker) -> Flow {
        let product = visit.model;
        let own = Visit {
            model: product.model(),
            state: &visit.state.state,
            bytes: product.own_bytes(visit.bytes),
            value: visit.value,
            id: visit.id,
            stored: visit.stored,
            path: None,
        };
        self.watcher.node(&own, worker)?;
        if product.is_decided(visit.state.node) {
            self.found = Some(Violation::Prefix(Hit::of(visit)));
            return DECIDED;
        }
        let kept = self.layers.entry(visit.id.layer).or_insert_with(|| Kept {
            graph: Graph::default(),
            due: EDGES,
            stored: (visit.stored, visit.stored),
            value: visit.value.clone(),
        });
        kept.stored.1 = visit.stored;
        Ok(())
    }

    fn link(
        &mut self,
        source: StateId,
        action: &ProductAction<M::Action>,
        target: StateId,
        _new: bool,
    ) -> Flow {
        if source.layer != target.layer {
            return Ok(());
        }
        let (Ok(from), Ok(to)) = (u32::try_from(source.number), u32::try_from(target.number))
        else {
            self.is_full = true;
            return DECIDED;
        };
        let Some(kept) = self.layers.get_mut(&source.layer) else { return self.regress() };
        if from as usize + 1 < kept.graph.len() {
            // The layer is expanded again, which only a regress edge causes.
            return self.regress();
        }
        kept.graph.push(from, action.marks, to);
        if kept.graph.edge_count() < kept.due {
            return Ok(());
        }
        kept.due *= 2;
        self.search(source.layer)
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        if statistics.regress_edges > 0 {
            return self.regress();
        }
        self.search(layer.serial)?;
        self.layers.remove(&layer.serial);
        self.watcher.layer_closed(layer, statistics)
    }

    fn level(&mut self, line: &Value, statistics: &Statistics) -> Flow {
        self.watcher.level(line, statistics)
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        self.watcher.pulse(line, statistics);
    }

    /// The memory of the edges, and of the search of a layer.
    fn bytes(&self) -> u64 {
        let layers = self.layers.values().map(|kept| &kept.graph);
        let own: usize = layers.map(|graph| graph.bytes() + SEARCH * graph.len()).sum();
        own as u64 + self.watcher.bytes()
    }

    fn watches_links(&self) -> bool {
        true
    }
}
