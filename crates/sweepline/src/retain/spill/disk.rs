//! The folder, and the files in it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::spill::{Error, Spill};

/// A file that gets no further records is not made for less than this many bytes.
const LEAST: usize = 4 << 10;

/// The folder for states, what is in its files, and the sizes that suit the memory limit.
pub(crate) struct Disk {
    folder: PathBuf,
    /// Bytes that wait in memory to be written together. A shorter file is not made at all.
    pub(super) buffer: usize,
    /// Bytes of a run from one entry of its index to the next.
    pub(super) block: usize,
    /// Bytes after which the waiting states continue in another file. A file is removed when all of it is read.
    pub(super) segment: u64,
    /// States that are sorted at a time when a layer is moved.
    pub(super) piece: usize,
    used: AtomicU64,
    peak: AtomicU64,
    written: AtomicU64,
}

impl Disk {
    /// The folder of `spill`, for a run within `limit` bytes of memory.
    pub(crate) fn open(spill: &Spill, limit: u64) -> Result<Arc<Self>, Error> {
        spill.probe()?;
        let eager = spill.is_eager();
        let share = |part: u64, least: u64, most: u64| (limit / part).clamp(least, most) as usize;
        let (buffer, block) =
            if eager { (64, 48) } else { (share(128, 4 << 10, 256 << 10), 16 << 10) };
        Ok(Arc::new(Disk {
            folder: spill.folder().to_owned(),
            buffer,
            block,
            segment: if eager { 100 } else { share(16, 64 << 10, 64 << 20) as u64 },
            piece: if eager { 7 } else { share(256, 1 << 10, 4 << 20) },
            used: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }))
    }

    /// Bytes written so far.
    pub(crate) fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// The most bytes that were in files at a time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    fn note_written(&self, bytes: u64) {
        self.written.fetch_add(bytes, Ordering::Relaxed);
        let used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(used, Ordering::Relaxed);
    }
}

/// Records one after the other, each with its length in front: the first ones in a file, the last ones in memory.
pub(super) struct Records {
    disk: Arc<Disk>,
    file: Option<File>,
    /// Bytes in the file.
    written: u64,
    /// Bytes that follow those in the file.
    tail: Vec<u8>,
}

impl Records {
    pub(super) fn new(disk: &Arc<Disk>) -> Self {
        Records { disk: Arc::clone(disk), file: None, written: 0, tail: Vec::new() }
    }

    pub(super) fn disk(&self) -> &Arc<Disk> {
        &self.disk
    }

    /// Length in bytes.
    pub(super) fn len(&self) -> u64 {
        self.written + self.tail.len() as u64
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.tail.capacity()
    }

    /// Appends a record.
    #[inline]
    pub(super) fn push(&mut self, record: &[u8]) -> Result<(), Error> {
        let mut length = record.len();
        while length >= 0x80 {
            self.tail.push(length as u8 | 0x80);
            length >>= 7;
        }
        self.tail.push(length as u8);
        self.tail.extend_from_slice(record);
        if self.tail.len() >= self.disk.buffer { self.write() } else { Ok(()) }
    }

    #[cold]
    fn write(&mut self) -> Result<(), Error> {
        let folder = &self.disk.folder;
        let mut file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile_in(folder).map_err(Error::write(folder))?,
        };
        let result =
            file.seek(SeekFrom::Start(self.written)).and_then(|_| file.write_all(&self.tail));
        result.map_err(Error::write(folder))?;
        self.file = Some(file);
        self.disk.note_written(self.tail.len() as u64);
        self.written += self.tail.len() as u64;
        self.tail.clear();
        Ok(())
    }

    /// No record is added any more: frees the memory for further ones.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        if self.tail.len() >= LEAST || self.file.is_some() && !self.tail.is_empty() {
            self.write()?;
        }
        self.tail.shrink_to_fit();
        Ok(())
    }

    /// Adds the `length` bytes from `at` on to `bytes`.
    pub(super) fn read(&self, at: u64, length: usize, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let on_disk = (self.written.saturating_sub(at) as usize).min(length);
        if let Some(mut file) = self.file.as_ref().filter(|_| on_disk > 0) {
            let start = bytes.len();
            bytes.resize(start + on_disk, 0);
            let result =
                file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes[start..]));
            result.map_err(Error::read(&self.disk.folder))?;
        }
        let from = (at + on_disk as u64 - self.written.min(at + on_disk as u64)) as usize;
        bytes.extend_from_slice(&self.tail[from..from + length - on_disk]);
        Ok(())
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        self.disk.used.fetch_sub(self.written, Ordering::Relaxed);
    }
}

/// The bytes of the record at the start of `bytes`, and its end; `None` if it is not complete.
#[inline]
pub(super) fn first_record(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (mut length, mut at) = (0, 0);
    loop {
        let byte = *bytes.get(at)?;
        length |= usize::from(byte & 0x7F) << (7 * at);
        at += 1;
        if byte < 0x80 {
            break;
        }
    }
    let end = at + length;
    Some((bytes.get(at..end)?, end))
}
