//! Which states count as the same.

use clap::Args;
use serde::{Deserialize, Serialize};

use super::quantity::count;

/// Which states of a model are one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(crate) enum Equivalence {
    /// Those of a timed net that differ only in the time, with all stamps relative to it.
    Time,
    /// Those that differ by a permutation of the colours of these sets, or of processes.
    Symmetry(Vec<String>),
    /// Those for which an expression gives the same value.
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

/// Where equivalent states end the exploration, and what may be taken on trust.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reduction")]
pub(crate) struct CutOff {
    /// With `--equivalence`: remember only the classes of states that satisfy EXPR. States keep their own
    /// progress, and nothing is explored beyond a state of a class that is remembered
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) cut_off: Option<String>,
    /// Give up after N layers in a row without a new class; 10,000 unless told
    #[arg(long, value_name = "N", value_parser = count, requires = "cut_off")]
    pub(crate) patience: Option<u64>,
    /// Believe that the colours of `--equivalence symmetry:…` may be exchanged, where the inscriptions and
    /// questions do not prove it; it is still tried
    #[arg(long)]
    pub(crate) assume_symmetric: bool,
}
