//! The witness: how a state was reached, though the states before it are long forgotten.
//!
//! Each stored state gets an *origin*: the state it was found from, and which of that state's
//! successors it is. Origins are appended to a log on disk (Kristensen and Mailund 2003) or, where
//! there is no disk, kept with the layers of the window and recomputed further back by sweeping
//! again (seed 000, section 5). A path is a list of successor numbers; it is walked through the
//! model again before anyone sees it.

mod log;
mod log_file;
mod replay;

pub use replay::{Broken, Step, Witness};
pub(crate) use {log::Log, log_file::LogPosition, replay::replay};

/// Names a stored state: its layer and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct StateId {
    /// The serial number of the layer. Zero names no layer but the place the initial states come
    /// from.
    pub layer: u64,
    /// The number of the state in its layer, in the order of storing.
    pub number: u64,
}

/// How a state was first reached: the successor `action` of `parent`.
///
/// For an initial state the parent is in layer zero and the number is the position among the
/// initial states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    pub(crate) parent: StateId,
    pub(crate) action: u32,
}

/// Where origins are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WitnessMode {
    /// Nowhere: verdicts come without a witness.
    Off,
    /// In a log on disk; a few bytes a state, and no memory.
    #[default]
    Disk,
    /// With the layers of the window, and no disk: a path is found by sweeping again, once for each
    /// stretch that the window no longer holds.
    Recompute,
}

/// Lists that take more than this are freed when their layer is dropped, others recycled.
const SMALL: usize = 64 << 10;

/// What a layer remembers about the origins of its states.
#[derive(Default)]
pub(crate) struct Origins {
    /// Disk: the block of the log in which `last` holds.
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

    /// Memory taken, what lists hold in reserve included.
    pub(crate) fn bytes(&self) -> usize {
        self.kept.capacity() * size_of::<Origin>()
            + self.parents.capacity() * size_of::<(u64, Box<[u8]>)>()
            // An allocation takes sixteen bytes more than it holds, about.
            + self.parent_bytes
            + self.parents.len() * 16
    }

    /// Forgets all but the first `keep`.
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
