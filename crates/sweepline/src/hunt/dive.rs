//! Trips that go depth first.
//!
//! Only the states on the path are stored, and the numbers of their successors that are still to be tried. When the
//! search returns to a state, its successors are computed again: on the way down, which is where a dive spends its
//! time, no successor is stored.

use super::trip::{Over, Step, Trip};
use crate::model::{Model, initial};
use crate::retain::hash;

/// No dive goes deeper: a counterexample should be short enough to read.
const DEEPEST: usize = 1 << 14;

/// A state on the path.
struct Frame {
    /// Where its bytes begin.
    start: usize,
    /// Where the numbers of its successors begin that are still to be tried; the last one is next.
    numbers: usize,
}

/// The path of a dive.
#[derive(Default)]
struct Path {
    frames: Vec<Frame>,
    bytes: Vec<u8>,
    numbers: Vec<u32>,
    /// The number of an initial state, then those of successors.
    taken: Vec<u32>,
}

impl Path {
    fn size(&self) -> usize {
        self.bytes.len() + self.numbers.len() * 4 + self.frames.len() * size_of::<Frame>()
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.bytes.truncate(frame.start);
            self.numbers.truncate(frame.numbers);
            self.taken.pop();
        }
    }

    /// The next successor to try of the last state, which is removed from the list.
    fn next(&mut self) -> Option<u32> {
        let frame = self.frames.last()?;
        if self.numbers.len() > frame.numbers { self.numbers.pop() } else { None }
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
            path.frames.push(Frame { start: path.bytes.len(), numbers: path.numbers.len() });
            path.bytes.extend_from_slice(&bytes);
            if path.size() < room && path.frames.len() < DEEPEST {
                self.list_successors(&mut path, is_random);
            }
            // The successors of the last state are at hand until the search returns to another one.
            let mut at_hand = true;
            loop {
                let Some(number) = path.next() else {
                    path.pop();
                    if path.frames.is_empty() {
                        return Ok(());
                    }
                    at_hand = false;
                    continue;
                };
                if !at_hand {
                    let frame = path.frames.last().expect("it has a successor");
                    let last = self.model.decode(&path.bytes[frame.start..]);
                    self.expand_all(&last, is_superfluous)?;
                    at_hand = true;
                }
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

    /// Lists the successors to try, the next one last.
    fn list_successors(&mut self, path: &mut Path, is_random: bool) {
        let first = path.numbers.len();
        path.numbers.extend(self.chosen());
        match is_random {
            true => self.random.shuffle(&mut path.numbers[first..]),
            false => path.numbers[first..].reverse(),
        }
    }
}
