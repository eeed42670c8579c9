//! Untimed segments: colours in the order of their bytes, each with its number of tokens.

use std::cmp::Ordering;

use super::bag::Bag;
use super::number::{put, take};

/// The colours of an untimed segment.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (&'a [u8], u64);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let colour = take_colour(&mut self.rest)?;
        Some((colour, take(&mut self.rest)?))
    }
}

/// Writes an untimed segment without `minus` and with `plus`, both sorted. Returns `false` if `minus` is not
/// contained in it.
pub(crate) fn exchange(segment: &[u8], minus: &Bag, plus: &Bag, out: &mut Vec<u8>) -> bool {
    let mut taken = minus.tokens().peekable();
    let mut added = plus.tokens().peekable();
    let mut tokens = Tokens { rest: segment };
    // The part from here on has not been written yet.
    let mut from = segment;
    loop {
        let (next, order) = match (taken.peek(), added.peek()) {
            (None, None) => break,
            (Some((a, _)), None) => (*a, Ordering::Less),
            (None, Some((b, _))) => (*b, Ordering::Greater),
            (Some((a, _)), Some((b, _))) => {
                let order = compare(a, b);
                (if order.is_le() { *a } else { *b }, order)
            }
        };
        let gone = if order.is_le() { taken.next() } else { None }.map_or(0, |(_, count)| count);
        let new = if order.is_ge() { added.next() } else { None }.map_or(0, |(_, count)| count);
        let (before, there) = tokens.seek(next);
        out.extend_from_slice(&from[..from.len() - before.len()]);
        let Some(left) = there.checked_sub(gone) else { return false };
        if left + new > 0 {
            put_colour(next, left + new, out);
        }
        from = tokens.rest;
    }
    out.extend_from_slice(from);
    true
}

impl<'a> Tokens<'a> {
    /// Advances past a colour. Returns the bytes before it or before its position, and its number of tokens.
    fn seek(&mut self, wanted: &[u8]) -> (&'a [u8], u64) {
        loop {
            let before = self.rest;
            let Some((colour, count)) = self.next() else { return (before, 0) };
            match compare(colour, wanted) {
                Ordering::Less => {}
                Ordering::Equal => return (before, count),
                Ordering::Greater => {
                    self.rest = before;
                    return (before, 0);
                }
            }
        }
    }
}

/// Compares two colours. Most are short.
#[inline]
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    for (x, y) in a.iter().zip(b) {
        if x != y {
            return x.cmp(y);
        }
    }
    a.len().cmp(&b.len())
}

pub(super) fn put_colour(colour: &[u8], count: u64, out: &mut Vec<u8>) {
    put(colour.len() as u64, out);
    out.extend_from_slice(colour);
    put(count, out);
}

#[inline]
pub(super) fn take_colour<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    if bytes.is_empty() {
        return None;
    }
    let length = usize::try_from(take(bytes)?).ok()?;
    let (colour, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(colour)
}
