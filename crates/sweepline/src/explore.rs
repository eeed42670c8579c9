//! The loop: least progress first, one layer after the other.
//!
//! Everything else in this library is a value on one of its axes. Full exploration is this loop with the
//! trivial measure. The generalised and the compositional method are this loop with measures that have
//! regress edges or columns. Only state space caching explores depth first and has a loop of its own, in
//! `cached`.

mod batch;
mod cached;
mod checkpoint;
mod count;
mod crew;
mod expand;
mod intake;
mod options;
mod origins;
#[doc(hidden)]
pub mod part;
mod pusher;
mod reduced;
mod round;
mod share;
mod spill;
mod stack;
mod states;

use std::time::{Duration, Instant};

use crate::checkpoint::Saved;
use crate::model::Model;
use crate::observe::{ClosedLayer, Observer, StateId, Statistics, Visit};
use crate::progress::{Progress, Value};
use crate::reduction::Reduction;
use crate::retain::{Budget, LayerId, Window};
use crate::verdict::StopReason;

pub use crate::retain::Replacement;
use checkpoint::Keeper;
use crew::Crew;
use expand::{Expander, decoded};
use intake::{Scene, Store};
pub use options::{Cache, Cause, Interrupt, Limits, Monotone, Options};
pub use origins::Paths;
pub(crate) use origins::{OriginStore, last_segment};
use states::States;

/// The successors of this many states are looked up together. A batch ends with a state whose number in its
/// layer is a multiple of it, so where batches end does not depend on the number of threads.
const GROUP: usize = 16;
/// Interval between two calls of an observer's `pulse`.
const PULSE: Duration = Duration::from_millis(100);

/// A finished exploration.
pub struct Exploration {
    /// What it did.
    pub statistics: Statistics,
    /// Why it stopped early; `None` when every reachable state was explored.
    pub stop: Option<StopReason>,
    /// What happened to its checkpoints, if it was to write some.
    pub saved: Option<Saved>,
    pub(crate) origins: OriginStore,
    pub(crate) window: Window,
}

/// Explores every reachable state of `model`, least progress first, and shows it to `observer`. With a
/// [cache](Options::cache), it explores depth first.
pub fn explore<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    options: &Options,
    observer: &mut dyn Observer<M>,
) -> Exploration {
    explore_reduced(model, progress, &Reduction::default(), options, observer)
}

/// Explores `model` under `reduction`. Reductions that cannot be combined are rejected with
/// [`StopReason::Reduction`].
pub fn explore_reduced<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    reduction: &Reduction<'_, M>,
    options: &Options,
    observer: &mut dyn Observer<M>,
) -> Exploration {
    if let Some(conflict) = reduced::conflict(reduction, options) {
        return Exploration::refused(StopReason::Reduction(conflict.into()));
    }
    if let Some(conflict) = spill::conflict(reduction, options, observer) {
        return Exploration::refused(conflict.into());
    }
    if let Some(cache) = &options.cache {
        return cached::explore(model, cache, options, observer);
    }
    let mut run = Run::new(model, progress, reduction, options, observer);
    match spill::Spilled::open(options, run.clock.deadline) {
        Ok(spilled) => run.states.spilled = spilled,
        Err(error) => return Exploration::refused(error.into()),
    }
    let swept = run.sweep_all();
    run.refresh();
    match swept {
        Ok(()) => run.count_distinct(),
        Err(stop) => run.stop = Some(options.interrupt.explain(stop)),
    }
    run.finish()
}

/// The result of a step of the loop; an error ends the loop.
type Step<T = ()> = Result<T, StopReason>;

struct Run<'a, M: Model> {
    model: &'a M,
    progress: &'a dyn Progress<M>,
    reduction: &'a Reduction<'a, M>,
    options: &'a Options,
    observer: &'a mut (dyn Observer<M> + 'a),
    /// Expands states on this thread. Its statistics are those of the run.
    expander: Expander<'a, M>,
    /// Expands states on several threads.
    crew: Crew<'a, M>,
    states: States,
    stop: Option<StopReason>,
    /// The progress of the layer being expanded.
    line: Value,
    /// The progress value of the column that is being swept.
    column: Option<Value>,
    keeper: Option<Keeper>,
    clock: Clock,
}

impl<'a, M: Model> Run<'a, M> {
    fn new(
        model: &'a M,
        progress: &'a dyn Progress<M>,
        reduction: &'a Reduction<'a, M>,
        options: &'a Options,
        observer: &'a mut (dyn Observer<M> + 'a),
    ) -> Self {
        let states = States::new(progress, options, reduction.sleep.is_some());
        let mut expander = Expander::new(model, progress, reduction, options);
        expander.keeps_sources = states.origins.keeps_sources();
        expander.intake.statistics.sweeps = 1;
        Run {
            model,
            progress,
            reduction,
            options,
            observer,
            expander,
            crew: Crew::new(reduction, options),
            states,
            stop: None,
            line: Value::default(),
            column: None,
            keeper: None,
            clock: Clock::new(&options.limits),
        }
    }

    fn statistics(&mut self) -> &mut Statistics {
        &mut self.expander.intake.statistics
    }

    fn sweep_all(&mut self) -> Step {
        if let Some(layer) = self.begin()? {
            self.expand(layer)?;
        }
        while let Some(layer) = self.next_layer()? {
            self.expand(layer)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Exploration {
        self.statistics().elapsed = self.clock.elapsed(Instant::now());
        let (statistics, States { origins, window, .. }) =
            (self.expander.intake.statistics, self.states);
        let saved = self.keeper.map(|keeper| keeper.saved);
        Exploration { statistics, stop: self.stop, saved, origins, window }
    }

    fn store_initial(&mut self) -> Step {
        let mut states = Vec::new();
        self.model.initial(&mut |state| states.push(state.clone()));
        let (mut value, mut bytes) = (Value::default(), Vec::new());
        for (number, state) in states.iter_mut().enumerate() {
            let Run { expander, states, observer, .. } = self;
            let mut scene = Scene { store: Store::Run(states), observer: &mut **observer };
            expander.represent_initial(&mut scene, state)?;
            expander.intake.measure(state, &mut value)?;
            bytes.clear();
            self.model.encode(state, &mut bytes);
            self.states.store_initial(number, &value, &bytes)?;
        }
        Ok(())
    }

    /// The layer to expand next; moves the line there and drops the layers that left the window.
    fn next_layer(&mut self) -> Step<Option<LayerId>> {
        let columns = self.progress.columns();
        loop {
            self.states.settle_behind()?;
            let open = self.states.window.least_open();
            let next = open.map(|id| self.states.window.layer(id).value.clone());
            match (self.column.take(), next) {
                (Some(column), Some(next)) if next.same_column(&column, columns) => {
                    self.column = Some(column);
                    self.line = next;
                    if self.options.gc.is_none() {
                        self.collect(self.options.window)?;
                    }
                    return Ok(open);
                }
                (Some(column), _) => self.end_sweep(column)?,
                (None, next) => match (next, self.states.window.least_root().cloned()) {
                    (None, None) => return Ok(None),
                    (Some(next), root) if root.as_ref().is_none_or(|root| next <= *root) => {
                        self.states.window.begin_column(&next);
                        self.column = Some(next);
                    }
                    (_, root) => {
                        let root = root.expect("one of the two is there");
                        self.statistics().sweeps += 1;
                        self.states.window.open_roots(&root);
                        self.column = Some(root);
                    }
                },
            }
        }
    }

    /// No open layer is left in `column`: sweeps it again if there were regress edges, else leaves it.
    fn end_sweep(&mut self, column: Value) -> Step {
        while let Some(id) = self.states.window.droppable(0) {
            self.drop_layer(id)?;
        }
        if self.states.window.has_root_in(&column) {
            self.statistics().sweeps += 1;
            self.states.window.open_roots(&column);
            self.column = Some(column);
        } else {
            self.states.window.leave_column(&column);
        }
        Ok(())
    }

    /// Drops all layers further than `keep` below the line.
    fn collect(&mut self, keep: u64) -> Step {
        self.states.uncollected = 0;
        while let Some(id) = self.states.window.droppable(keep) {
            self.drop_layer(id)?;
        }
        Ok(())
    }

    fn drop_layer(&mut self, id: LayerId) -> Step {
        self.close(id)?;
        self.expander.check_patience()?;
        self.states.drop_from_disk(id);
        if self.states.window.drop_layer(id) { Ok(()) } else { Err(StopReason::Memory) }
    }

    /// Expands the layer `id` level by level until none of its states is waiting.
    fn expand(&mut self, id: LayerId) -> Step {
        let (line, mut scratch) = (self.line.clone(), (None, Vec::new()));
        loop {
            // A resumed run may be within a level, which was shown before.
            let is_shown = self.states.window.layer(id).is_within_level();
            if self.states.on_disk(id).is_some() || !self.states.window.layer_mut(id).begin_level()
            {
                break;
            }
            if !is_shown && !self.expander.intake.counting {
                self.observer.level(&line, &self.expander.intake.statistics)?;
            }
            while let Some(states) = self.round_size(id) {
                if !self.round(id, &line, states)? {
                    self.expand_level(id, &line, states as u64, &mut scratch)?;
                }
                self.make_room(id)?;
            }
            self.expand_level(id, &line, u64::MAX, &mut scratch)?;
        }
        if self.states.on_disk(id).is_some() {
            self.expand_from_disk(id, &line)?;
        }
        self.states.window.pass(id);
        Ok(())
    }

    /// Expands at most `most` of the states of the layer `id` that are waiting now, on this thread. States
    /// found meanwhile belong to the next level.
    fn expand_level(
        &mut self,
        id: LayerId,
        value: &Value,
        mut most: u64,
        (scratch, bytes): &mut (Option<M::State>, Vec<u8>),
    ) -> Step {
        loop {
            let (states, mut visits) = (self.batch_size(id).min(most), 0);
            while self.expander.intake.batch.has_room() && visits < states {
                let Some((number, again)) = self.states.take_waiting(id, bytes)? else { break };
                let (model, stored) = (self.model, self.states.stored);
                let state = decoded(model, bytes, scratch);
                let named = StateId { layer: self.states.window.layer(id).serial, number };
                let visit = Visit { model, state, bytes, value, id: named, stored, path: None };
                let store = Store::Run(&mut self.states);
                let mut scene = Scene { store, observer: &mut *self.observer };
                self.expander.expand_state(&mut scene, id, &visit, again)?;
                visits += 1;
                if self.options.interrupt.is_raised() {
                    break;
                }
            }
            if visits == 0 {
                return Ok(());
            }
            self.look_up_batch(id)?;
            self.check_limits(visits)?;
            self.make_room(id)?;
            most -= visits;
        }
    }

    /// How many states may be expanded before the limits are checked.
    fn batch_size(&mut self, id: LayerId) -> u64 {
        // Garbage collection is due after an exact number of new states.
        let group = if self.options.gc.is_some() { 1 } else { GROUP };
        let (next, _) = self.states.window.layer(id).next_state();
        let states = (group - next % group) as u64;
        let explored = self.statistics().explored;
        // At least one: a limit that was reached before ends the run after the next check.
        self.options
            .limits
            .states
            .map_or(states, |limit| states.min(limit.max(explored + 1) - explored))
    }

    /// Looks up the successors of the batch and stores the new ones.
    fn look_up_batch(&mut self, source_layer: LayerId) -> Step {
        let store = Store::Run(&mut self.states);
        let mut scene = Scene { store, observer: &mut *self.observer };
        self.expander.intake.take(&mut scene, source_layer)?;
        self.expander.intake.batch.clear();
        self.refresh();
        match self.options.gc {
            Some(gc) if self.states.uncollected >= gc => self.collect(self.options.window),
            _ => Ok(()),
        }
    }

    /// Shows a layer that is about to be dropped.
    fn close(&mut self, id: LayerId) -> Step {
        self.refresh();
        self.statistics().layers += 1;
        if self.expander.intake.counting {
            return Ok(());
        }
        let layer = self.states.window.layer(id);
        let closed = ClosedLayer {
            serial: layer.serial,
            value: &layer.value,
            states: self.states.on_disk(id).map_or(layer.len() as u64, |layer| layer.len()),
            kept: layer.kept() as u64,
            stored: layer,
        };
        self.observer.layer_closed(&closed, &self.expander.intake.statistics)
    }

    #[inline]
    fn refresh(&mut self) {
        let States { window, persistent, spilled, .. } = &self.states;
        let (stored, used) = (window.stored, window.budget.used);
        let statistics = &mut self.expander.intake.statistics;
        statistics.stored = stored;
        statistics.persistent = *persistent;
        statistics.peak_states = statistics.peak_states.max(stored);
        statistics.peak_bytes = statistics.peak_bytes.max(used);
        if let Some(spilled) = spilled {
            spilled.note(statistics);
        }
    }

    /// Ends the run if a limit is reached. `visits` states were expanded since the last call.
    fn check_limits(&mut self, visits: u64) -> Step {
        let explored = self.statistics().explored;
        let budget = &self.states.window.budget;
        if self.crew.pace.may_wait(visits)
            && !self.options.is_reached(explored)
            && budget.allows(self.observer.bytes())
        {
            return Ok(());
        }
        let now = Instant::now();
        self.crew.pace.note(now);
        let reached = self.options.reached(now, self.clock.deadline, explored);
        if reached.is_some() || self.is_due(now) {
            self.statistics().elapsed = self.clock.elapsed(now);
            self.save();
        }
        let statistics = &mut self.expander.intake.statistics;
        let budget = &self.states.window.budget;
        self.clock.tick(now, reached, budget, (&self.line, statistics), &mut *self.observer)
    }
}

/// The time of a run, and the events that are due at certain times.
struct Clock {
    /// When the run must end.
    deadline: Option<Instant>,
    /// Time that earlier processes spent on the run.
    before: Duration,
    started: Instant,
    pulsed: Instant,
}

impl Clock {
    fn new(limits: &Limits) -> Self {
        let (now, deadline) = (Instant::now(), limits.ends());
        Clock { deadline, before: Duration::ZERO, started: now, pulsed: now }
    }

    /// Time that this process spent on the run.
    fn own(&self, now: Instant) -> Duration {
        now - self.started
    }

    /// Total time, including that of earlier processes.
    fn elapsed(&self, now: Instant) -> Duration {
        self.before + self.own(now)
    }

    /// Ends the run if a limit is `reached` or observers use the remaining memory; calls the observers'
    /// `pulse` now and then.
    fn tick<M: Model>(
        &mut self,
        now: Instant,
        reached: Option<StopReason>,
        budget: &Budget,
        (line, statistics): (&Value, &mut Statistics),
        observer: &mut dyn Observer<M>,
    ) -> Step {
        statistics.elapsed = self.elapsed(now);
        if let Some(stop) = reached {
            return Err(stop);
        }
        if !budget.allows(observer.bytes()) {
            return Err(StopReason::Memory);
        }
        if now - self.pulsed >= PULSE {
            self.pulsed = now;
            statistics.decided = observer.decided();
            observer.pulse(line, statistics);
            statistics.decided = 0;
        }
        Ok(())
    }
}
