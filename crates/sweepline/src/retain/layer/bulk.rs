//! Storing many states of a layer at once.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Budget, Handle, Layer, LayerStatus};
use crate::retain::arena::handles_in;
use crate::retain::table::{SharedTable, Table};
use crate::threads::Threads;

/// The new states of a layer.
pub(in crate::retain) struct Storing {
    pub(in crate::retain) records: usize,
    pub(in crate::retain) bytes: usize,
    /// The length of the first one, and whether all have it.
    pub(in crate::retain) length: u32,
    pub(in crate::retain) is_uniform: bool,
    /// The spare slots of the table did not suffice.
    is_spent: AtomicBool,
}

/// Where new states go.
pub(in crate::retain) struct Room<'l> {
    pub(in crate::retain) bytes: &'l mut [u8],
    /// The handle of the first one.
    pub(in crate::retain) handle: Handle,
    /// The table, unless it is built again afterwards.
    pub(in crate::retain) table: Option<SharedTable<'l>>,
    pub(in crate::retain) is_mixed: bool,
    pub(in crate::retain) is_spent: &'l AtomicBool,
}

impl Layer {
    /// No new states yet; the first one has `length` bytes.
    pub(in crate::retain) fn storing(&self, length: u32) -> Storing {
        Storing { records: 0, bytes: 0, length, is_uniform: true, is_spent: AtomicBool::new(false) }
    }

    /// Bytes that storing `new` takes. `None` if their lengths do not fit the form of the arena, or there are
    /// too many.
    pub(in crate::retain) fn cost_of(&self, new: &Storing) -> Option<usize> {
        let fits = new.is_uniform && self.arena.admits(new.length as usize);
        if !self.is_mixed() && !fits {
            return None;
        }
        let table = Table::bytes_of(self.planned(new)) - self.table.bytes();
        u32::try_from(self.end_handle(new)).is_ok().then_some(new.bytes + table)
    }

    /// Number of slots of the table after `new` is stored.
    fn planned(&self, new: &Storing) -> usize {
        self.table.planned(self.len() + new.records)
    }

    /// The handle after the last record, after `new` is stored.
    fn end_handle(&self, new: &Storing) -> usize {
        self.arena.next_handle() + if self.is_mixed() { handles_in(new.bytes) } else { new.records }
    }

    /// Whether the table must be built again for `new`.
    fn outgrows(&self, new: &Storing) -> bool {
        self.planned(new) != self.table.capacity() || !self.table.has_bits_for(self.end_handle(new))
    }

    /// Reserves memory for `new`, apart from that of the table.
    #[must_use]
    pub(in crate::retain) fn reserve(&mut self, new: &Storing) -> bool {
        self.arena.reserve(new.bytes)
    }

    /// The place for `new`, whose memory is reserved.
    pub(in crate::retain) fn room<'l>(&'l mut self, new: &'l Storing) -> Room<'l> {
        let (outgrown, is_mixed) = (self.outgrows(new), self.is_mixed());
        Room {
            handle: self.arena.next_handle() as Handle,
            bytes: self.arena.room(new.bytes),
            table: (!outgrown).then(|| self.table.shared()),
            is_mixed,
            is_spent: &new.is_spent,
        }
    }

    /// Adds `new`, whose records are written. `false` if there is no memory for a larger table.
    #[must_use]
    pub(in crate::retain) fn add(
        &mut self,
        new: &Storing,
        threads: &Threads,
        budget: &mut Budget,
    ) -> bool {
        let (outgrown, capacity) = (self.outgrows(new), self.planned(new));
        self.arena.extend(new.records, new.bytes, new.length as usize);
        let mut indexed = !new.is_spent.load(Ordering::Relaxed);
        if outgrown {
            self.rebuilds = self.rebuilds.wrapping_add(1).max(1);
            if !self.table.empty(capacity, &self.arena, false) {
                return false;
            }
            indexed = self.table.index_with(&self.arena, threads);
        }
        self.charge(budget);
        if self.place == LayerStatus::Parked {
            self.kept = self.arena.len();
            self.kept_end = self.arena.next_handle() as Handle;
        }
        indexed || self.grow(true, budget)
    }
}
