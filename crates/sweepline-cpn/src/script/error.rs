//! Errors of scripts.

use miette::Diagnostic;
use sweepline::StopReason;
use sweepline_ml::{MlError, MlErrors};
use thiserror::Error;

use crate::problem::Finding;

/// Why a script ended with an error.
#[derive(Debug, Error, Diagnostic)]
pub enum ScriptError {
    /// The script has syntax or type errors.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Wrong(#[from] MlErrors),
    /// An exception that is not handled, a limit of evaluation, or an operation that is not supported.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Raised(MlErrors),
    /// The same, in a text of the model.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Model(Box<Finding>),
    /// The progress measure is not monotone.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Rejected(Box<Rejection>),
    /// An exploration stopped at a limit, so that there is no answer.
    #[error("{at}no answer: {reason}")]
    #[diagnostic(code("SWL-CPN-0102"))]
    Stopped {
        /// `file:line:column: ` of the call.
        at: String,
        /// The reason.
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
        /// The error of the operating system.
        error: String,
    },
    /// The net cannot be compiled for the current values of the references.
    #[error("{at}the model cannot use the new values of its references: {message}")]
    #[diagnostic(
        code("SWL-CPN-0105"),
        help("set the value before the script runs: `--param NAME=VALUE`")
    )]
    References {
        /// `file:line:column: ` of the call.
        at: String,
        /// The reason.
        message: String,
    },
    /// The files of the script could not be written.
    #[error("{error}")]
    #[diagnostic(code("SWL-CPN-0104"), help("give a writable folder: `--output-dir DIR`"))]
    Files {
        /// The file and the reason.
        error: String,
    },
}

/// An edge that decreases progress: `(M, (t,b), M')`.
#[derive(Debug, Error, Diagnostic)]
#[error(
    "{at}the progress measure is not monotone: the edge (M, (t,b), M') decreases progress from {from} to {to}"
)]
#[diagnostic(code("SWL-CPN-0101"), help("M:\n{marking}\n(t,b): {element}\nM':\n{next}"))]
pub struct Rejection {
    /// `file:line:column: ` of the call.
    pub at: String,
    /// M, with one place per line.
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
    /// The limit or interrupt that ended the script, if that was the reason.
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
