//! The positions of the texts that were given to the environment.

use std::collections::HashMap;
use std::ops::Range;

use sweepline_ml::MlError;
use sweepline_source::{Source, Text};

use crate::problem::{Finding, Problem};

/// All texts of a model, by their names in the environment, which describe them for messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    known: HashMap<String, Vec<(Source, Text)>>,
}

impl Texts {
    /// Records a text.
    pub(super) fn add(&mut self, subject: &str, origin: &Source, text: &Text) {
        self.known.entry(subject.to_owned()).or_default().push((origin.clone(), text.clone()));
    }

    /// A mistake in a text, with its position in the file.
    pub(super) fn finding(&self, error: &MlError) -> Finding {
        let problem = Problem::Ml(Box::new(error.problem.clone()));
        self.about(&error.source, error.span.range(), problem)
    }

    /// A finding about a range of a source of the environment.
    pub(super) fn about(&self, source: &Source, range: Range<usize>, problem: Problem) -> Finding {
        let subject = &*source.name;
        let known = self.known.get(subject).map(Vec::as_slice).unwrap_or_default();
        let same = known.iter().find_map(|(origin, text)| {
            let skipped = text.as_str().len() - text.as_str().trim_start().len();
            let start = match &*source.text {
                whole if whole == text.as_str() => 0,
                words if words == text.trim() => skipped,
                _ => return None,
            };
            Some((origin, text.offset(start + range.start)..text.offset(start + range.end)))
        });
        match same.or_else(|| known.first().map(|(origin, text)| (origin, text.span()))) {
            Some((origin, span)) => Finding::new(origin, span, subject, problem),
            None => Finding::nowhere(subject, problem),
        }
    }

    /// A finding about a range of the first text with this name.
    pub(super) fn within(&self, subject: &str, range: Range<usize>, problem: Problem) -> Finding {
        match self.known.get(subject).and_then(|known| known.first()) {
            Some((origin, text)) => {
                let span = text.offset(range.start)..text.offset(range.end);
                Finding::new(origin, span, subject, problem)
            }
            None => Finding::nowhere(subject, problem),
        }
    }
}
