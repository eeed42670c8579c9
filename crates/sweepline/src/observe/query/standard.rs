//! The standard queries: reachability, deadlock, bounds, dead actions.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Answer, Hit, Query};
use crate::codec;
use crate::model::{Computed, Evaluate, Model};
use crate::observe::{DECIDED, Flow, Fork, Observer, Put, Visit};
use crate::select::Needs;

/// The first state found that decides a query.
#[derive(Default, Debug)]
struct First(Option<Hit>);

impl First {
    fn found<M: Model>(&mut self, visit: &Visit<'_, M>) -> Flow {
        self.0 = Some(Hit::of(visit));
        DECIDED
    }

    /// The answer if such a state is wanted, or is not.
    fn answer(&self, is_wanted: bool) -> Answer {
        match (&self.0, is_wanted) {
            (Some(hit), false) => Answer::Violated(Some(hit.clone())),
            (Some(hit), true) => Answer::Holds(Some(hit.clone())),
            (None, false) => Answer::HoldsSoFar,
            (None, true) => Answer::ViolatedSoFar,
        }
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.0))
    }

    fn merge(&mut self, saved: &[u8]) -> bool {
        let Some(other) = codec::read::<Option<Hit>>(saved) else { return false };
        self.0 = match (self.0.take(), other) {
            (Some(one), Some(other)) => Some(one.earlier(other)),
            (one, other) => one.or(other),
        };
        true
    }
}

/// Holds if no reachable state satisfies the predicate.
pub struct Never<F> {
    predicate: Arc<F>,
    first: First,
    is_wanted: bool,
}

impl<F> Never<F> {
    /// No reachable state satisfies `predicate`.
    pub fn new(predicate: F) -> Self {
        Never { predicate: Arc::new(predicate), first: First::default(), is_wanted: false }
    }

    /// The negation: holds if some reachable state satisfies `predicate`.
    pub fn reached(predicate: F) -> Self {
        Never { is_wanted: true, ..Never::new(predicate) }
    }
}

impl<M: Model, F: Evaluate<M, bool>> Observer<M> for Never<F> {
    #[inline]
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        if (self.predicate)(visit.model, worker, visit.state)? {
            return self.first.found(visit);
        }
        Ok(())
    }

    fn sees(&self, model: &M, worker: &mut M::Worker, state: &M::State, push: Put<'_>) -> Computed {
        push(0, (self.predicate)(model, worker, state)?.into());
        Ok(())
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        let (predicate, is_wanted) = (self.predicate.clone(), self.is_wanted);
        Some(Box::new(Never { predicate, first: First::default(), is_wanted }))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        self.first.save()
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        self.first.merge(saved)
    }
}

impl<M: Model, F: Evaluate<M, bool>> Query<M> for Never<F> {
    fn answer(&self) -> Answer {
        self.first.answer(self.is_wanted)
    }
}

/// Holds if every reachable state has a successor or has [terminated](Model::has_terminated).
#[derive(Default, Debug)]
pub struct Deadlock {
    first: First,
    is_wanted: bool,
}

impl Deadlock {
    /// Holds if some reachable state has no successor and has not terminated.
    pub fn reached() -> Self {
        Deadlock { is_wanted: true, ..Deadlock::default() }
    }
}

impl<M: Model> Observer<M> for Deadlock {
    fn dead(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        self.first.found(visit)
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(Deadlock::default()))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        self.first.save()
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        self.first.merge(saved)
    }
}

impl<M: Model> Query<M> for Deadlock {
    fn needs(&self) -> Needs<M> {
        Needs::Ends
    }

    fn answer(&self) -> Answer {
        self.first.answer(self.is_wanted)
    }
}

/// Prints a state.
type Describe<M> = dyn Fn(&M, &<M as Model>::State) -> String + Send + Sync;

/// Lists at most a given number of dead states; holds if the exploration is complete.
pub struct DeadStates<M: Model> {
    most: usize,
    /// The first ones, by their bytes: when each was visited, and its printed form.
    states: BTreeMap<Vec<u8>, (Moment, String)>,
    more: bool,
    /// When the last one of a full list was visited, if that was computed.
    latest: Option<Moment>,
    describe: Arc<Describe<M>>,
}

/// When a state was visited: the number of states stored before, its layer, its number there.
type Moment = (u64, u64, u64);

impl<M: Model> DeadStates<M> {
    /// At most `most` dead states, printed by `describe`.
    pub fn new(
        most: usize,
        describe: impl Fn(&M, &M::State) -> String + Send + Sync + 'static,
    ) -> Self {
        DeadStates {
            most,
            states: BTreeMap::new(),
            more: false,
            latest: None,
            describe: Arc::new(describe),
        }
    }

    /// Adds a state if it is among the first ones. Forks are merged in any order, so it may come before others.
    fn add(&mut self, moment: Moment, bytes: &[u8], describe: impl FnOnce() -> String) {
        if let Some((known, _)) = self.states.get_mut(bytes) {
            if moment < *known {
                (*known, self.latest) = (moment, None);
            }
            return;
        }
        if self.states.len() < self.most {
            self.states.insert(bytes.to_vec(), (moment, describe()));
            return;
        }
        self.more = true;
        let latest = || self.states.values().map(|(moment, _)| *moment).max();
        self.latest = self.latest.or_else(latest);
        if self.latest.is_some_and(|latest| moment < latest) {
            self.states.retain(|_, (moment, _)| Some(*moment) != self.latest);
            self.states.insert(bytes.to_vec(), (moment, describe()));
            self.latest = None;
        }
    }
}

impl<M: Model> Observer<M> for DeadStates<M> {
    fn dead(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        let describe = self.describe.clone();
        let moment = (visit.stored, visit.id.layer, visit.id.number);
        self.add(moment, visit.bytes, || describe(visit.model, visit.state));
        Ok(())
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        let (most, describe) = (self.most, self.describe.clone());
        let (states, more, latest) = (BTreeMap::new(), false, None);
        Some(Box::new(DeadStates { most, states, more, latest, describe }))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        let states: Vec<(&Moment, &Vec<u8>)> =
            self.states.iter().map(|(bytes, (moment, _))| (moment, bytes)).collect();
        Some(codec::to_bytes(&(states, self.more)))
    }

    fn merge(&mut self, model: &M, saved: &[u8]) -> bool {
        type Parts = (Vec<(Moment, Vec<u8>)>, bool);
        let Some((states, more)) = codec::read::<Parts>(saved) else { return false };
        if states.len() > self.most {
            return false;
        }
        self.more |= more;
        let describe = self.describe.clone();
        for (moment, bytes) in states {
            let Some(state) = model.try_decode(&bytes) else { return false };
            self.add(moment, &bytes, || describe(model, &state));
        }
        true
    }
}

impl<M: Model> Query<M> for DeadStates<M> {
    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }

    fn needs(&self) -> Needs<M> {
        Needs::Ends
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn findings(&self) -> Vec<String> {
        let mut shown: Vec<&(Moment, String)> = self.states.values().collect();
        shown.sort();
        let mut lines: Vec<String> = shown.into_iter().map(|(_, text)| text.clone()).collect();
        if self.more {
            lines.push(format!("and more (only {} are kept)", self.most));
        }
        lines
    }
}

/// The least and the greatest value of an expression; holds if the exploration is complete.
pub struct Bound<F> {
    expression: Arc<F>,
    range: Option<(i128, i128)>,
}

impl<F> Bound<F> {
    /// The bounds of `expression`.
    pub fn new(expression: F) -> Self {
        Bound { expression: Arc::new(expression), range: None }
    }

    fn add(&mut self, (least, greatest): (i128, i128)) {
        match &mut self.range {
            // Few values are new bounds; nothing is written for the others.
            Some((low, high)) if *low <= least && greatest <= *high => {}
            Some((low, high)) => (*low, *high) = (least.min(*low), greatest.max(*high)),
            none => *none = Some((least, greatest)),
        }
    }
}

impl<M: Model, F: Evaluate<M, i128>> Observer<M> for Bound<F> {
    #[inline]
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        let value = (self.expression)(visit.model, worker, visit.state)?;
        self.add((value, value));
        Ok(())
    }

    fn sees(&self, model: &M, worker: &mut M::Worker, state: &M::State, push: Put<'_>) -> Computed {
        push(0, (self.expression)(model, worker, state)?);
        Ok(())
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(Bound { expression: self.expression.clone(), range: None }))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.range))
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        let Some(range) = codec::read::<Option<(i128, i128)>>(saved) else { return false };
        range.into_iter().for_each(|range| self.add(range));
        true
    }
}

impl<M: Model, F: Evaluate<M, i128>> Query<M> for Bound<F> {
    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn range(&self) -> Option<(i128, i128)> {
        self.range
    }
}

/// Holds if every action of a list labels some edge; the findings are the actions that do not.
pub struct DeadActions<F> {
    index: Arc<F>,
    names: Arc<[String]>,
    dead: BTreeSet<usize>,
    /// How many were in `dead` at first.
    open: usize,
}

impl<F> DeadActions<F> {
    /// Actions `0..names.len()`; `index` gives the number of an edge's action.
    pub fn new(names: Vec<String>, index: F) -> Self {
        let (dead, open) = ((0..names.len()).collect(), names.len());
        DeadActions { index: Arc::new(index), names: names.into(), dead, open }
    }
}

impl<M: Model, F: Fn(&M::Action) -> usize + Send + Sync> Observer<M> for DeadActions<F> {
    fn arc(&mut self, _source: &Visit<'_, M>, action: &M::Action, _target: &M::State) -> Flow {
        self.dead.remove(&(self.index)(action));
        if self.dead.is_empty() { DECIDED } else { Ok(()) }
    }

    fn watches_arcs(&self) -> bool {
        true
    }

    fn decided(&self) -> u64 {
        (self.open - self.dead.len()) as u64
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        let (index, names) = (self.index.clone(), self.names.clone());
        let (dead, open) = (self.dead.clone(), self.dead.len());
        Some(Box::new(DeadActions { index, names, dead, open }))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.dead))
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        let Some(dead) = codec::read::<BTreeSet<usize>>(saved) else { return false };
        self.dead.retain(|action| dead.contains(action));
        dead.last().is_none_or(|&last| last < self.names.len())
    }
}

impl<M: Model, F: Fn(&M::Action) -> usize + Send + Sync> Query<M> for DeadActions<F> {
    fn has_witness(&self) -> bool {
        false
    }

    fn answer(&self) -> Answer {
        if self.dead.is_empty() { Answer::Holds(None) } else { Answer::ViolatedSoFar }
    }

    fn findings(&self) -> Vec<String> {
        self.dead.iter().map(|&action| self.names[action].clone()).collect()
    }
}
