//! What an exploration can say, and why it may have stopped before saying it.

use std::fmt;

use crate::checkpoint;
use crate::model::{Model, ModelError};
use crate::observe::Witness;
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Every question was answered.
    Decided,
    /// The time limit.
    Time,
    /// The memory limit, or the system refused memory.
    Memory,
    /// The limit on explored states.
    States,
    /// The user's interrupt.
    Interrupted,
    /// The witness log could not be written; the system's message.
    Disk(String),
    /// Under a strictly monotone measure, an edge led to less progress.
    Regress(Box<Regress>),
    /// The successors, the measure or a condition of a state could not be computed, or the model broke a law
    /// of [`Model`]; its message.
    Model(String),
    /// A fault of this program, not of the model; what went wrong.
    Internal(String),
    /// The reductions asked for do not go together, or with the measure, or turned out not to be what
    /// they were taken for; in words.
    Reduction(String),
    /// There are infinitely many states; how that is known, and what to do about it.
    Endless(String),
    /// So many layers in a row brought no new class to cut off at.
    Patience(u64),
    /// A formula has no automaton that is small enough; why not.
    Formula(String),
    /// The run could not be saved to begin with, or not go on from where it was to.
    Checkpoint(checkpoint::Error),
    /// The strongly connected components are not known, for this reason; the trivial measure finds them.
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
        StopReason::Model(error.to_string())
    }
}

impl From<checkpoint::Error> for StopReason {
    fn from(error: checkpoint::Error) -> Self {
        StopReason::Checkpoint(error)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Decided => f.write_str("every question was answered"),
            StopReason::Time => f.write_str("the time limit was reached"),
            StopReason::Memory => f.write_str("the memory limit was reached"),
            StopReason::States => f.write_str("the limit on states was reached"),
            StopReason::Interrupted => f.write_str("interrupted"),
            StopReason::Disk(error) => write!(f, "the witness log could not be written: {error}"),
            StopReason::Regress(edge) => write!(
                f,
                "the measure is not monotone: an edge leads from progress {} to {}",
                edge.from, edge.to
            ),
            StopReason::Model(error) => write!(f, "the model failed: {error}"),
            StopReason::Internal(fault) => {
                write!(f, "internal error: {fault}; please report it with the model")
            }
            StopReason::Reduction(why) | StopReason::Endless(why) => f.write_str(why),
            StopReason::Patience(layers) => write!(
                f,
                "{layers} layers in a row brought no new class: some run may never pass a state to cut off at"
            ),
            StopReason::Formula(error) => f.write_str(error),
            StopReason::Checkpoint(error) => error.fmt(f),
            StopReason::Components(why) => {
                write!(f, "the strongly connected components are not known: {why}")
            }
        }
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
