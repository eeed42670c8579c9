//! The tokens of one marking as values, ready to be picked.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use sweepline_ml::{Machine, Mark, Word};

use crate::explore::marking::{Marking, Stamp};
use crate::explore::place::Place;
use crate::explore::trouble::Trouble;

/// The most colours whose values stay, of all places, and the most bytes that they take.
const MOST: Room = Room { colours: 1 << 16, bytes: 16 << 20 };
/// The room for them at first, and which part of a machine's memory at most.
const FIRST: Room = Room { colours: 1 << 12, bytes: 1 << 20 };
const PART: usize = 1 << 10;
/// How many markings there must be for each colour that is made, or the room grows.
const WORTH: usize = 8;

/// The tokens of the marking that is being expanded, on those places where tokens are picked.
///
/// The values of colours stay, so that most are not made again for each marking, and so that what
/// depends on them alone can be remembered. When there is no more room for them, they all go and those
/// that are still met come back: what stays follows the line. Where that would happen too often the room
/// grows, up to a bound; from then on it happens seldom.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    places: Vec<Vec<Visible>>,
    colours: Vec<u8>,
    /// Values that stay, by the family of their places.
    known: Vec<HashMap<Box<[u8]>, Word, FixedState>>,
    used: Room,
    room: Room,
    most: Room,
    /// Where the heap ends without them.
    base: Option<Mark>,
    /// Markings since the first of them was made.
    markings: usize,
    /// Tokens without a value: on which place, and which.
    missing: Vec<(usize, usize)>,
}

/// So many colours, which take so many bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    colours: usize,
    bytes: usize,
}

impl Room {
    fn has(self, more: Room) -> bool {
        more.colours <= self.colours && more.bytes <= self.bytes
    }
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
        let most = Room { bytes: MOST.bytes.min(heap / 8), ..MOST };
        View {
            places: vec![Vec::new(); places],
            known: vec![HashMap::default(); families],
            room: Room { bytes: FIRST.bytes.min(heap / PART), ..FIRST },
            most,
            ..View::default()
        }
    }

    /// Makes room where there is none for the values of colours; whether their words are no longer
    /// good. Nothing but what stays may be in the heap.
    #[inline]
    pub(crate) fn make_room(&mut self, machine: &mut Machine) -> bool {
        self.markings += 1;
        !self.room.has(self.used) && self.renew(machine)
    }

    #[cold]
    fn renew(&mut self, machine: &mut Machine) -> bool {
        if self.markings < WORTH * self.used.colours {
            let Room { colours, bytes } = self.room;
            let more = Room { colours: 2 * colours, bytes: 2 * bytes };
            if self.most.has(more) {
                self.room = more;
                self.used.bytes = self.used.bytes.min(bytes);
            }
            return false;
        }
        if !self.base.is_some_and(|base| machine.give_back(base)) {
            return false;
        }
        self.known.iter_mut().for_each(HashMap::clear);
        (self.used, self.markings) = (Room::default(), 0);
        true
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
            let before = machine.mark();
            let bytes = machine.heap_bytes();
            let word = places[number].decode(machine, colour)?;
            let more = Room {
                colours: self.used.colours + 1,
                bytes: self.used.bytes + machine.heap_bytes() - bytes + colour.len(),
            };
            // Once there is no room, none of what is made for this marking stays.
            if self.room.has(more) && machine.keep() {
                self.base.get_or_insert(before);
                self.known[places[number].family].insert(colour.into(), word);
                self.used = more;
            } else {
                self.used.bytes = self.room.bytes + 1;
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
