//! A list of origins in memory, a few bytes each.

use std::collections::BTreeSet;

use super::log::{read_unsigned, signed, write_signed, write_unsigned};
use super::{Origin, StateId};

/// Origins of states, in the order in which they were found.
#[derive(Default)]
pub(crate) struct OriginList {
    bytes: Vec<u8>,
    /// The last parent; the next one is written relative to it.
    last: Option<StateId>,
    /// The layers of all parents.
    layers: BTreeSet<u64>,
}

impl OriginList {
    /// Memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.capacity()
    }

    #[inline]
    pub(crate) fn push(&mut self, origin: Origin) {
        let Origin { parent, action } = origin;
        if self.last.is_none_or(|last| last.layer != parent.layer) {
            self.layers.insert(parent.layer);
        }
        let last = self.last.unwrap_or(NONE);
        write_signed(&mut self.bytes, parent.layer.wrapping_sub(last.layer));
        write_signed(&mut self.bytes, parent.number.wrapping_sub(last.number));
        write_unsigned(&mut self.bytes, u64::from(action));
        self.last = Some(parent);
    }

    /// Whether some state was found from a state of the layer `layer`.
    pub(crate) fn is_from(&self, layer: u64) -> bool {
        self.layers.contains(&layer)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Origin> {
        let (mut rest, mut last) = (&self.bytes[..], NONE);
        std::iter::from_fn(move || {
            let layer = last.layer.wrapping_add(signed(read_unsigned(&mut rest)?));
            let number = last.number.wrapping_add(signed(read_unsigned(&mut rest)?));
            last = StateId { layer, number };
            Some(Origin { parent: last, action: read_unsigned(&mut rest)? as u32 })
        })
    }
}

const NONE: StateId = StateId { layer: 0, number: 0 };
