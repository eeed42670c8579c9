//! Numbers for states: consecutive, given at first sight, forgotten with the layer.

use std::collections::HashMap;

use sweepline::StateId;

/// Not given yet.
const NONE: u64 = u64::MAX;

/// The numbers of the states in the window.
#[derive(Default)]
pub(super) struct Numbers {
    layers: HashMap<u64, Vec<u64>>,
    given: u64,
}

impl Numbers {
    /// The number of a state.
    pub(super) fn of(&mut self, state: StateId) -> u64 {
        let numbers = self.layers.entry(state.layer).or_default();
        let at = state.number as usize;
        if numbers.len() <= at {
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
        self.layers.remove(&layer);
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
        let mut numbers = Numbers::default();
        let state = |layer, number| StateId { layer, number };
        assert_eq!(numbers.of(state(1, 0)), 0);
        assert_eq!(numbers.of(state(2, 3)), 1);
        assert_eq!(numbers.of(state(2, 0)), 2);
        assert_eq!(numbers.of(state(2, 3)), 1);
        numbers.forget(2);
        assert_eq!(numbers.of(state(2, 3)), 3);
        assert_eq!((numbers.of(state(1, 0)), numbers.given()), (0, 4));
    }
}
