//! Numbers for states: consecutive, given at first sight, forgotten with the layer.

use std::collections::HashMap;

use sweepline::StateId;

/// Not given yet.
const NONE: u64 = u64::MAX;

/// What a number takes.
pub(super) const BYTES: u64 = size_of::<u64>() as u64;
/// What the numbers of a layer take besides, about.
const OVERHEAD: u64 = 128;

/// The numbers of the states in the window.
pub(super) struct Numbers {
    layers: HashMap<u64, Vec<u64>>,
    given: u64,
    /// Bytes taken, and how many may be.
    used: u64,
    limit: u64,
}

impl Numbers {
    /// Numbers that may take so many bytes.
    pub(super) fn new(limit: Option<u64>) -> Self {
        Numbers { layers: HashMap::new(), given: 0, used: 0, limit: limit.unwrap_or(u64::MAX) }
    }

    /// They take more than they may.
    pub(super) fn is_beyond_limit(&self) -> bool {
        self.used > self.limit
    }

    /// The number of a state.
    pub(super) fn of(&mut self, state: StateId) -> u64 {
        let numbers = self.layers.entry(state.layer).or_insert_with(|| {
            self.used += OVERHEAD;
            Vec::new()
        });
        let at = state.number as usize;
        if numbers.len() <= at {
            self.used += (at + 1 - numbers.len()) as u64 * BYTES;
            numbers.resize(at + 1, NONE);
        }
        if numbers[at] == NONE {
            numbers[at] = self.given;
            self.given += 1;
        }
        numbers[at]
    }

    /// The states of this layer do not come back.
    pub(super) fn forget(&mut self, layer: u64) {
        if let Some(numbers) = self.layers.remove(&layer) {
            self.used -= OVERHEAD + numbers.len() as u64 * BYTES;
        }
    }

    /// How many numbers were given.
    pub(super) fn given(&self) -> u64 {
        self.given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_once_and_never_again() {
        let mut numbers = Numbers::new(None);
        let state = |layer, number| StateId { layer, number };
        assert_eq!(numbers.of(state(1, 0)), 0);
        assert_eq!(numbers.of(state(2, 3)), 1);
        assert_eq!(numbers.of(state(2, 0)), 2);
        assert_eq!(numbers.of(state(2, 3)), 1);
        numbers.forget(2);
        assert_eq!(numbers.of(state(2, 3)), 3);
        assert_eq!((numbers.of(state(1, 0)), numbers.given()), (0, 4));
    }

    #[test]
    fn what_is_forgotten_takes_no_memory() {
        let mut numbers = Numbers::new(Some(2 * OVERHEAD + 100 * BYTES));
        for layer in 0..1_000 {
            (0..90).for_each(|number| _ = numbers.of(StateId { layer, number }));
            assert!(!numbers.is_beyond_limit());
            numbers.forget(layer);
        }
        numbers.of(StateId { layer: 0, number: 100 });
        assert!(!numbers.is_beyond_limit());
        numbers.of(StateId { layer: 1, number: 0 });
        assert!(numbers.is_beyond_limit());
    }
}
