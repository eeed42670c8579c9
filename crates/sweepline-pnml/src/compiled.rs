//! The transitions of a net, compiled for one layout: words to compare, words to add.
//!
//! Whether a transition is enabled is a conjunction. Its first part is a comparison of one word,
//! tried for 64 transitions at a time without a branch; the few that pass go through the rest.

use crate::net::{Net, PlaceId, TransitionId};
use crate::packed::{Layout, Rest, Seat};

/// Nets with more transitions than this are searched from the marked places.
const SCAN: usize = 512;

/// The transitions of a net over markings in one layout.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// The first test of each transition.
    first: Vec<Test>,
    transitions: Vec<Firing>,
    /// Further comparisons.
    tests: Vec<Test>,
    /// Counts that must be reached.
    counts: Vec<Count>,
    /// Sums that must leave enough for an implied place.
    sums: Vec<(Rest, u64)>,
    /// What firing adds to each word it changes, modulo 2^64.
    deltas: Vec<(u32, u64)>,
    /// Counts that must not be exceeded for the result to fit the layout.
    room: Vec<Count>,
    search: Search,
}

/// Some bits of a word are as expected; or, with `not`, they are not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Test {
    mask: u64,
    expected: u64,
    word: u32,
    not: bool,
}

impl Test {
    const ALWAYS: Test = Test { mask: 0, expected: 0, word: 0, not: false };
    const NEVER: Test = Test { not: true, ..Test::ALWAYS };

    #[inline]
    fn passes(self, words: &[u64]) -> bool {
        (words[self.word as usize] & self.mask == self.expected) != self.not
    }
}

#[derive(Clone, Copy, Debug)]
struct Count {
    word: u32,
    shift: u32,
    mask: u64,
    bound: u64,
}

impl Count {
    #[inline]
    fn of(self, words: &[u64]) -> u64 {
        (words[self.word as usize] >> self.shift) & self.mask
    }
}

/// Where the parts of a transition stand in the lists.
#[derive(Clone, Copy, Debug, Default)]
struct Firing {
    tests: (u32, u32),
    counts: (u32, u32),
    sums: (u32, u32),
    deltas: (u32, u32),
    room: (u32, u32),
}

/// How enabled transitions are found.
#[derive(Clone, Debug)]
enum Search {
    /// Try all.
    Scan,
    /// Try those whose key place is marked: each transition is listed with one of its input places.
    Keyed {
        /// Those without a stored input place.
        always: Vec<TransitionId>,
        /// For each word, the bits of its key places.
        masks: Vec<u64>,
        /// For each bit of each word, the key place it belongs to.
        keys: Vec<Key>,
        transitions: Vec<TransitionId>,
    },
}

/// A key place: its bits, and which of `transitions` to try when some of them are set.
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

impl Compiled {
    pub(crate) fn new(net: &Net, layout: &Layout, bounds: &[Option<u64>]) -> Self {
        let mut compiled = Compiled {
            first: Vec::with_capacity(net.transitions.len()),
            transitions: Vec::with_capacity(net.transitions.len()),
            tests: Vec::new(),
            counts: Vec::new(),
            sums: Vec::new(),
            deltas: Vec::new(),
            room: Vec::new(),
            search: Search::Scan,
        };
        for transition in net.transition_ids() {
            compiled.add(net, layout, bounds, transition);
        }
        if net.transitions.len() > SCAN {
            compiled.search = keyed(net, layout);
        }
        compiled
    }

    fn add(&mut self, net: &Net, layout: &Layout, bounds: &[Option<u64>], id: TransitionId) {
        let transition = &net.transitions[id.index()];
        let starts = self.ends();
        let mut enabling = Enabling::default();
        for &(place, weight) in &transition.inputs {
            enabling.need(&layout.seats[place.index()], weight);
        }
        let (first, rest) = enabling.tests();
        self.first.push(first);
        self.tests.extend(rest);
        self.counts.extend(enabling.counts);
        self.sums.extend(enabling.sums);
        for (place, change) in transition.changes() {
            self.add_change(layout, bounds[place.index()].is_some(), place, change);
        }
        let ends = self.ends();
        let span = |i: usize| (starts[i], ends[i]);
        let (tests, counts, sums) = (span(0), span(1), span(2));
        self.transitions.push(Firing { tests, counts, sums, deltas: span(3), room: span(4) });
        merge_words(&mut self.deltas, starts[3]);
        self.transitions.last_mut().expect("just pushed").deltas.1 = self.deltas.len() as u32;
    }

    /// What firing does to a place, and what that needs to fit.
    fn add_change(&mut self, layout: &Layout, is_bounded: bool, place: PlaceId, change: i128) {
        let Seat::Field(field) = layout.seats[place.index()] else { return };
        self.deltas.push((field.word, (change as u64).wrapping_shl(field.shift)));
        let gain = change.max(0) as u64;
        if gain == 0 || is_bounded {
            return;
        }
        let (word, shift, mask) = (field.word, field.shift, field.most);
        self.room.push(match mask.checked_sub(gain) {
            Some(bound) => Count { word, shift, mask, bound },
            // Not even an empty place has room: never fits this layout.
            None => Count { word, shift: 0, mask: 0, bound: u64::MAX },
        });
    }

    fn ends(&self) -> [u32; 5] {
        let Compiled { tests, counts, sums, deltas, room, .. } = self;
        [tests.len(), counts.len(), sums.len(), deltas.len(), room.len()].map(|end| end as u32)
    }

    /// Calls `found` for each transition enabled at `words`, in a fixed order.
    #[inline]
    pub(crate) fn enabled(&self, words: &[u64], mut found: impl FnMut(TransitionId)) {
        match &self.search {
            Search::Scan => self.scan(words, found),
            Search::Keyed { always, masks, keys, transitions } => {
                let mut try_all = |transitions: &[TransitionId]| {
                    for &t in transitions {
                        if self.is_enabled(t.index(), words) {
                            found(t);
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
        }
    }

    #[inline]
    fn scan(&self, words: &[u64], mut found: impl FnMut(TransitionId)) {
        for (block, tests) in self.first.chunks(64).enumerate() {
            let mut passed = 0u64;
            for (i, test) in tests.iter().enumerate() {
                passed |= u64::from(test.passes(words)) << i;
            }
            while passed != 0 {
                let t = block * 64 + passed.trailing_zeros() as usize;
                passed &= passed - 1;
                if self.passes_rest(t, words) {
                    found(TransitionId(t as u32));
                }
            }
        }
    }

    #[inline]
    pub(crate) fn is_enabled(&self, transition: usize, words: &[u64]) -> bool {
        self.first[transition].passes(words) && self.passes_rest(transition, words)
    }

    #[inline]
    fn passes_rest(&self, transition: usize, words: &[u64]) -> bool {
        let firing = &self.transitions[transition];
        let enough = |count: &Count| count.of(words) >= count.bound;
        let leaves = |(rest, most): &(Rest, u64)| rest.taken(words) <= *most;
        self.tests[range(firing.tests)].iter().all(|test| test.passes(words))
            && self.counts[range(firing.counts)].iter().all(enough)
            && self.sums[range(firing.sums)].iter().all(leaves)
    }

    /// The result of firing fits the layout.
    #[inline]
    pub(crate) fn has_room(&self, transition: usize, words: &[u64]) -> bool {
        let room = &self.room[range(self.transitions[transition].room)];
        room.iter().all(|count| count.bound != u64::MAX && count.of(words) <= count.bound)
    }

    /// Fires, given that it is enabled and has room.
    #[inline]
    pub(crate) fn fire(&self, transition: usize, words: &mut [u64]) {
        for &(word, delta) in &self.deltas[range(self.transitions[transition].deltas)] {
            words[word as usize] = words[word as usize].wrapping_add(delta);
        }
    }

    /// Takes [`fire`](Compiled::fire) back.
    #[inline]
    pub(crate) fn unfire(&self, transition: usize, words: &mut [u64]) {
        for &(word, delta) in &self.deltas[range(self.transitions[transition].deltas)] {
            words[word as usize] = words[word as usize].wrapping_sub(delta);
        }
    }
}

/// What a transition needs to be enabled, gathered place by place.
#[derive(Default)]
struct Enabling {
    /// Bits that must be as expected, by word.
    equal: Vec<Test>,
    /// Places of several bits that must not be empty.
    marked: Vec<Test>,
    counts: Vec<Count>,
    sums: Vec<(Rest, u64)>,
    never: bool,
}

impl Enabling {
    fn need(&mut self, seat: &Seat, weight: u64) {
        match seat {
            Seat::Field(field) if weight > field.most => self.never = true,
            Seat::Field(field) if field.most == 1 => {
                self.expect(field.word, 1 << field.shift, true)
            }
            Seat::Field(field) => {
                let (word, shift, mask) = (field.word, field.shift, field.most);
                self.marked.push(Test { word, mask: mask << shift, expected: 0, not: true });
                if weight > 1 {
                    self.counts.push(Count { word, shift, mask, bound: weight });
                }
            }
            Seat::Rest(rest) if weight > rest.total => self.never = true,
            // The only token must not be elsewhere.
            Seat::Rest(rest) if rest.total == 1 => {
                for (field, _) in &rest.others {
                    self.expect(field.word, field.most << field.shift, false);
                }
            }
            Seat::Rest(rest) => self.sums.push((rest.clone(), rest.total - weight)),
        }
    }

    /// The bits `bits` of `word` must be set, or clear.
    fn expect(&mut self, word: u32, bits: u64, set: bool) {
        let expected = if set { bits } else { 0 };
        match self.equal.iter_mut().find(|test| test.word == word) {
            Some(test) => {
                self.never |= test.mask & bits & (test.expected ^ expected) != 0;
                test.mask |= bits;
                test.expected |= expected;
            }
            None => self.equal.push(Test { word, mask: bits, expected, not: false }),
        }
    }

    /// The test to try first, and the others.
    fn tests(&self) -> (Test, impl Iterator<Item = Test> + '_) {
        let mut tests = self.equal.iter().chain(&self.marked).copied();
        let first = match self.never {
            true => Test::NEVER,
            false => tests.next().unwrap_or(Test::ALWAYS),
        };
        (first, tests)
    }
}

/// Adds up the entries from `start` on that change the same word.
fn merge_words(deltas: &mut Vec<(u32, u64)>, start: u32) {
    let mut own = deltas.split_off(start as usize);
    own.sort_by_key(|&(word, _)| word);
    for (word, delta) in own {
        match deltas[start as usize..].last_mut() {
            Some(last) if last.0 == word => last.1 = last.1.wrapping_add(delta),
            _ => deltas.push((word, delta)),
        }
    }
}

/// Lists each transition with the stored input place that the fewest transitions share.
fn keyed(net: &Net, layout: &Layout) -> Search {
    let mut consumers = vec![0u32; net.places.len()];
    for transition in &net.transitions {
        for &(place, _) in &transition.inputs {
            consumers[place.index()] += 1;
        }
    }
    let mut always = Vec::new();
    let mut by_place: Vec<Vec<TransitionId>> = vec![Vec::new(); net.places.len()];
    for id in net.transition_ids() {
        let inputs = net.transitions[id.index()].inputs.iter().map(|&(place, _)| place);
        let stored = inputs.filter(|p| matches!(layout.seats[p.index()], Seat::Field(_)));
        match stored.min_by_key(|p| (consumers[p.index()], *p)) {
            Some(key) => by_place[key.index()].push(id),
            None => always.push(id),
        }
    }
    let mut masks = vec![0; layout.n_words];
    let mut keys = vec![Key::default(); layout.n_words * 64];
    let mut transitions = Vec::new();
    for (seat, listed) in layout.seats.iter().zip(by_place) {
        let Seat::Field(field) = seat else { continue };
        if listed.is_empty() || field.most == 0 {
            continue;
        }
        let (mask, from) = (field.most << field.shift, transitions.len() as u32);
        transitions.extend(listed);
        let key = Key { mask, from, to: transitions.len() as u32 };
        masks[field.word as usize] |= mask;
        let first = field.word as usize * 64 + field.shift as usize;
        keys[first..first + field.most.count_ones() as usize].fill(key);
    }
    Search::Keyed { always, masks, keys, transitions }
}
