//! Successors that are waiting to be looked up.

use std::ops::Range;

use crate::retain::{Hint, LayerId, Window, hash};

/// Maximal number of successors that are looked up together.
pub(super) const ITEMS: usize = 1024;
/// The same in bytes: a few huge states are enough.
const BYTES: usize = 1 << 20;

/// If the successors of one state have more bytes than this, they are looked up before the rest is gathered.
const HEAVY: usize = 16 << 20;

/// Index size from which prefetching records pays.
const LARGE: usize = 1 << 20;

/// A successor that is waiting to be looked up.
pub(super) struct Item<A> {
    pub(super) hash: u64,
    pub(super) hint: Hint,
    /// Where its bytes start in the batch.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its layer.
    pub(super) layer: LayerId,
    /// Which successor of its source it is.
    pub(super) number: u32,
    /// The number of its source in the layer being expanded.
    pub(super) source: u64,
    pub(super) action: A,
    /// The range of its sleeping actions in the batch.
    pub(super) sleep: Range<usize>,
}

/// Successors that are waiting to be looked up.
pub(super) struct Batch<A> {
    pub(super) bytes: Vec<u8>,
    pub(super) items: Vec<Item<A>>,
    /// Bytes of the states expanded into this batch, by number; only for recomputed witnesses.
    sources: Vec<(u64, Box<[u8]>)>,
    /// Actions that sleep at the successors.
    pub(super) asleep: Vec<u32>,
}

impl<A> Batch<A> {
    pub(super) fn new() -> Self {
        Batch { bytes: Vec::new(), items: Vec::new(), sources: Vec::new(), asleep: Vec::new() }
    }

    /// Whether the successors of another state may be gathered before the batch is looked up.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.items.len() < ITEMS && self.bytes.len() < BYTES
    }

    /// Whether the successors of one state alone are large.
    #[inline]
    pub(super) fn is_heavy(&self) -> bool {
        self.bytes.len() > HEAVY
    }

    /// Clears the batch, except for the source `number`, whose successors are being gathered.
    pub(super) fn clear_but_source(&mut self, number: u64) {
        let mut sources = std::mem::take(&mut self.sources);
        self.clear();
        sources.retain(|&(source, _)| source == number);
        self.sources = sources;
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.items.clear();
        self.sources.clear();
        self.asleep.clear();
    }

    /// Keeps the bytes of the source `number`. Sources need not come in order, because states can be visited
    /// again.
    pub(super) fn keep_source(&mut self, number: u64, bytes: &[u8]) {
        if let Err(at) = self.sources.binary_search_by_key(&number, |&(n, _)| n) {
            self.sources.insert(at, (number, bytes.into()));
        }
    }

    pub(super) fn source_bytes(&self, number: u64) -> Option<&[u8]> {
        let at = self.sources.binary_search_by_key(&number, |&(n, _)| n).ok()?;
        Some(&self.sources[at].1)
    }
}

impl<A> Batch<A> {
    /// Hashes the batch and prefetches the memory of its look-ups: first the slots, then, while those of the
    /// later items are being loaded, the records that they refer to. Not for hashes that are `known`.
    #[inline]
    pub(super) fn fetch_ahead(&mut self, window: &Window, known: impl Fn(u64) -> bool) {
        let Batch { items, bytes, .. } = self;
        let mut large = false;
        for item in items.iter_mut() {
            item.hash = hash(&bytes[item.start..item.end]);
            if known(item.hash) {
                continue;
            }
            let Some(layer) = window.stored_layer(item.layer) else { continue };
            layer.prefetch_slot(item.hash);
            large |= layer.index_bytes() > LARGE;
        }
        if large {
            for item in items.iter_mut().filter(|item| !known(item.hash)) {
                let Some(layer) = window.stored_layer(item.layer) else { continue };
                item.hint = layer.prefetch_record(item.hash);
            }
        }
    }
}
