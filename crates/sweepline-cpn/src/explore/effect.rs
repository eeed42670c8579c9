//! What occurrences take and put, remembered for bindings that are seen again and again.

use sweepline_ml::Word;

use crate::explore::marking::{Bag, Stamp};

/// Bindings of one transition that are remembered, at first.
const ENTRIES: usize = 1 << 6;
/// The most that are.
const MOST_ENTRIES: usize = 1 << 10;
/// How many bindings must be known for one that is not, or the table grows.
const WORTH: usize = 16;
/// Bytes of what is remembered of one binding; more counts as large.
const MOST_BYTES: usize = 1 << 12;
/// Bytes of what is remembered of the large ones of a transition, such as those that carry growing lists.
const MOST_LARGE: usize = 4 << 20;

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

    /// The bytes it takes, if they are many.
    pub(crate) fn large(&self) -> Option<usize> {
        let bytes = self.minus.iter().chain(&self.plus).map(Bag::size).sum::<usize>();
        Some(bytes).filter(|&bytes| bytes > MOST_BYTES)
    }
}

/// The effects of one transition by the words of its variables: a table in which the newest two bindings
/// of those with the same pair of slots stay. It grows while that costs much, up to a bound. Only words that stand for the
/// same value until [`Effects::forget`] may be asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    entries: Vec<Effect>,
    /// How often a binding was known, and how often not, since the table had this size.
    hits: usize,
    misses: usize,
    /// Bytes of large effects since they were last forgotten.
    large: usize,
}

impl Effects {
    /// What is known of the binding, if only that nothing is.
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

    /// A large effect was made. All are forgotten once they take too much memory.
    pub(crate) fn count_large(&mut self, bytes: usize) {
        self.large += bytes;
        if self.large > MOST_LARGE {
            self.entries.fill_with(Effect::default);
            self.large = 0;
        }
    }

    /// Forgets all bindings: their words mean something else from now on.
    pub(crate) fn forget(&mut self) {
        self.entries.iter_mut().for_each(|effect| effect.known = Known::Nothing);
    }

    /// Makes the table larger when too many bindings were not known.
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
        let mut effects = Effects::default();
        let mut made = 0;
        let mut meet = |key: Word| {
            let effect = effects.find(&[key], 1);
            if effect.known == Known::All {
                return;
            }
            made += 1;
            effect.known = Known::All;
            effect.plus[0].add(1, 0, &vec![7; 3 * MOST_BYTES]);
            let bytes = effect.large().expect("it is large");
            effects.count_large(bytes);
        };
        (0..100).for_each(|_| meet(1));
        assert_eq!(made, 1);
        let enough = MOST_LARGE / MOST_BYTES;
        (0..enough as Word).for_each(&mut meet);
        assert!(effects.large <= MOST_LARGE);
        let kept = |effect: &&Effect| effect.large().is_some();
        assert!(effects.entries.iter().filter(kept).count() < enough / 2);
    }
}
