//! Fairness of transitions, by the definitions of CPN Tools.

use std::fmt;

use super::{Graph, LayerComponents, REGRESS, Tally, strong_components_where};
use crate::model::Model;
use crate::observe::{Answer, DECIDED, Flow, Hit, Observer, Query, Visit};

/// The fairness of infinite paths to a transition: the strongest property that holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Fairness {
    /// It occurs infinitely often in every infinite path.
    #[default]
    Impartial,
    /// It occurs infinitely often in every path in which it is enabled infinitely often.
    Fair,
    /// It occurs again in every path in which it is enabled forever from some point on.
    Just,
    /// None of these.
    Unfair,
}

impl Fairness {
    /// The class in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Fairness::Impartial => "impartial",
            Fairness::Fair => "fair",
            Fairness::Just => "just",
            Fairness::Unfair => "no fairness",
        }
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The fairness of infinite paths within `graph` to the edges that are `own` (including edges that leave the
/// graph), and a node that shows it.
pub fn fairness<L: Clone>(graph: &Graph<L>, own: impl Fn(&L) -> bool) -> (Fairness, Option<u32>) {
    let others = |_, label: &L, _| !own(label);
    let parts = strong_components_where(graph, others);
    let cyclic = parts.with_cycle(graph, others);
    let on_cycle = |node: &u32| cyclic[parts.of(*node) as usize];
    let Some(first) = graph.nodes().find(on_cycle) else { return (Fairness::Impartial, None) };
    let enables: Vec<bool> =
        graph.nodes().map(|node| graph.edges(node).any(|(label, _)| own(label))).collect();
    let enables = |node: u32| enables[node as usize];
    let Some(first_enabled) = graph.nodes().filter(on_cycle).find(|&node| enables(node)) else {
        return (Fairness::Fair, Some(first));
    };
    // Every node of a cycle is the source of one of its edges.
    let ignored = |source, label: &L, _| !own(label) && enables(source);
    let parts = strong_components_where(graph, ignored);
    let cyclic = parts.with_cycle(graph, ignored);
    match graph.nodes().find(|&node| cyclic[parts.of(node) as usize]) {
        None => (Fairness::Just, Some(first_enabled)),
        Some(node) => (Fairness::Unfair, Some(node)),
    }
}

/// Finds the [`Fairness`] of a transition; holds if it is fair or impartial. Violated by a state on a cycle
/// without the transition, although the transition is enabled infinitely often on the cycle.
pub struct Fair<F> {
    own: F,
    class: Fairness,
    hit: Option<Hit>,
    tally: Tally,
}

impl<F> Fair<F> {
    /// The transition whose actions are `own`.
    pub fn new(own: F) -> Self {
        Fair { own, class: Fairness::Impartial, hit: None, tally: Tally::default() }
    }
}

impl<M: Model, F: Fn(&M::Action) -> bool> Observer<M> for Fair<F> {
    fn node(&mut self, _visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.tally.node();
        Ok(())
    }
}

impl<M: Model, F: Fn(&M::Action) -> bool> Query<M> for Fair<F> {
    fn components(&mut self, layer: &LayerComponents<'_, M::Action>) -> Flow {
        self.tally.close(layer);
        if !layer.is_cyclic() {
            return Ok(());
        }
        let (class, node) = fairness(layer.graph, &self.own);
        if class > self.class {
            self.class = class;
            self.hit = node.and_then(|node| layer.hit(node));
        }
        match self.class {
            Fairness::Unfair => DECIDED,
            _ => Ok(()),
        }
    }

    fn components_lost(&mut self, why: &'static str) -> Flow {
        self.tally.lose(why)
    }

    /// A transition that is just so far may be unfair in a later component.
    fn lacks_components(&self) -> bool {
        self.class != Fairness::Unfair && self.tally.lost == Some(REGRESS)
    }

    fn restart(&mut self) {
        (self.class, self.hit) = (Fairness::Impartial, None);
        self.tally = Tally::default();
    }

    fn watches_components(&self) -> bool {
        true
    }

    fn answer(&self) -> Answer {
        match self.class {
            Fairness::Just | Fairness::Unfair => Answer::Violated(self.hit.clone()),
            Fairness::Impartial | Fairness::Fair => self.tally.answer(Answer::HoldsSoFar),
        }
    }

    fn fairness(&self) -> Option<Fairness> {
        let is_known = self.class == Fairness::Unfair || self.tally.is_complete();
        is_known.then_some(self.class)
    }

    fn findings(&self) -> Vec<String> {
        let class = Query::<M>::fairness(self);
        class.iter().map(|class| class.name().to_owned()).collect()
    }
}
