//! The options that verbs share, in groups.

use std::fmt;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use sweepline::Threads;

use super::budget::Budget;
use super::quantity::count;
use crate::draw::MOST_STATES;

/// What is asked.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "Properties")]
pub(crate) struct Questions {
    /// Check that no reachable state is dead
    ///
    /// A state is dead if no transition is enabled. The final state of a process that has terminated (SKIP) is not
    /// dead.
    #[arg(long)]
    pub(crate) deadlock: bool,
    /// Accept dead states that satisfy EXPR: `--deadlock` and `--dead-states` ignore them (repeatable)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    #[serde(default)]
    pub(crate) valid_end: Vec<String>,
    /// Check that no reachable state satisfies EXPR
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) never: Vec<String>,
    /// Check that some reachable state satisfies EXPR
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) reach: Vec<String>,
    /// Report the least and the greatest value of EXPR
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) bound: Vec<String>,
    /// Check that every reachable state can reach a state that satisfies EXPR (home space)
    ///
    /// If not, the counterexample ends in a state that can reach no such state.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    #[serde(default)]
    pub(crate) home: Vec<String>,
    /// Check that every reachable state can reach the initial state
    #[arg(long)]
    #[serde(default)]
    pub(crate) reversible: bool,
    /// Check that transition T is live: every reachable state can reach a state that enables T
    #[arg(long, value_name = "T")]
    #[serde(default)]
    pub(crate) live: Vec<String>,
    /// Check that every infinite run is fair to transition T
    ///
    /// Fair: if T is enabled infinitely often, it occurs infinitely often. The output names the strongest class of T:
    /// `impartial` (occurs infinitely often in every infinite run), `fair`, `just` (occurs again if it stays enabled for
    /// ever), or `no fairness`.
    #[arg(long, value_name = "T")]
    #[serde(default)]
    pub(crate) fair: Vec<String>,
    /// Check that no run is infinite
    #[arg(long)]
    #[serde(default)]
    pub(crate) terminates: bool,
    /// Count the strongly connected components and the home markings
    #[arg(long)]
    #[serde(default)]
    pub(crate) components: bool,
    /// Check that every run satisfies FORMULA, such as `G (taken(send) -> F {received > 0})`
    ///
    /// Atoms: `taken(t)` (the next step is transition t; `t` alone means this), `enabled(t)`, and `{EXPR}`.
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    #[serde(default)]
    pub(crate) ltl: Vec<String>,
    /// Check that the initial state satisfies FORMULA, such as `AG ({sent > 0} -> EF enabled(receive))`
    ///
    /// Atoms: `enabled(t)` (`t` alone means this), `{EXPR}`, and `taken(t)` in formulas such as `EF taken(t)`.
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    #[serde(default)]
    pub(crate) ctl: Vec<String>,
    /// For `--ltl`: assume weak fairness of transition T
    ///
    /// `--ltl` then ignores runs on which T stays enabled for ever from some point on without being taken.
    #[arg(long, value_name = "T")]
    #[serde(default)]
    pub(crate) weak_fair: Vec<String>,
    /// For `--ltl`: assume strong fairness of transition T
    ///
    /// `--ltl` then ignores runs on which T is enabled infinitely often but taken only finitely often.
    #[arg(long, value_name = "T")]
    #[serde(default)]
    pub(crate) strong_fair: Vec<String>,
    /// Check the formulas of a file of the Model Checking Contest
    #[arg(long, value_name = "FILE")]
    pub(crate) property_file: Vec<PathBuf>,
    /// Check only NAME (default: all)
    ///
    /// NAME is a formula id, a property declared in the model, or the number of a CSPm assertion. `none` checks only
    /// the properties given by other options.
    #[arg(long, value_name = "NAME|all|none")]
    pub(crate) property: Vec<String>,
    /// Run an examination of the Model Checking Contest that needs no formulas
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) examination: Vec<Examination>,
    /// Report integer and multi-set bounds of every place of a coloured net
    #[arg(long)]
    pub(crate) bounds: bool,
    /// List up to N dead states
    #[arg(long, value_name = "N")]
    pub(crate) dead_states: Option<usize>,
    /// Check that every transition is enabled in some reachable state; list those that are not
    #[arg(long)]
    pub(crate) dead_transitions: bool,
}

impl Questions {
    /// Some question asks for the number of edges.
    pub(crate) fn need_counts(&self) -> bool {
        self.examination.contains(&Examination::StateSpace)
    }

    /// Some question is about strongly connected components.
    pub(crate) fn need_components(&self) -> bool {
        self.reversible
            || self.terminates
            || self.components
            || !(self.home.is_empty() && self.live.is_empty() && self.fair.is_empty())
            || self.examination.contains(&Examination::Liveness)
    }
}

/// The examinations of the contest that come without a file, by their names there.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[value(rename_all = "PascalCase")]
pub(crate) enum Examination {
    /// Count states and edges, and the most tokens in a place and in a marking
    StateSpace,
    /// Is a dead state reachable?
    ReachabilityDeadlock,
    /// Does every place have at most one token in every reachable marking?
    OneSafe,
    /// Is every transition enabled in some reachable marking?
    QuasiLiveness,
    /// Is every transition live?
    Liveness,
    /// Does some place have the same number of tokens in every reachable marking?
    StableMarking,
}

/// What states are labelled with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Labels {
    /// The marked places of the state
    Markings,
    /// The number of the state
    Numbers,
}

/// Which part of a state space.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Part of the state space")]
pub(crate) struct Part {
    /// Draw only these states and those up to `--depth` steps away (repeatable)
    ///
    /// `initial`: the initial state. `dead`: dead states. EXPR: states that satisfy it. NAME: states that decide this
    /// property of the model.
    #[arg(long, value_name = "initial|dead|NAME|EXPR", allow_hyphen_values = true)]
    pub(crate) around: Vec<String>,
    /// With `--around`: draw N steps before and after these states (default: 1); none before `initial`
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// With `--around`: add the path from the initial state to the first of these states that is found
    #[arg(long)]
    pub(crate) path: bool,
    /// Draw the net itself (.svg), with the tokens of the first of these states that is found
    #[arg(
        long,
        value_name = "initial|dead|NAME|EXPR",
        allow_hyphen_values = true,
        conflicts_with_all = ["around", "depth", "path"]
    )]
    pub(crate) marking: Option<String>,
    /// Draw at most N states; at most a third of them are states asked for by `--around`
    #[arg(long, value_name = "N", default_value_t = MOST_STATES, value_parser = drawable)]
    pub(crate) max_states: usize,
}

/// The states of a picture at most.
pub(crate) const MOST_DRAWABLE: usize = 2_000;

/// A number of states that can be laid out.
fn drawable(text: &str) -> Result<usize, String> {
    const MOST: u64 = MOST_DRAWABLE as u64;
    match count(text)? {
        0 => Err("a drawing of no state is empty: write at least 1".into()),
        n if n > MOST => {
            Err(format!("a picture of so many states is unreadable: write at most {MOST}"))
        }
        n => usize::try_from(n).map_err(|error| error.to_string()),
    }
}

/// The measure and the method.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct Measure {
    /// Sweep along this progress measure (default: `time` for timed nets, else `none` up to four million states and
    /// `auto` from there on)
    ///
    /// EXPR is an expression over the state. Write several with the most important first, those in `monotone(...)`
    /// before the others. NAME is a measure that the model declares. `auto` finds a measure; `auto:N` takes number N
    /// of `sweepline progress FILE`. `time` is the model time. `none` stores every state.
    #[arg(
        long,
        value_name = "none|auto|auto:N|time|NAME|EXPR[, EXPR]...",
        allow_hyphen_values = true
    )]
    pub(crate) progress: Option<String>,
    /// How to explore (default: `sweep` with `--progress`, else `full`)
    ///
    /// `--method sweep` without `--progress` takes the one measure that the model declares, else finds one.
    #[arg(long, value_enum)]
    pub(crate) method: Option<Method>,
    /// What to do at a regress edge, an edge that decreases progress (default: check)
    #[arg(long, value_enum)]
    pub(crate) monotone: Option<Monotone>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Method {
    /// Store every state
    Full,
    /// Explore states in order of progress, and drop layers behind the line (the layer being explored)
    Sweep,
    /// Search depth first with a bounded cache of states, see `--cache`
    Cache,
    /// No exploration: `--hunt only`
    #[value(skip)]
    Hunt,
}

impl Method {
    /// How an exploration along a measure, or along none, is called.
    pub(crate) fn along<T>(measure: Option<T>) -> Self {
        if measure.is_some() { Method::Sweep } else { Method::Full }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Full => "full",
            Method::Sweep => "sweep",
            Method::Cache => "cache",
            Method::Hunt => "hunt",
        })
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Monotone {
    /// Sweep again from the target of the edge, if its layer was dropped
    #[default]
    Check,
    /// Stop at the first one, and show it
    Strict,
}

/// How much is kept behind the line.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct Retention {
    /// Keep layers whose progress is up to N behind the line (default: 0, or what a found measure needs)
    #[arg(long, value_name = "N")]
    pub(crate) window: Option<u64>,
    /// Keep layers whose progress is less than N above the start of the sweep (default: 0, or what a found measure
    /// needs)
    ///
    /// For systems that return to their start: a later sweep ends at these layers.
    #[arg(long, value_name = "N")]
    pub(crate) anchor: Option<u64>,
    /// Drop layers only after N new states, as the first sweep-line tools did (default: at every layer)
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) gc: Option<u64>,
}

impl Retention {
    /// Nothing is said about it.
    pub(crate) fn is_open(&self) -> bool {
        self.window.is_none() && self.anchor.is_none() && self.gc.is_none()
    }
}

/// How a cache is kept.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct Caching {
    /// With `--method cache`: store at most N states
    ///
    /// A state that was replaced is explored again if the search meets it again. The states on the depth-first stack are
    /// always stored.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) cache: Option<u64>,
    /// Replacement policy of the cache (default: random)
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) cache_policy: Option<CachePolicy>,
}

/// Which state of a cache is replaced.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CachePolicy {
    /// Replace a pseudo-random state, the same in every run
    #[default]
    Random,
    /// Replace the state that was explored first
    Oldest,
    /// Replace the state with the fewest incoming edges so far
    Seldom,
    /// Replace states at odd depths first, then at odd multiples of 2, of 4, and so on
    Strata,
}

/// When to give up.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    #[command(flatten)]
    pub(crate) budget: Budget,
    /// Stop after N states; a resumed run counts all of them
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) state_limit: Option<u64>,
    /// Explore with N threads (default: one for each core). The results do not depend on N
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// Divide every level among the threads, even if one thread would be faster: for tests on small models
    #[arg(long, hide = true)]
    pub(crate) eager_threads: bool,
}

impl Limits {
    /// The threads that explore.
    pub(crate) fn threads(&self) -> Threads {
        let threads = self.threads.map_or_else(Threads::all, Threads::new);
        if self.eager_threads { threads.eager() } else { threads }
    }
}

/// The most threads that can be asked for.
const MOST_THREADS: usize = 1024;

/// Reads a number of threads.
fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=MOST_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!("write a number from 1 to {MOST_THREADS}")),
    }
}

impl CachePolicy {
    /// The name in machine-readable output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            CachePolicy::Random => "random",
            CachePolicy::Oldest => "oldest",
            CachePolicy::Seldom => "seldom",
            CachePolicy::Strata => "strata",
        }
    }
}

impl fmt::Display for Monotone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Monotone::Check => "check",
            Monotone::Strict => "strict",
        })
    }
}
