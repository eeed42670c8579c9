//! Any number of threads prints what one thread prints.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{json, model, philosophers, run, seed};

/// Removes what is about time and about the process.
fn timeless(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for name in ["seconds", "states_per_second", "peak_rss", "threads", "generated"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(timeless);
        }
        Value::Array(items) => items.iter_mut().for_each(timeless),
        _ => {}
    }
}

/// Runs a command with several numbers of threads, each of which gets a part of every level, and compares the
/// JSON and the file that `--trace` or `--output` names.
fn alike(args: &[&str], file: Option<&Path>) {
    let run = |threads: &str| {
        let (status, mut value) =
            json(&[args, &["--threads", threads, "--eager-threads"]].concat());
        timeless(&mut value);
        (status, value, file.map(|file| fs::read_to_string(file).unwrap_or_default()))
    };
    let one = run("1");
    for threads in ["2", "3", "8"] {
        assert_eq!(run(threads), one, "{threads} threads: {args:?}");
    }
}

/// The same for a check and its counterexamples.
fn checks_alike(model: &str, options: &[&str]) {
    let folder = TempDir::new().unwrap();
    let trace = folder.path().join("trace.json");
    let traced = ["--trace", trace.to_str().unwrap()];
    alike(&[&["check", model], options, &traced[..]].concat(), Some(&trace));
}

#[test]
fn nets() {
    let net = philosophers(6);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("philosophers.pnml");
    fs::write(&file, net).unwrap();
    let philosophers = file.to_str().unwrap();
    for options in [
        &["--deadlock"][..],
        &["--method", "full", "--count"],
        &["--progress", "auto", "--deadlock", "--dead-transitions"],
        &["--progress", "eat0", "--never", "eat0 + eat1 > 1", "--bound", "eat0 + eat3"],
        &["--progress", "eat0", "--window", "1", "--reach", "eat0 + eat2 + eat4 = 3"],
        &["--home", "think0 = 1", "--dead-states", "5"],
        &["--ltl", "G F {eat0 = 1}"],
        &["--ctl", "AG EF {eat0 = 1}"],
        &["--stubborn", "--deadlock"],
        &["--sleep", "--deadlock"],
        &["--deadlock", "--state-limit", "200"],
        &["--witness", "recompute", "--deadlock"],
    ] {
        checks_alike(philosophers, options);
    }
    for name in ["kanban", "two-phase-commit", "stop-and-wait", "producer"] {
        checks_alike(&model(name), &["--deadlock", "--state-limit", "5000"]);
        checks_alike(&model(name), &["--progress", "auto", "--state-limit", "5000"]);
    }
}

#[test]
fn coloured_nets() {
    for (name, options) in [
        ("stop-and-wait", &["--deadlock"][..]),
        ("lock-management", &["--deadlock", "--dead-transitions"]),
        ("sliding-window", &["--deadlock", "--state-limit", "3000"]),
    ] {
        checks_alike(&seed(name), options);
        checks_alike(&seed(name), &[options, &["--progress", "auto"]].concat());
    }
    let symmetric = seed("../symmetric/two-phase-commit");
    checks_alike(&symmetric, &["--deadlock", "--equivalence", "symmetry"]);
    let timed = seed("../timed").replace(".cpnt", ".cpn");
    checks_alike(&timed, &["--deadlock", "--progress", "time"]);
}

#[test]
fn processes() {
    for name in ["two-phase-commit", "master-slave", "stop-and-wait"] {
        let script = seed(name).replace(".cpnt", ".csp");
        alike(&["check", &script, "--state-limit", "20000"], None);
    }
}

#[test]
fn reports_and_graphs() {
    alike(&["report", &seed("lock-management")], None);
    alike(&["report", &model("two-phase-commit")], None);
    let folder = TempDir::new().unwrap();
    let graph = |threads: &str| {
        let file = folder.path().join(format!("{threads}.aut"));
        let output = file.to_str().unwrap();
        let args = ["graph", &model("kanban"), "--output", output, "--threads", threads];
        let (status, _, stderr) = run(&[&args[..], &["--eager-threads"]].concat());
        assert_eq!(status, 0, "{stderr}");
        fs::read_to_string(file).unwrap()
    };
    let one = graph("1");
    for threads in ["2", "3", "8"] {
        assert_eq!(graph(threads), one, "{threads} threads");
    }
}

#[test]
fn a_number_of_threads_is_at_least_one() {
    for wrong in ["0", "-1", "many", "5000"] {
        let (status, _, stderr) = run(&["check", &model("kanban"), &format!("--threads={wrong}")]);
        assert_eq!(status, 2);
        assert!(stderr.contains("write a number from 1 to 1024"), "{stderr}");
    }
    let (_, value) = json(&["check", &model("mutex-broken"), "--threads", "3"]);
    assert_eq!(value["threads"], 3);
}
