//! A cache for the values of an expression that depends on few places, by the markings of these places.

use foldhash::fast::FixedState;
use std::hash::BuildHasher;

use crate::explore::marking::Marking;

/// The number of cached values.
const ENTRIES: usize = 1 << 8;
/// The most bytes of a cached key. Comparing long keys is faster than decoding them.
const MOST_BYTES: usize = 1 << 15;

/// A table of fixed size. A new entry replaces the old one in its slot.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueCache {
    entries: Vec<(Vec<u8>, i64)>,
    key: Vec<u8>,
}

impl ValueCache {
    /// The cached value for the markings of `places`, else the value of `compute`.
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
        // Without places, the key equals that of an entry that was never written.
        if *key != self.key || places.is_empty() {
            *value = compute()?;
            key.clone_from(&self.key);
        }
        Ok(*value)
    }
}
