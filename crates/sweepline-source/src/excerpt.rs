//! The lines around a position. The rest of the text is not kept.

use std::ops::Range;

use miette::{MietteError, SourceCode, SourceSpan, SpanContents};

use crate::Source;

/// The lines around a span, with their position in the file.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    lines: Source,
    /// Position of the first character of the lines in the file, counted from 0.
    pub(crate) first: (usize, usize),
    pub(crate) span: SourceSpan,
}

impl Excerpt {
    /// At most this many bytes on either side: a whole net may be on one line.
    const CONTEXT_BYTES: usize = 160;

    /// The lines of a span, and `context` lines before and after it.
    pub(crate) fn new(source: &Source, span: &Range<usize>, context: usize) -> Self {
        let (text, floor) = (&*source.text, |offset| source.floor(offset));
        let start = floor(span.start);
        let end = floor(span.end.clamp(start, start + Self::CONTEXT_BYTES)).max(start);
        let earliest = floor(start.saturating_sub(Self::CONTEXT_BYTES));
        let latest = floor(end + Self::CONTEXT_BYTES).max(end);
        let starts = text[earliest..start].rmatch_indices('\n').map(|(at, _)| earliest + at + 1);
        let from = starts.take(context + 1).last().unwrap_or(earliest);
        let ends = text[end..latest].match_indices('\n').map(|(at, _)| end + at);
        let to = ends.take(context + 1).last().unwrap_or(latest);
        let to = end + text[end..to].trim_end_matches('\r').len();
        let first = source.position(from);
        Self {
            lines: Source { name: source.name.clone(), text: text[from..to].into() },
            first: (first.line - 1, first.column - 1),
            span: (start - from, end - start).into(),
        }
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        self.lines.read_from(self.first, span, before, after)
    }
}
