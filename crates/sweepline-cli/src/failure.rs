//! Everything that keeps a command from running, each with what to write instead.

use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, SourceSpan};
use sweepline::{StopReason, checkpoint};
use sweepline_cpn::{ExpressionError, LoadErrors, ScriptError};
use sweepline_pnml::ReadErrors;
use sweepline_query::{ExpressionErrors, Property};
use sweepline_source::Fault;
use thiserror::Error;

use crate::args::Equivalence;
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
            "{what}; sweepline reads PNML (`--format pnml`), files of CPN Tools (`--format cpn`), coloured nets in text form (`--format cpnt`), processes in CSPm (`--format csp`) and LTSs (`--format aut`)"
        )
    )]
    UnknownFormat { file: PathBuf, what: &'static str },

    #[error("cannot write `{}`: {error}", file.display())]
    #[diagnostic(code("SWL-CLI-0002"))]
    Write { file: PathBuf, error: io::Error },

    #[error("`--init {text}` does not set the tokens of a place")]
    #[diagnostic(code("SWL-CLI-0003"), help("{help}"))]
    Init { text: String, help: String },

    #[error("there is no property `{name}`")]
    #[diagnostic(code("SWL-CLI-0004"), help("there are: {known}"))]
    NoSuchProperty { name: String, known: String },

    #[error("`{option} {name}` names no transition")]
    #[diagnostic(code("SWL-CLI-0031"), help("there are: {known}"))]
    NoSuchTransition { option: &'static str, name: String, known: String },

    #[error("`{option} {name}` is ambiguous: several transitions are called so")]
    #[diagnostic(code("SWL-CLI-0042"), help("write which one you mean: {known}"))]
    AmbiguousTransition { option: &'static str, name: String, known: String },

    #[error("`{name}` asks for something that is not supported yet: {what}")]
    #[diagnostic(code("SWL-CLI-0005"), help("{help}"))]
    NotYet { name: String, what: String, help: String },

    #[error("a sweep needs a measure of progress")]
    #[diagnostic(
        code("SWL-CLI-0006"),
        help(
            "none was found that helps: give one with `--progress`, for example `--progress 'sent + received'`"
        )
    )]
    NoMeasure,

    #[error("cannot write a graph to `{}`", file.display())]
    #[diagnostic(code("SWL-CLI-0008"), help("name a file that ends in .aut, .dot, .json or .svg"))]
    GraphFormat { file: PathBuf },

    #[error("the graph is not written: {reason}")]
    #[diagnostic(code("SWL-CLI-0009"))]
    GraphIncomplete {
        reason: Box<StopReason>,
        #[help]
        help: Option<String>,
    },

    #[error("the file names several measures: {names}")]
    #[diagnostic(code("SWL-CLI-0024"), help("sweep along one of them: `--progress NAME`"))]
    WhichMeasure { names: String },

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
        help("there: {there}\nhere:  {here}\nresume it with the model it was made of")
    )]
    OtherModel { file: PathBuf, there: String, here: String },

    #[error(
        "{option} must be as in the checkpoint `{}`: {there} there, {here} here",
        file.display()
    )]
    #[diagnostic(
        code("SWL-CLI-0015"),
        help("leave it out, and it is as it was; or start a new run without `--resume`")
    )]
    OtherRun { file: PathBuf, option: &'static str, there: String, here: String },

    #[error("the run saved in `{}` does not fit into the memory limit", file.display())]
    #[diagnostic(code("SWL-CLI-0016"), help("raise `--memory-limit`; the checkpoint is unchanged"))]
    CheckpointTooLarge { file: PathBuf },

    #[error("what is asked cannot be kept in a checkpoint: {message}")]
    #[diagnostic(code("SWL-CLI-0017"), help("give the property files names in Unicode"))]
    Unnamed { message: String },

    #[error("`--param {text}` does not set a value")]
    #[diagnostic(code("SWL-CLI-0018"), help("{help}"))]
    Param { text: String, help: String },

    #[error("`--vary {text}` does not give values")]
    #[diagnostic(
        code("SWL-CLI-0044"),
        help("write them with commas between, for example `--vary {name}=10,100`")
    )]
    Vary { text: String, name: String },

    #[error("`--equivalence {what}` does not fit this model: {why}")]
    #[diagnostic(code("SWL-CLI-0020"), help("{help}"))]
    NoEquivalence { what: String, why: String, help: String },

    #[error("{option} is not for {what}")]
    #[diagnostic(code("SWL-CLI-0019"), help("{help}"))]
    NotFor { option: &'static str, what: &'static str, help: &'static str },

    #[error("{option} cannot be combined with {what}: the model declares such a property")]
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
        help("say how many states it holds, for example `--cache 100000`{or}")
    )]
    NoCacheSize { or: &'static str },

    #[error("the size of a cache in percent needs the number of all states")]
    #[diagnostic(
        code("SWL-CLI-0026"),
        help("compare with full exploration, which counts them: `--methods full,cache`")
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

    #[error("{n_components} components do not go into one file")]
    #[diagnostic(
        code("SWL-CLI-0032"),
        help("name a folder: `--output {}`", file.with_extension("").display())
    )]
    ManyComponents { file: PathBuf, n_components: usize },

    #[error("{option} has no effect {when}")]
    #[diagnostic(code("SWL-CLI-0046"), help("{help}"))]
    NoEffect { option: &'static str, when: &'static str, help: &'static str },

    #[error("there is no topic `{topic}`")]
    #[diagnostic(code("SWL-CLI-0047"), help("`sweepline help` lists the topics"))]
    NoSuchTopic { topic: String },

    #[error("there is no verb `{verb}`")]
    #[diagnostic(code("SWL-CLI-0012"), help("the verbs are {known}"))]
    NoSuchVerb { verb: String, known: String },
}

impl From<checkpoint::Error> for Failure {
    fn from(error: checkpoint::Error) -> Self {
        let help = match &error {
            checkpoint::Error::Exists { .. } => "go on with it by `--resume`, or name another file",
            checkpoint::Error::Version { .. } => "resume it with the sweepline that wrote it",
            checkpoint::Error::NotOne { .. } => "name a file that `--checkpoint` wrote",
            checkpoint::Error::InUse { .. } => "wait until it is done, or end it first",
            checkpoint::Error::Damaged { .. } => "it cannot be used: start the run again",
            _ => "",
        };
        Failure::Checkpoint { help: Some(help).filter(|h| !h.is_empty()), error: Box::new(error) }
    }
}

/// How to check fewer properties than the model declares.
const LEAVE_OUT_DECLARED: &str = "check other properties with `--property NAME`, or none that the model declares with `--property none`";

impl Failure {
    /// Fails for the first of several options that is given, though not for `what`.
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

    /// An equivalence is of no use for a model.
    pub(crate) fn no_equivalence(what: &Equivalence, why: impl ToString) -> Self {
        let (what, why) = (what.clone().into(), why.to_string());
        Failure::NoEquivalence { what, why, help: "leave it out".into() }
    }

    /// All of several as one: those of the model's file together, of others the first.
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
            Failure::CheckpointTooLarge { .. } => return 3,
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
