//! How a run starts, from the initial states or from a checkpoint, and how it is saved.
//!
//! A run can be saved whenever the batch is empty: every state taken from its layer has been shown to the
//! observers, its successors are stored, and the layer being expanded is that of the line.

use std::hash::Hasher;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{Exploration, Options, OriginStore, Run, Step, explore};
use crate::checkpoint::{
    Checkpoint, Error, Fingerprint, Head, Identity, Lock, ORIGINS, Reader, Saved, Writer, beside,
    remove_files,
};
use crate::model::{Model, bytes_of};
use crate::observe::witness::{Log, LogPosition};
use crate::observe::{DECIDED, Flow, Observer, Statistics, Visit, WitnessMode};
use crate::progress::{Progress, Trivial, Value};
use crate::retain::{Budget, LayerId, Window};
use crate::verdict::StopReason;

/// Number of states whose successors are part of the fingerprint of a model's beginning.
const BEGINNING: usize = 64;
/// Counters larger than this are rejected as damaged.
const MOST: u64 = 1 << 62;

/// Keeps the checkpoints of a run.
pub(super) struct Keeper {
    identity: Identity,
    pub(super) saved: Saved,
    last: Instant,
    /// Prevents other runs from writing the file.
    _lock: Lock,
}

impl Keeper {
    fn new(plan: &Checkpoint, identity: Identity, lock: Lock) -> Self {
        let saved = Saved { file: plan.file.clone(), ..Saved::default() };
        Keeper { identity, saved, last: Instant::now(), _lock: lock }
    }
}

/// The state of a run, apart from its window.
#[derive(Serialize, Deserialize)]
struct Position {
    statistics: Statistics,
    line: Vec<i64>,
    column: Option<Vec<i64>>,
    stored: u64,
    uncollected: u64,
    log: Option<LogPosition>,
    /// The saved results of the observer.
    observer: Vec<u8>,
}

impl Position {
    /// Whether the counters are small enough not to overflow later.
    fn is_sound(&self) -> bool {
        let Statistics {
            explored,
            edges,
            dead,
            stored,
            peak_states,
            persistent,
            sweeps,
            regress_edges,
            layers,
            peak_bytes,
            elapsed,
            counted: _,
            replaced: _,
            deepest: _,
            skipped: _,
            woken: _,
            cut: _,
            classes: _,
            uncut_layers: _,
            tried: _,
            decided: _,
            spilled_bytes: _,
            disk_peak_bytes: _,
        } = self.statistics;
        let run = [explored, edges, dead, stored, peak_states, persistent, sweeps, regress_edges];
        let rest = [layers, peak_bytes, elapsed.as_secs(), self.stored, self.uncollected];
        run.iter().chain(&rest).all(|&n| n < MOST)
    }
}

impl<M: Model> Run<'_, M> {
    /// Stores the initial states, or the states of a checkpoint. Returns the layer that was being expanded
    /// when the checkpoint was written: it is expanded first.
    pub(super) fn begin(&mut self) -> Step<Option<LayerId>> {
        let Some(plan) = &self.options.checkpoint else {
            self.store_initial()?;
            return Ok(None);
        };
        if self.observer.save(self.model).is_none() {
            let what = "the result of an observer".into();
            return Err(Error::Unsaved { what }.into());
        }
        let stays = plan.stays();
        let identity = self.identity(plan);
        let lock = Lock::take(&plan.file)?;
        if !stays && plan.file.exists() {
            return Err(Error::Exists { file: plan.file.clone() }.into());
        }
        let keeper = Keeper::new(plan, identity, lock);
        let begun = self.begin_saved(plan, keeper);
        if begun.is_err() && !stays {
            // The run has no checkpoint, neither before nor now: remove the files beside it, too.
            let _ = remove_files(&plan.file);
        }
        begun
    }

    /// The same, with the files of `plan` locked.
    fn begin_saved(&mut self, plan: &Checkpoint, mut keeper: Keeper) -> Step<Option<LayerId>> {
        let layer = match &plan.resume {
            Some(_) => self.restore(plan, &mut keeper)?,
            None => {
                self.keep_origins(|| Log::create(&beside(&plan.file, ORIGINS)))?;
                self.store_initial()?;
                None
            }
        };
        self.keeper = Some(keeper);
        if plan.stays() {
            return Ok(layer);
        }
        // If the file cannot be written, the user should learn it now.
        self.save();
        match self.keeper.as_ref().and_then(|keeper| keeper.saved.error.clone()) {
            Some(error) => Err(error.into()),
            None => Ok(layer),
        }
    }

    fn identity(&self, plan: &Checkpoint) -> Identity {
        Identity {
            fingerprint: plan.fingerprint,
            beginning: Beginning::of(self.model, self.progress),
            columns: self.progress.columns(),
            window: self.options.window,
            gc: self.options.gc,
            anchor: self.options.anchor,
            monotone: format!("{:?}", self.options.monotone).to_lowercase(),
            witness: format!("{:?}", self.options.witness).to_lowercase(),
            questions: plan.questions.clone(),
        }
    }

    /// Records origins in the log that `open` returns, or not at all: a recomputed witness needs none.
    fn keep_origins(&mut self, open: impl FnOnce() -> Result<Log, Error>) -> Result<(), Error> {
        self.states.origins = match self.options.witness {
            WitnessMode::Disk => OriginStore::Disk(Box::new(open()?)),
            WitnessMode::Off | WitnessMode::Recompute => OriginStore::Off,
        };
        Ok(())
    }

    /// Whether it is time to write a checkpoint.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        let plan = self.keeper.as_ref().zip(self.options.checkpoint.as_ref());
        plan.is_some_and(|(keeper, plan)| now.saturating_duration_since(keeper.last) >= plan.every)
    }

    /// Writes a checkpoint, if the run has one. A failure is recorded and the run continues: the checkpoint
    /// before it still exists.
    #[cold]
    pub(super) fn save(&mut self) {
        let Some(plan) = &self.options.checkpoint else { return };
        let Some(mut keeper) = self.keeper.take() else { return };
        self.options.interrupt.set_saving(true);
        let written = self.write(plan, &keeper);
        self.options.interrupt.set_saving(false);
        match written {
            Ok(()) => {
                keeper.saved.written += 1;
                (keeper.saved.explored, keeper.saved.error) =
                    (self.expander.intake.statistics.explored, None);
            }
            Err(error) => keeper.saved.error = Some(error),
        }
        self.observer.saved(&keeper.saved);
        keeper.last = Instant::now();
        self.keeper = Some(keeper);
    }

    fn write(&mut self, plan: &Checkpoint, keeper: &Keeper) -> Result<(), Error> {
        debug_assert!(self.expander.intake.batch.items.is_empty());
        let log = match &mut self.states.origins {
            // The log is synced before the checkpoint that refers to it.
            OriginStore::Disk(log) => {
                Some(log.sync().map_err(Error::write(&beside(&plan.file, ORIGINS)))?)
            }
            OriginStore::Off | OriginStore::Window | OriginStore::Elsewhere(_) => None,
        };
        let components = |value: &Value| value.components().to_vec();
        let head = Head {
            note: plan.note.clone(),
            resumed: keeper.saved.resumed,
            explored: self.expander.intake.statistics.explored,
            elapsed: self.expander.intake.statistics.elapsed,
            identity: keeper.identity.clone(),
        };
        let position = Position {
            statistics: self.expander.intake.statistics.clone(),
            line: components(&self.line),
            column: self.column.as_ref().map(components),
            stored: self.states.stored,
            uncollected: self.states.uncollected,
            log,
            observer: self.observer.save(self.model).unwrap_or_default(),
        };
        let write = || {
            let mut out = Writer::create(&plan.file)?;
            out.item(&head)?;
            out.item(&position)?;
            self.states.window.save(&mut out)?;
            out.finish()
        };
        write().map_err(Error::write(&plan.file))
    }

    /// Resumes the run in a checkpoint. Nothing on disk is changed before all of it was read and verified.
    fn restore(&mut self, plan: &Checkpoint, keeper: &mut Keeper) -> Step<Option<LayerId>> {
        let from = plan.resume.as_ref().unwrap_or(&plan.file);
        let mut input = Reader::open(from)?;
        let head: Head = input.item()?;
        keeper.identity.compare(&head.identity, from)?;
        let position: Position = input.item()?;
        let model = self.model;
        let (progress, window) = (self.progress, &mut self.states.window);
        let reader = &mut self.expander.intake.reader;
        let (mut bytes, mut value) = (Vec::new(), Value::default());
        let mut belongs = |record: &[u8], of: &Value| {
            let Some(state) = model.try_decode(record) else { return false };
            bytes.clear();
            value.clear();
            model.encode(&state, &mut bytes);
            let measured = progress.measure(reader, &state, &mut value);
            measured.is_ok() && bytes == record && value == *of
        };
        window.restore(&mut input, &mut belongs)?;
        self.line = position.line.iter().copied().collect();
        self.column = position.column.as_ref().map(|column| column.iter().copied().collect());
        let layer = self.states.window.open_at(&self.line);
        let columns = self.progress.columns();
        let in_column = |column: &Value| {
            let same = column.components().len() == self.line.components().len();
            same && column.same_column(&self.line, columns)
        };
        // Either no state was expanded yet, or the layer of the line was being expanded.
        let fits = self.column.as_ref().is_none_or(|column| layer.is_some() && in_column(column));
        if !fits || !position.is_sound() || position.log.is_some() != self.logs() {
            return Err(input.damaged("its parts contradict each other").into());
        }
        if !self.observer.merge(model, &position.observer) {
            return Err(input.damaged("the results of the properties are invalid").into());
        }
        input.finish()?;
        self.states.persistent = position.statistics.persistent;
        self.expander.intake.statistics = position.statistics;
        (self.states.stored, self.states.uncollected) = (position.stored, position.uncollected);
        self.clock.before = self.expander.intake.statistics.elapsed;
        keeper.saved.before = self.clock.before;
        keeper.saved.resumed = head.resumed.saturating_add(1);
        keeper.saved.explored = self.expander.intake.statistics.explored;
        if let Some(at) = position.log {
            let file = if plan.stays() { from } else { &plan.file };
            let (from, to) = (beside(from, ORIGINS), beside(file, ORIGINS));
            self.keep_origins(|| Log::resume(&from, &to, &at))?;
        } else {
            self.states.origins = OriginStore::Off;
        }
        Ok(layer.filter(|_| self.column.is_some()))
    }

    fn logs(&self) -> bool {
        self.options.witness == WitnessMode::Disk
    }
}

impl Exploration {
    /// The result of a run that is rejected.
    pub(crate) fn refused(stop: StopReason) -> Self {
        let window = Window::new(0, false, 0, Budget::new(None));
        let statistics = Statistics::default();
        Exploration { statistics, stop: Some(stop), saved: None, origins: OriginStore::Off, window }
    }
}

/// A fingerprint of the states that the model reaches first, their edges and their progress. It detects
/// another model or measure if the caller gives no fingerprint.
struct Beginning<'a, M: Model> {
    progress: &'a dyn Progress<M>,
    print: Fingerprint,
    states: usize,
}

impl<'a, M: Model> Beginning<'a, M> {
    fn of(model: &M, progress: &'a dyn Progress<M>) -> u64 {
        let mut beginning = Beginning { progress, print: Fingerprint::default(), states: 0 };
        let options = Options { witness: WitnessMode::Off, ..Options::default() };
        explore(model, &Trivial, &options, &mut beginning);
        beginning.print.finish()
    }

    fn note(&mut self, bytes: &[u8]) {
        self.print.write_u64(bytes.len() as u64);
        self.print.write(bytes);
    }
}

impl<M: Model> Observer<M> for Beginning<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        if self.states == BEGINNING {
            return DECIDED;
        }
        self.states += 1;
        self.note(visit.bytes);
        let mut value = Value::default();
        self.progress.measure(worker, visit.state, &mut value)?;
        value.components().iter().for_each(|component| self.note(&component.to_le_bytes()));
        Ok(())
    }

    fn arc(&mut self, source: &Visit<'_, M>, _action: &M::Action, target: &M::State) -> Flow {
        self.note(&bytes_of(source.model, target));
        Ok(())
    }

    fn watches_arcs(&self) -> bool {
        true
    }
}
