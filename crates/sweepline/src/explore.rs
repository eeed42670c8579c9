//! The loop: least progress first, one layer after the other.
//!
//! Everything else in this library is a value on one of its axes. Full exploration is this loop with the
//! trivial measure. The generalised and the compositional method are this loop with measures that have
//! regress edges or columns. Only state space caching explores depth first and has a loop of its own, in
//! `cached`.

mod cached;
mod checkpoint;
mod count;
mod intake;
mod options;
mod origins;
mod pusher;
mod reduced;
mod stack;

use std::time::{Duration, Instant};

use crate::checkpoint::Saved;
use crate::model::Model;
use crate::observe::{Observer, StateId, Statistics, Visit};
use crate::progress::{Progress, Value};
use crate::reduction::Reduction;
use crate::retain::{Budget, LayerId, Window};
use crate::verdict::StopReason;

pub use crate::retain::Replacement;
use checkpoint::Keeper;
use intake::Intake;
pub use options::{Cache, Cause, Interrupt, Limits, Monotone, Options};
pub(crate) use origins::{OriginStore, last_segment};
use pusher::Pusher;
use reduced::Reduced;

/// Limits are checked at least once per this many expanded states, even if those have no successors to look
/// up.
const STATES: u64 = 256;
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
    if let Some(cache) = &options.cache {
        return cached::explore(model, cache, options, observer);
    }
    let mut run = Run::new(model, progress, reduction, options, observer);
    if let Err(stop) = run.sweep_all() {
        run.stop = Some(options.interrupt.explain(stop));
    } else {
        run.count_distinct();
    }
    run.finish()
}

/// The result of a step of the loop; an error ends the loop.
type Step<T = ()> = Result<T, StopReason>;

struct Run<'a, M: Model> {
    model: &'a M,
    reduction: &'a Reduction<'a, M>,
    options: &'a Options,
    /// Computes successors.
    worker: M::Worker,
    /// Stores successors.
    intake: Intake<'a, M>,
    stop: Option<StopReason>,
    /// The progress of the layer being expanded.
    line: Value,
    /// The progress value of the column that is being swept.
    column: Option<Value>,
    keeper: Option<Keeper>,
    /// The data of reductions.
    reduced: Reduced<M>,
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
        Run {
            model,
            reduction,
            options,
            worker: model.worker(),
            intake: Intake::new(model, progress, options, reduction.sleep.is_some(), observer),
            stop: None,
            line: Value::default(),
            column: None,
            keeper: None,
            reduced: Reduced::default(),
            clock: Clock::new(&options.limits),
        }
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
        self.intake.refresh();
        self.intake.statistics.elapsed = self.clock.elapsed(Instant::now());
        let Intake { statistics, origins, window, .. } = self.intake;
        let saved = self.keeper.map(|keeper| keeper.saved);
        Exploration { statistics, stop: self.stop, saved, origins, window }
    }

    fn store_initial(&mut self) -> Step {
        let mut states = Vec::new();
        self.model.initial(&mut |state| states.push(state.clone()));
        for (number, state) in states.iter_mut().enumerate() {
            self.represent_initial(state)?;
            self.intake.store_initial(self.model, number, state)?;
        }
        Ok(())
    }

    /// The layer to expand next; moves the line there and drops the layers that left the window.
    fn next_layer(&mut self) -> Step<Option<LayerId>> {
        let columns = self.intake.progress.columns();
        loop {
            let open = self.intake.window.least_open();
            let next = open.map(|id| self.intake.window.layer(id).value.clone());
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
                (None, next) => match (next, self.intake.window.least_root().cloned()) {
                    (None, None) => return Ok(None),
                    (Some(next), root) if root.as_ref().is_none_or(|root| next <= *root) => {
                        self.intake.window.begin_column(&next);
                        self.column = Some(next);
                    }
                    (_, root) => {
                        let root = root.expect("one of the two is there");
                        self.intake.statistics.sweeps += 1;
                        self.intake.window.open_roots(&root);
                        self.column = Some(root);
                    }
                },
            }
        }
    }

    /// No open layer is left in `column`: sweeps it again if there were regress edges, else leaves it.
    fn end_sweep(&mut self, column: Value) -> Step {
        while let Some(id) = self.intake.window.droppable(0) {
            self.drop_layer(id)?;
        }
        if self.intake.window.has_root_in(&column) {
            self.intake.statistics.sweeps += 1;
            self.intake.window.open_roots(&column);
            self.column = Some(column);
        } else {
            self.intake.window.leave_column(&column);
        }
        Ok(())
    }

    /// Drops all layers further than `keep` below the line.
    fn collect(&mut self, keep: u64) -> Step {
        self.intake.uncollected = 0;
        while let Some(id) = self.intake.window.droppable(keep) {
            self.drop_layer(id)?;
        }
        Ok(())
    }

    fn drop_layer(&mut self, id: LayerId) -> Step {
        self.intake.close(id)?;
        self.check_patience()?;
        if self.intake.window.drop_layer(id) { Ok(()) } else { Err(StopReason::Memory) }
    }

    /// Expands the layer `id` level by level until none of its states is waiting.
    fn expand(&mut self, id: LayerId) -> Step {
        let (line, mut scratch) = (self.line.clone(), (None, Vec::new()));
        while self.intake.window.layer_mut(id).begin_level() {
            self.expand_level(id, &line, &mut scratch)?;
        }
        self.intake.window.pass(id);
        Ok(())
    }

    /// Expands the states of the layer `id` that are waiting now. States found meanwhile belong to the next
    /// level.
    fn expand_level(
        &mut self,
        id: LayerId,
        value: &Value,
        (scratch, bytes): &mut (Option<M::State>, Vec<u8>),
    ) -> Step {
        // Garbage collection is due after an exact number of new states.
        let states = if self.options.gc.is_some() { 1 } else { STATES };
        loop {
            let mut visits = 0;
            while self.intake.batch.has_room() && visits < states {
                let layer = self.intake.window.layer_mut(id);
                let serial = layer.serial;
                let Some((number, record, again)) = layer.take() else { break };
                bytes.clear();
                bytes.extend_from_slice(record);
                let (model, stored) = (self.model, self.intake.stored);
                let state = decoded(model, bytes, scratch);
                let named = StateId { layer: serial, number: number as u64 };
                let visit = Visit { model, state, bytes, value, id: named, stored, path: None };
                self.expand_state(id, &visit, again)?;
                visits += 1;
                if self.options.interrupt.is_raised() {
                    break;
                }
            }
            if visits == 0 {
                return Ok(());
            }
            self.look_up_batch(id)?;
            self.check_limits()?;
        }
    }

    /// Shows a state to the observer, unless it is expanded `again` because actions woke up, and puts the
    /// successors that no reduction leaves out into the batch.
    #[inline]
    fn expand_state(&mut self, layer: LayerId, visit: &Visit<'_, M>, again: bool) -> Step {
        if self.intake.origins.keeps_sources() {
            self.intake.batch.keep_source(visit.id.number, visit.bytes);
        }
        if again {
            self.intake.statistics.woken += 1;
        } else {
            self.intake.node(visit)?;
        }
        let successors = if self.reduction.is_none() {
            let mut pusher = Pusher::new(&mut self.intake, visit, layer);
            self.model.successors(&mut self.worker, visit.state, &mut pusher)?;
            let pushed = u64::from(pusher.finish()?);
            self.intake.statistics.edges += pushed;
            pushed
        } else {
            self.push_chosen(layer, visit, again)?
        };
        if successors == 0 && !self.model.has_terminated(visit.state) {
            self.intake.dead(visit)?;
        }
        Ok(())
    }

    /// Looks up the successors of the batch and stores the new ones.
    fn look_up_batch(&mut self, source_layer: LayerId) -> Step {
        self.intake.take(source_layer)?;
        self.intake.batch.clear();
        self.intake.refresh();
        match self.options.gc {
            Some(gc) if self.intake.uncollected >= gc => self.collect(self.options.window),
            _ => Ok(()),
        }
    }

    fn check_limits(&mut self) -> Step {
        let now = Instant::now();
        let explored = self.intake.statistics.explored;
        let reached = self.options.reached(now, self.clock.deadline, explored);
        if reached.is_some() || self.is_due(now) {
            self.intake.statistics.elapsed = self.clock.elapsed(now);
            self.save();
        }
        let Intake { observer, window, statistics, .. } = &mut self.intake;
        self.clock.tick(now, reached, &window.budget, (&self.line, statistics), *observer)
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

/// The state with these bytes, decoded into memory that is reused.
#[inline]
fn decoded<'s, M: Model>(
    model: &M,
    bytes: &[u8],
    scratch: &'s mut Option<M::State>,
) -> &'s M::State {
    match scratch {
        Some(state) => {
            model.decode_into(bytes, state);
            state
        }
        empty => empty.insert(model.decode(bytes)),
    }
}
