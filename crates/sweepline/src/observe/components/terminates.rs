//! Termination.

use super::{LayerComponents, Tally, strong_components_where};
use crate::model::Model;
use crate::observe::{Answer, DECIDED, Flow, Hit, Observer, Query, Visit};
use crate::select::Needs;

/// Holds if there is no infinite path, or none that takes only certain actions from some point on. Violated
/// by a state on a cycle.
pub struct Terminates<F> {
    counts: Option<F>,
    tally: Tally,
    cycle: Option<Option<Hit>>,
}

impl<A> Terminates<fn(&A) -> bool> {
    /// Every path ends.
    pub fn new() -> Self {
        Terminates { counts: None, tally: Tally::default(), cycle: None }
    }
}

impl<A> Default for Terminates<fn(&A) -> bool> {
    fn default() -> Self {
        Terminates::new()
    }
}

impl<F> Terminates<F> {
    /// No infinite path takes only actions that satisfy `counts` from some point on. With the internal
    /// actions of a process: it does not diverge.
    pub fn by(counts: F) -> Self {
        Terminates { counts: Some(counts), tally: Tally::default(), cycle: None }
    }
}

impl<M: Model, F: Fn(&M::Action) -> bool> Observer<M> for Terminates<F> {
    fn node(&mut self, _visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.tally.node();
        Ok(())
    }
}

impl<M: Model, F: Fn(&M::Action) -> bool> Query<M> for Terminates<F> {
    fn needs(&self) -> Needs<M> {
        if self.counts.is_none() { Needs::Cycles } else { Needs::Edges }
    }

    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        self.tally.close(layer);
        let mut nodes = layer.graph.nodes();
        let node = match &self.counts {
            None => nodes.find(|&node| layer.has_cycle(layer.components.of(node))),
            Some(counts) => {
                let counts = |_, action: &M::Action, _| counts(action);
                let parts = strong_components_where(layer.graph, counts);
                let cyclic = parts.with_cycle(layer.graph, counts);
                nodes.find(|&node| cyclic[parts.of(node) as usize])
            }
        };
        self.cycle = node.map(|node| layer.hit(node));
        if self.cycle.is_some() { DECIDED } else { Ok(()) }
    }

    fn components_lost(&mut self, why: &'static str) -> Flow {
        self.tally.lose(why)
    }

    fn restart(&mut self) {
        (self.tally, self.cycle) = (Tally::default(), None);
    }

    fn watches_components(&self) -> bool {
        true
    }

    fn needs_edges(&self, action: &M::Action) -> bool {
        self.counts.as_ref().is_none_or(|counts| counts(action))
    }

    fn answer(&self) -> Answer {
        match &self.cycle {
            Some(hit) => Answer::Violated(hit.clone()),
            None => self.tally.answer(Answer::HoldsSoFar),
        }
    }
}
