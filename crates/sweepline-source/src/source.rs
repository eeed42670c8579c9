//! Named texts, and positions in them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// A line and a column, both counted from 1; columns are characters. Printed as `5:3`, with `{:#}` as `line
/// 5, column 3`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => write!(f, "line {}, column {}", self.line, self.column),
            false => write!(f, "{}:{}", self.line, self.column),
        }
    }
}

/// One of several texts that are read together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceId(pub u32);

impl SourceId {
    /// Its index among them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in one of several texts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The start of the first text, for something that is not in a text.
    pub const START: Span = Span { source: SourceId(0), start: 0, end: 0 };

    /// The bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the start of this to the end of the other, which is in the same text.
    pub fn to(self, other: Span) -> Span {
        match self.source == other.source {
            true => Span { end: other.end.max(self.end), ..self },
            false => self,
        }
    }
}

/// A named text. Offsets and spans are bytes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The name in messages: a file as the user named it, or a part of a model. Empty for an argument.
    pub name: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

impl Source {
    /// A text that is already in memory.
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The line and column of an offset. An offset inside a character counts as its start.
    pub fn position(&self, offset: usize) -> Position {
        let before = &self.text[..self.floor(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        Position { line, column: before[line_start..].chars().count() + 1 }
    }

    /// The start of the character at an offset.
    pub fn floor(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        (0..=offset).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0)
    }

    /// Reads a span of a text whose first character is at this line and column of its file.
    pub(crate) fn read_from(
        &self,
        (line, column): (usize, usize),
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'_> + '_>, MietteError> {
        let inner = self.text.read_span(span, before, after)?;
        let column = if inner.line() == 0 { column } else { 0 } + inner.column();
        let (data, own, line) = (inner.data(), *inner.span(), inner.line() + line);
        let (name, n_lines) = (self.name.to_string(), inner.line_count());
        Ok(Box::new(match name.is_empty() {
            true => MietteSpanContents::new(data, own, line, column, n_lines),
            false => MietteSpanContents::new_named(name, data, own, line, column, n_lines),
        }))
    }

    /// The span with at least one character for the caret: at the end of the text, the last character.
    pub(crate) fn visible(&self, span: Range<usize>) -> Range<usize> {
        match self.text.char_indices().next_back() {
            Some((last, _)) if span.start >= self.text.len() => last..self.text.len(),
            _ => span,
        }
    }
}

impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        self.read_from((0, 0), span, before, after)
    }
}

/// Text from a file for a message: on one line, and shortened.
pub fn clip(text: &str) -> String {
    clip_at(text, 80)
}

/// Text on one line, of at most `most` characters.
pub fn clip_at(text: &str, most: usize) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let source = Source::new("x", "ab\n\u{e9}\u{e9}x\n");
        for (offset, line, column) in
            [(0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 2, 1), (7, 2, 3), (8, 2, 4), (99, 3, 1)]
        {
            assert_eq!(source.position(offset), Position { line, column }, "{offset}");
        }
        assert_eq!(source.position(7).to_string(), "2:3");
        assert_eq!(format!("{:#}", source.position(7)), "line 2, column 3");
    }
}
