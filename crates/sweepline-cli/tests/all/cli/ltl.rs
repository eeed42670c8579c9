//! `check --ltl`: verdicts, lassos, fairness, and what is refused.

use std::fs;

use super::{json, model, run};

const ENTERS: &str = "G (look_1 -> F {inside_1 > 0})";

#[test]
fn a_violation_is_a_run_and_the_steps_it_repeats() {
    let (status, text, _) = run(&["check", &model("mutex-broken"), "--ltl", ENTERS]);
    let (report, _) = text.split_once("\n\nmodel").expect("figures follow");
    assert_eq!(status, 1);
    insta::assert_snapshot!(report, @r"
    violated  ltl  G (look_1 -> F {inside_1 > 0})
                automaton of 2 states: product of 15 explored, 15 held

    counterexample to `ltl G (look_1 -> F {inside_1 > 0})`, 4 steps:
      0  outside_1, flag_down_1, outside_2, flag_down_2
      1  look_1   outside_1 1 -> 0, looked_1 0 -> 1
      2  look_2   outside_2 1 -> 0, looked_2 0 -> 1
      3  enter_2  looked_2 1 -> 0, inside_2 0 -> 1, flag_down_2 1 -> 0, flag_up_2 0 -> 1
      4  exit_2   outside_2 0 -> 1, inside_2 1 -> 0, flag_down_2 0 -> 1, flag_up_2 1 -> 0
         steps 2 to 4 repeat for ever
    ");
}

#[test]
fn fairness_leaves_runs_out() {
    let mutex = model("mutex-broken");
    let ask = |fair: &[&str]| run(&[&["check", &mutex, "--ltl", ENTERS], fair].concat()).0;
    assert_eq!(ask(&["--weak-fair", "enter_1"]), 0);
    assert_eq!(ask(&["--strong-fair", "enter_1"]), 0);
    assert_eq!(ask(&["--weak-fair", "exit_1"]), 1);
    // Process 1 may look again and again, but only now and then.
    let looks = |fair: &[&str]| run(&[&["check", &mutex, "--ltl", "G F look_1"], fair].concat()).0;
    let rest = ["--weak-fair", "enter_1", "--weak-fair", "exit_1"];
    assert_eq!(looks(&[&rest[..], &["--weak-fair", "look_1"]].concat()), 1);
    assert_eq!(looks(&[&rest[..], &["--strong-fair", "look_1"]].concat()), 0);
}

#[test]
fn the_loop_is_in_the_json_and_in_the_trace() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let trace = folder.path().join("trace.json");
    let trace = trace.to_str().expect("a name");
    let (_, report) = json(&["check", &model("mutex-broken"), "--ltl", ENTERS, "--trace", trace]);
    let row = &report["properties"][0];
    assert_eq!((row["kind"].as_str(), row["loop_start"].as_u64()), (Some("ltl"), Some(1)));
    assert_eq!(row["witness_length"], 4);
    let trace: serde_json::Value =
        serde_json::from_slice(&fs::read(trace).expect("written")).expect("JSON");
    assert_eq!(trace["witnesses"][0]["loop_start"], 1);
    // A run that ends in a dead state stays there.
    let dead = ["check", &model("two-phase-commit"), "--ltl", "G ! deadlock"];
    let (_, report) = json(&dead);
    let row = &report["properties"][0];
    assert_eq!(row["loop_start"], row["witness_length"]);
}

#[test]
fn sweeps_decide_formulas_or_say_that_they_cannot() {
    let commit = model("two-phase-commit");
    let measure = "heard_1 + heard_2 + heard_3 - undecided";
    let formula = "G (decide_commit -> F {committed_1 = 1})";
    let (status, report) = json(&["check", &commit, "--progress", measure, "--ltl", formula]);
    assert_eq!(status, 0);
    assert!(report["peak_states"].as_u64() < report["states"].as_u64());
    let lift =
        ["check", &model("lift"), "--progress", "floors_below", "--ltl", "G F {door_open = 1}"];
    let (status, text, _) = run(&[&lift[..], &["--monotone", "strict"]].concat());
    assert!(status == 3 && text.contains("action     go_down"), "{text}");
    let (status, text, _) = run(&lift);
    assert!(
        status == 1 && text.contains("the measure is not monotone: edges lead back to 28 states"),
        "{text}"
    );
}

#[test]
fn coloured_nets_and_processes_have_formulas_too() {
    let file = |name: &str| format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
    let (cpn, csp) = (&file("stop-and-wait.cpn"), &file("seeds/stop-and-wait.csp"));
    let formula = "G (Send -> F {length (ms_to_list Received) > 0})";
    assert_eq!(run(&["check", cpn, "--ltl", formula]).0, 0);
    assert_eq!(run(&["check", cpn, "--ltl", "F {hd (ms_to_list Received) <> []}"]).0, 1);
    assert_eq!(run(&["check", csp, "--process", "SYSTEM", "--ltl", "G (send -> F rec)"]).0, 1);
    assert_eq!(run(&["check", csp, "--process", "SYSTEM", "--ltl", "! rec W send"]).0, 0);
}

#[test]
fn mistakes_are_explained() {
    let mutex = model("mutex-broken");
    for (args, message) in [
        (&["--ltl", "G (look_1"][..], "the parenthesis is not closed"),
        (&["--ltl", "G nope"], "there is no transition `nope`"),
        (&["--ltl", "G inside_1"], "`{inside_1 > 0}`"),
        (&["--ltl", "G {inside_1 > }"], "found the end"),
        (&["--ltl", "G look_1", "--weak-fair", "nope"], "there is no transition `nope`"),
        (&["--deadlock", "--weak-fair", "look_1"], "fairness cannot be used"),
        (
            &["--ltl", "G look_1", "--method", "cache", "--cache", "10"],
            "cannot be used with formulas",
        ),
        (&["--ltl", "G look_1", "--checkpoint", "c"], "cannot be used with formulas"),
    ] {
        let (status, _, stderr) = run(&[&["check", &mutex], args].concat());
        assert_eq!(status, 2, "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
}
