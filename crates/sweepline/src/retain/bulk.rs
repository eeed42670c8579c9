//! Storing many states at once, on several threads, as if one thread had stored them one after the other.
//!
//! Threads look states up while the window does not change. Those that they do not find are *candidates*.
//! They are in order: a list of them for each chunk of sources, the lists in the order of the chunks. Storing
//! them takes three steps, each on all threads:
//!
//! 1. Of equal candidates only the first is new. Candidates are divided into parts by their hash; one thread
//!    goes through all candidates of a part, in order.
//! 2. The new ones are numbered: each list counts its new states by layer, and the sums over the lists before
//!    it are its first numbers. So every state gets the number that one thread would give it.
//! 3. Each list copies its new states to their places in the arenas, and puts them into the tables.

mod equal;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::arena::{equal, handles_in, mixed_cost, write};
use super::layer::{Room, Storing};
use super::table::SharedTable;
use super::window::{LayerId, Opened, Window};
use crate::progress::Value;
use crate::threads::Threads;
pub(crate) use equal::EqualSearch;
use equal::find_equal;

/// Into how many parts candidates are divided, as a power of two.
const PARTS_LOG2: u32 = 6;
const PARTS: usize = 1 << PARTS_LOG2;

/// How many slots ahead a table is prefetched.
const AHEAD: usize = 16;

/// A state that was not stored when it was looked up.
struct Candidate {
    hash: u64,
    /// [`NEW`] with its number in its layer, or the candidate that it equals: list and index.
    fate: AtomicU64,
    start: u32,
    length: u32,
    layer: LayerId,
    /// The number of its source in the round, and its own number among the successors of the source.
    source: u32,
    action: u32,
}

/// Marks the first of equal candidates.
const NEW: u64 = 1 << 63;

/// What [`Candidates::new_states`] tells of a state.
pub(crate) struct NewState {
    pub(crate) layer: LayerId,
    /// Its number in its layer.
    pub(crate) number: u64,
    /// The number of its source in the round.
    pub(crate) source: u32,
    /// Its number among the successors of its source.
    pub(crate) action: u32,
}

/// The candidates of a chunk of sources, in order.
///
/// Two threads fill neighbouring lists at the same time, so each has cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Candidates {
    items: Vec<Candidate>,
    bytes: Vec<u8>,
    /// The progress values whose layers must be opened, in the order they were met; the parked layers of these
    /// values; and the layers that were opened.
    values: Vec<Value>,
    parked: Vec<Option<LayerId>>,
    opened: Vec<LayerId>,
    /// The items by part, and where each part starts.
    by_part: Vec<u32>,
    starts: Vec<u32>,
    tallies: Vec<Tally>,
    /// Memory for the new states while they are stored.
    storing: Vec<Indexing>,
}

/// A new state that is to be put into the table of a room: its hash, its handle, the room.
type Indexing = (u64, u32, usize);

/// The new states of a list in one layer.
#[derive(Clone, Copy)]
struct Tally {
    layer: LayerId,
    records: usize,
    /// Their bytes in a layer whose states all have the same length, and in one whose states have not.
    plain: usize,
    mixed: usize,
    /// The length of the first one, and whether the others have it too.
    length: u32,
    is_uniform: bool,
    /// The number of the first one in its layer.
    first: usize,
}

impl Candidates {
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.bytes.clear();
        self.values.clear();
        self.parked.clear();
    }

    /// Number of candidates.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.len() + self.items.len() * size_of::<Candidate>()
    }

    /// Stands for the layer of `value`, which must be opened.
    pub(crate) fn unopened(&mut self, value: &Value, window: &Window) -> LayerId {
        let known = self.values.iter().position(|known| known == value);
        LayerId::unopened(known.unwrap_or_else(|| {
            self.values.push(value.clone());
            self.parked.push(window.parked(value));
            self.values.len() - 1
        }))
    }

    /// The layer with the stored states of `id`, if there is one.
    #[inline]
    pub(crate) fn stored(&self, id: LayerId) -> Option<LayerId> {
        id.index_unopened().map_or(Some(id), |index| self.parked[index])
    }

    /// Adds a candidate. `false` if there are too many.
    #[must_use]
    #[inline]
    pub(crate) fn push(
        &mut self,
        layer: LayerId,
        hash: u64,
        bytes: &[u8],
        source: u32,
        action: u32,
    ) -> bool {
        let (start, length) = (u32::try_from(self.bytes.len()), u32::try_from(bytes.len()));
        let (Ok(start), Ok(length)) = (start, length) else { return false };
        self.bytes.extend_from_slice(bytes);
        let fate = AtomicU64::new(NEW);
        self.items.push(Candidate { hash, fate, start, length, layer, source, action });
        self.items.len() < u32::MAX as usize
    }

    /// Whether the candidate `index` is the state `bytes` of `layer`.
    #[inline]
    pub(crate) fn is(&self, index: usize, layer: LayerId, bytes: &[u8]) -> bool {
        let item = &self.items[index];
        item.layer == layer && equal(self.record(item), bytes)
    }

    /// Divides the candidates into parts; none is added after this.
    pub(crate) fn seal(&mut self) {
        let Candidates { items, by_part, starts, .. } = self;
        starts.clear();
        starts.resize(PARTS + 1, 0);
        items.iter().for_each(|item| starts[part_of(item.hash) + 1] += 1);
        for part in 0..PARTS {
            starts[part + 1] += starts[part];
        }
        by_part.clear();
        by_part.resize(items.len(), 0);
        let mut next: [u32; PARTS] = starts[..PARTS].try_into().expect("one start for each part");
        for (index, item) in items.iter().enumerate() {
            let next = &mut next[part_of(item.hash)];
            by_part[*next as usize] = index as u32;
            *next += 1;
        }
    }

    fn part(&self, part: usize) -> &[u32] {
        &self.by_part[self.starts[part] as usize..self.starts[part + 1] as usize]
    }

    fn layer(&self, item: &Candidate) -> LayerId {
        item.layer.index_unopened().map_or(item.layer, |index| self.opened[index])
    }

    #[inline]
    fn record(&self, item: &Candidate) -> &[u8] {
        &self.bytes[range(item)]
    }

    /// Whether the candidate `a` of this list and `b` of `other` are the same state.
    fn same(&self, a: &Candidate, other: &Candidates, b: &Candidate) -> bool {
        a.hash == b.hash
            && self.layer(a) == other.layer(b)
            && equal(self.record(a), other.record(b))
    }

    /// Counts the new states by layer.
    fn count(&mut self) {
        let mut tallies = std::mem::take(&mut self.tallies);
        tallies.clear();
        let mut last = 0;
        for item in self.items.iter().filter(|item| is_new(item)) {
            let layer = self.layer(item);
            if tallies.get(last).is_none_or(|tally: &Tally| tally.layer != layer) {
                last = tallies.iter().position(|tally| tally.layer == layer).unwrap_or_else(|| {
                    tallies.push(Tally::new(layer, item.length));
                    tallies.len() - 1
                });
            }
            tallies[last].add(item.length);
        }
        self.tallies = tallies;
    }

    /// Gives the new states their numbers.
    fn number(&mut self) {
        let mut tallies = self.tallies.clone();
        for item in self.items.iter().filter(|item| is_new(item)) {
            let layer = self.layer(item);
            let tally = tallies.iter_mut().find(|tally| tally.layer == layer);
            let tally = tally.expect("every layer was counted");
            item.fate.store(NEW | tally.first as u64, Ordering::Relaxed);
            tally.first += 1;
        }
    }

    /// The new states, in order, after they are numbered.
    pub(crate) fn new_states(&self) -> impl Iterator<Item = NewState> {
        self.items.iter().filter(|item| is_new(item)).map(|item| NewState {
            layer: self.layer(item),
            number: item.fate.load(Ordering::Relaxed) & !NEW,
            source: item.source,
            action: item.action,
        })
    }

    /// Numbers the new states, copies them to their places, and puts them into the tables.
    fn store(&self, mut rooms: Vec<ListRoom<'_>>, found: &mut Vec<Indexing>) {
        found.clear();
        let mut last = 0;
        for item in self.items.iter().filter(|item| is_new(item)) {
            let layer = self.layer(item);
            if rooms[last].layer != layer {
                last = rooms.iter().position(|room| room.layer == layer).expect("it has a room");
            }
            let room = &mut rooms[last];
            item.fate.store(NEW | room.number as u64, Ordering::Relaxed);
            let number = room.is_mixed.then_some(room.number as u32);
            room.number += 1;
            room.bytes = write(std::mem::take(&mut room.bytes), self.record(item), number);
            if room.table.is_some() {
                found.push((item.hash, room.handle, last));
            }
            room.handle += match room.is_mixed {
                true => handles_in(mixed_cost(item.length as usize)) as u32,
                false => 1,
            };
        }
        for at in 0..found.len() {
            if let Some(&(hash, _, room)) = found.get(at + AHEAD) {
                rooms[room].table.iter().for_each(|table| table.prefetch(hash));
            }
            let (hash, handle, room) = found[at];
            let room = &rooms[room];
            if room.table.is_some_and(|table| !table.insert(hash, handle)) {
                room.is_spent.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Tally {
    fn new(layer: LayerId, length: u32) -> Self {
        let (records, plain, mixed) = (0, 0, 0);
        Tally { layer, records, plain, mixed, length, is_uniform: true, first: 0 }
    }

    fn add(&mut self, length: u32) {
        self.records += 1;
        self.plain += length as usize;
        self.mixed += mixed_cost(length as usize);
        self.is_uniform &= length == self.length;
    }
}

#[inline]
fn part_of(hash: u64) -> usize {
    (hash >> (64 - PARTS_LOG2)) as usize
}

#[inline]
fn range(item: &Candidate) -> Range<usize> {
    item.start as usize..(item.start + item.length) as usize
}

#[inline]
fn is_new(item: &Candidate) -> bool {
    item.fate.load(Ordering::Relaxed) & NEW != 0
}

/// The place of a list's new states in a layer.
struct ListRoom<'l> {
    layer: LayerId,
    is_mixed: bool,
    bytes: &'l mut [u8],
    /// The number and the handle of the next one.
    number: usize,
    handle: u32,
    /// The table, unless it is built again afterwards.
    table: Option<SharedTable<'l>>,
    is_spent: &'l AtomicBool,
}

/// The new states of all lists, by layer.
pub(crate) struct BulkPlan {
    layers: BTreeMap<LayerId, Storing>,
    /// The window before layers were opened.
    before: Opened,
}

impl BulkPlan {
    /// The serial numbers of the layers that get new states.
    pub(crate) fn serials(&self, window: &Window) -> impl Fn(LayerId) -> u64 + use<> {
        let serials: Vec<(LayerId, u64)> =
            self.layers.keys().map(|&id| (id, window.layer(id).serial)).collect();
        move |id| serials[serials.partition_point(|(other, _)| *other < id)].1
    }
}

/// How many states were stored.
#[derive(Clone, Copy, Default)]
pub(crate) struct BulkStored {
    pub(crate) states: u64,
    pub(crate) persistent: u64,
}

/// The layer and the number of a candidate, after the new ones are numbered.
pub(crate) fn target_of(lists: &[Candidates], list: usize, index: usize) -> (LayerId, u64, bool) {
    let found = &lists[list].items[index];
    let fate = found.fate.load(Ordering::Relaxed);
    if fate & NEW != 0 {
        return (lists[list].layer(found), fate & !NEW, true);
    }
    let (first, at) = ((fate >> 32) as usize, fate as u32 as usize);
    let (layer, number, _) = target_of(lists, first, at);
    (layer, number, false)
}

impl Window {
    /// Finds the new states among the candidates, whose sources have progress `line`, and numbers them if that
    /// is needed before they are stored. `None` if they must be stored one by one: there may not be enough
    /// memory, or a layer gets states of different lengths.
    pub(crate) fn plan_all(
        &mut self,
        lists: &mut [Candidates],
        line: &Value,
        (threads, searches): (&Threads, &[Mutex<EqualSearch>]),
        numbered: bool,
    ) -> Option<BulkPlan> {
        let before = self.opened();
        for list in &mut *lists {
            list.opened.clear();
            let opened = list.values.iter().map(|value| self.target(value, Some(line)));
            list.opened.extend(opened);
        }
        let shared = &*lists;
        threads.each(PARTS, |thread, part| {
            let mut search = searches[thread].lock().unwrap_or_else(PoisonError::into_inner);
            find_equal(shared, part, &mut search);
        });
        threads.each_mut(lists, |_, _, list| list.count());
        let mut layers = BTreeMap::<LayerId, Storing>::new();
        for tally in lists.iter_mut().flat_map(|list| &mut list.tallies) {
            let layer = self.layer(tally.layer);
            let sum = layers.entry(tally.layer).or_insert_with(|| layer.storing(tally.length));
            tally.first = layer.len() + sum.records;
            sum.records += tally.records;
            sum.bytes += if layer.is_mixed() { tally.mixed } else { tally.plain };
            sum.is_uniform &= tally.is_uniform && tally.length == sum.length;
        }
        let plan = BulkPlan { layers, before };
        let costs = plan.layers.iter().map(|(&id, sum)| self.layer(id).cost_of(sum));
        let needed: Option<usize> = costs.sum();
        if needed.is_none_or(|needed| !self.budget.allows(needed as u64)) {
            self.give_up(lists, &plan);
            return None;
        }
        if numbered {
            threads.each_mut(lists, |_, _, list| list.number());
        }
        Some(plan)
    }

    /// Undoes a plan before anything is stored.
    pub(crate) fn give_up(&mut self, lists: &[Candidates], plan: &BulkPlan) {
        self.close_since(plan.before, lists.iter().flat_map(|list| list.opened.iter().copied()));
    }

    /// Stores the candidates that were planned, and calls `each` for every list that is stored, with its number.
    /// `None` if there is no memory.
    pub(crate) fn store_all(
        &mut self,
        lists: &mut [Candidates],
        plan: &BulkPlan,
        threads: &Threads,
        each: impl Fn(usize, &Candidates) + Sync,
    ) -> Option<BulkStored> {
        for (&id, sum) in &plan.layers {
            if !self.layer_mut(id).reserve(sum) {
                return None;
            }
        }
        let storing = self.copy_all(lists, plan, threads, each);
        lists.iter_mut().zip(storing).for_each(|(list, storing)| list.storing = storing);
        let mut stored = BulkStored::default();
        for (&id, sum) in &plan.layers {
            stored.states += sum.records as u64;
            stored.persistent += if self.is_parked(id) { sum.records as u64 } else { 0 };
            if !self.add(id, sum, threads) {
                return None;
            }
        }
        Some(stored)
    }

    fn copy_all(
        &mut self,
        lists: &mut [Candidates],
        plan: &BulkPlan,
        threads: &Threads,
        each: impl Fn(usize, &Candidates) + Sync,
    ) -> Vec<Vec<Indexing>> {
        let mut storing: Vec<Vec<Indexing>> =
            lists.iter_mut().map(|list| std::mem::take(&mut list.storing)).collect();
        let lists = &*lists;
        let mut rooms: Vec<Vec<ListRoom<'_>>> = lists.iter().map(|_| Vec::new()).collect();
        for (id, Room { mut bytes, mut handle, table, is_mixed, is_spent }) in
            self.rooms(&plan.layers)
        {
            for (list, rooms) in lists.iter().zip(&mut rooms) {
                let Some(tally) = list.tallies.iter().find(|tally| tally.layer == id) else {
                    continue;
                };
                let length = if is_mixed { tally.mixed } else { tally.plain };
                let (own, rest) = std::mem::take(&mut bytes).split_at_mut(length);
                bytes = rest;
                let number = tally.first;
                let bytes = own;
                rooms.push(ListRoom {
                    layer: id,
                    is_mixed,
                    bytes,
                    number,
                    handle,
                    table,
                    is_spent,
                });
                handle += if is_mixed { handles_in(length) as u32 } else { tally.records as u32 };
            }
        }
        let mut work: Vec<_> = rooms.into_iter().zip(&mut storing).collect();
        threads.each_mut(&mut work, |_, list, (rooms, storing)| {
            lists[list].store(std::mem::take(rooms), storing);
            each(list, &lists[list]);
        });
        drop(work);
        storing
    }
}
