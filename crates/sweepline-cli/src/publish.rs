//! Results of `check`: on standard output, and in files for CI systems.
//!
//! A `Part` is what the files say of one model. With several models, a process for each writes its part to a file, and
//! the process that started them joins the parts.

mod contest;
mod junit;
mod sarif;
mod several;

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sweepline::StopReason;

use crate::args;
use crate::failure::Failure;
use crate::guard::LastWords;
use crate::output::NewFile;
use crate::print;
use crate::results::Summary;
pub(crate) use several::{run as check_several, select};

/// What the files say of one model.
#[derive(Serialize, Deserialize)]
struct Part {
    file: PathBuf,
    status: u8,
    /// The JSON object of the run; `None` if there was none.
    summary: Option<Value>,
    /// The test suite in JUnit's XML.
    suite: String,
    /// The results in SARIF.
    findings: Vec<Value>,
}

impl Part {
    fn of(summary: &Summary) -> Part {
        Part {
            file: summary.file.clone(),
            status: summary.exit_status(),
            summary: serde_json::to_value(summary).ok(),
            suite: junit::suite(summary),
            findings: sarif::findings(summary),
        }
    }

    fn failed(file: &Path, failure: &Failure) -> Part {
        Part {
            file: file.to_owned(),
            status: failure.exit_status(),
            summary: None,
            suite: junit::failed(file, failure),
            findings: sarif::problems(file, failure),
        }
    }
}

/// Whether files need the counterexamples as text.
pub(crate) fn shows_paths(output: &args::Output) -> bool {
    output.junit.is_some() || output.sarif.is_some() || output.part.is_some()
}

/// Fails if a file cannot be written.
pub(crate) fn check(output: &args::Output) -> Result<(), Failure> {
    for file in output.junit.iter().chain(&output.sarif) {
        NewFile::check(file).map_err(Failure::writing(file))?;
    }
    Ok(())
}

/// Prints the results of a run, in the form that the options say, and writes the files. `text` makes the results for
/// people.
pub(crate) fn results(
    output: &args::Output,
    summary: &Summary,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    print::results(&match () {
        () if output.json => print::json(summary),
        () if output.mcc => contest::answers(summary),
        () if output.quiet => summary.verdicts(),
        () => output.explained(text()),
    })?;
    save(output, || vec![Part::of(summary)])
}

/// The same for a run that must end now.
pub(crate) fn last_words(output: &args::Output, summary: &Summary, stop: &StopReason) -> LastWords {
    let results = match () {
        () if output.json => print::json(summary),
        () if output.mcc => contest::answers(summary),
        () if output.quiet => summary.verdicts(),
        () => summary.unfinished_text(stop),
    };
    // What fails here cannot be said any more.
    let _ = save(output, || vec![Part::of(summary)]);
    LastWords { results, status: summary.exit_status() }
}

/// Writes the files of a command that failed.
pub(crate) fn failed(args: &args::Check, failure: &Failure) {
    // The failure itself is shown; that a file cannot be written was found before, or is this failure.
    let _ = save(&args.output, || vec![Part::failed(&args.input.file, failure)]);
}

/// Writes the files that are asked for.
fn save(output: &args::Output, parts: impl FnOnce() -> Vec<Part>) -> Result<(), Failure> {
    if !shows_paths(output) {
        return Ok(());
    }
    let parts = parts();
    if let (Some(file), [part]) = (&output.part, &parts[..]) {
        let text = serde_json::to_vec(part).expect("only string keys");
        return fs::write(file, text).map_err(Failure::writing(file));
    }
    let write = |file: &Path, text: String| {
        NewFile::save(file, print::harmless(&text).as_bytes()).map_err(Failure::writing(file))
    };
    if let Some(file) = &output.junit {
        write(file, junit::document(&parts))?;
    }
    if let Some(file) = &output.sarif {
        write(file, print::json(&sarif::document(&parts)))?;
    }
    Ok(())
}
