//! Everything that keeps a command from running, each with what to write instead.

use std::io;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use sweepline::StopReason;
use sweepline_pnml::{ExpressionErrors, ReadErrors};
use thiserror::Error;

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

    #[error("cannot tell the format of `{}`", file.display())]
    #[diagnostic(code("SWL-CLI-0001"), help("{what}; sweepline reads PNML (`--format pnml`)"))]
    UnknownFormat { file: PathBuf, what: &'static str },

    #[error("cannot write `{}`: {error}", file.display())]
    #[diagnostic(code("SWL-CLI-0002"))]
    Write { file: PathBuf, error: io::Error },

    #[error("`--init {text}` does not set the tokens of a place")]
    #[diagnostic(code("SWL-CLI-0003"), help("{help}"))]
    Init { text: String, help: String },

    #[error("there is no property `{name}` in the property files")]
    #[diagnostic(code("SWL-CLI-0004"), help("there are: {known}"))]
    NoSuchProperty { name: String, known: String },

    #[error("`{name}` asks for something that is not supported yet: {what}")]
    #[diagnostic(code("SWL-CLI-0005"), help("{help}"))]
    NotYet { name: String, what: String, help: String },

    #[error("a sweep needs a measure of progress")]
    #[diagnostic(
        code("SWL-CLI-0006"),
        help("give one with `--progress`, for example `--progress 'sent + received'`")
    )]
    NoMeasure,

    #[error(
        "the memory limit of {limit} is less than the {used} that the process needs before it explores"
    )]
    #[diagnostic(code("SWL-CLI-0007"), help("raise `--memory-limit`"))]
    MemoryLimitTooLow { limit: String, used: String },

    #[error("cannot write a graph to `{}`", file.display())]
    #[diagnostic(code("SWL-CLI-0008"), help("name a file that ends in .aut, .dot or .json"))]
    GraphFormat { file: PathBuf },

    #[error("the graph is not written: {reason}")]
    #[diagnostic(code("SWL-CLI-0009"))]
    GraphIncomplete {
        reason: Box<StopReason>,
        #[help]
        help: Option<String>,
    },

    #[error(
        "the graph is not written: an edge leads behind the window, so states would be numbered twice"
    )]
    #[diagnostic(
        code("SWL-CLI-0010"),
        help("use a larger `--window`, a measure that does not fall, or `--method full`")
    )]
    GraphNotMonotone,

    #[error("the model cannot be run: {message}")]
    #[diagnostic(code("SWL-CLI-0011"))]
    Model { message: String },

    #[error("there is no verb `{verb}`")]
    #[diagnostic(code("SWL-CLI-0012"), help("the verbs are {known}"))]
    NoSuchVerb { verb: String, known: String },
}

impl Failure {
    /// Prints it to standard error.
    pub(crate) fn show(self) {
        anstream::eprintln!("{:?}", Report::new(self));
    }

    /// The exit status that goes with it.
    pub(crate) fn exit_status(&self) -> u8 {
        let Failure::GraphIncomplete { reason, .. } = self else { return 2 };
        match **reason {
            StopReason::Interrupted => 130,
            StopReason::Model(_) => 2,
            _ => 3,
        }
    }

    /// Wraps an error in writing `file`.
    pub(crate) fn writing(file: &Path) -> impl Fn(io::Error) -> Failure {
        let file = file.to_owned();
        move |error| Failure::Write { file: file.clone(), error }
    }
}
