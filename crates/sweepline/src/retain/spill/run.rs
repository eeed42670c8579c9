//! A run: different states, sorted by hash.

use std::sync::Arc;

use super::Poll;
use super::disk::{Disk, Records, first_record};
use crate::retain::hash;
use crate::spill::Error;
use crate::verdict::StopReason;

/// States sorted by hash, with an index of blocks.
pub(super) struct Run {
    records: Records,
    /// The hash of the first state of each block, and where it begins.
    index: Vec<(u64, u64)>,
}

impl Run {
    pub(super) fn new(disk: &Arc<Disk>) -> Self {
        Run { records: Records::new(disk), index: Vec::new() }
    }

    /// Length in bytes.
    pub(super) fn len(&self) -> u64 {
        self.records.len()
    }

    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.records.bytes() + self.index.capacity() * size_of::<(u64, u64)>()
    }

    /// Appends a state, whose hash is not less than the last one.
    #[inline]
    pub(super) fn push(&mut self, hash: u64, state: &[u8]) -> Result<(), Error> {
        let (end, block) = (self.records.len(), self.records.disk().block as u64);
        if self.index.last().is_none_or(|&(_, start)| end - start >= block) {
            self.index.push((hash, end));
        }
        self.records.push(state)
    }

    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.records.end()
    }

    /// All states of two runs that have none in common.
    pub(super) fn merge(
        disk: &Arc<Disk>,
        runs: [&Run; 2],
        poll: Poll<'_>,
    ) -> Result<Run, StopReason> {
        let [mut a, mut b] = runs.map(Cursor::new);
        let mut merged = Run::new(disk);
        let (mut has_a, mut has_b) = (a.next()?, b.next()?);
        let mut states = 0u32;
        while has_a || has_b {
            if has_a && (!has_b || a.hash <= b.hash) {
                merged.push(a.hash, a.state())?;
                has_a = a.next()?;
            } else {
                merged.push(b.hash, b.state())?;
                has_b = b.next()?;
            }
            states = states.wrapping_add(1);
            if states.is_multiple_of(1 << 12) {
                poll()?;
            }
        }
        merged.end()?;
        Ok(merged)
    }
}

/// Reads the states of a run, in order.
pub(super) struct Cursor<'r> {
    run: &'r Run,
    /// The block in memory, and the block after it.
    bytes: Vec<u8>,
    next_block: usize,
    /// Where in these bytes the current state is, and the next record.
    state: (usize, usize),
    at: usize,
    hash: u64,
    /// Whether there is a current state.
    has_state: bool,
    /// The states with the hash that was last looked up: their bytes and their ends.
    group: Vec<u8>,
    ends: Vec<usize>,
    group_hash: Option<u64>,
}

impl<'r> Cursor<'r> {
    pub(super) fn new(run: &'r Run) -> Self {
        Cursor {
            run,
            bytes: Vec::new(),
            next_block: 0,
            state: (0, 0),
            at: 0,
            hash: 0,
            has_state: false,
            group: Vec::new(),
            ends: Vec::new(),
            group_hash: None,
        }
    }

    fn state(&self) -> &[u8] {
        &self.bytes[self.state.0..self.state.1]
    }

    /// Reads the block `block`. `false` if there is none.
    fn load(&mut self, block: usize) -> Result<bool, Error> {
        let index = &self.run.index;
        let Some(&(_, start)) = index.get(block) else { return Ok(false) };
        let end = index.get(block + 1).map_or(self.run.len(), |&(_, start)| start);
        self.bytes.clear();
        self.run.records.read(start, (end - start) as usize, &mut self.bytes)?;
        (self.at, self.next_block) = (0, block + 1);
        Ok(true)
    }

    /// Moves to the next state. `false` if there is none.
    #[inline]
    fn next(&mut self) -> Result<bool, Error> {
        if self.at == self.bytes.len() && !self.load(self.next_block)? {
            self.has_state = false;
            return Ok(false);
        }
        let (state, end) = first_record(&self.bytes[self.at..]).expect("blocks have whole records");
        self.hash = hash(state);
        let length = state.len();
        self.at += end;
        (self.state, self.has_state) = ((self.at - length, self.at), true);
        Ok(true)
    }

    /// Moves to the first state whose hash is at least `wanted`. `false` if there is none.
    fn seek(&mut self, wanted: u64) -> Result<bool, Error> {
        if self.has_state && self.hash >= wanted {
            return Ok(true);
        }
        let ahead = &self.run.index[self.next_block..];
        // The block before the first one that begins at `wanted` or later may end with such states.
        let skipped = match ahead.get(1) {
            Some(&(second, _)) if second < wanted => ahead.partition_point(|&(h, _)| h < wanted),
            _ => usize::from(ahead.first().is_some_and(|&(first, _)| first < wanted)),
        };
        if skipped > 0 {
            self.load(self.next_block + skipped - 1)?;
        }
        while self.next()? {
            if self.hash >= wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the run has the state `bytes`, whose hash is not less than the last one asked for.
    #[inline]
    pub(super) fn has(&mut self, hash: u64, bytes: &[u8]) -> Result<bool, Error> {
        if self.group_hash != Some(hash) {
            self.gather(hash)?;
        }
        let mut start = 0;
        for &end in &self.ends {
            if self.group[start..end] == *bytes {
                return Ok(true);
            }
            start = end;
        }
        Ok(false)
    }

    fn gather(&mut self, hash: u64) -> Result<(), Error> {
        self.group.clear();
        self.ends.clear();
        self.group_hash = Some(hash);
        let mut found = self.seek(hash)?;
        while found && self.hash == hash {
            let (start, end) = self.state;
            self.group.extend_from_slice(&self.bytes[start..end]);
            self.ends.push(self.group.len());
            found = self.next()?;
        }
        Ok(())
    }
}
