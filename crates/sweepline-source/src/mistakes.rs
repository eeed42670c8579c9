//! The problems of a short text, printed together under it.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, SourceCode};

use crate::{Position, Source, Span};

/// One problem, its range, and the text.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake<P> {
    /// What is wrong.
    pub problem: P,
    /// Where.
    pub span: Span,
    /// The text.
    pub source: Source,
}

impl<P> Mistake<P> {
    /// The line and column of its start.
    pub fn position(&self) -> Position {
        self.source.position(self.span.range().start)
    }
}

impl<P: fmt::Display> fmt::Display for Mistake<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Source { name, text } = &self.source;
        if name.is_empty() {
            let before = &text[..self.source.floor(self.span.range().start)];
            return write!(f, "column {}: {}", before.chars().count() + 1, self.problem);
        }
        write!(f, "{name}:{}: {}", self.position(), self.problem)
    }
}

/// Why a short text is rejected: all its problems, from left to right, never empty.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistakes<P> {
    /// What is wrong.
    pub errors: Vec<Mistake<P>>,
}

impl<P> From<Mistake<P>> for Mistakes<P> {
    fn from(mistake: Mistake<P>) -> Self {
        Self { errors: vec![mistake] }
    }
}

impl<P: Diagnostic> std::error::Error for Mistakes<P> {}

impl<P: fmt::Display> fmt::Display for Mistakes<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.errors.first() else { return f.write_str("no error") };
        write!(f, "{first}")?;
        match self.errors.len() - 1 {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}

impl<P: Diagnostic> Diagnostic for Mistakes<P> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.errors.first()?.problem.code()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.errors.first()?.problem.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.errors.first()?.source)
    }

    /// The message is printed at each caret. For an argument with one problem it is already printed above the
    /// text.
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let Mistake { source, span: Span { source: id, .. }, .. } = self.errors.first()?;
        let alone = source.name.is_empty() && self.errors.len() == 1;
        let of_first = self.errors.iter().filter(move |error| error.span.source == *id);
        Some(Box::new(of_first.map(move |error| {
            let at_end = error.span.range().start >= source.text.len();
            let label = match (alone, at_end) {
                (false, _) => error.problem.to_string(),
                (true, true) => "after this".to_owned(),
                (true, false) => "here".to_owned(),
            };
            LabeledSpan::new_with_span(Some(label), source.visible(error.span.range()))
        })))
    }
}
