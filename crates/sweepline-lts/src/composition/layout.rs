//! The fields of the components' states in the packed words.

use smallvec::{SmallVec, smallvec};
use sweepline::compiled::Field;

use super::model::Joint;
use crate::lts::{Lts, StateNo};

/// The difference that a step of the component in `field` adds to its word.
pub(super) fn delta(field: Field, from: StateNo, to: StateNo) -> u64 {
    u64::from(to.0).wrapping_sub(u64::from(from.0)) << field.shift
}

/// The fields of all components; none spans two words.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
    n_words: usize,
    pub(super) n_bytes: usize,
}

impl Layout {
    pub(super) fn new(components: &[Lts]) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut fields = Vec::with_capacity(components.len());
        for lts in components {
            // At least one bit: a shift by a whole word is undefined.
            let bits = (u64::BITS - (lts.n_states() as u64 - 1).leading_zeros()).max(1);
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            fields.push(Field { word, shift: used, most: (1 << bits) - 1 });
            used += bits;
        }
        let n_bytes = word as usize * 8 + used.div_ceil(8) as usize;
        Layout { fields, n_words: word as usize + 1, n_bytes }
    }

    pub(super) fn pack(&self, states: &[StateNo]) -> Joint {
        let mut words: SmallVec<[u64; 2]> = smallvec![0; self.n_words];
        for (field, state) in self.fields.iter().zip(states) {
            words[field.word as usize] |= u64::from(state.0) << field.shift;
        }
        Joint { words }
    }
}
