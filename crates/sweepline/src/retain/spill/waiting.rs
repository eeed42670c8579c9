//! States that are waiting to be expanded, in the order of their numbers.

use std::collections::VecDeque;
use std::sync::Arc;

use super::disk::{Disk, Records, first_record};
use crate::spill::Error;

/// A segment has at least this share of the bytes of the queue.
const SHARE: u64 = 16;

/// A queue of states in several files, each of which is removed when it is read.
#[derive(Default)]
pub(super) struct Waiting {
    segments: VecDeque<Records>,
    /// Bytes after which the last segment is followed by another one.
    most: u64,
    /// Bytes of the first segment that were read into `bytes`.
    read: u64,
    bytes: Vec<u8>,
    /// Where in these bytes the next record begins.
    at: usize,
}

impl Waiting {
    /// Memory in use.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.capacity() + self.segments.iter().map(Records::bytes).sum::<usize>()
    }

    pub(super) fn push(&mut self, disk: &Arc<Disk>, state: &[u8]) -> Result<(), Error> {
        if let Some(last) = self.segments.back_mut()
            && last.len() < self.most
        {
            return last.push(state);
        }
        self.rest()?;
        // A long queue has longer segments, so that few files are open.
        let bytes: u64 = self.segments.iter().map(Records::len).sum();
        self.most = disk.segment.max(bytes / SHARE);
        let mut segment = Records::new(disk);
        segment.push(state)?;
        self.segments.push_back(segment);
        Ok(())
    }

    /// No state is added for now: frees the memory for further ones.
    pub(super) fn rest(&mut self) -> Result<(), Error> {
        self.segments.back_mut().map_or(Ok(()), Records::end)
    }

    /// Moves the next state to `state`. `false` if none is waiting.
    #[inline]
    pub(super) fn take(&mut self, state: &mut Vec<u8>) -> Result<bool, Error> {
        loop {
            if let Some((record, end)) = first_record(&self.bytes[self.at..]) {
                state.clear();
                state.extend_from_slice(record);
                self.at += end;
                return Ok(true);
            }
            if !self.read_more()? {
                return Ok(false);
            }
        }
    }

    #[cold]
    fn read_more(&mut self) -> Result<bool, Error> {
        self.bytes.drain(..self.at);
        self.at = 0;
        while let Some(first) = self.segments.front() {
            let left = first.len() - self.read;
            if left > 0 {
                // A record may be longer than the buffer.
                let most = first.disk().buffer.max(2 * self.bytes.len()) as u64;
                let length = left.min(most);
                first.read(self.read, length as usize, &mut self.bytes)?;
                self.read += length;
                return Ok(true);
            }
            // Whole records were read. The last segment may still grow.
            if self.segments.len() == 1 && first.len() < self.most {
                return Ok(false);
            }
            self.segments.pop_front();
            self.read = 0;
        }
        Ok(false)
    }
}
