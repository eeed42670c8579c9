//! The storage of the log of origins: a temporary file, or a file beside a checkpoint.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use crate::checkpoint::Error;

/// Logs shorter than this are kept in memory.
const IN_MEMORY: usize = 256 << 10;
/// Bytes copied at a time.
const CHUNK: usize = 1 << 20;

pub(super) struct LogFile {
    store: Store,
    /// Bytes written. The remains of a failed write after them are ignored.
    written: u64,
    /// The checksum of these bytes; only for a file that must survive the process.
    crc: Hasher,
}

enum Store {
    Temporary(SpooledTempFile),
    Named(File),
}

/// How much of a log belongs to a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LogPosition {
    bytes: u64,
    crc: u32,
    /// Records in these bytes.
    pub(super) records: u64,
}

impl LogFile {
    pub(super) fn temporary() -> Self {
        let store = Store::Temporary(SpooledTempFile::new(IN_MEMORY));
        LogFile { store, written: 0, crc: Hasher::new() }
    }

    /// An empty log in the file `path`. The caller has the lock of the checkpoint.
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(true);
        let file = options.open(path).map_err(Error::write(path))?;
        Ok(LogFile { store: Store::Named(file), written: 0, crc: Hasher::new() })
    }

    /// The log in `path`, truncated at `position`.
    pub(super) fn reopen(path: &Path, position: &LogPosition) -> Result<Self, Error> {
        let mut file =
            File::options().read(true).write(true).open(path).map_err(Error::read(path))?;
        let crc = checked(&mut file, path, position, |_| Ok(()))?;
        file.set_len(position.bytes).map_err(Error::write(path))?;
        Ok(LogFile { store: Store::Named(file), written: position.bytes, crc })
    }

    /// A copy in `path` of the log in `from`, up to `position`.
    pub(super) fn copy(from: &Path, path: &Path, position: &LogPosition) -> Result<Self, Error> {
        let mut log = LogFile::create(path)?;
        let mut file = File::open(from).map_err(Error::read(from))?;
        checked(&mut file, from, position, |bytes| log.append(bytes).map_err(Error::write(path)))?;
        Ok(log)
    }

    /// Appends `bytes`, all or none.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let start = SeekFrom::Start(self.written);
        match &mut self.store {
            Store::Temporary(file) => {
                file.seek(start)?;
                file.write_all(bytes)?;
            }
            Store::Named(file) => {
                file.seek(start)?;
                file.write_all(bytes)?;
                self.crc.update(bytes);
            }
        }
        self.written += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// The `bytes` that end at `end`.
    pub(super) fn read_before(&mut self, end: u64, bytes: &mut [u8]) -> io::Result<()> {
        let start = end.checked_sub(bytes.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
        match &mut self.store {
            Store::Temporary(file) => {
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(bytes)
            }
            Store::Named(file) => {
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(bytes)
            }
        }
    }

    /// Syncs the log, which has `records` records, so that it survives the process and a crash of the system.
    pub(super) fn sync(&mut self, records: u64) -> io::Result<LogPosition> {
        if let Store::Named(file) = &self.store {
            file.sync_data()?;
        }
        Ok(LogPosition { bytes: self.written, crc: self.crc.clone().finalize(), records })
    }
}

/// Reads the part of a log that `position` describes and passes it to `take`. Returns its checksum; an error
/// if that is wrong.
fn checked(
    file: &mut File,
    path: &Path,
    position: &LogPosition,
    mut take: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<Hasher, Error> {
    let mut crc = Hasher::new();
    let mut left = position.bytes;
    let mut chunk = vec![0; CHUNK];
    while left > 0 {
        let n = left.min(CHUNK as u64) as usize;
        let chunk = &mut chunk[..n];
        file.read_exact(chunk).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::damaged(path, "it ends too early"),
            _ => Error::read(path)(error),
        })?;
        crc.update(chunk);
        take(chunk)?;
        left -= n as u64;
    }
    match crc.clone().finalize() == position.crc {
        true => Ok(crc),
        false => Err(Error::damaged(path, "wrong checksum")),
    }
}
