//! A layer in a checkpoint: its records in the order of storing. The index is rebuilt from them.

use std::io;

use serde::{Deserialize, Serialize};

use super::{Layer, LayerStatus, Stored};
use crate::checkpoint::{Reader, Writer};
use crate::progress::Value;
use crate::retain::{Budget, Hint, hash};
use crate::verdict::StopReason;

/// The data before the records.
#[derive(Serialize, Deserialize)]
struct Header {
    value: Vec<i64>,
    serial: u64,
    place: LayerStatus,
    pinned: bool,
    /// Whether the arena has the form for records of any length.
    mixed: bool,
    /// Bytes of every record; `None` if each record has its length in front.
    stride: Option<u32>,
    len: u32,
    expanded: u32,
    /// The end of the level that is being expanded: batches end there, and counts depend on it.
    level: u32,
    kept: u32,
}

impl Header {
    fn is_sound(&self) -> bool {
        let Header { len, expanded, level, kept, .. } = *self;
        let in_place = match self.place {
            LayerStatus::Free => false,
            LayerStatus::Open => true,
            LayerStatus::Passed => expanded == len,
            LayerStatus::Parked => kept == len,
        };
        len > 0 && expanded <= len && level <= len && kept <= len && in_place
    }
}

impl Layer {
    /// Writes the layer, without origins kept in memory: finding a witness sweeps again.
    pub(in crate::retain) fn save(&self, out: &mut Writer) -> io::Result<()> {
        let stride = self.arena.stride().and_then(|stride| u32::try_from(stride).ok());
        out.item(&Header {
            value: self.value.components().to_vec(),
            serial: self.serial,
            place: self.place,
            pinned: self.pinned,
            mixed: self.arena.is_mixed(),
            stride,
            len: self.len() as u32,
            expanded: self.expanded as u32,
            level: self.level as u32,
            kept: self.kept as u32,
        })?;
        self.arena.records().try_for_each(|record| match stride {
            Some(_) => out.write(record),
            None => out.blob(record),
        })
    }

    /// Reads a layer and checks that each of its states `belongs` to the model and to the layer's value.
    pub(in crate::retain) fn restore(
        input: &mut Reader,
        budget: &mut Budget,
        belongs: &mut dyn FnMut(&[u8], &Value) -> bool,
    ) -> Result<Layer, StopReason> {
        let header: Header = input.item()?;
        if !header.is_sound() {
            return Err(input.damaged("a layer has invalid content").into());
        }
        let mut layer = Layer::new(header.mixed);
        layer.value = header.value.into_iter().collect();
        (layer.serial, layer.pinned) = (header.serial, header.pinned);
        layer.charge(budget);
        let mut record = Vec::new();
        for _ in 0..header.len {
            match header.stride {
                Some(stride) => input.read(stride as usize, &mut record)?,
                None => input.blob(&mut record)?,
            }
            if !belongs(&record, &layer.value) {
                return Err(input
                    .damaged("it contains bytes that are not a state of the model")
                    .into());
            }
            match layer.insert(hash(&record), Hint::default(), &record, budget) {
                Stored::New(_) => {}
                Stored::Seen(..) => return Err(input.damaged("it contains a state twice").into()),
                Stored::Full => return Err(StopReason::Memory),
            }
        }
        (layer.expanded, layer.kept) = (header.expanded as usize, header.kept as usize);
        layer.level = header.level as usize;
        (layer.next, layer.kept_end) = (layer.handle(layer.expanded), layer.handle(layer.kept));
        layer.place = header.place;
        Ok(layer)
    }
}
