//! How much work a search for measures may do.

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    steps: u64,
    successor: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { steps: MOST, successor: Effort::SUCCESSOR }
    }
}

impl Effort {
    /// Steps that it usually takes to compute one successor of a state and to store it.
    pub const SUCCESSOR: u64 = 50;

    /// A quarter of the work that an exploration of so many edges was, within reason. Computing one
    /// successor takes `successor` steps.
    pub fn after(edges: u64, successor: u64) -> Self {
        let quarter = edges.saturating_mul(successor) / 4;
        Effort { steps: quarter.clamp(LEAST, MOST), successor: successor.max(1) }
    }

    /// The most work there is any use for.
    pub fn most(successor: u64) -> Self {
        Effort { steps: MOST, successor: successor.max(1) }
    }

    /// The same where so many features of a successor are looked at.
    pub(super) fn measuring(self, features: usize) -> Self {
        Effort { successor: self.successor + 4 * features as u64, ..self }
    }

    /// The steps of one part of the search.
    pub(super) fn part(self) -> u64 {
        self.steps / PARTS
    }

    /// How many successors can be computed in one part of the search.
    pub(super) fn successors(self) -> u64 {
        (self.part() / self.successor).max(1)
    }
}
