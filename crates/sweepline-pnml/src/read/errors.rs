//! The errors of one file: each with its place and a few lines of the source around it.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode, SourceSpan,
    SpanContents,
};

use super::problem::Problem;
use super::source::{Position, position_of};

/// So many errors of a file are explained; the rest is counted.
const MAX_ERRORS: usize = 20;

/// All that is wrong with one input file.
#[derive(Clone, Debug)]
pub struct ReadErrors {
    /// The file, as the user named it.
    pub file: String,
    /// The first errors in the order of the file, never empty, at most 20.
    pub errors: Vec<ReadError>,
    /// How many more there are.
    pub n_more: usize,
}

impl std::error::Error for ReadErrors {}

impl fmt::Display for ReadErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read `{}`", self.file)?;
        match (self.errors.as_slice(), self.n_more) {
            ([only], 0) => write!(f, ": {only}"),
            (all, 0) => write!(f, ": {} errors", all.len()),
            (shown, more) => write!(
                f,
                ": {} errors, the first {} are shown and {more} more are not",
                shown.len() + more,
                shown.len()
            ),
        }
    }
}

impl ReadErrors {
    /// The error, if it is the only one: then it is shown in full and not as part of a list.
    fn only(&self) -> Option<&ReadError> {
        match (self.errors.as_slice(), self.n_more) {
            ([only], 0) => Some(only),
            _ => None,
        }
    }
}

impl Diagnostic for ReadErrors {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.only()?.code()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.only()?.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.only()?.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.only()?.labels()
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        match self.only() {
            Some(only) => only.related(),
            None => Some(Box::new(self.errors.iter().map(|error| error as &dyn Diagnostic))),
        }
    }
}

/// One error of a file.
#[derive(Clone, Debug)]
pub struct ReadError {
    /// What is wrong.
    pub problem: Problem,
    /// Where, unless the file as a whole is the matter.
    pub position: Option<Position>,
    excerpt: Option<Excerpt>,
    companions: Vec<ReadError>,
}

impl std::error::Error for ReadError {}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => write!(f, "{position}: {}", self.problem),
            None => self.problem.fmt(f),
        }
    }
}

impl Diagnostic for ReadError {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.code()
    }

    fn severity(&self) -> Option<Severity> {
        self.problem.severity()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        let label = Some(self.problem.label().to_owned());
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(label, excerpt.span))))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let companions = self.companions.iter().map(|error| error as &dyn Diagnostic);
        (!self.companions.is_empty()).then(|| Box::new(companions) as Box<dyn Iterator<Item = _>>)
    }
}

/// The few lines around a span, which know where in the file they stand.
#[derive(Clone, Debug)]
struct Excerpt {
    file: String,
    text: String,
    /// Position of the first character of `text` in the file, counted from 0.
    first_line: usize,
    first_column: usize,
    span: SourceSpan,
}

impl Excerpt {
    /// Lines shown before and after.
    const CONTEXT_LINES: usize = 2;
    /// No more than this on either side: a whole net may stand in one line.
    const CONTEXT_BYTES: usize = 160;

    fn new(file: &str, text: &str, span: &Range<usize>) -> Self {
        let floor =
            |offset: usize| (0..=offset.min(text.len())).rev().find(|&o| text.is_char_boundary(o));
        let start = floor(span.start).unwrap_or(0);
        let end =
            floor(span.end.clamp(start, start + Self::CONTEXT_BYTES)).unwrap_or(start).max(start);
        let earliest = floor(start.saturating_sub(Self::CONTEXT_BYTES)).unwrap_or(0);
        let latest = floor(end + Self::CONTEXT_BYTES).unwrap_or(text.len());
        let line_starts =
            text[earliest..start].rmatch_indices('\n').map(|(at, _)| earliest + at + 1);
        let from = line_starts.take(Self::CONTEXT_LINES + 1).last().unwrap_or(earliest);
        let line_ends = text[end..latest].match_indices('\n').map(|(at, _)| end + at);
        let to = line_ends.take(Self::CONTEXT_LINES + 1).last().unwrap_or(latest);
        let first = position_of(text, from);
        Self {
            file: file.to_owned(),
            text: text[from..to].to_owned(),
            first_line: first.line - 1,
            first_column: first.column - 1,
            span: (start - from, end - start).into(),
        }
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, context_lines_before, context_lines_after)?;
        let column = match inner.line() {
            0 => inner.column() + self.first_column,
            _ => inner.column(),
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.file.clone(),
            inner.data(),
            *inner.span(),
            inner.line() + self.first_line,
            column,
            inner.line_count(),
        )))
    }
}

/// Collects the errors of one file while it is read.
pub(crate) struct Collector<'s> {
    file: &'s str,
    text: &'s str,
    errors: Vec<(Range<usize>, ReadError)>,
    n_more: usize,
}

impl<'s> Collector<'s> {
    pub(crate) fn new(file: &'s str, text: &'s str) -> Self {
        Self { file, text, errors: Vec::new(), n_more: 0 }
    }

    /// Notes an error; `problem` is only called if the error will be shown.
    pub(crate) fn report(&mut self, span: Range<usize>, problem: impl FnOnce() -> Problem) {
        if !self.is_full() {
            let error = self.error(&span, problem());
            self.errors.push((span, error));
        }
    }

    /// Notes an error and another place that belongs to it; `problems` gets the latter's position.
    pub(crate) fn report_pair(
        &mut self,
        span: Range<usize>,
        other: Range<usize>,
        problems: impl FnOnce(Position) -> (Problem, Problem),
    ) {
        if self.is_full() {
            return;
        }
        let (problem, companion) = problems(self.position(&other));
        let mut error = self.error(&span, problem);
        error.companions = vec![self.error(&other, companion)];
        self.errors.push((span, error));
    }

    /// Counts an error that will not be shown.
    fn is_full(&mut self) -> bool {
        // Not `n_more += usize::from(len == MAX_ERRORS)`: rustc 1.95 loses that sum at opt-level 2
        // and above, which the test of the cap shows when it runs in release mode.
        if self.errors.len() >= MAX_ERRORS {
            self.n_more += 1;
            return true;
        }
        false
    }

    fn error(&self, span: &Range<usize>, problem: Problem) -> ReadError {
        ReadError {
            problem,
            position: Some(position_of(self.text, span.start)),
            excerpt: Some(Excerpt::new(self.file, self.text, span)),
            companions: Vec::new(),
        }
    }

    pub(crate) fn position(&self, span: &Range<usize>) -> Position {
        position_of(self.text, span.start)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// `value`, unless something is wrong.
    pub(crate) fn finish<T>(mut self, value: Option<T>) -> Result<T, ReadErrors> {
        match value {
            Some(value) if self.errors.is_empty() => Ok(value),
            _ => {
                self.errors.sort_by_key(|(span, _)| span.start);
                let errors = self.errors.into_iter().map(|(_, error)| error).collect();
                Err(ReadErrors { file: self.file.to_owned(), errors, n_more: self.n_more })
            }
        }
    }
}

impl ReadErrors {
    /// One error about the file as a whole.
    pub(crate) fn whole_file(file: String, problem: Problem) -> Self {
        let error = ReadError { problem, position: None, excerpt: None, companions: Vec::new() };
        Self { file, errors: vec![error], n_more: 0 }
    }

    /// One error at one place.
    pub(crate) fn at(file: &str, text: &str, offset: usize, problem: Problem) -> Self {
        let mut collector = Collector::new(file, text);
        collector.report(offset..offset, || problem);
        match collector.finish::<()>(None) {
            Err(errors) => errors,
            Ok(()) => unreachable!("an error was reported"),
        }
    }
}
