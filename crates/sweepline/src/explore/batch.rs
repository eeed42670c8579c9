//! Successors on their way into the store.

use crate::model::Model;
use crate::retain::{Hint, LayerId};

/// Successors gathered before any is looked up, so that the memory they touch is on its way.
const ITEMS: usize = 64;
/// The same in bytes: a few huge states are enough.
const BYTES: usize = 1 << 20;

/// A successor that waits to be looked up.
pub(super) struct Item<A> {
    pub(super) hash: u64,
    pub(super) hint: Hint,
    /// Where its bytes stand in the batch.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The layer where it belongs.
    pub(super) layer: LayerId,
    /// Which successor of its source it is.
    pub(super) number: u32,
    /// The number of its source in the layer being expanded.
    pub(super) source: u64,
    pub(super) action: A,
}

pub(super) struct Batch<M: Model> {
    pub(super) bytes: Vec<u8>,
    pub(super) items: Vec<Item<M::Action>>,
    /// Bytes of the states expanded into this batch, by number; only for recomputed witnesses.
    pub(super) sources: Vec<(u64, Box<[u8]>)>,
}

impl<M: Model> Default for Batch<M> {
    fn default() -> Self {
        Batch { bytes: Vec::new(), items: Vec::new(), sources: Vec::new() }
    }
}

impl<M: Model> Batch<M> {
    /// The successors of a further state may be gathered before the batch is looked up.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.items.len() < ITEMS && self.bytes.len() < BYTES
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.items.clear();
        self.sources.clear();
    }

    pub(super) fn source_bytes(&self, number: u64) -> Option<&[u8]> {
        let at = self.sources.binary_search_by_key(&number, |&(n, _)| n).ok()?;
        Some(&self.sources[at].1)
    }
}
