//! How to explore: everything about a run that is not the model, the measure or the observer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use crate::checkpoint::Checkpoint;
use crate::observe::WitnessMode;
use crate::retain::Replacement;
use crate::verdict::StopReason;

/// The options of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How far behind the line passed layers are kept, as a [distance](crate::Value::distance) of
    /// progress. An edge back into them costs nothing; an edge further back makes its target
    /// persistent.
    pub window: u64,
    /// How far from where a column's first sweep begins layers are kept for good, as a
    /// [distance](crate::Value::distance) of progress. For measures of systems that come round again:
    /// the sweep that begins at the edges back ends where it meets the beginning of the first one.
    pub anchor: u64,
    /// Collect only after this many new states instead of at every step of the line, as the tools
    /// of the first papers did. Holds more states; useful to reproduce their tables.
    pub gc: Option<u64>,
    /// What to do about edges that lead to less progress.
    pub monotone: Monotone,
    /// Where the origins of states are kept.
    pub witness: WitnessMode,
    /// Counts distinct states, edges and dead states by one more sweep, where several sweeps visited
    /// some of them more than once; not with columns, a reduction or a cache. Without it those counts are
    /// not known then: see [`Statistics::states`](crate::Statistics::states).
    pub count: bool,
    /// When to give up.
    pub limits: Limits,
    /// Raised to stop the run from outside.
    pub interrupt: Interrupt,
    /// Explores depth first and holds so many states, instead of sweeping: state space caching
    /// (Holzmann 1985; Godefroid, Holzmann and Pirottin 1995). The measure, `window`, `gc` and
    /// `monotone` mean nothing then, and there are no checkpoints.
    pub cache: Option<Cache>,
    /// Saves the run in a file, and takes it up from one.
    pub checkpoint: Option<Checkpoint>,
}

impl Options {
    /// What ends a run at this time that is to end by `deadline` and has explored so many states.
    pub(super) fn reached(
        &self,
        now: Instant,
        deadline: Option<Instant>,
        states: u64,
    ) -> Option<StopReason> {
        if let Some(reason) = self.interrupt.reason() {
            return Some(reason);
        }
        if deadline.is_some_and(|deadline| now >= deadline) {
            return Some(StopReason::Time);
        }
        self.limits.states.is_some_and(|limit| states >= limit).then_some(StopReason::States)
    }
}

/// A bounded store of states for a depth-first search.
///
/// States on the stack are never replaced, so every cycle is noticed and the search ends; all others
/// may be, and are explored again when they are met again. Every state is visited, some many times:
/// a cache of less than a third of the states may take very long. Where the stack alone is longer than
/// the cache is large, the store grows with the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cache {
    /// How many states are held, those on the stack included.
    pub states: u64,
    /// Which of those not on the stack goes when another needs its place.
    pub replacement: Replacement,
}

impl Cache {
    /// A cache of so many states that replaces them at random.
    pub fn new(states: u64) -> Self {
        Cache { states, replacement: Replacement::default() }
    }

    /// Replaces in another manner.
    #[must_use]
    pub fn replacing(mut self, replacement: Replacement) -> Self {
        self.replacement = replacement;
        self
    }
}

/// How regress edges are treated. They are always detected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Monotone {
    /// Their targets are kept and swept again: the generalised method.
    #[default]
    Check,
    /// The first one stops the run and is shown.
    Strict,
}

/// Bounds on a run. Reaching one makes what is undecided unknown, never true.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time, of a resumed run since it was resumed. It counts from the start of an exploration, or of
    /// the [check](crate::Check) that makes several.
    pub time: Option<Duration>,
    /// When to give up, whatever of `time` is left: the time limit of all explorations that share it.
    pub deadline: Option<Instant>,
    /// Bytes of the state store.
    pub memory: Option<u64>,
    /// States expanded, of a resumed run all of them.
    pub states: Option<u64>,
}

impl Limits {
    /// When an exploration that begins now must end.
    pub fn ends(&self) -> Option<Instant> {
        let own = self.time.map(|time| Instant::now() + time);
        own.into_iter().chain(self.deadline).min()
    }

    /// The same limits for several explorations of which the first begins now: their time is one.
    #[must_use]
    pub fn started(self) -> Self {
        Limits { deadline: self.ends(), ..self }
    }

    /// The time that is left, where it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.ends().map(|end| end.saturating_duration_since(Instant::now()))
    }
}

/// A flag that stops a run from another thread or a signal handler.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    /// Why the run is to stop: 0 while it may go on, else one more than the number of a [`Cause`].
    cause: Arc<AtomicU8>,
    saving: Arc<AtomicBool>,
}

/// Why a run is interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Somebody asked for it.
    Asked,
    /// Its time is over.
    Time,
    /// The process takes more memory than it may.
    Memory,
}

impl Interrupt {
    /// Asks the run to stop.
    pub fn raise(&self) {
        self.raise_for(Cause::Asked);
    }

    /// Asks the run to stop for a cause.
    pub fn raise_for(&self, cause: Cause) {
        self.cause.store(cause as u8 + 1, Ordering::Relaxed);
    }

    /// Lets runs go on.
    pub fn lower(&self) {
        self.cause.store(0, Ordering::Relaxed);
    }

    /// The run was asked to stop.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.cause.load(Ordering::Relaxed) != 0
    }

    /// Why the run was asked to stop.
    pub fn reason(&self) -> Option<StopReason> {
        const ASKED: u8 = Cause::Asked as u8 + 1;
        const TIME: u8 = Cause::Time as u8 + 1;
        match self.cause.load(Ordering::Relaxed) {
            0 => None,
            ASKED => Some(StopReason::Interrupted),
            TIME => Some(StopReason::Time),
            _ => Some(StopReason::Memory),
        }
    }

    /// Why a run stopped whose model or observer only knows that the flag was raised.
    pub(crate) fn explain(&self, stop: StopReason) -> StopReason {
        match stop {
            // Memory alone is given back: the flag may be down again.
            StopReason::Interrupted => self.reason().unwrap_or(StopReason::Memory),
            stop => stop,
        }
    }

    /// The flag itself, for evaluators that know nothing of runs: not zero when it is raised.
    pub fn flag(&self) -> Arc<AtomicU8> {
        Arc::clone(&self.cause)
    }

    /// A checkpoint is being written: the run stops after it.
    pub fn is_saving(&self) -> bool {
        self.saving.load(Ordering::Relaxed)
    }

    pub(crate) fn set_saving(&self, saving: bool) {
        self.saving.store(saving, Ordering::Relaxed);
    }
}
