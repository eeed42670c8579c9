//! The heap: an array of words, allocated at the end and freed by truncation.

use num_bigint::{BigInt, BigUint, Sign};

use super::layout::Word;
use super::raised::Stop;

/// The most 64-bit digits of a large number: converting it to decimal takes quadratic time.
pub(crate) const MOST_DIGITS: usize = 1 << 14;

/// An array of words. Addresses stay valid when it grows.
#[derive(Clone, Debug)]
pub(crate) struct Heap {
    pub(crate) words: Vec<Word>,
    /// The most words.
    pub(crate) limit: usize,
}

/// An integer, decoded from the heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Small(i64),
    Large(BigInt),
}

const SMALL: std::ops::RangeInclusive<i64> = -(1 << 62)..=(1 << 62) - 1;

/// The word of a number that is stored without the heap.
pub(crate) fn small_word(value: i64) -> Option<Word> {
    SMALL.contains(&value).then_some(((value << 1) | 1) as Word)
}

/// The number in a word, if it is stored without the heap.
pub(crate) fn small_number(word: Word) -> Option<i64> {
    (word & 1 == 1).then_some((word as i64) >> 1)
}

impl Heap {
    /// Checks that this many more words fit.
    pub(crate) fn check(&self, more: usize) -> Result<(), Stop> {
        if more <= self.limit.saturating_sub(self.words.len()) { Ok(()) } else { Err(Stop::Heap) }
    }

    pub(crate) fn allocate(&mut self, fields: &[Word]) -> Result<Word, Stop> {
        self.check(fields.len())?;
        let at = self.words.len() as Word;
        self.words.extend_from_slice(fields);
        Ok(at)
    }

    /// Allocates this many zeros.
    pub(crate) fn reserve(&mut self, count: usize) -> Result<usize, Stop> {
        self.check(count)?;
        let at = self.words.len();
        self.words.resize(at + count, 0);
        Ok(at)
    }

    pub(crate) fn get(&self, address: Word, offset: usize) -> Word {
        self.words[address as usize + offset]
    }

    pub(crate) fn pair(&mut self, head: Word, tail: Word) -> Result<Word, Stop> {
        self.allocate(&[head, tail])
    }

    /// `count` cells of a list, linked, with heads still to be set.
    pub(crate) fn cells(&mut self, count: usize, tail: Word) -> Result<Word, Stop> {
        if count == 0 {
            return Ok(tail);
        }
        let at = self.reserve(count.checked_mul(2).ok_or(Stop::Heap)?)?;
        for cell in 0..count - 1 {
            self.words[at + 2 * cell + 1] = (at + 2 * cell + 2) as Word;
        }
        self.words[at + 2 * count - 1] = tail;
        Ok(at as Word)
    }

    pub(crate) fn list_from(&mut self, heads: &[Word], tail: Word) -> Result<Word, Stop> {
        let list = self.cells(heads.len(), tail)?;
        for (cell, head) in heads.iter().enumerate() {
            self.words[list as usize + 2 * cell] = *head;
        }
        Ok(list)
    }

    pub(crate) fn list(&self, list: Word) -> List<'_> {
        List { words: &self.words, at: list }
    }

    pub(crate) fn string(&mut self, bytes: &[u8]) -> Result<Word, Stop> {
        self.check(1 + bytes.len().div_ceil(8))?;
        let at = self.words.len() as Word;
        self.words.push(bytes.len() as Word);
        self.words.extend(bytes.chunks(8).map(|chunk| {
            let mut full = [0; 8];
            full[..chunk.len()].copy_from_slice(chunk);
            Word::from_le_bytes(full)
        }));
        Ok(at)
    }

    pub(crate) fn length(&self, string: Word) -> usize {
        self.get(string, 0) as usize
    }

    pub(crate) fn byte(&self, string: Word, index: usize) -> u8 {
        (self.get(string, 1 + index / 8) >> (8 * (index % 8))) as u8
    }

    /// Appends the bytes of a string.
    pub(crate) fn read(&self, string: Word, out: &mut Vec<u8>) {
        let length = self.length(string);
        out.reserve(length + 8);
        let end = out.len() + length;
        let first = string as usize + 1;
        for word in &self.words[first..first + length.div_ceil(8)] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.truncate(end);
    }

    pub(crate) fn bytes(&self, string: Word) -> Vec<u8> {
        let mut out = Vec::new();
        self.read(string, &mut out);
        out
    }

    /// Compares strings by words: the last word is padded with zeros.
    pub(crate) fn strings_equal(&self, a: Word, b: Word) -> bool {
        let words = 1 + self.length(a).div_ceil(8);
        let (a, b) = (a as usize, b as usize);
        self.words[a] == self.words[b] && self.words[a..a + words] == self.words[b..b + words]
    }

    pub(crate) fn strings_compare(&self, a: Word, b: Word) -> std::cmp::Ordering {
        let (long_a, long_b) = (self.length(a), self.length(b));
        let words = long_a.min(long_b).div_ceil(8);
        for word in 1..=words {
            let (left, right) = (self.get(a, word), self.get(b, word));
            if left != right && word < words {
                return left.swap_bytes().cmp(&right.swap_bytes());
            }
        }
        for index in (words.max(1) - 1) * 8..long_a.min(long_b) {
            let order = self.byte(a, index).cmp(&self.byte(b, index));
            if order.is_ne() {
                return order;
            }
        }
        long_a.cmp(&long_b)
    }

    pub(crate) fn number(&self, word: Word) -> Number {
        if let Some(small) = small_number(word) {
            return Number::Small(small);
        }
        let at = (word >> 1) as usize;
        let header = self.words[at];
        let count = (header >> 1) as usize;
        let digits = self.words[at + 1..at + 1 + count]
            .iter()
            .flat_map(|digit| [*digit as u32, (*digit >> 32) as u32])
            .collect();
        let sign = if header & 1 == 1 { Sign::Minus } else { Sign::Plus };
        Number::Large(BigInt::from_biguint(sign, BigUint::new(digits)))
    }

    pub(crate) fn big(&self, word: Word) -> BigInt {
        match self.number(word) {
            Number::Small(value) => value.into(),
            Number::Large(value) => value,
        }
    }

    /// Stores a number, without the heap if it fits in the word.
    pub(crate) fn store(&mut self, value: &BigInt) -> Result<Word, Stop> {
        if let Some(word) = i64::try_from(value).ok().and_then(small_word) {
            return Ok(word);
        }
        let (sign, digits) = value.to_u64_digits();
        if digits.len() > MOST_DIGITS {
            return Err(Stop::Number);
        }
        self.check(digits.len() + 1)?;
        let at = self.words.len();
        self.words.push((digits.len() as Word) << 1 | Word::from(sign == Sign::Minus));
        self.words.extend_from_slice(&digits);
        Ok((at as Word) << 1)
    }

    pub(crate) fn store_int(&mut self, value: i64) -> Result<Word, Stop> {
        match small_word(value) {
            Some(word) => Ok(word),
            None => self.store(&value.into()),
        }
    }
}

/// The elements of a list.
#[derive(Clone, Debug)]
pub struct List<'m> {
    words: &'m [Word],
    at: Word,
}

impl Iterator for List<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let cell = (self.at != 0).then_some(self.at as usize)?;
        self.at = self.words[cell + 1];
        Some(self.words[cell])
    }
}
