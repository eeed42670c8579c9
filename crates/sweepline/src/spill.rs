//! A folder for the states that do not fit into memory.

use std::io;
use std::path::{Path, PathBuf};

/// Keeps states in files of a folder when the memory limit is near.
///
/// The files have no names, so that several runs can use one folder, and nothing remains in it, however the run ends.
///
/// ```
/// # use sweepline::{Check, Limits, Options, Spill, System};
/// # struct Count;
/// # impl System for Count {
/// #     type State = u32;
/// #     type Action = ();
/// #     fn initial(&self) -> Vec<u32> { vec![0] }
/// #     fn successors(&self, s: &u32, push: &mut dyn FnMut((), u32)) { if *s < 9_999 { push((), s + 1) } }
/// # }
/// # let folder = tempfile::tempdir().unwrap();
/// let limits = Limits { memory: Some(100_000), ..Limits::default() };
/// let spill = Some(Spill::new(folder.path()));
/// let options = Options { limits, spill, ..Options::default() };
/// let report = Check::new(&Count).options(options).never("ten thousand", |&n| n >= 10_000).run();
/// report.assert_holds();
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spill {
    folder: PathBuf,
    is_eager: bool,
}

impl Spill {
    /// Uses files in `folder`, which exists.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Spill { folder: folder.into(), is_eager: false }
    }

    /// Moves all states to files at once, a few at a time: for tests on small models.
    #[doc(hidden)]
    #[must_use]
    pub fn eager(mut self) -> Self {
        self.is_eager = true;
        self
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether files are used although there is memory.
    pub(crate) fn is_eager(&self) -> bool {
        self.is_eager
    }

    /// Whether files can be made in the folder.
    ///
    /// # Errors
    ///
    /// The reason why not.
    pub fn probe(&self) -> Result<(), Error> {
        tempfile::tempfile_in(&self.folder).map(drop).map_err(Error::folder(&self.folder))
    }
}

/// Why states cannot be kept in files.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The run cannot use files for states; what needs all states in memory.
    #[error("states cannot be kept on disk: {0} needs them in memory")]
    Unsupported(&'static str),
    /// No file can be made in the folder; the message of the system.
    #[error("no file for states can be made in the folder `{}`: {reason}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// States cannot be written, for example because the disk is full; the message of the system.
    #[error("states cannot be written to the folder `{}`: {reason}", .folder.display())]
    Write {
        /// The folder.
        folder: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// States cannot be read again; the message of the system.
    #[error("states in the folder `{}` cannot be read again: {reason}", .folder.display())]
    Read {
        /// The folder.
        folder: PathBuf,
        /// The message of the system.
        reason: String,
    },
}

impl Error {
    pub(crate) fn folder(folder: &Path) -> impl FnOnce(io::Error) -> Self {
        let folder = folder.to_owned();
        move |error| Error::Folder { folder, reason: error.to_string() }
    }

    pub(crate) fn write(folder: &Path) -> impl FnOnce(io::Error) -> Self {
        let folder = folder.to_owned();
        move |error| Error::Write { folder, reason: error.to_string() }
    }

    pub(crate) fn read(folder: &Path) -> impl FnOnce(io::Error) -> Self {
        let folder = folder.to_owned();
        move |error| Error::Read { folder, reason: error.to_string() }
    }
}
