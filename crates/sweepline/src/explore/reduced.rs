//! Expanding a state under a reduction.
//!
//! All successors are gathered first, because the choice of those to explore depends on all of them. They
//! keep their numbers in the model's order, so origins mean the same as without reduction.

use std::ops::Range;

use super::expand::Expander;
use super::intake::{Intake, Scene, Store};
use super::pusher::Pusher;
use super::{Options, Step};
use crate::identity::{Classes, Identity, Met, Trials};
use crate::model::{Model, ModelError, Sink};
use crate::observe::{Observer, Visit};
use crate::progress::{Progress, Value};
use crate::reduction::Reduction;
use crate::retain::{LayerId, StateStatus, hash};
use crate::select::{Gathered, Lookahead, Scratch, Sleep};
use crate::verdict::StopReason;

/// Why a run with `options` cannot use this reduction.
pub(super) fn conflict<M: Model>(
    reduction: &Reduction<'_, M>,
    options: &Options,
) -> Option<&'static str> {
    if reduction.is_none() {
        return None;
    }
    if options.cache.is_some() {
        return Some("state space caching cannot be combined with a reduction");
    }
    if options.checkpoint.is_some() {
        return Some(
            "checkpoints cannot be combined with a reduction: they do not contain sleep sets and classes",
        );
    }
    reduction.conflict()
}

/// The data of a reduced run, apart from its states.
pub(super) struct Reduced<M: Model> {
    /// The successors of the state being expanded.
    found: Gathered<M>,
    /// Their actions, by number.
    numbers: Vec<u32>,
    /// Actions asleep at the state, then those explored; and those asleep at a successor.
    covered: Vec<u32>,
    sleeping: Vec<u32>,
    ahead: Lookahead,
    /// Scratch memory of selections.
    selecting: Scratch,
    bytes: Vec<u8>,
    classes: Classes,
    trials: Trials,
    /// Number of classes at the end of the last layer, and number of layers since it last grew.
    known: u64,
    idle: u64,
    /// Number of states cut off by the end of the last layer.
    cut: u64,
}

impl<M: Model> Default for Reduced<M> {
    fn default() -> Self {
        Reduced {
            found: Gathered::default(),
            numbers: Vec::new(),
            covered: Vec::new(),
            sleeping: Vec::new(),
            ahead: Lookahead::default(),
            selecting: Scratch::default(),
            bytes: Vec::new(),
            classes: Classes::default(),
            trials: Trials::default(),
            known: 0,
            idle: 0,
            cut: 0,
        }
    }
}

impl<M: Model> Expander<'_, M> {
    /// Puts the successors of a state that no reduction leaves out into the batch; if it is visited `again`,
    /// only those of actions that woke up. Returns the number of successors.
    pub(super) fn push_chosen(
        &mut self,
        scene: &mut Scene<'_, M>,
        layer: LayerId,
        visit: &Visit<'_, M>,
        again: bool,
    ) -> Step<u64> {
        self.reduced.found.gather(self.model, &mut self.worker, visit.state)?;
        let gathered = self.reduced.found.count as u64;
        if gathered == 0 {
            return Ok(0);
        }
        self.represent(&*scene.observer, visit.value)?;
        if !again {
            self.select(scene, visit)?;
        }
        let fired = match &self.reduction.sleep {
            Some(sleep) => self.fire_awake(sleep, scene, layer, visit, again),
            None => self.fire(scene, layer, visit),
        }?;
        let statistics = &mut self.intake.statistics;
        statistics.edges += fired;
        if again {
            // They were counted as left out at the first visit of the state.
            statistics.skipped -= fired;
        } else {
            statistics.skipped += gathered - fired;
        }
        Ok(gathered)
    }

    /// Replaces each gathered successor by its representative.
    fn represent(&mut self, observer: &dyn Observer<M>, line: &Value) -> Step {
        let Identity::Representative(rule) = &self.reduction.identity else { return Ok(()) };
        let (model, intake) = (self.model, &mut self.intake);
        let Reduced { found: Gathered { actions, states, count, .. }, trials, bytes, .. } =
            &mut self.reduced;
        for (state, action) in states[..*count].iter_mut().zip(actions.iter()) {
            let before = state.clone();
            rule.represent(state);
            bytes.clear();
            model.encode(&before, bytes);
            let middle = bytes.len();
            model.encode(state, bytes);
            let (old, new) = bytes.split_at(middle);
            if old == new {
                continue;
            }
            let (progress, reader) = (intake.progress, &mut intake.reader);
            if !progress.is_trivial() {
                let (mut from, mut to) = (Value::default(), Value::default());
                progress.measure_step(reader, line, action, &before, &mut from)?;
                progress.measure(reader, state, &mut to)?;
                if from != to {
                    return Err(StopReason::Reduction(format!(
                        "the progress measure is not compatible with the equivalence: a state of progress {from} has a representative of progress {to}"
                    )));
                }
            }
            if rule.is_proven() {
                continue;
            }
            if let Some(question) = differs(model, reader, observer, &before, state)? {
                return Err(unsound_for(
                    self.reduction,
                    question,
                    "a state and its representative",
                ));
            }
            if !trials.try_state((model, &mut self.worker), &**rule, &before, state) {
                return Err(StopReason::Reduction(format!(
                    "the equivalence is not consistent: after {action:?} a state and its representative have successors in different classes"
                )));
            }
        }
        intake.statistics.tried = trials.tried;
        Ok(())
    }

    /// The same for an initial state, whose class is remembered if it has to be.
    pub(super) fn represent_initial(
        &mut self,
        scene: &mut Scene<'_, M>,
        state: &mut M::State,
    ) -> Step {
        match &self.reduction.identity {
            Identity::Exact => {}
            Identity::Representative(rule) => rule.represent(state),
            Identity::CutOff(_) => _ = self.meet_class(scene, state)?,
        }
        Ok(())
    }

    /// Looks up the class of `state`, which is new, and remembers it if it has to be. Returns whether it was
    /// remembered before.
    fn meet_class(&mut self, scene: &mut Scene<'_, M>, state: &M::State) -> Step<bool> {
        let Identity::CutOff(rule) = &self.reduction.identity else { return Ok(false) };
        let Reduced { classes, trials, .. } = &mut self.reduced;
        let (model, intake) = (self.model, &mut self.intake);
        let Intake { reader, statistics, .. } = intake;
        let Scene { store: Store::Run(states), observer } = scene else {
            unreachable!("cut-offs run on one thread")
        };
        let seen = |reader: &mut M::Worker, found: &mut Vec<_>| {
            observer.sees(model, reader, state, &mut |question, value| {
                found.push((question, value));
            })
        };
        let workers = (&mut self.worker, reader);
        let met =
            classes.meet((model, rule), workers, state, seen, trials, &mut states.window.budget)?;
        (statistics.classes, statistics.tried) = (classes.len(), trials.tried);
        match met {
            Met::Known => Ok(true),
            Met::New => Ok(false),
            Met::Full => Err(StopReason::Memory),
            Met::Distinguished(question) => {
                Err(unsound_for(self.reduction, question, "two states of one class"))
            }
            Met::Inconsistent => Err(StopReason::Reduction(
                "the equivalence is not consistent: two states of one class have successors in different classes".into(),
            )),
        }
    }

    /// Lets the selection choose. If it could delay actions forever, all are explored unless some chosen
    /// successor is expanded with a later level.
    fn select(&mut self, scene: &Scene<'_, M>, visit: &Visit<'_, M>) -> Step {
        let Some(selection) = &self.reduction.selection else { return Ok(()) };
        let Reduced { found, selecting, .. } = &mut self.reduced;
        found.select(&**selection, selecting, visit.state);
        if !selection.may_ignore() || found.chosen.iter().all(|&chosen| chosen) {
            return Ok(());
        }
        for at in 0..self.reduced.found.count {
            if self.reduced.found.chosen[at]
                && self.status_of(scene, at, visit.value)? != StateStatus::Expanded
            {
                return Ok(());
            }
        }
        self.reduced.found.chosen.fill(true);
        Ok(())
    }

    /// Whether the gathered successor `at` is stored.
    fn status_of(&mut self, scene: &Scene<'_, M>, at: usize, line: &Value) -> Step<StateStatus> {
        let Reduced { found: Gathered { actions, states, .. }, bytes, .. } = &mut self.reduced;
        let Intake { progress, reader, .. } = &mut self.intake;
        let mut value = Value::default();
        progress.measure_step(reader, line, &actions[at], &states[at], &mut value)?;
        bytes.clear();
        self.model.encode(&states[at], bytes);
        Ok(scene.status(&value, hash(bytes), bytes))
    }

    /// Pushes the chosen successors that are not cut off.
    fn fire(
        &mut self,
        scene: &mut Scene<'_, M>,
        layer: LayerId,
        visit: &Visit<'_, M>,
    ) -> Step<u64> {
        let mut fired = 0;
        for at in 0..self.reduced.found.count {
            if self.reduced.found.chosen[at] {
                fired += 1;
                if !self.is_cut_off(scene, at, visit.value)? {
                    self.push(scene, layer, visit, at, 0..0)?;
                }
            }
        }
        Ok(fired)
    }

    /// Whether the gathered successor `at` is new and in a remembered class (seed 004, figure 3).
    fn is_cut_off(&mut self, scene: &mut Scene<'_, M>, at: usize, line: &Value) -> Step<bool> {
        if !matches!(self.reduction.identity, Identity::CutOff(_))
            || self.status_of(scene, at, line)? != StateStatus::Absent
        {
            return Ok(false);
        }
        let state = self.reduced.found.states[at].clone();
        let known = self.meet_class(scene, &state)?;
        self.intake.statistics.cut += u64::from(known);
        Ok(known)
    }

    /// Pushes the successors of the chosen actions that are awake, with the actions that sleep after each
    /// (seed 001, figure 1). For a state visited again, only those that woke up.
    ///
    /// Actions that are not chosen do not sleep. Smaller sleep sets are sound, and if such an action woke up
    /// it would be explored although the selection does not need it.
    fn fire_awake(
        &mut self,
        sleep: &Sleep<'_, M>,
        scene: &mut Scene<'_, M>,
        layer: LayerId,
        visit: &Visit<'_, M>,
        again: bool,
    ) -> Step<u64> {
        let Reduced { found, numbers, .. } = &mut self.reduced;
        let Gathered { actions, chosen, count, .. } = found;
        let gathered = *count;
        numbers.clear();
        numbers.extend(actions.iter().map(|action| sleep.number(action)));
        let (layer_of, state) = (scene.states().window.layer_mut(layer), visit.id.number as usize);
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
        self.reduced.ahead.reset(gathered);
        let mut fired = 0;
        for first in 0..gathered {
            let action = self.reduced.numbers[first];
            if !self.reduced.found.chosen[first] || self.reduced.covered.contains(&action) {
                continue;
            }
            for at in first..gathered {
                if self.reduced.numbers[at] != action {
                    continue;
                }
                let Reduced { numbers, found, covered, ahead, sleeping, .. } = &mut self.reduced;
                let around = (&numbers[..], &found.states[..gathered]);
                let covered = covered.iter().copied();
                sleeping.clear();
                let model = (self.model, &mut self.worker);
                ahead.sleeping(model, sleep, around, at, covered, sleeping);
                self.push_asleep(scene, layer, visit, at)?;
                fired += 1;
            }
            self.reduced.covered.push(action);
        }
        Ok(fired)
    }

    /// Puts the gathered successor `at` into the batch, with the actions that sleep there.
    fn push_asleep(
        &mut self,
        scene: &mut Scene<'_, M>,
        layer: LayerId,
        visit: &Visit<'_, M>,
        at: usize,
    ) -> Step {
        let asleep = &mut self.intake.batch.asleep;
        let start = asleep.len();
        asleep.extend_from_slice(&self.reduced.sleeping);
        let sleep = start..asleep.len();
        self.push(scene, layer, visit, at, sleep)
    }

    /// Puts the gathered successor `at` into the batch; `sleep` is the range of the actions that sleep there.
    fn push(
        &mut self,
        scene: &mut Scene<'_, M>,
        layer: LayerId,
        visit: &Visit<'_, M>,
        at: usize,
        sleep: Range<usize>,
    ) -> Step {
        let mut pusher = Pusher::new(&mut self.intake, scene, visit, layer);
        (pusher.number, pusher.sleep) = (at as u32, sleep);
        pusher.push(self.reduced.found.actions[at].clone(), &self.reduced.found.states[at]);
        pusher.finish().map(|_| ())
    }

    /// Called after each layer: counts the layers since a class was last added, and stops the run after too
    /// many.
    pub(super) fn check_patience(&mut self) -> Step {
        let Identity::CutOff(rule) = &self.reduction.identity else { return Ok(()) };
        let (reduced, statistics) = (&mut self.reduced, &mut self.intake.statistics);
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

/// The error for a property that has different values on equivalent states.
fn unsound_for<M: Model>(
    reduction: &Reduction<'_, M>,
    question: usize,
    states: &str,
) -> StopReason {
    let name = reduction.questions.get(question).map_or("?", String::as_str);
    StopReason::Reduction(format!(
        "the equivalence is unsound for `{name}`, which has different values in {states}"
    ))
}

/// The first property that has different values on `a` and `b`.
fn differs<M: Model>(
    model: &M,
    reader: &mut M::Worker,
    observer: &dyn Observer<M>,
    a: &M::State,
    b: &M::State,
) -> Result<Option<usize>, ModelError> {
    let (mut before, mut differs) = (Vec::new(), None);
    observer.sees(model, reader, a, &mut |question, value| before.push((question, value)))?;
    observer.sees(model, reader, b, &mut |question, value| {
        if !before.contains(&(question, value)) {
            differs.get_or_insert(question);
        }
    })?;
    Ok(differs)
}
