//! Segments of untimed places with a small colour set: a colour is encoded as its rank, in one byte.
//!
//! A segment without tokens is empty. With up to eight colours, it holds the number of tokens of each. With
//! more, it holds a bit for each colour, followed by the rank and number of those with several tokens.

use super::bag::Bag;
use super::number::{put, take};

/// Up to this many colours have counts; more have bits.
const COUNTED: usize = 8;
/// The most colours that are encoded as ranks.
pub(crate) const MOST_RANKS: usize = 256;

/// The ranks in a segment in order, with the number of tokens of each.
#[derive(Clone, Debug)]
pub(crate) struct Ranked<'a> {
    bits: &'a [u8],
    /// The remaining bits of the current byte.
    here: u8,
    /// The rank of the first bit of the current byte, or the next rank to be counted.
    base: usize,
    /// Numbers of tokens.
    counts: &'a [u8],
    counted: bool,
}

impl<'a> Ranked<'a> {
    pub(super) fn new(colours: usize, segment: &'a [u8]) -> Self {
        let counted = colours <= COUNTED;
        let width = if counted { 0 } else { colours.div_ceil(8).min(segment.len()) };
        let (bits, counts) = segment.split_at(width);
        let (here, bits) = bits.split_first().map_or((0, bits), |(first, rest)| (*first, rest));
        Ranked { bits, here, base: 0, counts, counted }
    }
}

impl Iterator for Ranked<'_> {
    type Item = (u8, u64);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.counted {
            loop {
                let count = take(&mut self.counts)?;
                self.base += 1;
                if count > 0 {
                    return Some(((self.base - 1) as u8, count));
                }
            }
        }
        while self.here == 0 {
            let (next, rest) = self.bits.split_first()?;
            (self.here, self.bits) = (*next, rest);
            self.base += 8;
        }
        let rank = (self.base + self.here.trailing_zeros() as usize) as u8;
        self.here &= self.here - 1;
        if self.counts.first() == Some(&rank) {
            self.counts = &self.counts[1..];
            return Some((rank, take(&mut self.counts)?));
        }
        Some((rank, 1))
    }
}

/// Writes a segment without `minus` and with `plus`, both sorted. Returns `false` if `minus` is not contained
/// in it.
pub(crate) fn exchange_ranked(
    colours: usize,
    segment: &[u8],
    minus: &Bag,
    plus: &Bag,
    out: &mut Vec<u8>,
) -> bool {
    if colours <= COUNTED {
        return recount::<COUNTED>(colours, segment, minus, plus, out);
    }
    let width = colours.div_ceil(8);
    if segment.len() <= width {
        let after = match (minus.bits(), plus.bits()) {
            (Some(minus), Some(plus)) => flip(load(segment), &minus, &plus),
            _ => None,
        };
        if let Some(bits) = after {
            if bits != Bits::default() {
                store(&bits, width, out);
            }
            return true;
        }
    }
    recount::<MOST_RANKS>(colours, segment, minus, plus, out)
}

/// Bits in 64-bit words, which are faster than bytes.
pub(super) type Bits = [u64; WORDS];
const WORDS: usize = MOST_RANKS / 64;

fn load(bytes: &[u8]) -> Bits {
    let mut bits = [0; WORDS];
    for (word, chunk) in bits.iter_mut().zip(bytes.chunks(8)) {
        *word = match chunk.try_into() {
            Ok(full) => u64::from_le_bytes(full),
            Err(_) => chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
    }
    bits
}

fn store(bits: &Bits, width: usize, out: &mut Vec<u8>) {
    for (word, at) in bits.iter().zip((0..width).step_by(8)) {
        out.extend_from_slice(&word.to_le_bytes()[..(width - at).min(8)]);
    }
}

/// Clears and sets bits. `None` if some colour would have several tokens or is missing.
#[inline]
fn flip(mut bits: Bits, minus: &Bits, plus: &Bits) -> Option<Bits> {
    let mut simple = true;
    for ((bits, minus), plus) in bits.iter_mut().zip(minus).zip(plus) {
        let left = *bits & !minus;
        simple &= *bits & minus == *minus && left & plus == 0;
        *bits = left | plus;
    }
    simple.then_some(bits)
}

/// The bits of the ranks, if there is one token of each.
pub(super) fn bits_of<'a>(tokens: impl Iterator<Item = (&'a [u8], u64)>) -> Option<Bits> {
    let mut bits = Bits::default();
    for (colour, count) in tokens {
        let rank = usize::from(colour[0]);
        if count > 1 {
            return None;
        }
        bits[rank / 64] |= 1 << (rank % 64);
    }
    Some(bits)
}

/// The same with counts, for at most `N` colours.
fn recount<const N: usize>(
    colours: usize,
    segment: &[u8],
    minus: &Bag,
    plus: &Bag,
    out: &mut Vec<u8>,
) -> bool {
    let mut counts = [0; N];
    for (rank, count) in Ranked::new(colours, segment) {
        counts[usize::from(rank)] = count;
    }
    for (colour, count) in minus.tokens() {
        let here: &mut u64 = &mut counts[usize::from(colour[0])];
        let Some(left) = here.checked_sub(count) else { return false };
        *here = left;
    }
    for (colour, count) in plus.tokens() {
        counts[usize::from(colour[0])] += count;
    }
    write(&counts[..colours], out);
    true
}

fn write(counts: &[u64], out: &mut Vec<u8>) {
    if counts.iter().all(|&count| count == 0) {
        return;
    }
    if counts.len() <= COUNTED {
        return counts.iter().for_each(|&count| put(count, out));
    }
    out.extend(counts.chunks(8).map(|chunk| {
        let bits = chunk.iter().enumerate().map(|(bit, &count)| u8::from(count > 0) << bit);
        bits.fold(0, |bits, bit| bits | bit)
    }));
    for (rank, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 1) {
        out.push(rank as u8);
        put(count, out);
    }
}
