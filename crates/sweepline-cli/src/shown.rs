//! Errors and warnings as they are shown. Whatever a file contains, a message is short and safe for a terminal.

use std::error::Error;
use std::fmt::{self, Display};
use std::io::Write;

use anstream::ColorChoice;
use miette::{Diagnostic, LabeledSpan, MietteHandlerOpts, ReportHandler, Severity, SourceCode};

use crate::print::{bounded, harmless};

/// So many of several problems are shown.
const MOST: usize = 20;

/// Prints a diagnostic to standard error. Write errors are ignored: the exit status tells the result.
pub(crate) fn show(diagnostic: &dyn Diagnostic) {
    let text = format!("{:?}", Shown::of(diagnostic));
    let _ = writeln!(anstream::stderr(), "{}", harmless(&text));
}

/// A diagnostic as plain text, for a page or a file.
pub(crate) fn plain(diagnostic: &dyn Diagnostic) -> String {
    let text = format!("{:?}", Shown::of(diagnostic));
    let text = anstream::adapter::strip_str(&harmless(&text)).to_string();
    text.trim_end().to_owned()
}

/// Prints the first warnings; `n_more` further ones were not kept.
pub(crate) fn show_warnings<'a>(
    warnings: impl ExactSizeIterator<Item = &'a dyn Diagnostic>,
    n_more: usize,
) {
    let more = warnings.len().saturating_sub(MOST) + n_more;
    warnings.take(MOST).for_each(show);
    if more > 0 {
        crate::print::warn(&format!("{more} more warnings are not shown"));
    }
}

/// A diagnostic with all of its texts cut.
struct Shown<'a> {
    message: String,
    code: Option<String>,
    help: Option<String>,
    severity: Option<Severity>,
    /// Excerpts are short by themselves.
    source_code: Option<&'a dyn SourceCode>,
    labels: Vec<LabeledSpan>,
    related: Vec<Shown<'a>>,
    cause: Option<Cause>,
}

/// What caused an error, in words.
#[derive(Debug)]
struct Cause {
    message: String,
    next: Option<Box<Cause>>,
}

impl Cause {
    fn of(error: &dyn Error) -> Self {
        let next = error.source().map(|next| Box::new(Cause::of(next)));
        Cause { message: bounded(&error.to_string()), next }
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.next.as_deref().map(|next| next as &dyn Error)
    }
}

impl<'a> Shown<'a> {
    fn of(diagnostic: &'a dyn Diagnostic) -> Self {
        let cut = |text: Option<Box<dyn Display + '_>>| text.map(|text| bounded(&text.to_string()));
        let label = |label: LabeledSpan| {
            let (text, span) = (label.label().map(bounded), *label.inner());
            match label.primary() {
                true => LabeledSpan::new_primary_with_span(text, span),
                false => LabeledSpan::new_with_span(text, span),
            }
        };
        Shown {
            message: bounded(&diagnostic.to_string()),
            code: cut(diagnostic.code()),
            help: cut(diagnostic.help()),
            severity: diagnostic.severity(),
            source_code: diagnostic.source_code(),
            labels: diagnostic.labels().map_or(Vec::new(), |labels| labels.map(label).collect()),
            related: diagnostic
                .related()
                .map_or(Vec::new(), |related| related.take(MOST).map(Shown::of).collect()),
            cause: diagnostic.source().map(Cause::of),
        }
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = MietteHandlerOpts::new();
        let options = match ColorChoice::global() {
            ColorChoice::Always | ColorChoice::AlwaysAnsi => options.color(true),
            ColorChoice::Never => options.color(false),
            ColorChoice::Auto => options,
        };
        options.build().debug(self, f)
    }
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Shown<'_> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as &dyn Error)
    }
}

impl Diagnostic for Shown<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn Display>)
    }

    fn severity(&self) -> Option<Severity> {
        self.severity
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source_code
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        if self.labels.is_empty() { None } else { Some(Box::new(self.labels.iter().cloned())) }
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let related = self.related.iter().map(|shown| shown as &dyn Diagnostic);
        if self.related.is_empty() { None } else { Some(Box::new(related)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;

    #[test]
    fn a_name_of_a_megabyte_is_cut() {
        let name = "x".repeat(1 << 20);
        let known = vec!["name"; 100_000].join(", ");
        let failure = Failure::NoSuchProperty { name, known };
        let text = format!("{:?}", Shown::of(&failure));
        assert!(text.len() < 10_000 && text.contains("xxx…"), "{text}");
    }
}
