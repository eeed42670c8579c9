//! Layouts: how the values of each type are represented in words.

use crate::types::{Label, Symbol};

/// A value, or the heap address of one, depending on its type.
pub type Word = u64;

/// The index of a layout in a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct LayoutId(pub(crate) u32);

/// How the values of one type are represented in words.
///
/// A value that fits in a word is that word. All other values are addresses in the heap.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Layout {
    /// `int`: the number.
    Int,
    /// `word`: the number.
    Word,
    /// `char`: its code.
    Char,
    /// `real`: the bits of a double.
    Real,
    /// `IntInf.int`: an odd word is a number of 63 bits, an even one the doubled address of a large
    /// number.
    IntInf,
    /// `string`: its length in bytes, then the bytes, eight per word.
    String,
    /// A datatype whose constructors are all constant: the tag.
    Enum(Box<[Symbol]>),
    /// A record: its fields in canonical order. The word of `unit` has no meaning.
    Record(Box<[(Label, LayoutId)]>),
    /// A list: `nil` is 0, else head and tail.
    List(LayoutId),
    /// A datatype with a single constructor that has an argument: represented by the argument.
    Wrapped(Symbol, LayoutId),
    /// Any other datatype. A constant constructor is its tag. A constructor with an argument is a block with
    /// the argument, after the tag if several constructors have arguments. The fields of a record argument are
    /// stored directly in the block.
    Data(Box<[ConLayout]>),
    /// A reference: one word.
    Ref(LayoutId),
    /// An array: its length, then its elements.
    Array(LayoutId),
    /// A vector: like an array, and immutable.
    Vector(LayoutId),
    /// A function: its code, then its captured variables.
    Function,
    /// An exception: its number, or a block with its number and argument.
    Exn,
    /// A stream of `TextIO`: its number.
    Stream,
}

/// A constructor of a [`Layout::Data`].
#[derive(Clone, PartialEq, Debug)]
pub struct ConLayout {
    /// Its name.
    pub name: Symbol,
    /// Its argument.
    pub content: Option<Content>,
}

/// The argument of a constructor or an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Content {
    /// Its layout.
    pub layout: LayoutId,
    /// Its number of words: one per field of a record, else one.
    pub width: u32,
    /// Whether it is a record, whose fields are stored directly in the block.
    pub is_record: bool,
}

/// The offset of the argument of a constructor: after the tag, if the block has one.
pub(crate) fn content_offset(constructors: &[ConLayout]) -> u32 {
    let mut carrying = constructors.iter().filter(|con| con.content.is_some());
    if carrying.nth(1).is_some() { 1 } else { 0 }
}

/// The tag of a value of a [`Layout::Data`].
pub(crate) fn tag_of(constructors: &[ConLayout], heap: &[Word], word: Word) -> usize {
    if word < constructors.len() as Word {
        return word as usize;
    }
    match content_offset(constructors) {
        0 => constructors.iter().position(|con| con.content.is_some()).unwrap_or(0),
        _ => heap[word as usize] as usize,
    }
}

impl Layout {
    /// Whether two values are equal if and only if their words are.
    pub(crate) fn is_scalar(&self) -> bool {
        use Layout::{Array, Char, Enum, Int, Ref, Stream, Word};
        matches!(self, Int | Word | Char | Enum(_) | Ref(_) | Array(_) | Stream)
    }
}
