//! Collects problems while a file is read.

use std::ops::Range;

use miette::Severity;

use crate::diagnostics::MAX_ERRORS;
use crate::{Diagnostics, Finding, Problem, Source};

/// The errors and warnings of one file.
#[derive(Clone, Debug)]
pub struct Findings<P> {
    errors: Vec<Finding<P>>,
    warnings: Vec<Finding<P>>,
    most: usize,
    n_more: usize,
}

impl<P> Default for Findings<P> {
    /// Keeps more errors than are printed, because they need not be found in the order of the file.
    fn default() -> Self {
        Self::keeping(10 * MAX_ERRORS)
    }
}

impl<P> Findings<P> {
    /// Keeps at most `most` errors, of which the first in the file are printed, and counts the others.
    pub fn keeping(most: usize) -> Self {
        Self { errors: Vec::new(), warnings: Vec::new(), most, n_more: 0 }
    }
}

impl<P: Problem> Findings<P> {
    /// Records an error or a warning, by its severity.
    pub fn report(&mut self, finding: Finding<P>) {
        if finding.severity != Severity::Error {
            self.warnings.push(finding);
        } else if !self.count_unless_shown() {
            self.errors.push(finding);
        }
    }

    /// Records an error or a warning at a range of a text.
    pub fn at(
        &mut self,
        source: &Source,
        span: Range<usize>,
        subject: impl Into<String>,
        problem: P,
    ) {
        let is_error = problem.severity().unwrap_or(Severity::Error) == Severity::Error;
        if !is_error || !self.count_unless_shown() {
            self.report(Finding::new(source, span, subject, problem));
        }
    }

    /// Records an error at a range of a text; `problem` is only called if the error will be printed.
    pub fn note(&mut self, source: &Source, span: Range<usize>, problem: impl FnOnce() -> P) {
        if !self.count_unless_shown() {
            self.at(source, span, "", problem());
        }
    }

    /// Whether an error would not be printed because there are too many; then it is only counted. That saves
    /// finding its position, which takes time in a long file.
    pub fn count_unless_shown(&mut self) -> bool {
        // Not `n_more += usize::from(is_full)`: rustc 1.95 loses that sum at opt-level 2 and above, which the tests
        // of the cap show when they run in release mode.
        if self.errors.len() >= self.most {
            self.n_more += 1;
            return true;
        }
        false
    }

    /// Counts errors that were found but not kept.
    pub fn count_more(&mut self, n_errors: usize) {
        self.n_more += n_errors;
    }

    /// The problems with their offsets, to be reported for another text.
    pub fn into_problems(self) -> impl Iterator<Item = (usize, P)> {
        self.errors.into_iter().map(|finding| (finding.offset, finding.problem))
    }

    /// Whether there are errors.
    pub fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The warnings; or all errors, in the order of the file.
    ///
    /// # Errors
    /// If there are some.
    pub fn finish(mut self, file: &str) -> Result<Vec<Finding<P>>, Diagnostics<P>> {
        let place = |finding: &Finding<P>| finding.place.as_ref().map(|(_, position)| *position);
        if self.errors.is_empty() {
            self.warnings.sort_by_key(place);
            return Ok(self.warnings);
        }
        self.errors.sort_by_key(place);
        let n_more = self.n_more + self.errors.len().saturating_sub(MAX_ERRORS);
        self.errors.truncate(MAX_ERRORS);
        Err(Diagnostics { file: file.to_owned(), errors: self.errors, n_more })
    }
}
