//! Files that get their name only when they are complete. A full disk or an interrupt leaves the old file unchanged.

mod growing;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::guard::Unfinished;
pub(crate) use growing::Growing;

/// A file being written, beside the one that it will replace.
pub(crate) struct NewFile {
    to: To,
}

enum To {
    Beside(Temporary),
    /// A file that cannot be replaced, and is written in place: a device, a pipe, or a file in a folder that is not
    /// writable.
    Itself(File),
}

impl NewFile {
    /// Fails if `path` cannot be written, and does not change it. It is called before a run, which may be long.
    pub(crate) fn check(path: &Path) -> io::Result<()> {
        let Ok(target) = target(path) else { return Ok(()) };
        match fs::metadata(&target) {
            Ok(existing) if existing.is_file() => {
                OpenOptions::new().write(true).open(&target).map(drop)
            }
            Ok(existing) if existing.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => Ok(()),
            // An unnamed file, if the system has such files: a process that is killed leaves nothing.
            Err(_) => tempfile::tempfile_in(folder_of(&target)).map(drop),
        }
    }

    /// Starts to write `path`. Links are followed, and an existing file keeps its permissions.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let Ok(target) = target(path) else {
            return Ok(NewFile { to: To::Itself(File::create(path)?) });
        };
        let existing = fs::metadata(&target).ok();
        if let Some(existing) = &existing {
            // A file without write permission is not replaced.
            let file = OpenOptions::new().write(true).open(&target)?;
            if !existing.is_file() {
                return Ok(NewFile { to: To::Itself(file) });
            }
        }
        match Temporary::make(&target) {
            Ok(made) => {
                if let Some(existing) = existing {
                    made.file.as_file().set_permissions(existing.permissions())?;
                }
                Ok(NewFile { to: To::Beside(made) })
            }
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && existing.is_some() => {
                Ok(NewFile { to: To::Itself(File::create(&target)?) })
            }
            Err(error) => Err(error),
        }
    }

    /// Writes all of `path`.
    pub(crate) fn save(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
        let mut file = NewFile::create(path)?;
        file.write_all(text.as_ref())?;
        file.finish()
    }

    /// Gives the file its name. Without this call there is no new file.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.publish().map(drop)
    }

    /// Like `finish`; returns the open file.
    fn publish(self) -> io::Result<File> {
        match self.to {
            To::Itself(mut file) => file.flush().map(|()| file),
            To::Beside(made) => made.rename(),
        }
    }
}

/// A temporary file in the folder of the file that it will replace.
struct Temporary {
    /// Removed when it is dropped.
    file: NamedTempFile,
    target: PathBuf,
    unfinished: Unfinished,
}

impl Temporary {
    /// Permissions of an ordinary new file.
    fn make(target: &Path) -> io::Result<Self> {
        let mut made = tempfile::Builder::new();
        made.prefix(".sweepline-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            made.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = made.tempfile_in(folder_of(target))?;
        let unfinished = Unfinished::new(file.path());
        Ok(Temporary { file, target: target.to_owned(), unfinished })
    }

    /// Renames it to its final name; returns the open file.
    fn rename(self) -> io::Result<File> {
        let Temporary { file, target, unfinished: _unfinished } = self;
        // Some file systems report only now that they are full.
        file.as_file().sync_all()?;
        match file.persist(&target) {
            Ok(file) => Ok(file),
            // A mount point that is a file cannot be replaced, but it can be written.
            Err(error) if error.error.kind() == io::ErrorKind::ResourceBusy => {
                fs::copy(error.file.path(), &target)?;
                OpenOptions::new().append(true).open(&target)
            }
            Err(error) => Err(error.error),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Beside(made) => made.file.write(bytes),
            To::Itself(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Beside(made) => made.file.flush(),
            To::Itself(file) => file.flush(),
        }
    }
}

/// `path` with links resolved; an error for a broken link.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path),
        _ => Ok(path.to_owned()),
    }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finished_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        fs::write(&path, "old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        NewFile::save(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        for wrong in [folder.path().join("none/model"), folder.path().to_owned()] {
            assert!(NewFile::check(&wrong).is_err() && NewFile::create(&wrong).is_err());
        }
        NewFile::check(&path).unwrap();
        NewFile::check(&folder.path().join("other")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [path, link, lost] = ["model", "link", "lost"].map(|name| folder.path().join(name));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        NewFile::save(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        std::os::unix::fs::symlink(folder.path().join("later"), &lost).unwrap();
        NewFile::save(&lost, "new").unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("later")).unwrap(), "new");
        NewFile::save(Path::new("/dev/null"), "gone").unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error() {
        assert!(NewFile::save(Path::new("/dev/full"), "text").is_err());
    }
}
