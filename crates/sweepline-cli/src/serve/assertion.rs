//! The assertions of a CSPm script, as a check in the background.

use serde_json::{Value, json};
use sweepline_lts::csp::Script;
use sweepline_serve::Refusal;

use super::check::{Answers, Progress, row, tell};
use super::game::{Player, refusal};
use crate::args;
use crate::assertions::{Watching, watched};
use crate::load::processes::{process_of, script};
use crate::results::Decided;

/// What was found.
struct Found {
    results: Value,
    /// For each assertion the process that it is about, and its trace as the text of a file.
    traces: Vec<(String, Option<String>)>,
}

impl Answers for Found {
    fn results(&self) -> &Value {
        &self.results
    }

    fn show(&self, _property: usize, _at: Option<usize>) -> Result<Box<dyn Player>, Refusal> {
        Err(Refusal::new("this assertion has no trace"))
    }

    fn trace(&self, property: usize) -> Option<(&str, &str)> {
        let (process, text) = self.traces.get(property)?;
        Some((process, text.as_deref()?))
    }
}

/// The texts of the assertions of a script.
pub(super) fn texts(script: &Script) -> Vec<String> {
    script.assertions().into_iter().map(|assertion| assertion.text).collect()
}

/// Decides the assertions that `args` name by their numbers.
pub(super) fn run(args: &args::Check, progress: &Progress) -> Result<Box<dyn Answers>, Refusal> {
    let script = script(&args.input).map_err(refusal)?;
    let all = script.assertions();
    let watching = Watching {
        interrupt: progress.interrupt.clone(),
        tell: &|moment, profile, course| tell(progress, moment, profile, course),
    };
    let decided = watched(args, script, watching).map_err(refusal)?;
    let as_row = |one: &Decided| {
        let mut row = row(&one.row());
        (row["claim"], row["of"]) = (json!("assert"), json!(one.name));
        row["findings"].as_array_mut().into_iter().for_each(|list| {
            list.extend(one.shows().into_iter().map(Value::from));
        });
        row
    };
    let rows: Vec<Value> = decided.iter().map(as_row).collect();
    let mut measures: Vec<&str> = decided.iter().filter_map(Decided::progress).collect();
    measures.dedup();
    let measure =
        if let [only] = measures[..] { only } else { "a different one for each assertion" };
    let trace = |one: &Decided| {
        let assertion = all.iter().find(|assertion| assertion.text == one.name);
        let process = assertion.map(|assertion| process_of(assertion.claim.clone()));
        (process.unwrap_or_default(), one.saved())
    };
    let results = json!({
        "rows": rows, "progress": measure, "notes": [], "stop": null, "states": null, "explored": 0, "complete": true,
    });
    Ok(Box::new(Found { results, traces: decided.iter().map(trace).collect() }))
}
