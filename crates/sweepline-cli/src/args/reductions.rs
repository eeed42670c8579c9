//! The options about what may be left out.

use clap::{Args, ValueEnum};

/// What may be left out of the state space.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[command(next_help_heading = "Reductions")]
pub(crate) struct Reductions {
    /// Explore only a stubborn set of the enabled actions in each state
    ///
    /// Every deadlock is found, and `--never`, `--reach` and `--bound` stay exact. The reduction is disabled, with a
    /// note, if a property needs every state.
    #[arg(long)]
    pub(crate) stubborn: bool,
    /// Leave out edges that another order of the same actions covers (sleep sets)
    ///
    /// HOW says how sweepline decides that two actions are independent: `known` (default) looks at the structure of
    /// the model; `exact` also computes the successors of each state, which takes longer.
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "known"
    )]
    pub(crate) sleep: Option<SleepBy>,
    /// Choose the reductions (default: none); `auto` uses stubborn and sleep sets that are sound for the properties
    #[arg(long, value_enum, conflicts_with_all = ["stubborn", "sleep"])]
    pub(crate) reduce: Option<Reduce>,
    /// Decide every property by exploration, none by the structure of the net alone
    ///
    /// This is the default with options that say how to explore, such as `--progress`, `--method` or `--stubborn`.
    #[arg(long)]
    pub(crate) no_structural: bool,
}

/// How it is known that actions may be exchanged.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SleepBy {
    /// From the structure of the model
    Known,
    /// Also from the successors of each state
    Exact,
}

/// Who chooses the reductions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reduce {
    /// Every reduction that is sound for the properties
    Auto,
    /// No reduction
    None,
}

/// The reductions that a comparison tries.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Variant {
    /// No reduction
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

    /// Every reduction that is sound is wanted.
    pub(crate) fn is_auto(self) -> bool {
        self.reduce == Some(Reduce::Auto)
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
        Reductions { stubborn, sleep, ..Reductions::default() }
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
