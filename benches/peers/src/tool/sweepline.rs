//! sweepline itself, through its command line.

use std::fs;

use anyhow::Result;
use serde_json::Value;

use super::{Bench, Reading, Ready};
use crate::answer::Answer;
use crate::child::Step;
use crate::nets;
use crate::system::Instance;

/// Full exploration: all states are stored.
pub fn full(instance: Instance, bench: &Bench) -> Result<Ready> {
    check(instance, bench, "sweepline-full", &["--method", "full"])
}

/// A sweep, on the systems for which a measure is given.
pub fn sweep(instance: Instance, bench: &Bench) -> Result<Option<Ready>> {
    let Some(measure) = instance.progress() else { return Ok(None) };
    let options = ["--method", "sweep", "--progress", measure.as_str()];
    check(instance, bench, "sweepline-sweep", &options).map(Some)
}

fn check(instance: Instance, bench: &Bench, folder: &str, options: &[&str]) -> Result<Ready> {
    let folder = bench.folder(instance, folder)?;
    let net = format!("{}.pnml", instance.file_stem());
    fs::write(folder.join(&net), nets::net(instance).pnml())?;
    let threads = bench.threads.to_string();
    let args = [&["check", net.as_str()], options, &["--threads", &threads, "--json"]].concat();
    Ok(Ready::new(folder, Step::shown_as("sweepline", bench.sweepline.clone(), &args)))
}

/// Reads the JSON report. `states` is null if the number of distinct states is unknown after a sweep.
pub fn read(stdout: &str) -> Reading {
    let report: Value = match serde_json::from_str(stdout) {
        Ok(report) => report,
        Err(error) => return Reading::Failed(format!("no JSON report: {error}")),
    };
    if let Some(reason) = report["stop"].as_str() {
        return Reading::Incomplete(reason.to_owned());
    }
    if report["explored"].is_null() && report["states"].is_null() {
        return Reading::Failed("the report has neither `states` nor `explored`".into());
    }
    let count = |field: &str| report[field].as_u64();
    let states = count("states");
    // If states are visited again, edges and dead states are counted more than once, too.
    let once = |value: Option<u64>| states.and(value);
    Reading::Complete(Answer { states, edges: once(count("edges")), dead: once(count("dead")) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_report() {
        let report = r#"{ "schema": 1, "verdict": null, "stop": null, "properties": [],
            "states": 288, "explored": 288, "edges": 761, "dead": 28, "peak_states": 288 }"#;
        let answer = Answer { states: Some(288), edges: Some(761), dead: Some(28) };
        assert_eq!(read(report), Reading::Complete(answer));
    }

    #[test]
    fn several_sweeps_count_no_distinct_states() {
        let report =
            r#"{ "stop": null, "states": null, "explored": 300, "edges": 900, "dead": 2 }"#;
        assert_eq!(read(report), Reading::Complete(Answer::default()));
    }

    #[test]
    fn a_limit_is_not_an_answer() {
        let report = r#"{ "stop": "state-limit", "states": 10, "edges": 12, "dead": 0 }"#;
        assert_eq!(read(report), Reading::Incomplete("state-limit".into()));
        assert!(matches!(read("{}"), Reading::Failed(_)));
        assert!(matches!(read("error: no such file"), Reading::Failed(_)));
    }
}
