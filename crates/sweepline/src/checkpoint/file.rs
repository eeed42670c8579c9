//! The file of a checkpoint: frames with checksums after a magic number, written completely or not at all.
//!
//! ```text
//! magic        8 bytes, the last one the number of this format
//! frames       length (4 bytes, little endian), as many bytes, CRC-32 of all of the file up to here
//! the end      a frame of length zero, and nothing after it
//! ```
//!
//! The contents of the frames form one stream: first the version of sweepline, then items in postcard's
//! format, each after its length. A reader gets only bytes whose checksum is correct, and never allocates
//! more than one frame ahead of what the file contains.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Error, PART, beside};

const MAGIC: &[u8; 8] = b"SWLCKPT\x04";
/// Bytes of a full frame.
const FRAME: usize = 1 << 20;
/// This version of sweepline. Another version may encode states differently.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A checkpoint being written.
pub(crate) struct Writer {
    path: PathBuf,
    part: Part,
    file: File,
    frame: Vec<u8>,
    crc: Hasher,
}

/// The file that a checkpoint is written to. It is removed with its writer, unless it was renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // After a rename this does nothing: the name no longer exists.
        let _ = fs::remove_file(&self.0);
    }
}

impl Writer {
    /// Starts a checkpoint that will replace `path` when it is finished.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let part = Part(beside(path, PART));
        let file = File::create(&part.0)?;
        let (frame, crc) = (Vec::with_capacity(FRAME), Hasher::new());
        let mut writer = Writer { path: path.to_owned(), part, file, frame, crc };
        writer.put(MAGIC)?;
        writer.item(&VERSION)?;
        Ok(writer)
    }

    /// Appends `bytes` to the stream.
    #[inline]
    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.frame.len() + bytes.len() >= FRAME {
            let (now, later) = bytes.split_at(FRAME - self.frame.len());
            self.frame.extend_from_slice(now);
            self.end_frame()?;
            bytes = later;
        }
        self.frame.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends bytes after their length.
    #[inline]
    pub(crate) fn blob(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut n = bytes.len();
        while n >= 0x80 {
            self.write(&[n as u8 | 0x80])?;
            n >>= 7;
        }
        self.write(&[n as u8])?;
        self.write(bytes)
    }

    /// Appends a value.
    pub(crate) fn item(&mut self, item: &(impl Serialize + ?Sized)) -> io::Result<()> {
        let bytes = postcard::to_stdvec(item).map_err(io::Error::other)?;
        self.blob(&bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.file.write_all(bytes)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        let frame = std::mem::take(&mut self.frame);
        self.put(&(frame.len() as u32).to_le_bytes())?;
        self.put(&frame)?;
        let crc = self.crc.clone().finalize();
        self.put(&crc.to_le_bytes())?;
        self.frame = frame;
        self.frame.clear();
        Ok(())
    }

    /// Renames the checkpoint to its final name. Afterwards the file is the new checkpoint or, on an error,
    /// still the old one.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if !self.frame.is_empty() {
            self.end_frame()?;
        }
        self.end_frame()?;
        self.file.sync_all()?;
        fs::rename(&self.part.0, &self.path)?;
        sync_folder(&self.path)
    }
}

/// Makes a rename in the folder of `path` durable: it survives a crash of the system.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// A checkpoint being read.
pub(crate) struct Reader {
    path: PathBuf,
    file: File,
    crc: Hasher,
    /// Bytes of the file read so far.
    at: u64,
    frame: Vec<u8>,
    /// How many bytes of the frame have been read.
    taken: usize,
    buffer: Vec<u8>,
}

impl Reader {
    /// Opens the checkpoint `path`, if it is one of this version.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::read(path))?;
        let mut reader = Reader {
            path: path.to_owned(),
            file,
            crc: Hasher::new(),
            at: 0,
            frame: Vec::new(),
            taken: 0,
            buffer: Vec::new(),
        };
        let mut magic = [0; 8];
        let known = reader.get(&mut magic).is_ok() && magic[..7] == MAGIC[..7];
        if !known {
            return Err(Error::NotOne { file: path.to_owned() });
        }
        let version: String = match magic == *MAGIC {
            true => reader.item()?,
            false => format!("with file format {}", magic[7]),
        };
        if version != VERSION {
            let (file, ours) = (path.to_owned(), VERSION.to_owned());
            return Err(Error::Version { file, found: version, ours });
        }
        Ok(reader)
    }

    /// The error for a file whose content is not what was written.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::damaged(&self.path, what)
    }

    fn get(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("it ends too early"),
            _ => Error::read(&self.path)(error),
        })?;
        self.crc.update(bytes);
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn number(&mut self) -> Result<u32, Error> {
        let mut bytes = [0; 4];
        self.get(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads a frame and verifies its checksum.
    #[cold]
    fn next_frame(&mut self) -> Result<(), Error> {
        let start = self.at;
        let wrong = |reader: &Self| reader.damaged(format!("wrong checksum at byte {start}"));
        let length = self.number()? as usize;
        if length > FRAME {
            return Err(wrong(self));
        }
        let mut frame = std::mem::take(&mut self.frame);
        frame.resize(length, 0);
        self.get(&mut frame)?;
        self.frame = frame;
        self.taken = 0;
        let crc = self.crc.clone().finalize();
        if self.number()? == crc { Ok(()) } else { Err(wrong(self)) }
    }

    /// The unread bytes of the frame, or of the next one; empty at the end.
    #[inline]
    fn rest(&mut self) -> Result<&[u8], Error> {
        if self.taken == self.frame.len() {
            self.next_frame()?;
        }
        Ok(&self.frame[self.taken..])
    }

    /// Reads the next `length` bytes of the stream into `bytes`, replacing its content.
    #[inline]
    pub(crate) fn read(&mut self, length: usize, bytes: &mut Vec<u8>) -> Result<(), Error> {
        bytes.clear();
        while bytes.len() < length {
            let missing = length - bytes.len();
            let rest = self.rest()?;
            let n = rest.len().min(missing);
            bytes.extend_from_slice(&rest[..n]);
            if n == 0 {
                return Err(self.damaged("its last part is missing"));
            }
            self.taken += n;
        }
        Ok(())
    }

    /// Reads bytes after their length into `bytes`, replacing its content.
    #[inline]
    pub(crate) fn blob(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let mut length = 0;
        for shift in (0..32).step_by(7) {
            self.read(1, bytes)?;
            length |= usize::from(bytes[0] & 0x7F) << shift;
            if bytes[0] < 0x80 {
                return self.read(length, bytes);
            }
        }
        Err(self.damaged("a part of it is too long"))
    }

    /// A value.
    pub(crate) fn item<T: DeserializeOwned>(&mut self) -> Result<T, Error> {
        let mut bytes = std::mem::take(&mut self.buffer);
        self.blob(&mut bytes)?;
        let item = postcard::take_from_bytes(&bytes);
        let item = match item {
            Ok((item, [])) => Ok(item),
            _ => Err(self.damaged("a part of it has invalid content")),
        };
        self.buffer = bytes;
        item
    }

    /// Checks that everything was read.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if !self.rest()?.is_empty() {
            return Err(self.damaged("it has more parts than it should"));
        }
        match self.file.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.damaged("there are bytes after its end")),
            Err(error) => Err(Error::read(&self.path)(error)),
        }
    }
}
