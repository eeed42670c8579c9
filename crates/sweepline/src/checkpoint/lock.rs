//! One run at a time writes a checkpoint: it locks a file beside it. The lock ends with its process, however that
//! ends, and says nothing about the witness: it is taken in every mode.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::{Error, LOCK, beside};

/// The right to write a checkpoint and the files beside it. The lock file is removed when this is dropped.
pub(crate) struct Lock {
    path: PathBuf,
    /// Locked as long as it is open.
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
                // A file system without locks is no reason to refuse.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The run that had the lock may have removed the file since it was opened here.
            if is_at(&made, &path) {
                return Ok(Lock { path, _file: made });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is locked: whoever waits for it finds that it is gone.
        let _ = fs::remove_file(&self.path);
    }
}

/// `file` is what others find at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let name = |found: fs::Metadata| (found.dev(), found.ino());
    let found = fs::metadata(path).map(name).ok();
    found.is_some() && found == file.metadata().map(name).ok()
}

/// An open file keeps its name.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
