//! The lock of a checkpoint: a locked file beside it, so that only one run writes it. The system releases the
//! lock when the process ends, in whatever way. It is taken in every witness mode.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::{Error, LOCK, beside};

/// The right to write a checkpoint and its files. Dropping it removes the lock file.
pub(crate) struct Lock {
    path: PathBuf,
    /// The file stays locked while it is open.
    _file: File,
}

impl Lock {
    /// Takes the lock of the checkpoint `file`, unless another run has it.
    pub(crate) fn take(file: &Path) -> Result<Self, Error> {
        let path = beside(file, LOCK);
        loop {
            let mut options = File::options();
            let options = options.write(true).create(true).truncate(false);
            let made = options.open(&path).map_err(Error::write(&path))?;
            match made.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::InUse { file: file.to_owned() });
                }
                // A file system without locks is not an error.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The run that had the lock may have removed the file after it was opened here.
            if is_at(&made, &path) {
                return Ok(Lock { path, _file: made });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is still locked: a run that waits for the lock then notices that the file is gone.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether `file` is the file with the name `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let name = |found: fs::Metadata| (found.dev(), found.ino());
    let found = fs::metadata(path).map(name).ok();
    found.is_some() && found == file.metadata().map(name).ok()
}

/// Always true: the name of an open file cannot be removed on this system.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
