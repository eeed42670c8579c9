//! The window of one of several workers that explore together. The line, the column and the sweep are decided
//! for all of them; each worker stores the states that belong to it.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use serde::{Deserialize, Serialize};

use super::{Layer, LayerId, LayerStatus, Window};
use crate::progress::Value;
use crate::retain::layer::Class;
use crate::retain::{Hint, Stored, hash};

/// What several workers must have in common.
#[derive(Default)]
pub(super) struct Common {
    /// Layers that were opened here.
    pub(super) opened: Vec<Value>,
    /// Layers that were pinned here.
    pinned: Vec<Value>,
    /// The values of all layers that some worker has pinned.
    pins: BTreeSet<Value>,
}

impl Common {
    pub(super) fn pins(&self, value: &Value) -> bool {
        !self.pins.is_empty() && self.pins.contains(value)
    }
}

/// A layer in a checkpoint of all workers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SavedLayer {
    value: Vec<i64>,
    place: LayerStatus,
    pinned: bool,
}

/// The rest of a window in such a checkpoint.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SavedWindow {
    horizon: Option<Vec<i64>>,
    beginning: Option<Vec<i64>>,
}

/// The layers that are being restored, with their numbers of persistent and of expanded states.
#[derive(Default)]
pub(crate) struct Restoring(BTreeMap<Value, (LayerId, SavedLayer, usize, usize)>);

impl Window {
    /// The progress of the open layer of least progress, except that of `line`.
    pub(crate) fn least_open_besides(&self, line: Option<&Value>) -> Option<&Value> {
        self.open.keys().find(|value| Some(*value) != line)
    }

    /// Begins to note what other workers must know.
    pub(crate) fn share(&mut self) {
        self.common = Some(Common::default());
    }

    /// The layers opened, and those pinned, since the last call.
    pub(crate) fn take_common(&mut self) -> (Vec<Value>, Vec<Value>) {
        let Some(common) = &mut self.common else { return Default::default() };
        (mem::take(&mut common.opened), mem::take(&mut common.pinned))
    }

    /// Pins the layer `id`.
    pub(super) fn pin(&mut self, id: LayerId) {
        let layer = &mut self.layers[id.0 as usize];
        if let Some(common) = self.common.as_mut().filter(|_| !layer.pinned) {
            common.pinned.push(layer.value.clone());
            common.pins.insert(layer.value.clone());
        }
        layer.pinned = true;
    }

    /// Pins the layer of `value`, which another worker has pinned, now or when there is one.
    pub(crate) fn pin_too(&mut self, value: &Value) {
        if let Some(common) = &mut self.common {
            common.pins.insert(value.clone());
        }
        let places = [&self.open, &self.passed, &self.parked];
        if let Some(&id) = places.iter().find_map(|layers| layers.get(value)) {
            self.layer_mut(id).pinned = true;
        }
    }

    /// Opens the layer of `value`, which another worker has opened, unless it is open or passed. So all workers
    /// have the same layers, and persistent states of the layer are expanded in this sweep, as if one worker had
    /// all of them.
    pub(crate) fn open_too(&mut self, value: &Value) {
        if !self.open.contains_key(value) && !self.passed.contains_key(value) {
            self.open_layer(value);
            if let Some(common) = &mut self.common {
                common.opened.pop();
            }
        }
    }

    /// The least passed layer behind `line` within the distance `keep` of it. One worker drops no layer from
    /// there on, although later ones may be further away: distances are not in the order of layers.
    pub(crate) fn least_kept(&self, line: &Value, keep: u64) -> Option<&Value> {
        let mut behind = self.passed.range(..line.clone()).map(|(value, _)| value);
        behind.find(|value| value.distance(line) <= keep)
    }

    /// The passed layer to drop next if those below `end` are to be dropped, or all.
    ///
    /// Like [`droppable`](Window::droppable), where this worker may have no state at the line.
    pub(crate) fn droppable_below(&self, end: Option<&Value>) -> Option<LayerId> {
        let (value, &id) = self.passed.first_key_value()?;
        end.is_none_or(|end| value < end).then_some(id)
    }

    /// Notes that some worker dropped a layer of progress `value` in this sweep.
    pub(crate) fn note_dropped(&mut self, value: &Value) {
        if self.horizon.as_ref().is_none_or(|horizon| horizon < value) {
            self.horizon = Some(value.clone());
        }
    }

    /// The layers, for a checkpoint. Those without states are left out.
    pub(crate) fn saved_layers(&self) -> impl Iterator<Item = (SavedLayer, &Layer)> {
        let stored = |layer: &&Layer| layer.place != LayerStatus::Free && layer.len() > 0;
        self.layers.iter().filter(stored).map(|layer| {
            let value = layer.value.components().to_vec();
            (SavedLayer { value, place: layer.place, pinned: layer.pinned }, layer)
        })
    }

    /// The rest of the window, for a checkpoint.
    pub(crate) fn saved_rest(&self) -> SavedWindow {
        let listed = |value: &Option<Value>| value.as_ref().map(|v| v.components().to_vec());
        SavedWindow { horizon: listed(&self.horizon), beginning: listed(&self.beginning) }
    }

    /// Takes over the rest of a window from a checkpoint; there may be one of each worker.
    pub(crate) fn restore_rest(&mut self, rest: &SavedWindow) {
        if let Some(horizon) = &rest.horizon {
            self.note_dropped(&horizon.iter().copied().collect());
        }
        if let Some(beginning) = &rest.beginning {
            self.beginning = Some(beginning.iter().copied().collect());
        }
    }

    /// Makes a layer of a checkpoint, unless it was made for another part.
    pub(crate) fn restore_layer(&mut self, restoring: &mut Restoring, saved: &SavedLayer) {
        let value: Value = saved.value.iter().copied().collect();
        restoring.0.entry(value).or_insert_with_key(|value| {
            (self.fresh(value, LayerStatus::Open), saved.clone(), 0, 0)
        });
    }

    /// Stores a state of a layer in a checkpoint. Classes come in order. `None` if it is stored already, or its
    /// layer contradicts an earlier one.
    pub(crate) fn restore_state(
        &mut self,
        restoring: &mut Restoring,
        saved: &SavedLayer,
        class: Class,
        bytes: &[u8],
    ) -> Option<Stored> {
        self.restore_layer(restoring, saved);
        let value: Value = saved.value.iter().copied().collect();
        let (id, layer, kept, expanded) = restoring.0.get_mut(&value)?;
        let stored = self.layers[id.0 as usize].insert(
            hash(bytes),
            Hint::default(),
            bytes,
            &mut self.budget,
        );
        // Persistent ones and expanded ones are both in front, so one must contain the other.
        let is_ordered = match class {
            Class::Both => kept == expanded,
            Class::Kept => *kept >= *expanded,
            Class::Expanded => *expanded >= *kept,
            Class::Waiting => true,
        };
        // Parts of one layer may be open and passed at different workers: it is open then.
        if saved.place == LayerStatus::Open && layer.place == LayerStatus::Passed {
            layer.place = LayerStatus::Open;
        }
        layer.pinned |= saved.pinned;
        let agrees = layer.place == saved.place || layer.place == LayerStatus::Open;
        if matches!(stored, Stored::Seen(..)) || !agrees || !is_ordered {
            return None;
        }
        if matches!(class, Class::Both | Class::Kept) {
            *kept += 1;
        }
        if matches!(class, Class::Both | Class::Expanded) {
            *expanded += 1;
        }
        if matches!(stored, Stored::New(_)) {
            self.stored += 1;
        }
        Some(stored)
    }

    /// Completes the restored layers. `false` if one is contradictory.
    pub(crate) fn complete_restored(&mut self, restoring: Restoring) -> bool {
        for (value, (id, saved, kept, expanded)) in restoring.0 {
            let layer = &mut self.layers[id.0 as usize];
            layer.complete(saved.place, saved.pinned, kept, expanded);
            if let Some(common) = self.common.as_mut().filter(|_| saved.pinned) {
                // The other workers learn of it with the first account.
                common.pinned.push(value.clone());
                common.pins.insert(value.clone());
            }
            let is_open = layer.is_open();
            match saved.place {
                LayerStatus::Parked if layer.kept() < layer.len() => return false,
                LayerStatus::Parked => {
                    if is_open {
                        self.roots.insert(value.clone());
                    }
                    self.parked.insert(value, id);
                }
                LayerStatus::Passed if is_open => return false,
                LayerStatus::Passed => drop(self.passed.insert(value, id)),
                LayerStatus::Open => drop(self.open.insert(value, id)),
                LayerStatus::Free => return false,
            }
        }
        true
    }
}
