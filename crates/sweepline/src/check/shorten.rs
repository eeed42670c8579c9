//! Shorter counterexamples.
//!
//! Breadth first, the first path to a state is a shortest one. Along a measure, under a reduction or in a hunt it need
//! not be, and it may be hard to read. So such a path is shortened before it is shown, within a budget: loops are cut
//! out, steps that are not needed are left out, and short searches look for shortcuts between its states. The search
//! for a [shortest](Nearest) path is a breadth-first exploration up to the length that is known.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use super::find::Find;
use super::report::Property;
use crate::explore::{Options, explore};
use crate::model::{Model, bytes_of, successors_by};
use crate::observe::{
    DECIDED, Flow, Fork, Hit, Observer, Queries, StateId, Statistics, Step, Visit, Witness,
};
use crate::progress::{Trivial, Value};
use crate::reduction::Reduction;
use crate::verdict::{StopReason, Verdict};

/// Edges computed to shorten one path.
const BUDGET: u64 = 400_000;
/// Edges computed to look for a shortcut from one state, at least and at most.
const SHORTCUT: (u64, u64) = (200, 4_000);

/// What is known of the length of a counterexample or witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortest {
    /// No path is shorter.
    Proven,
    /// No path has fewer steps than this number.
    AtLeast(u64),
}

/// Shortens the paths of the `properties`, which are the verdicts of `queries`.
pub(super) fn shorten_all<M: Model>(
    model: &M,
    options: &Options,
    queries: &Queries<'_, M>,
    properties: &mut [Property<M>],
) {
    for (property, query) in properties.iter_mut().zip(queries.iter()) {
        let Some(witness) = property.verdict.witness_mut() else { continue };
        if witness.len() < 2 || witness.back.is_some() {
            continue;
        }
        let before = witness.len();
        let mut shortening = Shortening {
            model,
            worker: model.worker(),
            options,
            left: BUDGET,
            decides: &|| query.fork(model),
        };
        shortening.shorten(witness);
        if witness.len() < before {
            property.shortened_from = Some(before);
        }
    }
}

/// Shortens the path to the last state of `witness`, which stays the last one.
pub(super) fn shorten_stem<M: Model>(model: &M, options: &Options, witness: &mut Witness<M>) {
    let decides = &|| None;
    let mut shortening =
        Shortening { model, worker: model.worker(), options, left: BUDGET, decides };
    shortening.cut_loops(witness);
    shortening.take_shortcuts(witness);
}

struct Shortening<'a, M: Model> {
    model: &'a M,
    worker: M::Worker,
    options: &'a Options,
    /// Edges that may still be computed.
    left: u64,
    /// An observer of the query.
    decides: &'a dyn Fn() -> Option<Fork<'a, M>>,
}

/// The states of a path.
type Bytes = Vec<Vec<u8>>;

impl<'a, M: Model> Shortening<'a, M> {
    fn shorten(&mut self, witness: &mut Witness<M>) {
        self.cut_loops(witness);
        self.leave_out(witness);
        self.cut_loops(witness);
        self.take_shortcuts(witness);
    }

    fn bytes(&self, witness: &Witness<M>) -> Bytes {
        let steps = witness.steps.iter().map(|step| &step.state);
        let states = std::iter::once(&witness.initial).chain(steps);
        states.map(|state| bytes_of(self.model, state)).collect()
    }

    /// Removes the steps between two visits of the same state.
    fn cut_loops(&self, witness: &mut Witness<M>) {
        let bytes = self.bytes(witness);
        let last: HashMap<&[u8], usize> =
            bytes.iter().enumerate().map(|(at, bytes)| (&**bytes, at)).collect();
        // `at` is the number of a state, and of the step that leads to the next one.
        let (mut at, mut kept) = (0, vec![false; witness.steps.len()]);
        loop {
            at = last[&*bytes[at]];
            let Some(keep) = kept.get_mut(at) else { break };
            *keep = true;
            at += 1;
        }
        let mut kept = kept.into_iter();
        witness.steps.retain(|_| kept.next().unwrap_or(true));
    }

    /// The successors of a state; none if the budget is used or the run must end.
    fn successors(&mut self, state: &M::State) -> Vec<(M::Action, M::State)> {
        let late = self.options.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.left == 0 || late || self.options.interrupt.is_raised() {
            self.left = 0;
            return Vec::new();
        }
        let found = successors_by(self.model, &mut self.worker, state).unwrap_or_default();
        self.left = self.left.saturating_sub(found.len().max(1) as u64);
        found
    }

    /// Whether a state decides the query.
    fn decides(&mut self, state: &M::State) -> bool {
        let Some(mut fork) = (self.decides)() else { return false };
        let (model, bytes) = (self.model, bytes_of(self.model, state));
        let (id, value) = (StateId { layer: 0, number: 0 }, Value::default());
        let visit = Visit { model, state, bytes: &bytes, value: &value, id, stored: 0, path: None };
        if fork.node(&visit, &mut self.worker) == DECIDED {
            return true;
        }
        let is_dead = self.successors(state).is_empty() && self.left > 0;
        is_dead && !model.has_terminated(state) && fork.dead(&visit, &mut self.worker) == DECIDED
    }

    /// Leaves out steps after which the remaining ones still lead to a state that decides the query: first half of
    /// them, then smaller parts.
    fn leave_out(&mut self, witness: &mut Witness<M>) {
        let mut size = witness.steps.len().div_ceil(2);
        while size > 0 && self.left > 0 {
            let mut at = 0;
            while at < witness.steps.len() && self.left > 0 {
                match self.without(witness, at, size) {
                    Some(steps) => {
                        witness.steps.truncate(at);
                        witness.steps.extend(steps);
                    }
                    None => at += size,
                }
            }
            size /= 2;
        }
    }

    /// The steps from `at` on without the first `size` of them, if they can be taken and decide the query.
    fn without(&mut self, witness: &Witness<M>, at: usize, size: usize) -> Option<Vec<Step<M>>> {
        let mut state = match at.checked_sub(1) {
            Some(before) => witness.steps[before].state.clone(),
            None => witness.initial.clone(),
        };
        let rest = witness.steps.get(at + size..).unwrap_or_default();
        let mut steps: Vec<Step<M>> = Vec::with_capacity(rest.len());
        for step in rest {
            let label = format!("{:?}", step.action);
            let next = self.successors(&state).into_iter();
            let (action, next) = { next }.find(|(action, _)| format!("{action:?}") == label)?;
            state.clone_from(&next);
            steps.push(Step { action, state: next });
        }
        self.decides(&state).then_some(steps)
    }

    /// Replaces parts of the path by shorter ones that short searches find.
    fn take_shortcuts(&mut self, witness: &mut Witness<M>) {
        let (mut at, mut bytes) = (0, self.bytes(witness));
        let most = self.left / (bytes.len() as u64 + 1);
        let most = most.clamp(SHORTCUT.0, SHORTCUT.1);
        while at + 2 < bytes.len() && self.left > 0 {
            match self.shortcut(witness, &bytes, at, most) {
                Some((steps, to)) => {
                    let states = steps.iter().map(|step| bytes_of(self.model, &step.state));
                    let states: Bytes = states.collect();
                    witness.steps.splice(at..to, steps);
                    bytes.splice(at + 1..=to, states);
                }
                None => at += 1,
            }
        }
    }

    /// The best shortcut from the state number `at`: its steps, and the number of the state where it ends. It
    /// explores at most about `most` edges.
    fn shortcut(
        &mut self,
        witness: &Witness<M>,
        bytes: &Bytes,
        at: usize,
        most: u64,
    ) -> Option<(Vec<Step<M>>, usize)> {
        let ahead: HashMap<&[u8], usize> =
            bytes.iter().enumerate().skip(at + 1).map(|(to, bytes)| (&**bytes, to)).collect();
        let start = match at.checked_sub(1) {
            Some(before) => &witness.steps[before].state,
            None => &witness.initial,
        };
        // The states found, each with the one before it, its step and its distance.
        let mut found: Vec<(usize, Option<Step<M>>, usize)> = vec![(0, None, 0)];
        let mut known: HashSet<Vec<u8>> = HashSet::from([bytes[at].clone()]);
        let mut next = 0;
        let mut best: Option<(usize, usize, usize)> = None;
        let end = self.left.saturating_sub(most);
        while next < found.len() && self.left > end {
            let (_, step, distance) = &found[next];
            let distance = distance + 1;
            let state = step.as_ref().map_or(start, |step| &step.state).clone();
            for (action, state) in self.successors(&state) {
                let target = bytes_of(self.model, &state);
                if !known.insert(target.clone()) {
                    continue;
                }
                let number = found.len();
                found.push((next, Some(Step { action, state }), distance));
                let Some(&to) = ahead.get(&*target) else { continue };
                let gain = (to - at).saturating_sub(distance);
                if gain > 0 && best.is_none_or(|(most, ..)| gain > most) {
                    best = Some((gain, number, to));
                }
            }
            next += 1;
        }
        let (_, mut number, to) = best?;
        let mut steps = Vec::new();
        while number != 0 {
            let (before, step, _) = &mut found[number];
            number = *before;
            steps.extend(step.take());
        }
        steps.reverse();
        Some((steps, to))
    }
}

/// Looks breadth first for a shorter path to a state that decides a query.
struct Nearest<'q, M: Model> {
    query: Fork<'q, M>,
    /// Levels that were begun.
    levels: u64,
    /// The length to beat.
    most: u64,
    hit: Option<Hit>,
}

impl<M: Model> Nearest<'_, M> {
    fn note(&mut self, flow: Flow, visit: &Visit<'_, M>) -> Flow {
        if flow == DECIDED {
            self.hit = Some(Hit::of(visit));
        }
        flow
    }
}

impl<M: Model> Observer<M> for Nearest<'_, M> {
    fn level(&mut self, _line: &Value, _statistics: &Statistics) -> Flow {
        if self.levels == self.most {
            return DECIDED;
        }
        self.levels += 1;
        Ok(())
    }

    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        let flow = self.query.node(visit, worker);
        self.note(flow, visit)
    }

    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        let flow = self.query.dead(visit, worker);
        self.note(flow, visit)
    }
}

/// Looks for a shortest path for each of the `properties`, breadth first.
///
/// # Errors
///
/// If the model breaks its laws.
pub(super) fn find_shortest<M: Model>(
    model: &M,
    options: &Options,
    queries: &Queries<'_, M>,
    properties: &mut [Property<M>],
) -> Result<(), StopReason> {
    let options = Options {
        limits: options.limits.clone(),
        interrupt: options.interrupt.clone(),
        threads: options.threads.clone(),
        spill: options.spill.clone(),
        ..Options::default()
    };
    for (property, query) in properties.iter_mut().zip(queries.iter()) {
        let Some(witness) = property.verdict.witness_mut().filter(|w| w.back.is_none()) else {
            continue;
        };
        let (Some(fork), most) = (query.fork(model), witness.len() as u64) else { continue };
        let mut nearest = Nearest { query: fork, levels: 0, most, hit: None };
        let mut run = explore(model, &Trivial, &options, &mut nearest);
        let Nearest { hit, levels, .. } = nearest;
        property.shortest = Some(match (hit, &run.stop) {
            (Some(hit), _) => {
                let whole = (model, &Trivial as _, &Reduction::default());
                match Find::new(whole, &options, &mut run.origins).witness(&hit) {
                    Ok(found) => {
                        *witness = found.unwrap_or_else(|| unreachable!("they are logged"))
                    }
                    Err(broken) if broken.is_fault() => return Err(broken),
                    // It is there, but there is no room for its path.
                    Err(_) => continue,
                }
                property.shortened_from = property.shortened_from.or(Some(most as usize));
                property.found_by = None;
                Shortest::Proven
            }
            (None, None | Some(StopReason::Decided)) => Shortest::Proven,
            // The states of the last level are not all known.
            (None, Some(_)) => Shortest::AtLeast(levels.saturating_sub(1)),
        });
    }
    Ok(())
}

impl<M: Model> Verdict<M> {
    fn witness_mut(&mut self) -> Option<&mut Witness<M>> {
        match self {
            Verdict::Holds(witness) | Verdict::Violated(witness) => witness.as_mut(),
            Verdict::Unknown(_) => None,
        }
    }
}
