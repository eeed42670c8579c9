//! The loop: least progress first, one layer after the other.
//!
//! Everything else in this library is a value on one of its axes. Full exploration is this loop
//! under the trivial measure; the generalised and the compositional method are this loop under
//! measures with regress edges and with columns. State space caching alone goes depth first and has
//! a loop of its own, in `cached`.

mod batch;
mod cached;
mod checkpoint;
mod count;
mod options;
mod pusher;
mod reduced;
mod stack;
mod trail;

use std::io;
use std::time::{Duration, Instant};

use crate::checkpoint::Saved;
use crate::model::Model;
use crate::observe::{ClosedLayer, Flow, Observer, StateId, Statistics, Visit};
use crate::progress::{Progress, Value};
use crate::reduction::Reduction;
use crate::retain::{Budget, Hint, LayerId, Stored, Window, hash};
use crate::verdict::StopReason;

pub use crate::retain::Replacement;
use batch::{Batch, Intake};
use checkpoint::Keeper;
pub use options::{Cache, Interrupt, Limits, Monotone, Options};
use pusher::Pusher;
use reduced::Reduced;
pub(crate) use trail::{Trail, stretch};

/// States expanded before limits are checked, though they may have no successors to look up.
const STATES: u64 = 256;
/// How often an observer feels the pulse.
const PULSE: Duration = Duration::from_millis(100);

/// A finished exploration.
pub struct Exploration {
    /// What it did.
    pub statistics: Statistics,
    /// Why it stopped early; `None` when every reachable state was explored.
    pub stop: Option<StopReason>,
    /// What became of its checkpoints, where there were to be some.
    pub saved: Option<Saved>,
    pub(crate) trail: Trail,
    pub(crate) window: Window,
}

/// Explores every state reachable in `model`, least progress first, and shows it to `observer`; with a
/// [cache](Options::cache), depth first.
pub fn explore<M: Model, P: Progress<M>, O: Observer<M>>(
    model: &M,
    progress: &P,
    options: &Options,
    observer: &mut O,
) -> Exploration {
    explore_reduced(model, progress, &Reduction::default(), options, observer)
}

/// Explores what `reduction` leaves of `model`. A choice of reductions that do not go together is
/// refused with [`StopReason::Reduction`].
pub fn explore_reduced<M: Model, P: Progress<M>, O: Observer<M>>(
    model: &M,
    progress: &P,
    reduction: &Reduction<'_, M>,
    options: &Options,
    observer: &mut O,
) -> Exploration {
    if let Some(conflict) = reduced::conflict(reduction, options) {
        return Exploration::refused(StopReason::Reduction(conflict.into()));
    }
    if let Some(cache) = &options.cache {
        return cached::explore(model, cache, options, observer);
    }
    let mut run = Run::new(model, progress, reduction, options, observer);
    if let Err(stop) = run.sweep_all() {
        run.stop = Some(stop);
    } else {
        run.count_distinct();
    }
    run.finish()
}

/// Ends the loop early.
type Step<T = ()> = Result<T, StopReason>;

struct Run<'a, M: Model, P, O> {
    model: &'a M,
    progress: &'a P,
    reduction: &'a Reduction<'a, M>,
    options: &'a Options,
    observer: &'a mut O,
    window: Window,
    batch: Batch<M>,
    trail: Trail,
    statistics: Statistics,
    stop: Option<StopReason>,
    /// The progress of the layer being expanded.
    line: Value,
    /// A value of the column being swept.
    column: Option<Value>,
    /// States stored so far, those dropped included.
    stored: u64,
    /// States stored since the last collection.
    uncollected: u64,
    keeper: Option<Keeper>,
    /// The run only counts distinct states: observers have seen all there is.
    counting: bool,
    /// What reductions need to know.
    reduced: Reduced<M>,
    /// Time taken before this process took the run up.
    before: Duration,
    started: Instant,
    pulsed: Instant,
}

impl<'a, M: Model, P: Progress<M>, O: Observer<M>> Run<'a, M, P, O> {
    fn new(
        model: &'a M,
        progress: &'a P,
        reduction: &'a Reduction<'a, M>,
        options: &'a Options,
        observer: &'a mut O,
    ) -> Self {
        let budget = Budget::new(options.limits.memory);
        let now = Instant::now();
        Run {
            model,
            progress,
            reduction,
            options,
            observer,
            window: Window::new(progress.columns(), options.window > 0, options.anchor, budget),
            batch: Batch::default(),
            trail: Trail::new(options.witness),
            statistics: Statistics { sweeps: 1, ..Statistics::default() },
            stop: None,
            line: Value::default(),
            column: None,
            stored: 0,
            uncollected: 0,
            keeper: None,
            counting: false,
            reduced: Reduced::default(),
            before: Duration::ZERO,
            started: now,
            pulsed: now,
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
        self.refresh();
        self.statistics.elapsed = self.elapsed(Instant::now());
        Exploration {
            statistics: self.statistics,
            stop: self.stop,
            saved: self.keeper.map(|keeper| keeper.saved),
            trail: self.trail,
            window: self.window,
        }
    }

    fn store_initial(&mut self) -> Step {
        let (model, mut value, mut states) = (self.model, Value::default(), Vec::new());
        model.initial(&mut |state| states.push(state.clone()));
        for (number, state) in states.iter_mut().enumerate() {
            self.represent_initial(state)?;
            value.clear();
            self.progress.measure(state, &mut value);
            if !value.is_exact() {
                return Err(pusher::too_large());
            }
            let layer = self.window.target(&value, None);
            let start = self.batch.bytes.len();
            model.encode(state, &mut self.batch.bytes);
            let bytes = &self.batch.bytes[start..];
            let hash = hash(bytes);
            match self.window.insert(layer, hash, Hint::default(), bytes) {
                Stored::New(stored) => {
                    let parent = StateId { layer: 0, number: number as u64 };
                    let layer = self.window.layer_mut(layer);
                    self.trail.record(layer, stored, parent, number as u32, None).map_err(disk)?;
                    (self.stored, self.uncollected) = (self.stored + 1, self.uncollected + 1);
                }
                Stored::Seen(..) => {}
                Stored::Full => return Err(StopReason::Memory),
            }
        }
        self.batch.clear();
        Ok(())
    }

    /// The layer to expand next; moves the line there and drops what it passed.
    fn next_layer(&mut self) -> Step<Option<LayerId>> {
        let columns = self.progress.columns();
        loop {
            let open = self.window.least_open();
            let next = open.map(|id| self.window.layer(id).value.clone());
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
                (None, next) => match (next, self.window.least_root().cloned()) {
                    (None, None) => return Ok(None),
                    (Some(next), root) if root.as_ref().is_none_or(|root| next <= *root) => {
                        self.window.begin_column(&next);
                        self.column = Some(next);
                    }
                    (_, root) => {
                        let root = root.expect("one of the two is there");
                        self.statistics.sweeps += 1;
                        self.window.open_roots(&root);
                        self.column = Some(root);
                    }
                },
            }
        }
    }

    /// No open layer is left in `column`: sweeps it again if edges led back, else leaves it.
    fn end_sweep(&mut self, column: Value) -> Step {
        while let Some(id) = self.window.droppable(0) {
            self.drop_layer(id)?;
        }
        if self.window.has_root_in(&column) {
            self.statistics.sweeps += 1;
            self.window.open_roots(&column);
            self.column = Some(column);
        } else {
            self.window.leave_column(&column);
        }
        Ok(())
    }

    /// Drops all passed layers further than `keep` below the line.
    fn collect(&mut self, keep: u64) -> Step {
        self.uncollected = 0;
        while let Some(id) = self.window.droppable(keep) {
            self.drop_layer(id)?;
        }
        Ok(())
    }

    fn drop_layer(&mut self, id: LayerId) -> Step {
        self.refresh();
        self.statistics.layers += 1;
        let layer = self.window.layer(id);
        let closed = ClosedLayer {
            serial: layer.serial,
            value: &layer.value,
            states: layer.len() as u64,
            kept: layer.kept() as u64,
            stored: layer,
        };
        if !self.counting {
            decided(self.observer.layer_closed(&closed, &self.statistics))?;
        }
        self.check_patience()?;
        if self.window.drop_layer(id) { Ok(()) } else { Err(StopReason::Memory) }
    }

    /// Expands every state of the layer `id`, those found meanwhile included.
    fn expand(&mut self, id: LayerId) -> Step {
        let mut scratch = None;
        let mut bytes = Vec::new();
        let reduced = !self.reduction.is_none();
        // Collections are due after an exact number of new states.
        let states = if self.options.gc.is_some() { 1 } else { STATES };
        loop {
            let mut visits = 0;
            while self.batch.has_room() && visits < states {
                let layer = self.window.layer_mut(id);
                let serial = layer.serial;
                let (taken, again) = match layer.take() {
                    None => (layer.take_woken(), true),
                    waiting => (waiting, false),
                };
                let Some((number, record)) = taken else { break };
                bytes.clear();
                bytes.extend_from_slice(record);
                let state = match &mut scratch {
                    Some(state) => {
                        self.model.decode_into(&bytes, state);
                        state
                    }
                    empty => empty.insert(self.model.decode(&bytes)),
                };
                let source = StateId { layer: serial, number: number as u64 };
                if reduced {
                    self.expand_reduced(id, source, state, &bytes, again)?;
                } else {
                    self.expand_state(id, source, state, &bytes)?;
                }
                visits += 1;
            }
            if visits == 0 {
                break;
            }
            self.look_up_batch(id)?;
            self.check_limits()?;
        }
        self.window.pass(id);
        Ok(())
    }

    /// Shows one state to the observer and puts its successors into the batch.
    #[inline]
    fn expand_state(
        &mut self,
        layer: LayerId,
        id: StateId,
        state: &M::State,
        bytes: &[u8],
    ) -> Step {
        self.statistics.explored += 1;
        if self.trail.keeps_sources() {
            self.batch.sources.push((id.number, bytes.into()));
        }
        let (value, stored) = (&self.line, self.stored);
        let visit = Visit { model: self.model, state, bytes, value, id, stored, way: None };
        if !self.counting {
            decided(self.observer.node(&visit))?;
        }
        let intake = Intake {
            window: &mut self.window,
            trail: &mut self.trail,
            observer: &mut *self.observer,
            stored: &mut self.stored,
            uncollected: &mut self.uncollected,
            persistent: &mut self.statistics.persistent,
            sleeps: false,
            silent: self.counting,
        };
        let mut pusher =
            Pusher::new(self.progress, self.options, intake, &mut self.batch, &visit, layer);
        self.model.successors(state, &mut pusher);
        let (pushed, regressed, stop) = (pusher.number, pusher.regressed, pusher.stop);
        self.statistics.edges += u64::from(pushed);
        self.statistics.regress_edges += regressed;
        if let Some(stop) = stop {
            return Err(stop);
        }
        if pushed == 0 && !self.model.has_terminated(state) {
            self.statistics.dead += 1;
            if !self.counting {
                decided(self.observer.dead(&visit))?;
            }
        }
        Ok(())
    }

    /// Looks up the successors of the batch and stores those that are new.
    fn look_up_batch(&mut self, source_layer: LayerId) -> Step {
        let mut intake = Intake {
            window: &mut self.window,
            trail: &mut self.trail,
            observer: &mut *self.observer,
            stored: &mut self.stored,
            uncollected: &mut self.uncollected,
            persistent: &mut self.statistics.persistent,
            sleeps: self.reduction.sleep.is_some(),
            silent: self.counting,
        };
        intake.take(&mut self.batch, source_layer)?;
        self.batch.clear();
        self.refresh();
        match self.options.gc {
            Some(gc) if self.uncollected >= gc => self.collect(self.options.window),
            _ => Ok(()),
        }
    }

    #[inline]
    fn refresh(&mut self) {
        let statistics = &mut self.statistics;
        statistics.held = self.window.held;
        statistics.peak_states = statistics.peak_states.max(self.window.held);
        statistics.peak_bytes = statistics.peak_bytes.max(self.window.budget.used);
    }

    fn check_limits(&mut self) -> Step {
        let now = Instant::now();
        self.statistics.elapsed = self.elapsed(now);
        let reached = self.options.reached(now - self.started, self.statistics.explored);
        if reached.is_some() || self.is_due(now) {
            self.save();
        }
        if let Some(stop) = reached {
            return Err(stop);
        }
        if !self.window.budget.allows(self.observer.bytes()) {
            return Err(StopReason::Memory);
        }
        if now - self.pulsed >= PULSE {
            self.pulsed = now;
            self.observer.pulse(&self.line, &self.statistics);
        }
        Ok(())
    }
}

fn decided(flow: Flow) -> Step {
    if flow.is_break() { Err(StopReason::Decided) } else { Ok(()) }
}

fn disk(error: io::Error) -> StopReason {
    StopReason::Disk(error.to_string())
}
