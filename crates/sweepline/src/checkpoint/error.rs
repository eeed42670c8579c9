//! Why a run cannot be written to a checkpoint, or go on from one.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error as ThisError;

/// Why a checkpoint is of no use.
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

    #[error("`{}` was written by sweepline {found}, and this is {ours}", file.display())]
    Version { file: PathBuf, found: String, ours: String },

    #[error("`{}` is damaged: {what}", file.display())]
    Damaged { file: PathBuf, what: String },

    #[error("`{}` is a checkpoint of another model", file.display())]
    OtherModel { file: PathBuf },

    #[error(
        "`{}` is a checkpoint of a run with another {what}: {there} there, {here} here",
        file.display()
    )]
    OtherRun { file: PathBuf, what: &'static str, there: String, here: String },

    #[error("`{}` is there already: resume it, remove it, or write to another file", file.display())]
    Exists { file: PathBuf },

    #[error("`{}` belongs to a run that is still going on", file.display())]
    InUse { file: PathBuf },

    #[error(
        "{what} cannot be saved, so there can be no checkpoint: implement `save` and `restore`"
    )]
    Unsaved { what: String },

    #[error(
        "a depth-first search with a cache of states cannot be saved: there can be no checkpoint"
    )]
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
