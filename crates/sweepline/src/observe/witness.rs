//! Witnesses: the path to a state, although the states before it may have been dropped.
//!
//! Each stored state gets an *origin*: the state from which it was found, and the number of the successor.
//! Origins are appended to a log on disk (Kristensen and Mailund 2003). Without a disk, they are kept with
//! the layers of the window, and those of dropped layers are recomputed by sweeping again (seed 000, section
//! 5). A path is a list of successor numbers. It is replayed through the model before it is reported.

mod list;
mod log;
mod log_file;
mod replay;

pub use replay::{Broken, Step, Witness};
pub(crate) use {
    list::OriginList, log::Backward, log::Log, log::write_block, log_file::LogPosition,
    replay::replay,
};

/// Identifies a stored state: its layer and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct StateId {
    /// The serial number of the layer. Zero is no layer: it is the parent of the initial states.
    pub layer: u64,
    /// The number of the state in its layer, in the order of storing.
    pub number: u64,
}

/// How a state was first reached: the successor `action` of `parent`.
///
/// The parent of an initial state is in layer zero, and its number is the position among the initial states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    pub(crate) parent: StateId,
    pub(crate) action: u32,
}

/// Where origins are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WitnessMode {
    /// Nowhere: verdicts have no witness.
    Off,
    /// In a log on disk; a few bytes per state, and no memory.
    #[default]
    Disk,
    /// With the layers of the window, without a disk. A path is found by sweeping again, once for each
    /// segment whose layers were dropped.
    Recompute,
}

/// Lists larger than this are freed when their layer is dropped; smaller ones are reused.
const SMALL: usize = 64 << 10;

/// The data of a layer about the origins of its states.
#[derive(Default)]
pub(crate) struct Origins {
    /// Disk: the block of the log to which `last` refers.
    pub(crate) block: u64,
    /// Disk: the number of this layer's last state in that block.
    pub(crate) last: u64,
    /// Recompute: the origins themselves, by number.
    pub(crate) kept: Vec<Origin>,
    /// Recompute: bytes of the parents in other layers, by number of the state.
    pub(crate) parents: Vec<(u64, Box<[u8]>)>,
    parent_bytes: usize,
}

impl Origins {
    /// Keeps the origin of state `number`, and the bytes of a parent in another layer.
    pub(crate) fn keep(&mut self, number: usize, origin: Origin, parent: Option<&[u8]>) {
        self.kept.truncate(number);
        self.kept.push(origin);
        if let Some(parent) = parent {
            self.parents.push((number as u64, parent.into()));
            self.parent_bytes += parent.len();
        }
    }

    /// Memory in use, including the reserve of lists.
    pub(crate) fn bytes(&self) -> usize {
        self.kept.capacity() * size_of::<Origin>()
            + self.parents.capacity() * size_of::<(u64, Box<[u8]>)>()
            // An allocation takes about sixteen bytes more than its content.
            + self.parent_bytes
            + self.parents.len() * 16
    }

    /// Removes all but the first `keep`.
    pub(crate) fn clear(&mut self, keep: usize) {
        if keep == 0 {
            (self.block, self.last) = (0, 0);
        }
        self.kept.truncate(keep);
        self.parents.retain(|&(number, _)| number < keep as u64);
        self.parent_bytes = self.parents.iter().map(|(_, bytes)| bytes.len()).sum();
        if keep == 0 && self.bytes() > SMALL {
            (self.kept, self.parents) = (Vec::new(), Vec::new());
        }
    }
}
