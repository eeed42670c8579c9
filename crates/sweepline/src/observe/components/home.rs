//! Home predicates.

use super::{LayerComponents, Marks, Tally};
use crate::model::{Computed, Model};
use crate::observe::{Answer, DECIDED, Flow, Hit, Observer, Query, Visit};

/// Holds when from every reachable state one that satisfies the predicate can be reached: the states that
/// satisfy it are a home space. Violated by a state from which there is no way there any more.
pub struct Home<F> {
    predicate: F,
    marks: Marks,
    tally: Tally,
    stuck: Option<Option<Hit>>,
}

impl<F> Home<F> {
    /// Some state that satisfies `predicate` can always be reached.
    pub fn new(predicate: F) -> Self {
        Home { predicate, marks: Marks::default(), tally: Tally::default(), stuck: None }
    }
}

impl<M, F> Observer<M> for Home<F>
where
    M: Model,
    F: Fn(&M, &mut M::Worker, &M::State) -> Computed<bool>,
{
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.tally.node();
        if (self.predicate)(visit.model, worker, visit.state)? {
            self.marks.set(visit.id);
        }
        Ok(())
    }
}

impl<M, F> Query<M> for Home<F>
where
    M: Model,
    F: Fn(&M, &mut M::Worker, &M::State) -> Computed<bool>,
{
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        self.tally.close(layer);
        let is_marked = self.marks.take(layer.serial());
        let mut reached = vec![false; layer.components.len()];
        for node in layer.graph.nodes().filter(|&node| is_marked(node)) {
            reached[layer.components.of(node) as usize] = true;
        }
        let Some(stuck) = layer.terminal().find(|&component| !reached[component as usize]) else {
            return Ok(());
        };
        self.stuck = Some(layer.members(stuck).first().and_then(|&node| layer.hit(node)));
        DECIDED
    }

    fn components_lost(&mut self, why: &'static str) -> Flow {
        self.marks = Marks::default();
        self.tally.lose(why)
    }

    fn lacks_components(&self) -> bool {
        self.stuck.is_none() && self.tally.is_scattered()
    }

    fn restart(&mut self) {
        (self.marks, self.tally, self.stuck) = (Marks::default(), Tally::default(), None);
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
