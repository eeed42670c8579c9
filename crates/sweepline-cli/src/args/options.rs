//! The options that verbs share, in groups.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::identity::Equivalence;
use super::quantity::{count, duration, new_file, size};
use crate::draw::MOST_STATES;
use crate::load::Piped;
use crate::manual::explained;

/// Which model.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Model")]
pub(crate) struct Input {
    /// The model: a file, or a pipe such as `/dev/stdin`
    pub(crate) file: PathBuf,
    /// The format of the file, instead of guessing it from name and content
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Reject input larger than this: the model with all files that it uses or includes, each script, and each file of
    /// formulas
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = size)]
    pub(crate) max_input: u64,
    /// Start with these tokens in PLACE: a number, or of a coloured net an expression such as 3`e
    #[arg(long, value_name = "PLACE=TOKENS")]
    pub(crate) init: Vec<String>,
    /// Let `val NAME` of a coloured net's declarations, or the constant NAME of a script in CSPm, be VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) param: Vec<String>,
    /// Look for the files that a coloured net, a CSPm script (`include`) or a query script uses in DIR and below, too,
    /// besides the folder of the model (repeatable)
    #[arg(long, value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// The process of a script in CSPm, an expression; unless told, the one that its assertions are about
    #[arg(long, value_name = "PROCESS")]
    pub(crate) process: Option<String>,
    /// Take states for one that differ only in the time, stamps relative to it (`time`); or, in `check`, by an
    /// exchange of colours (`symmetry:COLSET,COLSET`, or `symmetry` for every set for which that is proven) or of
    /// processes (`symmetry`), or for which an expression in CPN ML has the same value
    #[arg(long, value_name = "time|symmetry[:COLSET]|EXPR", value_parser = equivalence)]
    pub(crate) equivalence: Option<Equivalence>,
    /// What random functions of a coloured net, and the choices of `simulate`, follow from
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// The files that code segments write are kept: of `simulate --output-dir`
    #[arg(skip)]
    pub(crate) keeps_files: bool,
    /// The bytes of a model that comes through a pipe
    #[arg(skip)]
    pub(crate) piped: Piped,
}

fn equivalence(text: &str) -> Result<Equivalence, String> {
    Ok(text.to_owned().into())
}

/// A model format.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Nets in PNML
    Pnml,
    /// Coloured nets of CPN Tools
    Cpn,
    /// Coloured nets in text form
    Cpnt,
    /// Processes in CSPm
    Csp,
    /// Labelled transition systems of Aldebaran
    Aut,
}

/// What is asked.
#[derive(Args, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "Properties")]
pub(crate) struct Questions {
    /// Holds when every reachable state has a successor, or is that of a process that has terminated
    #[arg(long)]
    pub(crate) deadlock: bool,
    /// States that satisfy EXPR may be terminal: `--deadlock` and `--dead-states` ignore them
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    #[serde(default)]
    pub(crate) valid_end: Vec<String>,
    /// Holds when no reachable state satisfies EXPR
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) never: Vec<String>,
    /// Holds when some reachable state satisfies EXPR
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) reach: Vec<String>,
    /// The least and the greatest value of EXPR
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) bound: Vec<String>,
    /// Holds when from every reachable state one that satisfies EXPR can be reached: those states are a home
    /// space. Shows the way to a state from which there is no way there
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    #[serde(default)]
    pub(crate) home: Vec<String>,
    /// Holds when the initial state can be reached from every reachable state
    #[arg(long)]
    #[serde(default)]
    pub(crate) reversible: bool,
    /// Holds when transition T is live: from every reachable state it can occur again, at once or later
    #[arg(long, value_name = "T")]
    #[serde(default)]
    pub(crate) live: Vec<String>,
    /// Holds when infinite runs are fair to transition T: where it is enabled infinitely often, it occurs
    /// infinitely often. Tells its class: `impartial` (in every infinite run it occurs infinitely often), `fair`,
    /// `just` (it occurs again where it is enabled for ever), or `no fairness`
    #[arg(long, value_name = "T")]
    #[serde(default)]
    pub(crate) fair: Vec<String>,
    /// Holds when no run goes on for ever
    #[arg(long)]
    #[serde(default)]
    pub(crate) terminates: bool,
    /// Count the strongly connected components and the home markings
    #[arg(long)]
    #[serde(default)]
    pub(crate) components: bool,
    /// Holds when every run satisfies FORMULA, such as `G (send -> F {received > 0})`
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    #[serde(default)]
    pub(crate) ltl: Vec<String>,
    /// Holds when the initial state satisfies FORMULA, such as `AG ({sent > 0} -> EF receive)`, where a
    /// transition stands for the states that enable it
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    #[serde(default)]
    pub(crate) ctl: Vec<String>,
    /// Of runs that `--ltl` speaks of consider only those on which transition T is infinitely often disabled or
    /// taken
    #[arg(long, value_name = "T")]
    #[serde(default)]
    pub(crate) weak_fair: Vec<String>,
    /// Of runs that `--ltl` speaks of consider only those on which transition T is infinitely often taken if it
    /// is infinitely often enabled
    #[arg(long, value_name = "T")]
    #[serde(default)]
    pub(crate) strong_fair: Vec<String>,
    /// Ask the formulas of a file of the Model Checking Contest
    #[arg(long, value_name = "FILE")]
    pub(crate) property_file: Vec<PathBuf>,
    /// Check only NAME: a formula id, a property declared in the model, or the number of a CSPm assertion. `all`
    /// (default) checks all of them, `none` only what other options ask
    #[arg(long, value_name = "NAME|all|none")]
    pub(crate) property: Vec<String>,
    /// Ask a question of the contest that needs no file
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) examination: Vec<Examination>,
    /// The bounds of every place of a coloured net: how many tokens, and of which colours
    #[arg(long)]
    pub(crate) bounds: bool,
    /// List up to N dead states: reachable states without successor that have not terminated
    #[arg(long, value_name = "N")]
    pub(crate) dead_states: Option<usize>,
    /// List the transitions that never fire; holds when there is none
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
    /// The size of the state space and the most tokens in a place and in a marking
    StateSpace,
    /// Is a dead state reachable?
    ReachabilityDeadlock,
    /// Does no place ever hold more than one token?
    OneSafe,
    /// Does every transition fire somewhere?
    QuasiLiveness,
    /// Can every transition fire again, from whatever state?
    Liveness,
    /// Does some place hold the same number of tokens in every state?
    StableMarking,
}

/// What states are labelled with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Labels {
    /// Their marked places
    Markings,
    /// Their numbers
    Numbers,
}

/// Which part of a state space.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Part of the state space")]
pub(crate) struct Part {
    /// Only states around these: the `initial` one, the `dead` ones, those that satisfy EXPR, or those
    /// that decide the property NAME of a model in text form
    #[arg(long, value_name = "initial|dead|NAME|EXPR", allow_hyphen_values = true)]
    pub(crate) around: Vec<String>,
    /// How many steps before and after them (default: 1). States before the `initial` one are not searched
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// With the way from the initial state to the first of them that is found
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
    /// Draw so many states at most, a third of them states asked for
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
            Err(format!("a picture of so many states is of no use: write at most {MOST}"))
        }
        n => usize::try_from(n).map_err(|error| error.to_string()),
    }
}

/// The measure and the method.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct Measure {
    /// Sweep along this measure: an expression over the state, or several, most important first, those in
    /// `monotone(...)` leading; NAME, a measure that the model declares; `auto`, find one; `auto:N`, number N
    /// of `sweepline progress FILE`; `time`, the model time; `none`, store every state (default: `time` for
    /// timed nets, else `none` up to four million states and `auto` from there on)
    #[arg(
        long,
        value_name = "none|auto|auto:N|time|NAME|EXPR[, EXPR]...",
        allow_hyphen_values = true
    )]
    pub(crate) progress: Option<String>,
    /// `sweep`: drop layers behind the line; `full`: store every state; `cache`: search depth first with a
    /// bounded store, see `--cache` (default: `sweep` with `--progress`, else `full`). `--method sweep`
    /// without `--progress` takes the one measure that the model declares, else finds one
    #[arg(long, value_enum)]
    pub(crate) method: Option<Method>,
    /// What to do at a regress edge, an edge that decreases progress: `check`, sweep again from its target if
    /// that was dropped; `strict`, stop and show the edge (default: check)
    #[arg(long, value_enum)]
    pub(crate) monotone: Option<Monotone>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Method {
    /// Store every state
    Full,
    /// Drop layers behind the line
    Sweep,
    /// Store a bounded number of states
    Cache,
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
        })
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Monotone {
    /// Keep the target, and sweep again from it
    #[default]
    Check,
    /// Stop, and show the edge
    Strict,
}

/// How much is kept behind the line.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Method")]
pub(crate) struct Retention {
    /// Keep layers up to N behind the line; none unless told, or what a measure found needs
    #[arg(long, value_name = "N")]
    pub(crate) window: Option<u64>,
    /// Keep the layers up to N from where the sweep begins for good: where a system comes round again, the
    /// next sweep ends there; none unless told, or what a measure found needs
    #[arg(long, value_name = "N")]
    pub(crate) anchor: Option<u64>,
    /// Collect only after N new states, as the first tools did
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
    /// With `--method cache`: hold N states. Others are explored again when they are met again; the
    /// states on the way of the depth-first search are held in any case
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) cache: Option<u64>,
    /// Which state goes when another needs its place; `random` unless told
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) cache_policy: Option<CachePolicy>,
}

/// Which state of a cache is replaced.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CachePolicy {
    /// Any, by dice that fall alike in every run
    #[default]
    Random,
    /// The one that was explored first
    Oldest,
    /// The one that edges have led to least often
    Seldom,
    /// Those at odd depths, then those at odd multiples of two, of four, and so on
    Strata,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Witness {
    /// In a temporary file, or beside the checkpoint
    #[default]
    Disk,
    /// Nowhere: sweep again for each part of the way
    Recompute,
    /// Nowhere: show no witness
    Off,
}

/// When to give up.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    #[command(flatten)]
    pub(crate) budget: Budget,
    /// Stop after this many states; in a resumed run all count
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) state_limit: Option<u64>,
}

/// Saving a run, and going on with it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Checkpoints")]
#[command(group = ArgGroup::new("saving").args(["checkpoint", "resume"]).multiple(true))]
pub(crate) struct Checkpoints {
    /// Save the run in FILE from time to time, and when a limit or Ctrl-C ends it; removed when
    /// there is nothing left to do
    #[arg(long, value_name = "FILE", value_parser = new_file)]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often; every 10 minutes unless told
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "saving")]
    pub(crate) checkpoint_every: Option<Duration>,
    /// Go on with the run saved in FILE, and save it there again. Properties, measure, window,
    /// witness mode and `--init` are those of the run and need not be repeated; limits and output
    /// may be others
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
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Count distinct states, edges and dead states also where regress edges make several sweeps
    /// necessary, by one more sweep (default: only where no property is checked, and for
    /// `--examination StateSpace`)
    #[arg(long)]
    pub(crate) count: bool,
    /// Where the ways to states are kept, to show how a state is reached; `disk` unless told
    #[arg(long, value_enum)]
    pub(crate) witness: Option<Witness>,
    /// Explain every line of the results
    #[arg(long, conflicts_with = "json")]
    pub(crate) explain: bool,
    /// Show every step of a counterexample or witness (default: the first and last 10)
    #[arg(long)]
    pub(crate) full_trace: bool,
    /// Write the witnesses to FILE, as JSON
    #[arg(long, value_name = "FILE", value_parser = new_file)]
    pub(crate) trace: Option<PathBuf>,
    /// Write a line for each layer passed to FILE, as CSV, while the run goes on. A resumed run adds its
    /// lines to the log that is there
    #[arg(long, value_name = "FILE", value_parser = new_file)]
    pub(crate) log: Option<PathBuf>,
}

impl Output {
    /// `results`, with what their lines mean where that is asked for.
    pub(crate) fn explained(&self, results: String) -> String {
        let meaning = if self.explain { explained(&results) } else { String::new() };
        results + &meaning
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

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Witness::Disk => "disk",
            Witness::Recompute => "recompute",
            Witness::Off => "off",
        })
    }
}
