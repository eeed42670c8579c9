//! Values of an expression that depends on a few places alone, by what is on them.

use foldhash::fast::FixedState;
use std::hash::BuildHasher;

use crate::explore::marking::Marking;

/// The markings of places that are remembered.
const ENTRIES: usize = 1 << 8;
/// The most bytes of one: growing lists are compared, which is quick, rather than decoded.
const MOST_BYTES: usize = 1 << 15;

/// A table of fixed size, in which the newest of two entries with the same slot stays.
#[derive(Clone, Debug, Default)]
pub(super) struct Remembered {
    entries: Vec<(Vec<u8>, i64)>,
    key: Vec<u8>,
}

impl Remembered {
    /// The value that was remembered for what is on `places`, else the one that `compute` gives.
    pub(super) fn value<E>(
        &mut self,
        marking: &Marking,
        places: &[usize],
        compute: impl FnOnce() -> Result<i64, E>,
    ) -> Result<i64, E> {
        if places.iter().map(|&place| marking.segment(place).len() + 4).sum::<usize>() > MOST_BYTES
        {
            return compute();
        }
        self.key.clear();
        for &place in places {
            let segment = marking.segment(place);
            self.key.extend_from_slice(&(segment.len() as u32).to_le_bytes());
            self.key.extend_from_slice(segment);
        }
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, (Vec::new(), 0));
        }
        let slot = FixedState::with_seed(0).hash_one(&self.key) as usize % ENTRIES;
        let (key, value) = &mut self.entries[slot];
        // With no place at all the key of an entry that was never written is the same.
        if *key != self.key || places.is_empty() {
            *value = compute()?;
            key.clone_from(&self.key);
        }
        Ok(*value)
    }
}
