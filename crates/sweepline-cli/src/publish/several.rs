//! `check` of several models: a process for each, one after the other, and a table of all results.
//!
//! A process has its own limits, so a model that is too large or wrong does not affect the others.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Part, save};
use crate::args;
use crate::failure::Failure;
use crate::guard;
use crate::print::{self, BOLD, grouped, styled, time};
use crate::results::verdict_word;

/// How long a process may take to end after an interrupt.
const GRACE: Duration = Duration::from_secs(3);
/// How often its end is looked for.
const POLL: Duration = Duration::from_millis(5);

/// In a process that was started for one of several models: leaves only that model.
pub(crate) fn select(args: &mut args::Check) {
    let Some(number) = args.output.number else { return };
    let more = std::mem::take(&mut args.more);
    if let Some(file) = number.checked_sub(1).and_then(|number| more.into_iter().nth(number)) {
        args.input.file = file;
    }
}

/// Checks all models.
pub(crate) fn run(args: &args::Check) -> Result<ExitCode, Failure> {
    refuse(args)?;
    super::check(&args.output)?;
    let folder = tempfile::tempdir().map_err(Failure::writing(&std::env::temp_dir()))?;
    let mut parts: Vec<Part> = Vec::new();
    if let Some(word) = args.more.iter().find(|file| is_no_model(file)) {
        return Err(Failure::Unexpected { word: word.to_string_lossy().into_owned() });
    }
    let files: Vec<&PathBuf> = std::iter::once(&args.input.file).chain(&args.more).collect();
    for (number, file) in files.iter().enumerate() {
        if guard::interrupt().is_raised() {
            break;
        }
        if !args.output.json && !args.output.quiet {
            let first = if number == 0 { "" } else { "\n" };
            let name = print::one_line(&file.to_string_lossy());
            print::some_results(&format!("{first}{}\n", styled(BOLD, format_args!("== {name}"))))?;
        }
        let part = folder.path().join(number.to_string());
        parts.push(check_one(args, number, file, &part)?);
    }
    let status = status(&parts, files.len());
    let results = match args.output.json {
        true => print::json(&object(&parts, status)),
        false if args.output.quiet => table(&parts),
        false => format!("\n{}", table(&parts)),
    };
    print::results(&results)?;
    save(&args.output, || parts)?;
    Ok(ExitCode::from(status))
}

/// There is no such file, and it has no ending: probably a part of an expression that the shell took apart.
fn is_no_model(file: &Path) -> bool {
    !file.exists() && file.extension().is_none() && file.components().count() == 1
}

/// Rejects what belongs to one model.
fn refuse(args: &args::Check) -> Result<(), Failure> {
    let foreign = [
        ("`--checkpoint`", args.checkpoints.checkpoint.is_some()),
        ("`--resume`", args.checkpoints.resume.is_some()),
        ("`--trace`", args.output.trace.is_some()),
        ("`--log`", args.output.log.is_some()),
        ("`--processes` or `--hosts`", args.cluster.is_given()),
        ("`--mcc`", args.output.mcc),
    ];
    Failure::refuse("several models", "check the models one by one", &foreign)
}

/// Starts a process for one model, and waits for it.
fn check_one(args: &args::Check, number: usize, file: &Path, part: &Path) -> Result<Part, Failure> {
    let starting = |error| Failure::Start { what: "sweepline".into(), error };
    let mut command = Command::new(std::env::current_exe().map_err(starting)?);
    command.args(arguments(number, part)).stdin(Stdio::null());
    if args.output.json || args.output.quiet {
        command.stdout(Stdio::null());
    }
    let status = wait(command.spawn().map_err(starting)?).map_err(starting)?;
    let read = fs::read(part).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(read.unwrap_or_else(|| {
        let failure = Failure::NoResult { file: file.to_owned(), status: status.to_string() };
        Part::failed(file, &failure)
    }))
}

/// The arguments of this process, and which model to take.
fn arguments(number: usize, part: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let verb = arguments.iter().position(|word| word == "check").map_or(0, |verb| verb + 1);
    let own = ["--number".into(), number.to_string().into(), "--part".into(), part.into()];
    arguments.splice(verb..verb, own);
    arguments
}

/// Waits for a process. The terminal tells it of an interrupt, too; if it does not end then, it is killed.
fn wait(mut child: Child) -> std::io::Result<ExitStatus> {
    let mut interrupted: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if guard::interrupt().is_raised() {
            let since = *interrupted.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                child.kill()?;
            }
        }
        sleep(POLL);
    }
}

/// The worst status counts: interrupted, an error, violated, unknown.
fn status(parts: &[Part], n_models: usize) -> u8 {
    let has = |status| parts.iter().any(|part| part.status == status);
    let first = [130, 2, 1, 3].into_iter().find(|status| has(*status));
    match first {
        _ if parts.len() < n_models => 130,
        Some(status) => status,
        None => parts.iter().map(|part| part.status).max().unwrap_or(0),
    }
}

fn verdict(part: &Part) -> &str {
    match &part.summary {
        None => "error",
        Some(summary) => summary["verdict"].as_str().unwrap_or("-"),
    }
}

/// All results as one object.
fn object(parts: &[Part], status: u8) -> Value {
    let verdict = match status {
        0 if parts.iter().all(|part| verdict(part) == "-") => Value::Null,
        0 => "holds".into(),
        1 => "violated".into(),
        2 => "error".into(),
        _ => "unknown".into(),
    };
    let models: Vec<Value> = parts
        .iter()
        .map(|part| json!({ "file": part.file, "status": part.status, "result": part.summary }))
        .collect();
    json!({ "schema": 1, "verdict": verdict, "models": models })
}

/// A line for each model.
fn table(parts: &[Part]) -> String {
    let mut rows = vec![["", "model", "properties", "explored", "time"].map(String::from)];
    rows.extend(parts.iter().map(cells));
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..5).map(width).collect();
    let mut text = String::new();
    for (number, [verdict, model, properties, explored, time]) in rows.iter().enumerate() {
        let verdict = if number == 0 { format!("{:8}", "verdict") } else { verdict_word(verdict) };
        let (model_width, properties_width) = (widths[1], widths[2]);
        let (explored_width, time_width) = (widths[3], widths[4]);
        let line = format!(
            "{verdict}  {model:model_width$}  {properties:properties_width$}  {explored:>explored_width$}  {time:>time_width$}"
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn cells(part: &Part) -> [String; 5] {
    let model = print::one_line(&part.file.to_string_lossy());
    let Some(summary) = &part.summary else {
        return [verdict(part).into(), model, "not checked".into(), String::new(), String::new()];
    };
    let explored = format!("{} states", grouped(summary["explored"].as_u64().unwrap_or(0)));
    let seconds = Duration::from_secs_f64(summary["seconds"].as_f64().unwrap_or(0.0).max(0.0));
    [verdict(part).into(), model, properties(&summary["properties"]), explored, time(seconds)]
}

/// `2 hold, 1 violated, 1 unknown`
fn properties(rows: &Value) -> String {
    let rows = rows.as_array().map_or(&[][..], Vec::as_slice);
    let count = |verdict: &str| rows.iter().filter(|row| row["verdict"] == verdict).count();
    let holds = count("holds");
    let counts = [
        (holds, if holds == 1 { "holds" } else { "hold" }),
        (count("violated"), "violated"),
        (count("unknown"), "unknown"),
    ];
    let some = counts.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = some.map(|(count, word)| format!("{count} {word}")).collect();
    if words.is_empty() { "none".into() } else { words.join(", ") }
}
