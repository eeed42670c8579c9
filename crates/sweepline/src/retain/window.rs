//! The moving window: the layers ahead of the line, those just behind it, and what had to stay.
//!
//! A layer is *open* while some of its states wait, *passed* when all are expanded, then dropped.
//! A state that an edge reaches behind the window cannot be told from a new one: it is stored in a
//! *parked* layer, becomes persistent, and is a root of the next sweep (Kristensen and Mailund 2002).
//! Under a measure with columns, parked layers go when their column is done (seed 003, figure 5).
//!
//! The layers next to where a sweep begins may be *anchored*: they are parked whole instead of dropped.
//! A system that comes round again meets its own beginning there, and the next sweep ends.

mod saved;

use std::collections::{BTreeMap, BTreeSet};

use super::layer::{Layer, LayerStatus};
use super::{Budget, Hint, Stored};
use crate::progress::{Step, Value};

/// Recycled layers kept for reuse.
const RECYCLED: usize = 64;
/// Entries of the cache in front of the ordered maps.
const CACHE: usize = 256;

/// Names a layer of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LayerId(u32);

/// Whether a state is held, and how far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// It is not held.
    Not,
    /// It waits to be expanded.
    Waiting,
    /// It was expanded.
    Expanded,
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
    cache: Vec<LayerId>,
    /// The greatest value dropped in this sweep: at or below it, states may have been forgotten.
    horizon: Option<Value>,
    /// How far from the beginning of the column layers are anchored, and where that is.
    anchor: u64,
    beginning: Option<Value>,
    columns: usize,
    /// Edges back into the window but beside its layers may open new layers there.
    fills_gaps: bool,
    /// Some layer had states of different lengths: expect it of the next.
    mixed: bool,
    serials: u64,
    pub(crate) budget: Budget,
    /// States held now.
    pub(crate) held: u64,
}

impl Window {
    pub(crate) fn new(columns: usize, fills_gaps: bool, anchor: u64, budget: Budget) -> Self {
        Window {
            layers: vec![Layer::new(false)],
            free: vec![LayerId(0)],
            cache: vec![LayerId(0); CACHE],
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

    #[inline]
    pub(crate) fn layer_mut(&mut self, id: LayerId) -> &mut Layer {
        &mut self.layers[id.0 as usize]
    }

    /// The layer with the serial number `serial`, if it is held.
    pub(crate) fn by_serial(&self, serial: u64) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.place != LayerStatus::Free && layer.serial == serial)
    }

    /// The layer where a state of progress `value` belongs, seen from the line at `line`.
    pub(crate) fn target(&mut self, value: &Value, line: Option<&Value>) -> LayerId {
        let entry = value.components().last().map_or(0, |&c| c as usize % CACHE);
        let cached = self.cache[entry];
        let layer = self.layer(cached);
        // Not `==`, which is slower on a few components.
        let is_same = || matches!(layer.value.step_from(value), Step::Same);
        if matches!(layer.place, LayerStatus::Open | LayerStatus::Passed) && is_same() {
            return cached;
        }
        let id = self.look_up(value, line);
        self.cache[entry] = id;
        id
    }

    fn look_up(&mut self, value: &Value, line: Option<&Value>) -> LayerId {
        if let Some(&id) = self.open.get(value).or_else(|| self.passed.get(value)) {
            return id;
        }
        let Some(line) = line.filter(|line| value < *line) else {
            return self.open_layer(value);
        };
        let same_column = value.same_column(line, self.columns);
        let remembered = self.horizon.as_ref().is_none_or(|horizon| value > horizon);
        if self.fills_gaps && same_column && remembered {
            return self.open_layer(value);
        }
        let id = match self.parked.get(value) {
            Some(&id) => id,
            None => self.fresh(value, LayerStatus::Parked),
        };
        self.parked.insert(value.clone(), id);
        self.layer_mut(id).pinned |= !same_column;
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
        id
    }

    /// Stores a state in the layer `id` unless it is there.
    #[inline]
    pub(crate) fn insert(&mut self, id: LayerId, hash: u64, hint: Hint, bytes: &[u8]) -> Stored {
        let layer = &mut self.layers[id.0 as usize];
        let stored = layer.insert(hash, hint, bytes, &mut self.budget);
        if let Stored::New(_) = stored {
            self.held += 1;
            self.has_waiting(id);
        }
        stored
    }

    /// Some state of the layer `id` waits now.
    #[inline]
    fn has_waiting(&mut self, id: LayerId) {
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
            None => layer.sleepers.put(number, actions),
            Some(handle) if layer.wake(number, handle, actions) => self.has_waiting(id),
            Some(_) => {}
        }
    }

    /// Where the state `bytes` of progress `value` stands, if it is held.
    pub(crate) fn find(&self, value: &Value, hash: u64, bytes: &[u8]) -> Held {
        let places = [&self.open, &self.passed, &self.parked];
        let Some(&id) = places.iter().find_map(|layers| layers.get(value)) else {
            return Held::Not;
        };
        let layer = self.layer(id);
        match layer.find(hash, bytes) {
            None => Held::Not,
            Some(number) if layer.is_expanded(number) => Held::Expanded,
            Some(_) => Held::Waiting,
        }
    }

    /// Shows every state held.
    pub(crate) fn each_state(&self, mut show: impl FnMut(&[u8])) {
        let held = self.layers.iter().filter(|layer| layer.place != LayerStatus::Free);
        held.for_each(|layer| layer.each_state(&mut show));
    }

    /// Charges what is remembered of the layer `id` besides its states. `false` beyond the limit.
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

    /// The layer `id` holds persistent states only, behind the line.
    #[inline]
    pub(crate) fn is_parked(&self, id: LayerId) -> bool {
        self.layer(id).place == LayerStatus::Parked
    }

    /// The open layer of least progress.
    pub(crate) fn least_open(&self) -> Option<LayerId> {
        self.open.first_key_value().map(|(_, &id)| id)
    }

    /// The first sweep of a column begins at `value`.
    pub(crate) fn begin_column(&mut self, value: &Value) {
        if self.anchor > 0 {
            self.beginning = Some(value.clone());
        }
    }

    /// All states of the layer `id` are expanded.
    pub(crate) fn pass(&mut self, id: LayerId) {
        let layer = &mut self.layers[id.0 as usize];
        debug_assert!(!layer.is_open());
        layer.place = LayerStatus::Passed;
        self.open.remove(&layer.value);
        self.passed.insert(layer.value.clone(), id);
    }

    /// The layer to drop next when passed layers within `keep` of the line may stay.
    ///
    /// The line is the least open layer, and only layers below it go: an edge may yet lead into the
    /// others from a layer that an edge back has opened again.
    pub(crate) fn droppable(&self, keep: u64) -> Option<LayerId> {
        let (value, &id) = self.passed.first_key_value()?;
        let passed = match self.open.first_key_value() {
            Some((line, _)) => value < line && value.distance(line) > keep,
            None => true,
        };
        passed.then_some(id)
    }

    /// Drops the passed layer `id`; its persistent states are parked. `false` without memory.
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
        self.held -= (layer.len() - layer.kept()) as u64;
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

    /// Some root waits in the column of `value`.
    pub(crate) fn has_root_in(&self, value: &Value) -> bool {
        let next = self.roots.range(value.column_start(self.columns)..).next();
        next.is_some_and(|root| root.same_column(value, self.columns))
    }

    /// Opens every parked layer with roots in the column of `value`: the next sweep starts.
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

    /// Everything parked is to be expanded again, from the beginning; no layer is open.
    pub(crate) fn rewind(&mut self) {
        debug_assert!(self.open.is_empty() && self.passed.is_empty());
        // Whether a gap may be filled depends on which layers there were: so each time fewer edges would be
        // known to leave the window.
        (self.horizon, self.anchor, self.fills_gaps) = (None, 0, false);
        self.roots.clear();
        for (value, id) in std::mem::take(&mut self.parked) {
            self.layer_mut(id).rewind();
            self.open.insert(value, id);
        }
    }

    /// The column of `value` is finished: forgets what was parked there, but not what is pinned.
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
            self.held -= self.layer(id).len() as u64;
            self.recycle(id);
        }
    }
}
