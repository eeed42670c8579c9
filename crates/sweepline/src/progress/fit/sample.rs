//! A small part of a state space that stands for all of it.

use std::collections::{BTreeSet, VecDeque};

use super::effects::Effects;
use super::{Dice, Effort, features_of};
use crate::explore::explore;
use crate::model::{ModelError, bytes_of, initial, successors_by};
use crate::observe::{DECIDED, Flow, Observer, StateId, Visit};
use crate::progress::Trivial;
use crate::progress::features::{Effect, Features};

/// State spaces of at most this many states and edges are taken whole.
const STATES: usize = 30_000;
const EDGES: usize = 300_000;
/// Walkers that go together, steps they go, and steps of all of them.
const WALKERS: usize = 300;
const WALK: usize = 400;
const STEPS: usize = 90_000;
/// Steps times changes of all effects: looking for the ways into a state of a large net takes long.
const WORK: usize = 40_000_000;
/// States that predictions look at.
const WITNESSES: usize = 20_000;
/// Ways into them.
const WAYS: usize = 1_000_000;
/// The same while the sample is taken: memory for them.
const MOST_WAYS: usize = 8_000_000;

/// How a sample was taken.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Scope {
    /// It is the whole state space.
    #[default]
    Whole,
    /// States met by random walkers, weighted so that all states count alike as far as that can be
    /// told.
    Walks,
}

/// An edge of the sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    source: u32,
    target: u32,
    effect: u32,
}

/// A state that predictions look at.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    pub(super) state: u32,
    /// How many states it stands for.
    pub(super) weight: f64,
    /// The effects by which its predecessors lead to it; empty when they are not known.
    pub(super) incoming: Vec<u32>,
}

/// States with how each was found, and those among them that predictions look at.
#[derive(Default)]
pub(super) struct Sample {
    pub(super) scope: Scope,
    /// For each state the one it was found from, and by which effect; roots come first and have none.
    origins: Vec<(u32, u32)>,
    /// The features of the roots.
    pub(super) roots: Vec<Vec<i64>>,
    pub(super) witnesses: Vec<Witness>,
    /// All edges, or those walked along.
    edges: Vec<Edge>,
    /// Steps from a root.
    depth: Vec<u32>,
    /// States whose successors were computed, and how many successors.
    expanded: u64,
    computed: u64,
    /// Ways into witnesses.
    n_ways: usize,
}

impl Sample {
    /// Takes a sample of `model`: everything where that is little, else what walkers meet.
    pub(super) fn take<M: Features>(model: &M, effects: &mut Effects, effort: &Effort) -> Self {
        let most = effort.successors();
        let mut sample = Sample::new(model);
        if sample.explore(model, effects, EDGES.min(most as usize / 2), effort) {
            return sample;
        }
        let mut sample = Sample::new(model);
        sample.walk(model, effects, most / 2, effort);
        sample
    }

    /// Edges of a state, on average.
    pub(super) fn degree(&self) -> u64 {
        (self.computed / self.expanded.max(1)).max(1)
    }

    fn new<M: Features>(model: &M) -> Self {
        let mut sample = Sample::default();
        let mut seen = BTreeSet::new();
        for state in initial(model) {
            if !seen.insert(bytes_of(model, &state)) {
                continue;
            }
            sample.origins.push((0, 0));
            sample.depth.push(0);
            sample.roots.push(features_of(model, &state));
        }
        sample
    }

    /// States in the sample.
    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }

    /// How many states all witnesses stand for.
    pub(super) fn weight(&self) -> f64 {
        self.witnesses.iter().map(|witness| witness.weight).sum()
    }

    /// The value of every state under weights of features with these steps of effects.
    pub(super) fn values(&self, weights: &[i64], steps: &[i64], values: &mut Vec<i64>) {
        values.clear();
        for root in &self.roots {
            let terms = root.iter().zip(weights).map(|(&n, &weight)| n.wrapping_mul(weight));
            values.push(terms.fold(0, i64::wrapping_add));
        }
        for &(parent, effect) in &self.origins[self.roots.len()..] {
            values.push(values[parent as usize].wrapping_add(steps[effect as usize]));
        }
    }

    /// For each feature after how many steps it is first seen to be changed; at once where it is not
    /// zero at the start.
    pub(super) fn first_changes(&self, effects: &[Effect]) -> Vec<u32> {
        let Some(root) = self.roots.first() else { return Vec::new() };
        let mut first: Vec<u32> = root.iter().map(|&n| if n == 0 { u32::MAX } else { 0 }).collect();
        for edge in &self.edges {
            for &(feature, _) in &effects[edge.effect as usize] {
                let depth = self.depth[edge.source as usize] + 1;
                first[feature] = first[feature].min(depth);
            }
        }
        first
    }

    fn add(&mut self, parent: u32, effect: u32) -> u32 {
        self.origins.push((parent, effect));
        self.depth.push(self.depth[parent as usize] + 1);
        (self.origins.len() - 1) as u32
    }

    /// All successors of `state`.
    fn successors<M: Features>(
        &mut self,
        model: &M,
        worker: &mut M::Worker,
        state: &M::State,
    ) -> Result<Vec<(M::Action, M::State)>, ModelError> {
        let successors = successors_by(model, worker, state)?;
        self.expanded += 1;
        self.computed += successors.len() as u64;
        Ok(successors)
    }

    /// Explores breadth first; `false` when there are too many states, or more than `most` edges.
    fn explore<M: Features>(
        &mut self,
        model: &M,
        effects: &mut Effects,
        most: usize,
        effort: &Effort,
    ) -> bool {
        let options = effort.options(None);
        let mut gather = Gather { sample: self, effects, most, found: VecDeque::new() };
        if explore(model, &Trivial, &options, &mut gather).stop.is_some() {
            return false;
        }
        self.witnesses = (0..self.len() as u32)
            .map(|state| Witness { state, weight: 1.0, incoming: Vec::new() })
            .collect();
        for edge in &self.edges {
            self.witnesses[edge.target as usize].incoming.push(edge.effect);
        }
        true
    }

    /// Sends out walkers, in rounds, until there are enough steps.
    fn walk<M: Features>(&mut self, model: &M, effects: &mut Effects, most: u64, effort: &Effort) {
        self.scope = Scope::Walks;
        let (mut dice, mut worker) = (Dice::new(), model.worker());
        let mut steps = 0;
        let changes: usize = effects.list.iter().map(Vec::len).sum();
        let enough = (WORK / (changes + 1)).clamp(10 * WALKERS, STEPS);
        while steps < enough && self.computed < most && !self.is_over(effort) {
            let before = self.len();
            self.round((model, &mut worker), effects, (most, effort), &mut dice);
            steps += (self.len() - before).max(WALKERS);
        }
        let ways: usize = self.witnesses.iter().map(|witness| witness.incoming.len()).sum();
        let every = self.witnesses.len().div_ceil(WITNESSES).max(ways.div_ceil(WAYS)).max(1);
        let mut number = 0;
        self.witnesses.retain(|_| {
            number += 1;
            number % every == 0
        });
    }

    /// No step more: the search must end, or the ways into states take too much memory.
    fn is_over(&self, effort: &Effort) -> bool {
        self.n_ways >= effort.memory().map_or(MOST_WAYS, |bytes| MOST_WAYS.min(bytes / 16))
            || effort.is_over()
    }

    /// Walkers start together. One that has `d` ways to go and takes one stands for `d`; where it
    /// comes to, `i` ways meet, and its share of that is one of `i`. So weights, multiplied along the
    /// way, count every state once, whatever the number of paths to it; and walkers that stand for
    /// much are doubled, those that stand for little given up.
    fn round<M: Features>(
        &mut self,
        (model, worker): (&M, &mut M::Worker),
        effects: &mut Effects,
        (most, effort): (u64, &Effort),
        dice: &mut Dice,
    ) {
        let roots = initial(model);
        let mut total = roots.len() as f64;
        let mut walkers: Vec<(u32, M::State)> = (0..WALKERS)
            .map(|_| dice.below(roots.len()))
            .map(|root| (root as u32, roots[root].clone()))
            .collect();
        let start = self.witnesses.len();
        let mut step_ends = Vec::new();
        for _ in 0..WALK {
            let share = total / walkers.len() as f64;
            let mut next: Vec<(f64, u32, M::State)> = Vec::new();
            for (number, state) in &walkers {
                let Ok(mut ways) = self.successors(model, worker, state) else { return };
                if ways.is_empty() {
                    continue;
                }
                let out = ways.len() as f64;
                let (action, target) = ways.swap_remove(dice.below(ways.len()));
                let effect = effects.of(model, state, &action, &target) as u32;
                let reached = self.add(*number, effect);
                let mut incoming = Vec::new();
                model.incoming(&target, &mut |effect| incoming.push(effect as u32));
                self.n_ways += incoming.len();
                let weight =
                    share * out / if incoming.is_empty() { out } else { incoming.len() as f64 };
                self.edges.push(Edge { source: *number, target: reached, effect });
                self.witnesses.push(Witness { state: reached, weight, incoming });
                next.push((weight, reached, target));
            }
            step_ends.push(self.witnesses.len());
            total = next.iter().map(|(weight, ..)| weight).sum();
            let is_over = self.computed >= most || self.is_over(effort);
            if next.is_empty() || !total.is_normal() || is_over {
                return self.level(start, &step_ends, 0.5);
            }
            walkers = resample(&next, total, dice);
        }
        self.level(start, &step_ends, 1.0);
    }

    /// Makes the weights of the steps of a round more alike. All the same where the round did not end
    /// by itself: its walkers went round in circles, and what they stand for grew or shrank with every
    /// turn. Half way where it did: some of the ways in that are known lead from states that are never
    /// reached, and each of them takes away from all steps to come.
    fn level(&mut self, mut start: usize, step_ends: &[usize], how_far: f64) {
        for &end in step_ends {
            let step = &mut self.witnesses[start..end];
            let total: f64 = step.iter().map(|witness| witness.weight).sum();
            step.iter_mut().for_each(|witness| witness.weight /= total.powf(how_far));
            start = end;
        }
    }
}

/// Numbers the states of an exploration in full, and takes its edges down.
struct Gather<'a> {
    sample: &'a mut Sample,
    effects: &'a mut Effects,
    /// The most edges.
    most: usize,
    /// The effects of edges that are not looked up yet, in order.
    found: VecDeque<u32>,
}

impl<M: Features> Observer<M> for Gather<'_> {
    fn node(&mut self, _visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if self.sample.len() >= STATES || self.sample.edges.len() >= self.most {
            return DECIDED;
        }
        self.sample.expanded += 1;
        Ok(())
    }

    fn arc(&mut self, source: &Visit<'_, M>, action: &M::Action, target: &M::State) -> Flow {
        let effect = self.effects.of(source.model, source.state, action, target);
        self.found.push_back(effect as u32);
        self.sample.computed += 1;
        Ok(())
    }

    fn link(&mut self, source: StateId, _action: &M::Action, target: StateId, new: bool) -> Flow {
        let Some(effect) = self.found.pop_front() else { return Ok(()) };
        let (source, target) = (source.number as u32, target.number as u32);
        if new {
            self.sample.add(source, effect);
        }
        self.sample.edges.push(Edge { source, target, effect });
        Ok(())
    }

    fn watches_arcs(&self) -> bool {
        true
    }

    fn watches_links(&self) -> bool {
        true
    }
}

/// As many walkers as set out, each of `next` as often as its weight asks for.
fn resample<S: Clone>(next: &[(f64, u32, S)], total: f64, dice: &mut Dice) -> Vec<(u32, S)> {
    let apart = total / WALKERS as f64;
    let mut at = apart * (dice.below(1000) as f64 + 0.5) / 1000.0;
    let (mut walkers, mut passed) = (Vec::with_capacity(WALKERS), 0.0);
    for (weight, number, state) in next {
        passed += weight;
        while at < passed && walkers.len() < WALKERS {
            walkers.push((*number, state.clone()));
            at += apart;
        }
    }
    walkers
}
