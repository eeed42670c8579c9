//! Recording the origins of states as they are stored, in the witness mode of the options.

use std::io;

use crate::observe::witness::{Log, Origin, Origins, StateId};
use crate::observe::{Hit, WitnessMode};
use crate::retain::{Layer, Window};
use crate::spill::Spill;
use crate::verdict::StopReason;

pub(crate) enum OriginStore {
    Off,
    Disk(Box<Log>),
    /// Origins are stored with the layers.
    Window,
    /// In the logs of several workers.
    Elsewhere(Box<dyn Paths>),
}

/// Finds paths whose origins several workers have recorded.
pub trait Paths {
    /// The path to the state of `hit`: the number of an initial state, then successor numbers.
    ///
    /// # Errors
    ///
    /// If it cannot be found.
    fn path(&mut self, hit: &Hit) -> Result<Vec<u32>, StopReason>;
}

impl OriginStore {
    /// The log of a run that keeps states on disk is in the same folder.
    pub(super) fn new(mode: WitnessMode, spill: Option<&Spill>) -> Self {
        match mode {
            WitnessMode::Off => OriginStore::Off,
            WitnessMode::Disk => OriginStore::Disk(Box::new(match spill {
                Some(spill) => Log::within(spill.folder()),
                None => Log::new(),
            })),
            WitnessMode::Recompute => OriginStore::Window,
        }
    }

    #[inline]
    pub(super) fn is_off(&self) -> bool {
        matches!(self, OriginStore::Off)
    }

    #[inline]
    pub(super) fn keeps_sources(&self) -> bool {
        matches!(self, OriginStore::Window)
    }

    /// Appends the origins of `records` states, written by [`write_block`](crate::observe::witness::write_block).
    pub(super) fn append(&mut self, block: &[u8], records: u64) -> io::Result<()> {
        match self {
            OriginStore::Disk(log) => log.append(block, records),
            OriginStore::Off | OriginStore::Window | OriginStore::Elsewhere(_) => Ok(()),
        }
    }

    /// Records the origin of the state `number` of the layer with the serial number `layer`, which is on disk.
    pub(super) fn record_in(
        &mut self,
        layer: u64,
        number: u64,
        origins: &mut Origins,
        origin: Origin,
    ) -> io::Result<()> {
        match self {
            OriginStore::Disk(log) => log.record(layer, number, origins, origin),
            OriginStore::Off | OriginStore::Window | OriginStore::Elsewhere(_) => Ok(()),
        }
    }

    /// Records that the state `number`, just stored in `layer`, is successor `action` of `parent`, whose
    /// bytes are `bytes`.
    #[inline]
    pub(super) fn record(
        &mut self,
        layer: &mut Layer,
        number: usize,
        parent: StateId,
        action: u32,
        bytes: Option<&[u8]>,
    ) -> io::Result<()> {
        let origin = Origin { parent, action };
        match self {
            OriginStore::Off | OriginStore::Elsewhere(_) => Ok(()),
            OriginStore::Disk(log) => {
                log.record(layer.serial, number as u64, &mut layer.origins, origin)
            }
            OriginStore::Window => {
                let bytes = bytes.filter(|_| parent.layer != layer.serial);
                layer.origins.keep(number, origin, bytes);
                Ok(())
            }
        }
    }
}

/// The last segment of the path to a state: the part inside its layer.
///
/// Only that part, because the numbers of other layers may have been reused for other states.
pub(crate) struct LastSegment {
    /// The state of another layer where it starts, or `None` if it starts with an initial state, whose number
    /// is then the first of the actions.
    pub(crate) from: Option<Box<[u8]>>,
    /// Successor numbers from there.
    pub(crate) actions: Vec<u32>,
}

/// Follows the origins in the layer of `target` back to the state by which the layer was entered.
pub(crate) fn last_segment(window: &Window, target: StateId) -> Option<LastSegment> {
    let origins = &window.by_serial(target.layer)?.origins;
    let (mut actions, mut number) = (Vec::new(), target.number);
    loop {
        let origin = origins.kept.get(number as usize)?;
        actions.push(origin.action);
        if origin.parent.layer == target.layer {
            number = origin.parent.number;
            continue;
        }
        let from = match origin.parent.layer {
            0 => None,
            _ => Some(origins.parents.iter().find(|(n, _)| *n == number)?.1.clone()),
        };
        actions.reverse();
        return Some(LastSegment { from, actions });
    }
}
