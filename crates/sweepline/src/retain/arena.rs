//! The records of a layer, in the order they were stored.
//!
//! While all records have the same length, they are stored side by side, and the *handle* of a record is its
//! number. The first record of another length converts the arena: each record then has its length and number
//! in front, in units of four bytes, and a handle is an offset in units. In both forms a handle is a 32-bit
//! integer, which reaches at least 16 GiB of records. The arena is also the layer's queue.

use super::block::{Block, prefetch};

/// Bytes per unit when records differ in length.
const UNIT: usize = 4;
/// Bytes of the length and the number of a record.
const PREFIX: usize = 8;

/// Arenas of at least this many bytes reserve a multiple of their size ahead.
const AHEAD_FROM: usize = 128 << 10;
const AHEAD: usize = 16;

/// Identifies a record of one arena.
pub(super) type Handle = u32;

#[derive(Default)]
pub(super) struct Arena {
    block: Block,
    /// Bytes of each record; `None` if lengths differ.
    stride: Option<usize>,
    /// Records stored.
    len: usize,
    /// Bytes in use.
    used: usize,
}

impl Arena {
    pub(super) fn new(mixed: bool) -> Self {
        let stride = if mixed { None } else { Some(0) };
        Arena { stride, ..Arena::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn used_bytes(&self) -> usize {
        self.used
    }

    /// Bytes of every record, if all have the same length.
    pub(super) fn stride(&self) -> Option<usize> {
        self.stride
    }

    pub(super) fn is_mixed(&self) -> bool {
        self.stride.is_none()
    }

    /// The handles of all records, in order.
    pub(super) fn handles(&self) -> impl Iterator<Item = Handle> {
        let mut next = 0;
        (0..self.len).map(move |_| {
            let handle = next;
            next = self.after(handle);
            handle
        })
    }

    /// All records, in order.
    pub(super) fn records(&self) -> impl Iterator<Item = &[u8]> {
        self.handles().map(|handle| self.get(handle))
    }

    /// How many handles a record takes, with a margin for longer ones.
    pub(super) fn handles_per_record(&self) -> usize {
        match (self.stride, self.len) {
            (Some(_), _) => 1,
            (None, 0) => 16,
            (None, len) => 2 * (self.used / UNIT / len + 1),
        }
    }

    /// Empties the arena. A small allocation is kept for the next layer, a large one is released.
    pub(super) fn clear(&mut self, mixed: bool) {
        if self.block.is_mapping() {
            self.block = Block::default();
        }
        self.stride = if mixed { None } else { Some(0) };
        self.len = 0;
        self.used = 0;
    }

    /// Whether a record of `length` bytes fits the current form.
    pub(super) fn admits(&self, length: usize) -> bool {
        self.stride.is_none_or(|stride| self.len == 0 || stride == length)
    }

    /// The handle the next record will get.
    pub(super) fn next_handle(&self) -> usize {
        match self.stride {
            Some(_) => self.len,
            None => self.used / UNIT,
        }
    }

    /// Bytes that storing a record of `length` bytes takes.
    pub(super) fn cost(&self, length: usize) -> usize {
        match self.stride {
            Some(_) => length,
            None => mixed_cost(length),
        }
    }

    /// Appends a record that [`admits`](Arena::admits) its length. `false` if there is no memory.
    #[must_use]
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8]) -> bool {
        debug_assert!(self.admits(bytes.len()));
        let cost = self.cost(bytes.len());
        if self.used + cost > self.block.capacity() && !self.make_room(cost) {
            return false;
        }
        let at = self.used;
        // SAFETY: `make_room` left `cost` bytes from `used` on.
        unsafe {
            let mut target = self.block.as_ptr().add(at);
            if self.stride.is_none() {
                let length = u32::try_from(bytes.len()).expect("a state of 4 GiB");
                target.cast::<u32>().write(length);
                target.cast::<u32>().add(1).write(self.len as u32);
                target = target.add(PREFIX);
            }
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len());
        }
        if let Some(stride) = &mut self.stride {
            *stride = bytes.len();
        }
        self.used += cost;
        self.len += 1;
        true
    }

    /// Reserves memory for `bytes` more bytes of records. `false` if there is none.
    #[must_use]
    pub(super) fn reserve(&mut self, bytes: usize) -> bool {
        self.used + bytes <= self.block.capacity() || self.make_room(bytes)
    }

    /// The reserved memory after the last record, where [`write()`] puts further ones.
    pub(super) fn room(&mut self, bytes: usize) -> &mut [u8] {
        assert!(self.used + bytes <= self.block.capacity());
        // SAFETY: in bounds by the assertion, initialised like all memory of a block, and borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(self.block.as_ptr().add(self.used), bytes) }
    }

    /// Adds the `records` that were written to the [`room`](Arena::room), `bytes` in total. If all records
    /// have the same length, theirs is `length`.
    pub(super) fn extend(&mut self, records: usize, bytes: usize, length: usize) {
        assert!(self.used + bytes <= self.block.capacity());
        if let Some(stride) = &mut self.stride {
            *stride = length;
        }
        self.len += records;
        self.used += bytes;
    }

    #[cold]
    fn make_room(&mut self, cost: usize) -> bool {
        let wanted = (self.used + cost).next_power_of_two().max(256);
        // Untouched pages cost nothing, so a large arena reserves far ahead: moving it would split its huge
        // pages.
        let ahead = if wanted >= AHEAD_FROM { wanted * AHEAD } else { wanted };
        self.block.grow(ahead, self.used) || self.block.grow(wanted, self.used)
    }

    /// The record `handle`.
    #[inline]
    pub(super) fn get(&self, handle: Handle) -> &[u8] {
        let (at, length) = match self.stride {
            Some(stride) => (handle as usize * stride, stride),
            None => {
                let at = handle as usize * UNIT;
                assert!(at + PREFIX <= self.used);
                // SAFETY: in bounds by the assertion, and aligned: units are four bytes.
                let length = unsafe { self.block.as_ptr().add(at).cast::<u32>().read() };
                (at + PREFIX, length as usize)
            }
        };
        assert!(at + length <= self.used);
        // SAFETY: in bounds by the assertion; `push` wrote these bytes.
        unsafe { std::slice::from_raw_parts(self.block.as_ptr().add(at), length) }
    }

    /// Whether the record `handle` is `bytes`.
    #[inline]
    pub(super) fn is(&self, handle: Handle, bytes: &[u8]) -> bool {
        equal(self.get(handle), bytes)
    }

    /// The number of the record `handle`: how many were stored before it.
    #[inline]
    pub(super) fn number(&self, handle: Handle) -> usize {
        if self.stride.is_some() {
            return handle as usize;
        }
        let at = handle as usize * UNIT;
        assert!(at + PREFIX <= self.used);
        // SAFETY: in bounds by the assertion, and aligned: units are four bytes.
        unsafe { self.block.as_ptr().add(at).cast::<u32>().add(1).read() as usize }
    }

    /// The handle after `handle`, in the order of storing.
    #[inline]
    pub(super) fn after(&self, handle: Handle) -> Handle {
        match self.stride {
            Some(_) => handle + 1,
            None => handle + (self.cost(self.get(handle).len()) / UNIT) as Handle,
        }
    }

    #[inline]
    pub(super) fn prefetch(&self, handle: Handle) {
        let at = handle as usize * self.stride.unwrap_or(UNIT);
        prefetch(self.block.as_ptr().wrapping_add(at));
    }

    /// Bytes of the same records in the form for records of any length.
    pub(super) fn mixed_bytes(&self) -> usize {
        self.stride.map_or(self.used, |stride| self.len * mixed_cost(stride))
    }

    /// The same records, in the form for records of any length. `None` if there is no memory, or there are
    /// more records than handles.
    pub(super) fn to_mixed(&self) -> Option<Arena> {
        if self.mixed_bytes() / UNIT > Handle::MAX as usize {
            return None;
        }
        let mut mixed = Arena::new(true);
        let mut handle = 0;
        for _ in 0..self.len {
            if !mixed.push(self.get(handle)) {
                return None;
            }
            handle = self.after(handle);
        }
        Some(mixed)
    }
}

/// Whether two states are equal.
#[inline]
pub(super) fn equal(a: &[u8], b: &[u8]) -> bool {
    let n = a.len();
    if n != b.len() || !(4..=16).contains(&n) {
        return a == b;
    }
    // Compares two overlapping words: enough for most packed states, and much faster than a call.
    if n >= 8 {
        let word = |b: &[u8], at: usize| u64::from_ne_bytes(b[at..at + 8].try_into().unwrap());
        return (word(a, 0) ^ word(b, 0)) | (word(a, n - 8) ^ word(b, n - 8)) == 0;
    }
    let word = |b: &[u8], at: usize| u32::from_ne_bytes(b[at..at + 4].try_into().unwrap());
    (word(a, 0) ^ word(b, 0)) | (word(a, n - 4) ^ word(b, n - 4)) == 0
}

/// Writes a record to the start of `room`. Records of different lengths have their length and their `number`
/// in front. Returns the rest of the room.
pub(super) fn write<'r>(room: &'r mut [u8], bytes: &[u8], number: Option<u32>) -> &'r mut [u8] {
    let Some(number) = number else {
        let (record, rest) = room.split_at_mut(bytes.len());
        record.copy_from_slice(bytes);
        return rest;
    };
    let length = u32::try_from(bytes.len()).expect("a state of 4 GiB");
    let (record, rest) = room.split_at_mut(mixed_cost(bytes.len()));
    record[..4].copy_from_slice(&length.to_ne_bytes());
    record[4..PREFIX].copy_from_slice(&number.to_ne_bytes());
    record[PREFIX..PREFIX + bytes.len()].copy_from_slice(bytes);
    rest
}

/// Handles of `bytes` bytes in the form for records of any length.
pub(super) fn handles_in(bytes: usize) -> usize {
    bytes / UNIT
}

/// Bytes of a record of `length` bytes in the form for records of any length.
pub(super) fn mixed_cost(length: usize) -> usize {
    (PREFIX + length).next_multiple_of(UNIT)
}
