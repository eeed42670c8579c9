//! Expanding a state when something may be left out.
//!
//! All successors are gathered first, since what is fired depends on all that could be. They keep the
//! numbers they have in the model's order, so that origins mean the same as without reduction.

use std::ops::Range;

use super::batch::Intake;
use super::pusher::Pusher;
use super::{Options, Run, Step, decided};
use crate::identity::{Classes, Identity, Met, Trials};
use crate::model::{Model, ModelError, Sink};
use crate::observe::{Observer, StateId, Visit};
use crate::progress::{Progress, Value};
use crate::reduction::Reduction;
use crate::retain::{Held, LayerId, hash};
use crate::select::{Lookahead, Sleep};
use crate::verdict::StopReason;

/// Why a run with `options` cannot be reduced so.
pub(super) fn conflict<M: Model>(
    reduction: &Reduction<'_, M>,
    options: &Options,
) -> Option<&'static str> {
    if reduction.is_none() {
        return None;
    }
    if options.cache.is_some() {
        return Some("state space caching explores depth first, and goes with no reduction");
    }
    if options.checkpoint.is_some() {
        return Some("a checkpoint holds no sleep sets and classes: a reduced run cannot be saved");
    }
    reduction.conflict()
}

/// What a reduced run remembers besides its states.
pub(super) struct Reduced<M: Model> {
    /// The successors of the state being expanded.
    actions: Vec<M::Action>,
    states: Vec<M::State>,
    /// How many of `states` are in use; the rest is kept for reuse.
    gathered: usize,
    /// Those to fire.
    chosen: Vec<bool>,
    /// Their actions, by number.
    numbers: Vec<u32>,
    /// Actions asleep at the state, then those fired; and those asleep at a successor.
    covered: Vec<u32>,
    sleeping: Vec<u32>,
    ahead: Lookahead,
    error: Option<ModelError>,
    bytes: Vec<u8>,
    classes: Classes,
    trials: Trials,
    /// Classes at the end of the last layer, and layers since there were fewer.
    known: u64,
    idle: u64,
    /// States cut off at the end of the last layer.
    cut: u64,
}

impl<M: Model> Default for Reduced<M> {
    fn default() -> Self {
        Reduced {
            actions: Vec::new(),
            states: Vec::new(),
            gathered: 0,
            chosen: Vec::new(),
            numbers: Vec::new(),
            covered: Vec::new(),
            sleeping: Vec::new(),
            ahead: Lookahead::default(),
            error: None,
            bytes: Vec::new(),
            classes: Classes::default(),
            trials: Trials::default(),
            known: 0,
            idle: 0,
            cut: 0,
        }
    }
}

impl<M: Model> Sink<M> for Reduced<M> {
    fn push(&mut self, action: M::Action, state: &M::State) {
        self.actions.push(action);
        match self.states.get_mut(self.gathered) {
            Some(old) => old.clone_from(state),
            None => self.states.push(state.clone()),
        }
        self.gathered += 1;
    }

    fn fail(&mut self, error: ModelError) {
        self.error.get_or_insert(error);
    }
}

impl<M: Model> Reduced<M> {
    fn gather(&mut self, model: &M, state: &M::State) -> Step {
        self.actions.clear();
        self.gathered = 0;
        model.successors(state, self);
        self.chosen.clear();
        self.chosen.resize(self.gathered, true);
        match self.error.take() {
            Some(error) => Err(StopReason::Model(error.to_string())),
            None => Ok(()),
        }
    }
}

impl<M: Model, P: Progress<M>, O: Observer<M>> Run<'_, M, P, O> {
    /// Shows a state to the observer, unless it was there before and actions woke up `again`, and puts
    /// those of its successors into the batch that no reduction leaves out.
    pub(super) fn expand_reduced(
        &mut self,
        layer: LayerId,
        id: StateId,
        state: &M::State,
        bytes: &[u8],
        again: bool,
    ) -> Step {
        if self.trail.keeps_sources() {
            self.batch.keep_source(id.number, bytes);
        }
        let (value, stored) = (self.line.clone(), self.stored);
        let visit = Visit { model: self.model, state, bytes, value: &value, id, stored, way: None };
        if again {
            self.statistics.woken += 1;
        } else {
            self.statistics.explored += 1;
            decided(self.observer.node(&visit))?;
        }
        self.reduced.gather(self.model, state)?;
        if self.reduced.gathered == 0 {
            if self.model.has_terminated(state) {
                return Ok(());
            }
            self.statistics.dead += 1;
            return decided(self.observer.dead(&visit));
        }
        self.represent(&value)?;
        if !again {
            self.select(state, &value);
        }
        let fired = match &self.reduction.sleep {
            Some(sleep) => self.fire_awake(sleep, layer, &visit, again),
            None => self.fire(layer, &visit),
        }?;
        self.statistics.edges += fired;
        if again {
            // They were left out when the state was visited first.
            self.statistics.skipped -= fired;
        } else {
            self.statistics.skipped += self.reduced.gathered as u64 - fired;
        }
        Ok(())
    }

    /// Puts the representative of each gathered successor in its place.
    fn represent(&mut self, line: &Value) -> Step {
        let Identity::Representative(rule) = &self.reduction.identity else { return Ok(()) };
        let Reduced { actions, states, gathered, trials, bytes, .. } = &mut self.reduced;
        for (state, &action) in states[..*gathered].iter_mut().zip(actions.iter()) {
            let before = state.clone();
            rule.represent(state);
            bytes.clear();
            self.model.encode(&before, bytes);
            let middle = bytes.len();
            self.model.encode(state, bytes);
            let (old, new) = bytes.split_at(middle);
            if old == new {
                continue;
            }
            if !self.progress.is_trivial() {
                let (mut from, mut to) = (Value::default(), Value::default());
                self.progress.measure_step(line, action, &before, &mut from);
                self.progress.measure(state, &mut to);
                if from != to {
                    return Err(StopReason::Reduction(format!(
                        "the measure and the equivalence disagree: a state of progress {from} has a representative of progress {to}"
                    )));
                }
            }
            if rule.is_proven() {
                continue;
            }
            if let Some(question) = differs(self.model, &*self.observer, &before, state) {
                return Err(self.told_apart(question, "a state and its representative"));
            }
            if !trials.try_state(self.model, &**rule, &before, state) {
                return Err(StopReason::Reduction(format!(
                    "the equivalence is not consistent: after {action:?} a state and its representative have successors in different classes"
                )));
            }
        }
        self.statistics.tried = trials.tried;
        Ok(())
    }

    /// The same for an initial state; and its class may be one to remember.
    pub(super) fn represent_initial(&mut self, state: &mut M::State) -> Step {
        match &self.reduction.identity {
            Identity::Exact => {}
            Identity::Representative(rule) => rule.represent(state),
            Identity::CutOff(_) => _ = self.meet_class(state)?,
        }
        Ok(())
    }

    /// Looks up the class of `state`, which is new, and remembers it where it is to be; whether it
    /// was remembered.
    fn meet_class(&mut self, state: &M::State) -> Step<bool> {
        let Identity::CutOff(rule) = &self.reduction.identity else { return Ok(false) };
        let Reduced { classes, trials, .. } = &mut self.reduced;
        let (model, observer) = (self.model, &*self.observer);
        let seen = |found: &mut Vec<_>| {
            observer.sees(model, state, &mut |question, value| found.push((question, value)));
        };
        let met = classes.meet((model, rule), state, seen, trials, &mut self.window.budget);
        (self.statistics.classes, self.statistics.tried) = (classes.len(), trials.tried);
        match met {
            Met::Known => Ok(true),
            Met::New => Ok(false),
            Met::Full => Err(StopReason::Memory),
            Met::ToldApart(question) => {
                Err(self.told_apart(question, "two states of one class"))
            }
            Met::Inconsistent => Err(StopReason::Reduction(
                "the equivalence is not consistent: two states of one class have successors in different classes".into(),
            )),
        }
    }

    /// A question does not go with the equivalence.
    fn told_apart(&self, question: usize, states: &str) -> StopReason {
        let name = self.reduction.questions.get(question).map_or("?", String::as_str);
        StopReason::Reduction(format!(
            "the equivalence does not go with `{name}`, which tells {states} apart"
        ))
    }

    /// Asks the selection what to fire. Where it may put actions off for ever, all are fired unless
    /// some successor chosen will be expanded after this state.
    fn select(&mut self, state: &M::State, line: &Value) {
        let Some(selection) = &self.reduction.selection else { return };
        let Reduced { actions, chosen, .. } = &mut self.reduced;
        selection.select(state, actions, chosen);
        if !selection.may_ignore() || chosen.iter().all(|&chosen| chosen) {
            return;
        }
        let later = |run: &mut Self, at: usize| run.held(at, line) != Held::Expanded;
        if !(0..self.reduced.gathered).any(|at| self.reduced.chosen[at] && later(self, at)) {
            self.reduced.chosen.fill(true);
        }
    }

    /// Whether the gathered successor `at` is held.
    fn held(&mut self, at: usize, line: &Value) -> Held {
        let Reduced { actions, states, bytes, .. } = &mut self.reduced;
        let mut value = Value::default();
        self.progress.measure_step(line, actions[at], &states[at], &mut value);
        bytes.clear();
        self.model.encode(&states[at], bytes);
        self.window.find(&value, hash(bytes), bytes)
    }

    /// Pushes what is chosen and not cut off.
    fn fire(&mut self, layer: LayerId, visit: &Visit<'_, M>) -> Step<u64> {
        let mut fired = 0;
        for at in 0..self.reduced.gathered {
            if self.reduced.chosen[at] {
                fired += 1;
                if !self.is_cut_off(at, visit.value)? {
                    self.push(layer, visit, at, 0..0)?;
                }
            }
        }
        Ok(fired)
    }

    /// The gathered successor `at` is new and in a class that is remembered (seed 004, figure 3).
    fn is_cut_off(&mut self, at: usize, line: &Value) -> Step<bool> {
        if !matches!(self.reduction.identity, Identity::CutOff(_))
            || self.held(at, line) != Held::Not
        {
            return Ok(false);
        }
        let state = self.reduced.states[at].clone();
        let known = self.meet_class(&state)?;
        self.statistics.cut += u64::from(known);
        Ok(known)
    }

    /// Pushes the successors of the actions that are chosen and awake, with the actions that sleep
    /// after each (seed 001, figure 1); of a state visited again, those that woke up.
    ///
    /// Actions that are not chosen do not sleep: nothing is lost by fewer, and should they wake up they
    /// would be fired, though the selection has no need of them.
    fn fire_awake(
        &mut self,
        sleep: &Sleep<'_, M>,
        layer: LayerId,
        visit: &Visit<'_, M>,
        again: bool,
    ) -> Step<u64> {
        let Reduced { actions, numbers, chosen, gathered, .. } = &mut self.reduced;
        let gathered = *gathered;
        numbers.clear();
        numbers.extend(actions.iter().map(|&action| sleep.number(action)));
        let (layer_of, state) = (self.window.layer_mut(layer), visit.id.number as usize);
        if !again {
            let is_chosen = |asleep| numbers.iter().zip(&*chosen).any(|(&n, &c)| c && n == asleep);
            layer_of.retain_asleep(state, is_chosen);
        }
        let (asleep, woken) = layer_of.asleep(state);
        for (number, chosen) in numbers.iter().zip(chosen) {
            *chosen =
                if again { woken.contains(number) } else { *chosen && !asleep.contains(number) };
        }
        self.reduced.covered.clear();
        self.reduced.covered.extend_from_slice(asleep);
        self.reduced.ahead.forget(gathered);
        let mut fired = 0;
        for first in 0..gathered {
            let action = self.reduced.numbers[first];
            if !self.reduced.chosen[first] || self.reduced.covered.contains(&action) {
                continue;
            }
            for at in first..gathered {
                if self.reduced.numbers[at] != action {
                    continue;
                }
                let Reduced { numbers, states, covered, ahead, sleeping, .. } = &mut self.reduced;
                let around = (&numbers[..], &states[..gathered]);
                let covered = covered.iter().copied();
                sleeping.clear();
                sleeping.extend(
                    covered.filter(|&other| ahead.exchanges(self.model, sleep, around, at, other)),
                );
                self.push_asleep(layer, visit, at)?;
                fired += 1;
            }
            self.reduced.covered.push(action);
        }
        Ok(fired)
    }

    /// Puts the gathered successor `at` into the batch, with the actions that sleep there.
    fn push_asleep(&mut self, layer: LayerId, visit: &Visit<'_, M>, at: usize) -> Step {
        let start = self.batch.asleep.len();
        self.batch.asleep.extend_from_slice(&self.reduced.sleeping);
        let sleep = start..self.batch.asleep.len();
        self.push(layer, visit, at, sleep)
    }

    /// Puts the gathered successor `at` into the batch; `sleep` is where the actions stand that sleep there.
    fn push(
        &mut self,
        layer: LayerId,
        visit: &Visit<'_, M>,
        at: usize,
        sleep: Range<usize>,
    ) -> Step {
        let intake = Intake {
            window: &mut self.window,
            trail: &mut self.trail,
            observer: &mut *self.observer,
            stored: &mut self.stored,
            uncollected: &mut self.uncollected,
            persistent: &mut self.statistics.persistent,
            sleeps: self.reduction.sleep.is_some(),
            silent: false,
        };
        let mut pusher =
            Pusher::new(self.progress, self.options, intake, &mut self.batch, visit, layer);
        (pusher.number, pusher.sleep) = (at as u32, sleep);
        pusher.push(self.reduced.actions[at], &self.reduced.states[at]);
        self.statistics.regress_edges += pusher.regressed;
        match pusher.stop {
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }

    /// A layer is done: counts those since a class was last added, and gives up after many.
    pub(super) fn check_patience(&mut self) -> Step {
        let Identity::CutOff(rule) = &self.reduction.identity else { return Ok(()) };
        let (reduced, statistics) = (&mut self.reduced, &mut self.statistics);
        if reduced.known < statistics.classes {
            (reduced.known, reduced.idle) = (statistics.classes, 0);
        } else {
            reduced.idle += 1;
            statistics.uncut_layers += u64::from(reduced.cut == statistics.cut);
        }
        reduced.cut = statistics.cut;
        if reduced.idle > rule.patience {
            return Err(StopReason::Patience(reduced.idle));
        }
        Ok(())
    }
}

/// The first question that sees `a` and `b` differ.
fn differs<M: Model>(
    model: &M,
    observer: &impl Observer<M>,
    a: &M::State,
    b: &M::State,
) -> Option<usize> {
    let (mut before, mut differs) = (Vec::new(), None);
    observer.sees(model, a, &mut |question, value| before.push((question, value)));
    observer.sees(model, b, &mut |question, value| {
        if !before.contains(&(question, value)) {
            differs.get_or_insert(question);
        }
    });
    differs
}
