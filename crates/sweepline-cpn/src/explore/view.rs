//! The tokens of one marking as values of the machine, for picking.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use sweepline_ml::{Machine, Mark, Word};

use crate::explore::error::SuccessorError;
use crate::explore::marking::{Marking, Stamp};
use crate::explore::place::Place;

/// The most colours of all places whose values are cached, and the most bytes for them.
const MOST: Room = Room { colours: 1 << 16, bytes: 16 << 20 };
/// The initial size of the cache, and the largest fraction of a machine's memory.
const FIRST: Room = Room { colours: 1 << 12, bytes: 1 << 20 };
const PART: usize = 1 << 10;
/// The cache grows unless there are this many markings for each value created.
const WORTH: usize = 8;

/// The tokens of the marking being expanded, on places from which tokens are picked.
///
/// The values of colours are cached, so that most are not created again for each marking, and results that
/// depend only on them can be cached, too. When the cache is full it is cleared, and values that still occur
/// are created again; so its content follows the sweep-line. If that happens too often, the cache grows, up to
/// a bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    places: Vec<Vec<Visible>>,
    colours: Vec<u8>,
    /// The cached values, by the family of their places.
    known: Vec<HashMap<Box<[u8]>, Word, FixedState>>,
    used: Room,
    room: Room,
    most: Room,
    /// The end of the heap without cached values.
    base: Option<Mark>,
    /// Markings since the cache was last cleared.
    markings: usize,
    /// Tokens without a value: the place, and the index there.
    missing: Vec<(usize, usize)>,
}

/// A number of colours, and the bytes for them.
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
    /// The number of available tokens.
    pub(crate) available: u64,
    start: u32,
    end: u32,
}

impl View {
    /// A view for this many places and families, for a machine with this much heap.
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

    /// Clears the cache if it is full. Returns whether the words of cached values have become invalid. The
    /// heap must contain only kept values.
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

    /// Reads the tokens on the `picked` places at a time. The heap must contain only kept values.
    pub(crate) fn fill(
        &mut self,
        machine: &mut Machine,
        places: &[Place],
        picked: &[usize],
        marking: &Marking,
        now: Stamp,
    ) -> Result<(), SuccessorError> {
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

    /// Creates the missing values. They are cached while there is room.
    #[cold]
    fn make_missing(
        &mut self,
        machine: &mut Machine,
        places: &[Place],
    ) -> Result<(), SuccessorError> {
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
            // Once the cache is full, no further value of this marking is cached.
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

    /// The encoded colour of tokens.
    pub(crate) fn colour(&self, visible: Visible) -> &[u8] {
        &self.colours[visible.start as usize..visible.end as usize]
    }
}
