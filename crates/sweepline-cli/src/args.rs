//! The command line: the one definition behind parsing, help, completions and the man page.

mod budget;
mod identity;
mod options;
mod quantity;
mod reductions;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use budget::Budget;
pub(crate) use identity::{CutOff, Equivalence};
pub(crate) use options::{
    CachePolicy, Caching, Checkpoints, Examination, Format, Input, Labels, Limits, MOST_DRAWABLE,
    Measure, Method, Monotone, Output, Part, Questions, Retention, Witness,
};
pub(crate) use quantity::Share;
pub(crate) use reductions::{Reductions, SleepBy, Variant};

/// Explicit-state model checking in the memory of a moving window.
///
/// sweepline explores every reachable state of a model, and forgets states as soon as the model's
/// own progress shows that they cannot come back: the sweep-line method.
#[derive(Parser, Debug)]
#[command(
    name = "sweepline",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  sweepline info net.pnml
  sweepline check net.pnml --deadlock
  sweepline check net.pnml --progress 'sent + received' --never 'sent > received'
  sweepline check net.pnml --property-file ReachabilityCardinality.xml
  sweepline compare net.pnml --progress 'sent + received'
  sweepline report model.cpn --html report.html
  sweepline check model.cpn --param n=5 --never 'size Waiting > n'
  sweepline check model.cpnt --progress packets
  sweepline check protocol.csp --progress components
  sweepline ml model.cpn queries.sml

Exit status:
  0 every property holds, or none was asked   2 bad usage or bad model
  1 some property violated                    3 unknown: a limit was reached
  130 interrupted";

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// Explore a model and decide properties
    Check(Box<Check>),
    /// Print the state space report of CPN Tools, as text, JSON or a web page
    Report(Box<Report>),
    /// Find measures of progress in the structure of a model
    Progress(Progress),
    /// Show what is in a model
    Info(Info),
    /// Write or draw the state space, or a part of it
    Graph(Graph),
    /// Run a model at random or step by step
    Simulate(Simulate),
    /// Run several methods and measures side by side
    Compare(Compare),
    /// Write a coloured net in another format
    Convert(Convert),
    /// Write the components of a composition of processes as LTSs
    Compile(Compile),
    /// Bring models in text form into the form that everybody writes
    Format(Reformat),
    /// Run a script in CPN ML over a coloured net: measures and queries of your own
    Ml(Box<Ml>),
    /// Print a chapter of the book, or the options of a command
    Help {
        /// A topic, such as `progress`; without one, the list of topics
        topic: Option<String>,
    },
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, of sweepline or of a verb
    Man {
        /// The verb
        verb: Option<String>,
    },
}

const CHECK_EXAMPLES: &str = "\
Expressions:
  tokens(p, q) + 2*r <= 3 and not fireable(t)      a place by itself is its tokens
  deadlock or tokens(\"my place\") = 0               quotes around unusual names
  Of coloured nets, in CPN ML:
  size (Mark.Page'Place 1) > 3 orelse cf (2, Sent) = 0      a place is a multi-set; `Sent` where
                                                            one place alone is called so
  deadlock andalso size Waiting > 0                         nothing is enabled, now or later

Formulas about runs:
  G (send -> F receive)          transitions and events by name, a channel for all its events; a run
                                 that ends in a dead state stays there
  {p > 0} U ({q = 0} && X done)  conditions on states in braces
  From the loosest: <->, ->, ||, &&, then U R W M, then ! X F G; also implies, or, and, not.

Formulas about states and the runs from there:
  AG ({p > 1} -> EF send)        A all runs, E some run; a transition stands for states that enable it
  E[{p > 0} U AX {q = 0}]        U R W M in brackets; at a dead state AX holds, and EX does not

Examples:
  sweepline check net.pnml --deadlock --bound 'buffer'
  sweepline check net.pnml --ltl 'G F {inside_1 > 0}' --weak-fair enter_1
  sweepline check net.pnml --ctl 'AG (look_1 -> EF {inside_1 > 0})'
  sweepline check net.pnml --never 'inside_1 + inside_2 > 1'
  sweepline check net.pnml --progress auto --deadlock
  sweepline check net.pnml --home 'idle = 3' --live send --fair lose --terminates
  sweepline check net.pnml --progress 'sent + received' --monotone strict
  sweepline check net.pnml --progress 'monotone(round), level' --window 2
  sweepline check net.pnml --examination StateSpace --json
  sweepline check net.pnml --property-file UpperBounds.xml --memory-limit 8G
  sweepline check net.pnml --deadlock --checkpoint run.checkpoint
  sweepline check net.pnml --resume run.checkpoint
  sweepline check net.pnml --progress auto --deadlock --stubborn --sleep
  sweepline check net.pnml --never 'inside_1 + inside_2 > 1' --reduce auto
  sweepline check net.pnml --deadlock --method cache --cache 100k --time-limit 10m
  sweepline check model.cpn --init 'Limit=5`e' --bound Received
  sweepline check timed.cpn --progress time --deadlock
  sweepline check timed.cpn --equivalence time --cut-off 'size Idle = 2' --deadlock
  sweepline check model.cpn --equivalence 'symmetry:SITES' --deadlock
  sweepline check protocol.csp                                every assertion of the script
  sweepline check protocol.csp --progress auto --property 2   the second of them, swept
  sweepline check protocol.csp --process 'SYSTEM \\ {tick}' --deadlock";

#[derive(Args, Clone, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) questions: Questions,
    #[command(flatten)]
    pub(crate) measure: Measure,
    #[command(flatten)]
    pub(crate) retention: Retention,
    #[command(flatten)]
    pub(crate) caching: Caching,
    #[command(flatten)]
    pub(crate) cut_off: CutOff,
    #[command(flatten)]
    pub(crate) reductions: Reductions,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) checkpoints: Checkpoints,
    #[command(flatten)]
    pub(crate) output: Output,
}

const REPORT_EXAMPLES: &str = "\
The report has the layout of CPN Tools: statistics, bounds of places, home and dead markings, dead and live
transitions, fairness. A section `Properties` follows: those declared in the model, or those you ask for.
One exploration answers all of it. If the measure is monotone, it is a sweep; otherwise every state is stored.
States are numbered in the order in which they are visited.

Examples:
  sweepline report model.cpn
  sweepline report model.cpn --init 'Limit=3`e' --output report.txt --html report.html
  sweepline report net.pnml --progress 'sent + received' --json
  sweepline report protocol.csp --progress auto --never 'deadlock'

Exit status: as of `check`; 2 if a property has an error, 3 if the exploration is incomplete";

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
    /// Where paths to states are stored for counterexamples and witnesses (default: disk)
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) witness: Option<Witness>,
    /// Show every step of a counterexample or witness
    #[arg(long, help_heading = "Output")]
    pub(crate) full_trace: bool,
}

const PROGRESS_EXAMPLES: &str = "\
A measure that no transition lowers is monotone by proof: its steps are computed exactly.
The predicted peak is the part of all states that a sweep is expected to hold at a time.

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
A whole state space is written during the exploration, with only the window in memory. If the measure has
regress edges that leave the window, every state is stored.
`--around` and .svg draw a part. The search stores the window and the drawing, and ends as soon as it has the
states to draw: at most 100,000 states, or twice as many as it took to find the first one. `--state-limit`
sets another limit. Predecessors need one more sweep for each step of `--depth`.

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
The same seed gives the same run. With `--seed N`, run K of several has the seed N + K - 1.

Examples:
  sweepline simulate net.pnml --steps 50
  sweepline simulate net.pnml --seed 7 --runs 3 --until 'done > 0' --json
  sweepline simulate model.cpn --interactive";

#[derive(Args, Debug)]
#[command(after_help = SIMULATE_EXAMPLES)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The most steps of a run
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) steps: usize,
    /// The number of runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) runs: u64,
    /// Stop a run at a state that satisfies EXPR
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,
    /// Choose every step yourself
    #[arg(long, short, conflicts_with_all = ["json", "runs", "output_dir"])]
    pub(crate) interactive: bool,
    /// Write the files that code segments write below DIR (default: drop them); with several runs, below DIR/SEED
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) budget: Budget,
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
    /// The methods to run
    #[arg(long, value_enum, value_delimiter = ',', default_value = "full,sweep")]
    pub(crate) methods: Vec<Method>,
    /// A measure to sweep along; give several to compare them
    #[arg(long, value_name = "EXPR[, EXPR]...", allow_hyphen_values = true)]
    pub(crate) progress: Vec<String>,
    /// The window: how far behind the line layers are stored; give several to compare them
    #[arg(long, value_name = "N")]
    pub(crate) window: Vec<u64>,
    /// Sweep also with layers dropped only after N new states; give several to compare them
    #[arg(long, value_name = "N")]
    pub(crate) gc: Vec<u64>,
    /// The size of a cache, in states or in percent of all states; give several to compare them
    #[arg(long, value_name = "N|N%", value_parser = quantity::share)]
    pub(crate) cache: Vec<Share>,
    /// The replacement policy of a cache; give several to compare them
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) cache_policy: Vec<CachePolicy>,
    /// Run with each of these reductions; all of them preserve dead states
    #[arg(long, value_enum, value_delimiter = ',', default_value = "none")]
    pub(crate) reduce: Vec<Variant>,
    /// Compare for each of these values of a parameter, one row each
    #[arg(long, value_name = "NAME=VALUE,VALUE...")]
    pub(crate) vary: Option<String>,
    /// Draw the states stored during each run into FILE, as SVG; with a cache, time against peak stored states
    #[arg(long, value_name = "FILE", value_parser = quantity::picture, conflicts_with = "vary")]
    pub(crate) figure: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const CONVERT_EXAMPLES: &str = "\
Formats go by the names of the files: .cpn is a file of CPN Tools, .cpnt the text form. The state
space is the same; positions of nodes and bends of arcs are kept.

Examples:
  sweepline convert model.cpn model.cpnt
  sweepline convert model.cpnt model.cpn";

#[derive(Args, Debug)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// The model: NAME.cpn or NAME.cpnt
    pub(crate) from: PathBuf,
    /// The file to write: NAME.cpn or NAME.cpnt
    pub(crate) to: PathBuf,
    /// Reject files larger than this
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = quantity::size)]
    pub(crate) max_input: u64,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

const COMPILE_EXAMPLES: &str = "\
Every process below the parallel operators of a script becomes an LTS of its own. What they are together is
written by `sweepline graph FILE --output NAME.aut`.

Examples:
  sweepline compile protocol.csp --output components
  sweepline compile protocol.csp --process 'SENDER(0)' --output sender.aut";

#[derive(Args, Debug)]
#[command(after_help = COMPILE_EXAMPLES)]
pub(crate) struct Compile {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The folder to write a file for each component to; or NAME.aut, where there is one alone
    #[arg(long, short, value_name = "FOLDER|FILE.aut")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

const FORMAT_EXAMPLES: &str = "\
Examples:
  sweepline format model.cpnt
  sweepline format --check models/*.cpnt";

#[derive(Args, Debug)]
#[command(after_help = FORMAT_EXAMPLES)]
pub(crate) struct Reformat {
    /// Models in text form
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing: name the files that would change, with exit status 1
    #[arg(long)]
    pub(crate) check: bool,
    /// Reject files larger than this
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = quantity::size)]
    pub(crate) max_input: u64,
    #[command(flatten)]
    pub(crate) budget: Budget,
}

const ML_EXAMPLES: &str = "\
Scripts:
  fun PM M = IntInf.fromInt (length (ms_to_col (SLMark.Top'Received 1 M)));
  val sweep = {PM = PM, GC = 0, Secs = 0, Logfile = NONE};      0: layer by layer, without limit
  SL.ExploreStateSpace sweep;
  SLReachable (sweep, fn M => mssize (SLMark.Top'Buffer 1 M) > 1, false);
  SLBestUpperMultiSet (sweep, SLMark.Top'Buffer 1);
  SLListDeadMarkings sweep;
  SLHomePredicate (sweep, fn M => mssize (SLMark.Top'Buffer 1 M) = 0);
  SLListLiveTIs sweep;
  SLLtl (sweep, LTL.G (LTL.F (LTL.takes [TI.Top'Send 1])));
  SL.Draw {File = \"dead.svg\", States = SLListDeadMarkings sweep, Depth = 1};     a picture of them
  Of the stored state space, as in CPN Tools:
  PredAllNodes (fn n => cf (1, Mark.Top'Buffer 1 n) > 0);
  NodesInPath (InitNode, hd (ListDeadMarkings ()));
  use (ogpath ^ \"ASKCTL/ASKCTLloader.sml\");
  eval_node (INV (POS (NF (\"first\", fn n => n = InitNode)))) InitNode;

Examples:
  sweepline ml model.cpn queries.sml
  sweepline ml model.cpn queries.sml --param n=100 --json
  sweepline ml model.cpn --aux";

#[derive(Args, Debug)]
#[command(after_help = ML_EXAMPLES)]
pub(crate) struct Ml {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The script
    #[arg(required_unless_present = "aux")]
    pub(crate) script: Option<PathBuf>,
    /// Run the queries among the texts on the model's pages, before the script
    #[arg(long)]
    pub(crate) aux: bool,
    /// Write the files that the script writes below DIR (default: writing a file is an error)
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
