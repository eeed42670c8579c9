//! A bounded store of states. States on the stack stay; one of the others is replaced when a new state needs
//! its place.
//!
//! Every state has an entry, and every entry has a block of bytes in a slab of blocks of one size. When a
//! state is replaced, its entry and block are reused by a state of about the same length.

use hashbrown::HashTable;

use super::replacement::{NONE, Replaceable, Replacement};
use super::{Budget, hash};

/// Identifies a stored state.
pub(crate) type Handle = u32;

/// Records up to this length have blocks of exactly their length.
const EXACT: usize = 64;

/// The entry of a state, or a vacant one.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// Its block, in the slab for its length.
    block: u32,
    len: u32,
    /// Its position among the replaceable states, [`NONE`] on the stack; for a vacant entry, the next vacant
    /// one.
    pub(super) link: Handle,
    /// Its level: states of lower levels are replaced first.
    pub(super) level: u8,
}

/// Blocks of one size.
struct Slab {
    size: usize,
    bytes: Vec<u8>,
    blocks: u32,
    /// The first vacant entry with a block of this slab.
    vacant: Handle,
}

/// The stored states of a depth-first search.
pub(crate) struct CacheStore {
    /// The maximal number of stored states, unless the stack is longer.
    most: u64,
    replacement: Replacement,
    table: HashTable<Handle>,
    entries: Vec<Entry>,
    slabs: Vec<Slab>,
    idle: Replaceable,
    pub(crate) budget: Budget,
    /// Number of stored states.
    pub(crate) stored: u64,
    /// Number of replaced states.
    pub(crate) replaced: u64,
    /// Peak bytes while the index grew.
    pub(crate) peak_bytes: u64,
}

impl CacheStore {
    pub(crate) fn new(most: u64, replacement: Replacement, budget: Budget) -> Self {
        CacheStore {
            most,
            replacement,
            table: HashTable::new(),
            entries: Vec::new(),
            slabs: Vec::new(),
            idle: Replaceable::new(replacement),
            budget,
            stored: 0,
            replaced: 0,
            peak_bytes: 0,
        }
    }

    /// The bytes of a state.
    pub(crate) fn get(&self, handle: Handle) -> &[u8] {
        record(&self.entries, &self.slabs, handle)
    }

    /// Whether the state with these bytes, to which an edge leads, is stored. Counts the edge for the
    /// replacement policy.
    #[inline]
    pub(crate) fn meet(&mut self, hash: u64, bytes: &[u8]) -> bool {
        let found = self.table.find(hash, |&handle| self.get(handle) == bytes).copied();
        if let (Some(handle), Replacement::Seldom) = (found, self.replacement) {
            self.idle.raise(&mut self.entries, handle, &mut self.budget);
        }
        found.is_some()
    }

    /// Stores a state that is not stored, found at `depth`, as a state on the stack. Replaces another one if
    /// the cache is full. `None` if there is no memory.
    #[must_use]
    pub(crate) fn insert(&mut self, hash: u64, bytes: &[u8], depth: usize) -> Option<Handle> {
        if self.stored >= self.most {
            self.replace();
        }
        let fits = self.table.len() < self.table.capacity() || self.grow_index();
        let handle = if fits { self.place(bytes.len())? } else { return None };
        let level = Replaceable::level(self.replacement, depth);
        let entry = &mut self.entries[handle as usize];
        (entry.len, entry.link, entry.level) = (bytes.len() as u32, NONE, level);
        let slab = &mut self.slabs[class(bytes.len()).0];
        let start = entry.block as usize * slab.size;
        slab.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        let CacheStore { table, entries, slabs, .. } = self;
        table.insert_unique(hash, handle, |&handle| self::hash(record(entries, slabs, handle)));
        self.stored += 1;
        Some(handle)
    }

    /// Takes the state off the stack: it may be replaced from now on. If there are too many states, one is
    /// replaced at once.
    pub(crate) fn release(&mut self, handle: Handle) {
        if !self.idle.add(&mut self.entries, handle, &mut self.budget) {
            self.remove(handle);
        } else if self.stored > self.most {
            self.replace();
        }
    }

    fn replace(&mut self) {
        if let Some(handle) = self.idle.take(&mut self.entries) {
            self.remove(handle);
        }
    }

    fn remove(&mut self, handle: Handle) {
        let hash = hash(self.get(handle));
        let found = self.table.find_entry(hash, |&other| other == handle);
        found.expect("every state stored is in the index").remove();
        let entry = &mut self.entries[handle as usize];
        let slab = &mut self.slabs[class(entry.len as usize).0];
        entry.link = slab.vacant;
        slab.vacant = handle;
        self.stored -= 1;
        self.replaced += 1;
    }

    /// A vacant entry with a block for `length` bytes.
    fn place(&mut self, length: usize) -> Option<Handle> {
        let (class, size) = class(length);
        while self.slabs.len() <= class {
            let slab = Slab { size: 0, bytes: Vec::new(), blocks: 0, vacant: NONE };
            self.slabs.push(slab);
        }
        let slab = &mut self.slabs[class];
        if slab.vacant != NONE {
            let handle = slab.vacant;
            slab.vacant = self.entries[handle as usize].link;
            return Some(handle);
        }
        slab.size = size;
        let handle = Handle::try_from(self.entries.len()).ok().filter(|&next| next != NONE)?;
        let fits = u32::try_from(length).is_ok()
            && self.budget.reserve(&mut self.entries, 1)
            && self.budget.reserve(&mut slab.bytes, size);
        if !fits {
            return None;
        }
        slab.bytes.resize(slab.bytes.len() + size, 0);
        self.entries.push(Entry { block: slab.blocks, len: 0, link: NONE, level: 0 });
        slab.blocks += 1;
        Some(handle)
    }

    /// Enlarges the index. The old one exists until the new one is complete.
    #[cold]
    fn grow_index(&mut self) -> bool {
        let CacheStore { table, entries, slabs, budget, .. } = self;
        let old = table.allocation_size() as u64;
        if !budget.allows(2 * old + 64) {
            return false;
        }
        let hash_of = |&handle: &Handle| hash(record(entries, slabs, handle));
        if table.try_reserve(1, hash_of).is_err() {
            return false;
        }
        let new = table.allocation_size() as u64;
        self.peak_bytes = self.peak_bytes.max(budget.used + new);
        budget.used = budget.used - old + new;
        true
    }
}

fn record<'a>(entries: &[Entry], slabs: &'a [Slab], handle: Handle) -> &'a [u8] {
    let entry = &entries[handle as usize];
    let slab = &slabs[class(entry.len as usize).0];
    let start = entry.block as usize * slab.size;
    &slab.bytes[start..start + entry.len as usize]
}

/// The slab for records of a length, and the size of its blocks: the length itself, or for long records the
/// next eighth between two powers of two.
#[inline]
fn class(length: usize) -> (usize, usize) {
    if length <= EXACT {
        return (length, length);
    }
    let shift = (length - 1).ilog2() - EXACT.ilog2();
    let step = (EXACT / 8) << shift;
    let size = length.next_multiple_of(step);
    (EXACT + 1 + 8 * shift as usize + (size - 1) / step - 8, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_a_slab_whose_blocks_are_little_longer() {
        let mut last = (0, 0);
        for length in 1..100_000 {
            let (number, size) = class(length);
            assert!(size >= length && size <= length + length / 8, "{length}: {size}");
            let same = (number, size) == last;
            assert!(same || (number == last.0 + 1 && size > last.1 && length > last.1), "{length}");
            last = (number, size);
        }
    }

    #[test]
    fn stored_states_are_those_not_replaced() {
        for replacement in
            [Replacement::Random, Replacement::Oldest, Replacement::Seldom, Replacement::Strata]
        {
            for seed in 0..40 {
                let mut random = fastrand::Rng::with_seed(seed);
                let most = random.u64(0..30);
                let mut store = CacheStore::new(most, replacement, Budget::new(None));
                let mut stack: Vec<(Handle, Vec<u8>)> = Vec::new();
                for _ in 0..2_000 {
                    let length = random.usize(1..9) * random.usize(1..30);
                    let bytes = vec![random.u8(..); length];
                    if !stack.is_empty() && random.usize(..stack.len() + 20) > 15 {
                        let (handle, bytes) = stack.pop().unwrap();
                        assert_eq!(store.get(handle), bytes);
                        store.release(handle);
                    } else if !store.meet(hash(&bytes), &bytes) {
                        let handle = store.insert(hash(&bytes), &bytes, stack.len()).unwrap();
                        stack.push((handle, bytes));
                    }
                    assert!(stack.iter().all(|(handle, bytes)| store.get(*handle) == bytes));
                    assert!(stack.iter().all(|(_, bytes)| store.meet(hash(bytes), bytes)));
                    assert!(store.stored <= most.max(stack.len() as u64));
                    assert!(store.stored >= stack.len() as u64);
                    assert_eq!(store.stored, store.table.len() as u64);
                }
                assert!(store.replaced > 0);
            }
        }
    }

    #[test]
    fn the_oldest_and_the_least_reached_are_replaced_first() {
        let fill = |replacement| {
            let mut store = CacheStore::new(4, replacement, Budget::new(None));
            for n in 0..4u8 {
                let handle = store.insert(hash(&[n]), &[n], 1).unwrap();
                store.release(handle);
            }
            store
        };
        let mut oldest = fill(Replacement::Oldest);
        assert!(oldest.insert(hash(&[9]), &[9], 1).is_some());
        let stored: Vec<bool> = (0..4u8).map(|n| oldest.meet(hash(&[n]), &[n])).collect();
        assert_eq!(stored, [false, true, true, true]);
        let mut seldom = fill(Replacement::Seldom);
        assert!([0, 1, 3, 0].iter().all(|&n| seldom.meet(hash(&[n]), &[n])));
        assert!(seldom.insert(hash(&[9]), &[9], 1).is_some());
        let stored: Vec<bool> = (0..4u8).map(|n| seldom.meet(hash(&[n]), &[n])).collect();
        assert_eq!(stored, [true, true, false, true]);
    }
}
