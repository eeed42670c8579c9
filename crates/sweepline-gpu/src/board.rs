//! The board: parameters and results of a kernel, the structure `Board` of `kernel/sweep.cu`.

use crate::device::{Device, DeviceError, Kernel};
use crate::finds::Finds;
use crate::pool::{Piece, Pool};
use crate::table::{ADDED, FULL, TABLE_WORDS, Table};

const FIRST: usize = TABLE_WORDS;
const LAST: usize = FIRST + 1;
const STEP: usize = FIRST + 2;
const CHUNK: usize = FIRST + 3;
const FINDS: usize = FIRST + 4;
const JUDGE: usize = FIRST + 5;
const TERMINATED: usize = FIRST + 6;
const ONLY_KEPT: usize = FIRST + 7;
const N_STATES: usize = FIRST + 8;
const EXPLORED: usize = FIRST + 9;
const EDGES: usize = FIRST + 10;
const DEAD: usize = FIRST + 11;
const REGRESS: usize = FIRST + 12;
const ANY_FULL: usize = FIRST + 13;
const REPORTED: usize = FIRST + 14;
const NO_ROOM: usize = FIRST + 15;
const ANSWER: usize = FIRST + 16;
const ORIGIN: usize = FIRST + 17;
const TABLES: usize = FIRST + 18;

/// A board, here and in the memory of the device.
pub(crate) struct Board {
    piece: Piece,
    words: Vec<u64>,
}

/// The results of a launch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Results {
    pub(crate) explored: u64,
    pub(crate) edges: u64,
    pub(crate) dead: u64,
    pub(crate) regress: u64,
    pub(crate) full: bool,
    pub(crate) reported: bool,
    /// Some transition's result does not fit.
    pub(crate) no_room: bool,
}

impl Board {
    /// A board for steps with this many tables, or a state behind the first one.
    pub(crate) fn new(
        device: &mut dyn Device,
        pool: &mut Pool,
        tables: usize,
        state_words: usize,
    ) -> Result<Option<Self>, DeviceError> {
        let length = TABLES + (tables * TABLE_WORDS).max(TABLE_WORDS + state_words);
        let piece = pool.allocate(device, length as u64 * 8)?;
        Ok(piece.map(|piece| Board { piece, words: vec![0; length] }))
    }

    fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Writes the board, runs the kernel, and reads the board.
    fn run(
        &mut self,
        device: &mut dyn Device,
        kernel: Kernel,
        blocks: u64,
    ) -> Result<(), DeviceError> {
        device.write(self.piece.at, &self.words)?;
        let blocks = blocks.clamp(1, device.blocks().into()) as u32;
        device.launch(kernel, self.piece.at, blocks)?;
        device.read(self.piece.at, &mut self.words)
    }

    /// Expands the states of `source` in a range of the words of its bits. `targets` are the tables with whether
    /// new states are persistent there.
    pub(crate) fn expand(
        &mut self,
        device: &mut dyn Device,
        source: &Table,
        (first, last): (u64, u64),
        step: u64,
        finds: &Finds,
        targets: &[[u64; TABLE_WORDS]],
    ) -> Result<Results, DeviceError> {
        self.clear();
        self.words[..TABLE_WORDS].copy_from_slice(&source.on_board(true));
        (self.words[FIRST], self.words[LAST], self.words[STEP]) = (first, last, step);
        let chunk = chunk(source, last - first, device.blocks().into());
        self.words[CHUNK] = chunk;
        [self.words[FINDS], self.words[JUDGE], self.words[TERMINATED]] = finds.addresses();
        for (number, target) in targets.iter().enumerate() {
            self.words[TABLES + number * TABLE_WORDS..][..TABLE_WORDS].copy_from_slice(target);
        }
        self.run(device, Kernel::Expand, (last - first).div_ceil(chunk))?;
        Ok(Results {
            explored: self.words[EXPLORED],
            edges: self.words[EDGES],
            dead: self.words[DEAD],
            regress: self.words[REGRESS],
            full: self.words[ANY_FULL] != 0,
            reported: self.words[REPORTED] != 0,
            no_room: self.words[NO_ROOM] != 0,
        })
    }

    /// New states in a table of the last launch, and whether it was full.
    pub(crate) fn result(&self, table: usize) -> (u64, bool) {
        let words = &self.words[TABLES + table * TABLE_WORDS..];
        (words[ADDED], words[FULL] != 0)
    }

    /// Copies the states of `source`, or only the persistent ones, to the empty table `target`; `false` if it is full.
    pub(crate) fn move_states(
        &mut self,
        device: &mut dyn Device,
        source: &Table,
        target: &mut Table,
        only_kept: bool,
    ) -> Result<bool, DeviceError> {
        self.clear();
        self.words[..TABLE_WORDS].copy_from_slice(&source.on_board(true));
        self.words[ONLY_KEPT] = only_kept.into();
        self.words[TABLES..][..TABLE_WORDS].copy_from_slice(&target.on_board(true));
        self.run(device, Kernel::Move, source.capacity.div_ceil(256))?;
        let (added, full) = self.result(0);
        target.len = added;
        Ok(!full)
    }

    /// Marks all states of a table as persistent, or else as waiting.
    pub(crate) fn mark(
        &mut self,
        device: &mut dyn Device,
        table: &mut Table,
        kept: bool,
    ) -> Result<(), DeviceError> {
        self.clear();
        self.words[..TABLE_WORDS].copy_from_slice(&table.to_mark(kept));
        let count = if kept { &mut table.kept } else { &mut table.waiting };
        *count = table.len;
        self.run(device, Kernel::Mark, (table.capacity / 32).div_ceil(256))
    }

    /// Stores a state in an empty table; its origin is that of an initial state.
    pub(crate) fn plant(
        &mut self,
        device: &mut dyn Device,
        target: &mut Table,
        state: &[u64],
    ) -> Result<bool, DeviceError> {
        self.clear();
        self.words[N_STATES] = 1;
        self.words[TABLES..][..TABLE_WORDS].copy_from_slice(&target.on_board(false));
        self.words[TABLES + TABLE_WORDS..][..state.len()].copy_from_slice(state);
        self.run(device, Kernel::Plant, 1)?;
        let (added, full) = self.result(0);
        (target.len, target.waiting) = (target.len + added, target.waiting + added);
        Ok(!full)
    }

    /// The origin of a state, if the table has it.
    pub(crate) fn look_up(
        &mut self,
        device: &mut dyn Device,
        table: &Table,
        state: &[u64],
    ) -> Result<Option<u64>, DeviceError> {
        self.clear();
        self.words[..TABLE_WORDS].copy_from_slice(&table.on_board(true));
        self.words[TABLES + TABLE_WORDS..][..state.len()].copy_from_slice(state);
        self.run(device, Kernel::LookUp, 1)?;
        Ok((self.words[ANSWER] != 0).then_some(self.words[ORIGIN]))
    }
}

/// Words of bits that a block takes at a time: about enough marked states for a few rounds of its threads. Marked states
/// lie anywhere in a table, so they are as dense everywhere.
fn chunk(source: &Table, words: u64, blocks: u64) -> u64 {
    let dense = (source.capacity / 32 * STATES_OF_CHUNK) / source.current.max(1);
    dense.min(words.div_ceil(blocks)).clamp(LEAST_CHUNK, MOST_CHUNK)
}

const STATES_OF_CHUNK: u64 = 1024;
const LEAST_CHUNK: u64 = 32;
/// Numbers of states in a chunk have 32 bits.
const MOST_CHUNK: u64 = 1 << 13;
