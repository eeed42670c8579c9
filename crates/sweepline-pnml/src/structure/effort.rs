//! How much work the structural proofs of a run may take.

use std::cell::Cell;
use std::time::{Duration, Instant};

use sweepline::{Interrupt, Options};

/// Steps of all proofs of a run; about a second.
const STEPS: u64 = 600_000_000;
/// Steps of a brief effort; about 20 milliseconds.
const BRIEF: u64 = 12_000_000;
/// Time that no linear program exceeds, and a safety net for steps that take longer than expected.
const LONGEST: Duration = Duration::from_secs(3);

/// A budget of work, counted in steps, so that the same net gets the same answers on every machine.
#[derive(Debug)]
pub struct StructureEffort {
    steps: Cell<u64>,
    /// The steps that must be left for other questions.
    kept: Cell<u64>,
    deadline: Instant,
    interrupt: Interrupt,
}

impl Default for StructureEffort {
    fn default() -> Self {
        StructureEffort {
            steps: Cell::new(STEPS),
            kept: Cell::new(0),
            deadline: Instant::now() + LONGEST,
            interrupt: Interrupt::default(),
        }
    }
}

impl StructureEffort {
    /// The effort for a run with these options: no longer than a third of the time that is left.
    pub fn within(options: &Options) -> Self {
        let share = options.limits.time_left().map(|left| left / 3);
        let time = share.map_or(LONGEST, |share| share.min(LONGEST));
        StructureEffort {
            deadline: Instant::now() + time,
            interrupt: options.interrupt.clone(),
            ..StructureEffort::default()
        }
    }

    /// A small part of it, for proofs before a short exploration.
    #[must_use]
    pub fn brief(self) -> Self {
        self.steps.set(BRIEF);
        self
    }

    /// Nothing is left, or the run must end.
    pub(super) fn is_over(&self) -> bool {
        self.steps.get() <= self.kept.get()
            || self.interrupt.is_raised()
            || self.time_left().is_zero()
    }

    /// The time that is left.
    pub(super) fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Keeps all but one of `parts` equal parts of what is left.
    pub(super) fn share(&self, parts: usize) {
        let left = self.steps.get();
        self.kept.set(left - left / parts.max(1) as u64);
    }

    /// Takes so many steps; `None` if they are not left.
    pub(super) fn take(&self, steps: u64) -> Option<()> {
        let left = self.steps.get().checked_sub(steps).filter(|left| *left >= self.kept.get());
        self.steps.set(left.unwrap_or(self.kept.get()));
        (left.is_some() && !self.is_over()).then_some(())
    }
}
