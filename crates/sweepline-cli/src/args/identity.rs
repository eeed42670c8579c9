//! Options about equivalent states.

use clap::Args;
use serde::{Deserialize, Serialize};

use super::quantity::count;

/// Which states are equivalent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(crate) enum Equivalence {
    /// States of a timed net that differ only by a shift of model time.
    Time,
    /// States that differ by a permutation of the colours of these sets, or of processes.
    Symmetry(Vec<String>),
    /// States for which an expression has the same value.
    Value(String),
}

impl From<String> for Equivalence {
    fn from(text: String) -> Self {
        let trimmed = text.trim();
        match (trimmed, trimmed.strip_prefix("symmetry:")) {
            ("time", _) => Equivalence::Time,
            ("symmetry", _) => Equivalence::Symmetry(Vec::new()),
            (_, Some(sets)) => {
                Equivalence::Symmetry(sets.split(',').map(|set| set.trim().to_owned()).collect())
            }
            _ => Equivalence::Value(text),
        }
    }
}

impl From<Equivalence> for String {
    fn from(equivalence: Equivalence) -> Self {
        match equivalence {
            Equivalence::Time => "time".into(),
            Equivalence::Symmetry(sets) if sets.is_empty() => "symmetry".into(),
            Equivalence::Symmetry(sets) => format!("symmetry:{}", sets.join(",")),
            Equivalence::Value(text) => text,
        }
    }
}

/// Where equivalent states end the exploration, and which symmetry is assumed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Equivalence")]
pub(crate) struct CutOff {
    /// With `--equivalence`: stop at a state that satisfies EXPR if an equivalent one was explored
    ///
    /// Only the equivalence classes of states that satisfy EXPR are stored for good. Needs a progress measure.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) cut_off: Option<String>,
    /// With `--cut-off`: stop after N layers in a row without a new equivalence class (default: 10,000)
    #[arg(long, value_name = "N", value_parser = count, requires = "cut_off")]
    pub(crate) patience: Option<u64>,
    /// Assume that the colour sets of `--equivalence symmetry:...` are symmetric, even if it is not proven
    ///
    /// sweepline still tests the assumption on states that it explores. If the assumption is false, verdicts may be
    /// wrong.
    #[arg(long)]
    pub(crate) assume_symmetric: bool,
}
