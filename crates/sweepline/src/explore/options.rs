//! The options of a run: everything except the model, the measure and the observer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use crate::checkpoint::Checkpoint;
use crate::observe::WitnessMode;
use crate::retain::Replacement;
use crate::spill::Spill;
use crate::threads::Threads;
use crate::verdict::StopReason;

/// The options of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How far behind the line layers are kept, as a [distance](crate::Value::distance) of progress. An edge
    /// back into the window costs nothing; an edge further back makes its target persistent.
    pub window: u64,
    /// Layers within this [distance](crate::Value::distance) of the start of a column's first sweep are kept
    /// for good. For systems that return to their start: the second sweep, which starts at the targets of
    /// regress edges, ends at these layers.
    pub anchor: u64,
    /// Collect garbage only after this many new states instead of at every step of the line, as the tools of
    /// the first papers did. Stores more states; useful to reproduce their tables.
    pub gc: Option<u64>,
    /// How regress edges are treated.
    pub monotone: Monotone,
    /// Where the origins of states are kept.
    pub witness: WitnessMode,
    /// Counts distinct states, edges and dead states by one more sweep, if several sweeps visited some of
    /// them more than once. Not with columns, a reduction or a cache. Without it these counts are unknown
    /// then: see [`Statistics::states`](crate::Statistics::states).
    pub count: bool,
    /// Limits on time, memory and states.
    pub limits: Limits,
    /// Stops the run from outside.
    pub interrupt: Interrupt,
    /// Explores depth first with a store of bounded size, instead of sweeping: state space caching (Holzmann
    /// 1985; Godefroid, Holzmann and Pirottin 1995). The measure, `window`, `gc` and `monotone` are ignored
    /// then, and there are no checkpoints.
    pub cache: Option<Cache>,
    /// Saves the run in a file, and resumes it from one.
    pub checkpoint: Option<Checkpoint>,
    /// Moves states to files of a folder when the memory limit is near. Such states are expanded by one thread. Not
    /// with a [cache](Options::cache), a checkpoint, `gc`, recomputed witnesses, reductions other than
    /// equivalences, or observers of [links](crate::Observer::watches_links).
    pub spill: Option<Spill>,
    /// How many threads expand states. The results do not depend on it.
    pub threads: Threads,
}

impl Options {
    /// Why only one thread can explore with these options, or `None` if several can.
    pub(crate) fn one_thread(&self) -> Option<&'static str> {
        if self.cache.is_some() {
            return Some("a depth-first search needs one thread");
        }
        if self.gc.is_some() {
            return Some("garbage collection after a number of states needs one thread");
        }
        let recomputes = self.witness == WitnessMode::Recompute;
        recomputes.then_some("recomputed witnesses need one thread")
    }

    /// The limit that a run has reached now, given its `deadline` and its number of explored states.
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
        self.has_states(states).then_some(StopReason::States)
    }

    /// Whether a run with `states` explored states has reached a limit that shows without reading the clock.
    pub(super) fn is_reached(&self, states: u64) -> bool {
        self.interrupt.is_raised() || self.has_states(states)
    }

    fn has_states(&self, states: u64) -> bool {
        self.limits.states.is_some_and(|limit| states >= limit)
    }
}

/// A bounded store of states for a depth-first search.
///
/// States on the stack are never replaced, so every cycle is detected and the search ends. All others may be
/// replaced, and are explored again when they are reached again. Every state is visited, some many times:
/// with a cache of less than a third of the states, a run may take very long. If the stack is longer than the
/// cache, the store grows with the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cache {
    /// How many states are stored, including those on the stack.
    pub states: u64,
    /// The replacement policy for states that are not on the stack.
    pub replacement: Replacement,
}

impl Cache {
    /// A cache of `states` states with random replacement.
    pub fn new(states: u64) -> Self {
        Cache { states, replacement: Replacement::default() }
    }

    /// Sets the replacement policy.
    #[must_use]
    pub fn replacing(mut self, replacement: Replacement) -> Self {
        self.replacement = replacement;
        self
    }
}

/// How regress edges are treated. They are always detected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Monotone {
    /// Their targets are stored and swept again: the generalised method.
    #[default]
    Check,
    /// The first one stops the run and is reported.
    Strict,
}

/// Limits of a run. When one is reached, the undecided properties are unknown.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time; for a resumed run, since it was resumed. It starts with an exploration, or with a
    /// [check](crate::Check) that makes several.
    pub time: Option<Duration>,
    /// The run ends at this time at the latest, even if `time` is not used up. Several explorations can share
    /// it.
    pub deadline: Option<Instant>,
    /// Bytes of the state store.
    pub memory: Option<u64>,
    /// Expanded states; for a resumed run, including those before it was resumed.
    pub states: Option<u64>,
}

impl Limits {
    /// When an exploration that starts now must end.
    pub fn ends(&self) -> Option<Instant> {
        let own = self.time.map(|time| Instant::now() + time);
        own.into_iter().chain(self.deadline).min()
    }

    /// The same limits, for several explorations that share the time limit from now on.
    #[must_use]
    pub fn started(self) -> Self {
        Limits { deadline: self.ends(), ..self }
    }

    /// The remaining time, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.ends().map(|end| end.saturating_duration_since(Instant::now()))
    }
}

/// A flag that stops a run from another thread or a signal handler.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    /// Why the run must stop: 0 if it need not, else one more than the number of a [`Cause`].
    cause: Arc<AtomicU8>,
    saving: Arc<AtomicBool>,
}

/// Why a run is interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The user or the caller asked for it.
    Asked,
    /// The time limit was reached.
    Time,
    /// The process uses more memory than it may.
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

    /// Lowers the flag: runs may continue.
    pub fn lower(&self) {
        self.cause.store(0, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.cause.load(Ordering::Relaxed) != 0
    }

    /// Why the flag is raised.
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

    /// The reason of the interrupt, for a model or observer that only knows that the flag was raised.
    pub(crate) fn explain(&self, stop: StopReason) -> StopReason {
        match stop {
            // Only an interrupt for memory is lowered again, so that is the reason if the flag is down.
            StopReason::Interrupted => self.reason().unwrap_or(StopReason::Memory),
            stop => stop,
        }
    }

    /// The flag itself, for evaluators that have no access to the run: not zero if it is raised.
    pub fn flag(&self) -> Arc<AtomicU8> {
        Arc::clone(&self.cause)
    }

    /// Whether a checkpoint is being written, after which the run stops.
    pub fn is_saving(&self) -> bool {
        self.saving.load(Ordering::Relaxed)
    }

    pub(crate) fn set_saving(&self, saving: bool) {
        self.saving.store(saving, Ordering::Relaxed);
    }
}
