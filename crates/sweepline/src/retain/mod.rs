//! Retention: which states are held, for how long, and in what memory.
//!
//! All unsafe code of the library lives in this folder.
#![allow(unsafe_code)]

mod arena;
mod block;
mod lanes;
mod layer;
mod table;
#[cfg(test)]
mod tests;
mod window;

pub(crate) use layer::{Hint, Layer, Stored};
pub(crate) use table::hash;
pub(crate) use window::{LayerId, Window};

/// Bytes the store may use, and uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) limit: u64,
    pub(crate) used: u64,
}

impl Budget {
    pub(crate) fn new(limit: Option<u64>) -> Self {
        Budget { limit: limit.unwrap_or(u64::MAX), used: 0 }
    }

    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    fn allows(&self, bytes: u64) -> bool {
        bytes <= self.left()
    }
}
