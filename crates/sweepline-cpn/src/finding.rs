//! What is found wrong with a file: each with its place and a few lines of the source around it.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode, SourceSpan,
    SpanContents,
};

use crate::problem::Problem;
use crate::source::{Origin, Position};

/// So many errors of a file are explained; the rest is counted.
const MAX_ERRORS: usize = 20;

/// All that is wrong with one model.
#[derive(Clone, Debug)]
pub struct LoadErrors {
    /// The file, as the user named it.
    pub file: String,
    /// The first errors in the order of the file, never empty, at most 20.
    pub errors: Vec<Finding>,
    /// How many more there are.
    pub n_more: usize,
}

impl std::error::Error for LoadErrors {}

impl fmt::Display for LoadErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot load `{}`", self.file)?;
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

impl LoadErrors {
    /// One error about the file as a whole.
    pub(crate) fn whole_file(file: &str, problem: Problem) -> Self {
        let finding = Finding::nowhere(String::new(), problem);
        Self { file: file.to_owned(), errors: vec![finding], n_more: 0 }
    }

    /// The errors of both, of one file.
    pub fn join(mut self, other: Self) -> Self {
        self.errors.extend(other.errors);
        self.n_more += other.n_more + self.errors.len().saturating_sub(MAX_ERRORS);
        self.errors.truncate(MAX_ERRORS);
        self
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

/// One error or warning.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub problem: Problem,
    /// In which part of the model, in words: ``place `A` on page `Top` ``. Empty for the file itself.
    pub subject: String,
    /// In which file and where in it, unless the model as a whole is the matter.
    pub place: Option<(String, Position)>,
    /// Whether it keeps the model from being used.
    pub severity: Severity,
    offset: usize,
    excerpt: Option<Excerpt>,
}

impl std::error::Error for Finding {}

impl Finding {
    /// About a range of a text.
    pub(crate) fn new(
        origin: &Origin,
        span: Range<usize>,
        subject: impl Into<String>,
        problem: Problem,
    ) -> Self {
        Self {
            severity: problem.severity().unwrap_or(Severity::Error),
            subject: subject.into(),
            place: Some((origin.name.to_string(), origin.position(span.start))),
            offset: span.start,
            excerpt: Some(Excerpt::new(origin, &span)),
            problem,
        }
    }

    /// About no text in particular.
    pub(crate) fn nowhere(subject: impl Into<String>, problem: Problem) -> Self {
        let severity = problem.severity().unwrap_or(Severity::Error);
        let subject = subject.into();
        Self { problem, subject, place: None, severity, offset: 0, excerpt: None }
    }

    /// The same as something that may be ignored.
    pub(crate) fn into_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, position)) = &self.place {
            write!(f, "{file}:{position}: ")?;
        }
        if !self.subject.is_empty() {
            write!(f, "{}: ", self.subject)?;
        }
        self.problem.fmt(f)
    }
}

impl Diagnostic for Finding {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.code()
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        let label = Some(self.subject.clone()).filter(|subject| !subject.is_empty());
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(label, excerpt.span))))
    }
}

/// The few lines around a span, which know where in the file they stand.
#[derive(Clone, Debug)]
struct Excerpt {
    file: String,
    text: String,
    /// Position of the first character of `text` in the file, counted from 0.
    first: (usize, usize),
    span: SourceSpan,
}

impl Excerpt {
    /// Lines shown before and after.
    const CONTEXT_LINES: usize = 1;
    /// No more than this on either side: a whole net may stand in one line.
    const CONTEXT_BYTES: usize = 160;

    fn new(origin: &Origin, span: &Range<usize>) -> Self {
        let text = &*origin.text;
        let start = origin.floor(span.start);
        let end = origin.floor(span.end.clamp(start, start + Self::CONTEXT_BYTES)).max(start);
        let earliest = origin.floor(start.saturating_sub(Self::CONTEXT_BYTES));
        let latest = origin.floor(end + Self::CONTEXT_BYTES).max(end);
        let starts = text[earliest..start].rmatch_indices('\n').map(|(at, _)| earliest + at + 1);
        let from = starts.take(Self::CONTEXT_LINES + 1).last().unwrap_or(earliest);
        let ends = text[end..latest].match_indices('\n').map(|(at, _)| end + at);
        let to = ends.take(Self::CONTEXT_LINES + 1).last().unwrap_or(latest);
        let first = origin.position(from);
        Self {
            file: origin.name.to_string(),
            text: text[from..to].to_owned(),
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
        let inner = self.text.read_span(span, before, after)?;
        let column = match inner.line() {
            0 => inner.column() + self.first.1,
            _ => inner.column(),
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.file.clone(),
            inner.data(),
            *inner.span(),
            inner.line() + self.first.0,
            column,
            inner.line_count(),
        )))
    }
}

/// Collects what is found while a model is loaded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    n_more: usize,
}

impl Findings {
    /// Notes an error or a warning, as its severity says.
    pub(crate) fn report(&mut self, finding: Finding) {
        if finding.severity != Severity::Error {
            self.warnings.push(finding);
        } else if self.errors.len() < 10 * MAX_ERRORS {
            self.errors.push(finding);
        } else {
            self.n_more += 1;
        }
    }

    /// Notes an error or a warning somewhere in a text.
    pub(crate) fn at(
        &mut self,
        origin: &Origin,
        span: Range<usize>,
        subject: impl Into<String>,
        problem: Problem,
    ) {
        self.report(Finding::new(origin, span, subject, problem));
    }

    /// Notes an error that nobody will read: finding its place in a long file takes time.
    pub(crate) fn count_unless_shown(&mut self) -> bool {
        let is_full = self.errors.len() >= 10 * MAX_ERRORS;
        self.n_more += usize::from(is_full);
        is_full
    }

    /// What is wrong, each with its offset: to be told of another text.
    pub(crate) fn into_problems(self) -> impl Iterator<Item = (usize, Problem)> {
        self.errors.into_iter().map(|finding| (finding.offset, finding.problem))
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The warnings, or all errors in the order of the file.
    pub(crate) fn finish(mut self, file: &str) -> Result<Vec<Finding>, LoadErrors> {
        if self.errors.is_empty() {
            self.warnings.sort_by_key(|finding| finding.offset);
            return Ok(self.warnings);
        }
        self.errors.sort_by_key(|finding| finding.offset);
        let n_more = self.n_more + self.errors.len().saturating_sub(MAX_ERRORS);
        self.errors.truncate(MAX_ERRORS);
        Err(LoadErrors { file: file.to_owned(), errors: self.errors, n_more })
    }
}
