//! Multi-sets of tokens to be added to a place or removed from it.

use std::ops::Range;

use super::ranked::{Bits, bits_of};
use super::{Kind, Stamp};

/// Tokens to be added or removed, collected in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bag {
    bytes: Vec<u8>,
    tokens: Vec<Held>,
    /// A bit for each rank, if there is exactly one token of each rank here; `None` in other bags.
    bits: Option<Bits>,
}

/// Tokens of one colour in a bag.
#[derive(Clone, Debug)]
pub(super) struct Held {
    colour: Range<u32>,
    pub(super) count: u64,
    /// For timed tokens: the time stamp to add, or the latest one that may be removed.
    pub(super) stamp: Stamp,
}

impl Bag {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.tokens.clear();
        self.bits = None;
    }

    /// Adds `count` tokens of a colour.
    pub(crate) fn add(&mut self, count: u64, stamp: Stamp, colour: &[u8]) {
        let start = self.bytes.len() as u32;
        if count > 0 {
            self.bytes.extend_from_slice(colour);
            self.tokens.push(Held { colour: start..self.bytes.len() as u32, count, stamp });
        }
    }

    /// Gives all tokens the same time stamp.
    pub(crate) fn stamp(&mut self, stamp: Stamp) {
        self.tokens.iter_mut().for_each(|held| held.stamp = stamp);
    }

    /// The colours and the number of tokens of each, in the order of the bag.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (Box<[u8]>, u64)> + '_ {
        self.tokens.iter().map(|held| {
            let colour = &self.bytes[held.colour.start as usize..held.colour.end as usize];
            (colour.into(), held.count)
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The approximate memory that it takes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len() + self.tokens.len() * size_of::<Held>()
    }

    /// Sorts the tokens by colour, and by time stamp if relevant. Equal entries are merged.
    pub(crate) fn sort(&mut self, kind: Kind) {
        if kind != Kind::Timed {
            self.stamp(0);
        }
        self.merge();
        if let Kind::Ranked(_) = kind {
            self.bits = bits_of(self.tokens());
        }
    }

    fn merge(&mut self) {
        let Bag { bytes, tokens, .. } = self;
        let colour = |held: &Held| &bytes[held.colour.start as usize..held.colour.end as usize];
        tokens.sort_by(|a, b| colour(a).cmp(colour(b)).then(a.stamp.cmp(&b.stamp)));
        tokens.dedup_by(|next, held| {
            let same = next.stamp == held.stamp && colour(next) == colour(held);
            if same {
                held.count += next.count;
            }
            same
        });
    }

    fn colour(&self, held: &Held) -> &[u8] {
        &self.bytes[held.colour.start as usize..held.colour.end as usize]
    }

    /// The colours of a sorted bag without time stamps, and the number of tokens of each.
    pub(super) fn tokens(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.tokens.iter().map(|held| (self.colour(held), held.count))
    }

    /// The ranks of a sorted bag, if there is one token of each.
    pub(super) fn bits(&self) -> Option<Bits> {
        if self.tokens.is_empty() { Some(Bits::default()) } else { self.bits }
    }

    /// The tokens of a sorted bag, grouped by colour.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&[u8], &[Held])> {
        self.tokens
            .chunk_by(|a, b| self.colour(a) == self.colour(b))
            .map(|group| (self.colour(&group[0]), group))
    }
}
