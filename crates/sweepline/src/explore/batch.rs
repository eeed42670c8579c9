//! Successors on their way into the store.

use std::ops::Range;

use super::trail::Trail;
use super::{Step, decided, disk};
use crate::model::Model;
use crate::observe::{Observer, StateId};
use crate::retain::{Hint, LayerId, Stored, Window, hash};
use crate::verdict::StopReason;

/// Successors gathered before any is looked up, so that the memory they touch is on its way.
const ITEMS: usize = 64;
/// The same in bytes: a few huge states are enough.
const BYTES: usize = 1 << 20;

/// So many bytes of one state's successors are looked up before the rest is gathered.
const HEAVY: usize = 16 << 20;

/// Index size from which fetching records ahead pays.
const LARGE: usize = 1 << 20;

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
    /// Where the actions that sleep there stand in the batch.
    pub(super) sleep: Range<usize>,
}

pub(super) struct Batch<M: Model> {
    pub(super) bytes: Vec<u8>,
    pub(super) items: Vec<Item<M::Action>>,
    /// Bytes of the states expanded into this batch, by number; only for recomputed witnesses.
    pub(super) sources: Vec<(u64, Box<[u8]>)>,
    /// Actions that sleep at the successors.
    pub(super) asleep: Vec<u32>,
}

impl<M: Model> Default for Batch<M> {
    fn default() -> Self {
        Batch { bytes: Vec::new(), items: Vec::new(), sources: Vec::new(), asleep: Vec::new() }
    }
}

impl<M: Model> Batch<M> {
    /// The successors of a further state may be gathered before the batch is looked up.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.items.len() < ITEMS && self.bytes.len() < BYTES
    }

    /// The successors of one state alone are many.
    #[inline]
    pub(super) fn is_heavy(&self) -> bool {
        self.bytes.len() > HEAVY
    }

    /// Forgets what was looked up, but not the source `number`, whose successors are being gathered.
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

    /// Remembers the bytes of the source `number`, which may come after later ones when it is visited
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

/// What takes in the successors of a batch.
pub(super) struct Intake<'a, O> {
    pub(super) window: &'a mut Window,
    pub(super) trail: &'a mut Trail,
    pub(super) observer: &'a mut O,
    /// States stored so far.
    pub(super) stored: &'a mut u64,
    /// States stored since the last collection.
    pub(super) uncollected: &'a mut u64,
    pub(super) persistent: &'a mut u64,
    /// The run has sleep sets.
    pub(super) sleeps: bool,
    /// The observer sees nothing.
    pub(super) silent: bool,
}

impl<O> Intake<'_, O> {
    /// Looks up the successors of a batch, whose sources are in one layer, and stores those that are
    /// new.
    pub(super) fn take<M: Model>(&mut self, batch: &mut Batch<M>, source_layer: LayerId) -> Step
    where
        O: Observer<M>,
    {
        self.fetch_ahead(batch);
        let links = !self.silent && self.observer.watches_links();
        let serial = self.window.layer(source_layer).serial;
        for item in &batch.items {
            let bytes = &batch.bytes[item.start..item.end];
            let source = StateId { layer: serial, number: item.source };
            let stored = self.window.insert(item.layer, item.hash, item.hint, bytes);
            let (number, seen) = match stored {
                Stored::Seen(number, handle) => (number, Some(handle)),
                Stored::New(number) => (number, None),
                Stored::Full => return Err(StopReason::Memory),
            };
            let new = seen.is_none();
            if self.sleeps {
                let asleep = &batch.asleep[item.sleep.clone()];
                self.window.sleep(item.layer, number, seen, asleep);
                if new && !self.window.charge(item.layer) {
                    return Err(StopReason::Memory);
                }
            }
            if new {
                (*self.stored, *self.uncollected) = (*self.stored + 1, *self.uncollected + 1);
                if self.window.is_parked(item.layer) {
                    *self.persistent += 1;
                }
                if !self.trail.is_off() {
                    let parent = batch.source_bytes(item.source);
                    let layer = self.window.layer_mut(item.layer);
                    self.trail.record(layer, number, source, item.number, parent).map_err(disk)?;
                    if self.trail.keeps_sources() && !self.window.charge(item.layer) {
                        return Err(StopReason::Memory);
                    }
                }
            }
            if links {
                let layer = self.window.layer(item.layer).serial;
                let target = StateId { layer, number: number as u64 };
                decided(self.observer.link(source, item.action, target, new))?;
            }
        }
        Ok(())
    }

    /// Hashes the batch and brings what its look-ups will touch into the cache: first the slots,
    /// then, while those of the later items are still on their way, the records they lead to.
    fn fetch_ahead<M: Model>(&mut self, batch: &mut Batch<M>) {
        let Batch { items, bytes, .. } = batch;
        let mut large = false;
        for item in items.iter_mut() {
            item.hash = hash(&bytes[item.start..item.end]);
            let layer = self.window.layer(item.layer);
            layer.prefetch_slot(item.hash);
            large |= layer.index_bytes() > LARGE;
        }
        if large {
            for item in items {
                item.hint = self.window.layer(item.layer).prefetch_record(item.hash);
            }
        }
    }
}
