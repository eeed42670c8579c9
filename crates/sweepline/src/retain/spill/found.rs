//! States that were found, and may be stored already.

use super::Poll;
use super::stored::Entry;
use crate::observe::witness::{Origin, OriginList};
use crate::retain::{Budget, Hint, Layer, Stored, hash};
use crate::verdict::StopReason;

/// States that are sorted together.
const PART: usize = 1 << 15;
/// Bytes of memory that looking up a state takes.
const LOOK_UP: usize = size_of::<Entry>() + 1;

/// A set of states in the order in which they were found, with their origins.
pub(super) struct Found {
    states: Layer,
    origins: OriginList,
}

impl Default for Found {
    fn default() -> Self {
        Found { states: Layer::new(false), origins: OriginList::default() }
    }
}

impl Found {
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Memory in use besides that of the states, including that of looking them up.
    pub(super) fn bytes(&self) -> usize {
        self.origins.bytes() + self.len() * LOOK_UP
    }

    /// Whether some state was found from a state of the layer `layer`.
    pub(super) fn is_from(&self, layer: u64) -> bool {
        self.origins.is_from(layer)
    }

    /// Memory of the states.
    pub(super) fn state_bytes(&self) -> u64 {
        self.states.charged()
    }

    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        self.states.prefetch_slot(hash);
    }

    /// Adds a state, unless it was found before. `false` if there is no memory.
    #[inline]
    pub(super) fn add(
        &mut self,
        hash: u64,
        bytes: &[u8],
        origin: Option<Origin>,
        budget: &mut Budget,
    ) -> bool {
        match self.states.insert(hash, Hint::default(), bytes, budget) {
            Stored::New(_) => {
                if let Some(origin) = origin {
                    self.origins.push(origin);
                }
                true
            }
            Stored::Seen(..) => true,
            Stored::Full => false,
        }
    }

    /// The states, sorted by hash: first into parts by the first bits of the hash, then each part.
    pub(super) fn sorted(&self, poll: Poll<'_>) -> Result<Vec<Entry>, StopReason> {
        let bits = (self.len() / PART + 1).ilog2();
        let part = |hash: u64| (hash >> 1 >> (63 - bits)) as usize;
        let all = || entries_of(&self.states, 0, 0, self.len());
        let mut ends = vec![0; 1 << bits];
        all().for_each(|(hash, ..)| ends[part(hash)] += 1);
        let mut end = 0;
        for part in &mut ends {
            end += std::mem::replace(part, end);
        }
        let mut entries = vec![Entry::default(); self.len()];
        for entry in all() {
            let end = &mut ends[part(entry.0)];
            entries[*end] = entry;
            *end += 1;
        }
        let mut start = 0;
        for end in ends {
            poll()?;
            entries[start..end].sort_unstable();
            start = end;
        }
        Ok(entries)
    }

    /// The state `handle`.
    pub(super) fn state(&self, handle: u32) -> &[u8] {
        self.states.state(handle).0
    }

    /// The states in the order in which they were found, each with its origin if these are kept.
    pub(super) fn each(&self) -> impl Iterator<Item = (&[u8], Option<Origin>)> {
        let (mut origins, mut next) = (self.origins.iter(), 0);
        (0..self.len()).map(move |_| {
            let (bytes, after) = self.states.state(next);
            next = after;
            (bytes, origins.next())
        })
    }

    pub(super) fn clear(&mut self, budget: &mut Budget) {
        self.states.vacate(budget);
        self.origins = OriginList::default();
    }

    /// Takes the memory of the states, which are about to be freed, out of the budget.
    pub(super) fn uncharge(&mut self, budget: &mut Budget) {
        self.states.uncharge(budget);
    }
}

/// The `count` states of a layer from the state `first` on, whose handle is `handle`.
pub(super) fn entries_of(
    layer: &Layer,
    first: usize,
    handle: u32,
    count: usize,
) -> impl Iterator<Item = Entry> {
    let mut next = handle;
    (first..first + count).map(move |number| {
        let handle = next;
        let (bytes, after) = layer.state(handle);
        next = after;
        (hash(bytes), handle, number as u32)
    })
}
