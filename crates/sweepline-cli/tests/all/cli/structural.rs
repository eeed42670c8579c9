//! Properties that the structure of a net decides, and smaller nets.

use serde_json::Value;

use super::{json, model, philosophers, run};

fn words(report: &Value) -> String {
    report["reduction"].to_string()
}

fn verdicts(report: &Value) -> Vec<(String, Value)> {
    let rows = report["properties"].as_array().unwrap();
    rows.iter().map(|row| (row["verdict"].to_string(), row["value"].clone())).collect()
}

#[test]
fn what_the_structure_decides_is_not_explored() {
    let net = model("kanban");
    let ask = ["check", &net, "--never", "free_1 > 2", "--bound", "free_1 + done_1", "--deadlock"];
    let (status, report) = json(&ask);
    assert_eq!((status, &report["verdict"], &report["explored"]), (0, &"holds".into(), &0.into()));
    assert!(report["states"].is_null() && report["complete"] == false, "{report}");
    for row in report["properties"].as_array().unwrap() {
        assert_eq!(row["decided_by"], "place-invariants", "{row}");
        assert!(row["certificate"][0].as_str().unwrap().contains("in every reachable state"));
    }
    let (status, whole) = json(&[&ask[..], &["--no-structural"]].concat());
    assert_eq!((status, &whole["states"], &whole["complete"]), (0, &4600.into(), &true.into()));
    assert_eq!(verdicts(&report), verdicts(&whole));
    assert!(whole["properties"][0]["decided_by"].is_null());
    // Options that say how to explore, or that a count is wanted.
    for option in
        [&["--progress", "done_1"][..], &["--method", "full"], &["--count"], &["--stubborn"]]
    {
        let (_, explored) = json(&[&ask[..], option].concat());
        assert!(explored["explored"].as_u64() > Some(0), "{option:?}: {explored}");
    }
}

#[test]
fn the_reason_is_shown_on_request() {
    let ask = ["check", &model("kanban"), "--never", "free_1 > 2"];
    let text = run(&ask).1;
    assert!(text.starts_with("holds     never  free_1 > 2  (by a place invariant)\n\n"), "{text}");
    assert!(text.contains("explored       nothing"), "{text}");
    let text = run(&[&ask[..], &["--explain"]].concat()).1;
    let reason =
        "tokens(machine_1) + tokens(rework_1) + tokens(done_1) + tokens(free_1) = 2 in every";
    assert!(text.contains(reason), "{text}");
}

#[test]
fn with_and_without_structure_the_verdicts_are_the_same() {
    let ask = [
        "--deadlock",
        "--examination=OneSafe",
        "--examination=QuasiLiveness",
        "--examination=Liveness",
        "--examination=StableMarking",
        "--examination=ReachabilityDeadlock",
        "--bound=2",
    ];
    for name in ["kanban", "lift", "mutex-broken", "philosophers", "stop-and-wait", "workshop"] {
        let net = model(name);
        let check = [&["check", &net][..], &ask].concat();
        let (status, report) = json(&check);
        let (same, whole) = json(&[&check[..], &["--no-structural"]].concat());
        assert_eq!((status, verdicts(&report)), (same, verdicts(&whole)), "{name}");
    }
}

#[test]
fn a_glance_that_is_not_enough_changes_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("net.pnml").to_str().unwrap().to_owned();
    std::fs::write(&net, philosophers(12)).unwrap();
    let both = "eat0 + eat1 = 2";
    let ask = ["--never", both, "--deadlock", "--bound", "eat0 + eat3 + eat5", "--reach", both];
    let check = [&["check", &net][..], &ask].concat();
    let (status, report) = json(&check);
    let (same, whole) = json(&[&check[..], &["--no-structural", "--hunt", "off"]].concat());
    assert_eq!((status, verdicts(&report)), (same, verdicts(&whole)), "{report}");
    assert_eq!(whole["states"], 531_441);
}

#[test]
fn smaller_nets_show_counterexamples_of_the_original_net() {
    let net = model("philosophers");
    let (status, report) = json(&["check", &net, "--deadlock", "--reduce", "auto"]);
    assert_eq!((status, &report["properties"][0]["witness_length"]), (1, &5.into()));
    assert!(words(&report).contains("structural: 20 places, 20 transitions instead of 25, 25"));
    let text = run(&["check", &net, "--deadlock", "--reduce", "auto"]).1;
    assert!(text.contains("  5  take_left_5"), "{text}");
    let net = model("two-phase-commit");
    let both = "committed_1 > 0 and fireable(commit_2)";
    let reach = ["check", &net, "--reach", both, "--reduce", "auto"];
    let (status, report) = json(&reach);
    assert!(status == 0 && words(&report).contains("structural: "), "{report}");
    let text = run(&[&reach[..], &["--full-trace"]].concat()).1;
    assert!(text.contains("decide_commit") && text.contains("commit_1"), "{text}");
    // A property that needs states, and an option that says how to explore.
    for other in
        ["--dead-transitions", "--examination=StateSpace", "--no-structural", "--method=full"]
    {
        let (_, report) = json(&[&reach[..], &[other]].concat());
        assert!(!words(&report).contains("structural"), "{other}: {report}");
    }
}
