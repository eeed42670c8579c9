//! What is compiled for the device: a transition system, the steps of its measure, and what to look for.

use sweepline::compiled::{Condition, Sum, TransitionSystem};

/// The most words of a state.
pub const MOST_WORDS: usize = 8;
/// The most transitions: each is a line of the kernel text.
pub const MOST_TRANSITIONS: usize = 16_384;
/// The most things to look for.
pub const MOST_FINDS: usize = 16_384;

/// A transition system with a linear measure.
#[derive(Clone, Debug)]
pub struct Program {
    /// The transitions.
    pub system: TransitionSystem,
    /// The bits of each word that states use.
    pub used: Vec<u64>,
    /// The progress of the initial state; empty for a full exploration.
    pub start: Vec<i64>,
    /// So many components, the first ones, are meant to be monotone: states that agree on them are a column.
    pub columns: usize,
    /// What each transition adds to it.
    pub steps: Vec<Vec<i64>>,
    /// States without successors that are not dead.
    pub terminated: Condition,
    /// What to look for.
    pub targets: Vec<Target>,
}

/// States that may decide a property.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// A state that satisfies the condition.
    State(Condition),
    /// A state in which one of these transitions fires.
    Fired(Vec<u32>),
    /// A state with the least value.
    Least(Sum),
    /// A state with the greatest value of all these sums.
    Greatest(Vec<Sum>),
}

impl Target {
    /// Whether one state is enough.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self, Target::State(_) | Target::Fired(_))
    }

    /// The condition, for a target where one state is enough.
    pub(crate) fn condition(&self) -> Option<Condition> {
        match self {
            Target::State(condition) => Some(condition.clone()),
            Target::Fired(transitions) => Some(Condition::Enabled(transitions.clone())),
            Target::Least(_) | Target::Greatest(_) => None,
        }
    }
}

/// Why a model cannot be explored on a device.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// States are too wide.
    #[error("a state has {bits} bits, and states on a GPU have at most {most}")]
    Wide {
        /// Bits in whole words.
        bits: usize,
        /// The limit.
        most: usize,
    },
    /// There are too many transitions.
    #[error("the model has {count} transitions, and a GPU program has at most {most}")]
    Transitions {
        /// How many there are.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// There is too much to look for.
    #[error("the properties need {count} conditions, and a GPU program has at most {most}")]
    Finds {
        /// How many there are.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// Numbers do not fit the arithmetic of the device.
    #[error("the numbers of a property are too large for the 64-bit arithmetic of a GPU program")]
    Numbers,
    /// Conditions are nested too deeply.
    #[error("a condition of a property is nested more than {most} levels deep")]
    Deep {
        /// The limit.
        most: usize,
    },
    /// The model has no compiled form.
    #[error("{0}")]
    Model(String),
}

impl Program {
    /// Words of a state on the device: 1, 2, 4 or 8. A state of one word that uses all its bits gets a second
    /// word: some bit must tell an empty cell of a table from a state.
    pub fn words(&self) -> usize {
        match &self.used[..] {
            [] => 1,
            [all] if *all == u64::MAX => 2,
            used => used.len().next_power_of_two(),
        }
    }

    /// The bits that states use of a word on the device.
    pub(crate) fn used(&self, word: usize) -> u64 {
        self.used.get(word).copied().unwrap_or(0)
    }

    /// The different steps of the measure, in order; for each transition its number among them.
    pub(crate) fn deltas(&self) -> (Vec<Vec<i64>>, Vec<usize>) {
        let mut deltas = self.steps.clone();
        deltas.sort();
        deltas.dedup();
        let number = |step: &Vec<i64>| deltas.binary_search(step).unwrap_or(0);
        let numbers = self.steps.iter().map(number).collect();
        if deltas.is_empty() {
            deltas.push(self.start.iter().map(|_| 0).collect());
        }
        (deltas, numbers)
    }

    /// Checks that the program can be compiled.
    ///
    /// # Errors
    ///
    /// If it is too large.
    pub fn check(&self) -> Result<(), Unfit> {
        let (words, count) = (self.used.len(), self.system.len());
        if words > MOST_WORDS {
            return Err(Unfit::Wide { bits: words * 64, most: MOST_WORDS * 64 });
        }
        if count > MOST_TRANSITIONS {
            return Err(Unfit::Transitions { count, most: MOST_TRANSITIONS });
        }
        if self.targets.len() > MOST_FINDS {
            return Err(Unfit::Finds { count: self.targets.len(), most: MOST_FINDS });
        }
        Ok(())
    }
}

/// Whether a step decreases progress.
pub(crate) fn is_regress(step: &[i64]) -> bool {
    step.iter().find(|component| **component != 0).is_some_and(|component| *component < 0)
}
