//! Checkpoints: a run saved in a file, so that another process can continue it.
//!
//! A checkpoint contains the whole state of the loop between two batches: the layers of the window, the line,
//! the counters, the results of the observers, and the length of the witness log. A resumed run gives the
//! same counts, verdicts and witnesses as an uninterrupted run.
//!
//! The file is written under another name, synced and renamed, so there is a complete file at every moment.
//! If witnesses are kept on disk, their log is a second file with the suffix `.origins`. While a run writes
//! checkpoints, it keeps a file with the suffix `.lock` locked, so that no other run writes the same
//! checkpoint.

mod error;
mod file;
mod fingerprint;
mod head;
mod lock;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::Error;
pub(crate) use file::{Reader, Writer};
pub use fingerprint::Fingerprint;
pub use head::Head;
pub(crate) use head::Identity;
pub(crate) use lock::Lock;

/// Where a run is saved, how often, and the checkpoint that it resumes.
///
/// ```
/// # use std::time::Duration;
/// use sweepline::checkpoint::Checkpoint;
///
/// let mut checkpoint = Checkpoint::new("run.checkpoint");
/// checkpoint.every = Duration::from_secs(60);
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The file to write. An existing file is overwritten only by the run that wrote it.
    pub file: PathBuf,
    /// The interval. The run is also saved before the first state is expanded, and when a limit or an
    /// interrupt ends it.
    pub every: Duration,
    /// Resume this checkpoint, which may be `file` itself.
    pub resume: Option<PathBuf>,
    /// Identifies the model, if the caller can: a checkpoint with another fingerprint is rejected. The first
    /// states of the model are compared in any case.
    pub fingerprint: u64,
    /// Kept in the file's [`Head`], for the caller.
    pub note: String,
    /// Leave the files when a [`Check`](crate::Check) is finished: the caller [`remove`]s them once its
    /// results are safe.
    pub keep: bool,
    /// Name and kind of each property.
    pub(crate) questions: Vec<(String, String)>,
}

impl Checkpoint {
    /// Checkpoints in `file`, every ten minutes.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Checkpoint {
            file: file.into(),
            every: Duration::from_secs(600),
            resume: None,
            fingerprint: 0,
            note: String::new(),
            keep: false,
            questions: Vec::new(),
        }
    }

    /// Whether the run resumes and writes the same file.
    pub(crate) fn stays(&self) -> bool {
        let Some(from) = &self.resume else { return false };
        let same = fs::canonicalize(from).ok().zip(fs::canonicalize(&self.file).ok());
        *from == self.file || same.is_some_and(|(from, to)| from == to)
    }
}

/// What happened to the checkpoints of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Saved {
    /// The file.
    pub file: PathBuf,
    /// How many were written since the run started or was resumed.
    pub written: u64,
    /// How many states were explored when the last good one was written.
    pub explored: u64,
    /// Why the last attempt failed, if it did; the checkpoint before it still exists.
    pub error: Option<Error>,
    /// How often the run was resumed so far.
    pub resumed: u64,
    /// The run's time before it was last resumed.
    pub before: Duration,
}

/// Removes the checkpoint `file`, its witness log, and the remains of an unfinished attempt to write it. A
/// checkpoint that another run has locked meanwhile stays.
///
/// # Errors
///
/// The first error of the system, except that a file does not exist.
pub fn remove(file: &Path) -> io::Result<()> {
    let _lock = match Lock::take(file) {
        Err(Error::InUse { .. }) => return Ok(()),
        // The folder may have been removed with the files.
        taken => taken.ok(),
    };
    remove_files(file)
}

/// The same for the run that has the lock.
pub(crate) fn remove_files(file: &Path) -> io::Result<()> {
    for path in [file.to_owned(), beside(file, ORIGINS), beside(file, PART)] {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Suffix of the witness log.
pub(crate) const ORIGINS: &str = ".origins";
/// Suffix of the lock file.
const LOCK: &str = ".lock";
/// Suffix of a checkpoint that is being written.
const PART: &str = ".part";

/// The file under which the checkpoint `file` is written before it is renamed.
pub fn unfinished(file: &Path) -> PathBuf {
    beside(file, PART)
}

/// The file beside `file` whose name ends in `suffix`.
pub(crate) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(suffix);
    name.into()
}
