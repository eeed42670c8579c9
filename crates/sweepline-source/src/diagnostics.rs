//! All errors of one file: each with its position and the lines around it.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};

use crate::excerpt::Excerpt;
use crate::{Position, Source};

/// At most this many errors of a file are printed; the others are counted.
pub const MAX_ERRORS: usize = 20;

/// A problem of some language, without a position: its message is its `Display`; its code, help and severity
/// are those of a [`Diagnostic`].
pub trait Problem: Diagnostic + Clone + 'static {
    /// The verb of the first line, as in "cannot load `model.cpn`".
    const CANNOT: &'static str = "load";
    /// Whether a model may consist of several files, so that positions name their file.
    const SEVERAL_FILES: bool = true;
    /// Lines printed before and after the position.
    const CONTEXT_LINES: usize = 1;

    /// The label at the caret, unless the part of the model is printed there.
    fn label(&self) -> Option<&'static str> {
        None
    }
}

/// All errors of one model.
#[derive(Clone, Debug)]
pub struct Diagnostics<P> {
    /// The file, as the user named it.
    pub file: String,
    /// The first errors in the order of the file, never empty, at most [`MAX_ERRORS`].
    pub errors: Vec<Finding<P>>,
    /// The number of further errors.
    pub n_more: usize,
}

impl<P: Problem> Diagnostics<P> {
    /// One error.
    pub fn one(file: &str, finding: Finding<P>) -> Self {
        Self { file: file.to_owned(), errors: vec![finding], n_more: 0 }
    }

    /// One error about the file as a whole.
    pub fn whole_file(file: &str, problem: P) -> Self {
        Self::one(file, Finding::nowhere("", problem))
    }

    /// The errors of both, for one file.
    pub fn join(mut self, other: Self) -> Self {
        self.errors.extend(other.errors);
        self.n_more += other.n_more + self.errors.len().saturating_sub(MAX_ERRORS);
        self.errors.truncate(MAX_ERRORS);
        self
    }

    /// The message of the first error, without its position.
    pub fn reason(&self) -> String {
        self.errors.first().map(|finding| finding.problem.to_string()).unwrap_or_default()
    }

    /// The error, if it is the only one: then it is printed alone and not as part of a list.
    fn only(&self) -> Option<&Finding<P>> {
        match (self.errors.as_slice(), self.n_more) {
            ([only], 0) => Some(only),
            _ => None,
        }
    }
}

impl<P: Problem> std::error::Error for Diagnostics<P> {}

impl<P: Problem> fmt::Display for Diagnostics<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}`: ", P::CANNOT, self.file)?;
        match (self.errors.as_slice(), self.n_more) {
            ([only], 0) => write!(f, "{only}"),
            (all, 0) => write!(f, "{} errors", all.len()),
            (shown, more) => write!(
                f,
                "{} errors, of which the first {} are shown",
                shown.len() + more,
                shown.len()
            ),
        }
    }
}

impl<P: Problem> Diagnostic for Diagnostics<P> {
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

/// One error or warning.
#[derive(Clone, Debug)]
pub struct Finding<P> {
    /// What is wrong.
    pub problem: P,
    /// The part of the model: ``place `A` on page `Top` ``. Empty for the file itself.
    pub subject: String,
    /// The file and the position, unless the problem is about the model as a whole.
    pub place: Option<(String, Position)>,
    /// Whether it is an error or a warning.
    pub severity: Severity,
    pub(crate) offset: usize,
    excerpt: Option<Excerpt>,
    companions: Vec<Self>,
}

impl<P: Problem> Finding<P> {
    /// A finding about a range of a text.
    pub fn new(
        source: &Source,
        span: Range<usize>,
        subject: impl Into<String>,
        problem: P,
    ) -> Self {
        Self {
            place: Some((source.name.to_string(), source.position(span.start))),
            offset: span.start,
            excerpt: Some(Excerpt::new(source, &span, P::CONTEXT_LINES)),
            ..Self::nowhere(subject, problem)
        }
    }

    /// A finding without a position.
    pub fn nowhere(subject: impl Into<String>, problem: P) -> Self {
        let severity = problem.severity().unwrap_or(Severity::Error);
        let (subject, companions) = (subject.into(), Vec::new());
        Self { problem, subject, place: None, severity, offset: 0, excerpt: None, companions }
    }

    /// The same, for a text that starts this many lines below the start of the file.
    pub fn below(mut self, n_lines: usize) -> Self {
        if let (Some((_, position)), Some(excerpt)) = (&mut self.place, &mut self.excerpt) {
            position.line += n_lines;
            excerpt.first.0 += n_lines;
        }
        self
    }

    /// The same with a second position that belongs to it.
    pub fn with_companion(mut self, companion: Self) -> Self {
        self.companions.push(companion);
        self
    }

    /// The same as a warning.
    pub fn into_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

impl<P: Problem> std::error::Error for Finding<P> {}

impl<P: Problem> fmt::Display for Finding<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((file, position)) if P::SEVERAL_FILES => write!(f, "{file}:{position}: ")?,
            Some((_, position)) => write!(f, "{position:#}: ")?,
            None => {}
        }
        if !self.subject.is_empty() {
            write!(f, "{}: ", self.subject)?;
        }
        fmt::Display::fmt(&self.problem, f)
    }
}

impl<P: Problem> Diagnostic for Finding<P> {
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
        let subject = Some(&*self.subject).filter(|subject| !subject.is_empty());
        let label = self.problem.label().or(subject).map(str::to_owned);
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(label, excerpt.span))))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let companions = self.companions.iter().map(|error| error as &dyn Diagnostic);
        (!self.companions.is_empty()).then(|| Box::new(companions) as Box<dyn Iterator<Item = _>>)
    }
}
