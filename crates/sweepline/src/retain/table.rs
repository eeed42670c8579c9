//! The index of a layer: finds records by their hash.
//!
//! Open addressing with linear probing over four-byte slots. An empty slot is zero. A full slot has a
//! record's handle plus one in its low bits, and a *tag* of the hash in the bits that handles do not need, so
//! nearly every probe of another record is rejected by the slot itself. The table contains only the index: to
//! grow, it is freed and rebuilt from the arena, so growth does not need memory for two tables.
//!
//! Slots only change from empty to full, and a slot is one word, so several threads can fill a table by
//! compare-and-swap.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::arena::{Arena, Handle};
use super::block::{Block, prefetch};
use super::simd::{LANES, Lanes};
use crate::threads::Threads;

/// Maximal load, in 1/64. Most look-ups are hits, and they stay short up to this load.
const MAX_LOAD: usize = 51;
/// The same if there is no memory for a larger table.
const MAX_LOAD_TIGHT: usize = 56;
/// Spare slots at the end of a large table; no cluster is that long at the loads above.
const SPARE: usize = 4096;
/// Slots of the smallest table.
const LEAST: usize = 16;
/// Records that a thread indexes at a time.
const PIECE: usize = 4096;

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

    /// Number of slots where a search may start.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether all handles below `end` fit a slot.
    pub(super) fn has_bits_for(&self, end: usize) -> bool {
        end >> self.handle_bits == 0
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

    /// Number of slots that the next table for `len` records should have: as many as now if only the handles
    /// need more bits.
    pub(super) fn wanted(&self, len: usize, is_spent: bool) -> usize {
        if len < self.limit && !is_spent { self.capacity } else { larger(self.capacity, len) }
    }

    /// Number of slots that the table has when there are `len` records, after storing them one by one.
    pub(super) fn planned(&self, len: usize) -> usize {
        let (mut capacity, mut limit) = (self.capacity, self.limit);
        while limit < len {
            capacity = larger(capacity, limit);
            limit = capacity * MAX_LOAD / 64;
        }
        capacity
    }

    /// Bytes of a table of `capacity` slots.
    pub(super) fn bytes_of(capacity: usize) -> usize {
        (capacity + capacity.min(SPARE) + LANES) * 4
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
        self.empty(capacity, arena, tight) && self.index_all(arena)
    }

    /// Replaces the table by an empty one of `capacity` slots for the records of `arena`. `false` if there is
    /// no memory.
    #[must_use]
    pub(super) fn empty(&mut self, capacity: usize, arena: &Arena, tight: bool) -> bool {
        *self = Table::default();
        let Some(slots) = Block::zeroed(Table::bytes_of(capacity)) else { return false };
        self.slots = slots;
        self.capacity = capacity;
        self.end = capacity + capacity.min(SPARE);
        let load = if tight { MAX_LOAD_TIGHT } else { MAX_LOAD };
        self.limit = capacity * load / 64;
        let handles = (self.limit.max(arena.len()) + 2) * arena.handles_per_record();
        self.handle_bits = (usize::BITS - handles.leading_zeros()).min(32);
        true
    }

    /// This table, to be filled by several threads.
    pub(super) fn shared(&mut self) -> SharedTable<'_> {
        let (start, len) = (self.slots.as_ptr().cast::<AtomicU32>(), self.slots.capacity() / 4);
        // SAFETY: an atomic word has the layout of a plain one, the block is aligned and has this many words,
        // and it is borrowed from `self`, so nothing else accesses it meanwhile.
        let slots = unsafe { std::slice::from_raw_parts(start, len) };
        SharedTable { slots, capacity: self.capacity, handle_bits: self.handle_bits, end: self.end }
    }

    fn index_all(&mut self, arena: &Arena) -> bool {
        self.shared().index(arena, 0, arena.len())
    }

    /// Indexes all records of `arena` on several threads. `false` if the spare slots are used up.
    #[must_use]
    pub(super) fn index_with(&mut self, arena: &Arena, threads: &Threads) -> bool {
        let starts: Vec<Handle> = arena.handles().step_by(PIECE).collect();
        let (shared, fits) = (self.shared(), AtomicBool::new(true));
        threads.each(starts.len(), |_, piece| {
            let count = PIECE.min(arena.len() - piece * PIECE);
            if !shared.index(arena, starts[piece], count) {
                fits.store(false, Ordering::Relaxed);
            }
        });
        fits.into_inner()
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
        home(hash, self.capacity)
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
        tag(hash, self.handle_bits)
    }

    #[inline]
    fn handle_of(&self, content: u32) -> Handle {
        (content & ((1u64 << self.handle_bits) - 1) as u32) - 1
    }
}

/// Number of slots of the table after one of `capacity` slots that is full with `len` records.
fn larger(capacity: usize, len: usize) -> usize {
    let grown = match capacity {
        0..0x1000 => capacity * 4,
        0x1000..0x10_0000 => capacity * 2,
        large => large + large / 2,
    };
    grown.max(Table::fitting(len + 1)).max(LEAST)
}

/// A table that several threads fill at the same time, with different records that are not in it yet.
///
/// Which slots are full in the end does not depend on the order of insertion: that is a property of linear
/// probing. Only the places of records within a cluster do, and no search depends on these.
#[derive(Clone, Copy)]
pub(super) struct SharedTable<'t> {
    slots: &'t [AtomicU32],
    capacity: usize,
    handle_bits: u32,
    end: usize,
}

impl SharedTable<'_> {
    /// Indexes a record. `false` if the spare slots are used up.
    #[must_use]
    #[inline]
    pub(super) fn insert(&self, hash: u64, handle: Handle) -> bool {
        let content = tag(hash, self.handle_bits) | (handle + 1);
        let mut slot = home(hash, self.capacity);
        while slot < self.end {
            let vacant = &self.slots[slot];
            // The threads meet at a barrier before anyone reads the slots, so no order is needed here.
            if vacant.load(Ordering::Relaxed) == 0
                && vacant.compare_exchange(0, content, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            {
                return true;
            }
            slot += 1;
        }
        false
    }

    /// Indexes `count` records of `arena` from `handle` on. `false` if the spare slots are used up.
    #[must_use]
    pub(super) fn index(&self, arena: &Arena, mut handle: Handle, mut count: usize) -> bool {
        const AHEAD: usize = 32;
        let mut batch = [(0u64, 0); AHEAD];
        while count > 0 {
            let batch = &mut batch[..count.min(AHEAD)];
            for item in &mut *batch {
                *item = (hash(arena.get(handle)), handle);
                self.prefetch(item.0);
                handle = arena.after(handle);
            }
            if !batch.iter().all(|&(hash, handle)| self.insert(hash, handle)) {
                return false;
            }
            count -= batch.len();
        }
        true
    }

    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch(self.slots.as_ptr().wrapping_add(home(hash, self.capacity)).cast());
    }
}

#[inline]
fn home(hash: u64, capacity: usize) -> usize {
    ((u128::from(hash) * capacity as u128) >> 64) as usize
}

#[inline]
fn tag(hash: u64, handle_bits: u32) -> u32 {
    (u64::from(hash as u32) << handle_bits) as u32
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
