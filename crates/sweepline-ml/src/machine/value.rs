//! Operations on values by their layouts: equality, order, text. None is recursive, so that deep values do not
//! overflow the stack.

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::core::ExnId;

use super::Machine;
use super::code::Code;
use super::heap::Heap;
use super::layout::{Content, Layout, LayoutId, Word, content_offset, tag_of};
use super::present::show;
use super::prims;

/// A stack of values to process: the next is the last.
pub(crate) type Work = SmallVec<[(LayoutId, Word); 16]>;

/// Pushes the parts of a value other than a list, such that the first part is on top.
pub(crate) fn push_parts(code: &Code, heap: &Heap, layout: LayoutId, word: Word, work: &mut Work) {
    match code.layout(layout) {
        Layout::Record(fields) => {
            let parts = fields.iter().enumerate().rev();
            work.extend(parts.map(|(at, (_, field))| (*field, heap.get(word, at))));
        }
        Layout::Wrapped(_, content) => work.push((*content, word)),
        Layout::Data(constructors) => {
            let tag = tag_of(constructors, &heap.words, word);
            if let Some(content) = &constructors[tag].content {
                work.push(content_word(heap, *content, word, content_offset(constructors)));
            }
        }
        _ => {}
    }
}

/// The argument of a constructor or exception. The fields of a record are stored in the block.
pub(crate) fn content_word(
    heap: &Heap,
    content: Content,
    word: Word,
    offset: u32,
) -> (LayoutId, Word) {
    let value = match content.is_record {
        true => word + Word::from(offset),
        false => heap.get(word, offset as usize),
    };
    (content.layout, value)
}

/// Structural equality. References and arrays are compared by identity, reals as numbers.
pub(crate) fn equal(code: &Code, heap: &Heap, layout: LayoutId, a: Word, b: Word) -> bool {
    equal_counted(code, heap, (layout, a, b), &mut 0, usize::MAX)
}

/// Like `equal`, but counts the compared parts up to a bound. Beyond the bound the result has no meaning.
pub(crate) fn equal_counted(
    code: &Code,
    heap: &Heap,
    values: (LayoutId, Word, Word),
    count: &mut usize,
    most: usize,
) -> bool {
    let mut work: SmallVec<[(LayoutId, Word, Word); 16]> = SmallVec::new();
    work.push(values);
    while let Some((id, a, b)) = work.pop() {
        *count += 1;
        if *count > most {
            return false;
        }
        let layout = code.layout(id);
        if a == b && !matches!(layout, Layout::Real) {
            continue;
        }
        match layout {
            Layout::Real if f64::from_bits(a) == f64::from_bits(b) => {}
            Layout::IntInf if prims::compare_large(heap, a, b).is_eq() => {}
            Layout::String if heap.strings_equal(a, b) => {}
            Layout::List(element) if a != 0 && b != 0 => {
                work.push((id, heap.get(a, 1), heap.get(b, 1)));
                work.push((*element, heap.get(a, 0), heap.get(b, 0)));
            }
            Layout::Record(fields) => {
                let parts = fields.iter().enumerate().rev();
                work.extend(parts.map(|(at, (_, of))| (*of, heap.get(a, at), heap.get(b, at))));
            }
            Layout::Vector(element) if heap.get(a, 0) == heap.get(b, 0) => {
                let places = 1..=heap.get(a, 0) as usize;
                work.extend(places.map(|at| (*element, heap.get(a, at), heap.get(b, at))));
            }
            Layout::Wrapped(_, content) => work.push((*content, a, b)),
            Layout::Data(constructors) => {
                let tag = tag_of(constructors, &heap.words, a);
                if tag != tag_of(constructors, &heap.words, b) {
                    return false;
                }
                if let Some(content) = &constructors[tag].content {
                    let offset = content_offset(constructors);
                    let (of, a) = content_word(heap, *content, a, offset);
                    work.push((of, a, content_word(heap, *content, b, offset).1));
                }
            }
            _ => return false,
        }
    }
    true
}

/// A total order: numbers and strings as usual, constructors in order of declaration, records from the first
/// field on, lists element by element. Functions, references and streams are all equal.
pub(crate) fn compare(code: &Code, heap: &Heap, layout: LayoutId, a: Word, b: Word) -> Ordering {
    let mut work: SmallVec<[(LayoutId, Word, Word); 16]> = SmallVec::new();
    work.push((layout, a, b));
    while let Some((id, a, b)) = work.pop() {
        let order = match code.layout(id) {
            Layout::Int => (a as i64).cmp(&(b as i64)),
            Layout::Word | Layout::Char | Layout::Enum(_) => a.cmp(&b),
            Layout::Ref(_) | Layout::Array(_) | Layout::Stream => a.cmp(&b),
            Layout::Real => {
                let (x, y) = (f64::from_bits(a), f64::from_bits(b));
                x.partial_cmp(&y).unwrap_or_else(|| x.total_cmp(&y))
            }
            Layout::IntInf => prims::compare_large(heap, a, b),
            Layout::String => heap.strings_compare(a, b),
            Layout::List(element) => match (a, b) {
                (0, _) | (_, 0) => (a != 0).cmp(&(b != 0)),
                _ => {
                    work.push((id, heap.get(a, 1), heap.get(b, 1)));
                    work.push((*element, heap.get(a, 0), heap.get(b, 0)));
                    Ordering::Equal
                }
            },
            Layout::Record(fields) => {
                let parts = fields.iter().enumerate().rev();
                work.extend(parts.map(|(at, (_, of))| (*of, heap.get(a, at), heap.get(b, at))));
                Ordering::Equal
            }
            Layout::Wrapped(_, content) => {
                work.push((*content, a, b));
                Ordering::Equal
            }
            Layout::Data(constructors) => {
                let tags = [a, b].map(|word| tag_of(constructors, &heap.words, word));
                if let (true, Some(content)) = (tags[0] == tags[1], &constructors[tags[0]].content)
                {
                    let offset = content_offset(constructors);
                    let (of, a) = content_word(heap, *content, a, offset);
                    work.push((of, a, content_word(heap, *content, b, offset).1));
                }
                tags[0].cmp(&tags[1])
            }
            Layout::Vector(element) => {
                let lengths = [a, b].map(|word| heap.get(word, 0));
                if lengths[0] == lengths[1] {
                    let places = (1..=lengths[0] as usize).rev();
                    work.extend(places.map(|at| (*element, heap.get(a, at), heap.get(b, at))));
                }
                lengths[0].cmp(&lengths[1])
            }
            Layout::Function | Layout::Exn => Ordering::Equal,
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

impl Machine {
    /// The name of the constructor of a datatype value, and its argument: the fields of a record, or one
    /// value.
    pub fn constructor(&self, layout: LayoutId, word: Word) -> (&str, Vec<Word>) {
        match self.code.layout(layout) {
            Layout::Enum(names) => (&names[word as usize], Vec::new()),
            Layout::Wrapped(name, _) => (name, vec![word]),
            Layout::Data(constructors) => {
                let con = &constructors[tag_of(constructors, &self.heap.words, word)];
                let offset = content_offset(constructors) as usize;
                let width = con.content.map_or(0, |content| content.width as usize);
                let carried = offset..offset + width;
                (&con.name, carried.map(|at| self.heap.get(word, at)).collect())
            }
            _ => ("", Vec::new()),
        }
    }

    /// The exception that a word represents, and its text with its argument.
    pub(crate) fn show_exn(&self, word: Word) -> (ExnId, String) {
        show_exn(&self.code, &self.heap, word)
    }
}

/// The number of the exception that a word represents.
pub(crate) fn exn_number(code: &Code, heap: &Heap, word: Word) -> usize {
    let count = code.exceptions.len() as Word;
    if word < count { word as usize } else { heap.get(word, 0) as usize }
}

pub(crate) fn show_exn(code: &Code, heap: &Heap, word: Word) -> (ExnId, String) {
    let number = exn_number(code, heap, word);
    let exception = &code.exceptions[number];
    let mut shown = exception.name.to_string();
    if let Some(content) = exception.content {
        let (layout, word) = content_word(heap, content, word, 1);
        shown = format!("{shown} {}", show(code, heap, layout, word));
    }
    (ExnId(number as u32), shown)
}
