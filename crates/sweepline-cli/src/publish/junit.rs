//! Results as test cases in JUnit's XML: a test suite for each model, a test case for each property.
//!
//! A violated property is a failure; one that is unknown is an error, as is a model that cannot be read.

use std::fmt::Write;
use std::path::Path;

use miette::Diagnostic;

use super::Part;
use crate::failure::Failure;
use crate::print::one_line;
use crate::results::{Row, Summary, claim};
use crate::shown;

/// All suites in one document.
pub(super) fn document(parts: &[Part]) -> String {
    let suites: String = parts.iter().map(|part| part.suite.as_str()).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sweepline\">\n{suites}</testsuites>\n"
    )
}

pub(super) fn suite(summary: &Summary) -> String {
    let rows = &summary.properties;
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let head = Head {
        name: &summary.file.to_string_lossy(),
        tests: rows.len(),
        failures: count("violated"),
        errors: count("unknown"),
        seconds: summary.seconds,
    };
    let cases: String = rows.iter().map(|row| case(summary, row)).collect();
    head.around(&cases)
}

/// A model that could not be checked.
pub(super) fn failed(file: &Path, failure: &Failure) -> String {
    let name = &*file.to_string_lossy();
    let code = failure.code().map_or_else(String::new, |code| code.to_string());
    let message = one_line(&failure.to_string());
    let details = shown::plain(failure);
    let mut case = String::new();
    let _ = writeln!(
        case,
        "    <testcase classname=\"{0}\" name=\"check\" time=\"0\">\n      <error type=\"{1}\" message=\"{2}\">{3}</error>\n    </testcase>",
        escaped(name),
        escaped(&code),
        escaped(&message),
        escaped(&details)
    );
    Head { name, tests: 1, failures: 0, errors: 1, seconds: 0.0 }.around(&case)
}

struct Head<'a> {
    name: &'a str,
    tests: usize,
    failures: usize,
    errors: usize,
    seconds: f64,
}

impl Head<'_> {
    fn around(&self, cases: &str) -> String {
        let Head { name, tests, failures, errors, seconds } = self;
        let name = escaped(name);
        format!(
            "  <testsuite name=\"{name}\" file=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\" time=\"{seconds:.3}\">\n{cases}  </testsuite>\n"
        )
    }
}

fn case(summary: &Summary, row: &Row) -> String {
    let file = summary.file.to_string_lossy();
    let (kind, of) = claim(row.kind, &row.name);
    let name = if of.is_empty() { kind.to_owned() } else { format!("{kind} {of}") };
    // The schema has no place for a line.
    let at = row.line.map_or_else(String::new, |line| format!("{file}:{line}\n"));
    let mut text = format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
        escaped(&file),
        escaped(&name)
    );
    let element = match row.verdict {
        "holds" => {
            text.push_str("/>\n");
            return text;
        }
        "violated" => "failure",
        _ => "error",
    };
    let _ = writeln!(
        text,
        ">\n      <{element} type=\"{}\" message=\"{}\">{}</{element}>\n    </testcase>",
        escaped(row.kind),
        escaped(&message(summary, row)),
        escaped(&(at + &row.details()))
    );
    text
}

/// The verdict in a sentence.
pub(super) fn message(summary: &Summary, row: &Row) -> String {
    let (kind, of) = claim(row.kind, &row.name);
    let claim = if of.is_empty() { kind.to_owned() } else { format!("{kind} {}", one_line(of)) };
    match (row.verdict, row.witness_length) {
        ("violated", Some(1)) => format!("violated: {claim} (counterexample of 1 step)"),
        ("violated", Some(steps)) => format!("violated: {claim} (counterexample of {steps} steps)"),
        ("violated", None) => format!("violated: {claim}"),
        _ => {
            let reason = row.reason.as_deref().or(summary.stop).unwrap_or("not decided");
            format!("unknown: {claim} ({reason})")
        }
    }
}

/// A text in XML: markup is escaped, and characters that XML does not have are left out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                let _ = write!(safe, "\\u{:04x}", u32::from(c));
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_of_models_are_no_markup() {
        assert_eq!(escaped("a<b> & \"c\"\u{1}"), "a&lt;b&gt; &amp; &quot;c&quot;\\u0001");
    }
}
