//! Reductions: what the command line says of them, and what does not go with them.

use super::{json, model, run};

const AUTO: [&str; 2] = ["--reduce", "auto"];

fn words(report: &serde_json::Value) -> Vec<&str> {
    let words = report["reduction"].as_array();
    words.into_iter().flatten().map(|word| word.as_str().unwrap()).collect()
}

#[test]
fn what_is_left_out_is_said() {
    let net = model("two-phase-commit");
    let (_, full) = json(&["check", &net, "--dead-states", "99"]);
    let (_, report) = json(&[&["check", &net, "--dead-states", "99"], &AUTO[..]].concat());
    assert_eq!(words(&report), ["stubborn sets", "sleep sets"]);
    assert_eq!(report["dead"], full["dead"]);
    assert!(report["states"].as_u64() < full["states"].as_u64(), "{report}");
    assert!(report["skipped_edges"].as_u64() > Some(0) && report["woken"].is_u64());
    assert!(full["reduction"].is_null() && full["skipped_edges"].is_null());
    let text = run(&[&["check", &net, "--deadlock"], &AUTO[..]].concat()).1;
    assert!(text.contains("reduction      stubborn sets\n") && text.contains("left out"), "{text}");
}

#[test]
fn a_question_that_needs_everything_switches_them_off() {
    let net = model("two-phase-commit");
    for (question, needs) in [
        ("--dead-transitions", "`dead transitions` needs every edge"),
        ("--examination=StateSpace", "`StateSpace` needs every edge"),
    ] {
        let (_, full) = json(&["check", &net, question]);
        let (_, report) = json(&[&["check", &net, "--deadlock", question], &AUTO[..]].concat());
        let off = [format!("no stubborn sets: {needs}"), format!("no sleep sets: {needs}")];
        assert_eq!(words(&report), off);
        assert_eq!((&report["states"], &report["edges"]), (&full["states"], &full["edges"]));
    }
    let (_, report) = json(&[&["check", &net, "--examination=StableMarking"], &AUTO[..]].concat());
    let off = "no stubborn sets: `StableMarking` needs every state";
    assert_eq!(words(&report), [off, "sleep sets"]);
    let place = ["--bound", "0 * 1", "--reduce", "auto"];
    let (_, report) = json(&[&["check", &net], &place[..]].concat());
    assert_eq!(report["properties"][0]["value"], serde_json::json!([0, 0]));
}

#[test]
fn a_model_that_does_not_know_its_actions_is_explored_in_full() {
    let net = model("stop-and-wait").replace(".pnml", ".cpn");
    let (_, full) = json(&["check", &net, "--deadlock", "--dead-states", "9"]);
    let sleep = ["--deadlock", "--dead-states", "9", "--sleep=exact"];
    let (_, report) = json(&[&["check", &net], &sleep[..]].concat());
    assert_eq!(words(&report), ["sleep sets"]);
    assert_eq!((&report["states"], &report["dead"]), (&full["states"], &full["dead"]));
    assert!(report["edges"].as_u64() < full["edges"].as_u64());
}

#[test]
fn what_does_not_go_with_them_is_refused() {
    let net = model("two-phase-commit");
    for other in
        [&["--checkpoint", "/nowhere/run.checkpoint"][..], &["--method", "cache", "--cache", "99"]]
    {
        let output = run(&[&["check", &net, "--deadlock", "--stubborn"], other].concat());
        assert_eq!(output.0, 2);
        assert!(output.2.contains("with a reduction"), "{}", output.2);
    }
    assert_eq!(run(&["check", &net, "--stubborn", "--reduce", "none"]).0, 2);
}

#[test]
fn a_comparison_shows_them_side_by_side() {
    let net = model("two-phase-commit");
    let reduce = ["--progress", "auto", "--reduce", "none,stubborn,sleep,both"];
    let (status, report) = json(&[&["compare", &net], &reduce[..]].concat());
    assert_eq!((status, &report["agree"]), (0, &true.into()));
    let runs = report["runs"].as_array().unwrap();
    let names: Vec<_> = runs.iter().map(|run| run["reduction"].as_str()).collect();
    let each = [None, Some("stubborn"), Some("sleep"), Some("stubborn+sleep")];
    assert_eq!(names, [each, each].concat());
    let states = |run: usize| runs[run]["states"].as_u64().unwrap();
    assert!(states(1) < states(0) && states(2) == states(0), "{report}");
    let text = run(&[&["compare", &net], &reduce[..]].concat()).1;
    assert!(text.contains("full, stubborn+sleep"), "{text}");
}

#[test]
fn processes_are_reduced_and_change_places() {
    let script = format!("{}/../../models/seeds/two-phase-commit.csp", env!("CARGO_MANIFEST_DIR"));
    let base = ["check", &script, "--process", "SYSTEM", "--param", "N=5"];
    let (_, full) = json(&[&base[..], &["--deadlock", "--dead-states", "99"]].concat());
    let (_, sets) = json(&[&base[..], &["--deadlock", "--dead-states", "99"], &AUTO[..]].concat());
    assert_eq!(words(&sets), ["stubborn sets", "sleep sets"]);
    assert_eq!(sets["dead"], full["dead"]);
    let goal = ["--reach", "\"VOTER(1)@VOTED(1)\" = 1 and \"VOTER(2)@UNWILLING(2)\" = 1"];
    let (status, found) = json(&[&base[..], &goal, &AUTO[..]].concat());
    assert_eq!((status, words(&found)), (0, vec!["stubborn sets", "sleep sets"]));
    let symmetry = ["--equivalence", "symmetry"];
    let (_, few) = json(&[&base[..], &["--never", "COORDINATOR.rank > 99"], &symmetry].concat());
    assert_eq!(few["verdict"], "holds");
    assert!(20 * few["states"].as_u64().unwrap() < full["states"].as_u64().unwrap(), "{few}");
    let (status, _, error) = run(&[&base[..], &goal, &symmetry].concat());
    assert_eq!(status, 2);
    assert!(error.contains("distinguishes"), "{error}");
}

/// One transition for each action of a philosopher: its bindings are told apart, for deadlocks and for conditions.
#[test]
fn bindings_of_coloured_nets_are_actions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.cpnt");
    let net = "colset PH = index ph with 1..7;\nvar p : PH;\n\
               fun next (ph i) = ph (if i = 7 then 1 else i + 1);\n\npage Top\n  \
               place Thinks : PH = PH.all ()\n  place Forks : PH = PH.all ()\n  place Left : PH\n  \
               place Eats : PH\n\n  transition TakeLeft\n    in Thinks: p\n    in Forks: p\n    \
               out Left: p\n\n  transition TakeRight\n    in Left: p\n    in Forks: next p\n    \
               out Eats: p\n\n  transition Put\n    in Eats: p\n    out Thinks: p\n    \
               out Forks: 1`p ++ 1`(next p)\n";
    std::fs::write(&path, net).unwrap();
    let net = path.to_str().unwrap();
    for (question, expected) in [
        (&["--deadlock"][..], 1),
        (&["--never", "size Left = 7"], 1),
        (&["--never", "size Eats > 3"], 0),
        (&["--reach", "size Eats = 3"], 0),
    ] {
        for (more, used) in [
            (&["--stubborn"][..], &["stubborn sets"][..]),
            (&["--stubborn", "--sleep"], &["stubborn sets", "sleep sets"]),
            (&["--sleep"], &["sleep sets"]),
        ] {
            let asked = [&["check", net, "--hunt", "off"], question, more].concat();
            let (status, report) = json(&asked);
            assert_eq!((status, &words(&report)[..]), (expected, used), "{asked:?}: {report}");
        }
    }
    let all = |more: &[&str]| {
        let dead = ["check", net, "--dead-states", "9", "--hunt", "off"];
        json(&[&dead[..], more].concat()).1
    };
    let (full, reduced) = (all(&[]), all(&["--stubborn"]));
    assert_eq!((&full["dead"], &reduced["dead"]), (&1.into(), &1.into()));
    assert!(
        reduced["states"].as_u64().unwrap() * 5 < full["states"].as_u64().unwrap(),
        "{reduced}"
    );
}
