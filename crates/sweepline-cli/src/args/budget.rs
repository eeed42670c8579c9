//! What the process of a command may take.

use std::time::Duration;

use clap::Args;
use sweepline::Threads;

use super::quantity::{duration, size};
use super::{Check, Verb};

/// What the process may take.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Budget {
    /// Stop after TIME, such as 90s, 15m or 1h30m, counted from the start of the command
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop before the process takes more memory than SIZE, such as 500M or 8G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory_limit: Option<u64>,
}

impl Check {
    /// The threads of this process: by default, the processes on one machine share its cores.
    fn threads(&self) -> Threads {
        match (self.cluster.processes, self.limits.threads) {
            (Some(processes), None) => Threads::new(Threads::all().count() / processes),
            _ => self.limits.threads(),
        }
    }
}

impl Verb {
    /// The threads that explore.
    pub(crate) fn threads(&self) -> Threads {
        match self {
            Verb::Check(args) => args.threads(),
            Verb::Report(args) => args.limits.threads(),
            Verb::Graph(args) => args.limits.threads(),
            Verb::Compare(args) => args.limits.threads(),
            Verb::Serve(args) => args.limits.threads(),
            Verb::Ml(args) => args.limits.threads(),
            _ => Threads::default(),
        }
    }

    /// What the process may take for it.
    pub(crate) fn budget(&self) -> Budget {
        match self {
            Verb::Check(args) => args.limits.budget,
            Verb::Report(args) => args.limits.budget,
            Verb::Graph(args) => args.limits.budget,
            Verb::Compare(args) => args.limits.budget,
            Verb::Serve(args) => args.limits.budget,
            Verb::Ml(args) => args.limits.budget,
            Verb::Progress(args) => args.budget,
            Verb::Info(args) => args.budget,
            Verb::Simulate(args) => args.budget,
            Verb::Convert(args) => args.budget,
            Verb::Compile(args) => args.budget,
            Verb::Format(args) => args.budget,
            Verb::Help { .. } | Verb::Completions { .. } | Verb::Man { .. } => Budget::default(),
        }
    }
}
