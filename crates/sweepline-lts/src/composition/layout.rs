//! Where each component's state stands in the packed words.

use smallvec::{SmallVec, smallvec};

use super::model::Joint;
use crate::lts::{Lts, StateNo};

/// The bits of one component: never across two words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) word: u32,
    pub(super) shift: u32,
    mask: u64,
}

impl Seat {
    /// The state that stands here.
    #[inline]
    pub(super) fn get(self, words: &[u64]) -> u32 {
        ((words[self.word as usize] >> self.shift) & self.mask) as u32
    }

    /// The bits of the word that are its.
    pub(super) fn bits(self) -> u64 {
        self.mask << self.shift
    }

    /// What a step between two states adds to the word.
    pub(super) fn delta(self, from: StateNo, to: StateNo) -> u64 {
        u64::from(to.0).wrapping_sub(u64::from(from.0)) << self.shift
    }
}

/// The seats of all components.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) seats: Vec<Seat>,
    n_words: usize,
    pub(super) n_bytes: usize,
}

impl Layout {
    pub(super) fn new(components: &[Lts]) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut seats = Vec::with_capacity(components.len());
        for lts in components {
            // One bit at least: a shift by a whole word is none.
            let bits = (u64::BITS - (lts.n_states() as u64 - 1).leading_zeros()).max(1);
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            seats.push(Seat { word, shift: used, mask: (1 << bits) - 1 });
            used += bits;
        }
        let n_bytes = word as usize * 8 + used.div_ceil(8) as usize;
        Layout { seats, n_words: word as usize + 1, n_bytes }
    }

    #[inline]
    pub(super) fn seat(&self, component: usize) -> Seat {
        self.seats[component]
    }

    pub(super) fn pack(&self, states: &[StateNo]) -> Joint {
        let mut words: SmallVec<[u64; 2]> = smallvec![0; self.n_words];
        for (seat, state) in self.seats.iter().zip(states) {
            words[seat.word as usize] |= u64::from(state.0) << seat.shift;
        }
        Joint { words }
    }
}
