//! Why a checkpoint cannot be written or resumed.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error as ThisError;

/// Why a checkpoint cannot be written or resumed.
#[derive(Clone, PartialEq, Eq, Debug, ThisError)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Error {
    #[error("cannot read `{}`: {message}", file.display())]
    Read { file: PathBuf, message: String },

    #[error("cannot write `{}`: {message}", file.display())]
    Write { file: PathBuf, message: String },

    #[error("`{}` is not a checkpoint", file.display())]
    NotOne { file: PathBuf },

    #[error("`{}` was written by sweepline {found}, but this is sweepline {ours}", file.display())]
    Version { file: PathBuf, found: String, ours: String },

    #[error("`{}` is damaged: {what}", file.display())]
    Damaged { file: PathBuf, what: String },

    #[error("`{}` is a checkpoint of another model", file.display())]
    OtherModel { file: PathBuf },

    #[error(
        "`{}` is a checkpoint of a run with a different {what}: {there} in the checkpoint, {here} in this run",
        file.display()
    )]
    OtherRun { file: PathBuf, what: &'static str, there: String, here: String },

    #[error("`{}` already exists: resume it, remove it, or write to another file", file.display())]
    Exists { file: PathBuf },

    #[error("`{}` belongs to a run that has not ended", file.display())]
    InUse { file: PathBuf },

    #[error("{what} cannot be saved in a checkpoint: implement `save` and `restore`")]
    Unsaved { what: String },

    #[error("a depth-first search with a cache cannot be saved in a checkpoint")]
    Cached,
}

impl Error {
    pub(crate) fn read(file: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::Read { file: file.to_owned(), message: error.to_string() }
    }

    pub(crate) fn write(file: &Path) -> impl Fn(io::Error) -> Error {
        move |error| Error::Write { file: file.to_owned(), message: error.to_string() }
    }

    pub(crate) fn damaged(file: &Path, what: impl Into<String>) -> Error {
        Error::Damaged { file: file.to_owned(), what: what.into() }
    }
}
