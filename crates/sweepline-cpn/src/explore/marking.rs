//! Markings as bytes. The encoding is canonical: two markings are equal if and only if their bytes are.
//!
//! A marking consists of the model time, if the net is timed, and a *segment* for each place, preceded by its
//! length. A segment holds the distinct colours on the place in order, each with its number of tokens, or with
//! its time stamps on a timed place. An occurrence copies the segments that it does not change.

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

/// A time stamp or the model time: an integer, or a real number in an order-preserving encoding.
pub(crate) type Stamp = i64;

/// The tokens of all places.
#[derive(Clone, Debug, Default)]
pub struct Marking {
    pub(crate) time: Stamp,
    /// The canonical encoding.
    bytes: Vec<u8>,
    /// The start of the first segment.
    head: u32,
    /// The range of each segment. Empty until the marking is expanded, because most reached markings are not
    /// new.
    segments: Vec<Range<u32>>,
}

impl PartialEq for Marking {
    fn eq(&self, other: &Self) -> bool {
        (self.time, &self.bytes) == (other.time, &other.bytes)
    }
}

impl Eq for Marking {}

/// The encoding of a place's segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Untimed tokens; colours as bytes.
    Plain,
    /// Untimed tokens of this many colours; colours as ranks.
    Ranked(usize),
    /// Timed tokens; colours as bytes.
    Timed,
}

impl Kind {
    /// Writes a segment without `minus` and with `plus`, both sorted. Returns `false` if `minus` is not
    /// contained in it.
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

    /// Removes all tokens available at `now` from the segment that starts at `start` of `out`. On an untimed
    /// place these are all tokens.
    pub(crate) fn empty(self, start: usize, now: Stamp, out: &mut Vec<u8>) {
        match self {
            Kind::Timed => without_available(start, now, out),
            _ => out.truncate(start),
        }
    }
}

impl Marking {
    /// The model time: an integer, or an order-preserving encoding of a real number. Zero in an untimed net.
    pub fn time(&self) -> i64 {
        self.time
    }

    /// The marking without tokens for `places` places.
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

    /// The segment of a place, found without the index.
    fn find(&self, place: usize) -> &[u8] {
        let mut rest = &self.bytes[self.head as usize..];
        for _ in 0..place {
            take_segment(&mut rest).expect("as many segments as places");
        }
        take_segment(&mut rest).expect("as many segments as places")
    }

    /// Whether the segments are indexed. Needed to compute successors.
    pub(crate) fn is_indexed(&self) -> bool {
        self.head as usize == self.bytes.len() || !self.segments.is_empty()
    }

    /// Indexes all segments.
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

    /// Calls `each` with every colour on a place and the number of its tokens available at `now`.
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

    /// The time stamps of the tokens of each colour on a timed place.
    pub(crate) fn timed_tokens(&self, place: usize) -> TimedTokens<'_> {
        TimedTokens { rest: self.segment(place) }
    }

    /// Sets this marking to `other` at a time (if the net is timed), with the segments of `places`, sorted,
    /// replaced by what `write` appends. `write` gets the index into `places`. Returns `false` as soon as
    /// `write` does; this marking is then invalid. `other` must be indexed; this marking will not be.
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

    /// Appends the segments of consecutive `places`.
    fn copy(&mut self, other: &Marking, places: Range<usize>) {
        if places.is_empty() {
            return;
        }
        let from = places.start.checked_sub(1).map_or(other.head, |p| other.segments[p].end);
        let to = other.segments[places.end - 1].end;
        self.bytes.extend_from_slice(&other.bytes[from as usize..to as usize]);
    }

    /// Ends a segment, and stores its length in the byte at `length`.
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

    /// Sets the model time to zero and makes all time stamps relative to it; past time stamps become zero.
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

    /// The canonical encoding.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Decodes a marking of `places` places. `None` if the bytes are malformed.
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
