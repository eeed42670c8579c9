//! The index of a layer: finds records by their hash.
//!
//! Open addressing with linear probing over four-byte slots. An empty slot is zero. A full slot has a
//! record's handle plus one in its low bits, and a *tag* of the hash in the bits that handles do not need, so
//! nearly every probe of another record is rejected by the slot itself. The table contains only the index: to
//! grow, it is freed and rebuilt from the arena, so growth does not need memory for two tables.
//!
//! Slots only change from empty to full, and a slot is one word, so threads can share this table with
//! compare-and-swap.

use super::arena::{Arena, Handle};
use super::block::{Block, prefetch};
use super::simd::{LANES, Lanes};

/// Maximal load, in 1/64. Most look-ups are hits, and they stay short up to this load.
const MAX_LOAD: usize = 51;
/// The same if there is no memory for a larger table.
const MAX_LOAD_TIGHT: usize = 56;
/// Spare slots at the end of a large table; no cluster is that long at the loads above.
const SPARE: usize = 4096;
/// Slots of the smallest table.
const LEAST: usize = 16;

#[derive(Default)]
pub(super) struct Table {
    slots: Block,
    /// Slots where a search may start. Probes continue into the spare slots after them and do not wrap
    /// around. A table whose last spare slots are used counts as full.
    capacity: usize,
    handle_bits: u32,
    /// Slots up to here may be filled.
    end: usize,
    /// Maximal number of records before the table must grow.
    limit: usize,
}

/// The outcome of a look-up.
pub(super) enum Probe {
    Found(Handle),
    /// The slot for the record.
    Vacant(usize),
}

#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = foldhash::quality::FixedState::with_seed(0x5EED).build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

impl Table {
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity()
    }

    /// Whether the spare slots are used up, so that `slot` must not be filled.
    #[inline]
    pub(super) fn is_spent(&self, slot: usize) -> bool {
        slot >= self.end
    }

    /// Whether the table must grow before a record with handle `next` can be indexed.
    #[inline]
    pub(super) fn is_full(&self, len: usize, next: usize) -> bool {
        len >= self.limit || (next + 1) >> self.handle_bits != 0
    }

    /// Number of slots that a larger table for `len` records should have.
    pub(super) fn wanted(&self, len: usize) -> usize {
        let grown = match self.capacity {
            0..0x1000 => self.capacity * 4,
            0x1000..0x10_0000 => self.capacity * 2,
            large => large + large / 2,
        };
        grown.max(Table::fitting(len + 1)).max(LEAST)
    }

    /// Number of slots for `len` records at the usual load.
    pub(super) fn fitting(len: usize) -> usize {
        len * 64 / MAX_LOAD + 1
    }

    /// Number of slots for `len` records if there is little memory.
    pub(super) fn fitting_tight(len: usize) -> usize {
        len * 64 / MAX_LOAD_TIGHT + 1
    }

    /// Replaces the table by one of `capacity` slots that indexes all of `arena`. `false` if there is no
    /// memory; the layer then has no index and cannot be used.
    #[must_use]
    pub(super) fn rebuild(&mut self, capacity: usize, arena: &Arena, tight: bool) -> bool {
        *self = Table::default();
        let spare = capacity.min(SPARE) + LANES;
        let Some(slots) = Block::zeroed((capacity + spare) * 4) else { return false };
        self.slots = slots;
        self.capacity = capacity;
        self.end = capacity + spare - LANES;
        let load = if tight { MAX_LOAD_TIGHT } else { MAX_LOAD };
        self.limit = capacity * load / 64;
        let handles = (self.limit.max(arena.len()) + 2) * arena.handles_per_record();
        self.handle_bits = (usize::BITS - handles.leading_zeros()).min(32);
        self.index_all(arena)
    }

    fn index_all(&mut self, arena: &Arena) -> bool {
        const AHEAD: usize = 32;
        let mut hashes = [0u64; AHEAD];
        let mut handles: [Handle; AHEAD] = [0; AHEAD];
        let mut handle = 0;
        let mut left = arena.len();
        while left > 0 {
            let batch = left.min(AHEAD);
            for i in 0..batch {
                handles[i] = handle;
                hashes[i] = hash(arena.get(handle));
                self.prefetch(hashes[i]);
                handle = arena.after(handle);
            }
            for i in 0..batch {
                let mut slot = self.home(hashes[i]);
                while self.slot(slot) != 0 {
                    slot += 1;
                }
                if self.is_spent(slot) {
                    return false;
                }
                self.fill(slot, hashes[i], handles[i]);
            }
            left -= batch;
        }
        true
    }

    /// Empties the table, and shrinks it if it is much larger than its last content.
    pub(super) fn clear(&mut self, len: usize) {
        if self.capacity > 0x4000 || self.capacity > 64 * (len + 1) {
            *self = Table::default();
        } else {
            // SAFETY: the block has this many bytes.
            unsafe { std::ptr::write_bytes(self.slots.as_ptr(), 0, self.slots.capacity()) };
        }
    }

    /// Searches for `bytes` among the records of `arena`, from `slot` on: the slot of `hash`, or the one that
    /// [`candidate`](Table::candidate) gave.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut slot: usize, bytes: &[u8], arena: &Arena) -> Probe {
        let tag = self.tag(hash);
        loop {
            let lanes = self.lanes(slot, tag);
            let mut matches = lanes.matches();
            while matches != 0 {
                let handle = self.handle_of(self.slot(slot + matches.trailing_zeros() as usize));
                if arena.is(handle, bytes) {
                    return Probe::Found(handle);
                }
                matches &= matches - 1;
            }
            if let Some(lane) = lanes.first_empty() {
                return Probe::Vacant(slot + lane);
            }
            slot += LANES;
        }
    }

    /// The first slot that may contain the record with hash `hash`, and that record if the slot is not empty:
    /// `find` starts there.
    #[inline]
    pub(super) fn candidate(&self, hash: u64) -> (usize, Option<Handle>) {
        let tag = self.tag(hash);
        let mut slot = self.home(hash);
        loop {
            let lanes = self.lanes(slot, tag);
            let matches = lanes.matches();
            if matches != 0 {
                let at = slot + matches.trailing_zeros() as usize;
                return (at, Some(self.handle_of(self.slot(at))));
            }
            if let Some(lane) = lanes.first_empty() {
                return (slot + lane, None);
            }
            slot += LANES;
        }
    }

    /// Puts `handle` into the vacant `slot`.
    #[inline]
    pub(super) fn fill(&mut self, slot: usize, hash: u64, handle: Handle) {
        assert!(slot < self.slots.capacity() / 4 && self.slot(slot) == 0);
        let content = self.tag(hash) | (handle + 1);
        // SAFETY: in bounds by the assertion.
        unsafe { self.slots.as_ptr().cast::<u32>().add(slot).write(content) };
    }

    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch(self.slots.as_ptr().wrapping_add(self.home(hash) * 4));
    }

    #[inline]
    pub(super) fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.capacity as u128) >> 64) as usize
    }

    #[inline]
    fn slot(&self, slot: usize) -> u32 {
        assert!(slot < self.slots.capacity() / 4);
        // SAFETY: in bounds by the assertion.
        unsafe { self.slots.as_ptr().cast::<u32>().add(slot).read() }
    }

    /// Compares the slots from `slot` on with `tag`.
    #[inline]
    fn lanes(&self, slot: usize, tag: u32) -> Lanes {
        assert!(slot + LANES <= self.slots.capacity() / 4);
        let mask = (u64::from(u32::MAX) << self.handle_bits) as u32;
        // SAFETY: `LANES` slots from `slot` on are in bounds by the assertion.
        unsafe { Lanes::compare(self.slots.as_ptr().cast::<u32>().add(slot), tag, mask) }
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        ((hash as u32 as u64) << self.handle_bits) as u32
    }

    #[inline]
    fn handle_of(&self, content: u32) -> Handle {
        (content & ((1u64 << self.handle_bits) - 1) as u32) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_tag_bits_will_do() {
        let mut arena = Arena::new(false);
        let record = |n: u32| n.to_le_bytes();
        assert!((0..200).all(|n| arena.push(&record(n))));
        for handle_bits in [8, 9, 20, 31, 32] {
            let mut table = Table::default();
            assert!(table.rebuild(256, &Arena::new(false), false));
            table.handle_bits = handle_bits;
            assert!(table.index_all(&arena));
            for n in 0..400 {
                let hash = hash(&record(n));
                let (hint, _) = table.candidate(hash);
                for start in [table.home(hash), hint] {
                    match table.find(hash, start, &record(n), &arena) {
                        Probe::Found(handle) => assert_eq!(handle, n),
                        Probe::Vacant(slot) => assert!(n >= 200 && table.slot(slot) == 0),
                    }
                }
            }
        }
    }

    #[test]
    fn a_table_is_full_when_handles_end() {
        let mut table = Table::default();
        assert!(table.rebuild(64, &Arena::new(false), false));
        table.handle_bits = 32;
        assert!(!table.is_full(3, u32::MAX as usize - 1));
        assert!(table.is_full(3, u32::MAX as usize));
        table.handle_bits = 6;
        assert!(!table.is_full(3, 62));
        assert!(table.is_full(3, 63));
    }
}
