//! What `check` saves and writes.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::quantity::{duration, new_file};
use crate::manual::explained;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Witness {
    /// Log the origin of every state in a temporary file, or next to the checkpoint
    #[default]
    Disk,
    /// Store nothing, and sweep again for each part of a trace
    Recompute,
    /// Store nothing, and show no trace
    Off,
}

/// Saving a run, and going on with it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Checkpoints")]
#[command(group = ArgGroup::new("saving").args(["checkpoint", "resume"]).multiple(true))]
pub(crate) struct Checkpoints {
    /// Save the run to FILE at intervals, and when a limit or Ctrl-C stops it
    ///
    /// sweepline removes FILE when the run is complete.
    #[arg(long, value_name = "FILE", value_parser = new_file)]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often to save the run (default: 10m)
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "saving")]
    pub(crate) checkpoint_every: Option<Duration>,
    /// Continue the run saved in FILE, and keep saving it there
    ///
    /// Properties, measure, window, witness mode and `--init` come from FILE. Limits and output options may differ.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
}

impl Checkpoints {
    /// A run is to be saved, or to go on.
    pub(crate) fn given(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }
}

/// What `check` writes where.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Print one JSON object; with `--full-trace`, counterexamples and witnesses are in it
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the verdicts, and no progress line
    #[arg(long, short, conflicts_with_all = ["json", "explain"])]
    pub(crate) quiet: bool,
    /// Print the answers in the format of the Model Checking Contest
    #[arg(long, conflicts_with_all = ["json", "explain", "quiet"])]
    pub(crate) mcc: bool,
    /// Write the verdicts and counterexamples to FILE, in JUnit's XML
    #[arg(long, value_name = "FILE", value_parser = new_file)]
    pub(crate) junit: Option<PathBuf>,
    /// Write what does not hold, and errors in the model, to FILE, in SARIF
    #[arg(long, value_name = "FILE", value_parser = new_file)]
    pub(crate) sarif: Option<PathBuf>,
    /// Count distinct states, edges and dead states by one more sweep, if there were several sweeps
    ///
    /// This is the default if no property is checked, and for `--examination StateSpace`.
    #[arg(long)]
    pub(crate) count: bool,
    /// How to find the trace of a counterexample or witness (default: disk)
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) witness: Option<Witness>,
    /// Explain every line of the results
    #[arg(long, conflicts_with = "json")]
    pub(crate) explain: bool,
    /// Show every step of a counterexample or witness (default: the first and last 10)
    #[arg(long)]
    pub(crate) full_trace: bool,
    /// Write all counterexamples and witnesses to FILE, as JSON
    #[arg(long, value_name = "FILE", value_parser = new_file)]
    pub(crate) trace: Option<PathBuf>,
    /// Write a line for each layer to FILE as it closes, as CSV
    ///
    /// A resumed run appends to the log.
    #[arg(long, value_name = "FILE", value_parser = new_file)]
    pub(crate) log: Option<PathBuf>,
    /// Which of several models this process checks, from 0
    #[arg(long, hide = true)]
    pub(crate) number: Option<usize>,
    /// Where this process writes its results for the one that started it
    #[arg(long, hide = true)]
    pub(crate) part: Option<PathBuf>,
}

impl Output {
    /// Counterexamples are in the JSON object.
    pub(crate) fn shows_runs(&self) -> bool {
        self.json && self.full_trace
    }

    /// `results`, with what their lines mean where that is asked for.
    pub(crate) fn explained(&self, results: String) -> String {
        let meaning = if self.explain { explained(&results) } else { String::new() };
        results + &meaning
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Witness::Disk => "disk",
            Witness::Recompute => "recompute",
            Witness::Off => "off",
        })
    }
}
