//! What ends a script before its end.

use miette::Diagnostic;
use sweepline::StopReason;
use sweepline_ml::{MlError, MlErrors};
use thiserror::Error;

use crate::problem::Finding;

/// Why a script ended before its end.
#[derive(Debug, Error, Diagnostic)]
pub enum ScriptError {
    /// It is not CPN ML, or not of the right types.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Wrong(#[from] MlErrors),
    /// An exception that nobody handled, a limit of evaluation, or what the machine cannot do.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Raised(MlErrors),
    /// The same, in a text of the model.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Model(Box<Finding>),
    /// The measure is not monotone.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Rejected(Box<Rejection>),
    /// An exploration did not come to its end, so that there is no answer.
    #[error("{at}no answer: {reason}")]
    #[diagnostic(code("SWL-CPN-0102"))]
    Stopped {
        /// `file:line:column: ` of the call.
        at: String,
        /// Why.
        reason: Box<StopReason>,
    },
    /// A log could not be written.
    #[error("{at}cannot write `{file}`: {error}")]
    #[diagnostic(code("SWL-CPN-0103"))]
    Log {
        /// `file:line:column: ` of the call.
        at: String,
        /// The file.
        file: String,
        /// The message of the system.
        error: String,
    },
    /// There is no model for what the references of the declarations hold.
    #[error("{at}the model cannot follow the references: {message}")]
    #[diagnostic(
        code("SWL-CPN-0105"),
        help("set what it follows from before the script runs, by `--param`")
    )]
    References {
        /// `file:line:column: ` of the call.
        at: String,
        /// Why.
        message: String,
    },
    /// The files of the script could not be written.
    #[error("{error}")]
    #[diagnostic(
        code("SWL-CPN-0104"),
        help("`--output-dir` must name a folder in which files can be made")
    )]
    Files {
        /// Which, and why.
        error: String,
    },
}

/// An arc that leads to less progress: `(M, (t,b), M')`.
#[derive(Debug, Error, Diagnostic)]
#[error("{at}the progress measure is rejected: (M, (t,b), M') leads from progress {from} to {to}")]
#[diagnostic(code("SWL-CPN-0101"), help("M:\n{marking}\n(t,b): {element}\nM':\n{next}"))]
pub struct Rejection {
    /// `file:line:column: ` of the call.
    pub at: String,
    /// M, a place on each line.
    pub marking: String,
    /// (t,b).
    pub element: String,
    /// M'.
    pub next: String,
    /// The progress of M.
    pub from: String,
    /// The progress of M'.
    pub to: String,
}

impl ScriptError {
    /// The limit or interrupt that ended it, if it was one.
    pub fn stop_reason(&self) -> Option<&StopReason> {
        match self {
            ScriptError::Stopped { reason, .. } => Some(reason),
            _ => None,
        }
    }
}

impl From<MlError> for ScriptError {
    fn from(error: MlError) -> Self {
        ScriptError::Raised(error.into())
    }
}
