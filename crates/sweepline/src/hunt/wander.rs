//! Trips that walk at random, each time from an initial state again, and each time further.

use super::trip::{Over, Step, Trip};
use crate::model::{Model, initial};

/// Steps of the first walk; eight walks later, twice as many.
const FIRST: usize = 64;
/// No walk is longer.
const MOST: usize = 1 << 16;
/// Successors that are compared by their distance.
const SAMPLE: usize = 4;

impl<M: Model> Trip<'_, '_, M> {
    /// Walks at random. Whether it came to its end.
    pub(super) fn wander(&mut self, is_superfluous: &dyn Fn() -> bool) -> bool {
        let starts = initial(self.model);
        if starts.is_empty() {
            return true;
        }
        for walk in 0.. {
            let start = self.random.usize(..starts.len());
            let steps = FIRST.checked_shl(walk / 8).map_or(MOST, |steps| steps.min(MOST));
            match self.walk((start as u32, &starts[start]), steps, is_superfluous) {
                // A start without successors would never use up the budget.
                Ok(()) if self.states > self.budget() => return true,
                Ok(()) => {}
                Err(over) => return over == Over::Done,
            }
        }
        true
    }

    fn walk(
        &mut self,
        (start, state): (u32, &M::State),
        steps: usize,
        is_superfluous: &dyn Fn() -> bool,
    ) -> Step {
        let (mut path, mut state, mut bytes) = (vec![start], state.clone(), Vec::new());
        for _ in 0..steps {
            bytes.clear();
            self.model.encode(&state, &mut bytes);
            self.visit(&state, &bytes, &|| path.clone(), is_superfluous)?;
            let Some(number) = self.step()? else { return Ok(()) };
            path.push(number as u32);
            state.clone_from(&self.successors.states[number]);
        }
        Ok(())
    }

    /// The successor to take: any one, or the nearest to the target of some.
    fn step(&mut self) -> Step<Option<usize>> {
        let edges = self.gathered();
        if edges == 0 {
            return Ok(None);
        }
        let mut best = self.random.usize(..edges);
        let (Some(distance), true) = (&self.target.distance, self.random.bool()) else {
            return Ok(Some(best));
        };
        let mut least = None;
        for _ in 0..SAMPLE.min(edges) {
            let number = self.random.usize(..edges);
            let state = &self.successors.states[number];
            let far = distance(self.model, &mut self.reader, state).map_err(|_| Over::Broken)?;
            if least.is_none_or(|least| far < least) {
                (least, best) = (Some(far), number);
            }
        }
        Ok(Some(best))
    }
}
