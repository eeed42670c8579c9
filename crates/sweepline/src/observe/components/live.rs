//! Live transitions.

use super::{LayerComponents, Tally};
use crate::model::Model;
use crate::observe::{Answer, DECIDED, Flow, Hit, Observer, Query, Visit};

/// Holds if each of some transitions is live: from every reachable state there is a path on which it occurs.
/// Violated by a state from which one of them can never occur again; the findings name these transitions.
pub struct Live<F> {
    index: F,
    names: Vec<String>,
    wanted: Wanted,
    tally: Tally,
    stuck: Option<(Option<Hit>, Vec<usize>)>,
}

impl<F> Live<F> {
    /// All of the transitions `0..names.len()` must be live; `index` gives the transition of an action.
    pub fn all(names: Vec<String>, index: F) -> Self {
        let wanted = (0..names.len()).collect();
        Live::some(names, index, wanted)
    }

    /// The same, but only the transitions `wanted` must be live.
    pub fn some(names: Vec<String>, index: F, wanted: Vec<usize>) -> Self {
        let wanted = Wanted { last: vec![None; names.len()], which: wanted };
        Live { index, names, wanted, tally: Tally::default(), stuck: None }
    }
}

/// The transitions that must be live.
struct Wanted {
    which: Vec<usize>,
    /// For each transition, the last component in which it occurred.
    last: Vec<Option<u32>>,
}

impl Wanted {
    /// The transitions that do not occur in a terminal component.
    fn missing<A: Clone>(
        &mut self,
        layer: &LayerComponents<'_, A>,
        component: u32,
        index: impl Fn(&A) -> usize,
    ) -> Vec<usize> {
        for &node in layer.members(component) {
            for (action, _) in layer.graph.edges(node) {
                self.last[index(action)] = Some(component);
            }
        }
        let is_missing = |&transition: &usize| self.last[transition] != Some(component);
        self.which.iter().copied().filter(is_missing).collect()
    }
}

impl<M: Model, F: Fn(&M::Action) -> usize> Observer<M> for Live<F> {
    fn node(&mut self, _visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.tally.node();
        Ok(())
    }
}

impl<M: Model, F: Fn(&M::Action) -> usize> Query<M> for Live<F> {
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        self.tally.close(layer);
        self.wanted.last.fill(None);
        for component in layer.terminal() {
            let missing = self.wanted.missing(layer, component, &self.index);
            if !missing.is_empty() {
                let hit = layer.members(component).first().and_then(|&node| layer.hit(node));
                self.stuck = Some((hit, missing));
                return DECIDED;
            }
        }
        Ok(())
    }

    fn components_lost(&mut self, why: &'static str) -> Flow {
        self.tally.lose(why)
    }

    fn restart(&mut self) {
        (self.tally, self.stuck) = (Tally::default(), None);
    }

    fn watches_components(&self) -> bool {
        true
    }

    fn answer(&self) -> Answer {
        match &self.stuck {
            Some((hit, _)) => Answer::Violated(hit.clone()),
            None => self.tally.answer(Answer::HoldsSoFar),
        }
    }

    fn findings(&self) -> Vec<String> {
        let missing = self.stuck.iter().flat_map(|(_, missing)| missing);
        missing
            .map(|&transition| format!("{} can never occur again", self.names[transition]))
            .collect()
    }
}
