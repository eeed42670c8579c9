//! What a page asks.

use serde::Deserialize;

/// The parameters of a model, as on the command line.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    /// `--param`.
    pub(super) param: Vec<String>,
    /// `--init`.
    pub(super) init: Vec<String>,
    /// `--process`.
    pub(super) process: Option<String>,
}

impl Settings {
    /// As options of the command line.
    pub(super) fn words(&self) -> String {
        let option = |name: &'static str| move |text: &String| format!("--{name} {text}");
        let params = self.param.iter().map(option("param"));
        let all = params.chain(self.init.iter().map(option("init")));
        all.chain(self.process.iter().map(option("process"))).collect::<Vec<_>>().join(", ")
    }
}

/// A request; `run` is the number of a run that the page has.
#[derive(Deserialize, Debug)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Request {
    /// Begins a run, and takes steps by their numbers.
    Open { settings: Settings, choices: Vec<usize>, at: Option<usize> },
    /// Begins a run of a trace file.
    Load { settings: Settings, text: String },
    /// Opens the model again from its file, and takes the same steps as far as it has them.
    Reload { run: u64, settings: Settings },
    /// Shows the state of a run.
    View { run: u64 },
    /// Takes an enabled step.
    Step { run: u64, choice: usize },
    /// Goes to a position of the trace.
    Go { run: u64, to: usize },
    /// Takes random steps.
    Random { run: u64, steps: usize },
    /// Takes random steps until a condition holds, for a while.
    Until { run: u64, condition: String },
    /// Rows of the trace, with the values of expressions.
    Rows { run: u64, from: usize, to: usize, watch: Vec<String> },
    /// The values of expressions along the trace, as a chart.
    Plot { run: u64, watch: Vec<String> },
    /// Steps as a sequence chart.
    Sequence { run: u64, from: usize },
    /// The trace as a file.
    Save { run: u64 },
    /// The states around the current one, merged by an expression if there is one.
    Around { run: u64, expand: Option<usize>, merge: Option<String> },
    /// Looks for a shortest path to a state of that graph.
    Way { run: u64, state: usize },
    /// Begins a check.
    Check { settings: Settings, properties: Vec<Asked>, progress: String },
    /// Stops a check.
    Stop { check: u64 },
    /// Begins a run of the counterexample or witness of a property.
    Show { check: u64, property: usize, at: Option<usize> },
}

/// A property that is typed, or chosen.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) kind: Kind,
    #[serde(default)]
    pub(super) text: String,
}

/// The options of `check` that a page may use. Options that name files are not among them.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Deadlock,
    Never,
    Reach,
    Bound,
    Home,
    Reversible,
    Live,
    Fair,
    Terminates,
    Ltl,
    Ctl,
    DeadTransitions,
    /// A property of the file, by its name.
    Property,
    /// An assertion of a script, by its number.
    Assertion,
}

impl Kind {
    /// All of them, with what the text is; none for kinds without one.
    pub(super) const ALL: [(Kind, &str, Option<&str>); 12] = [
        (Kind::Deadlock, "no deadlock", None),
        (Kind::Never, "never", Some("condition")),
        (Kind::Reach, "reach", Some("condition")),
        (Kind::Bound, "bound", Some("expression")),
        (Kind::Home, "home", Some("condition")),
        (Kind::Reversible, "reversible", None),
        (Kind::Live, "live", Some("transition")),
        (Kind::Fair, "fair", Some("transition")),
        (Kind::Terminates, "terminates", None),
        (Kind::Ltl, "LTL", Some("formula")),
        (Kind::Ctl, "CTL", Some("formula")),
        (Kind::DeadTransitions, "no dead transition", None),
    ];

    /// The option of `check`, which is also its name in requests.
    pub(super) fn option(self) -> &'static str {
        match self {
            Kind::Deadlock => "deadlock",
            Kind::Never => "never",
            Kind::Reach => "reach",
            Kind::Bound => "bound",
            Kind::Home => "home",
            Kind::Reversible => "reversible",
            Kind::Live => "live",
            Kind::Fair => "fair",
            Kind::Terminates => "terminates",
            Kind::Ltl => "ltl",
            Kind::Ctl => "ctl",
            Kind::DeadTransitions => "dead-transitions",
            Kind::Property | Kind::Assertion => "property",
        }
    }
}
