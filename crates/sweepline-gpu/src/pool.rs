//! The memory of a device, given out in pieces of any size and taken back.
//!
//! Asking the driver for memory takes long and stops the device, so the pool asks for large segments, each as large as
//! all before it, and divides them.

use std::collections::{BTreeMap, BTreeSet};

use crate::device::{Address, Device, DeviceError};

/// Pieces are multiples of this.
const PIECE: u64 = 256;
/// The first segment.
const FIRST: u64 = 64 << 20;

/// A piece of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) at: Address,
    pub(crate) bytes: u64,
}

/// All memory that a run may use.
pub(crate) struct Pool {
    /// Free pieces: their addresses and lengths.
    free: BTreeMap<Address, u64>,
    /// Where segments begin. Pieces of different segments are not joined.
    segments: BTreeSet<Address>,
    /// Bytes that the run may use, and that the segments have.
    limit: u64,
    taken: u64,
    /// Bytes given out now, and at most.
    pub(crate) used: u64,
    pub(crate) peak: u64,
}

impl Pool {
    pub(crate) fn new(limit: u64) -> Self {
        let (free, segments) = (BTreeMap::new(), BTreeSet::new());
        Pool { free, segments, limit, taken: 0, used: 0, peak: 0 }
    }

    /// A piece of at least `bytes`; `None` if there is not enough memory.
    pub(crate) fn allocate(
        &mut self,
        device: &mut dyn Device,
        bytes: u64,
    ) -> Result<Option<Piece>, DeviceError> {
        let bytes = bytes.max(1).next_multiple_of(PIECE);
        let fitting = |pool: &Pool| {
            let large = pool.free.iter().filter(|(_, length)| **length >= bytes);
            large.min_by_key(|(_, length)| **length).map(|(&at, &length)| (at, length))
        };
        let found = match fitting(self) {
            Some(found) => Some(found),
            None if self.extend(device, bytes)? => fitting(self),
            None => None,
        };
        let Some((at, length)) = found else { return Ok(None) };
        self.free.remove(&at);
        if length > bytes {
            self.free.insert(at + bytes, length - bytes);
        }
        self.used += bytes;
        self.peak = self.peak.max(self.used);
        Ok(Some(Piece { at, bytes }))
    }

    /// Asks the device for a segment with room for `bytes`.
    fn extend(&mut self, device: &mut dyn Device, bytes: u64) -> Result<bool, DeviceError> {
        let left = self.limit.saturating_sub(self.taken).min(device.free_memory());
        let left = left / PIECE * PIECE;
        for size in [bytes.max(self.taken).max(FIRST), bytes] {
            let size = size.min(left);
            if size < bytes {
                break;
            }
            if let Some(at) = device.allocate(size)? {
                self.taken += size;
                self.segments.insert(at);
                self.free.insert(at, size);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Bytes that the run may use.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Gives all segments back to the device.
    pub(crate) fn give_back(self, device: &mut dyn Device) {
        self.segments.into_iter().for_each(|at| device.release(at));
    }

    /// Whether a piece of this size would leave memory for others.
    pub(crate) fn has_room(&self, bytes: u64) -> bool {
        self.used.saturating_add(bytes.saturating_mul(2)) <= self.limit
    }

    /// Takes a piece back.
    pub(crate) fn release(&mut self, piece: Piece) {
        let Piece { mut at, mut bytes } = piece;
        if bytes == 0 {
            return;
        }
        self.used -= bytes;
        if let Some((&before, &length)) = self.free.range(..at).next_back()
            && before + length == at
            && !self.segments.contains(&at)
        {
            self.free.remove(&before);
            (at, bytes) = (before, bytes + length);
        }
        let end = at + bytes;
        if let Some(length) = self.free.get(&end).copied()
            && !self.segments.contains(&end)
        {
            self.free.remove(&end);
            bytes += length;
        }
        self.free.insert(at, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::HostDevice;

    #[test]
    fn pieces_do_not_overlap_and_come_back() {
        let mut device = HostDevice::new(1, 1, 256 << 20, false);
        let mut pool = Pool::new(200 << 20);
        let mut held: Vec<Piece> = Vec::new();
        for round in 0..200u64 {
            let bytes = (round * 7919 % 1000 + 1) * 1000;
            let piece = pool.allocate(&mut device, bytes).unwrap().unwrap();
            assert!(piece.bytes >= bytes && piece.at.is_multiple_of(256));
            for other in &held {
                assert!(piece.at + piece.bytes <= other.at || other.at + other.bytes <= piece.at);
            }
            held.push(piece);
            if round % 3 == 0 {
                pool.release(held.swap_remove((round as usize * 31) % held.len()));
            }
        }
        held.into_iter().for_each(|piece| pool.release(piece));
        assert_eq!(pool.used, 0);
        // Everything was joined again.
        assert_eq!(pool.free.len(), pool.segments.len());
        assert!(pool.allocate(&mut device, 300 << 20).unwrap().is_none());
    }
}
