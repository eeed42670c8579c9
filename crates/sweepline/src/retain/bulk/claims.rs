//! The states that the threads of a round have found and that are not stored: each of them once.
//!
//! A thread that finds a state *claims* it: it writes a record of the state to memory of its own, and puts the
//! place of the record into a table that all threads share, by compare-and-swap. Every other thread that finds
//! the state then meets this record. A record keeps the *first* edge to the state, in the order of one thread.
//!
//! The table is emptied by counting rounds: a slot of an earlier round is vacant.

#[cfg(all(loom, test))]
mod model;
mod recent;
mod slots;

#[cfg(all(loom, test))]
use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(not(all(loom, test)))]
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::retain::LayerId;
use crate::retain::arena::equal;
use crate::retain::block::{Block, prefetch};
use recent::Recent;
use slots::Slots;

/// A slot has the number of its round, some bits of the hash, and a place.
const ROUND_BITS: u32 = 12;
const TAG_BITS: u32 = 12;
const PLACE_BITS: u32 = 40;
/// A place has the number of a thread, and an offset in its memory in units of eight bytes.
const OFFSET_BITS: u32 = 28;
const UNIT: usize = 8;

/// Slots that a search visits at most. In a longer one the table counts as full.
const PROBES: usize = 64;
/// A round that has too little room is repeated with this many times as much.
const GROWTH: usize = 4;
/// Size of the smallest table.
const LEAST_SLOTS: usize = if cfg!(loom) { 4 } else { 1 << 12 };
/// Bytes of the smallest memory of a thread.
const LEAST_BYTES: usize = if cfg!(loom) { 1 << 10 } else { 256 << 10 };

/// The place of a record, valid until the next round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found(u64);

/// An edge of the round, as a number: edges are in the order of one thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct EdgeNumber(u64);

impl EdgeNumber {
    /// The edge of the `source`th state of the round to its successor `action`.
    pub(crate) fn new(source: u32, action: u32) -> Self {
        EdgeNumber(u64::from(source) << 32 | u64::from(action))
    }

    pub(crate) fn source(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(crate) fn action(self) -> u32 {
        self.0 as u32
    }
}

/// The bytes of the state follow its record.
#[repr(C)]
pub(super) struct Record {
    hash: u64,
    /// The first edge to the state.
    first: AtomicU64,
    pub(super) layer: LayerId,
    length: u32,
    /// The number of the state in its layer, when it has one.
    number: AtomicU32,
    /// Tells loom that the record is written, and that it is read.
    #[cfg(all(loom, test))]
    written: loom::cell::UnsafeCell<()>,
}

impl Record {
    /// Whether this is the record of `bytes`; its own state is `state`.
    #[inline]
    fn is(&self, layer: LayerId, hash: u64, state: &[u8], bytes: &[u8]) -> bool {
        self.hash == hash && self.layer == layer && equal(state, bytes)
    }

    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    pub(super) fn first(&self) -> EdgeNumber {
        EdgeNumber(self.first.load(Ordering::Relaxed))
    }

    pub(super) fn number(&self) -> u32 {
        self.number.load(Ordering::Relaxed)
    }

    pub(super) fn set_number(&self, number: u32) {
        self.number.store(number, Ordering::Relaxed);
    }

    pub(super) fn length(&self) -> u32 {
        self.length
    }
}

/// The table and the records.
pub(crate) struct Claims {
    slots: Slots,
    round: u64,
    /// The memory for records of each thread.
    memory: Vec<Block>,
    /// What else each thread has. A thread locks its own while it claims.
    own: Vec<OfThread>,
    /// Slots and bytes that the next round should have, because this one has too few.
    wanted: Mutex<(usize, usize)>,
}

/// In cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct OfThread(Mutex<Claimed>);

/// What a thread has claimed.
#[derive(Default)]
struct Claimed {
    /// How many bytes of its memory are used.
    bytes: usize,
    recent: Recent,
}

impl Default for Claims {
    fn default() -> Self {
        Claims {
            slots: Slots::default(),
            round: 0,
            memory: Vec::new(),
            own: Vec::new(),
            wanted: Mutex::new((LEAST_SLOTS, LEAST_BYTES)),
        }
    }
}

impl Claims {
    /// Begins a round of so many threads, which may claim about so many states with so many bytes of records.
    /// `false` if there is no memory.
    #[must_use]
    pub(crate) fn begin(&mut self, threads: usize, states: usize, bytes: usize) -> bool {
        let wanted = self.wanted.get_mut().unwrap_or_else(PoisonError::into_inner);
        let slots = (4 * states).next_power_of_two().max(wanted.0);
        // One thread may do nearly all of the work.
        let bytes = (2 * bytes).next_power_of_two().max(wanted.1);
        *wanted = (slots, bytes);
        if threads >> (PLACE_BITS - OFFSET_BITS) != 0 || (bytes / UNIT) >> OFFSET_BITS != 0 {
            return false;
        }
        self.round += 1;
        let starts_over = self.round >> ROUND_BITS != 0 || self.slots.len() < slots;
        if starts_over {
            self.slots = Slots::default();
            let Some(empty) = Slots::new(slots) else { return false };
            (self.slots, self.round) = (empty, 1);
        }
        self.own.resize_with(threads, OfThread::default);
        self.memory.resize_with(threads, Block::default);
        for (own, memory) in self.own.iter_mut().zip(&mut self.memory) {
            let own = own.0.get_mut().unwrap_or_else(PoisonError::into_inner);
            own.bytes = 0;
            own.recent.begin(starts_over);
            if memory.capacity() < bytes {
                *memory = Block::default();
                let Some(block) = Block::zeroed(bytes) else { return false };
                *memory = block;
            }
        }
        true
    }

    /// Bytes of all records.
    pub(crate) fn bytes(&mut self) -> usize {
        let own = self.own.iter_mut();
        own.map(|own| own.0.get_mut().unwrap_or_else(PoisonError::into_inner).bytes).sum()
    }

    /// The memory for records of the thread of this number.
    pub(crate) fn own(&self, thread: usize) -> Own<'_> {
        let claimed = self.own[thread].0.lock().unwrap_or_else(PoisonError::into_inner);
        Own { claims: self, thread, claimed }
    }

    /// Prefetches the record of a state that was found.
    #[inline]
    pub(super) fn prefetch(&self, found: Found) {
        let offset = (found.0 & ((1 << OFFSET_BITS) - 1)) as usize * UNIT;
        let thread = (found.0 >> OFFSET_BITS) as usize;
        prefetch(self.memory[thread].as_ptr().wrapping_add(offset));
    }

    /// The record of a state that was found, and the bytes of the state.
    #[inline]
    pub(super) fn get(&self, found: Found) -> (&Record, &[u8]) {
        let offset = (found.0 & ((1 << OFFSET_BITS) - 1)) as usize * UNIT;
        let memory = &self.memory[(found.0 >> OFFSET_BITS) as usize];
        assert!(offset + size_of::<Record>() <= memory.capacity());
        // SAFETY: in bounds by the assertion, and aligned. A thread wrote the record and the bytes after it before
        // it published their place, and changes them no more in this round, except for the atomic words.
        unsafe {
            let record = memory.as_ptr().add(offset).cast::<Record>();
            #[cfg(all(loom, test))]
            (*record).written.with(|_| ());
            let length = (*record).length as usize;
            (&*record, std::slice::from_raw_parts(record.add(1).cast(), length))
        }
    }

    /// The first bits of a slot of this round with a state of this hash.
    #[inline]
    fn prefix(&self, hash: u64) -> u64 {
        self.round << TAG_BITS | (hash >> 32 & ((1 << TAG_BITS) - 1))
    }

    /// Whether the table or the memory of a thread was too small for the round. The next round has more.
    pub(crate) fn were_short(&mut self) -> bool {
        let wanted = *self.wanted.get_mut().unwrap_or_else(PoisonError::into_inner);
        let bytes = self.memory.iter().map(Block::capacity).min().unwrap_or_default();
        wanted.0 > self.slots.len() || wanted.1 > bytes
    }

    #[cold]
    fn want_more(&self, slots: bool) {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        match slots {
            true => wanted.0 = wanted.0.max(GROWTH * self.slots.len()),
            false => wanted.1 = wanted.1.max(GROWTH * self.memory[0].capacity()),
        }
    }
}

/// The memory of one thread, locked.
pub(crate) struct Own<'c> {
    claims: &'c Claims,
    thread: usize,
    claimed: MutexGuard<'c, Claimed>,
}

impl Own<'_> {
    /// Claims states for this thread.
    pub(crate) fn claimer(&mut self) -> Claimer<'_> {
        Claimer { claims: self.claims, thread: self.thread, claimed: &mut self.claimed }
    }
}

/// Claims states for one thread. Only [`Own::claimer`] makes it, so no other thread writes to the same memory.
pub(crate) struct Claimer<'c> {
    claims: &'c Claims,
    thread: usize,
    claimed: &'c mut Claimed,
}

impl Claimer<'_> {
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        self.claims.slots.prefetch(hash);
    }

    /// Prefetches the record that `hash` most likely belongs to, if there is one.
    #[inline]
    pub(crate) fn prefetch_record(&self, hash: u64) {
        let claims = self.claims;
        let content = claims.slots.at(hash as usize).load(Ordering::Relaxed);
        if content >> PLACE_BITS == claims.prefix(hash) {
            claims.prefetch(Found(content & ((1 << PLACE_BITS) - 1)));
        }
    }

    /// Whether this thread may have met a state of this hash in this round.
    #[inline]
    pub(crate) fn may_recall(&self, hash: u64) -> bool {
        self.claimed.recent.find(hash, self.claims.round).is_some()
    }

    /// The place of a state that this thread has met in this round and remembers, if a known edge to it comes before
    /// `edge`: then there is nothing to claim. It touches little that other threads write.
    #[inline]
    pub(crate) fn recall(
        &self,
        layer: LayerId,
        hash: u64,
        bytes: &[u8],
        edge: EdgeNumber,
    ) -> Option<Found> {
        let found = self.claimed.recent.find(hash, self.claims.round)?;
        let (record, state) = self.claims.get(found);
        let is_known = record.first() < edge && record.is(layer, hash, state, bytes);
        is_known.then_some(found)
    }

    /// Claims a state to which `edge` leads. Returns its place, and whether `edge` is the first edge to it that
    /// was found so far. `None` if there is no place for the state.
    #[must_use]
    #[inline]
    pub(crate) fn claim(
        &mut self,
        layer: LayerId,
        hash: u64,
        bytes: &[u8],
        edge: EdgeNumber,
    ) -> Option<(Found, bool)> {
        let claims = self.claims;
        let prefix = claims.prefix(hash);
        let mut own = None;
        for slot in 0..PROBES.min(claims.slots.len()) {
            let vacant = claims.slots.at((hash as usize).wrapping_add(slot));
            let mut content = vacant.load(Ordering::Acquire);
            if content >> (PLACE_BITS + TAG_BITS) != claims.round {
                let (place, size) = match own {
                    Some(own) => own,
                    None => *own.insert(self.write(layer, hash, bytes, edge)?),
                };
                let claimed = prefix << PLACE_BITS | place.0;
                let order = (Ordering::AcqRel, Ordering::Acquire);
                match vacant.compare_exchange(content, claimed, order.0, order.1) {
                    Ok(_) => {
                        self.claimed.bytes += size;
                        self.claimed.recent.note(hash, claims.round, place);
                        return Some((place, true));
                    }
                    Err(other) => content = other,
                }
            }
            if content >> PLACE_BITS == prefix {
                let found = Found(content & ((1 << PLACE_BITS) - 1));
                let (record, state) = claims.get(found);
                if record.is(layer, hash, state, bytes) {
                    self.claimed.recent.note(hash, claims.round, found);
                    let is_first = edge < record.first()
                        && edge.0 < record.first.fetch_min(edge.0, Ordering::Relaxed);
                    return Some((found, is_first));
                }
            }
        }
        claims.want_more(true);
        None
    }

    /// Writes a record after the others of this thread. Returns its place and its size.
    #[inline]
    fn write(
        &self,
        layer: LayerId,
        hash: u64,
        bytes: &[u8],
        edge: EdgeNumber,
    ) -> Option<(Found, usize)> {
        let memory = &self.claims.memory[self.thread];
        let size = (size_of::<Record>() + bytes.len()).next_multiple_of(UNIT);
        if self.claimed.bytes + size > memory.capacity() {
            self.claims.want_more(false);
            return None;
        }
        let length = u32::try_from(bytes.len()).ok()?;
        let (first, number) = (AtomicU64::new(edge.0), AtomicU32::new(0));
        // SAFETY: in bounds by the check. No place of this memory was published in this round, and only the
        // owner of the lock of `claimed` writes to it.
        unsafe {
            let record = memory.as_ptr().add(self.claimed.bytes).cast::<Record>();
            record.write(Record {
                hash,
                first,
                layer,
                length,
                number,
                #[cfg(all(loom, test))]
                written: loom::cell::UnsafeCell::new(()),
            });
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), record.add(1).cast(), bytes.len());
        }
        let place = (self.thread as u64) << OFFSET_BITS | (self.claimed.bytes / UNIT) as u64;
        Some((Found(place), size))
    }
}
