//! Texts, and places in them.

use std::fmt;
use std::sync::Arc;

/// A line and a column, both counted from 1, columns in characters.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A range of bytes of one of the texts that make a script.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Span {
    pub(crate) file: u16,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// From the start of this to the end of `other`.
    pub(crate) fn to(self, other: Span) -> Span {
        match self.file == other.file {
            true => Span { end: other.end.max(self.end), ..self },
            false => self,
        }
    }
}

/// A named text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Source {
    /// The file, as the user named it.
    pub(crate) name: Arc<str>,
    pub(crate) text: Arc<str>,
}

impl Source {
    /// The line that an offset is in: its number from 1, where it starts, and its text.
    pub(crate) fn line(&self, offset: usize) -> (usize, usize, &str) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let start = self.text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |at| offset + at);
        let number = self.text[..start].bytes().filter(|&byte| byte == b'\n').count() + 1;
        (number, start, &self.text[start..end])
    }
}
