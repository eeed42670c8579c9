//! The errors of one file, collected while it is read.

use std::ops::Range;

use sweepline_source::{Diagnostics, Finding, Findings, MAX_ERRORS, Position, Source, xml};

use super::problem::Problem;

/// All errors of one input file.
pub type ReadErrors = Diagnostics<Problem>;

/// An error after which the rest of the file cannot be read.
pub(crate) struct Fatal {
    pub(crate) span: Range<usize>,
    pub(crate) problem: Problem,
}

impl From<xml::Fatal> for Fatal {
    fn from(xml::Fatal { span, fault }: xml::Fatal) -> Self {
        Self { span, problem: fault.into() }
    }
}

/// Collects the errors of one file while it is read.
pub(crate) struct Collector<'s> {
    source: &'s Source,
    findings: Findings<Problem>,
}

impl<'s> Collector<'s> {
    pub(crate) fn new(source: &'s Source) -> Self {
        // In a large file, finding the position of an error takes time, so no more errors are kept than are
        // printed.
        Self { source, findings: Findings::keeping(MAX_ERRORS) }
    }

    /// Records an error; `problem` is only called if the error will be printed.
    pub(crate) fn report(&mut self, span: Range<usize>, problem: impl FnOnce() -> Problem) {
        self.findings.note(self.source, span, problem);
    }

    /// Records an error and a second position that belongs to it; `problems` gets the latter's position.
    pub(crate) fn report_pair(
        &mut self,
        span: Range<usize>,
        other: Range<usize>,
        problems: impl FnOnce(Position) -> (Problem, Problem),
    ) {
        if !self.findings.count_unless_shown() {
            let (problem, companion) = problems(self.position(&other));
            let companion = Finding::new(self.source, other, "", companion);
            let finding = Finding::new(self.source, span, "", problem);
            self.findings.report(finding.with_companion(companion));
        }
    }

    pub(crate) fn position(&self, span: &Range<usize>) -> Position {
        self.source.position(span.start)
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.findings.has_errors()
    }

    /// `value`, unless there are errors.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, ReadErrors> {
        let file = self.source.name.to_string();
        self.findings.finish(&file)?;
        value.ok_or(Diagnostics { file, errors: Vec::new(), n_more: 0 })
    }
}
