//! Encodes values as bytes. The encoding is canonical: two values are equal if and only if their bytes are.

use std::ops::Range;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

use super::Machine;
use super::code::Code;
use super::heap::{Heap, Number, small_word};
use super::layout::{Layout, LayoutId, Word, content_offset, tag_of};
use super::raised::{Raised, Stop};
use super::value::{Work, push_parts};

/// Encodes the values of one type.
///
/// Integers are zig-zag variable-length numbers. Enumerations and tags take [`tag_bytes`] bytes. Strings and
/// lists start with their length. Records are their fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Codec {
    pub(crate) layout: LayoutId,
}

impl Codec {
    /// The layout of the values.
    pub fn layout(self) -> LayoutId {
        self.layout
    }

    /// Appends the bytes of a value.
    ///
    /// # Errors
    ///
    /// If the encoding is larger than the heap limit. A shared part of a value is encoded at each occurrence,
    /// and there can be exponentially many.
    pub fn encode(self, machine: &Machine, word: Word, out: &mut Vec<u8>) -> Result<(), Raised> {
        let (code, heap) = (&*machine.code, &machine.heap);
        let mut left = machine.limits.heap;
        let mut work = Work::new();
        work.push((self.layout, word));
        while let Some((id, word)) = work.pop() {
            left = left.saturating_sub(8);
            if left == 0 {
                return Err(machine.raised(Stop::Heap));
            }
            encode_head(code, heap, (id, word), out);
            match code.layout(id) {
                Layout::List(element) => {
                    let from = work.len();
                    work.extend(heap.list(word).map(|head| (*element, head)));
                    work[from..].reverse();
                }
                Layout::String => left = left.saturating_sub(heap.length(word)),
                _ => push_parts(code, heap, id, word, &mut work),
            }
        }
        Ok(())
    }

    /// Decodes the value at the start of the bytes, and advances past it.
    ///
    /// # Errors
    ///
    /// If the heap is full, or the bytes are malformed.
    pub fn decode(self, machine: &mut Machine, bytes: &mut &[u8]) -> Result<Word, Raised> {
        let Machine { code, heap, .. } = machine;
        decode(code, heap, self.layout, bytes).map_err(|stop| machine.raised(stop))
    }

    /// Advances past the value at the start of the bytes.
    ///
    /// # Errors
    ///
    /// If the bytes are malformed.
    pub fn skip(self, machine: &Machine, bytes: &mut &[u8]) -> Result<(), Raised> {
        skip(&machine.code, self.layout, bytes).map_err(|stop| machine.raised(stop))
    }

    /// Calls `found` for every part of the value at the start of the bytes whose type is one of `parts`, with
    /// the index in `parts` and the byte range.
    ///
    /// # Errors
    ///
    /// If the bytes are malformed.
    pub fn find(
        self,
        machine: &Machine,
        parts: &[Codec],
        bytes: &[u8],
        found: &mut dyn FnMut(usize, Range<usize>),
    ) -> Result<(), Raised> {
        let (code, mut rest) = (&*machine.code, bytes);
        let walked = walk(code, self.layout, &mut rest, |id, rest| {
            let Some(which) = parts.iter().position(|part| part.layout == id) else {
                return Ok(false);
            };
            let start = bytes.len() - rest.len();
            skip(code, id, rest)?;
            found(which, start..bytes.len() - rest.len());
            Ok(true)
        });
        walked.map_err(|stop| machine.raised(stop))
    }

    /// Whether the word stays valid for the lifetime of the machine: it needs no heap, or its value is
    /// [kept](Machine::keep).
    #[inline]
    pub fn lasts(self, machine: &Machine, word: Word) -> bool {
        let mut id = self.layout;
        loop {
            return match machine.code.layout(id) {
                Layout::Int | Layout::Word | Layout::Char | Layout::Real | Layout::Enum(_) => true,
                Layout::IntInf => word & 1 == 1 || machine.held.is_below((word >> 1) as usize),
                Layout::Wrapped(_, content) => {
                    id = *content;
                    continue;
                }
                _ => machine.held.is_below(word as usize),
            };
        }
    }
}

/// Whether values of the layout contain only data: no functions, references or streams.
pub(crate) fn is_data(layouts: &[Layout], layout: LayoutId) -> bool {
    let mut seen = vec![false; layouts.len()];
    let mut work = vec![layout];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        match &layouts[id.0 as usize] {
            Layout::Record(fields) => work.extend(fields.iter().map(|(_, field)| *field)),
            Layout::List(of) | Layout::Wrapped(_, of) => work.push(*of),
            Layout::Data(constructors) => {
                let contents = constructors.iter().filter_map(|con| con.content);
                work.extend(contents.map(|content| content.layout));
            }
            Layout::Ref(_) | Layout::Array(_) | Layout::Vector(_) => return false,
            Layout::Function | Layout::Exn | Layout::Stream => return false,
            _ => {}
        }
    }
    true
}

fn zig_zag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

pub(super) fn zag_zig(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The number of bytes of a tag (low byte first) if there are `count` tags.
pub fn tag_bytes(count: usize) -> usize {
    match count {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

fn put_tag(tag: u64, count: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&tag.to_le_bytes()[..tag_bytes(count)]);
}

fn put_large(value: &BigInt, out: &mut Vec<u8>) {
    let negative = value.sign() == Sign::Minus;
    let magnitude = value.magnitude() << 1u32;
    let mut rest = if negative { magnitude - 1u32 } else { magnitude };
    loop {
        let low = (&rest & BigUint::from(0x7fu32)).to_u8().unwrap_or(0);
        rest >>= 7u32;
        if rest == BigUint::ZERO {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

fn encode_head(code: &Code, heap: &Heap, (id, word): (LayoutId, Word), out: &mut Vec<u8>) {
    match code.layout(id) {
        Layout::Int => put_varint(zig_zag(word as i64), out),
        Layout::Word => put_varint(word, out),
        Layout::Char => out.push(word as u8),
        Layout::Real => {
            let value = f64::from_bits(word);
            let canonical = match value {
                _ if value.is_nan() => f64::NAN,
                0.0 => 0.0,
                _ => value,
            };
            out.extend_from_slice(&canonical.to_bits().to_le_bytes());
        }
        Layout::IntInf => match heap.number(word) {
            Number::Small(value) => put_varint(zig_zag(value), out),
            Number::Large(value) => put_large(&value, out),
        },
        Layout::String => {
            put_varint(heap.length(word) as u64, out);
            heap.read(word, out);
        }
        Layout::Enum(names) => put_tag(word, names.len(), out),
        Layout::Data(constructors) => {
            let tag = tag_of(constructors, &heap.words, word);
            put_tag(tag as u64, constructors.len(), out);
        }
        Layout::List(_) => put_varint(heap.list(word).count() as u64, out),
        _ => {}
    }
}

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], Stop> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or(Stop::Malformed)?;
    *bytes = rest;
    Ok(taken)
}

pub(super) fn take_varint(bytes: &mut &[u8]) -> Result<u64, Stop> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(bytes, 1)?[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(Stop::Malformed)
}

pub(super) fn take_tag(bytes: &mut &[u8], count: usize) -> Result<usize, Stop> {
    let tag = take(bytes, tag_bytes(count))?.iter().rev();
    let tag = tag.fold(0, |high, low| high << 8 | usize::from(*low));
    if tag < count { Ok(tag) } else { Err(Stop::Malformed) }
}

fn take_large(heap: &mut Heap, bytes: &mut &[u8]) -> Result<Word, Stop> {
    let length = bytes.iter().position(|byte| *byte < 0x80).ok_or(Stop::Malformed)? + 1;
    if length <= 9 {
        let value = zag_zig(take_varint(bytes)?);
        return small_word(value).ok_or(Stop::Malformed);
    }
    let digits: Vec<u8> = take(bytes, length)?.iter().map(|byte| byte & 0x7f).collect();
    let value = BigUint::from_radix_le(&digits, 128).ok_or(Stop::Malformed)?;
    let odd = value.bit(0);
    let half = BigInt::from(value >> 1u32);
    heap.store(&if odd { -half - 1 } else { half })
}

/// The values to decode, each with the address of its word. The bytes are read in order, so the first value is
/// last in this stack.
pub(super) fn decode(
    code: &Code,
    heap: &mut Heap,
    layout: LayoutId,
    bytes: &mut &[u8],
) -> Result<Word, Stop> {
    let result = heap.reserve(1)?;
    let mut work: smallvec::SmallVec<[(LayoutId, usize); 16]> = smallvec::SmallVec::new();
    work.push((layout, result));
    while let Some((id, to)) = work.pop() {
        let word = match code.layout(id) {
            Layout::Int => zag_zig(take_varint(bytes)?) as Word,
            Layout::Word => take_varint(bytes)?,
            Layout::Char => take(bytes, 1)?[0].into(),
            Layout::Real => {
                let taken = take(bytes, 8)?;
                Word::from_le_bytes(taken.try_into().map_err(|_| Stop::Malformed)?)
            }
            Layout::IntInf => take_large(heap, bytes)?,
            Layout::String => {
                let length = take_varint(bytes)? as usize;
                let taken = take(bytes, length)?;
                heap.string(taken)?
            }
            Layout::Enum(names) => take_tag(bytes, names.len())? as Word,
            Layout::List(element) => {
                let count = take_varint(bytes)? as usize;
                let list = heap.cells(count, 0)?;
                work.extend((0..count).rev().map(|cell| (*element, list as usize + 2 * cell)));
                list
            }
            Layout::Record(fields) => {
                let at = heap.reserve(fields.len())?;
                let parts = fields.iter().enumerate().rev();
                work.extend(parts.map(|(field, (_, of))| (*of, at + field)));
                at as Word
            }
            Layout::Wrapped(_, content) => {
                work.push((*content, to));
                continue;
            }
            Layout::Data(constructors) => {
                let tag = take_tag(bytes, constructors.len())?;
                match constructors[tag].content {
                    None => tag as Word,
                    Some(content) => {
                        let offset = content_offset(constructors) as usize;
                        let at = heap.reserve(offset + content.width as usize)?;
                        if offset == 1 {
                            heap.words[at] = tag as Word;
                        }
                        match (content.is_record, code.layout(content.layout)) {
                            (true, Layout::Record(fields)) => {
                                let parts = fields.iter().enumerate().rev();
                                work.extend(parts.map(|(n, (_, of))| (*of, at + offset + n)));
                            }
                            _ => work.push((content.layout, at + offset)),
                        }
                        at as Word
                    }
                }
            }
            _ => return Err(Stop::Malformed),
        };
        heap.words[to] = word;
    }
    Ok(heap.words[result])
}

pub(super) fn skip(code: &Code, layout: LayoutId, bytes: &mut &[u8]) -> Result<(), Stop> {
    walk(code, layout, bytes, |_, _| Ok(false))
}

/// Advances past a value, except for the parts that `take_part` has read itself.
#[inline]
fn walk(
    code: &Code,
    layout: LayoutId,
    bytes: &mut &[u8],
    mut take_part: impl FnMut(LayoutId, &mut &[u8]) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    // A list is one entry with a count of its remaining elements, so that a long list takes no space.
    let mut work: smallvec::SmallVec<[(LayoutId, u64); 16]> = smallvec::SmallVec::new();
    work.push((layout, 1));
    while let Some((id, count)) = work.pop() {
        if count > 1 {
            work.push((id, count - 1));
        }
        if take_part(id, bytes)? {
            continue;
        }
        match code.layout(id) {
            Layout::Int | Layout::Word => drop(take_varint(bytes)?),
            Layout::Char => drop(take(bytes, 1)?),
            Layout::Real => drop(take(bytes, 8)?),
            Layout::IntInf => {
                let length = bytes.iter().position(|byte| *byte < 0x80);
                take(bytes, length.ok_or(Stop::Malformed)? + 1)?;
            }
            Layout::String => {
                let length = take_varint(bytes)? as usize;
                take(bytes, length)?;
            }
            Layout::Enum(names) => drop(take_tag(bytes, names.len())?),
            Layout::List(element) => match take_varint(bytes)? {
                0 => {}
                count => work.push((*element, count)),
            },
            Layout::Record(fields) => work.extend(fields.iter().rev().map(|(_, of)| (*of, 1))),
            Layout::Wrapped(_, content) => work.push((*content, 1)),
            Layout::Data(constructors) => {
                let tag = take_tag(bytes, constructors.len())?;
                work.extend(constructors[tag].content.map(|content| (content.layout, 1)));
            }
            _ => return Err(Stop::Malformed),
        }
    }
    Ok(())
}
