//! Questions about states and about cycles of internal steps, as one query each.

use sweepline::Model;
use sweepline::observe::{
    Answer, DECIDED, Deadlock, Flow, Hit, LayerComponents, Observer, Query, Terminates, Visit,
};

use super::Refinement;
use crate::composition::{Composition, RuleId};
use crate::lts::LabelId;

/// Holds if a process refines its specification in the failures-divergences model: no state of the product is a
/// violation, and none is on a cycle of internal steps.
pub type Refines<'a> = Both<NoViolation, Cycles<'a>>;

/// Holds if a process has no deadlock and does not diverge.
pub type NoDeadlock<'a> = Both<Deadlock, Cycles<'a>>;

/// No cycle of internal steps.
type Cycles<'a> = Terminates<Box<dyn Fn(&RuleId) -> bool + 'a>>;

fn cycles(process: &Composition) -> Cycles<'_> {
    Terminates::by(Box::new(|rule: &RuleId| process.label(*rule) == LabelId::TAU))
}

/// Two queries, decided when one is violated. The second one needs components.
pub struct Both<A, B> {
    first: A,
    second: B,
}

impl<'a> Refines<'a> {
    /// About the product `refinement`.
    pub fn new(refinement: &'a Refinement<'_>) -> Self {
        Both { first: NoViolation::default(), second: cycles(refinement.process()) }
    }
}

impl<'a> NoDeadlock<'a> {
    /// About `process`.
    pub fn new(process: &'a Composition) -> Self {
        Both { first: Deadlock::default(), second: cycles(process) }
    }
}

impl<M: Model, A: Query<M>, B: Query<M>> Observer<M> for Both<A, B> {
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.first.node(visit, worker)?;
        self.second.node(visit, worker)
    }

    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.first.dead(visit, worker)
    }
}

impl<M: Model, A: Query<M>, B: Query<M>> Query<M> for Both<A, B> {
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        self.second.components(layer)
    }

    fn components_lost(&mut self, why: &'static str) -> Flow {
        self.second.components_lost(why)
    }

    fn restart(&mut self) {
        self.first.restart();
        self.second.restart();
    }

    fn watches_components(&self) -> bool {
        self.second.watches_components()
    }

    fn needs_edges(&self, action: &M::Action) -> bool {
        self.second.needs_edges(action)
    }

    /// An exploration that found a violation has seen enough, even if the components are unknown.
    fn answer(&self) -> Answer {
        match self.first.answer() {
            Answer::HoldsSoFar => self.second.answer(),
            other => other,
        }
    }
}

/// No state of a product is a violation.
#[derive(Default)]
pub struct NoViolation {
    first: Option<Hit>,
}

impl Observer<Refinement<'_>> for NoViolation {
    fn node(&mut self, visit: &Visit<'_, Refinement<'_>>, _worker: &mut ()) -> Flow {
        if visit.state.violated() || visit.model.refuses(visit.state) {
            self.first = Some(Hit::of(visit));
            return DECIDED;
        }
        Ok(())
    }
}

impl Query<Refinement<'_>> for NoViolation {
    fn answer(&self) -> Answer {
        match &self.first {
            Some(hit) => Answer::Violated(Some(hit.clone())),
            None => Answer::HoldsSoFar,
        }
    }
}
