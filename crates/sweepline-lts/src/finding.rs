//! What is wrong with a file: each with its place and the line it stands in.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};

use crate::problem::Problem;
use crate::source::{Position, Source, Span};

/// So many errors of a file are explained; the rest is counted.
pub(crate) const MAX_ERRORS: usize = 20;

/// All that is wrong with one input file.
#[derive(Clone, Debug)]
pub struct LoadErrors {
    /// The file, as the user named it.
    pub file: String,
    /// The first errors, never empty, at most 20.
    pub errors: Vec<Finding>,
    /// How many more there are.
    pub n_more: usize,
}

impl std::error::Error for LoadErrors {}

impl fmt::Display for LoadErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot load `{}`: ", self.file)?;
        match (self.errors.as_slice(), self.n_more) {
            ([only], 0) => write!(f, "{only}"),
            (all, 0) => write!(f, "{} errors", all.len()),
            (shown, more) => write!(
                f,
                "{} errors, the first {} are shown and {more} more are not",
                shown.len() + more,
                shown.len()
            ),
        }
    }
}

impl LoadErrors {
    pub(crate) fn one(file: &str, finding: Finding) -> Self {
        LoadErrors { file: file.to_owned(), errors: vec![finding], n_more: 0 }
    }

    /// One error about the file as a whole.
    pub(crate) fn whole_file(file: &str, problem: Problem) -> Self {
        Self::one(file, Finding { problem, place: None, excerpt: None })
    }

    /// The error, if it is the only one: then it is shown in full and not as part of a list.
    fn only(&self) -> Option<&Finding> {
        match (self.errors.as_slice(), self.n_more) {
            ([only], 0) => Some(only),
            _ => None,
        }
    }
}

impl Diagnostic for LoadErrors {
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
            Some(_) => None,
            None => Some(Box::new(self.errors.iter().map(|error| error as &dyn Diagnostic))),
        }
    }
}

/// One error of a file.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub problem: Problem,
    /// In which file and where in it, unless the file as a whole is the matter.
    pub place: Option<(String, Position)>,
    excerpt: Option<Excerpt>,
}

impl std::error::Error for Finding {}

impl Finding {
    /// About a range of bytes in a line.
    pub(crate) fn in_line(
        file: &str,
        number: usize,
        line: &str,
        span: Range<usize>,
        problem: Problem,
    ) -> Self {
        let line = line.trim_end_matches(['\r', '\n']);
        let floor = |mut offset: usize| {
            offset = offset.min(line.len());
            while !line.is_char_boundary(offset) {
                offset -= 1;
            }
            offset
        };
        let start = floor(span.start);
        let end = floor(span.end.max(start));
        let position = Position { line: number, column: line[..start].chars().count() + 1 };
        // A file of one long line is not shown in full.
        let from = floor(start.saturating_sub(Excerpt::MOST_BYTES));
        let to = floor(end.min(start + Excerpt::MOST_BYTES) + Excerpt::MOST_BYTES);
        let excerpt = Excerpt {
            file: file.to_owned(),
            text: line[from..to].to_owned(),
            first: (number - 1, line[..from].chars().count()),
            span: (start - from, end.min(to) - start).into(),
        };
        Finding { problem, place: Some((file.to_owned(), position)), excerpt: Some(excerpt) }
    }

    /// About a range of a text.
    pub(crate) fn new(source: &Source, span: Span, problem: Problem) -> Self {
        let (number, start, line) = source.line(span.start as usize);
        let own =
            (span.start as usize).saturating_sub(start)..(span.end as usize).saturating_sub(start);
        Self::in_line(&source.name, number, line, own, problem)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, position)) = &self.place {
            write!(f, "{file}:{position}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl Diagnostic for Finding {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.code()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, excerpt.span))))
    }
}

/// The line around a span, which knows where in the file it stands.
#[derive(Clone, Debug)]
struct Excerpt {
    file: String,
    text: String,
    /// Position of the first character of `text` in the file, counted from 0.
    first: (usize, usize),
    span: SourceSpan,
}

impl Excerpt {
    /// No more than this on either side.
    const MOST_BYTES: usize = 160;
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, before, after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.file.clone(),
            inner.data(),
            *inner.span(),
            inner.line() + self.first.0,
            inner.column() + self.first.1,
            inner.line_count(),
        )))
    }
}
