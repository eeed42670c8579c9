//! The transitions of a net, compiled for one layout: masks to test, words to add.

use crate::net::{Net, TransitionId};
use crate::packed::Layout;

/// Nets with more transitions than this are searched from the marked places.
const SCAN: usize = 48;

/// The transitions of a net over markings in one layout.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    transitions: Vec<Firing>,
    /// Bits that must be set: `(word, mask)`.
    needs: Vec<(u32, u64)>,
    /// Counts that must be reached.
    counts: Vec<Count>,
    /// What firing adds to each word it changes, modulo 2^64.
    deltas: Vec<(u32, u64)>,
    /// Counts that must not be exceeded for the result to fit the layout.
    room: Vec<Count>,
    search: Search,
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

/// Where the parts of a transition end in the lists; they start where those of the one before end.
#[derive(Clone, Copy, Debug, Default)]
struct Firing {
    needs: (u32, u32),
    counts: (u32, u32),
    deltas: (u32, u32),
    room: (u32, u32),
    /// Some input weight exceeds what its place can hold.
    never: bool,
}

/// How enabled transitions are found.
#[derive(Clone, Debug)]
enum Search {
    /// Try all.
    Scan,
    /// Try those whose key place is marked: each transition is listed with one of its input places.
    Keyed {
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
            transitions: Vec::with_capacity(net.transitions.len()),
            needs: Vec::new(),
            counts: Vec::new(),
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
        let mut never = false;
        for &(place, weight) in &transition.inputs {
            let field = layout.fields[place.index()];
            never |= weight > field.most;
            if field.most == 1 {
                add_to_word(&mut self.needs, starts[0], field.word, |mask| mask | 1 << field.shift);
            } else {
                let (word, shift, mask) = (field.word, field.shift, field.most);
                self.counts.push(Count { word, shift, mask, bound: weight });
            }
        }
        for (place, change) in transition.changes() {
            let field = layout.fields[place.index()];
            let delta = (change as u64).wrapping_shl(field.shift);
            add_to_word(&mut self.deltas, starts[2], field.word, |word| word.wrapping_add(delta));
            let gain = change.max(0) as u64;
            if gain > 0 && bounds[place.index()].is_none() {
                let (word, shift, mask) = (field.word, field.shift, field.most);
                match mask.checked_sub(gain) {
                    Some(bound) => self.room.push(Count { word, shift, mask, bound }),
                    // Not even an empty place has room: never fits this layout.
                    None => self.room.push(Count { word, shift: 0, mask: 0, bound: u64::MAX }),
                }
            }
        }
        let ends = self.ends();
        let span = |i: usize| (starts[i], ends[i]);
        let (needs, counts, deltas, room) = (span(0), span(1), span(2), span(3));
        self.transitions.push(Firing { needs, counts, deltas, room, never });
    }

    fn ends(&self) -> [u32; 4] {
        let ends = [self.needs.len(), self.counts.len(), self.deltas.len(), self.room.len()];
        ends.map(|end| end as u32)
    }

    /// Calls `found` for each transition enabled at `words`, in a fixed order.
    #[inline]
    pub(crate) fn enabled(&self, words: &[u64], mut found: impl FnMut(TransitionId)) {
        match &self.search {
            Search::Scan => {
                for t in 0..self.transitions.len() {
                    if self.is_enabled(t, words) {
                        found(TransitionId(t as u32));
                    }
                }
            }
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
    pub(crate) fn is_enabled(&self, transition: usize, words: &[u64]) -> bool {
        let firing = &self.transitions[transition];
        !firing.never
            && self.needs[range(firing.needs)]
                .iter()
                .all(|&(word, mask)| words[word as usize] & mask == mask)
            && self.counts[range(firing.counts)].iter().all(|count| count.of(words) >= count.bound)
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

/// Changes the entry of `word` among those from `start` on, making one where there is none.
fn add_to_word(list: &mut Vec<(u32, u64)>, start: u32, word: u32, change: impl Fn(u64) -> u64) {
    match list[start as usize..].iter_mut().find(|entry| entry.0 == word) {
        Some(entry) => entry.1 = change(entry.1),
        None => list.push((word, change(0))),
    }
}

/// Lists each transition with the input place that the fewest transitions share.
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
        let inputs = &net.transitions[id.index()].inputs;
        match inputs.iter().map(|&(p, _)| p).min_by_key(|p| (consumers[p.index()], *p)) {
            Some(key) => by_place[key.index()].push(id),
            None => always.push(id),
        }
    }
    let mut masks = vec![0; layout.n_words];
    let mut keys = vec![Key::default(); layout.n_words * 64];
    let mut transitions = Vec::new();
    for (field, listed) in layout.fields.iter().zip(by_place) {
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
