//! The command line: the one definition behind parsing, help, completions and the man page.

mod budget;
mod cluster;
mod examples;
mod gpu;
mod hunting;
mod identity;
mod input;
mod options;
mod output;
mod quantity;
mod reductions;
mod serve;
mod spill;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use examples::{
    CHECK_EXAMPLES, COMPILE_EXAMPLES, CONVERT_EXAMPLES, EXAMPLES, FORMAT_EXAMPLES, ML_EXAMPLES,
};

pub(crate) use budget::Budget;
pub(crate) use cluster::Cluster;
pub(crate) use gpu::{Device, Gpu};
pub(crate) use hunting::{Hunting, When};
pub(crate) use identity::{CutOff, Equivalence};
pub(crate) use input::{Format, Input};
pub(crate) use options::{
    CachePolicy, Caching, Examination, Labels, Limits, MOST_DRAWABLE, Measure, Method, Monotone,
    Part, Questions, Retention,
};
pub(crate) use output::{Checkpoints, Output, Witness};
pub(crate) use quantity::Share;
pub(crate) use reductions::{Reductions, SleepBy, Variant};
pub(crate) use serve::Serve;
pub(crate) use spill::OnDisk;

/// What `--version` prints: the version, and for a release its commit and target.
const BUILD: &str = match option_env!("SWEEPLINE_BUILD") {
    Some(build) => build,
    None => env!("CARGO_PKG_VERSION"),
};

/// A model checker for concurrent systems that stores only a moving window of the states.
///
/// sweepline explores every reachable state of a model. Along a progress measure, it drops states that cannot be
/// reached again (the sweep-line method). It reads PNML, CPN Tools files, CSPm, `.aut` and its own text form
/// (`.cpnt`).
#[derive(Parser, Debug)]
#[command(
    name = "sweepline",
    version,
    long_version = BUILD,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Whether to use colours (default: on terminals)
    #[arg(long, global = true, value_enum, value_name = "WHEN", help_heading = "Output")]
    pub(crate) color: Option<Colour>,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// When output has colours.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Colour {
    /// On terminals, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// Explore a model and decide properties
    Check(Box<Check>),
    /// Print a state space report in the layout of CPN Tools, as text, JSON or a web page
    Report(Box<Report>),
    /// List progress measures of a model, with their predicted peaks
    Progress(Progress),
    /// Show what is in a model
    Info(Info),
    /// Write or draw the state space, or a part of it
    Graph(Graph),
    /// Run a model at random or step by step
    Simulate(Simulate),
    /// Open a model in the browser: step through it, check it, watch the sweep
    Serve(Box<Serve>),
    /// Run several methods and measures side by side
    Compare(Compare),
    /// Convert between CPN Tools (.cpn) and the text form (.cpnt)
    Convert(Convert),
    /// Write the components of a CSPm script as .aut files
    Compile(Compile),
    /// Format .cpnt files
    Format(Reformat),
    /// Run a script of queries in CPN ML over a coloured net
    Ml(Box<Ml>),
    /// Print a chapter of the book, or the options of a verb
    Help {
        /// A chapter such as `progress`, or a verb (default: list the chapters)
        topic: Option<String>,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page of sweepline, or of a verb
    Man {
        /// The verb
        verb: Option<String>,
    },
}

#[derive(Args, Clone, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: Input,
    /// More models, checked one after the other with the same options
    #[arg(value_name = "FILE", help_heading = "Model")]
    pub(crate) more: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) questions: Questions,
    #[command(flatten)]
    pub(crate) measure: Measure,
    #[command(flatten)]
    pub(crate) retention: Retention,
    #[command(flatten)]
    pub(crate) device: Device,
    #[command(flatten)]
    pub(crate) caching: Caching,
    #[command(flatten)]
    pub(crate) cut_off: CutOff,
    #[command(flatten)]
    pub(crate) reductions: Reductions,
    #[command(flatten)]
    pub(crate) hunting: Hunting,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) on_disk: OnDisk,
    #[command(flatten)]
    pub(crate) cluster: Cluster,
    #[command(flatten)]
    pub(crate) checkpoints: Checkpoints,
    #[command(flatten)]
    pub(crate) output: Output,
}

const REPORT_EXAMPLES: &str = "\
The report has the layout of CPN Tools: statistics, bounds of places, home and dead markings, dead and live \
transitions, fairness. The section `Properties` at the end has the properties declared in the model, or those given \
by options. One exploration computes all of it. If the measure is monotone, the exploration is a sweep; otherwise \
sweepline stores every state. States are numbered in the order of their first visit.

Examples:
  sweepline report model.cpn
  sweepline report model.cpn --init 'Limit=3`e' --output report.txt --html report.html
  sweepline report net.pnml --progress 'sent + received' --json
  sweepline report protocol.csp --progress auto --never 'deadlock'

Exit status: as for `check`; 2 if a property has an error, 3 if the exploration is incomplete";

#[derive(Args, Debug)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) questions: Questions,
    #[command(flatten)]
    pub(crate) measure: Measure,
    #[command(flatten)]
    pub(crate) retention: Retention,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Write the report to FILE instead of printing it
    #[arg(long, short, value_name = "FILE", value_parser = quantity::new_file, help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Also write the report to FILE as a web page: verdicts, charts of the sweep, counterexamples step by step
    #[arg(long, value_name = "FILE", value_parser = quantity::new_file, help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// How to find the trace of a counterexample or witness (default: disk)
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) witness: Option<Witness>,
    /// Show every step of a counterexample or witness
    #[arg(long, help_heading = "Output")]
    pub(crate) full_trace: bool,
}

const PROGRESS_EXAMPLES: &str = "\
`Monotone` in the list is proven: no transition decreases the measure. The predicted peak is the largest part of all \
states that a sweep is expected to store at a time. It is exact for models of up to 30,000 states, and a guess for \
larger ones. `sweepline check FILE --progress auto:N` sweeps along measure number N.

Examples:
  sweepline progress net.pnml
  sweepline progress net.pnml --json";

#[derive(Args, Debug)]
#[command(after_help = PROGRESS_EXAMPLES)]
pub(crate) struct Progress {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

const INFO_EXAMPLES: &str = "\
Examples:
  sweepline info net.pnml
  sweepline info net.pnml --places --transitions";

#[derive(Args, Debug)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) input: Input,
    /// List the places
    #[arg(long)]
    pub(crate) places: bool,
    /// List the transitions
    #[arg(long)]
    pub(crate) transitions: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

const GRAPH_EXAMPLES: &str = "\
The ending of the name chooses the format: .aut (Aldebaran), .dot (Graphviz), .json or .svg (a drawing).

sweepline writes a whole state space during the exploration, with only the window in memory. If regress edges lead \
to states behind the window, it stores every state.

`--around` and .svg draw a part. sweepline then stores only the window and the drawing, and stops when it has the \
states to draw. It stops at the latest after 100,000 states or, if that is more, after twice as many as it took to \
find the first one. `--state-limit` sets another limit. Predecessors need one more sweep for each step of `--depth`.

Examples:
  sweepline graph net.pnml --output net.aut
  sweepline graph net.pnml --output net.dot --labels
  sweepline graph net.pnml --output net.aut --progress 'sent + received'
  sweepline graph net.pnml --output net.svg
  sweepline graph net.pnml --output dead.svg --around dead --depth 2
  sweepline graph model.cpn --output path.svg --around 'size Received = 2' --path --depth 0
  sweepline graph model.cpn --output net.svg --marking dead";

#[derive(Args, Debug)]
#[command(after_help = GRAPH_EXAMPLES)]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The file to write: NAME.aut, NAME.dot, NAME.json or NAME.svg
    #[arg(long, short, value_name = "FILE", value_parser = quantity::new_file)]
    pub(crate) output: PathBuf,
    /// The labels of states (default: markings in a drawing of a part, numbers otherwise; .aut has numbers only)
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "markings"
    )]
    pub(crate) labels: Option<Labels>,
    #[command(flatten)]
    pub(crate) part: Part,
    #[command(flatten)]
    pub(crate) measure: Measure,
    #[command(flatten)]
    pub(crate) retention: Retention,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

const SIMULATE_EXAMPLES: &str = "\
The same seed gives the same run. The default of `--seed` is 1. With `--runs`, the seed of each
run is one more than that of the run before. A run also ends at a dead state.

`--summary`, `--never` and `--observe` add statistics: how the runs ended, transitions that never fired, places that
were never marked, and what these options ask. Random runs can show a violation, but never that there is none.

Examples:
  sweepline simulate net.pnml --steps 50
  sweepline simulate net.pnml --seed 7 --runs 3 --until 'done > 0' --json
  sweepline simulate model.cpn --interactive
  sweepline simulate timed.cpn --runs 1000 --steps 500 --summary --observe time --never 'size Lost > 2'

Exit status: 1 if a run violates a `--never`, else 0";

#[derive(Args, Debug)]
#[command(after_help = SIMULATE_EXAMPLES)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Stop a run after N steps
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) steps: usize,
    /// The number of runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) runs: u64,
    /// Stop a run at a state that satisfies EXPR
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,
    /// Print statistics of the runs instead of their steps
    #[arg(long)]
    pub(crate) summary: bool,
    /// Count the runs with a state that satisfies EXPR (repeatable)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) never: Vec<String>,
    /// Show how the value of EXPR at the end of a run is distributed, with a confidence interval (repeatable)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) observe: Vec<String>,
    /// Choose each step at the terminal
    #[arg(long, short, conflicts_with_all = ["json", "runs", "output_dir", "summary", "never", "observe"])]
    pub(crate) interactive: bool,
    /// Keep the files that code segments write, below DIR (default: drop them); with several runs, below DIR/SEED
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

impl Simulate {
    /// Whether statistics are printed.
    pub(crate) fn is_summed(&self) -> bool {
        self.summary || !self.never.is_empty() || !self.observe.is_empty()
    }
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  sweepline compare net.pnml --progress auto --progress 'sent + received'
  sweepline compare net.pnml --progress sent --progress received --window 0 --window 2
  sweepline compare net.pnml --progress sent --gc 1000 --json
  sweepline compare net.cpnt --progress received --gc 2000 --vary packets=10,100,1000
  sweepline compare net.pnml --progress auto --reduce none,stubborn,sleep,both
  sweepline compare net.pnml --methods full,sweep,cache --cache 100% --cache 60% --figure net.svg

`--time-limit` applies to each method separately.";

#[derive(Args, Debug)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The methods to run, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "full,sweep")]
    pub(crate) methods: Vec<Method>,
    /// A measure to sweep along, or `auto` to find one (repeatable; default: the measures of the model, or `auto`)
    #[arg(long, value_name = "EXPR[, EXPR]...", allow_hyphen_values = true)]
    pub(crate) progress: Vec<String>,
    /// Keep layers whose progress is up to N behind the line (repeatable; default: 0, or as a found measure needs)
    #[arg(long, value_name = "N")]
    pub(crate) window: Vec<u64>,
    /// Add a sweep that drops layers only after N new states (repeatable)
    #[arg(long, value_name = "N")]
    pub(crate) gc: Vec<u64>,
    /// For `--methods cache`: the size of the cache, in states or in percent of all states (repeatable)
    #[arg(long, value_name = "N|N%", value_parser = quantity::share)]
    pub(crate) cache: Vec<Share>,
    /// For `--methods cache`: which state to replace when the cache is full (repeatable; default: random)
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) cache_policy: Vec<CachePolicy>,
    /// Run each method with each of these reductions, separated by commas; all of them preserve dead states
    #[arg(long, value_enum, value_delimiter = ',', default_value = "none")]
    pub(crate) reduce: Vec<Variant>,
    /// Repeat the comparison for each of these values of a parameter (`--param`), one row each
    #[arg(long, value_name = "NAME=VALUE,VALUE...")]
    pub(crate) vary: Option<String>,
    /// Draw the number of stored states during each run to FILE, as SVG; with a cache, time against peak stored states
    #[arg(long, value_name = "FILE", value_parser = quantity::picture, conflicts_with = "vary")]
    pub(crate) figure: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// The model to read: NAME.cpn or NAME.cpnt
    pub(crate) from: PathBuf,
    /// The file to write: NAME.cpn or NAME.cpnt
    pub(crate) to: PathBuf,
    /// Reject files larger than SIZE
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = quantity::size)]
    pub(crate) max_input: u64,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

#[derive(Args, Debug)]
#[command(after_help = COMPILE_EXAMPLES)]
pub(crate) struct Compile {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The folder to write to, one file for each component; or a file NAME.aut if there is only one component
    #[arg(long, short, value_name = "FOLDER|FILE.aut")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

#[derive(Args, Debug)]
#[command(after_help = FORMAT_EXAMPLES)]
pub(crate) struct Reformat {
    /// Models in text form, formatted in place
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing; list the files that would change, and exit with status 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Reject files larger than SIZE
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = quantity::size)]
    pub(crate) max_input: u64,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

#[derive(Args, Debug)]
#[command(after_help = ML_EXAMPLES)]
pub(crate) struct Ml {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The script: a file in CPN ML (optional with `--aux`)
    #[arg(required_unless_present = "aux")]
    pub(crate) script: Option<PathBuf>,
    /// Run the queries in auxiliary texts on the model's pages, before the script
    #[arg(long)]
    pub(crate) aux: bool,
    /// Let the script write files, below DIR (default: writing a file is an error)
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
