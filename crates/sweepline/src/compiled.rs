//! Compiled transition systems: a state is a few words of bit fields, a transition is a guard over fields and a
//! constant to add to each word.
//!
//! Place/transition nets, unfolded symmetric nets and compositions of processes compile to this form. An
//! engine for this form (the interpreter here, or a program for a graphics card) needs no knowledge of nets
//! or processes.
//!
//! Whether a transition is enabled is a conjunction. Its first part compares one word, for 64 transitions at
//! a time and without a branch; only the transitions that pass are tested further.

mod condition;

pub use condition::{Condition, Sum, Term};

use crate::model::{Computed, Model, Sink};

/// Some bits of a word, as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The word.
    pub word: u32,
    /// The lowest bit.
    pub shift: u32,
    /// The greatest number that fits, which is also the mask of its bits.
    pub most: u64,
}

impl Field {
    /// The number.
    #[inline]
    pub fn get(self, words: &[u64]) -> u64 {
        (words[self.word as usize] >> self.shift) & self.most
    }
}

/// A part of the condition that enables a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// Some bits of a word have the expected value.
    Bits(Bits),
    /// A field is at least this number.
    AtLeast(Field, u64),
    /// The weighted sum of fields is at most this number.
    SumAtMost(Vec<(Field, u64)>, u64),
}

/// Some bits of a word have the expected value; with `not`, they have any other value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The word.
    pub word: u32,
    /// The bits to compare.
    pub mask: u64,
    /// Their expected value.
    pub expected: u64,
    /// Whether the comparison is negated.
    pub not: bool,
}

impl Bits {
    /// True for every word.
    pub const ALWAYS: Bits = Bits { word: 0, mask: 0, expected: 0, not: false };
    /// False for every word.
    pub const NEVER: Bits = Bits { not: true, ..Bits::ALWAYS };

    #[inline]
    fn pass(self, words: &[u64]) -> bool {
        (words[self.word as usize] & self.mask == self.expected) != self.not
    }
}

/// A transition, as it is added.
#[derive(Clone, Debug, Default)]
pub struct Transition {
    /// The transition is enabled if all of these hold. The first `Bits` among them is tested first.
    pub guards: Vec<Guard>,
    /// What firing adds to words, modulo 2^64.
    pub additions: Vec<(u32, u64)>,
    /// Fields that must be less than these numbers, so that the result fits.
    pub room: Vec<(Field, u64)>,
}

/// A transition system whose states are vectors of words.
#[derive(Clone, Debug, Default)]
pub struct TransitionSystem {
    /// The state it starts in.
    pub initial: Vec<u64>,
    /// The first test of each transition.
    first: Vec<Bits>,
    parts: Vec<Parts>,
    tests: Vec<Bits>,
    counts: Vec<(Field, u64)>,
    sums: Vec<(Vec<(Field, u64)>, u64)>,
    additions: Vec<(u32, u64)>,
    room: Vec<(Field, u64)>,
    keyed: Option<Keyed>,
}

/// The ranges of a transition's parts in the lists.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    tests: (u32, u32),
    counts: (u32, u32),
    sums: (u32, u32),
    additions: (u32, u32),
    room: (u32, u32),
}

/// Transitions indexed by a field that must not be zero for them to be enabled.
#[derive(Clone, Debug)]
struct Keyed {
    /// The transitions without such a field.
    always: Vec<u32>,
    /// For each word, the bits of its key fields.
    masks: Vec<u64>,
    /// For each bit of each word, the key field it belongs to.
    keys: Vec<Key>,
    transitions: Vec<u32>,
}

/// A key field: its bits, and the `transitions` to test if some of them are set.
#[derive(Clone, Copy, Debug, Default)]
struct Key {
    mask: u64,
    from: u32,
    to: u32,
}

#[inline]
fn range((from, to): (u32, u32)) -> std::ops::Range<usize> {
    from as usize..to as usize
}

impl TransitionSystem {
    /// A system without transitions.
    pub fn new(initial: Vec<u64>) -> Self {
        TransitionSystem { initial, ..TransitionSystem::default() }
    }

    /// How many transitions there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Adds a transition and returns its number.
    pub fn add(&mut self, transition: Transition) -> u32 {
        let Transition { guards, mut additions, room } = transition;
        let starts = self.ends();
        let mut first = None;
        for guard in guards {
            match guard {
                Guard::Bits(bits) if first.is_none() => first = Some(bits),
                Guard::Bits(bits) => self.tests.push(bits),
                Guard::AtLeast(field, least) => self.counts.push((field, least)),
                Guard::SumAtMost(terms, most) => self.sums.push((terms, most)),
            }
        }
        additions.sort_by_key(|&(word, _)| word);
        for (word, addition) in additions {
            match self.additions[starts[3] as usize..].last_mut() {
                Some(last) if last.0 == word => last.1 = last.1.wrapping_add(addition),
                _ => self.additions.push((word, addition)),
            }
        }
        self.room.extend(room);
        let ends = self.ends();
        let span = |i: usize| (starts[i], ends[i]);
        let (tests, counts, sums) = (span(0), span(1), span(2));
        self.first.push(first.unwrap_or(Bits::ALWAYS));
        self.parts.push(Parts { tests, counts, sums, additions: span(3), room: span(4) });
        self.parts.len() as u32 - 1
    }

    fn ends(&self) -> [u32; 5] {
        let TransitionSystem { tests, counts, sums, additions, room, .. } = self;
        [tests.len(), counts.len(), sums.len(), additions.len(), room.len()].map(|end| end as u32)
    }

    /// Builds an index: enabled transitions are then found by the fields that are not zero, not by testing
    /// all transitions. `key` gives for each transition a field that must not be zero for it to be enabled,
    /// if there is one. Worth its cost for many transitions.
    pub fn seek_by(&mut self, key: impl Fn(u32) -> Option<Field>) {
        let mut by_field: Vec<(Field, Vec<u32>)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        let mut always = Vec::new();
        for transition in 0..self.len() as u32 {
            match key(transition).filter(|field| field.most > 0) {
                None => always.push(transition),
                Some(field) => {
                    let at = *places.entry((field.word, field.shift)).or_insert(by_field.len());
                    if at == by_field.len() {
                        by_field.push((field, Vec::new()));
                    }
                    by_field[at].1.push(transition);
                }
            }
        }
        by_field.sort_by_key(|(field, _)| (field.word, field.shift));
        let words = self.initial.len();
        let (mut masks, mut keys) = (vec![0; words], vec![Key::default(); words * 64]);
        let mut transitions = Vec::new();
        for (field, listed) in by_field {
            let (mask, from) = (field.most << field.shift, transitions.len() as u32);
            transitions.extend(listed);
            let key = Key { mask, from, to: transitions.len() as u32 };
            masks[field.word as usize] |= mask;
            let first = field.word as usize * 64 + field.shift as usize;
            keys[first..first + field.most.count_ones() as usize].fill(key);
        }
        self.keyed = Some(Keyed { always, masks, keys, transitions });
    }

    /// A transition as it was added, except that the additions to one word are merged.
    pub fn transition(&self, number: u32) -> Transition {
        let parts = &self.parts[number as usize];
        let first = std::iter::once(&self.first[number as usize]);
        let tests = first.chain(&self.tests[range(parts.tests)]).map(|bits| Guard::Bits(*bits));
        let counts = self.counts[range(parts.counts)].iter();
        let sums = self.sums[range(parts.sums)].iter();
        Transition {
            guards: tests
                .chain(counts.map(|&(field, least)| Guard::AtLeast(field, least)))
                .chain(sums.map(|(terms, most)| Guard::SumAtMost(terms.clone(), *most)))
                .collect(),
            additions: self.additions[range(parts.additions)].to_vec(),
            room: self.room[range(parts.room)].to_vec(),
        }
    }

    /// Calls `found` for each transition enabled at `words`, in a fixed order.
    #[inline]
    pub fn enabled(&self, words: &[u64], mut found: impl FnMut(u32)) {
        let Some(Keyed { always, masks, keys, transitions }) = &self.keyed else {
            return self.scan(words, found);
        };
        let mut try_all = |transitions: &[u32]| {
            for &transition in transitions {
                if self.is_enabled(transition, words) {
                    found(transition);
                }
            }
        };
        try_all(always);
        for (word, (&bits, mask)) in words.iter().zip(masks).enumerate() {
            let mut marked = bits & mask;
            while marked != 0 {
                let key = keys[word * 64 + marked.trailing_zeros() as usize];
                try_all(&transitions[range((key.from, key.to))]);
                marked &= !key.mask;
            }
        }
    }

    #[inline]
    fn scan(&self, words: &[u64], mut found: impl FnMut(u32)) {
        for (block, tests) in self.first.chunks(64).enumerate() {
            let mut passed = 0u64;
            for (i, test) in tests.iter().enumerate() {
                passed |= u64::from(test.pass(words)) << i;
            }
            while passed != 0 {
                let transition = block as u32 * 64 + passed.trailing_zeros();
                passed &= passed - 1;
                if self.passes_rest(transition, words) {
                    found(transition);
                }
            }
        }
    }

    /// Whether the transition is enabled at `words`.
    #[inline]
    pub fn is_enabled(&self, transition: u32, words: &[u64]) -> bool {
        self.first[transition as usize].pass(words) && self.passes_rest(transition, words)
    }

    #[inline]
    fn passes_rest(&self, transition: u32, words: &[u64]) -> bool {
        let parts = &self.parts[transition as usize];
        let enough = |(field, least): &(Field, u64)| field.get(words) >= *least;
        let sum = |terms: &[(Field, u64)]| -> u64 {
            terms.iter().map(|(field, weight)| field.get(words) * weight).sum()
        };
        self.tests[range(parts.tests)].iter().all(|test| test.pass(words))
            && self.counts[range(parts.counts)].iter().all(enough)
            && self.sums[range(parts.sums)].iter().all(|(terms, most)| sum(terms) <= *most)
    }

    /// Whether some result may not fit the fields.
    pub fn has_room_conditions(&self) -> bool {
        !self.room.is_empty()
    }

    /// Whether the result of firing fits the fields.
    #[inline]
    pub fn has_room(&self, transition: u32, words: &[u64]) -> bool {
        let room = &self.room[range(self.parts[transition as usize].room)];
        room.iter().all(|(field, bound)| field.get(words) < *bound)
    }

    /// Fires a transition that is enabled and has room.
    #[inline]
    pub fn fire(&self, transition: u32, words: &mut [u64]) {
        for &(word, addition) in &self.additions[range(self.parts[transition as usize].additions)] {
            words[word as usize] = words[word as usize].wrapping_add(addition);
        }
    }

    /// Undoes [`fire`](TransitionSystem::fire).
    #[inline]
    pub fn unfire(&self, transition: u32, words: &mut [u64]) {
        for &(word, addition) in &self.additions[range(self.parts[transition as usize].additions)] {
            words[word as usize] = words[word as usize].wrapping_sub(addition);
        }
    }
}

/// Explores the transition system. A state that does not fit the fields is an error.
impl Model for TransitionSystem {
    type State = Vec<u64>;
    type Action = u32;
    /// A state to fire in, reused for all successors.
    type Worker = Vec<u64>;

    fn worker(&self) -> Vec<u64> {
        Vec::new()
    }

    fn initial(&self, push: &mut dyn FnMut(&Vec<u64>)) {
        push(&self.initial);
    }

    fn successors(
        &self,
        next: &mut Vec<u64>,
        words: &Vec<u64>,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        next.clone_from(words);
        let mut full = None;
        self.enabled(words, |transition| match self.has_room(transition, words) {
            false => full = Some(transition),
            true => {
                self.fire(transition, next);
                sink.push(transition, next);
                self.unfire(transition, next);
            }
        });
        match full {
            Some(number) => Err(format!("a field overflows when transition {number} fires").into()),
            None => Ok(()),
        }
    }

    fn encode(&self, words: &Vec<u64>, bytes: &mut Vec<u8>) {
        words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    }

    fn decode(&self, bytes: &[u8]) -> Vec<u64> {
        bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
    }
}
