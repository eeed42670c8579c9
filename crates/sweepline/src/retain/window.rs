//! The moving window: the layers ahead of the line, those just behind it, and the persistent states.
//!
//! A layer is *open* while some of its states are waiting, *passed* when all are expanded, then dropped. A
//! state behind the window that an edge reaches cannot be distinguished from a new one. It is stored in a
//! *parked* layer, becomes persistent, and is a root of the next sweep (Kristensen and Mailund 2002). Under a
//! measure with columns, parked layers are dropped when their column is finished (seed 003, figure 5).
//!
//! The layers next to the start of a sweep may be *anchored*: they are parked completely instead of dropped.
//! If the system returns to its start, the next sweep reaches these stored states and ends.

mod bulk;
mod part;
mod saved;
mod spill;

use std::collections::{BTreeMap, BTreeSet};

use super::layer::{Layer, LayerStatus};
use super::{Budget, Hint, Stored};
use crate::progress::{Step, Value};
pub(super) use bulk::Opened;
use part::Common;
pub(crate) use part::{Restoring, SavedLayer, SavedWindow};

/// Recycled layers kept for reuse.
const RECYCLED: usize = 64;
/// Entries of the cache in front of the ordered maps.
const CACHE: usize = 256;

/// Identifies a layer of the window.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct LayerId(u32);

/// Marks ids that stand for layers to be opened.
const UNOPENED: u32 = 1 << 31;

impl LayerId {
    /// Stands for the layer `index` of a list of layers to be opened.
    pub(super) fn unopened(index: usize) -> Self {
        LayerId(UNOPENED | index as u32)
    }

    /// The index in a list of layers to be opened.
    #[inline]
    pub(super) fn index_unopened(self) -> Option<usize> {
        (self.0 & UNOPENED != 0).then_some((self.0 & !UNOPENED) as usize)
    }
}

/// Whether a state is stored, and whether it was expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StateStatus {
    /// It is not stored.
    Absent,
    /// It is waiting to be expanded.
    Waiting,
    /// It was expanded.
    Expanded,
}

/// Layers that were looked up last, by their progress; in front of the ordered maps.
pub(crate) struct LayerCache([LayerId; CACHE]);

impl LayerCache {
    #[inline]
    fn entry(value: &Value) -> usize {
        value.components().last().map_or(0, |&c| c as usize % CACHE)
    }
}

impl Default for LayerCache {
    fn default() -> Self {
        LayerCache([LayerId(0); CACHE])
    }
}

#[derive(Default)]
pub(crate) struct Window {
    layers: Vec<Layer>,
    free: Vec<LayerId>,
    open: BTreeMap<Value, LayerId>,
    passed: BTreeMap<Value, LayerId>,
    parked: BTreeMap<Value, LayerId>,
    /// The values of the parked layers with states that no sweep has expanded yet.
    roots: BTreeSet<Value>,
    cache: LayerCache,
    /// The greatest value dropped in this sweep: at or below it, states may have been dropped.
    horizon: Option<Value>,
    /// The anchor distance, and the progress at the start of the column.
    anchor: u64,
    beginning: Option<Value>,
    columns: usize,
    /// Whether an edge back into the window, but to none of its layers, may open a new layer there.
    fills_gaps: bool,
    /// Whether some layer had states of different lengths: the next one is then expected to have them, too.
    mixed: bool,
    serials: u64,
    /// What other workers must know, if several explore.
    common: Option<Common>,
    pub(crate) budget: Budget,
    /// Number of states stored now.
    pub(crate) stored: u64,
}

impl Window {
    pub(crate) fn new(columns: usize, fills_gaps: bool, anchor: u64, budget: Budget) -> Self {
        Window {
            layers: vec![Layer::new(false)],
            free: vec![LayerId(0)],
            anchor,
            columns,
            fills_gaps,
            budget,
            ..Window::default()
        }
    }

    #[inline]
    pub(crate) fn layer(&self, id: LayerId) -> &Layer {
        &self.layers[id.0 as usize]
    }

    /// The layer `id`, unless it is still to be opened.
    #[inline]
    pub(crate) fn stored_layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(id.0 as usize)
    }

    #[inline]
    pub(crate) fn layer_mut(&mut self, id: LayerId) -> &mut Layer {
        &mut self.layers[id.0 as usize]
    }

    /// The layer with the serial number `serial`, if it is stored.
    pub(crate) fn by_serial(&self, serial: u64) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.place != LayerStatus::Free && layer.serial == serial)
    }

    /// The layer for a state of progress `value`, while the line is at `line`. Opens it if necessary.
    pub(crate) fn target(&mut self, value: &Value, line: Option<&Value>) -> LayerId {
        let entry = LayerCache::entry(value);
        let cached = self.cache.0[entry];
        if self.is_layer_of(cached, value) {
            return cached;
        }
        let id = self.look_up(value, line);
        self.cache.0[entry] = id;
        id
    }

    /// The same, if no layer must be opened or changed for it.
    pub(crate) fn known_target(
        &self,
        value: &Value,
        line: &Value,
        cache: &mut LayerCache,
    ) -> Option<LayerId> {
        let entry = LayerCache::entry(value);
        let cached = cache.0[entry];
        if self.is_layer_of(cached, value) {
            return Some(cached);
        }
        let found = self.open.get(value).or_else(|| self.passed.get(value));
        let id = match found {
            Some(&id) => id,
            None if value < line && !self.fills(value, line) => {
                let parked = self.parked(value)?;
                let settled = value.same_column(line, self.columns) || self.layer(parked).pinned;
                return settled.then_some(parked);
            }
            None => return None,
        };
        cache.0[entry] = id;
        Some(id)
    }

    /// Whether `id` is the layer of `value`, and not behind the line.
    #[inline]
    fn is_layer_of(&self, id: LayerId, value: &Value) -> bool {
        let layer = self.layer(id);
        // Not `==`, which is slower for few components.
        matches!(layer.place, LayerStatus::Open | LayerStatus::Passed)
            && matches!(layer.value.step_from(value), Step::Same)
    }

    /// Whether a layer for `value`, behind the line, may be opened within the window.
    fn fills(&self, value: &Value, line: &Value) -> bool {
        self.fills_gaps
            && value.same_column(line, self.columns)
            && self.horizon.as_ref().is_none_or(|horizon| value > horizon)
    }

    /// The parked layer of `value`.
    pub(super) fn parked(&self, value: &Value) -> Option<LayerId> {
        self.parked.get(value).copied()
    }

    fn look_up(&mut self, value: &Value, line: Option<&Value>) -> LayerId {
        if let Some(&id) = self.open.get(value).or_else(|| self.passed.get(value)) {
            return id;
        }
        let Some(line) = line.filter(|line| value < *line) else {
            return self.open_layer(value);
        };
        if self.fills(value, line) {
            return self.open_layer(value);
        }
        let same_column = value.same_column(line, self.columns);
        let id = match self.parked.get(value) {
            Some(&id) => id,
            None => self.fresh(value, LayerStatus::Parked),
        };
        self.parked.insert(value.clone(), id);
        if !same_column {
            self.pin(id);
        }
        id
    }

    /// Opens the layer of `value`, with the persistent states parked there, if any.
    fn open_layer(&mut self, value: &Value) -> LayerId {
        let id = match self.parked.remove(value) {
            Some(id) => {
                self.roots.remove(value);
                self.layer_mut(id).place = LayerStatus::Open;
                id
            }
            None => self.fresh(value, LayerStatus::Open),
        };
        if let Some(common) = &mut self.common {
            common.opened.push(value.clone());
        }
        self.open.insert(value.clone(), id);
        id
    }

    fn fresh(&mut self, value: &Value, place: LayerStatus) -> LayerId {
        let id = self.free.pop().unwrap_or_else(|| {
            self.layers.push(Layer::new(self.mixed));
            LayerId((self.layers.len() - 1) as u32)
        });
        self.serials += 1;
        let serial = self.serials;
        let mixed = self.mixed;
        let layer = &mut self.layers[id.0 as usize];
        layer.reset(mixed, &mut self.budget);
        layer.value.clone_from(value);
        (layer.place, layer.serial) = (place, serial);
        layer.pinned = self.common.as_ref().is_some_and(|common| common.pins(value));
        id
    }

    /// Stores a state in the layer `id` unless it is stored.
    #[inline]
    pub(crate) fn insert(&mut self, id: LayerId, hash: u64, hint: Hint, bytes: &[u8]) -> Stored {
        let layer = &mut self.layers[id.0 as usize];
        let stored = layer.insert(hash, hint, bytes, &mut self.budget);
        if let Stored::New(_) = stored {
            self.stored += 1;
            self.has_waiting(id);
        }
        stored
    }

    /// Notes that some state of the layer `id` is waiting now.
    #[inline]
    pub(crate) fn has_waiting(&mut self, id: LayerId) {
        match self.layer(id).place {
            LayerStatus::Passed => self.reopen(id),
            LayerStatus::Parked => self.note_root(id),
            LayerStatus::Open | LayerStatus::Free => {}
        }
    }

    /// The state `number` of the layer `id`, stored just now or `seen` before under a handle, was found
    /// with `actions` asleep.
    pub(crate) fn sleep(&mut self, id: LayerId, number: usize, seen: Option<u32>, actions: &[u32]) {
        let layer = &mut self.layers[id.0 as usize];
        match seen {
            None => layer.sleep_sets.put(number, actions),
            Some(handle) if layer.wake(number, handle, actions) => self.has_waiting(id),
            Some(_) => {}
        }
    }

    /// Whether the state `bytes` of progress `value` is stored and expanded.
    pub(crate) fn find(&self, value: &Value, hash: u64, bytes: &[u8]) -> StateStatus {
        let places = [&self.open, &self.passed, &self.parked];
        let Some(&id) = places.iter().find_map(|layers| layers.get(value)) else {
            return StateStatus::Absent;
        };
        let layer = self.layer(id);
        match layer.find(hash, bytes) {
            None => StateStatus::Absent,
            Some(number) if layer.is_expanded(number) => StateStatus::Expanded,
            Some(_) => StateStatus::Waiting,
        }
    }

    /// Calls `show` for every stored state.
    pub(crate) fn each_state(&self, mut show: impl FnMut(&[u8])) {
        let stored = self.layers.iter().filter(|layer| layer.place != LayerStatus::Free);
        stored.for_each(|layer| layer.each_state(&mut show));
    }

    /// Charges the data of the layer `id` other than its states to the budget. `false` beyond the limit.
    #[must_use]
    pub(crate) fn charge(&mut self, id: LayerId) -> bool {
        let layer = &mut self.layers[id.0 as usize];
        layer.charge(&mut self.budget);
        self.budget.used <= self.budget.limit
    }

    #[cold]
    fn reopen(&mut self, id: LayerId) {
        let layer = &mut self.layers[id.0 as usize];
        layer.place = LayerStatus::Open;
        self.passed.remove(&layer.value);
        self.open.insert(layer.value.clone(), id);
    }

    #[cold]
    fn note_root(&mut self, id: LayerId) {
        let value = &self.layers[id.0 as usize].value;
        if !self.roots.contains(value) {
            self.roots.insert(value.clone());
        }
    }

    /// Whether the layer `id` is behind the line and contains only persistent states.
    #[inline]
    pub(crate) fn is_parked(&self, id: LayerId) -> bool {
        self.layer(id).place == LayerStatus::Parked
    }

    /// The open layer of least progress.
    pub(crate) fn least_open(&self) -> Option<LayerId> {
        self.open.first_key_value().map(|(_, &id)| id)
    }

    /// Starts the first sweep of a column at `value`.
    pub(crate) fn begin_column(&mut self, value: &Value) {
        if self.anchor > 0 {
            self.beginning = Some(value.clone());
        }
    }

    /// Notes that all states of the layer `id` are expanded.
    pub(crate) fn pass(&mut self, id: LayerId) {
        let layer = &mut self.layers[id.0 as usize];
        debug_assert!(!layer.is_open());
        layer.place = LayerStatus::Passed;
        self.open.remove(&layer.value);
        self.passed.insert(layer.value.clone(), id);
    }

    /// The layer to drop next if passed layers within the distance `keep` of the line stay.
    ///
    /// The line is the least open layer, and only layers below it are dropped. A regress edge may have opened
    /// a layer again, from which edges may lead into the others.
    pub(crate) fn droppable(&self, keep: u64) -> Option<LayerId> {
        let (value, &id) = self.passed.first_key_value()?;
        let passed = match self.open.first_key_value() {
            Some((line, _)) => value < line && value.distance(line) > keep,
            None => true,
        };
        passed.then_some(id)
    }

    /// Drops the passed layer `id`; its persistent states are parked. `false` if there is no memory.
    #[must_use]
    pub(crate) fn drop_layer(&mut self, id: LayerId) -> bool {
        let layer = &mut self.layers[id.0 as usize];
        debug_assert_eq!(layer.place, LayerStatus::Passed);
        self.passed.remove(&layer.value);
        if self.horizon.as_ref().is_none_or(|horizon| *horizon < layer.value) {
            self.horizon = Some(layer.value.clone());
        }
        let value = &layer.value;
        if self.anchor > 0
            && self.beginning.as_ref().is_some_and(|b| b.distance(value) < self.anchor)
        {
            layer.keep_all();
        }
        self.stored -= (layer.len() - layer.kept()) as u64;
        if layer.kept() == 0 {
            self.recycle(id);
            return true;
        }
        self.parked.insert(layer.value.clone(), id);
        layer.park(&mut self.budget)
    }

    fn recycle(&mut self, id: LayerId) {
        let layer = &mut self.layers[id.0 as usize];
        self.mixed |= layer.is_mixed();
        layer.reset(self.mixed, &mut self.budget);
        if self.free.len() >= RECYCLED {
            layer.give_back(&mut self.budget);
        }
        self.free.push(id);
    }

    /// The least parked value with roots that no sweep has expanded yet.
    pub(crate) fn least_root(&self) -> Option<&Value> {
        self.roots.first()
    }

    /// Whether some root is waiting in the column of `value`.
    pub(crate) fn has_root_in(&self, value: &Value) -> bool {
        let next = self.roots.range(value.column_start(self.columns)..).next();
        next.is_some_and(|root| root.same_column(value, self.columns))
    }

    /// Opens every parked layer with roots in the column of `value`, to start the next sweep.
    pub(crate) fn open_roots(&mut self, value: &Value) {
        let columns = self.columns;
        let roots: Vec<Value> = self
            .roots
            .range(value.column_start(columns)..)
            .take_while(|root| root.same_column(value, columns))
            .cloned()
            .collect();
        self.horizon = None;
        for root in roots {
            self.open_layer(&root);
        }
    }

    /// Marks all parked states as waiting to be expanded again, from the start; no layer is open.
    pub(crate) fn rewind(&mut self) {
        debug_assert!(self.open.is_empty() && self.passed.is_empty());
        // Whether a gap may be filled depends on which layers exist, so without this reset fewer edges would
        // be found to leave the window each time.
        (self.horizon, self.anchor, self.fills_gaps) = (None, 0, false);
        self.roots.clear();
        for (value, id) in std::mem::take(&mut self.parked) {
            self.layer_mut(id).rewind();
            if let Some(common) = &mut self.common {
                common.opened.push(value.clone());
            }
            self.open.insert(value, id);
        }
    }

    /// Finishes the column of `value`: drops the layers parked there, except pinned ones.
    pub(crate) fn leave_column(&mut self, value: &Value) {
        let columns = self.columns;
        self.horizon = None;
        if columns == 0 {
            return;
        }
        let done: Vec<(Value, LayerId)> = self
            .parked
            .range(value.column_start(columns)..)
            .take_while(|(v, _)| v.same_column(value, columns))
            .filter(|(_, id)| !self.layer(**id).pinned)
            .map(|(v, &id)| (v.clone(), id))
            .collect();
        for (value, id) in done {
            self.parked.remove(&value);
            self.stored -= self.layer(id).len() as u64;
            self.recycle(id);
        }
    }
}
