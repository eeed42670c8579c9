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
                product with an automaton of 2 states: 15 states explored, peak stored 15

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
        status == 1
            && text.contains("the measure is not monotone: its regress edges lead to 28 states"),
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
fn a_bare_name_is_the_transition_taken_and_a_note_says_so() {
    let mutex = model("mutex-broken");
    let ask = |formula: &str| json(&["check", &mutex, "--ltl", formula]);
    let ((bare, report), (full, other)) =
        (ask(ENTERS), ask(&ENTERS.replace("look_1", "taken(look_1)")));
    assert_eq!((bare, full), (1, 1));
    assert_eq!(report["notes"], serde_json::json!(["in LTL `look_1` means `taken(look_1)`"]));
    assert_eq!(other.get("notes"), None);
    assert_eq!(report["properties"][0]["witness_length"], other["properties"][0]["witness_length"]);
    // A transition that is enabled need not be taken, and one that is taken is enabled.
    assert_eq!(ask("enabled(look_1) && enabled(look_2)").0, 0);
    assert_eq!(ask("taken(look_1) && taken(look_2)").0, 1);
    assert_eq!(ask("G (taken(enter_1) -> enabled(enter_1))").0, 0);
    assert_eq!(ask("G (enabled(enter_1) -> taken(enter_1))").0, 1);
    assert_eq!(ask("G (enabled(enter_1) <-> {looked_1 > 0})").0, 0);
    assert_eq!(ask("G (taken(enter_1) <-> {looked_1 > 0})").0, 1);
}

/// Two transitions have the name `go`; the name `b` is the id of another one.
const NAMES: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"
  type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">
  <place id="p"><name><text>at home</text></name><initialMarking><text>1</text></initialMarking></place>
  <transition id="t1"><name><text>go</text></name></transition>
  <transition id="t2"><name><text>go</text></name></transition>
  <transition id="t3"><name><text>come back</text></name></transition>
  <transition id="b"><name><text>x</text></name></transition>
  <transition id="t4"><name><text>b</text></name></transition>
  <arc id="a1" source="p" target="t1"/><arc id="a2" source="t1" target="p"/>
  <arc id="a3" source="p" target="t2"/><arc id="a4" source="t3" target="p"/>
  <arc id="a5" source="p" target="b"/><arc id="a6" source="b" target="p"/>
  <place id="q"/><arc id="a7" source="t2" target="q"/><arc id="a8" source="q" target="t3"/>
  <arc id="a9" source="q" target="t4"/><arc id="a10" source="t4" target="q"/>
</page></net></pnml>"#;

#[test]
fn ids_and_names_both_work_and_an_ambiguous_name_lists_the_ids() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("names.pnml");
    fs::write(&file, NAMES).expect("it can be written");
    let file = file.to_str().expect("a name");
    let ask = |args: &[&str]| run(&[&["check", file], args].concat());
    // In both logics, for fairness, for liveness, and for places.
    for (args, status) in [
        (&["--ltl", "G (taken(t3) -> {p = 0})"][..], 0),
        (&["--ltl", "G (taken(\"come back\") -> {\"at home\" = 0})"], 0),
        (&["--ltl", "G (t3 -> {q = 1})"], 0),
        (&["--ctl", "AG (enabled(t3) <-> enabled(\"come back\"))"], 0),
        (&["--ctl", "AG (enabled(b) <-> enabled(x))"], 0),
        (&["--ctl", "AG (enabled(b) <-> enabled(t4))"], 1),
        (&["--ltl", "G F {p = 1}"], 1),
        (&["--ltl", "G F {p = 1}", "--weak-fair", "t3"], 0),
        (&["--ltl", "G F {p = 1}", "--weak-fair", "come back"], 0),
        (&["--ltl", "G F {p = 1}", "--strong-fair", "t3"], 0),
        (&["--ltl", "G F {p = 1}", "--strong-fair", "come back"], 0),
        (&["--ltl", "G F {p = 1}", "--weak-fair", "t1"], 1),
        (&["--live", "t3"], 0),
        (&["--live", "come back"], 0),
        (&["--live", "t1"], 0),
        (&["--fair", "come back"], 1),
        (&["--fair", "t3"], 1),
    ] {
        let (found, text, stderr) = ask(args);
        assert_eq!(found, status, "{args:?}: {text}{stderr}");
    }
    for args in [
        &["--ltl", "F taken(go)"][..],
        &["--ltl", "F go"],
        &["--ctl", "EF enabled(go)"],
        &["--ltl", "G F {p = 1}", "--weak-fair", "go"],
        &["--ltl", "G F {p = 1}", "--strong-fair", "go"],
        &["--live", "go"],
        &["--fair", "go"],
    ] {
        let (status, _, stderr) = ask(args);
        assert_eq!(status, 2, "{args:?}: {stderr}");
        assert!(stderr.contains("t1, t2"), "{args:?}: {stderr}");
    }
    let (_, _, stderr) = ask(&["--ltl", "F taken(nope)"]);
    assert!(stderr.contains("\"come back\""), "{stderr}");
}

#[test]
fn mistakes_are_explained() {
    let mutex = model("mutex-broken");
    for (args, message) in [
        (&["--ltl", "G (look_1"][..], "the parenthesis is not closed"),
        (&["--ltl", "G nope"], "there is no transition `nope`"),
        (&["--ltl", "G enabled(nope)"], "there is no transition `nope`"),
        (&["--ltl", "G taken(inside_1)"], "`{inside_1 > 0}`"),
        (&["--ltl", "G taken(go in)"], "write `taken(\"go in\")`"),
        (&["--ltl", "G inside_1"], "`{inside_1 > 0}`"),
        (&["--ltl", "G {inside_1 > }"], "found the end"),
        (&["--ltl", "G look_1", "--weak-fair", "nope"], "there is no transition `nope`"),
        (&["--deadlock", "--weak-fair", "look_1"], "fairness cannot be used"),
        (&["--ltl", "G look_1", "--method", "cache", "--cache", "10"], "cannot be used with LTL"),
        (&["--ltl", "G look_1", "--checkpoint", "c"], "cannot be used with LTL"),
    ] {
        let (status, _, stderr) = run(&[&["check", &mutex], args].concat());
        assert_eq!(status, 2, "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
}
