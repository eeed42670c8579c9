//! A layer on the device: an open-addressing table of whole states, with bits for those that wait and those that stay.

use crate::device::{Address, Device, DeviceError};
use crate::generate::Cells;
use crate::pool::{Piece, Pool};

/// Cells of the smallest table.
pub(crate) const LEAST: u64 = 1024;
/// Cells that a look-up visits before a table counts as full.
const LIMIT: u64 = 64;

/// Words of a table on a board: the structure `Table` of `kernel/sweep.cu`.
pub(crate) const TABLE_WORDS: usize = 10;
/// The waiting bits within it, and the results.
const WAITING: usize = 2;
pub(crate) const ADDED: usize = 8;
pub(crate) const FULL: usize = 9;

/// What tables of a run have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) words: usize,
    pub(crate) cells: Cells,
    /// Whether the origins of states are kept.
    pub(crate) traces: bool,
}

/// A table in the memory of the device.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    piece: Piece,
    /// Where its parts are; 0 for parts that it does not have.
    cells: Address,
    origins: Address,
    tags: Address,
    waiting_bits: Address,
    current_bits: Address,
    kept_bits: Address,
    pub(crate) capacity: u64,
    limit: u64,
    /// States stored.
    pub(crate) len: u64,
    /// States whose bits are set: to be expanded later, and in this step.
    pub(crate) waiting: u64,
    pub(crate) current: u64,
    /// Persistent states.
    pub(crate) kept: u64,
}

impl Table {
    /// A table of this many cells, empty; `None` if there is not enough memory.
    pub(crate) fn new(
        device: &mut dyn Device,
        pool: &mut Pool,
        shape: Shape,
        capacity: u64,
    ) -> Result<Option<Self>, DeviceError> {
        let capacity = capacity.max(LEAST).next_multiple_of(64);
        let cell_bytes = capacity * shape.words as u64 * 8;
        let origin_bytes = if shape.traces { capacity * 8 } else { 0 };
        let tag_bytes = if shape.cells == Cells::Tagged { capacity * 4 } else { 0 };
        let bit_bytes = capacity / 8;
        let zeros = tag_bytes + 3 * bit_bytes;
        let Some(piece) = pool.allocate(device, cell_bytes + origin_bytes + zeros)? else {
            return Ok(None);
        };
        let cells = piece.at;
        let origins = cells + cell_bytes;
        let tags = origins + origin_bytes;
        let waiting_bits = tags + tag_bytes;
        // An empty cell has all bits set, or the tag 0; the origin of no state is the greatest number.
        match shape.cells {
            Cells::Tagged if shape.traces => device.fill(origins, 0xFF, origin_bytes)?,
            Cells::Tagged => {}
            Cells::One | Cells::Pair => device.fill(cells, 0xFF, cell_bytes + origin_bytes)?,
        }
        device.fill(tags, 0, zeros)?;
        Ok(Some(Table {
            piece,
            cells,
            origins: if shape.traces { origins } else { 0 },
            tags: if tag_bytes > 0 { tags } else { 0 },
            waiting_bits,
            current_bits: waiting_bits + bit_bytes,
            kept_bits: waiting_bits + 2 * bit_bytes,
            capacity,
            limit: capacity.min(LIMIT),
            len: 0,
            waiting: 0,
            current: 0,
            kept: 0,
        }))
    }

    /// Gives its memory back.
    pub(crate) fn release(self, pool: &mut Pool) {
        pool.release(self.piece);
    }

    /// Its words on a board. `keeps`: new states are persistent.
    pub(crate) fn on_board(&self, keeps: bool) -> [u64; TABLE_WORDS] {
        let kept = if keeps { self.kept_bits } else { 0 };
        [
            self.cells,
            self.tags,
            self.waiting_bits,
            self.current_bits,
            kept,
            self.origins,
            self.capacity,
            self.limit,
            0,
            0,
        ]
    }

    /// The states that wait are those to expand now. All that were to be expanded are expanded.
    pub(crate) fn begin_level(&mut self) {
        std::mem::swap(&mut self.waiting_bits, &mut self.current_bits);
        (self.current, self.waiting) = (self.waiting, 0);
    }

    /// Its words on a board where all states are to be marked as persistent, or else as waiting.
    pub(crate) fn to_mark(&self, kept: bool) -> [u64; TABLE_WORDS] {
        let mut words = self.on_board(kept);
        if kept {
            words[WAITING] = 0;
        }
        words
    }

    /// It counted as full: whether visiting more cells is enough, because it has room.
    pub(crate) fn looks_further(&mut self) -> bool {
        if self.len * 2 < self.capacity && self.limit < self.capacity {
            self.limit = (self.limit * 8).min(self.capacity);
            return true;
        }
        false
    }

    /// Look-ups visit every cell from now on; `false` if they do already.
    pub(crate) fn looks_everywhere(&mut self) -> bool {
        let before = self.limit;
        self.limit = self.capacity;
        before < self.capacity
    }

    /// Whether it should grow before more states come.
    pub(crate) fn is_crowded(&self) -> bool {
        self.len * 4 > self.capacity * 3
    }
}
