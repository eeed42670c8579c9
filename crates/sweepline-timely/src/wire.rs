//! What workers tell each other besides states.

use serde::{Deserialize, Serialize};
use sweepline::part::Account;
use sweepline::{Regress, StopReason, Value};

/// What a worker tells all others after a step.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) account: Account,
    /// Why this worker wants the run to end.
    pub(crate) stop: Option<Stop>,
    /// What its observer has gathered, if that may decide something new.
    pub(crate) facts: Option<Vec<u8>>,
    /// Facts from the checkpoint that the run continues.
    pub(crate) restored: Vec<Vec<u8>>,
    /// Whether it is time to write a checkpoint. Only that of the first worker counts.
    pub(crate) save: bool,
    /// Whether its part of a checkpoint was written.
    pub(crate) saved: Option<Result<(), String>>,
    pub(crate) waited: f64,
    pub(crate) sent: u64,
}

/// A [`StopReason`] as it is sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Stop {
    // In the order of precedence, if several workers have different reasons.
    Model(String),
    Internal(String),
    Regress { source: Vec<u8>, number: u32, target: Vec<u8>, from: Vec<i64>, to: Vec<i64> },
    Decided,
    Interrupted,
    Time,
    Memory,
    Disk(String),
    Endless(String),
    States,
    Lost(String),
    Other(String),
}

impl Stop {
    fn rank(&self) -> usize {
        match self {
            Stop::Model(_) => 0,
            Stop::Internal(_) => 1,
            Stop::Regress { .. } => 2,
            Stop::Decided => 3,
            Stop::Interrupted => 4,
            Stop::Time => 5,
            Stop::Memory => 6,
            Stop::Disk(_) => 7,
            Stop::Endless(_) => 8,
            Stop::States => 9,
            Stop::Lost(_) => 10,
            Stop::Other(_) => 11,
        }
    }

    /// The reason that ends the run, if some worker has one: the first of the most important.
    pub(crate) fn of_all<'s>(stops: impl Iterator<Item = &'s Stop>) -> Option<StopReason> {
        stops.min_by_key(|stop| stop.rank()).map(|stop| stop.clone().into())
    }
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Self {
        let listed = |value: &Value| value.components().to_vec();
        match reason {
            StopReason::Model(text) => Stop::Model(text),
            StopReason::Internal(text) => Stop::Internal(text),
            StopReason::Regress(regress) => {
                let (from, to) = (listed(&regress.from), listed(&regress.to));
                let Regress { source, number, target, .. } = *regress;
                Stop::Regress { source, number, target, from, to }
            }
            StopReason::Decided => Stop::Decided,
            StopReason::Interrupted => Stop::Interrupted,
            StopReason::Time => Stop::Time,
            StopReason::Memory => Stop::Memory,
            StopReason::Disk(text) => Stop::Disk(text),
            StopReason::Endless(text) => Stop::Endless(text),
            StopReason::States => Stop::States,
            StopReason::Lost(text) => Stop::Lost(text),
            other => Stop::Other(other.to_string()),
        }
    }
}

impl From<Stop> for StopReason {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Model(text) => StopReason::Model(text),
            Stop::Internal(text) => StopReason::Internal(text),
            Stop::Regress { source, number, target, from, to } => {
                let (from, to) = (from.into_iter().collect(), to.into_iter().collect());
                StopReason::Regress(Box::new(Regress { source, number, target, from, to }))
            }
            Stop::Decided => StopReason::Decided,
            Stop::Interrupted => StopReason::Interrupted,
            Stop::Time => StopReason::Time,
            Stop::Memory => StopReason::Memory,
            Stop::Disk(text) => StopReason::Disk(text),
            Stop::Endless(text) => StopReason::Endless(text),
            Stop::States => StopReason::States,
            Stop::Lost(text) => StopReason::Lost(text),
            Stop::Other(text) => StopReason::Cluster(text),
        }
    }
}
