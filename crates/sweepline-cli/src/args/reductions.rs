//! The options about what may be left out.

use clap::{Args, ValueEnum};

/// What may be left out of the state space.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[command(next_help_heading = "Reductions")]
pub(crate) struct Reductions {
    /// Fire only a stubborn set of actions at each state: the rest can wait. Deadlocks are all found, and
    /// what `--never`, `--reach`, `--bound` and formulas ask about; a question that needs every state
    /// switches it off
    #[arg(long)]
    pub(crate) stubborn: bool,
    /// Leave out edges that another order of the same actions covers, by what the model knows of its
    /// actions; with `=exact` also by what the successors of states show, which takes longer
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "known"
    )]
    pub(crate) sleep: Option<SleepBy>,
    /// `auto`: stubborn and sleep sets, as far as the questions and the model allow
    #[arg(long, value_enum, conflicts_with_all = ["stubborn", "sleep"])]
    pub(crate) reduce: Option<Reduce>,
}

/// How it is known that actions may be exchanged.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SleepBy {
    /// From the structure of the model
    Known,
    /// And from the successors of states
    Exact,
}

/// Who chooses the reductions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reduce {
    /// All that is sound for the questions asked
    Auto,
    /// Leave nothing out
    None,
}

/// The reductions that a comparison tries.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Variant {
    /// Leave nothing out
    #[default]
    None,
    /// Stubborn sets
    Stubborn,
    /// Sleep sets
    Sleep,
    /// Stubborn and sleep sets
    Both,
}

impl Reductions {
    /// With what `--reduce` stands for.
    pub(crate) fn chosen(self) -> Self {
        match self.reduce {
            Some(Reduce::Auto) => Variant::Both.into(),
            _ => self,
        }
    }

    /// Nothing is to be left out.
    pub(crate) fn is_none(self) -> bool {
        let Reductions { stubborn, sleep, .. } = self.chosen();
        !stubborn && sleep.is_none()
    }
}

impl From<Variant> for Reductions {
    fn from(variant: Variant) -> Self {
        let stubborn = matches!(variant, Variant::Stubborn | Variant::Both);
        let sleep = matches!(variant, Variant::Sleep | Variant::Both).then_some(SleepBy::Known);
        Reductions { stubborn, sleep, reduce: None }
    }
}

impl Variant {
    /// The name in machine-readable output; none where nothing is left out.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Variant::None => None,
            Variant::Stubborn => Some("stubborn"),
            Variant::Sleep => Some("sleep"),
            Variant::Both => Some("stubborn+sleep"),
        }
    }
}
