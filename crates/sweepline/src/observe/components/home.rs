//! Home predicates.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;

use super::{LayerComponents, Tally};
use crate::model::{Evaluate, Model};
use crate::observe::{Answer, DECIDED, Flow, Hit, Observer, Query, Visit};

/// Holds if a state that satisfies the predicate can be reached from every reachable state: the states that
/// satisfy it are a home space. Violated by a state from which none can be reached.
pub struct Home<F> {
    predicate: F,
    /// For each stored layer, the states that satisfy the predicate.
    marks: HashMap<u64, FixedBitSet>,
    tally: Tally,
    stuck: Option<Option<Hit>>,
}

impl<F> Home<F> {
    /// A query for the home predicate `predicate`.
    pub fn new(predicate: F) -> Self {
        Home { predicate, marks: HashMap::new(), tally: Tally::default(), stuck: None }
    }
}

impl<M: Model, F: Evaluate<M, bool>> Observer<M> for Home<F> {
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.tally.node();
        if (self.predicate)(visit.model, worker, visit.state)? {
            let marks = self.marks.entry(visit.id.layer).or_default();
            marks.grow_and_insert(visit.id.number as usize);
        }
        Ok(())
    }
}

impl<M: Model, F: Evaluate<M, bool>> Query<M> for Home<F> {
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        self.tally.close(layer);
        let marked = self.marks.remove(&layer.serial()).unwrap_or_default();
        let mut reached = vec![false; layer.components.len()];
        for node in marked.ones() {
            reached[layer.components.of(node as u32) as usize] = true;
        }
        let Some(stuck) = layer.terminal().find(|&component| !reached[component as usize]) else {
            return Ok(());
        };
        self.stuck = Some(layer.members(stuck).first().and_then(|&node| layer.hit(node)));
        DECIDED
    }

    fn components_lost(&mut self, why: &'static str) -> Flow {
        self.marks = HashMap::new();
        self.tally.lose(why)
    }

    fn restart(&mut self) {
        (self.marks, self.tally, self.stuck) = (HashMap::new(), Tally::default(), None);
    }

    fn watches_components(&self) -> bool {
        true
    }

    fn answer(&self) -> Answer {
        match &self.stuck {
            Some(hit) => Answer::Violated(hit.clone()),
            None => self.tally.answer(Answer::HoldsSoFar),
        }
    }
}
