//! Markings as bytes: canonical, so that equal markings are equal bytes.
//!
//! A marking is the time, where the net is timed, and a *segment* for each place, with its length in
//! front. A segment holds the distinct colours of its tokens in order, each with how many there are; of
//! timed places with their time stamps. What one occurrence does not touch is copied.

mod bag;
mod number;
mod plain;
mod ranked;
#[cfg(test)]
mod tests;
mod timed;

use std::ops::Range;

pub(crate) use bag::Bag;
use number::{put, put_signed, take, take_signed};
use plain::{Tokens, exchange};
pub(crate) use ranked::MOST_RANKS;
use ranked::{Ranked, exchange_ranked};
use timed::{TimedTokens, exchange_timed, put_timed, without_available};

/// A time stamp or the time of the model: an integer, or a real number in an order-preserving form.
pub(crate) type Stamp = i64;

/// The tokens of all places.
#[derive(Clone, Debug, Default)]
pub struct Marking {
    pub(crate) time: Stamp,
    /// The canonical form.
    bytes: Vec<u8>,
    /// Where the first segment begins.
    head: u32,
    /// Where the segment of each place lies; nothing until the marking is expanded, since most markings
    /// that are reached were known before.
    segments: Vec<Range<u32>>,
}

impl PartialEq for Marking {
    fn eq(&self, other: &Self) -> bool {
        (self.time, &self.bytes) == (other.time, &other.bytes)
    }
}

impl Eq for Marking {}

/// How the segment of a place is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Untimed tokens, colours as bytes.
    Plain,
    /// Untimed tokens of so many colours.
    Ranked(usize),
    /// Timed tokens, colours as bytes.
    Timed,
}

impl Kind {
    /// Writes a segment without `minus` and with `plus`, both sorted; `false` when `minus` is not all
    /// there.
    #[inline]
    pub(crate) fn exchange(
        self,
        segment: &[u8],
        minus: &Bag,
        plus: &Bag,
        out: &mut Vec<u8>,
    ) -> bool {
        match self {
            Kind::Plain => exchange(segment, minus, plus, out),
            Kind::Ranked(colours) => exchange_ranked(colours, segment, minus, plus, out),
            Kind::Timed => exchange_timed(segment, minus, plus, out),
        }
    }

    /// Takes from the segment that starts at `start` of `out` all tokens available at `now`: all of an
    /// untimed place.
    pub(crate) fn empty(self, start: usize, now: Stamp, out: &mut Vec<u8>) {
        match self {
            Kind::Timed => without_available(start, now, out),
            _ => out.truncate(start),
        }
    }
}

impl Marking {
    /// The model time: the number itself, or of real time one that is ordered alike. Zero in a net
    /// without time.
    pub fn time(&self) -> i64 {
        self.time
    }

    /// No tokens in any of `places` places.
    pub(crate) fn empty(places: usize) -> Self {
        let segments = (1..=places as u32).map(|end| end..end).collect();
        Marking { time: 0, bytes: vec![0; places], head: 0, segments }
    }

    /// The segment of a place.
    #[inline]
    pub(crate) fn segment(&self, place: usize) -> &[u8] {
        match self.segments.get(place) {
            Some(Range { start, end }) => &self.bytes[*start as usize..*end as usize],
            None => self.find(place),
        }
    }

    /// The same without an index.
    fn find(&self, place: usize) -> &[u8] {
        let mut rest = &self.bytes[self.head as usize..];
        for _ in 0..place {
            take_segment(&mut rest).expect("as many segments as places");
        }
        take_segment(&mut rest).expect("as many segments as places")
    }

    /// Whether segments are found at once: needed of a marking that others are made from.
    pub(crate) fn is_indexed(&self) -> bool {
        self.head as usize == self.bytes.len() || !self.segments.is_empty()
    }

    /// Finds all segments.
    pub(crate) fn index(&mut self) -> Option<()> {
        let Marking { bytes, head, segments, .. } = self;
        let at = |rest: &[u8]| (bytes.len() - rest.len()) as u32;
        let mut rest = &bytes[*head as usize..];
        segments.clear();
        while !rest.is_empty() {
            let length = take_segment(&mut rest)?.len() as u32;
            segments.push(at(rest) - length..at(rest));
        }
        Some(())
    }

    /// Calls `each` with every colour on a place and how many of its tokens are available at `now`.
    #[inline]
    pub(crate) fn each_available(
        &self,
        place: usize,
        kind: Kind,
        now: Stamp,
        mut each: impl FnMut(&[u8], u64),
    ) {
        let segment = self.segment(place);
        match kind {
            Kind::Plain => Tokens { rest: segment }.for_each(|(colour, count)| each(colour, count)),
            Kind::Ranked(colours) => {
                Ranked::new(colours, segment).for_each(|(rank, count)| each(&[rank], count));
            }
            Kind::Timed => {
                for (colour, stamps) in (TimedTokens { rest: segment }) {
                    each(colour, stamps.take_while(|&stamp| stamp <= now).count() as u64);
                }
            }
        }
    }

    /// The stamps of the tokens of each colour on a timed place.
    pub(crate) fn timed_tokens(&self, place: usize) -> TimedTokens<'_> {
        TimedTokens { rest: self.segment(place) }
    }

    /// Makes this `other` at a time, where the net is timed, with some segments replaced: those of
    /// `places`, sorted, each by what `write` appends for it, told which of `places` it is. `false` as
    /// soon as `write` says so; then this is no marking. `other` must be indexed; this will not be.
    pub(crate) fn replace(
        &mut self,
        other: &Marking,
        time: Option<Stamp>,
        places: &[usize],
        mut write: impl FnMut(usize, &[u8], &mut Vec<u8>) -> bool,
    ) -> bool {
        self.bytes.clear();
        self.segments.clear();
        self.time = time.unwrap_or(0);
        if let Some(time) = time {
            put_signed(time, &mut self.bytes);
        }
        self.head = self.bytes.len() as u32;
        let mut copied = 0;
        for (number, &place) in places.iter().enumerate() {
            self.copy(other, copied..place);
            let length = self.bytes.len();
            self.bytes.push(0);
            if !write(number, other.segment(place), &mut self.bytes) {
                return false;
            }
            self.end_segment(length);
            copied = place + 1;
        }
        self.copy(other, copied..other.segments.len());
        true
    }

    /// Appends the segments of `places`, which lie side by side.
    fn copy(&mut self, other: &Marking, places: Range<usize>) {
        if places.is_empty() {
            return;
        }
        let from = places.start.checked_sub(1).map_or(other.head, |p| other.segments[p].end);
        let to = other.segments[places.end - 1].end;
        self.bytes.extend_from_slice(&other.bytes[from as usize..to as usize]);
    }

    /// Ends a segment whose length belongs into the byte at `length`.
    #[inline]
    fn end_segment(&mut self, length: usize) {
        let written = self.bytes.len() - length - 1;
        if written < 0x80 {
            self.bytes[length] = written as u8;
        } else {
            let mut number = Vec::new();
            put(written as u64, &mut number);
            self.bytes.splice(length..=length, number);
        }
    }

    /// Makes the time zero and all stamps relative to it, those in the past zero.
    pub(crate) fn make_relative(&mut self, timed: &[bool]) {
        let (now, mut bytes) = (self.time, Vec::with_capacity(self.bytes.len()));
        put_signed(0, &mut bytes);
        let mut stamps: Vec<Stamp> = Vec::new();
        for (place, timed) in timed.iter().enumerate() {
            let mut segment = Vec::new();
            if *timed {
                for (colour, absolute) in self.timed_tokens(place) {
                    stamps.clear();
                    stamps.extend(absolute.map(|stamp| stamp.saturating_sub(now).max(0)));
                    put_timed(colour, &stamps, &mut segment);
                }
            } else {
                segment.extend_from_slice(self.segment(place));
            }
            put(segment.len() as u64, &mut bytes);
            bytes.extend_from_slice(&segment);
        }
        let read = self.decode(timed.len(), true, &bytes);
        read.expect("as many segments as places");
    }

    /// The canonical form.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads the canonical form of a marking of `places` places; `None` when it is none.
    pub(crate) fn decode(&mut self, places: usize, timed: bool, bytes: &[u8]) -> Option<()> {
        let mut rest = bytes;
        self.time = if timed { take_signed(&mut rest)? } else { 0 };
        self.head = (bytes.len() - rest.len()) as u32;
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        self.index()?;
        (self.segments.len() == places).then_some(())
    }
}

#[inline]
fn take_segment<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take(bytes)?).ok()?;
    let (segment, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(segment)
}
