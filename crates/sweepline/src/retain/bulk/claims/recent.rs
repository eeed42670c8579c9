//! The states that one thread has met in a round: most of the equal states of a round are found by one thread.

use super::{Found, PLACE_BITS};

/// Number of entries: few enough for the cache of a core.
const ENTRIES: usize = if cfg!(loom) { 4 } else { 1 << 14 };

/// For some hashes, the state that was met last.
#[derive(Default)]
pub(super) struct Recent(Vec<Entry>);

#[derive(Clone, Copy, Default)]
struct Entry {
    hash: u64,
    /// The number of the round and a place. No round has the number zero.
    met: u64,
}

impl Recent {
    /// Begins a round. If the numbers of rounds start over, everything is forgotten.
    pub(super) fn begin(&mut self, starts_over: bool) {
        if starts_over {
            self.0.clear();
        }
        self.0.resize(ENTRIES, Entry::default());
    }

    #[inline]
    pub(super) fn find(&self, hash: u64, round: u64) -> Option<Found> {
        let entry = self.0[hash as usize % ENTRIES];
        let is_met = entry.hash == hash && entry.met >> PLACE_BITS == round;
        is_met.then_some(Found(entry.met & ((1 << PLACE_BITS) - 1)))
    }

    #[inline]
    pub(super) fn note(&mut self, hash: u64, round: u64, found: Found) {
        self.0[hash as usize % ENTRIES] = Entry { hash, met: round << PLACE_BITS | found.0 };
    }
}
