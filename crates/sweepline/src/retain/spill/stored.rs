//! The stored states of a layer: a few runs.

use std::sync::Arc;

use super::Poll;
use super::disk::Disk;
use super::run::{Cursor, Run};
use crate::verdict::StopReason;

/// A state in memory: its hash, its handle and its number.
pub(super) type Entry = (u64, u32, u32);

/// Look-ups between two polls.
pub(super) const POLL: usize = 1 << 12;

/// Runs without a common state. Each is longer than twice the one after it, except the first ones.
#[derive(Default)]
pub(super) struct StoredStates {
    runs: Vec<Run>,
}

impl StoredStates {
    /// Memory in use, including that of a look-up.
    pub(super) fn bytes(&self) -> usize {
        self.runs.iter().map(|run| run.bytes() + size_of::<Cursor<'_>>()).sum()
    }

    /// Calls `found` for each of the `wanted` states that is stored. They are sorted by hash.
    pub(super) fn each_stored<'s>(
        &self,
        wanted: &[Entry],
        state: impl Fn(u32) -> &'s [u8],
        mut found: impl FnMut(u32),
        poll: Poll<'_>,
    ) -> Result<(), StopReason> {
        for run in &self.runs {
            let mut cursor = Cursor::new(run);
            for entries in wanted.chunks(POLL) {
                poll()?;
                for &(hash, handle, number) in entries {
                    if cursor.has(hash, state(handle))? {
                        found(number);
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a run of states that are not stored yet.
    pub(super) fn push(&mut self, mut run: Run) -> Result<(), StopReason> {
        run.end()?;
        if run.len() > 0 {
            self.runs.push(run);
        }
        Ok(())
    }

    /// Merges short runs, so that there are few.
    pub(super) fn tidy(&mut self, disk: &Arc<Disk>, poll: Poll<'_>) -> Result<(), StopReason> {
        while let [.., a, b] = &self.runs[..] {
            if a.len() > 2 * b.len() {
                break;
            }
            let merged = Run::merge(disk, [a, b], poll)?;
            self.runs.truncate(self.runs.len() - 2);
            self.runs.push(merged);
        }
        Ok(())
    }
}
