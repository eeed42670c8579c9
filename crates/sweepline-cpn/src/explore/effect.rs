//! What occurrences take and put, remembered for bindings that are seen again and again.

use sweepline_ml::Word;

use crate::explore::marking::{Bag, Stamp};

/// Bindings of one transition that are remembered.
const ENTRIES: usize = 1 << 10;
/// Bytes of what is remembered of one binding.
const MOST_BYTES: usize = 1 << 12;

/// What one binding of a transition does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    key: Vec<Word>,
    pub(crate) known: Known,
    /// What is taken from each place that the transition changes.
    pub(crate) minus: Vec<Bag>,
    /// What is put there.
    pub(crate) plus: Vec<Bag>,
    /// How much later than the time of the occurrence.
    pub(crate) delay: Stamp,
}

/// How much of an effect is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Known {
    #[default]
    Nothing,
    /// What is taken.
    Minus,
    /// What is taken is a colour that a place never has.
    Never,
    /// What is taken and what is put.
    All,
}

impl Effect {
    /// Forgets what it was, for a transition that changes so many places.
    pub(crate) fn clear(&mut self, changes: usize) {
        (self.known, self.delay) = (Known::Nothing, 0);
        self.minus.resize_with(changes, Bag::default);
        self.plus.resize_with(changes, Bag::default);
        self.minus.iter_mut().chain(&mut self.plus).for_each(Bag::clear);
    }

    /// Forgets what it is if that takes too much memory.
    pub(crate) fn trim(&mut self) {
        if self.minus.iter().chain(&self.plus).map(Bag::size).sum::<usize>() > MOST_BYTES {
            *self = Effect::default();
        }
    }
}

/// A cache of fixed size: the effects of one transition by the words of its variables. Only words that
/// stand for the same value forever may be asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    entries: Vec<Effect>,
}

impl Effects {
    /// What is known of the binding, if only that nothing is.
    pub(crate) fn find(&mut self, key: &[Word], changes: usize) -> &mut Effect {
        if self.entries.is_empty() {
            self.entries.resize_with(ENTRIES, Effect::default);
        }
        let effect = &mut self.entries[slot(key)];
        if effect.known == Known::Nothing || effect.key != key {
            effect.clear(changes);
            effect.key.clear();
            effect.key.extend_from_slice(key);
        }
        effect
    }
}

/// Multiplicative hashing (Knuth, The Art of Computer Programming, 6.4).
fn slot(key: &[Word]) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: &Word| (hash.rotate_left(23) ^ word).wrapping_mul(GOLDEN);
    (key.iter().fold(0, mix) >> (u64::BITS - ENTRIES.trailing_zeros())) as usize
}
