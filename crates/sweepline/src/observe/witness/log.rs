//! The log of origins: append only, a few bytes per state, read backwards once.
//!
//! Blocks of records in the order of discovery. A parent is always discovered before its child, so one pass
//! from the end finds a whole path: the record of the wanted state is the nearest earlier one with its id.

mod backward;

use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::log_file::{LogFile, LogPosition};
use super::{Origin, Origins, StateId};
use crate::checkpoint::Error;
pub(crate) use backward::Backward;

/// Approximate bytes of a block.
const BLOCK: usize = 32 << 10;

pub(crate) struct Log {
    file: LogFile,
    buffer: Vec<u8>,
    /// Number of the block being written; the first is one.
    block: u64,
    before: Before,
    /// Records written.
    len: u64,
}

/// The previous record; the next one is written relative to it.
#[derive(Clone, Copy, Default)]
struct Before {
    layer: u64,
    parent_layer: u64,
    parent_number: u64,
}

impl Before {
    /// Writes a record; `step` is its number relative to the last one of its layer in the block.
    #[inline]
    fn write(&mut self, block: &mut Vec<u8>, layer: u64, step: u64, origin: Origin) {
        let Origin { parent, action } = origin;
        write_signed(block, layer.wrapping_sub(self.layer));
        write_signed(block, step);
        write_signed(block, parent.layer.wrapping_sub(self.parent_layer));
        write_signed(block, parent.number.wrapping_sub(self.parent_number));
        write_unsigned(block, u64::from(action));
        *self = Before { layer, parent_layer: parent.layer, parent_number: parent.number };
    }
}

/// Writes the records of states as a block of their own, for [`Log::append`]. Returns their number.
pub(crate) fn write_block(
    block: &mut Vec<u8>,
    states: impl Iterator<Item = (StateId, Origin)>,
) -> u64 {
    let (mut before, mut records) = (Before::default(), 0);
    let mut last: Vec<(u64, u64)> = Vec::new();
    for (state, origin) in states {
        let at = last.iter().position(|&(layer, _)| layer == state.layer).unwrap_or_else(|| {
            last.push((state.layer, 0));
            last.len() - 1
        });
        let step = state.number.wrapping_sub(last[at].1);
        before.write(block, state.layer, step, origin);
        last[at].1 = state.number;
        records += 1;
    }
    records
}

impl Log {
    pub(crate) fn new() -> Self {
        Log::of(LogFile::temporary(), 0)
    }

    /// A log in a temporary file of `folder`.
    pub(crate) fn within(folder: &Path) -> Self {
        Log::of(LogFile::temporary_in(folder), 0)
    }

    fn of(file: LogFile, len: u64) -> Self {
        let buffer = Vec::with_capacity(BLOCK + 64);
        Log { file, buffer, block: 1, before: Before::default(), len }
    }

    /// A log that another process can continue.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        LogFile::create(path).map(|file| Log::of(file, 0))
    }

    /// Continues the log `from` in the file `path`, at `position`.
    pub(crate) fn resume(from: &Path, path: &Path, position: &LogPosition) -> Result<Self, Error> {
        let file = match from == path {
            true => LogFile::reopen(path, position)?,
            false => LogFile::copy(from, path, position)?,
        };
        Ok(Log::of(file, position.records))
    }

    /// Writes all records to disk. Returns the position of the log.
    pub(crate) fn sync(&mut self) -> io::Result<LogPosition> {
        if !self.buffer.is_empty() {
            self.flush()?;
        }
        self.file.sync(self.len)
    }

    /// Records the origin of the state `number`, just stored in the layer `layer`.
    #[inline]
    pub(crate) fn record(
        &mut self,
        layer: u64,
        number: u64,
        origins: &mut Origins,
        origin: Origin,
    ) -> io::Result<()> {
        if origins.block != self.block {
            (origins.block, origins.last) = (self.block, 0);
        }
        self.before.write(&mut self.buffer, layer, number.wrapping_sub(origins.last), origin);
        origins.last = number;
        self.len += 1;
        if self.buffer.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    /// Appends a block of `records` records.
    pub(crate) fn append(&mut self, block: &[u8], records: u64) -> io::Result<()> {
        if block.is_empty() {
            return Ok(());
        }
        if !self.buffer.is_empty() {
            self.flush()?;
        }
        self.buffer.extend_from_slice(block);
        self.len += records;
        self.flush()
    }

    #[cold]
    fn flush(&mut self) -> io::Result<()> {
        let length = self.buffer.len();
        self.buffer.extend_from_slice(&(length as u32).to_le_bytes());
        if let Err(error) = self.file.append(&self.buffer) {
            // The block stays in memory, where `path` still finds it.
            self.buffer.truncate(length);
            return Err(error);
        }
        self.buffer.clear();
        self.block += 1;
        self.before = Before::default();
        Ok(())
    }

    /// The path to the state that had the id `target` when `time` records were written: the number of an
    /// initial state, then successor numbers. It writes nothing, so it also works when the disk is full.
    pub(crate) fn path(&mut self, target: StateId, time: u64) -> io::Result<Vec<u32>> {
        let mut wanted = target;
        let mut path = Vec::new();
        let mut end = self.file.length();
        let mut number = self.len;
        let mut records = parse(&self.buffer)?;
        loop {
            for &(state, origin) in records.iter().rev() {
                number = number.saturating_sub(1);
                if number < time && state == wanted {
                    path.push(origin.action);
                    wanted = origin.parent;
                }
            }
            if end == 0 || wanted.layer == 0 {
                break;
            }
            (end, records) = self.read_block(end)?;
        }
        if wanted.layer != 0 {
            return Err(io::Error::other("the witness log does not reach an initial state"));
        }
        path.reverse();
        Ok(path)
    }

    /// Reads the block that ends at `end`. Returns its start and its records.
    fn read_block(&mut self, end: u64) -> io::Result<(u64, Vec<(StateId, Origin)>)> {
        let mut length = [0; 4];
        self.file.read_before(end, &mut length)?;
        let length = u32::from_le_bytes(length);
        let end = end - 4;
        let start = end.checked_sub(u64::from(length)).ok_or(io::ErrorKind::InvalidData)?;
        let mut bytes = vec![0; length as usize];
        self.file.read_before(end, &mut bytes)?;
        Ok((start, parse(&bytes)?))
    }
}

/// The records of a block.
fn parse(block: &[u8]) -> io::Result<Vec<(StateId, Origin)>> {
    let (mut records, mut before) = (Vec::new(), Before::default());
    let mut last: HashMap<u64, u64> = HashMap::new();
    let mut rest = block;
    while !rest.is_empty() {
        let mut next = || read_unsigned(&mut rest).ok_or(io::ErrorKind::InvalidData);
        let layer = before.layer.wrapping_add(signed(next()?));
        let last = last.entry(layer).or_default();
        let number = last.wrapping_add(signed(next()?));
        *last = number;
        let parent = StateId {
            layer: before.parent_layer.wrapping_add(signed(next()?)),
            number: before.parent_number.wrapping_add(signed(next()?)),
        };
        let action = next()? as u32;
        before = Before { layer, parent_layer: parent.layer, parent_number: parent.number };
        records.push((StateId { layer, number }, Origin { parent, action }));
    }
    Ok(records)
}

#[inline]
pub(super) fn write_unsigned(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

/// Writes a wrapping difference, short when it is near zero on either side.
#[inline]
pub(super) fn write_signed(bytes: &mut Vec<u8>, n: u64) {
    write_unsigned(bytes, (n << 1) ^ (((n as i64) >> 63) as u64));
}

pub(super) fn read_unsigned(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        n |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

/// The wrapping difference that [`write_signed`] wrote.
pub(super) fn signed(n: u64) -> u64 {
    (n >> 1) ^ (n & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_survive() {
        for n in [0, 1, 63, 64, 127, 128, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1] {
            let mut bytes = Vec::new();
            write_unsigned(&mut bytes, n);
            write_signed(&mut bytes, n);
            let mut rest = bytes.as_slice();
            let read = [read_unsigned(&mut rest), read_unsigned(&mut rest).map(signed)];
            assert_eq!(read, [Some(n), Some(n)]);
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn a_path_crosses_blocks_and_layers() {
        let mut log = Log::new();
        let mut layers = [Origins::default(), Origins::default(), Origins::default()];
        let n = 200_000u64;
        // State i lies in layer 1 + i % 2, found as successor i % 7 of state i - 1.
        let id = |i: u64| StateId { layer: 1 + i % 2, number: i / 2 };
        for i in 0..n {
            let parent = if i == 0 { StateId { layer: 0, number: 0 } } else { id(i - 1) };
            let state = id(i);
            let origin = Origin { parent, action: (i % 7) as u32 };
            let origins = &mut layers[state.layer as usize];
            log.record(state.layer, state.number, origins, origin).unwrap();
        }
        let path = log.path(id(n - 1), n).unwrap();
        assert_eq!(path.len() as u64, n);
        assert!(path.iter().enumerate().all(|(i, &action)| action as usize == i % 7));
    }

    #[test]
    fn the_nearest_earlier_record_of_a_reused_number_counts() {
        let mut log = Log::new();
        let mut origins = Origins::default();
        let start = StateId { layer: 0, number: 0 };
        let state = StateId { layer: 1, number: 0 };
        log.record(1, 0, &mut origins, Origin { parent: start, action: 4 }).unwrap();
        let child = Origin { parent: state, action: 5 };
        log.record(2, 0, &mut Origins::default(), child).unwrap();
        log.record(1, 1, &mut origins, Origin { parent: start, action: 7 }).unwrap();
        origins.clear(1);
        log.record(1, 0, &mut origins, Origin { parent: start, action: 6 }).unwrap();
        let child = StateId { layer: 2, number: 0 };
        assert_eq!(log.path(child, 4).unwrap(), [4, 5]);
        assert_eq!(log.path(state, 4).unwrap(), [6]);
        assert_eq!(log.path(state, 3).unwrap(), [4]);
    }
}
