//! One exploration on a device: the layers, the line, and the steps.
//!
//! The rules are those of the library's own loop (`explore.rs` and `retain/window.rs`): the least open layer is expanded
//! level by level; layers behind the window are dropped; an edge behind the window makes its target persistent, and a
//! root of the next sweep. So counts, peaks and sweeps are the same.

mod layers;
mod level;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use sweepline::observe::Counts;
use sweepline::{Options, Statistics, StopReason, Value};

use crate::board::Board;
use crate::device::{Device, DeviceError};
use crate::finds::{Finds, Found};
use crate::generate::Cells;
use crate::pool::Pool;
use crate::program::Program;
use crate::table::{Shape, Table};

/// A step of a run, which ends the run if it fails.
pub use level::is_too_narrow;

pub(crate) type Step<T = ()> = Result<T, StopReason>;

impl From<DeviceError> for StopReason {
    fn from(error: DeviceError) -> Self {
        StopReason::Device(error.to_string())
    }
}

/// Who is told what a run finds.
pub(crate) trait Viewer {
    /// A state that was looked for, expanded in step `step` of progress `line`.
    fn found(&mut self, found: &Found, line: &Value, step: u64) -> Step;

    /// Called about ten times a second.
    fn pulse(&mut self, line: &Value, statistics: &Statistics);
}

/// Between two pulses.
const PULSE: Duration = Duration::from_millis(100);
/// After this many attempts, distinct counts are left unknown.
const COUNT_ATTEMPTS: usize = 4;

/// An exploration.
pub(crate) struct Run<'a> {
    pub(crate) device: &'a mut dyn Device,
    program: &'a Program,
    options: &'a Options,
    pub(crate) pool: Pool,
    shape: Shape,
    pub(crate) board: Board,
    finds: Finds,
    /// The different steps of the measure.
    deltas: Vec<Vec<i64>>,
    open: BTreeMap<Value, Table>,
    passed: BTreeMap<Value, Table>,
    parked: BTreeMap<Value, Table>,
    /// Values of parked layers with states that no sweep has expanded yet.
    roots: BTreeSet<Value>,
    /// The greatest value dropped in this sweep.
    horizon: Option<Value>,
    fills_gaps: bool,
    anchor: u64,
    beginning: Option<Value>,
    /// The column that is swept, by some value in it.
    column: Option<Value>,
    /// Values of parked layers with states that came from another column.
    pinned: BTreeSet<Value>,
    line: Value,
    /// Levels so far.
    step: u64,
    /// The run ends before the level after this one.
    until: Option<u64>,
    /// Dropped layers, kept for a counterexample as long as there is memory.
    archive: Option<VecDeque<(Value, Table)>>,
    counting: bool,
    pub(crate) statistics: Statistics,
    stored: u64,
    started: Instant,
    pulsed: Instant,
    deadline: Option<Instant>,
}

impl<'a> Run<'a> {
    /// A run with the kernels that the device has loaded. With `until`, it keeps origins and ends after so many levels;
    /// it looks for nothing.
    pub(crate) fn new(
        device: &'a mut dyn Device,
        program: &'a Program,
        options: &'a Options,
        limit: u64,
        until: Option<u64>,
    ) -> Step<Self> {
        let mut pool = Pool::new(limit);
        let (deltas, _) = program.deltas();
        let (words, cells) = (program.words(), Cells::of(program, device.dialect()));
        let shape = Shape { words, cells, traces: until.is_some() };
        let memory = |piece: Option<_>| piece.ok_or(StopReason::Memory);
        let board =
            Board::new(device, &mut pool, deltas.len(), words)?.ok_or(StopReason::Memory)?;
        let finds = memory(Finds::new(device, &mut pool, program, until.is_none())?)?;
        let now = Instant::now();
        Ok(Run {
            device,
            program,
            options,
            pool,
            shape,
            board,
            finds,
            deltas,
            open: BTreeMap::new(),
            passed: BTreeMap::new(),
            parked: BTreeMap::new(),
            roots: BTreeSet::new(),
            horizon: None,
            fills_gaps: options.window > 0,
            anchor: options.anchor,
            beginning: None,
            column: None,
            pinned: BTreeSet::new(),
            line: value_of(&program.start),
            step: 0,
            until,
            archive: until.is_some().then(VecDeque::new),
            counting: false,
            statistics: Statistics { sweeps: 1, ..Statistics::default() },
            stored: 0,
            started: now,
            pulsed: now,
            deadline: options.limits.ends(),
        })
    }

    /// Explores until the end or a limit.
    pub(crate) fn explore(&mut self, viewer: &mut dyn Viewer) -> Option<StopReason> {
        let stop = self.sweep_all(viewer).err();
        let counts = self.options.count && self.until.is_none() && self.program.columns == 0;
        if stop.is_none() && counts && !self.statistics.is_exact() {
            self.count_distinct(viewer);
        }
        self.refresh();
        self.statistics.elapsed = self.started.elapsed();
        stop
    }

    fn sweep_all(&mut self, viewer: &mut dyn Viewer) -> Step {
        self.store_initial()?;
        while let Some(line) = self.next_layer()? {
            while self.open.get(&line).is_some_and(|table| table.waiting > 0) {
                self.level(&line, viewer)?;
            }
            if let Some(table) = self.open.remove(&line) {
                self.passed.insert(line, table);
            }
        }
        Ok(())
    }

    /// The layer to expand next; moves the line there and drops the layers that left the window.
    fn next_layer(&mut self) -> Step<Option<Value>> {
        loop {
            let next = self.open.first_key_value().map(|(next, _)| next.clone());
            match (self.column.take(), next) {
                (Some(column), Some(next)) if self.same_column(&next, &column) => {
                    self.column = Some(column);
                    self.line = next;
                    while let Some(value) = self.droppable(self.options.window) {
                        self.drop_layer(&value)?;
                    }
                    return Ok(Some(self.line.clone()));
                }
                (Some(column), _) => self.end_sweep(column)?,
                (None, next) => match (next, self.roots.first().cloned()) {
                    (None, None) => return Ok(None),
                    (Some(next), root) if root.as_ref().is_none_or(|root| next <= *root) => {
                        self.beginning = Some(next.clone());
                        self.column = Some(next);
                    }
                    (_, Some(root)) => self.begin_sweep(root)?,
                    (Some(_), None) => unreachable!("the guard above holds without a root"),
                },
            }
        }
    }

    /// No open layer is left in `column`: sweeps it again if there were regress edges, else leaves it.
    fn end_sweep(&mut self, column: Value) -> Step {
        while let Some(value) = self.droppable(0) {
            self.drop_layer(&value)?;
        }
        if self.roots.iter().any(|root| self.same_column(root, &column)) {
            return self.begin_sweep(column);
        }
        self.leave_column(&column);
        Ok(())
    }

    /// Opens every parked layer with roots in a column.
    fn begin_sweep(&mut self, column: Value) -> Step {
        self.statistics.sweeps += 1;
        self.horizon = None;
        let roots = self.roots.iter().filter(|root| self.same_column(root, &column));
        for root in roots.cloned().collect::<Vec<Value>>() {
            self.open_layer(&root, 0)?;
        }
        self.column = Some(column);
        Ok(())
    }

    /// Whether two values agree on the components that are meant to be monotone.
    fn same_column(&self, one: &Value, other: &Value) -> bool {
        let columns = self.program.columns;
        one.components()[..columns] == other.components()[..columns]
    }

    /// Counts distinct states by one more sweep from all roots: see `explore/count.rs` of the library.
    fn count_distinct(&mut self, viewer: &mut dyn Viewer) {
        if self.finds.close(self.device).is_err() {
            return;
        }
        self.counting = true;
        let before = self.statistics.clone();
        let mut counted = None;
        for _ in 0..COUNT_ATTEMPTS {
            let start = self.statistics.clone();
            if self.rewind().and_then(|()| self.sweep_all(viewer)).is_err() {
                break;
            }
            let after = &self.statistics;
            if (after.persistent, after.sweeps) == (start.persistent, start.sweeps) {
                counted = Some(Counts {
                    states: after.explored - start.explored,
                    edges: after.edges - start.edges,
                    dead: after.dead - start.dead,
                });
                break;
            }
        }
        self.refresh();
        let peak_states = self.statistics.peak_states;
        self.statistics = Statistics { counted, peak_states, ..before };
        self.counting = false;
    }

    /// Gives the memory of the run back to the device.
    pub(crate) fn give_back(self) {
        self.pool.give_back(self.device);
    }

    fn refresh(&mut self) {
        let statistics = &mut self.statistics;
        statistics.stored = self.stored;
        statistics.peak_states = statistics.peak_states.max(self.stored);
        statistics.peak_bytes = self.pool.peak;
    }

    /// Ends the run at a limit; calls the viewer now and then.
    fn check_limits(&mut self, viewer: &mut dyn Viewer) -> Step {
        let now = Instant::now();
        self.refresh();
        self.statistics.elapsed = now - self.started;
        if now - self.pulsed >= PULSE {
            self.pulsed = now;
            viewer.pulse(&self.line, &self.statistics);
        }
        if let Some(reason) = self.options.interrupt.reason() {
            return Err(reason);
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(StopReason::Time);
        }
        let states = self.options.limits.states;
        // A run for a counterexample repeats steps of one within the limit.
        let counted = self.until.is_none() && !self.counting;
        match states.is_some_and(|limit| counted && self.statistics.explored >= limit) {
            true => Err(StopReason::States),
            false => Ok(()),
        }
    }
}

/// A vector as a progress value.
pub(crate) fn value_of(components: &[i64]) -> Value {
    let mut value = Value::default();
    components.iter().for_each(|component| value.push(*component));
    value
}

/// The value after a step; an error if it does not fit 64 bits.
pub(crate) fn after(value: &Value, step: &[i64]) -> Step<Value> {
    let mut sum = Value::default();
    for (component, step) in value.components().iter().zip(step) {
        let next = component.checked_add(*step).filter(|next| *next != i64::MIN);
        let large = || StopReason::Model("the progress of a state does not fit 64 bits".into());
        sum.push(next.ok_or_else(large)?);
    }
    Ok(sum)
}
