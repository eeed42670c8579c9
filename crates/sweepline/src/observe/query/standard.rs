//! The standard queries: reachability, deadlock, bounds, dead actions.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::{Answer, Hit, Query};
use crate::codec;
use crate::model::{Model, bytes_of};
use crate::observe::{Flow, Visit};
use crate::select::Needs;

/// Holds when no reachable state satisfies the predicate.
pub struct Never<F> {
    predicate: F,
    hit: Option<Hit>,
}

impl<F> Never<F> {
    /// No reachable state satisfies `predicate`.
    pub fn new(predicate: F) -> Self {
        Never { predicate, hit: None }
    }
}

impl<M: Model, F: Fn(&M, &M::State) -> bool> Query<M> for Never<F> {
    #[inline]
    fn node(&mut self, visit: &Visit<'_, M>) -> Flow {
        if (self.predicate)(visit.model, visit.state) {
            self.hit = Some(Hit::of(visit));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn sees(&self, model: &M, state: &M::State) -> Option<i128> {
        Some((self.predicate)(model, state).into())
    }

    fn answer(&self) -> Answer {
        match &self.hit {
            Some(hit) => Answer::Violated(Some(hit.clone())),
            None => Answer::HoldsSoFar,
        }
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.hit))
    }

    fn restore(&mut self, _model: &M, saved: &[u8]) -> bool {
        codec::read(saved).map(|hit| self.hit = hit).is_some()
    }
}

/// Holds when some reachable state satisfies the predicate.
pub struct Reach<F>(Never<F>);

impl<F> Reach<F> {
    /// Some reachable state satisfies `predicate`.
    pub fn new(predicate: F) -> Self {
        Reach(Never::new(predicate))
    }
}

impl<M: Model, F: Fn(&M, &M::State) -> bool> Query<M> for Reach<F> {
    #[inline]
    fn node(&mut self, visit: &Visit<'_, M>) -> Flow {
        self.0.node(visit)
    }

    fn sees(&self, model: &M, state: &M::State) -> Option<i128> {
        self.0.sees(model, state)
    }

    fn answer(&self) -> Answer {
        match &self.0.hit {
            Some(hit) => Answer::Holds(Some(hit.clone())),
            None => Answer::ViolatedSoFar,
        }
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        self.0.save(model)
    }

    fn restore(&mut self, model: &M, saved: &[u8]) -> bool {
        self.0.restore(model, saved)
    }
}

/// Holds when every reachable state has a successor or has [terminated](Model::has_terminated).
#[derive(Default, Debug)]
pub struct Deadlock {
    hit: Option<Hit>,
}

impl<M: Model> Query<M> for Deadlock {
    fn needs(&self) -> Needs<M> {
        Needs::Ends
    }

    fn dead(&mut self, visit: &Visit<'_, M>) -> Flow {
        self.hit = Some(Hit::of(visit));
        ControlFlow::Break(())
    }

    fn answer(&self) -> Answer {
        match &self.hit {
            Some(hit) => Answer::Violated(Some(hit.clone())),
            None => Answer::HoldsSoFar,
        }
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.hit))
    }

    fn restore(&mut self, _model: &M, saved: &[u8]) -> bool {
        codec::read(saved).map(|hit| self.hit = hit).is_some()
    }
}

/// Lists dead states, up to a number of them; holds when the exploration is complete.
pub struct DeadStates<M: Model> {
    most: usize,
    states: BTreeSet<Vec<u8>>,
    more: bool,
    describe: Box<dyn Fn(&M, &M::State) -> String>,
    shown: Vec<String>,
    model_states: Vec<M::State>,
}

impl<M: Model> DeadStates<M> {
    /// At most `most` dead states, shown by `describe`.
    pub fn new(most: usize, describe: impl Fn(&M, &M::State) -> String + 'static) -> Self {
        DeadStates {
            most,
            states: BTreeSet::new(),
            more: false,
            describe: Box::new(describe),
            shown: Vec::new(),
            model_states: Vec::new(),
        }
    }

    /// The states found, in the order of visits.
    pub fn states(&self) -> &[M::State] {
        &self.model_states
    }
}

impl<M: Model> Query<M> for DeadStates<M> {
    fn needs(&self) -> Needs<M> {
        Needs::Ends
    }

    fn dead(&mut self, visit: &Visit<'_, M>) -> Flow {
        if self.states.contains(visit.bytes) {
            return ControlFlow::Continue(());
        }
        if self.states.len() == self.most {
            self.more = true;
            return ControlFlow::Continue(());
        }
        self.states.insert(visit.bytes.to_vec());
        self.shown.push((self.describe)(visit.model, visit.state));
        self.model_states.push(visit.state.clone());
        ControlFlow::Continue(())
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }

    fn findings(&self) -> Vec<String> {
        let mut lines = self.shown.clone();
        if self.more {
            lines.push(format!("and more (only {} are kept)", self.most));
        }
        lines
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        let states: Vec<Vec<u8>> = self.model_states.iter().map(|s| bytes_of(model, s)).collect();
        Some(codec::to_bytes(&(states, self.more)))
    }

    fn restore(&mut self, model: &M, saved: &[u8]) -> bool {
        let Some((states, more)) = codec::read::<(Vec<Vec<u8>>, bool)>(saved) else { return false };
        self.more = more;
        for bytes in states {
            let Some(state) = model.try_decode(&bytes) else { return false };
            self.shown.push((self.describe)(model, &state));
            self.model_states.push(state);
            self.states.insert(bytes);
        }
        self.states.len() <= self.most
    }
}

/// The least and the greatest value of an expression; holds when the exploration is complete.
pub struct Bound<F> {
    expression: F,
    range: Option<(i128, i128)>,
}

impl<F> Bound<F> {
    /// The bounds of `expression`.
    pub fn new(expression: F) -> Self {
        Bound { expression, range: None }
    }
}

impl<M: Model, N: Into<i128>, F: Fn(&M, &M::State) -> N> Query<M> for Bound<F> {
    #[inline]
    fn node(&mut self, visit: &Visit<'_, M>) -> Flow {
        let value = (self.expression)(visit.model, visit.state).into();
        let (low, high) = self.range.unwrap_or((value, value));
        self.range = Some((low.min(value), high.max(value)));
        ControlFlow::Continue(())
    }

    fn sees(&self, model: &M, state: &M::State) -> Option<i128> {
        Some((self.expression)(model, state).into())
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }

    fn range(&self) -> Option<(i128, i128)> {
        self.range
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.range))
    }

    fn restore(&mut self, _model: &M, saved: &[u8]) -> bool {
        codec::read(saved).map(|range| self.range = range).is_some()
    }
}

/// Holds when every action of a list labels some edge; the findings are those that do not.
pub struct DeadActions<F> {
    index: F,
    names: Vec<String>,
    dead: BTreeSet<usize>,
}

impl<F> DeadActions<F> {
    /// Actions `0..names.len()`; `index` tells which of them an edge's action is.
    pub fn new(names: Vec<String>, index: F) -> Self {
        let dead = (0..names.len()).collect();
        DeadActions { index, names, dead }
    }
}

impl<M: Model, F: Fn(M::Action) -> usize> Query<M> for DeadActions<F> {
    fn arc(&mut self, _source: &Visit<'_, M>, action: M::Action, _target: &M::State) -> Flow {
        self.dead.remove(&(self.index)(action));
        if self.dead.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn watches_arcs(&self) -> bool {
        true
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn answer(&self) -> Answer {
        if self.dead.is_empty() { Answer::Holds(None) } else { Answer::ViolatedSoFar }
    }

    fn findings(&self) -> Vec<String> {
        self.dead.iter().map(|&action| self.names[action].clone()).collect()
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.dead))
    }

    fn restore(&mut self, _model: &M, saved: &[u8]) -> bool {
        let Some(dead) = codec::read::<BTreeSet<usize>>(saved) else { return false };
        self.dead = dead;
        self.dead.last().is_none_or(|&last| last < self.names.len())
    }
}
