//! Storing many states at once, on several threads, as if one thread had stored them one after the other.
//!
//! Threads look states up while the window does not change. Those that they do not find are *candidates*, which they
//! claim, so that each is there once, with the first edge to it. There is a list of candidates for each chunk of
//! sources, in the order of one thread. Storing them takes two steps, each on all threads:
//!
//! 1. Each list drops the candidates to which another list has an earlier edge, and counts the others by layer. The
//!    sums over the lists before it are its first numbers. So every state gets the number that one thread would
//!    give it.
//! 2. Each list copies its states to their places in the arenas, and puts them into the tables.

mod claims;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::arena::{handles_in, mixed_cost, write};
use super::layer::{Room, Storing};
use super::table::SharedTable;
use super::window::{LayerId, Opened, Window};
use crate::progress::Value;
use crate::threads::Threads;
use claims::Record;
pub(crate) use claims::{Claimer, Claims, EdgeNumber, Found};

/// How many states ahead a table or a record is prefetched.
const AHEAD: usize = 16;

/// A candidate with the first edge to it that its list has.
#[derive(Clone, Copy)]
struct Candidate {
    found: Found,
    edge: EdgeNumber,
}

/// What [`Candidates::new_states`] tells of a state.
pub(crate) struct NewState {
    pub(crate) layer: LayerId,
    /// Its number in its layer.
    pub(crate) number: u64,
    /// The first edge to it.
    pub(crate) edge: EdgeNumber,
}

/// The layers that must be opened for candidates, by their progress. All threads of a round share them, so that
/// equal candidates have equal layers.
#[derive(Default)]
pub(crate) struct Unopened(Mutex<Vec<Value>>);

impl Unopened {
    /// Stands for the layer of `value`.
    fn of(&self, value: &Value) -> LayerId {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = values.iter().position(|known| known == value);
        LayerId::unopened(known.unwrap_or_else(|| {
            values.push(value.clone());
            values.len() - 1
        }))
    }

    pub(crate) fn clear(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// A layer that a list of candidates must have opened.
struct Opening {
    value: Value,
    id: LayerId,
    /// The parked layer of this value.
    parked: Option<LayerId>,
}

/// The candidates of a chunk of sources, in order.
///
/// Two threads fill neighbouring lists at the same time, so each has cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Candidates {
    items: Vec<Candidate>,
    /// In the order they were met.
    openings: Vec<Opening>,
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
        self.openings.clear();
    }

    /// Number of candidates.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Stands for the layer of `value`, which must be opened.
    pub(crate) fn unopened(
        &mut self,
        value: &Value,
        unopened: &Unopened,
        window: &Window,
    ) -> LayerId {
        if let Some(known) = self.openings.iter().find(|opening| opening.value == *value) {
            return known.id;
        }
        let (id, parked) = (unopened.of(value), window.parked(value));
        self.openings.push(Opening { value: value.clone(), id, parked });
        id
    }

    /// The layer with the stored states of `id`, if there is one.
    #[inline]
    pub(crate) fn stored(&self, id: LayerId) -> Option<LayerId> {
        if id.index_unopened().is_none() {
            return Some(id);
        }
        self.openings.iter().find(|opening| opening.id == id)?.parked
    }

    /// Adds a candidate to which `edge` is the first edge that was found so far.
    #[inline]
    pub(crate) fn push(&mut self, found: Found, edge: EdgeNumber) {
        self.items.push(Candidate { found, edge });
    }

    /// Drops the candidates to which another list has an earlier edge, and counts the others by layer.
    fn count(&mut self, claims: &Claims, opened: &[LayerId]) {
        let (mut tallies, mut last) = (std::mem::take(&mut self.tallies), 0);
        tallies.clear();
        let mut kept = 0;
        for at in 0..self.items.len() {
            self.items.get(at + AHEAD).iter().for_each(|item| claims.prefetch(item.found));
            let item = self.items[at];
            let (record, _) = claims.get(item.found);
            if record.first() != item.edge {
                continue;
            }
            self.items[kept] = item;
            kept += 1;
            let layer = layer_in(record, opened);
            if tallies.get(last).is_none_or(|tally: &Tally| tally.layer != layer) {
                last = tallies.iter().position(|tally| tally.layer == layer).unwrap_or_else(|| {
                    tallies.push(Tally::new(layer, record.length()));
                    tallies.len() - 1
                });
            }
            tallies[last].add(record.length());
        }
        self.items.truncate(kept);
        self.tallies = tallies;
    }

    /// Gives the new states their numbers.
    fn number(&self, claims: &Claims, opened: &[LayerId]) {
        let mut tallies = self.tallies.clone();
        for item in &self.items {
            let (record, _) = claims.get(item.found);
            let layer = layer_in(record, opened);
            let tally = tallies.iter_mut().find(|tally| tally.layer == layer);
            let tally = tally.expect("every layer was counted");
            record.set_number(tally.first as u32);
            tally.first += 1;
        }
    }

    /// The new states, in order, after they are numbered.
    pub(crate) fn new_states<'c>(
        &'c self,
        claims: &'c Claims,
        plan: &'c BulkPlan,
    ) -> impl Iterator<Item = NewState> + 'c {
        self.items.iter().map(|item| {
            let (record, _) = claims.get(item.found);
            let layer = layer_in(record, &plan.opened);
            NewState { layer, number: u64::from(record.number()), edge: item.edge }
        })
    }

    /// Numbers the new states, copies them to their places, and puts them into the tables.
    fn store(
        &self,
        claims: &Claims,
        opened: &[LayerId],
        mut rooms: Vec<ListRoom<'_>>,
        found: &mut Vec<Indexing>,
    ) {
        found.clear();
        let mut last = 0;
        for (at, item) in self.items.iter().enumerate() {
            self.items.get(at + AHEAD).iter().for_each(|item| claims.prefetch(item.found));
            let (record, state) = claims.get(item.found);
            let layer = layer_in(record, opened);
            if rooms[last].layer != layer {
                last = rooms.iter().position(|room| room.layer == layer).expect("it has a room");
            }
            let room = &mut rooms[last];
            record.set_number(room.number as u32);
            let number = room.is_mixed.then_some(room.number as u32);
            room.number += 1;
            room.bytes = write(std::mem::take(&mut room.bytes), state, number);
            if room.table.is_some() {
                found.push((record.hash(), room.handle, last));
            }
            room.handle += match room.is_mixed {
                true => handles_in(mixed_cost(state.len())) as u32,
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

/// The layer of a candidate, after all layers are opened.
#[inline]
fn layer_in(record: &Record, opened: &[LayerId]) -> LayerId {
    record.layer.index_unopened().map_or(record.layer, |index| opened[index])
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
    /// The layers that were opened.
    opened: Vec<LayerId>,
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

impl BulkPlan {
    /// The layer and the number of a candidate to which `edge` leads, after the new states are numbered, and
    /// whether this is the first edge to it.
    pub(crate) fn target(
        &self,
        claims: &Claims,
        found: Found,
        edge: EdgeNumber,
    ) -> (LayerId, u64, bool) {
        let (record, _) = claims.get(found);
        let layer = layer_in(record, &self.opened);
        (layer, u64::from(record.number()), record.first() == edge)
    }
}

impl Window {
    /// Finds the new states among the candidates, whose sources have progress `line`, and numbers them if that
    /// is needed before they are stored. `None` if they must be stored one by one: there may not be enough
    /// memory, or a layer gets states of different lengths.
    pub(crate) fn plan_all(
        &mut self,
        (claims, lists): (&Claims, &mut [Candidates]),
        line: &Value,
        threads: &Threads,
        numbered: bool,
    ) -> Option<BulkPlan> {
        let before = self.opened();
        let opened = self.open_all(lists, line);
        threads.each_mut(lists, |_, _, list| list.count(claims, &opened));
        let mut layers = BTreeMap::<LayerId, Storing>::new();
        for tally in lists.iter_mut().flat_map(|list| &mut list.tallies) {
            let layer = self.layer(tally.layer);
            let sum = layers.entry(tally.layer).or_insert_with(|| layer.storing(tally.length));
            tally.first = layer.len() + sum.records;
            sum.records += tally.records;
            sum.bytes += if layer.is_mixed() { tally.mixed } else { tally.plain };
            sum.is_uniform &= tally.is_uniform && tally.length == sum.length;
        }
        let plan = BulkPlan { layers, opened, before };
        let costs = plan.layers.iter().map(|(&id, sum)| self.layer(id).cost_of(sum));
        let needed: Option<usize> = costs.sum();
        if needed.is_none_or(|needed| !self.budget.allows(needed as u64)) {
            self.give_up(&plan);
            return None;
        }
        if numbered {
            threads.each(lists.len(), |_, list| lists[list].number(claims, &plan.opened));
        }
        Some(plan)
    }

    /// Opens the layers of the candidates in the order of one thread.
    fn open_all(&mut self, lists: &[Candidates], line: &Value) -> Vec<LayerId> {
        let mut opened = Vec::new();
        for Opening { value, id, .. } in lists.iter().flat_map(|list| &list.openings) {
            let index = id.index_unopened().expect("it stands for a layer to be opened");
            if opened.len() <= index {
                opened.resize(index + 1, LayerId::default());
            }
            opened[index] = self.target(value, Some(line));
        }
        opened
    }

    /// Undoes a plan before anything is stored.
    pub(crate) fn give_up(&mut self, plan: &BulkPlan) {
        self.close_since(plan.before, plan.opened.iter().copied());
    }

    /// Stores the candidates that were planned, and calls `each` for every list that is stored, with its number.
    /// `None` if there is no memory.
    pub(crate) fn store_all(
        &mut self,
        (claims, lists): (&Claims, &mut [Candidates]),
        plan: &BulkPlan,
        threads: &Threads,
        each: impl Fn(usize, &Candidates) + Sync,
    ) -> Option<BulkStored> {
        for (&id, sum) in &plan.layers {
            if !self.layer_mut(id).reserve(sum) {
                return None;
            }
        }
        let storing = self.copy_all((claims, lists), plan, threads, each);
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
        (claims, lists): (&Claims, &mut [Candidates]),
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
            lists[list].store(claims, &plan.opened, std::mem::take(rooms), storing);
            each(list, &lists[list]);
        });
        drop(work);
        storing
    }
}
