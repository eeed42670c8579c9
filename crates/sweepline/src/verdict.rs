//! Verdicts, and the reasons for an unknown verdict.

use std::io;

use crate::checkpoint;
use crate::model::{Model, ModelError, Stopped};
use crate::observe::{Broken, Witness};
use crate::progress::Value;
use crate::spill;

/// The verdict on a property of all reachable states.
pub enum Verdict<M: Model> {
    /// The property holds: every reachable state was explored, or a witness was found.
    Holds(Option<Witness<M>>),
    /// The property is violated, with a counterexample if witnesses are enabled.
    Violated(Option<Witness<M>>),
    /// Undecided: the exploration stopped early.
    Unknown(StopReason),
}

impl<M: Model> Verdict<M> {
    /// The path that proves the verdict.
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
    /// Every property was decided.
    #[error("all properties are decided")]
    Decided,
    /// The time limit was reached.
    #[error("the time limit was reached")]
    Time,
    /// The memory limit was reached, or the system had no more memory.
    #[error("the memory limit was reached")]
    Memory,
    /// The limit on explored states was reached.
    #[error("the state limit was reached")]
    States,
    /// A hunt without exploration: it can only find states.
    #[error("a hunt can find a state, but cannot show that there is none")]
    Hunt,
    /// The user interrupted the run.
    #[error("interrupted")]
    Interrupted,
    /// The witness log could not be written; the message of the system.
    #[error("the witness log could not be written: {0}")]
    Disk(String),
    /// States could not be kept on disk.
    #[error(transparent)]
    Spill(#[from] spill::Error),
    /// A regress edge under a measure that must be strictly monotone.
    #[error("the progress measure is not monotone: an edge decreases progress from {} to {}", .0.from, .0.to)]
    Regress(Box<Regress>),
    /// The successors, the measure or a condition of a state could not be computed, or the model broke a law
    /// of [`Model`]; the error message.
    #[error("the model failed: {0}")]
    Model(String),
    /// A bug of this program, not of the model; a description.
    #[error("internal error: {0}; please report it with the model")]
    Internal(String),
    /// The requested reductions cannot be combined with each other or with the measure, or turned out to be
    /// unsound; the reason.
    #[error("{0}")]
    Reduction(String),
    /// There are infinitely many states; the reason, and what to do about it.
    #[error("{0}")]
    Endless(String),
    /// This many layers in a row added no new class to cut off at.
    #[error("{0} layers in a row added no new class: some path may never reach a cut-off state")]
    Patience(u64),
    /// A formula has no automaton that is small enough; the reason.
    #[error("{0}")]
    Formula(String),
    /// The run could not be saved at its start, or could not be resumed.
    #[error(transparent)]
    Checkpoint(#[from] checkpoint::Error),
    /// A device on which the model was explored failed, or is too small for the model; the reason.
    #[error("the GPU cannot go on: {0}")]
    Device(String),
    /// Several processes cannot make this exploration; the reason.
    #[error("{0}")]
    Cluster(String),
    /// Another process of the exploration was lost; which one, and what to do about it.
    #[error("{0}")]
    Lost(String),
    /// The strongly connected components are unknown, for this reason. Exploration with the trivial measure
    /// finds them.
    #[error("the strongly connected components are unknown: {0}")]
    Components(&'static str),
}

impl StopReason {
    /// Whether the exploration was not one of the model: its results are not verdicts then.
    pub fn is_fault(&self) -> bool {
        matches!(self, StopReason::Model(_) | StopReason::Internal(_))
    }

    /// Whether this reason would also end the next exploration: a fault, or the user's interrupt.
    pub(crate) fn ends_all(&self) -> bool {
        self.is_fault() || *self == StopReason::Interrupted
    }

    /// The name in JSON output.
    pub fn name(&self) -> &'static str {
        match self {
            StopReason::Decided => "decided",
            StopReason::Time => "time-limit",
            StopReason::Memory => "memory-limit",
            StopReason::States => "state-limit",
            StopReason::Hunt => "hunt",
            StopReason::Interrupted => "interrupted",
            StopReason::Spill(spill::Error::Unsupported(_)) => "spill",
            StopReason::Disk(_) | StopReason::Spill(_) => "disk",
            StopReason::Regress(_) => "regress",
            StopReason::Model(_) => "model",
            StopReason::Internal(_) => "internal",
            StopReason::Reduction(_) => "reduction",
            StopReason::Endless(_) => "endless",
            StopReason::Patience(_) => "patience",
            StopReason::Formula(_) => "formula",
            StopReason::Checkpoint(_) => "checkpoint",
            StopReason::Device(_) => "device",
            StopReason::Cluster(_) => "cluster",
            StopReason::Lost(_) => "process-lost",
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

/// A regress edge of a measure that must be monotone: `(state, action, successor)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regress {
    /// The bytes of the state.
    pub source: Vec<u8>,
    /// The number of the successor, in the model's order.
    pub number: u32,
    /// The bytes of the successor.
    pub target: Vec<u8>,
    /// The progress of the state.
    pub from: Value,
    /// The progress of the successor.
    pub to: Value,
}
