//! The tokens of one marking as values, ready to be picked.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use sweepline_ml::{Machine, Word};

use crate::explore::marking::{Marking, Stamp};
use crate::explore::place::Place;
use crate::explore::trouble::Trouble;

/// The most colours whose values stay, of all places.
const MOST_COLOURS: usize = 1 << 16;
/// The most bytes that they take.
const MOST_BYTES: usize = 16 << 20;

/// The tokens of the marking that is being expanded, on those places where tokens are picked.
///
/// The values of colours stay, up to a bound, so that most are not made again for each marking, and
/// so that what depends on them alone can be remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    places: Vec<Vec<Visible>>,
    colours: Vec<u8>,
    /// Values that stay, by the family of their places.
    known: Vec<HashMap<Box<[u8]>, Word, FixedState>>,
    count: usize,
    bytes: usize,
    most_bytes: usize,
    /// Tokens without a value: on which place, and which.
    missing: Vec<(usize, usize)>,
}

/// Tokens of one colour on a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visible {
    pub(crate) word: Word,
    /// How many can be taken now.
    pub(crate) available: u64,
    start: u32,
    end: u32,
}

impl View {
    /// For so many places of so many families, by a machine with so many bytes.
    pub(crate) fn new(places: usize, families: usize, heap: usize) -> Self {
        View {
            places: vec![Vec::new(); places],
            known: vec![HashMap::default(); families],
            most_bytes: MOST_BYTES.min(heap / 8),
            ..View::default()
        }
    }

    /// Looks at the tokens on `picked` at a time. Nothing but what stays may be in the heap.
    pub(crate) fn fill(
        &mut self,
        machine: &mut Machine,
        places: &[Place],
        picked: &[usize],
        marking: &Marking,
        now: Stamp,
    ) -> Result<(), Trouble> {
        let View { places: tokens, colours, known, missing, .. } = self;
        colours.clear();
        missing.clear();
        for &number in picked {
            let (place, tokens) = (&places[number], &mut tokens[number]);
            tokens.clear();
            marking.each_available(number, place.kind, now, |colour, available| {
                let word = match &place.ranks {
                    Some(ranks) => Some(ranks.word(colour)),
                    None => known[place.family].get(colour).copied(),
                };
                if word.is_none() {
                    missing.push((number, tokens.len()));
                }
                let start = colours.len() as u32;
                colours.extend_from_slice(colour);
                let (word, end) = (word.unwrap_or(0), colours.len() as u32);
                tokens.push(Visible { word, available, start, end });
            });
        }
        if self.missing.is_empty() { Ok(()) } else { self.make_missing(machine, places) }
    }

    /// Makes the values that are missing: those that stay first, while there is room for them.
    #[cold]
    fn make_missing(&mut self, machine: &mut Machine, places: &[Place]) -> Result<(), Trouble> {
        for (number, token) in std::mem::take(&mut self.missing) {
            let Visible { start, end, .. } = self.places[number][token];
            let colour = &self.colours[start as usize..end as usize];
            let has_room = self.count < MOST_COLOURS && self.bytes < self.most_bytes;
            let before = machine.heap_bytes();
            let word = places[number].decode(machine, colour)?;
            let made = machine.heap_bytes() - before + colour.len();
            // Once there is no room, none of what is made for this marking stays.
            if has_room && self.bytes + made <= self.most_bytes && machine.keep() {
                self.known[places[number].family].insert(colour.into(), word);
                (self.count, self.bytes) = (self.count + 1, self.bytes + made);
            } else {
                self.bytes = self.most_bytes;
            }
            self.places[number][token].word = word;
        }
        Ok(())
    }

    /// The tokens on a place.
    #[inline]
    pub(crate) fn tokens(&self, place: usize) -> &[Visible] {
        &self.places[place]
    }

    /// The colour of tokens as bytes.
    pub(crate) fn colour(&self, visible: Visible) -> &[u8] {
        &self.colours[visible.start as usize..visible.end as usize]
    }
}
