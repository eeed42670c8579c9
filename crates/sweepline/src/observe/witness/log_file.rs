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
/// Bytes that wait to be written together: each thread of a round appends a few hundred.
const TAIL: usize = 256 << 10;
/// Bytes copied at a time.
const CHUNK: usize = 1 << 20;

pub(super) struct LogFile {
    store: Store,
    /// Bytes that follow those in the file.
    tail: Vec<u8>,
    /// Bytes in the file. The remains of a failed write after them are ignored.
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
        LogFile::of(store, 0, Hasher::new())
    }

    /// The same in `folder`.
    pub(super) fn temporary_in(folder: &Path) -> Self {
        let store = Store::Temporary(tempfile::spooled_tempfile_in(IN_MEMORY, folder));
        LogFile::of(store, 0, Hasher::new())
    }

    fn of(store: Store, written: u64, crc: Hasher) -> Self {
        LogFile { store, tail: Vec::new(), written, crc }
    }

    /// An empty log in the file `path`. The caller has the lock of the checkpoint.
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(true);
        let file = options.open(path).map_err(Error::write(path))?;
        Ok(LogFile::of(Store::Named(file), 0, Hasher::new()))
    }

    /// The log in `path`, truncated at `position`.
    pub(super) fn reopen(path: &Path, position: &LogPosition) -> Result<Self, Error> {
        let mut file =
            File::options().read(true).write(true).open(path).map_err(Error::read(path))?;
        let crc = checked(&mut file, path, position, |_| Ok(()))?;
        file.set_len(position.bytes).map_err(Error::write(path))?;
        Ok(LogFile::of(Store::Named(file), position.bytes, crc))
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
        let before = self.tail.len();
        self.tail.extend_from_slice(bytes);
        if self.tail.len() < TAIL {
            return Ok(());
        }
        self.write_tail().inspect_err(|_| self.tail.truncate(before))
    }

    fn write_tail(&mut self) -> io::Result<()> {
        let (start, tail) = (SeekFrom::Start(self.written), &self.tail[..]);
        match &mut self.store {
            Store::Temporary(file) => {
                file.seek(start)?;
                file.write_all(tail)?;
            }
            Store::Named(file) => {
                file.seek(start)?;
                file.write_all(tail)?;
                self.crc.update(tail);
            }
        }
        self.written += tail.len() as u64;
        self.tail.clear();
        Ok(())
    }

    /// Length of the log.
    pub(super) fn length(&self) -> u64 {
        self.written + self.tail.len() as u64
    }

    /// The `bytes` that end at `end`, all of which one call has appended.
    pub(super) fn read_before(&mut self, end: u64, bytes: &mut [u8]) -> io::Result<()> {
        let start = end.checked_sub(bytes.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
        if let Some(start) = start.checked_sub(self.written) {
            let range = start as usize..(end - self.written) as usize;
            bytes.copy_from_slice(self.tail.get(range).ok_or(io::ErrorKind::InvalidData)?);
            return Ok(());
        }
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
        self.write_tail()?;
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
