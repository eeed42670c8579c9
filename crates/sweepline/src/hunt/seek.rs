//! Trips that go best first: the waiting state that is nearest to the target is expanded next.
//!
//! The distance of a state is that of the property, if it has one. For a deadlock it is the number of successors of the
//! predecessor. Of equally distant states, the one that was found last is next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::trip::{Over, Step, Trip};
use crate::model::{Model, initial};
use crate::retain::hash;

/// A state that was found: the one before, and the number of the successor. The state before an initial one is itself.
struct Origin {
    parent: u32,
    number: u32,
}

/// The states found, and those that are waiting.
#[derive(Default)]
struct Waiting {
    origins: Vec<Origin>,
    /// The distance of a waiting state, and its number in `origins`.
    heap: BinaryHeap<(Reverse<u64>, u32)>,
    /// The bytes of each waiting state.
    bytes: Vec<Box<[u8]>>,
    size: usize,
}

impl Waiting {
    fn add(&mut self, distance: u64, parent: Option<u32>, number: u32, bytes: &[u8]) {
        let at = self.origins.len() as u32;
        self.origins.push(Origin { parent: parent.unwrap_or(at), number });
        self.heap.push((Reverse(distance), at));
        self.bytes.push(bytes.into());
        self.size += bytes.len() + 48;
    }

    fn take(&mut self) -> Option<(u32, Box<[u8]>)> {
        let (_, at) = self.heap.pop()?;
        let bytes = std::mem::take(&mut self.bytes[at as usize]);
        self.size -= bytes.len();
        Some((at, bytes))
    }

    fn path(&self, mut at: u32) -> Vec<u32> {
        let mut path = Vec::new();
        loop {
            let origin = &self.origins[at as usize];
            path.push(origin.number);
            if origin.parent == at {
                break;
            }
            at = origin.parent;
        }
        path.reverse();
        path
    }
}

impl<M: Model> Trip<'_, '_, M> {
    /// Searches best first. Whether it came to its end.
    pub(super) fn seek(&mut self, is_superfluous: &dyn Fn() -> bool) -> bool {
        if self.target.distance.is_none() && !self.target.is_end {
            // Nothing says which state is better.
            return self.dive(true, is_superfluous);
        }
        self.best_first(is_superfluous) != Err(Over::Broken)
    }

    fn best_first(&mut self, is_superfluous: &dyn Fn() -> bool) -> Step {
        let (mut waiting, mut bytes) = (Waiting::default(), Vec::new());
        for (number, state) in (0..).zip(initial(self.model)) {
            bytes.clear();
            self.model.encode(&state, &mut bytes);
            if self.is_new(hash(&bytes)) {
                waiting.add(self.distance(&state, 0)?, None, number, &bytes);
            }
        }
        while let Some((at, found)) = waiting.take() {
            let state = self.model.decode(&found);
            self.visit(&state, &found, &|| waiting.path(at), is_superfluous)?;
            let edges = self.gathered() as u64;
            let chosen: Vec<u32> = self.chosen().collect();
            for number in chosen.into_iter().rev() {
                let state = self.successors.states[number as usize].clone();
                bytes.clear();
                self.model.encode(&state, &mut bytes);
                if self.is_new(hash(&bytes)) {
                    waiting.add(self.distance(&state, edges)?, Some(at), number, &bytes);
                }
            }
            if waiting.size > self.room() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The distance of a state whose predecessor has so many successors.
    fn distance(&mut self, state: &M::State, edges: u64) -> Step<u64> {
        match &self.target.distance {
            Some(distance) => {
                distance(self.model, &mut self.reader, state).map_err(|_| Over::Broken)
            }
            None => Ok(edges),
        }
    }
}
