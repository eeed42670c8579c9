//! Opens files that the user or a model names: no devices, and at most a given number of bytes.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::load::decode;
use crate::{Fault, Rules, Source};

/// Opens a file that the user names: a regular file or a pipe.
///
/// # Errors
/// When it is a directory or a device, or cannot be opened.
pub fn open(path: &Path) -> Result<File, Fault> {
    open_if(path, |metadata| metadata.is_file() || is_pipe(metadata))
}

/// Whether a path names a pipe, which can be read only once.
pub fn names_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| is_pipe(&metadata))
}

/// All bytes of a file that the user names, at most `max_bytes`. A regular file over the limit is rejected by its
/// size alone.
///
/// # Errors
/// As for [`open`], and when there are more bytes.
pub fn read_bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Fault> {
    let file = open(path)?;
    let bytes = file.metadata().map_err(Fault::from)?.len();
    if bytes > max_bytes {
        return Err(Fault::TooLarge { bytes, max_bytes });
    }
    bounded(file, max_bytes)?.ok_or(Fault::Endless { max_bytes })
}

/// What a model may read besides its own text. The limits hold for all files together, and a file counts each
/// time it is read, so that files that include each other cannot keep the reader busy.
#[derive(Clone, Debug)]
pub struct Allowance {
    max_bytes: u64,
    n_bytes: u64,
    n_files: usize,
}

impl Allowance {
    /// The maximal number of files.
    pub const MAX_FILES: usize = 1_000;

    /// For a model of `n_bytes`, which together with all files that it uses has at most `max_bytes`.
    pub fn new(max_bytes: u64, n_bytes: usize) -> Self {
        Self { max_bytes, n_bytes: n_bytes as u64, n_files: 0 }
    }

    /// Reads a regular file that a model or a script names.
    ///
    /// # Errors
    /// When it is no regular file, is not what `rules` say, or is too much.
    pub fn load(&mut self, path: &Path, rules: &Rules) -> Result<Source, Fault> {
        if self.n_files == Self::MAX_FILES {
            return Err(Fault::TooManyFiles { max_files: Self::MAX_FILES });
        }
        self.n_files += 1;
        let file = open_if(path, Metadata::is_file)?;
        let left = self.max_bytes.saturating_sub(self.n_bytes);
        let bytes = bounded(file, left)?;
        let bytes = bytes.ok_or(Fault::TooLargeTogether { max_bytes: self.max_bytes })?;
        self.n_bytes += bytes.len() as u64;
        Ok(Source::new(&path.display().to_string(), &decode(&bytes, rules)?))
    }
}

/// Opens a file of the right kind. The kind is checked before opening, because a pipe without a writer blocks
/// and opening a device may have effects; and again afterwards, because the file may have been replaced.
fn open_if(path: &Path, fits: impl Fn(&Metadata) -> bool) -> Result<File, Fault> {
    let check = |metadata: Metadata| {
        let reason = match fits(&metadata) {
            true => return Ok(()),
            false if metadata.is_dir() => "it is a directory",
            false => "it is not a regular file",
        };
        Err(Fault::CannotOpen { reason: reason.into() })
    };
    check(fs::metadata(path)?)?;
    let file = File::open(path)?;
    check(file.metadata()?)?;
    Ok(file)
}

/// All bytes, or `None` if there are more than `max_bytes`: a file may grow while it is read, and a pipe has
/// no size.
fn bounded(file: File, max_bytes: u64) -> Result<Option<Vec<u8>>, Fault> {
    let size = file.metadata()?.len();
    if size > max_bytes {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(size.min(256 << 20) as usize);
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= max_bytes).then_some(bytes))
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::CannotOpen { reason: error.to_string() }
    }
}
