//! The options about counterexamples: how they are looked for, and how long they may be.

use clap::{Args, ValueEnum};

/// How counterexamples and witnesses are found.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Counterexamples")]
pub(crate) struct Hunting {
    /// Look for counterexamples by short searches beside a full exploration (default: auto)
    ///
    /// An exploration comes late to a state that is far from the initial ones. The hunt searches depth first with
    /// stubborn sets, best first and at random, for properties that a single state decides. It can find a
    /// counterexample or a witness, but never shows that there is none. There is no hunt along a
    /// progress measure, and none with `--equivalence`, `--method cache`, `--gpu` and several processes.
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(crate) hunt: Option<When>,
    /// The seed of the hunt's random choices (default: 1)
    #[arg(long, value_name = "N")]
    pub(crate) hunt_seed: Option<u64>,
    /// Show shortest counterexamples and witnesses
    ///
    /// sweepline explores again, breadth first, up to the length of the path that is known. It says whether no path is
    /// shorter, or how far that is known if a limit was reached.
    #[arg(long)]
    pub(crate) shortest: bool,
}

/// When to hunt.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum When {
    /// Beside full explorations that take more than a moment
    #[default]
    Auto,
    /// Never
    Off,
    /// Until a limit, without an exploration: nothing is shown to hold except by a witness
    Only,
}

impl Hunting {
    /// Whether nothing is explored.
    pub(crate) fn is_only(&self) -> bool {
        self.hunt == Some(When::Only)
    }
}
