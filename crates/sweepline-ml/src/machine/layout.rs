//! How the values of a type lie in words: what the machine knows of types.

use crate::types::{Label, Symbol};

/// A value, or the address of one: what it means only its type says.
pub type Word = u64;

/// A layout of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct LayoutId(pub(crate) u32);

/// How the values of one type lie in words.
///
/// What fits in a word is that word. Everything else is an address in the heap.
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
    /// `string`: its length in bytes, then the bytes, eight in a word.
    String,
    /// A datatype whose constructors are all constant: the tag.
    Enum(Box<[Symbol]>),
    /// A record: its fields one after another, in canonical order. The word of `unit` is anything.
    Record(Box<[(Label, LayoutId)]>),
    /// A list: `nil` is 0, else head and tail.
    List(LayoutId),
    /// A datatype with one constructor, which carries something: what it carries.
    Wrapped(Symbol, LayoutId),
    /// Another datatype: constant constructors are their tags; one that carries something is its
    /// content, after the tag where several constructors carry something. The fields of a record are
    /// the content themselves.
    Data(Box<[ConLayout]>),
    /// A reference: one word.
    Ref(LayoutId),
    /// An array: its length, then its elements.
    Array(LayoutId),
    /// A vector: likewise, and never changed.
    Vector(LayoutId),
    /// A function: its code, then what it captures.
    Function,
    /// An exception: its number, or its number and its content.
    Exn,
    /// A stream of `TextIO`: its number.
    Stream,
}

/// A constructor of a [`Layout::Data`].
#[derive(Clone, PartialEq, Debug)]
pub struct ConLayout {
    /// Its name.
    pub name: Symbol,
    /// What it carries.
    pub content: Option<Content>,
}

/// What a constructor or an exception carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Content {
    /// Its layout.
    pub layout: LayoutId,
    /// The words it takes: the fields of a record, else one.
    pub width: u32,
    /// Whether it is a record, whose fields lie in place.
    pub is_record: bool,
}

/// Where the content of a constructor starts: behind the tag, if there must be one.
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
    /// Whether equal words are equal values and different words different ones.
    pub(crate) fn is_scalar(&self) -> bool {
        use Layout::{Array, Char, Enum, Int, Ref, Stream, Word};
        matches!(self, Int | Word | Char | Enum(_) | Ref(_) | Array(_) | Stream)
    }
}
