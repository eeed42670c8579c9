//! Timed segments: colours in the order of their bytes, each with its time stamps in order.

use super::Stamp;
use super::bag::{Bag, Held};
use super::number::{put, put_signed, take, take_signed};
use super::plain::{put_colour, take_colour};

/// The colours of a timed segment.
#[derive(Clone, Debug)]
pub(crate) struct TimedTokens<'a> {
    pub(super) rest: &'a [u8],
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

/// The time stamps of the tokens of one colour, in order.
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

/// Writes a timed segment without `minus` and with `plus`, both sorted. Returns `false` if `minus` is not
/// contained in it. Of several tokens of a colour, those with the latest time stamps that may be removed are
/// removed, as Jensen defines it.
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

/// Removes all tokens available at `now` from the segment that starts at `start` of `out`.
pub(super) fn without_available(start: usize, now: Stamp, out: &mut Vec<u8>) {
    let segment = out.split_off(start);
    let mut left: Vec<Stamp> = Vec::new();
    for (colour, stamps) in (TimedTokens { rest: &segment }) {
        left.clear();
        left.extend(stamps.filter(|&stamp| stamp > now));
        put_timed(colour, &left, out);
    }
}

fn insert(stamps: &mut Vec<Stamp>, group: &[Held]) {
    for held in group {
        stamps.extend(std::iter::repeat_n(held.stamp, held.count as usize));
    }
    stamps.sort_unstable();
}

/// Removes one token for each entry of the group: entries with the earliest limit come first, and each takes
/// the latest token that its limit allows.
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

pub(super) fn put_timed(colour: &[u8], stamps: &[Stamp], out: &mut Vec<u8>) {
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
