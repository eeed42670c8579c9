//! What an exploration can say, and why it may have stopped before saying it.

use std::io;

use crate::checkpoint;
use crate::model::{Model, ModelError, Stopped};
use crate::observe::{Broken, Witness};
use crate::progress::Value;

/// The answer to a question about all reachable states.
pub enum Verdict<M: Model> {
    /// It holds: every reachable state was explored, or what was asked for was found.
    Holds(Option<Witness<M>>),
    /// It does not; the witness shows how, where one was asked for.
    Violated(Option<Witness<M>>),
    /// Not decided: the exploration stopped first.
    Unknown(StopReason),
}

impl<M: Model> Verdict<M> {
    /// The run that proves the verdict.
    pub fn witness(&self) -> Option<&Witness<M>> {
        match self {
            Verdict::Holds(witness) | Verdict::Violated(witness) => witness.as_ref(),
            Verdict::Unknown(_) => None,
        }
    }

    /// The verdict in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Why an exploration ended before every reachable state was explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StopReason {
    /// Every question was answered.
    #[error("every question was answered")]
    Decided,
    /// The time limit.
    #[error("the time limit was reached")]
    Time,
    /// The memory limit, or the system refused memory.
    #[error("the memory limit was reached")]
    Memory,
    /// The limit on explored states.
    #[error("the limit on states was reached")]
    States,
    /// The user's interrupt.
    #[error("interrupted")]
    Interrupted,
    /// The witness log could not be written; the system's message.
    #[error("the witness log could not be written: {0}")]
    Disk(String),
    /// Under a strictly monotone measure, an edge led to less progress.
    #[error("the measure is not monotone: an edge leads from progress {} to {}", .0.from, .0.to)]
    Regress(Box<Regress>),
    /// The successors, the measure or a condition of a state could not be computed, or the model broke a law
    /// of [`Model`]; its message.
    #[error("the model failed: {0}")]
    Model(String),
    /// A fault of this program, not of the model; what went wrong.
    #[error("internal error: {0}; please report it with the model")]
    Internal(String),
    /// The reductions asked for do not go together, or with the measure, or turned out not to be what
    /// they were taken for; in words.
    #[error("{0}")]
    Reduction(String),
    /// There are infinitely many states; how that is known, and what to do about it.
    #[error("{0}")]
    Endless(String),
    /// So many layers in a row brought no new class to cut off at.
    #[error(
        "{0} layers in a row brought no new class: some run may never pass a state to cut off at"
    )]
    Patience(u64),
    /// A formula has no automaton that is small enough; why not.
    #[error("{0}")]
    Formula(String),
    /// The run could not be saved to begin with, or not go on from where it was to.
    #[error(transparent)]
    Checkpoint(#[from] checkpoint::Error),
    /// The strongly connected components are not known, for this reason; the trivial measure finds them.
    #[error("the strongly connected components are not known: {0}")]
    Components(&'static str),
}

impl StopReason {
    /// What was explored is not what was to be: nothing that was found is an answer.
    pub fn is_fault(&self) -> bool {
        matches!(self, StopReason::Model(_) | StopReason::Internal(_))
    }

    /// What ended one exploration by this would end the next: a fault, or the user's interrupt.
    pub(crate) fn ends_all(&self) -> bool {
        self.is_fault() || *self == StopReason::Interrupted
    }

    /// The name in machine-readable output.
    pub fn name(&self) -> &'static str {
        match self {
            StopReason::Decided => "decided",
            StopReason::Time => "time-limit",
            StopReason::Memory => "memory-limit",
            StopReason::States => "state-limit",
            StopReason::Interrupted => "interrupted",
            StopReason::Disk(_) => "disk",
            StopReason::Regress(_) => "regress",
            StopReason::Model(_) => "model",
            StopReason::Internal(_) => "internal",
            StopReason::Reduction(_) => "reduction",
            StopReason::Endless(_) => "endless",
            StopReason::Patience(_) => "patience",
            StopReason::Formula(_) => "formula",
            StopReason::Checkpoint(_) => "checkpoint",
            StopReason::Components(_) => "components",
        }
    }
}

impl From<ModelError> for StopReason {
    fn from(error: ModelError) -> Self {
        if error.is::<Stopped>() {
            return StopReason::Interrupted;
        }
        StopReason::Model(error.to_string())
    }
}

impl From<Broken> for StopReason {
    fn from(broken: Broken) -> Self {
        StopReason::Model(broken.to_string())
    }
}

impl From<io::Error> for StopReason {
    fn from(error: io::Error) -> Self {
        StopReason::Disk(error.to_string())
    }
}

/// An edge that breaks a measure claimed to be monotone: `(state, action, successor)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regress {
    /// The bytes of the state.
    pub source: Vec<u8>,
    /// Which of its successors, in the model's order.
    pub number: u32,
    /// The bytes of the successor.
    pub target: Vec<u8>,
    /// The progress of the state.
    pub from: Value,
    /// The progress of the successor.
    pub to: Value,
}
