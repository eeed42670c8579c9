//! The window in a checkpoint: its layers, and its other data.

use std::collections::BTreeSet;
use std::io;

use serde::{Deserialize, Serialize};

use super::{Layer, LayerId, LayerStatus, Window};
use crate::checkpoint::{Reader, Writer};
use crate::progress::Value;
use crate::verdict::StopReason;

/// The data before the layers.
#[derive(Serialize, Deserialize)]
struct Header {
    horizon: Option<Vec<i64>>,
    beginning: Option<Vec<i64>>,
    serials: u64,
    mixed: bool,
    layers: u32,
}

impl Window {
    /// Writes all layers.
    pub(crate) fn save(&self, out: &mut Writer) -> io::Result<()> {
        let stored = || self.layers.iter().filter(|layer| layer.place != LayerStatus::Free);
        out.item(&Header {
            horizon: self.horizon.as_ref().map(|horizon| horizon.components().to_vec()),
            beginning: self.beginning.as_ref().map(|value| value.components().to_vec()),
            serials: self.serials,
            mixed: self.mixed,
            layers: stored().count() as u32,
        })?;
        stored().try_for_each(|layer| layer.save(out))
    }

    /// Reads what [`save`](Window::save) wrote into this empty window. Checks that every state `belongs` to
    /// the model and to the value of its layer.
    pub(crate) fn restore(
        &mut self,
        input: &mut Reader,
        belongs: &mut dyn FnMut(&[u8], &Value) -> bool,
    ) -> Result<(), StopReason> {
        let header: Header = input.item()?;
        self.horizon = header.horizon.map(|horizon| horizon.into_iter().collect());
        self.beginning = header.beginning.map(|value| value.into_iter().collect());
        (self.serials, self.mixed) = (header.serials, header.mixed);
        let mut serials = BTreeSet::new();
        for _ in 0..header.layers {
            let layer = Layer::restore(input, &mut self.budget, belongs)?;
            let named = (1..=self.serials).contains(&layer.serial) && serials.insert(layer.serial);
            if !named || !self.admit(layer) {
                return Err(input.damaged("two layers contradict each other").into());
            }
        }
        Ok(())
    }

    /// Adds a restored layer. `false` if there is already a layer for its value.
    fn admit(&mut self, layer: Layer) -> bool {
        let id = LayerId(self.layers.len() as u32);
        let value = layer.value.clone();
        let known = [&self.open, &self.passed, &self.parked];
        if known.iter().any(|layers| layers.contains_key(&value)) {
            return false;
        }
        self.stored += layer.len() as u64;
        if layer.place == LayerStatus::Parked && layer.is_open() {
            self.roots.insert(value.clone());
        }
        match layer.place {
            LayerStatus::Open => self.open.insert(value, id),
            LayerStatus::Passed => self.passed.insert(value, id),
            LayerStatus::Parked => self.parked.insert(value, id),
            LayerStatus::Free => return false,
        };
        self.layers.push(layer);
        true
    }

    /// The open layer of `value`.
    pub(crate) fn open_at(&self, value: &Value) -> Option<LayerId> {
        self.open.get(value).copied()
    }
}
