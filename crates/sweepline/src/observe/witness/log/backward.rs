//! Reading a log backwards, one origin at a time: for a path that leads through the logs of several workers.

use std::io;

use super::{Log, Origin, StateId, parse};

/// The layer of the records that end a step.
const STEP: u64 = 0;

impl Log {
    /// Notes that the records since the last note were written in step `step`. `origins` is the data of
    /// these notes, as that of a layer.
    pub(crate) fn end_step(&mut self, step: u64, origins: &mut super::Origins) -> io::Result<()> {
        let parent = StateId { layer: STEP, number: 0 };
        self.record(STEP, step, origins, Origin { parent, action: 0 })
    }
}

/// A position in a log, which moves towards its start.
pub(crate) struct Backward {
    /// Where the blocks that were not read yet end; `None` before the first look-up.
    end: Option<u64>,
    /// The records before the position.
    records: Vec<(StateId, Origin)>,
    /// The step of these records.
    step: u64,
}

impl Backward {
    /// A position at the end of a log.
    pub(crate) fn new() -> Self {
        Backward { end: None, records: Vec::new(), step: u64::MAX }
    }

    /// The origin of the state that had the id `wanted` when step `before` began, and the step in which it was
    /// stored. `before` must not be greater than in earlier calls. `None` if there is no such record.
    pub(crate) fn origin(
        &mut self,
        log: &mut Log,
        wanted: StateId,
        before: u64,
    ) -> io::Result<Option<(Origin, u64)>> {
        while let Some((state, origin)) = self.next(log)? {
            if state.layer == STEP {
                self.step = state.number;
            } else if self.step < before && state == wanted {
                return Ok(Some((origin, self.step)));
            }
        }
        Ok(None)
    }

    fn next(&mut self, log: &mut Log) -> io::Result<Option<(StateId, Origin)>> {
        loop {
            if let Some(record) = self.records.pop() {
                return Ok(Some(record));
            }
            (self.end, self.records) = match self.end {
                None => (Some(log.file.length()), parse(&log.buffer)?),
                Some(0) => return Ok(None),
                Some(end) => {
                    let (start, records) = log.read_block(end)?;
                    (Some(start), records)
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::witness::Origins;

    #[test]
    fn a_reused_name_stands_for_the_state_that_had_it_before_the_step() {
        let mut log = Log::new();
        let (mut origins, mut notes) = (Origins::default(), Origins::default());
        let state = StateId { layer: 7, number: 3 };
        for step in 1..5000 {
            let parent = StateId { layer: 9, number: step };
            log.record(7, 3, &mut origins, Origin { parent, action: step as u32 }).unwrap();
            log.end_step(step, &mut notes).unwrap();
        }
        let mut backward = Backward::new();
        for before in [5000, 4711, 17, 2] {
            let (origin, step) = backward.origin(&mut log, state, before).unwrap().unwrap();
            assert_eq!((u64::from(origin.action), step), (before - 1, before - 1));
        }
        assert_eq!(backward.origin(&mut log, state, 1).unwrap(), None);
    }
}
