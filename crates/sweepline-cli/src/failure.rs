//! Everything that keeps a command from running, each with what to write instead.

use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, SourceSpan};
use sweepline::{StopReason, checkpoint, spill};
use sweepline_cpn::{ExpressionError, LoadErrors, ScriptError};
use sweepline_pnml::ReadErrors;
use sweepline_query::{ExpressionErrors, Property};
use sweepline_source::{Fault, closest};
use thiserror::Error;

use crate::args::Equivalence;
use crate::print::quoted;
use crate::shown;

/// Why a command could not run. Codes are stable: they are never reused.
#[derive(Debug, Error, Diagnostic)]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub(crate) enum Failure {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Read(#[from] ReadErrors),

    #[error(transparent)]
    #[diagnostic(transparent)]
    Expression(#[from] ExpressionErrors),

    #[error(transparent)]
    #[diagnostic(transparent)]
    Load(#[from] Box<LoadErrors>),

    #[error(transparent)]
    #[diagnostic(transparent)]
    Query(#[from] Box<ExpressionError>),

    #[error(transparent)]
    #[diagnostic(transparent)]
    Script(#[from] Box<ScriptError>),

    #[error(transparent)]
    #[diagnostic(transparent)]
    Processes(#[from] Box<sweepline_lts::LoadErrors>),

    #[error("which process of `{}`?", file.display())]
    #[diagnostic(code("SWL-CLI-0025"), help("{help}"))]
    WhichProcess { file: PathBuf, help: String },

    #[error("cannot read `{}`: {fault}", file.display())]
    #[diagnostic(code("SWL-CLI-0021"))]
    ReadScript {
        file: PathBuf,
        fault: Fault,
        #[help]
        help: Option<String>,
    },

    #[error("cannot tell the format of `{}`", file.display())]
    #[diagnostic(
        code("SWL-CLI-0001"),
        help(
            "{what}. Name the format: `--format pnml` (PNML), `cpn` (CPN Tools), `cpnt` (text form), `csp` (CSPm) or `aut` (LTS)"
        )
    )]
    UnknownFormat { file: PathBuf, what: &'static str },

    #[error("cannot write `{}`: {error}", file.display())]
    #[diagnostic(code("SWL-CLI-0002"))]
    Write { file: PathBuf, error: io::Error },

    #[error("cannot use `--init {text}`")]
    #[diagnostic(code("SWL-CLI-0003"), help("{help}"))]
    Init { text: String, help: String },

    #[error("there is no property `{name}`")]
    #[diagnostic(code("SWL-CLI-0004"), help("{known}"))]
    NoSuchProperty { name: String, known: String },

    #[error("there is no transition `{name}` (`{option}`)")]
    #[diagnostic(code("SWL-CLI-0031"), help("{known}"))]
    NoSuchTransition { option: &'static str, name: String, known: String },

    #[error("several transitions are called `{name}` (`{option}`)")]
    #[diagnostic(code("SWL-CLI-0042"), help("write one of: {known}"))]
    AmbiguousTransition { option: &'static str, name: String, known: String },

    #[error("the property `{name}` is not supported: {what}")]
    #[diagnostic(code("SWL-CLI-0005"), help("{help}"))]
    NotYet { name: String, what: String, help: String },

    #[error("a sweep needs a progress measure, and sweepline found none that helps")]
    #[diagnostic(
        code("SWL-CLI-0006"),
        help(
            "write one with `--progress`, for example `--progress 'sent + received'`, or store every state with `--method full`"
        )
    )]
    NoMeasure,

    #[error("cannot write a graph to `{}`", file.display())]
    #[diagnostic(code("SWL-CLI-0008"), help("name a file that ends in .aut, .dot, .json or .svg"))]
    GraphFormat { file: PathBuf },

    #[error("no graph was written: {reason}")]
    #[diagnostic(code("SWL-CLI-0009"))]
    GraphIncomplete {
        reason: Box<StopReason>,
        #[help]
        help: Option<String>,
    },

    #[error("the model declares several measures: {names}")]
    #[diagnostic(code("SWL-CLI-0024"), help("choose one: `--progress NAME`"))]
    WhichMeasure { names: String },

    #[error("cannot listen at {address}: {error}")]
    #[diagnostic(code("SWL-CLI-0066"), help("{help}"))]
    Listen { address: String, error: io::Error, help: &'static str },

    #[error("there is no measure `auto:{number}`: {known}")]
    #[diagnostic(code("SWL-CLI-0060"), help("`sweepline progress FILE` lists the measures"))]
    NoSuchMeasure { number: String, known: String },

    #[error("there is nothing to draw: {what} was found{until}")]
    #[diagnostic(code("SWL-CLI-0023"), help("{help}"))]
    NothingToDraw {
        what: String,
        until: String,
        help: &'static str,
        reason: Option<Box<StopReason>>,
    },

    #[error("the model cannot be run: {message}")]
    #[diagnostic(code("SWL-CLI-0011"))]
    Model { message: String },

    #[error("{error}")]
    #[diagnostic(code("SWL-CLI-0013"))]
    Checkpoint {
        error: Box<checkpoint::Error>,
        #[help]
        help: Option<&'static str>,
    },

    #[error("`{}` is a checkpoint of another model", file.display())]
    #[diagnostic(
        code("SWL-CLI-0014"),
        help("saved: {there}\ngiven: {here}\nresume with the model that the run began with")
    )]
    OtherModel { file: PathBuf, there: String, here: String },

    #[error(
        "{option} differs from the run saved in `{}`: {there} in the checkpoint, {here} now",
        file.display()
    )]
    #[diagnostic(
        code("SWL-CLI-0015"),
        help(
            "leave the option out to keep the saved value, or start a new run without `--resume`"
        )
    )]
    OtherRun { file: PathBuf, option: &'static str, there: String, here: String },

    #[error("the run saved in `{}` does not fit into the memory limit", file.display())]
    #[diagnostic(code("SWL-CLI-0016"), help("raise `--memory-limit`; the checkpoint is unchanged"))]
    CheckpointTooLarge { file: PathBuf },

    #[error("the properties cannot be saved in a checkpoint: {message}")]
    #[diagnostic(
        code("SWL-CLI-0017"),
        help("rename the property files: their names must be valid UTF-8")
    )]
    Unnamed { message: String },

    #[error("cannot use `--param {text}`")]
    #[diagnostic(code("SWL-CLI-0018"), help("{help}"))]
    Param { text: String, help: String },

    #[error("cannot use `--vary {text}`")]
    #[diagnostic(
        code("SWL-CLI-0044"),
        help(
            "write a name and values with commas between them, for example `--vary {name}=10,100`"
        )
    )]
    Vary { text: String, name: String },

    #[error("cannot use `--equivalence {what}`: {why}")]
    #[diagnostic(code("SWL-CLI-0020"), help("{help}"))]
    NoEquivalence { what: String, why: String, help: String },

    #[error("{option} cannot be used with {what}")]
    #[diagnostic(code("SWL-CLI-0019"), help("{help}"))]
    NotFor { option: &'static str, what: &'static str, help: &'static str },

    #[error("{option} cannot be used with {what}, and the model declares such a property")]
    #[diagnostic(code("SWL-CLI-0041"), help("{help}, or {LEAVE_OUT_DECLARED}"))]
    NotForDeclared { option: &'static str, what: &'static str, help: &'static str },

    #[error("{message}")]
    #[diagnostic(code("SWL-CLI-0027"), help("{help}"))]
    Formula {
        message: String,
        help: String,
        #[source_code]
        text: String,
        #[label("here")]
        at: SourceSpan,
    },

    #[error("a cache needs a size")]
    #[diagnostic(
        code("SWL-CLI-0045"),
        help("add the number of states to store, for example `--cache 100000`{or}")
    )]
    NoCacheSize { or: &'static str },

    #[error("the size of a cache in percent needs the number of all states")]
    #[diagnostic(
        code("SWL-CLI-0026"),
        help("add full exploration, which counts the states: `--methods full,cache`")
    )]
    NoShare,

    #[error("cannot read `{}`: {fault}", file.display())]
    #[diagnostic(code("SWL-CLI-0022"))]
    ReadFile {
        file: PathBuf,
        fault: Fault,
        #[help]
        help: Option<String>,
    },

    #[error("cannot convert from or to `{}`", file.display())]
    #[diagnostic(code("SWL-CLI-0043"), help("{help}"))]
    ConvertFormat { file: PathBuf, help: &'static str },

    #[error("cannot write {n_components} components to one file")]
    #[diagnostic(
        code("SWL-CLI-0032"),
        help("name a folder: `--output {}`", file.with_extension("").display())
    )]
    ManyComponents { file: PathBuf, n_components: usize },

    #[error("{option} has no effect {when}")]
    #[diagnostic(code("SWL-CLI-0046"), help("{help}"))]
    NoEffect { option: &'static str, when: &'static str, help: &'static str },

    #[error("{message}")]
    #[diagnostic(code("SWL-CLI-0063"), help("{help}"))]
    Cluster { message: String, help: String },

    #[error("{message}")]
    #[diagnostic(code("SWL-CLI-0064"), help("{help}"))]
    NotJoined { message: String, help: String },

    #[error("unexpected argument '{word}'")]
    #[diagnostic(
        code("SWL-CLI-0068"),
        help(
            "there is no file `{word}`. Put an expression with spaces in quotes: --never 'sent > 3'"
        )
    )]
    Unexpected { word: String },

    #[error("cannot start {what}: {error}")]
    #[diagnostic(code("SWL-CLI-0069"))]
    Start { what: String, error: io::Error },

    #[error("the check of `{}` ended without results ({status})", file.display())]
    #[diagnostic(
        code("SWL-CLI-0067"),
        help("check this model alone: `sweepline check {}`", file.display())
    )]
    NoResult { file: PathBuf, status: String },

    #[error("{error}")]
    #[diagnostic(code("SWL-CLI-0065"), help("{help}"))]
    Spill { error: spill::Error, help: &'static str },

    #[error("there is no topic `{topic}`")]
    #[diagnostic(code("SWL-CLI-0047"), help("{known}"))]
    NoSuchTopic { topic: String, known: String },

    #[error("{what} cannot be explored on a GPU: {why}")]
    #[diagnostic(code("SWL-CLI-0061"), help("{help}"))]
    NotOnGpu { what: String, why: String, help: String },

    #[error("no GPU can be used: {why}")]
    #[diagnostic(code("SWL-CLI-0062"), help("{help}"))]
    Gpu { why: String, help: &'static str },

    #[error("there is no verb `{verb}`")]
    #[diagnostic(code("SWL-CLI-0012"), help("{known}"))]
    NoSuchVerb { verb: String, known: String },
}

impl From<checkpoint::Error> for Failure {
    fn from(error: checkpoint::Error) -> Self {
        let help = match &error {
            checkpoint::Error::Exists { .. } => {
                "continue that run with `--resume FILE`, or name another file"
            }
            checkpoint::Error::Version { .. } => "resume it with the sweepline that wrote it",
            checkpoint::Error::NotOne { .. } => "name a file that `--checkpoint` wrote",
            checkpoint::Error::InUse { .. } => "wait until that run is done, or stop it first",
            checkpoint::Error::Damaged { .. } => {
                "start the run again: nothing can be read from this file"
            }
            _ => "",
        };
        Failure::Checkpoint { help: Some(help).filter(|h| !h.is_empty()), error: Box::new(error) }
    }
}

impl From<spill::Error> for Failure {
    fn from(error: spill::Error) -> Self {
        let help = match &error {
            spill::Error::Unsupported(_) => "run without `--spill`",
            _ => "name a folder that exists and that you may write: `--spill FOLDER`",
        };
        Failure::Spill { error, help }
    }
}

/// The most names that a message lists.
const MOST_NAMES: usize = 20;

/// The names that exist instead of `name`, the closest one first; names with spaces in quotes.
pub(crate) fn known_names(what: &str, name: &str, known: &[impl AsRef<str>]) -> String {
    let known = || known.iter().map(AsRef::as_ref);
    let meant = closest(name, known()).map_or(String::new(), |meant| format!("{meant} "));
    let listed: Vec<_> = known().take(MOST_NAMES).map(quoted).collect();
    let more = match known().count().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("{meant}The {what} are: {}{more}", listed.join(", "))
}

/// How to check fewer properties than the model declares.
const LEAVE_OUT_DECLARED: &str = "check other properties with `--property NAME`, or none that the model declares with `--property none`";

impl Failure {
    /// Fails for the first of several options that is given, though it cannot be used with `what`.
    pub(crate) fn refuse(
        what: &'static str,
        help: &'static str,
        options: &[(&'static str, bool)],
    ) -> Result<(), Self> {
        match options.iter().find(|(_, given)| *given) {
            Some(&(option, _)) => Err(Failure::NotFor { option, what, help }),
            None => Ok(()),
        }
    }

    /// The failure of a property among `declared` that no option asked for.
    pub(crate) fn of_declared(self, declared: &[Property]) -> Self {
        let is_named = |why: &str| {
            declared.iter().any(|property| why.contains(&format!("`{}`", property.name)))
        };
        match self {
            Failure::NotFor { option, what, help } => {
                Failure::NotForDeclared { option, what, help }
            }
            Failure::NoEquivalence { what, why, help } if is_named(&why) => {
                let help = format!("{help}, or {LEAVE_OUT_DECLARED}");
                Failure::NoEquivalence { what, why, help }
            }
            other => other,
        }
    }

    /// An equivalence that a model does not have.
    pub(crate) fn no_equivalence(what: &Equivalence, why: impl ToString) -> Self {
        let (what, why) = (what.clone().into(), why.to_string());
        Failure::NoEquivalence { what, why, help: "leave out `--equivalence`".into() }
    }

    /// Several failures as one: all errors of the model's file, otherwise the first failure.
    pub(crate) fn all(failures: Vec<Self>) -> Option<Self> {
        failures.into_iter().reduce(|all, next| match (all, next) {
            (Failure::Load(all), Failure::Load(next)) => Failure::Load(Box::new(all.join(*next))),
            (first, _) => first,
        })
    }

    /// Prints it to standard error.
    pub(crate) fn show(self) {
        shown::show(&self);
    }

    /// The exit status that goes with it.
    pub(crate) fn exit_status(&self) -> u8 {
        let reason = match self {
            Failure::GraphIncomplete { reason, .. } => Some(&**reason),
            Failure::NothingToDraw { reason, .. } => reason.as_deref(),
            Failure::Script(error) => error.stop_reason(),
            Failure::CheckpointTooLarge { .. } | Failure::NotJoined { .. } => return 3,
            _ => None,
        };
        let Some(reason) = reason else { return 2 };
        match reason {
            StopReason::Interrupted => 130,
            StopReason::Model(_) => 2,
            _ => 3,
        }
    }

    /// Wraps a fault in reading `file`.
    pub(crate) fn reading(file: &Path) -> impl Fn(Fault) -> Failure {
        let file = file.to_owned();
        move |fault| Failure::ReadFile { file: file.clone(), help: fault.advice(), fault }
    }

    /// Wraps an error in writing `file`.
    pub(crate) fn writing(file: &Path) -> impl Fn(io::Error) -> Failure {
        let file = file.to_owned();
        move |error| Failure::Write { file: file.clone(), error }
    }
}
