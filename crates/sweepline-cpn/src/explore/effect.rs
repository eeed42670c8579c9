//! A cache of occurrences: the tokens that a binding removes and adds.

use sweepline_ml::Word;

use crate::explore::marking::{Bag, Stamp};

/// The initial number of cached bindings per transition.
const ENTRIES: usize = 1 << 6;
/// The most cached bindings per transition.
const MOST_ENTRIES: usize = 1 << 10;
/// The table grows unless there are this many hits for each miss.
const WORTH: usize = 16;
/// An effect with more bytes than this counts as large.
const MOST_BYTES: usize = 1 << 12;
/// The most bytes of large effects per transition, such as those with growing lists.
const MOST_LARGE: usize = 4 << 20;

/// The effect of one binding of a transition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    key: Vec<Word>,
    pub(crate) known: Known,
    /// The tokens removed from each place that the transition changes.
    pub(crate) minus: Vec<Bag>,
    /// The tokens added to each of these places.
    pub(crate) plus: Vec<Bag>,
    /// The delay of the tokens added.
    pub(crate) delay: Stamp,
}

/// How much of an effect has been computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Known {
    #[default]
    Nothing,
    /// The tokens removed.
    Minus,
    /// A token to be removed has a colour that is never on its place.
    Never,
    /// The tokens removed and added.
    All,
}

impl Effect {
    /// Resets the effect, for a transition that changes this many places.
    pub(crate) fn clear(&mut self, changes: usize) {
        (self.known, self.delay) = (Known::Nothing, 0);
        self.minus.resize_with(changes, Bag::default);
        self.plus.resize_with(changes, Bag::default);
        self.minus.iter_mut().chain(&mut self.plus).for_each(Bag::clear);
    }

    /// The bytes that it takes, if it is large.
    pub(crate) fn large(&self) -> Option<usize> {
        let bytes = self.minus.iter().chain(&self.plus).map(Bag::size).sum::<usize>();
        Some(bytes).filter(|&bytes| bytes > MOST_BYTES)
    }
}

/// The effects of one transition, by the words of its variables. A table in which each pair of slots keeps the
/// latest two bindings. The table grows while there are many misses, up to a bound. The words of a key must
/// keep their meaning until [`Effects::forget`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    entries: Vec<Effect>,
    /// Hits and misses since the table had this size.
    hits: usize,
    misses: usize,
    /// Bytes of large effects since the table was last cleared.
    large: usize,
}

impl Effects {
    /// The cached effect of a binding, or an empty one to fill in.
    pub(crate) fn find(&mut self, key: &[Word], changes: usize) -> &mut Effect {
        if self.misses >= 2 * self.entries.len() {
            self.resize();
        }
        let first = slot(key, self.entries.len());
        let is_known = |&at: &usize| {
            let effect = &self.entries[at];
            effect.known != Known::Nothing && effect.key == key
        };
        if let Some(at) = [first, first ^ 1].into_iter().find(is_known) {
            self.hits += 1;
            return &mut self.entries[at];
        }
        self.misses += 1;
        self.entries.swap(first, first ^ 1);
        let effect = &mut self.entries[first];
        effect.clear(changes);
        effect.key.clear();
        effect.key.extend_from_slice(key);
        effect
    }

    /// Records a large effect. Clears the table when large effects take too much memory.
    pub(crate) fn count_large(&mut self, bytes: usize) {
        self.large += bytes;
        if self.large > MOST_LARGE {
            self.entries.fill_with(Effect::default);
            self.large = 0;
        }
    }

    /// Clears the table, because words get another meaning.
    pub(crate) fn forget(&mut self) {
        self.entries.iter_mut().for_each(|effect| effect.known = Known::Nothing);
    }

    /// Enlarges the table if there were too many misses.
    #[cold]
    fn resize(&mut self) {
        if self.hits <= WORTH * self.misses && self.entries.len() < MOST_ENTRIES {
            let entries = (4 * self.entries.len()).max(ENTRIES);
            self.entries = Vec::new();
            self.entries.resize_with(entries, Effect::default);
        }
        (self.hits, self.misses) = (0, 0);
    }
}

/// Multiplicative hashing (Knuth, The Art of Computer Programming, 6.4), for a power of two.
fn slot(key: &[Word], entries: usize) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: &Word| (hash.rotate_left(23) ^ word).wrapping_mul(GOLDEN);
    (key.iter().fold(0, mix) >> (u64::BITS - entries.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_effects_are_remembered_until_they_take_too_much() {
        fn meet(effects: &mut Effects, key: Word) -> bool {
            let effect = effects.find(&[key], 1);
            if effect.known == Known::All {
                return false;
            }
            effect.known = Known::All;
            effect.plus[0].add(1, 0, &vec![7; 3 * MOST_BYTES]);
            let bytes = effect.large().expect("it is large");
            effects.count_large(bytes);
            true
        }
        let mut effects = Effects::default();
        assert_eq!((0..100).filter(|_| meet(&mut effects, 1)).count(), 1);
        let enough = MOST_LARGE / MOST_BYTES;
        (0..enough as Word).for_each(|key| _ = meet(&mut effects, key));
        assert!(effects.large <= MOST_LARGE);
        let kept = |effect: &&Effect| effect.large().is_some();
        assert!(effects.entries.iter().filter(kept).count() < enough / 2);
    }
}
