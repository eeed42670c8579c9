//! Numbers for states: consecutive, given at the first visit, dropped with the layer.

use std::collections::HashMap;

use sweepline::StateId;

/// No number yet.
const NONE: u64 = u64::MAX;

/// Bytes of a number.
pub(super) const BYTES: u64 = size_of::<u64>() as u64;
/// Approximate further bytes of a layer.
const OVERHEAD: u64 = 128;

/// The numbers of the states in the window.
pub(super) struct Numbers {
    layers: HashMap<u64, Vec<u64>>,
    given: u64,
    /// Bytes in use, and the most allowed.
    used: u64,
    limit: u64,
}

impl Numbers {
    /// Numbers that may use up to `limit` bytes.
    pub(super) fn new(limit: Option<u64>) -> Self {
        Numbers { layers: HashMap::new(), given: 0, used: 0, limit: limit.unwrap_or(u64::MAX) }
    }

    /// They use more than the limit.
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

    /// Drops the numbers of a layer: its states do not come back.
    pub(super) fn drop_layer(&mut self, layer: u64) {
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
        numbers.drop_layer(2);
        assert_eq!(numbers.of(state(2, 3)), 3);
        assert_eq!((numbers.of(state(1, 0)), numbers.given()), (0, 4));
    }

    #[test]
    fn dropped_layers_use_no_memory() {
        let mut numbers = Numbers::new(Some(2 * OVERHEAD + 100 * BYTES));
        for layer in 0..1_000 {
            (0..90).for_each(|number| _ = numbers.of(StateId { layer, number }));
            assert!(!numbers.is_beyond_limit());
            numbers.drop_layer(layer);
        }
        numbers.of(StateId { layer: 0, number: 100 });
        assert!(!numbers.is_beyond_limit());
        numbers.of(StateId { layer: 1, number: 0 });
        assert!(numbers.is_beyond_limit());
    }
}
