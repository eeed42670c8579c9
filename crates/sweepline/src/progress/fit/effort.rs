//! How much work a search for measures may do.

use std::time::Duration;

use crate::explore::{Interrupt, Limits, Options};
use crate::observe::WitnessMode;
use crate::threads::Threads;

/// Steps of a search that has seen next to nothing of its model.
const LEAST: u64 = 80_000_000;
/// More than this finds nothing better.
const MOST: u64 = 250_000_000;
/// Parts of the work: a sample, linear programs, predictions, trials.
const PARTS: u64 = 4;

/// A budget of work for a search, counted in steps of a few nanoseconds.
///
/// It is not counted in time, so that the same model gets the same measure on every machine, however
/// busy.
#[derive(Clone, Debug)]
pub struct Effort {
    steps: u64,
    successor: u64,
    /// The limits of the run that the search is for.
    limits: Limits,
    interrupt: Interrupt,
    /// The threads of its trials. What is found does not depend on their number.
    threads: Threads,
}

impl Default for Effort {
    fn default() -> Self {
        Effort::of(MOST, Effort::SUCCESSOR)
    }
}

impl Effort {
    /// Steps that it usually takes to compute one successor of a state and to store it.
    pub const SUCCESSOR: u64 = 50;

    /// A quarter of the work that an exploration of so many edges was, within reason. Computing one
    /// successor takes `successor` steps.
    pub fn after(edges: u64, successor: u64) -> Self {
        let quarter = edges.saturating_mul(successor) / 4;
        Effort::of(quarter.clamp(LEAST, MOST), successor.max(1))
    }

    /// The most work there is any use for.
    pub fn most(successor: u64) -> Self {
        Effort::of(MOST, successor.max(1))
    }

    fn of(steps: u64, successor: u64) -> Self {
        let (limits, interrupt) = (Limits::default(), Interrupt::default());
        Effort { steps, successor, limits, interrupt, threads: Threads::default() }
    }

    /// The same on the threads of a run, within its time and memory. The run may be interrupted: a search that must
    /// end finds nothing.
    #[must_use]
    pub fn within(mut self, options: &Options) -> Self {
        let limits = options.limits.clone().started();
        self.limits = Limits { states: None, time: None, ..limits };
        self.interrupt = options.interrupt.clone();
        self.threads = options.threads.clone();
        self
    }

    /// The search must end.
    pub(super) fn is_over(&self) -> bool {
        self.interrupt.is_raised() || self.time_left() == Some(Duration::ZERO)
    }

    /// The time that is left, where it is limited.
    pub(super) fn time_left(&self) -> Option<Duration> {
        self.limits.time_left()
    }

    /// Bytes that the search may take, where they are limited.
    pub(super) fn memory(&self) -> Option<usize> {
        self.limits.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// The options of an exploration that belongs to the search, of so many states.
    pub(super) fn options(&self, states: Option<u64>) -> Options {
        Options {
            witness: WitnessMode::Off,
            limits: Limits { states, ..self.limits.clone() },
            interrupt: self.interrupt.clone(),
            threads: self.threads.clone(),
            ..Options::default()
        }
    }

    /// The same where so many features of a successor are looked at.
    pub(super) fn measuring(self, features: usize) -> Self {
        Effort { successor: self.successor + 4 * features as u64, ..self }
    }

    /// The steps of one part of the search.
    pub(super) fn part(&self) -> u64 {
        self.steps / PARTS
    }

    /// How many successors can be computed in one part of the search.
    pub(super) fn successors(&self) -> u64 {
        (self.part() / self.successor).max(1)
    }
}
