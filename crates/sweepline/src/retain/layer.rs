//! A layer: all stored states of one progress value, their index, and which of them are expanded.

mod bulk;
mod part;
mod saved;

use super::Budget;
use super::arena::{Arena, Handle};
use super::sleep_sets::SleepSets;
use super::table::{Probe, Table};
use crate::observe::witness::Origins;
use crate::progress::Value;
pub(super) use bulk::{Room, Storing};
pub(crate) use part::Class;

/// Bytes of an empty layer: itself, its smallest blocks, its entries in the maps of the window. It is
/// measured, because a sweep may have a hundred thousand thin layers.
const OVERHEAD: u64 = 1024;

/// The result of inserting a state into a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    /// It was not stored; now it is, as the record of this number.
    New(usize),
    /// It was stored before, as the record of this number and handle.
    Seen(usize, u32),
    /// It was not stored, and there is no memory for it.
    Full,
}

/// Where in the index of a layer a search may start; valid until the index is rebuilt.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Hint {
    slot: usize,
    rebuilds: u32,
}

/// The position of a layer relative to the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) enum LayerStatus {
    /// Recycled: belongs to no progress value.
    #[default]
    Free,
    /// Some of its states are waiting to be expanded.
    Open,
    /// All of its states are expanded; the layer is still in the window.
    Passed,
    /// Behind the line: contains only persistent states, and a state that is stored in it becomes persistent.
    Parked,
}

#[derive(Default)]
pub(crate) struct Layer {
    pub(crate) value: Value,
    /// Identifies this layer among all layers of the run.
    pub(crate) serial: u64,
    /// The origins of the states of this layer, for the witness.
    pub(crate) origins: Origins,
    /// Kept for the whole run: contains the target of an edge that left its column backwards.
    pub(crate) pinned: bool,
    pub(crate) place: LayerStatus,
    arena: Arena,
    table: Table,
    pub(super) sleep_sets: SleepSets,
    /// Number of times the index was built; detects outdated hints.
    rebuilds: u32,
    /// The record to expand next, and its number.
    next: Handle,
    expanded: usize,
    /// The states before this one belong to the level being expanded, or to earlier ones.
    level: usize,
    /// The first `kept` records are persistent; `kept_end` is the handle after them.
    kept: usize,
    kept_end: Handle,
    /// Bytes charged to the budget.
    charged: u64,
}

impl Layer {
    pub(crate) fn new(mixed: bool) -> Self {
        Layer { arena: Arena::new(mixed), ..Layer::default() }
    }

    /// Number of stored states.
    pub(crate) fn len(&self) -> usize {
        self.arena.len()
    }

    /// Number of persistent states.
    pub(crate) fn kept(&self) -> usize {
        self.kept
    }

    /// Whether some state is waiting to be expanded, or must be visited again.
    pub(crate) fn is_open(&self) -> bool {
        self.expanded < self.arena.len() || self.sleep_sets.any_woken()
    }

    /// Whether the state `number` is expanded, or is expanded with the current level.
    pub(crate) fn is_expanded(&self, number: usize) -> bool {
        number < self.level
    }

    pub(super) fn is_mixed(&self) -> bool {
        self.arena.is_mixed()
    }

    /// Whether a level is being expanded.
    pub(crate) fn is_within_level(&self) -> bool {
        self.expanded < self.level
    }

    /// Makes the waiting states the next level, unless a resumed run is within a level. `false` if none is
    /// waiting.
    pub(crate) fn begin_level(&mut self) -> bool {
        if self.expanded >= self.level {
            self.level = self.arena.len();
        }
        self.is_open()
    }

    /// Takes the next state of the level: its number, its bytes, and whether it was expanded before and must
    /// be visited again because actions woke up. Those come after all waiting states.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<(usize, &[u8], bool)> {
        if self.expanded < self.level {
            let (handle, number) = (self.next, self.expanded);
            self.next = self.arena.after(handle);
            self.expanded += 1;
            return Some((number, self.arena.get(handle), false));
        }
        if self.expanded < self.arena.len() {
            return None;
        }
        let (number, handle) = self.sleep_sets.next_woken()?;
        Some((number as usize, self.arena.get(handle), true))
    }

    /// The actions that sleep at the state `number`, and those that woke up and must be explored.
    pub(crate) fn asleep(&mut self, number: usize) -> (&[u32], &[u32]) {
        self.sleep_sets.take(number)
    }

    /// Removes all but the actions to `keep` from the sleep set of the state `number`, which is about to be
    /// expanded.
    pub(crate) fn retain_asleep(&mut self, number: usize, keep: impl Fn(u32) -> bool) {
        self.sleep_sets.retain(number, keep);
    }

    /// The state `number` was found again with `actions` asleep. `true` if it must be visited again.
    pub(crate) fn wake(&mut self, number: usize, handle: u32, actions: &[u32]) -> bool {
        self.sleep_sets.meet(number, handle, number < self.expanded, actions)
    }

    /// Number of states of the level that are waiting.
    pub(crate) fn waiting(&self) -> usize {
        self.level.saturating_sub(self.expanded)
    }

    /// The number and the handle of the next state of the level.
    pub(crate) fn next_state(&self) -> (usize, u32) {
        (self.expanded, self.next)
    }

    /// The handle `states` states after `handle`.
    pub(crate) fn skip(&self, handle: u32, states: usize) -> u32 {
        match self.arena.is_mixed() {
            true => (0..states).fold(handle, |handle, _| self.arena.after(handle)),
            false => handle + states as Handle,
        }
    }

    /// The state `handle`, and the handle after it.
    #[inline]
    pub(crate) fn state(&self, handle: u32) -> (&[u8], u32) {
        (self.arena.get(handle), self.arena.after(handle))
    }

    /// Takes the next `count` states of the level; the handle after them is `next`.
    pub(crate) fn take_all(&mut self, count: usize, next: u32) {
        debug_assert!(count <= self.waiting());
        self.expanded += count;
        self.next = next;
    }

    /// The number of the state `bytes`, if it is stored.
    pub(crate) fn find(&self, hash: u64, bytes: &[u8]) -> Option<usize> {
        self.find_from(hash, Hint::default(), bytes)
    }

    /// The same with a position in the index.
    #[inline]
    pub(crate) fn find_from(&self, hash: u64, hint: Hint, bytes: &[u8]) -> Option<usize> {
        if self.table.bytes() == 0 {
            return None;
        }
        let valid = hint.rebuilds == self.rebuilds;
        let start = if valid { hint.slot } else { self.table.home(hash) };
        match self.table.find(hash, start, bytes, &self.arena) {
            Probe::Found(handle) => Some(self.arena.number(handle)),
            Probe::Vacant(_) => None,
        }
    }

    /// The state `number`. Takes time proportional to `number` if states differ in length.
    pub(crate) fn get(&self, number: usize) -> &[u8] {
        self.arena.get(self.handle(number))
    }

    /// Calls `show` for every state, in the order of storing.
    pub(crate) fn each_state(&self, show: &mut impl FnMut(&[u8])) {
        self.arena.records().for_each(show);
    }

    fn handle(&self, number: usize) -> Handle {
        self.skip(0, number)
    }

    /// Prefetches the slot of `hash`.
    #[inline]
    pub(crate) fn prefetch_slot(&self, hash: u64) {
        self.table.prefetch(hash);
    }

    /// Prefetches the record that `hash` most likely belongs to. Returns its position in the index.
    #[inline]
    pub(crate) fn prefetch_record(&self, hash: u64) -> Hint {
        if self.table.bytes() == 0 {
            return Hint::default();
        }
        let (slot, handle) = self.table.candidate(hash);
        if let Some(handle) = handle {
            self.arena.prefetch(handle);
        }
        Hint { slot, rebuilds: self.rebuilds }
    }

    /// Bytes of the index, to decide whether prefetching pays.
    #[inline]
    pub(crate) fn index_bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Stores the state `bytes` unless it is stored.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        hash: u64,
        hint: Hint,
        bytes: &[u8],
        budget: &mut Budget,
    ) -> Stored {
        if self.table.bytes() == 0 && !self.grow(false, budget) {
            return Stored::Full;
        }
        let valid = hint.rebuilds == self.rebuilds;
        let start = if valid { hint.slot } else { self.table.home(hash) };
        let mut slot = match self.table.find(hash, start, bytes, &self.arena) {
            Probe::Found(handle) => return Stored::Seen(self.arena.number(handle), handle),
            Probe::Vacant(slot) => slot,
        };
        while self.must_grow(slot, bytes.len()) {
            let is_spent = self.table.is_spent(slot);
            if !self.make_room(bytes.len(), is_spent, budget) {
                return Stored::Full;
            }
            let start = self.table.home(hash);
            let Probe::Vacant(moved) = self.table.find(hash, start, bytes, &self.arena) else {
                unreachable!("a state appeared while its layer grew")
            };
            slot = moved;
        }
        let handle = self.arena.next_handle() as Handle;
        let cost = self.arena.cost(bytes.len()) as u64;
        if !budget.allows(cost) || !self.arena.push(bytes) {
            return Stored::Full;
        }
        budget.used += cost;
        self.charged += cost;
        self.table.fill(slot, hash, handle);
        if self.place == LayerStatus::Parked {
            self.kept = self.arena.len();
            self.kept_end = self.arena.next_handle() as Handle;
        }
        Stored::New(self.arena.len() - 1)
    }

    #[inline]
    fn must_grow(&self, slot: usize, length: usize) -> bool {
        !self.arena.admits(length)
            || self.table.is_spent(slot)
            || self.table.is_full(self.len(), self.arena.next_handle())
    }

    #[cold]
    fn make_room(&mut self, length: usize, is_spent: bool, budget: &mut Budget) -> bool {
        if !self.arena.admits(length) {
            let (next, kept_end) = (self.expanded, self.kept);
            // Both forms are in memory during the conversion.
            if !budget.allows(self.arena.mixed_bytes() as u64) {
                return false;
            }
            let Some(mixed) = self.arena.to_mixed() else { return false };
            self.arena = mixed;
            self.next = self.handle(next);
            self.kept_end = self.handle(kept_end);
            let arena = &self.arena;
            self.sleep_sets.rename(|number| (0..number).fold(0, |handle, _| arena.after(handle)));
            self.table = Table::default();
        }
        self.grow(is_spent, budget)
    }

    /// Enlarges the index; only a little if there is not enough memory.
    #[cold]
    fn grow(&mut self, is_spent: bool, budget: &mut Budget) -> bool {
        let len = self.len();
        // The memory of the current table is freed before the new one is made.
        let room = budget.left() + self.table.bytes() as u64;
        let wanted = self.table.wanted(len, is_spent);
        let affordable = usize::try_from(room / 4).unwrap_or(usize::MAX);
        let tight = affordable < wanted;
        let capacity = if tight { affordable / 64 * 63 } else { wanted };
        if tight && capacity < Table::fitting_tight(len + 1 + len / 64) {
            return false;
        }
        let built = self.rebuild(capacity, tight);
        self.charge(budget);
        built && !self.table.is_full(len, self.arena.next_handle())
    }

    fn rebuild(&mut self, capacity: usize, tight: bool) -> bool {
        self.rebuilds = self.rebuilds.wrapping_add(1).max(1);
        self.table.rebuild(capacity, &self.arena, tight)
    }

    /// Updates the budget to the memory of the layer.
    pub(super) fn charge(&mut self, budget: &mut Budget) {
        let used = self.arena.used_bytes()
            + self.table.bytes()
            + self.origins.bytes()
            + self.sleep_sets.bytes();
        let bytes = OVERHEAD + used as u64;
        budget.used = budget.used + bytes - self.charged;
        self.charged = bytes;
    }

    /// Memory of the layer, as it was last charged to the budget.
    pub(crate) fn charged(&self) -> u64 {
        self.charged
    }

    /// Frees the states of the layer, which are kept elsewhere from now on.
    pub(super) fn vacate(&mut self, budget: &mut Budget) {
        let mixed = self.is_mixed();
        self.arena = Arena::new(mixed);
        self.table = Table::default();
        self.rebuilds = self.rebuilds.wrapping_add(1).max(1);
        (self.next, self.expanded, self.level) = (0, 0, 0);
        self.charge(budget);
    }

    /// Takes the memory of the layer, which is about to be freed, out of the budget.
    pub(super) fn uncharge(&mut self, budget: &mut Budget) {
        budget.used -= std::mem::take(&mut self.charged);
    }

    /// Empties the layer for another progress value; releases large allocations.
    pub(super) fn reset(&mut self, mixed: bool, budget: &mut Budget) {
        let len = self.len();
        self.arena.clear(mixed);
        self.table.clear(len);
        self.rebuilds = self.rebuilds.wrapping_add(1).max(1);
        (self.next, self.expanded, self.level) = (0, 0, 0);
        (self.kept, self.kept_end) = (0, 0);
        (self.pinned, self.place) = (false, LayerStatus::Free);
        self.origins.clear(0);
        self.sleep_sets.clear(0);
        self.charge(budget);
    }

    /// Makes all states persistent. All are expanded.
    pub(super) fn keep_all(&mut self) {
        debug_assert!(!self.is_open());
        (self.kept, self.kept_end) = (self.arena.len(), self.next);
    }

    /// Marks all states of the parked layer as waiting to be expanded again.
    pub(super) fn rewind(&mut self) {
        debug_assert_eq!((self.place, self.kept), (LayerStatus::Parked, self.len()));
        (self.next, self.expanded, self.level, self.place) = (0, 0, 0, LayerStatus::Open);
    }

    /// Drops everything except the persistent states, which are all expanded.
    pub(super) fn park(&mut self, budget: &mut Budget) -> bool {
        let mut records = Arena::new(self.arena.is_mixed());
        if !self.arena.records().take(self.kept).all(|record| records.push(record)) {
            return false;
        }
        self.arena = records;
        let built = self.rebuild(Table::fitting(self.kept + 8), false);
        self.origins.clear(self.kept);
        self.sleep_sets.clear(self.kept);
        (self.next, self.expanded, self.level) = (self.kept_end, self.kept, self.kept);
        self.place = LayerStatus::Parked;
        self.charge(budget);
        built
    }

    /// Frees all memory of an empty layer.
    pub(super) fn give_back(&mut self, budget: &mut Budget) {
        self.arena = Arena::new(self.arena.is_mixed());
        self.table = Table::default();
        self.charge(budget);
    }
}
