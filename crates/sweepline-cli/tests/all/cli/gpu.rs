//! `check --gpu`: the same results from the kernels, compiled for this processor; and what is refused.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::{json, model, philosophers, run};

/// What must not depend on the device. A property that ended the run leaves verdicts.
fn facts(value: &Value) -> Vec<Value> {
    let complete = value["complete"].as_bool() == Some(true);
    let keys = [
        "states",
        "edges",
        "dead",
        "peak_states",
        "persistent",
        "sweeps",
        "regress_edges",
        "layers",
        "max_tokens_in_place",
        "max_tokens_per_marking",
    ];
    let mut facts: Vec<Value> =
        ["verdict", "progress", "method"].map(|key| value[key].clone()).into();
    facts.extend(keys.iter().filter(|_| complete).map(|key| value[*key].clone()));
    for property in value["properties"].as_array().unwrap() {
        facts.extend(["name", "verdict", "kind"].map(|key| property[key].clone()));
        facts.push(property["witness_length"].is_null().into());
        if complete {
            facts.extend(["value", "findings"].map(|key| property[key].clone()));
        }
    }
    facts
}

/// A script in CSPm.
fn script(name: &str) -> String {
    format!("{}/../../models/seeds/{name}.csp", env!("CARGO_MANIFEST_DIR"))
}

fn alike(model: &str, options: &[&str]) {
    let check = |more: &[&str]| json(&[&["check", model], options, more].concat());
    let (status, one) = check(&["--threads", "1"]);
    let (on_gpu, gpu) = check(&["--gpu", "host"]);
    assert_eq!((on_gpu, facts(&gpu)), (status, facts(&one)), "{model} {options:?}: {gpu}");
    assert!(gpu["device"].is_string() && one["device"].is_null());
}

#[test]
fn nets() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("philosophers.pnml");
    fs::write(&file, philosophers(6)).unwrap();
    let net = file.to_str().unwrap();
    alike(net, &["--deadlock", "--dead-transitions"]);
    alike(net, &["--progress", "eat0", "--never", "eat0 + eat1 > 1", "--bound", "eat0 + eat3"]);
    alike(
        net,
        &["--progress", "eat0 - eat1", "--window", "1", "--reach", "eat0 + eat2 + eat4 = 3"],
    );
    alike(net, &["--progress", "monotone(eat0), eat2", "--deadlock"]);
    for examination in ["StateSpace", "OneSafe", "QuasiLiveness", "StableMarking"] {
        alike(&model("kanban.pnml"), &["--examination", examination]);
    }
    alike(&model("two-phase-commit.pnml"), &["--progress", "auto"]);
}

#[test]
fn processes_and_aut_files() {
    let script = script("two-phase-commit");
    alike(&script, &["--process", "SYSTEM", "--deadlock"]);
    alike(&script, &["--process", "SYSTEM", "--progress", "components", "--dead-transitions"]);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ring.aut");
    fs::write(&file, "des (0, 4, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n(2, \"c\", 0)\n(1, \"a\", 1)\n")
        .unwrap();
    alike(file.to_str().unwrap(), &["--deadlock", "--dead-transitions"]);
}

#[test]
fn a_counterexample_is_shown_and_the_device_is_named() {
    let (status, out, _) =
        run(&["check", &model("philosophers.pnml"), "--deadlock", "--gpu", "host"]);
    assert_eq!(status, 1);
    assert!(out.contains("counterexample to `no deadlock`, 5 steps:"), "{out}");
    assert!(out.contains("device "), "{out}");
}

#[test]
fn places_with_many_tokens_get_wider_fields() {
    let producer = model("producer.pnml");
    alike(&producer, &["--never", "tokens(buffer) >= 300"]);
    let (_, _, err) =
        run(&["check", &producer, "--never", "tokens(buffer) >= 300", "--gpu", "host"]);
    assert!(err.contains("exploring again with wider fields"), "{err}");
}

#[test]
fn what_a_gpu_cannot_do_is_refused_in_words() {
    let kanban = model("kanban.pnml");
    let refused = |model: &str, options: &[&str], text: &str| {
        let (status, out, err) = run(&[&["check", model, "--gpu", "host"], options].concat());
        // Without the lines that the terminal needs.
        let words: Vec<&str> =
            err.split_whitespace().filter(|word| !["│", "|"].contains(word)).collect();
        let flat = words.join(" ");
        assert_eq!((status, out.as_str()), (2, ""), "{options:?}: {err}");
        assert!(flat.contains(text), "{options:?}: {err}");
    };
    refused(&kanban, &["--reversible"], "need edges, which a GPU does not keep");
    refused(&kanban, &["--dead-states", "3"], "a GPU does not list dead states");
    refused(&kanban, &["--stubborn"], "cannot be used with `--gpu`");
    refused(&kanban, &["--checkpoint", "x"], "`--checkpoint` cannot be used with `--gpu`");
    refused(&super::seed("stop-and-wait"), &[], "a coloured net has no compiled form");
    refused(&script("two-phase-commit"), &[], "`--gpu` cannot be used with the assertions");
    let (status, _, err) = run(&["report", &kanban, "--gpu"]);
    assert!(status == 2 && err.contains("--gpu"), "{err}");
}

#[test]
fn auto_explores_with_threads_where_a_gpu_cannot() {
    let (status, out, err) =
        run(&["check", &model("kanban.pnml"), "--reversible", "--gpu", "host-auto"]);
    assert!(status == 0 && out.contains("holds"), "{err}");
    assert!(err.contains("exploring with threads, not on a GPU"), "{err}");
    assert!(!out.contains("device "), "{out}");
}
