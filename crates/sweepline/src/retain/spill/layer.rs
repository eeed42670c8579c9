//! A layer whose states are in files.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::Poll;
use super::disk::Disk;
use super::found::{Found, entries_of};
use super::run::Run;
use super::stored::{POLL, StoredStates};
use super::waiting::Waiting;
use crate::observe::witness::{Origin, Origins};
use crate::retain::{Budget, Layer};
use crate::verdict::StopReason;

/// After so many found states, their memory is measured again.
const CHARGE: usize = 64;

/// A layer whose states are in files. States that were found wait in memory until they are compared with these.
pub(crate) struct SpilledLayer {
    disk: Arc<Disk>,
    stored: StoredStates,
    waiting: Waiting,
    found: Found,
    /// Number of stored states, of expanded ones, and of those before the end of the level.
    len: u64,
    expanded: u64,
    level: u64,
    /// For the witness log.
    pub(crate) origins: Origins,
    /// Bytes charged to the budget, besides those of the states that were found.
    charged: u64,
}

impl SpilledLayer {
    /// Copies the states of `layer` to files.
    pub(crate) fn of(disk: &Arc<Disk>, layer: &Layer, poll: Poll<'_>) -> Result<Self, StopReason> {
        let (len, (expanded, waiting)) = (layer.len(), layer.next_state());
        let mut stored = StoredStates::default();
        let (mut first, mut handle) = (0, 0);
        let mut entries = Vec::with_capacity(disk.piece.min(len));
        while first < len {
            poll()?;
            let count = disk.piece.min(len - first);
            entries.clear();
            entries.extend(entries_of(layer, first, handle, count));
            (first, handle) = (first + count, layer.skip(handle, count));
            entries.sort_unstable();
            let mut run = Run::new(disk);
            for &(hash, handle, _) in &entries {
                run.push(hash, layer.state(handle).0)?;
            }
            stored.push(run)?;
        }
        let (mut queue, mut next) = (Waiting::default(), waiting);
        for _ in expanded..len {
            let (bytes, after) = layer.state(next);
            next = after;
            queue.push(disk, bytes)?;
        }
        queue.rest()?;
        Ok(SpilledLayer {
            disk: Arc::clone(disk),
            stored,
            waiting: queue,
            found: Found::default(),
            len: len as u64,
            expanded: expanded as u64,
            level: (expanded + layer.waiting()) as u64,
            origins: Origins::default(),
            charged: 0,
        })
    }

    /// Number of stored states.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Number of states that were found since the last comparison.
    pub(crate) fn found(&self) -> usize {
        self.found.len()
    }

    /// Whether some of them were found from a state of the layer with the serial number `layer`.
    pub(crate) fn found_from(&self, layer: u64) -> bool {
        self.found.is_from(layer)
    }

    /// Memory of these states.
    pub(crate) fn found_bytes(&self) -> u64 {
        self.found.state_bytes() + self.found.bytes() as u64
    }

    /// Takes the next state of the level: its number.
    #[inline]
    pub(crate) fn take(&mut self, state: &mut Vec<u8>) -> Result<Option<u64>, StopReason> {
        if self.expanded >= self.level || !self.waiting.take(state)? {
            return Ok(None);
        }
        self.expanded += 1;
        Ok(Some(self.expanded - 1))
    }

    /// Makes the waiting states the next level. `false` if none is waiting.
    pub(crate) fn begin_level(&mut self) -> bool {
        self.level = self.len;
        self.expanded < self.level
    }

    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        self.found.prefetch(hash);
    }

    /// Notes that a state was found. `false` if there is no memory.
    #[inline]
    pub(crate) fn find(
        &mut self,
        hash: u64,
        bytes: &[u8],
        origin: Option<Origin>,
        budget: &mut Budget,
    ) -> bool {
        let before = self.found.len();
        let is_added = self.found.add(hash, bytes, origin, budget);
        if self.found.len() > before && self.found.len().is_multiple_of(CHARGE) {
            self.charge(budget);
        }
        is_added
    }

    /// Compares the states that were found with the stored ones. The new ones are stored and wait; `record` gets their
    /// numbers and origins. Returns how many are new.
    pub(crate) fn settle(
        &mut self,
        budget: &mut Budget,
        poll: Poll<'_>,
        mut record: impl FnMut(u64, &mut Origins, Option<Origin>) -> Result<(), StopReason>,
    ) -> Result<u64, StopReason> {
        if self.found.len() == 0 {
            return Ok(0);
        }
        let before = self.len;
        let SpilledLayer { disk, stored, waiting, found, origins, len, .. } = self;
        let entries = found.sorted(poll)?;
        let mut known = FixedBitSet::with_capacity(entries.len());
        let state = |handle| found.state(handle);
        stored.each_stored(&entries, state, |number| known.insert(number as usize), poll)?;
        let mut run = Run::new(disk);
        for part in entries.chunks(POLL) {
            poll()?;
            for &(hash, handle, number) in part {
                if !known.contains(number as usize) {
                    run.push(hash, found.state(handle))?;
                }
            }
        }
        drop(entries);
        stored.push(run)?;
        for (number, (bytes, origin)) in found.each().enumerate() {
            if number.is_multiple_of(POLL) {
                poll()?;
            }
            if !known.contains(number) {
                waiting.push(disk, bytes)?;
                record(*len, origins, origin)?;
                *len += 1;
            }
        }
        waiting.rest()?;
        found.clear(budget);
        stored.tidy(disk, poll)?;
        self.charge(budget);
        Ok(self.len - before)
    }

    /// Updates the budget to the memory of the layer.
    pub(crate) fn charge(&mut self, budget: &mut Budget) {
        let bytes = (self.stored.bytes() + self.waiting.bytes() + self.found.bytes()) as u64;
        budget.used = budget.used + bytes - self.charged;
        self.charged = bytes;
    }

    /// Takes the memory of the layer, which is about to be freed, out of the budget.
    pub(crate) fn uncharge(&mut self, budget: &mut Budget) {
        self.found.uncharge(budget);
        budget.used -= std::mem::take(&mut self.charged);
    }
}
