//! Trips that go depth first.
//!
//! Of a state on the path only its bytes are stored, and how many of its successors were tried. When the search
//! returns to a state, its successors are computed, chosen and ordered again: on the way down, which is where a dive
//! spends its time, nothing is stored for each successor.

use super::trip::{Over, Step, Trip};
use crate::model::{Model, initial};
use crate::retain::hash;

/// No dive goes deeper: a counterexample should be short enough to read.
const DEEPEST: usize = 1 << 14;

/// A state on the path.
struct Frame {
    /// Where its bytes begin.
    start: usize,
    /// How many of its successors were tried.
    tried: usize,
    /// Orders its successors; `None` for the model's order.
    seed: Option<u64>,
}

/// The path of a dive.
#[derive(Default)]
struct Path {
    frames: Vec<Frame>,
    bytes: Vec<u8>,
    /// The number of an initial state, then those of successors.
    taken: Vec<u32>,
    /// The successors to try of the last state, in order.
    order: Vec<u32>,
}

impl Path {
    fn size(&self) -> usize {
        self.bytes.len() + self.frames.len() * (size_of::<Frame>() + size_of::<u32>())
    }

    fn push(&mut self, bytes: &[u8], seed: Option<u64>) {
        self.frames.push(Frame { start: self.bytes.len(), tried: 0, seed });
        self.bytes.extend_from_slice(bytes);
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.bytes.truncate(frame.start);
            self.taken.pop();
        }
    }

    /// The next successor to try of the last state.
    fn next(&mut self) -> Option<u32> {
        let frame = self.frames.last_mut()?;
        let next = self.order.get(frame.tried).copied();
        frame.tried += 1;
        next
    }

    /// Orders the successors of the last state.
    fn arrange(&mut self, chosen: impl Iterator<Item = u32>) {
        self.order.clear();
        self.order.extend(chosen);
        if let Some(seed) = self.frames.last().and_then(|frame| frame.seed) {
            fastrand::Rng::with_seed(seed).shuffle(&mut self.order);
        }
    }
}

impl<M: Model> Trip<'_, '_, M> {
    /// Searches depth first. Whether it came to its end.
    pub(super) fn dive(&mut self, is_random: bool, is_superfluous: &dyn Fn() -> bool) -> bool {
        let mut starts: Vec<(u32, M::State)> = (0..).zip(initial(self.model)).collect();
        if is_random {
            self.random.shuffle(&mut starts);
        }
        for (number, state) in starts {
            match self.dive_from(number, state, is_random, is_superfluous) {
                Ok(()) => {}
                Err(over) => return over == Over::Done,
            }
        }
        true
    }

    fn dive_from(
        &mut self,
        start: u32,
        state: M::State,
        is_random: bool,
        is_superfluous: &dyn Fn() -> bool,
    ) -> Step {
        let (room, mut path, mut bytes) = (self.room(), Path::default(), Vec::new());
        let mut state = state;
        path.taken.push(start);
        self.model.encode(&state, &mut bytes);
        if !self.is_new(hash(&bytes)) {
            return Ok(());
        }
        loop {
            self.visit(&state, &bytes, &|| path.taken.clone(), is_superfluous)?;
            path.push(&bytes, is_random.then(|| self.random.u64(..)));
            path.order.clear();
            if path.size() < room && path.frames.len() < DEEPEST {
                path.arrange(self.chosen());
            }
            loop {
                let Some(number) = path.next() else {
                    path.pop();
                    let Some(frame) = path.frames.last() else { return Ok(()) };
                    let last = self.model.decode(&path.bytes[frame.start..]);
                    self.expand(&last, is_superfluous)?;
                    path.arrange(self.chosen());
                    continue;
                };
                let Some(next) = self.successors.states[..self.gathered()].get(number as usize)
                else {
                    return Err(Over::Broken);
                };
                bytes.clear();
                self.model.encode(next, &mut bytes);
                if self.is_new(hash(&bytes)) {
                    state = self.successors.states[number as usize].clone();
                    path.taken.push(number);
                    break;
                }
            }
        }
    }
}
