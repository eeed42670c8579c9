//! Markings as bytes: canonical, so that equal markings are equal bytes.
//!
//! A marking is the time, where the net is timed, and a *segment* for each place. A segment holds the
//! distinct colours of its tokens in the order of their bytes, each with how many there are; of timed
//! places with their time stamps, in order. What one occurrence does not touch is copied.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::ops::Range;

/// A time stamp or the time of the model: an integer, or a real number in an order-preserving form.
pub(crate) type Stamp = i64;

/// The tokens of all places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marking {
    pub(crate) time: Stamp,
    bytes: Vec<u8>,
    /// Where the segment of each place lies.
    segments: Vec<Range<u32>>,
}

impl Marking {
    /// No tokens in any of `places` places.
    pub(crate) fn empty(places: usize) -> Self {
        Marking { time: 0, bytes: Vec::new(), segments: vec![0..0; places] }
    }

    /// The segment of a place.
    #[inline]
    pub(crate) fn segment(&self, place: usize) -> &[u8] {
        let Range { start, end } = self.segments[place];
        &self.bytes[start as usize..end as usize]
    }

    /// The colours on an untimed place, and how many tokens there are of each.
    pub(crate) fn tokens(&self, place: usize) -> Tokens<'_> {
        Tokens { rest: self.segment(place) }
    }

    /// The colours on a timed place with their stamps.
    pub(crate) fn timed_tokens(&self, place: usize) -> TimedTokens<'_> {
        TimedTokens { rest: self.segment(place) }
    }

    /// Makes this `other` with some segments replaced: those of `places`, sorted, each by what
    /// `write` appends for it.
    pub(crate) fn replace(
        &mut self,
        other: &Marking,
        places: &[usize],
        mut write: impl FnMut(usize, &[u8], &mut Vec<u8>),
    ) {
        self.bytes.clear();
        self.segments.clear();
        let mut changed = places.iter().copied().peekable();
        for place in 0..other.segments.len() {
            let start = self.bytes.len() as u32;
            if changed.next_if_eq(&place).is_some() {
                write(place, other.segment(place), &mut self.bytes);
            } else {
                self.bytes.extend_from_slice(other.segment(place));
            }
            self.segments.push(start..self.bytes.len() as u32);
        }
    }

    /// Appends the canonical form.
    pub(crate) fn encode(&self, timed: bool, out: &mut Vec<u8>) {
        if timed {
            put_signed(self.time, out);
        }
        for place in 0..self.segments.len() {
            let segment = self.segment(place);
            put(segment.len() as u64, out);
            out.extend_from_slice(segment);
        }
    }

    /// Reads the canonical form of a marking of `places` places; `None` when it is none.
    pub(crate) fn decode(&mut self, places: usize, timed: bool, mut bytes: &[u8]) -> Option<()> {
        self.time = if timed { take_signed(&mut bytes)? } else { 0 };
        self.bytes.clear();
        self.segments.clear();
        for _ in 0..places {
            let length = usize::try_from(take(&mut bytes)?).ok()?;
            let (segment, rest) = bytes.split_at_checked(length)?;
            let start = self.bytes.len() as u32;
            self.bytes.extend_from_slice(segment);
            self.segments.push(start..self.bytes.len() as u32);
            bytes = rest;
        }
        bytes.is_empty().then_some(())
    }
}

/// The colours of an untimed segment.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (&'a [u8], u64);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let colour = take_colour(&mut self.rest)?;
        Some((colour, take(&mut self.rest)?))
    }
}

/// The colours of a timed segment.
#[derive(Clone, Debug)]
pub(crate) struct TimedTokens<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for TimedTokens<'a> {
    type Item = (&'a [u8], Stamps<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let colour = take_colour(&mut self.rest)?;
        let left = take(&mut self.rest)?;
        let length = usize::try_from(take(&mut self.rest)?).ok()?;
        let (stamps, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some((colour, Stamps { rest: stamps, left, last: 0, first: true }))
    }
}

/// The stamps of the tokens of one colour, in order.
#[derive(Clone, Debug)]
pub(crate) struct Stamps<'a> {
    rest: &'a [u8],
    left: u64,
    last: Stamp,
    first: bool,
}

impl Iterator for Stamps<'_> {
    type Item = Stamp;

    fn next(&mut self) -> Option<Stamp> {
        self.left = self.left.checked_sub(1)?;
        self.last = if std::mem::take(&mut self.first) {
            take_signed(&mut self.rest)?
        } else {
            self.last.wrapping_add(take(&mut self.rest)? as i64)
        };
        Some(self.last)
    }
}

/// Tokens to add or take away, gathered in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bag {
    bytes: Vec<u8>,
    tokens: Vec<Held>,
    /// The tokens are in order.
    sorted: bool,
}

/// Tokens of one colour in a bag.
#[derive(Clone, Debug)]
struct Held {
    colour: Range<u32>,
    count: u64,
    /// Of timed tokens: the stamp to add, or the latest that may be taken.
    stamp: Stamp,
}

impl Bag {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.tokens.clear();
        self.sorted = false;
    }

    /// Adds `count` tokens of the colour that `write` appends.
    pub(crate) fn add(&mut self, count: u64, stamp: Stamp, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len() as u32;
        write(&mut self.bytes);
        let colour = start..self.bytes.len() as u32;
        if count > 0 {
            self.tokens.push(Held { colour, count, stamp });
            self.sorted = false;
        }
    }

    /// Adds all tokens of another bag, as many as they are, stamped anew.
    pub(crate) fn add_all(&mut self, other: &Bag, stamp: Stamp) {
        let (sorted, before) = (other.sorted && self.tokens.is_empty(), self.bytes.len() as u32);
        self.bytes.extend_from_slice(&other.bytes);
        self.tokens.extend(other.tokens.iter().map(|held| Held {
            colour: held.colour.start + before..held.colour.end + before,
            count: held.count,
            stamp,
        }));
        self.sorted = sorted;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Bytes of all colours.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    fn colour(&self, held: &Held) -> &[u8] {
        &self.bytes[held.colour.start as usize..held.colour.end as usize]
    }

    /// Brings the tokens into the order of their colours, and of their stamps.
    pub(crate) fn sort(&mut self) {
        if self.sorted || self.tokens.len() < 2 {
            return;
        }
        self.sorted = true;
        let Bag { bytes, tokens, .. } = self;
        let colour = |held: &Held| &bytes[held.colour.start as usize..held.colour.end as usize];
        tokens.sort_by(|a, b| colour(a).cmp(colour(b)).then(a.stamp.cmp(&b.stamp)));
    }

    /// The tokens in order, those of one colour together.
    fn groups(&self) -> impl Iterator<Item = (&[u8], &[Held])> {
        self.tokens
            .chunk_by(|a, b| self.colour(a) == self.colour(b))
            .map(|group| (self.colour(&group[0]), group))
    }
}

/// Writes an untimed segment without `minus` and with `plus`, both sorted; `false` when `minus` is
/// not all there.
pub(crate) fn exchange(segment: &[u8], minus: &Bag, plus: &Bag, out: &mut Vec<u8>) -> bool {
    let total = |group: &[Held]| group.iter().map(|held| held.count).sum::<u64>();
    let mut taken = minus.groups().map(|(colour, group)| (colour, total(group))).peekable();
    let mut added = plus.groups().map(|(colour, group)| (colour, total(group))).peekable();
    let mut tokens = Tokens { rest: segment };
    // From here on nothing has been written yet.
    let mut from = segment;
    loop {
        let next = match (taken.peek(), added.peek()) {
            (None, None) => break,
            (Some((a, _)), Some((b, _))) => {
                if a <= b {
                    *a
                } else {
                    *b
                }
            }
            (Some((a, _)), None) | (None, Some((a, _))) => *a,
        };
        let before = tokens.rest;
        let here = tokens.next();
        if here.is_some_and(|(colour, _)| compare(colour, next).is_lt()) {
            continue;
        }
        out.extend_from_slice(&from[..from.len() - before.len()]);
        let there = here.filter(|(colour, _)| *colour == next).map(|(_, count)| count);
        let gone = taken.next_if(|(colour, _)| *colour == next).map_or(0, |(_, n)| n);
        let new = added.next_if(|(colour, _)| *colour == next).map_or(0, |(_, n)| n);
        let Some(left) = there.unwrap_or(0).checked_sub(gone) else { return false };
        if left + new > 0 {
            put_colour(next, left + new, out);
        }
        if there.is_none() {
            tokens.rest = before;
        }
        from = tokens.rest;
    }
    out.extend_from_slice(from);
    true
}

/// Orders two colours, which are mostly short.
#[inline]
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    for (x, y) in a.iter().zip(b) {
        if x != y {
            return x.cmp(y);
        }
    }
    a.len().cmp(&b.len())
}

/// The same for a timed segment. Of several tokens of a colour those with the latest stamps that may
/// be taken are, as Jensen defines it.
pub(crate) fn exchange_timed(segment: &[u8], minus: &Bag, plus: &Bag, out: &mut Vec<u8>) -> bool {
    let mut taken = minus.groups().peekable();
    let mut added = plus.groups().peekable();
    let mut stamps: Vec<Stamp> = Vec::new();
    for (colour, here) in (TimedTokens { rest: segment }) {
        while let Some((new, group)) = added.next_if(|(new, _)| *new < colour) {
            stamps.clear();
            insert(&mut stamps, group);
            put_timed(new, &stamps, out);
        }
        stamps.clear();
        stamps.extend(here);
        if let Some((_, group)) = taken.next_if(|(gone, _)| *gone == colour)
            && !remove(&mut stamps, group)
        {
            return false;
        }
        if let Some((_, group)) = added.next_if(|(new, _)| *new == colour) {
            insert(&mut stamps, group);
        }
        put_timed(colour, &stamps, out);
    }
    for (new, group) in added {
        stamps.clear();
        insert(&mut stamps, group);
        put_timed(new, &stamps, out);
    }
    taken.next().is_none()
}

/// Takes from the segment that starts at `start` of `out` all tokens available at `now`: all of an
/// untimed place.
pub(crate) fn without_available(timed: bool, start: usize, now: Stamp, out: &mut Vec<u8>) {
    let segment = out.split_off(start);
    if timed {
        let mut left: Vec<Stamp> = Vec::new();
        for (colour, stamps) in (TimedTokens { rest: &segment }) {
            left.clear();
            left.extend(stamps.filter(|&stamp| stamp > now));
            put_timed(colour, &left, out);
        }
    }
}

fn insert(stamps: &mut Vec<Stamp>, group: &[Held]) {
    for held in group {
        stamps.extend(std::iter::repeat_n(held.stamp, held.count as usize));
    }
    stamps.sort_unstable();
}

/// Takes the least available first served: those that may take little take first, the latest they may.
fn remove(stamps: &mut Vec<Stamp>, group: &[Held]) -> bool {
    for held in group {
        for _ in 0..held.count {
            match stamps.partition_point(|&stamp| stamp <= held.stamp).checked_sub(1) {
                Some(at) => drop(stamps.remove(at)),
                None => return false,
            }
        }
    }
    true
}

fn put_colour(colour: &[u8], count: u64, out: &mut Vec<u8>) {
    put(colour.len() as u64, out);
    out.extend_from_slice(colour);
    put(count, out);
}

fn put_timed(colour: &[u8], stamps: &[Stamp], out: &mut Vec<u8>) {
    let Some(&first) = stamps.first() else { return };
    put_colour(colour, stamps.len() as u64, out);
    let mut bytes = Vec::new();
    put_signed(first, &mut bytes);
    for pair in stamps.windows(2) {
        put(pair[1].wrapping_sub(pair[0]) as u64, &mut bytes);
    }
    put(bytes.len() as u64, out);
    out.extend_from_slice(&bytes);
}

#[inline]
fn take_colour<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    if bytes.is_empty() {
        return None;
    }
    let length = usize::try_from(take(bytes)?).ok()?;
    let (colour, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(colour)
}

/// Appends a number, seven bits to a byte.
#[inline]
pub(crate) fn put(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_signed(value: i64, out: &mut Vec<u8>) {
    put(((value << 1) ^ (value >> 63)) as u64, out);
}

#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (mut value, mut shift) = (0u64, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if shift == 63 && byte > 1 {
            return None;
        }
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
        shift += 7;
    }
}

fn take_signed(bytes: &mut &[u8]) -> Option<i64> {
    let value = take(bytes)?;
    Some((value >> 1) as i64 ^ -((value & 1) as i64))
}
