//! Retention: which states are stored, for how long, and in which memory.
//!
//! Nearly all unsafe code of the library is in this folder: see ARCHITECTURE.md.
#![allow(unsafe_code)]

mod arena;
mod block;
mod bulk;
mod cache;
mod layer;
mod replacement;
mod simd;
mod sleep_sets;
mod spill;
mod table;
#[cfg(test)]
mod tests;
mod window;

pub(crate) use bulk::{BulkPlan, Candidates, Claimer, Claims, EdgeNumber, Found, Unopened};
pub(crate) use cache::{CacheStore, Handle};
pub(crate) use layer::{Class, Hint, Layer, Stored};
pub use replacement::Replacement;
pub(crate) use spill::{Disk, SpilledLayer};
pub(crate) use table::hash;
pub(crate) use window::{
    LayerCache, LayerId, Restoring, SavedLayer, SavedWindow, StateStatus, Window,
};

/// The bytes that the store may use, and those that it uses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget {
    pub(crate) limit: u64,
    pub(crate) used: u64,
}

impl Budget {
    pub(crate) fn new(limit: Option<u64>) -> Self {
        Budget { limit: limit.unwrap_or(u64::MAX), used: 0 }
    }

    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    pub(crate) fn allows(&self, bytes: u64) -> bool {
        bytes <= self.left()
    }

    /// Reserves space in `list` for `more` items, and for further ones if there is memory. `false` if there
    /// is not enough memory.
    #[must_use]
    #[inline]
    pub(crate) fn reserve<T>(&mut self, list: &mut Vec<T>, more: usize) -> bool {
        list.capacity() - list.len() >= more || self.grow(list, more)
    }

    #[cold]
    fn grow<T>(&mut self, list: &mut Vec<T>, more: usize) -> bool {
        let before = list.capacity();
        let (spare, size) = (before - list.len(), size_of::<T>());
        [before / 2, before / 16, 0].into_iter().any(|ahead| {
            let added = (more - spare).max(ahead);
            let fits = self.allows(added.saturating_mul(size) as u64)
                && list.try_reserve_exact(spare + added).is_ok();
            if fits {
                self.used += ((list.capacity() - before) * size) as u64;
            }
            fits
        })
    }
}
