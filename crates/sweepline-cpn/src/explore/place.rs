//! Places, compiled: the encoding of their colours.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use sweepline_ml::{Codec, FunctionId, Machine, Raised, Word};

use crate::explore::marking::{Kind, MOST_RANKS, Marking, Stamp};

/// A place instance.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// `Page'Place 1`.
    pub(crate) name: String,
    pub(crate) codec: Codec,
    pub(crate) kind: Kind,
    /// The function `mkstr` of its colour set.
    pub(crate) show: FunctionId,
    /// The function `lt` of its colour set.
    pub(crate) less: FunctionId,
    /// The colours, if there are few. A colour is then encoded as its rank.
    pub(crate) ranks: Option<Arc<Ranks>>,
    /// The index of its type. Places with the same index encode colours alike.
    pub(crate) family: usize,
}

/// All colours of a small colour set, in the order of their bytes.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    /// The values, which the machine keeps.
    words: Vec<Word>,
    /// The encodings.
    colours: Vec<Box<[u8]>>,
    ranks: HashMap<Box<[u8]>, u8, FixedState>,
}

impl Ranks {
    /// Ranks kept values. `None` if there are too many.
    pub(crate) fn new(
        machine: &Machine,
        codec: Codec,
        all: &[Word],
    ) -> Result<Option<Self>, Raised> {
        let mut colours = Vec::new();
        for &word in all {
            let mut bytes = Vec::new();
            codec.encode(machine, word, &mut bytes)?;
            colours.push((bytes.into_boxed_slice(), word));
        }
        colours.sort();
        colours.dedup_by(|a, b| a.0 == b.0);
        if colours.len() > MOST_RANKS {
            return Ok(None);
        }
        let (colours, words): (Vec<_>, Vec<_>) = colours.into_iter().unzip();
        let ranks = colours.iter().cloned().zip(0..=u8::MAX).collect();
        Ok(Some(Ranks { words, colours, ranks }))
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The rank of an encoded colour.
    pub(crate) fn rank(&self, colour: &[u8]) -> Option<u8> {
        self.ranks.get(colour).copied()
    }

    /// The encoding of a colour by its rank.
    pub(crate) fn colour(&self, rank: &[u8]) -> &[u8] {
        &self.colours[usize::from(rank[0])]
    }

    /// The value of a colour.
    #[inline]
    pub(crate) fn word(&self, colour: &[u8]) -> Word {
        self.words[usize::from(colour[0])]
    }
}

/// How the tokens of a place are encoded in a marking.
#[derive(Clone, Debug)]
pub(crate) struct PlaceForm {
    pub(crate) kind: Kind,
    pub(crate) ranks: Option<Arc<Ranks>>,
}

impl PlaceForm {
    /// Calls `each` with every encoded colour on the place and its number of tokens. On a timed place, each
    /// time stamp gets its own call.
    pub(crate) fn each_token(
        &self,
        marking: &Marking,
        number: usize,
        mut each: impl FnMut(&[u8], u64, Stamp),
    ) {
        let colour = |bytes| self.ranks.as_ref().map_or(bytes, |ranks| ranks.colour(bytes));
        if self.kind == Kind::Timed {
            for (bytes, stamps) in marking.timed_tokens(number) {
                let stamps: Vec<Stamp> = stamps.collect();
                let same = stamps.chunk_by(|a, b| a == b);
                same.for_each(|same| each(colour(bytes), same.len() as u64, same[0]));
            }
        } else {
            marking.each_available(number, self.kind, 0, |bytes, count| {
                each(self.ranks.as_ref().map_or(bytes, |ranks| ranks.colour(bytes)), count, 0);
            });
        }
    }
}

impl Place {
    pub(crate) fn form(&self) -> PlaceForm {
        PlaceForm { kind: self.kind, ranks: self.ranks.clone() }
    }

    /// Encodes a colour. Returns `false` if the place cannot have this colour.
    pub(crate) fn encode(
        &self,
        machine: &Machine,
        word: Word,
        out: &mut Vec<u8>,
    ) -> Result<bool, Raised> {
        out.clear();
        self.codec.encode(machine, word, out)?;
        let Some(ranks) = &self.ranks else { return Ok(true) };
        let Some(&rank) = ranks.ranks.get(&out[..]) else { return Ok(false) };
        out.clear();
        out.push(rank);
        Ok(true)
    }

    /// The value of a colour.
    pub(crate) fn decode(&self, machine: &mut Machine, mut colour: &[u8]) -> Result<Word, Raised> {
        match &self.ranks {
            Some(ranks) => Ok(ranks.word(colour)),
            None => self.codec.decode(machine, &mut colour),
        }
    }

    /// A colour as text.
    pub(crate) fn show(&self, machine: &mut Machine, word: Word) -> Result<String, Raised> {
        let text = machine.call(self.show, &[word])?;
        Ok(machine.text(text))
    }

    /// Compares two colours in the order of their colour set.
    pub(crate) fn order(&self, machine: &mut Machine, a: Word, b: Word) -> Ordering {
        let mut less = |a: Word, b: Word| {
            let pair = machine.memory().record(&[a, b]).map_err(|halt| machine.halted(halt))?;
            machine.call(self.less, &[pair]).map(|word| word != 0)
        };
        match (less(a, b), less(b, a)) {
            (Ok(true), _) => Ordering::Less,
            (_, Ok(true)) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    pub(crate) fn is_timed(&self) -> bool {
        self.kind == Kind::Timed
    }

    /// Whether the place has an available token.
    pub(crate) fn has_available(&self, number: usize, marking: &Marking, now: Stamp) -> bool {
        match self.kind {
            Kind::Timed => {
                let mut first = marking.timed_tokens(number).filter_map(|(_, mut s)| s.next());
                first.any(|stamp| stamp <= now)
            }
            _ => !marking.segment(number).is_empty(),
        }
    }
}
