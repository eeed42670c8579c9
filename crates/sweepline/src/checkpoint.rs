//! Checkpoints: a run written to a file, so that another process can go on where it stopped.
//!
//! A checkpoint holds everything the loop knows between two batches: the layers of the window, the
//! line, the counters, what the observers have gathered, and how long the witness log was. A run that
//! goes on from it gives the counts, verdicts and witnesses of a run that was never interrupted.
//!
//! The file is written beside its place, synced and renamed, so there is always a whole one. When
//! witnesses are kept on disk, their log is a second file, with `.origins` behind the name. While a run writes a
//! checkpoint it holds a locked file with `.lock` behind the name, so that no other run writes it as well.

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

/// Where a run is written to, how often, and what it goes on from.
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
    /// The file to write. One that is there already is overwritten only by the run it came from.
    pub file: PathBuf,
    /// How often, besides once before the first state is expanded and once when a limit or an
    /// interrupt ends the run.
    pub every: Duration,
    /// Go on from this checkpoint, which may be `file` itself.
    pub resume: Option<PathBuf>,
    /// Names the model, where the caller can: a checkpoint with another fingerprint is refused.
    /// Whatever it is, the first states of the model are compared as well.
    pub fingerprint: u64,
    /// Kept in the file's [`Head`], for the caller.
    pub note: String,
    /// Leave the files there when a [`Check`](crate::Check) is finished, for the caller to
    /// [`remove`] once its results are safe.
    pub keep: bool,
    /// What is asked: name and kind of each question.
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

    /// The run goes on in the file it came from.
    pub(crate) fn stays(&self) -> bool {
        let Some(from) = &self.resume else { return false };
        let same = fs::canonicalize(from).ok().zip(fs::canonicalize(&self.file).ok());
        *from == self.file || same.is_some_and(|(from, to)| from == to)
    }
}

/// What became of the checkpoints of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Saved {
    /// The file.
    pub file: PathBuf,
    /// How many were written since the run started or was resumed.
    pub written: u64,
    /// How many states were explored when the last good one was written.
    pub explored: u64,
    /// Why the last attempt failed, if it did; the one before it is still there.
    pub error: Option<Error>,
    /// How often the run was resumed so far.
    pub resumed: u64,
    /// The time it took before it was last resumed.
    pub before: Duration,
}

/// Removes the checkpoint `file`, its witness log, and what an attempt to write it left behind. A checkpoint that
/// another run has taken up meanwhile stays.
///
/// # Errors
///
/// The first that the system reports, other than that a file is not there.
pub fn remove(file: &Path) -> io::Result<()> {
    let _lock = match Lock::take(file) {
        Err(Error::InUse { .. }) => return Ok(()),
        // The files may be gone with their folder.
        taken => taken.ok(),
    };
    remove_files(file)
}

/// The same for the run that holds the lock.
pub(crate) fn remove_files(file: &Path) -> io::Result<()> {
    for path in [file.to_owned(), beside(file, ORIGINS), beside(file, PART)] {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Behind the name of a checkpoint: its witness log.
pub(crate) const ORIGINS: &str = ".origins";
/// Behind the name of a checkpoint: what is locked while a run writes it.
const LOCK: &str = ".lock";
/// Behind the name of a checkpoint: the one being written.
const PART: &str = ".part";

/// Where the checkpoint `file` is written before it takes its name.
pub fn unfinished(file: &Path) -> PathBuf {
    beside(file, PART)
}

/// The file beside `file` whose name ends in `suffix`.
pub(crate) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(suffix);
    name.into()
}
