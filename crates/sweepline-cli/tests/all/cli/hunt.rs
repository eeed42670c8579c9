//! `--hunt` and `--shortest` from outside.

use std::fs;

use super::{json, model, philosophers, run};

/// A net in a folder of its own.
fn net(n: usize) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.pnml").to_str().unwrap().to_owned();
    fs::write(&file, philosophers(n)).unwrap();
    (folder, file)
}

#[test]
fn a_deep_deadlock_is_found_on_any_number_of_threads() {
    let (_folder, net) = net(100);
    let check = [
        "check",
        &net,
        "--deadlock",
        "--never",
        "eat0 + eat1 = 2",
        "--state-limit",
        "300",
        "--no-structural",
    ];
    let found = |threads: &str| {
        let (status, report) = json(&[&check[..], &["--threads", threads]].concat());
        assert_eq!(status, 1, "{report}");
        (report["properties"].clone(), report["hunt"].clone())
    };
    let (properties, hunt) = found("1");
    assert_eq!(properties[0]["found_by"], "depth-first search with stubborn sets");
    assert_eq!(properties[0]["witness_length"], 100);
    assert_eq!(properties[1]["verdict"], "unknown");
    assert!(hunt["trips"].as_u64() > Some(0), "{hunt}");
    for threads in ["2", "8"] {
        assert_eq!(found(threads), (properties.clone(), hunt.clone()), "{threads} threads");
    }
    let (status, report) = json(&[&check[..], &["--hunt", "off"]].concat());
    assert_eq!((status, report.get("hunt")), (3, None), "{report}");
}

#[test]
fn many_successors_leave_room_for_a_deep_path() {
    let (_folder, net) = net(1000);
    let (status, report) = json(&["check", &net, "--deadlock"]);
    let property = &report["properties"][0];
    assert_eq!((status, &property["witness_length"]), (1, &1000.into()), "{property}");
    assert_eq!(property["found_by"], "depth-first search with stubborn sets");
}

#[test]
fn a_hunt_alone_never_shows_that_a_property_holds() {
    let net = model("mutex-broken");
    let check = ["check", &net, "--hunt", "only", "--state-limit", "20000"];
    let (status, report) = json(&[&check[..], &["--never", "inside_1 + inside_2 >= 2"]].concat());
    assert_eq!((status, &report["verdict"]), (1, &"violated".into()), "{report}");
    assert_eq!((&report["explored"], &report["method"]), (&0.into(), &"hunt".into()));
    assert!(report["stop"].is_null());
    let (status, report) = json(&[&check[..], &["--never", "inside_1 >= 2"]].concat());
    assert_eq!((status, &report["verdict"]), (3, &"unknown".into()), "{report}");
    assert_eq!(report["stop"], "state-limit");
    let (status, report) = json(&["check", &net, "--hunt", "only", "--bound", "inside_1"]);
    assert_eq!((status, &report["stop"]), (3, &"hunt".into()), "{report}");
}

#[test]
fn the_text_says_how_a_counterexample_was_found() {
    let (_folder, net) = net(70);
    let (status, text, _) = run(&["check", &net, "--deadlock", "--shortest", "--time-limit", "1s"]);
    assert_eq!(status, 1, "{text}");
    for part in [
        "counterexample to `no deadlock`, 70 steps:",
        "  found by the hunt: depth-first search with stubborn sets",
        "  no path has fewer than ",
        "; whether one is shorter than this is unknown",
        "hunt           1 trip, ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let saw = model("stop-and-wait");
    let reach = ["check", &saw, "--reach", "received = 2", "--shortest"];
    let (_, full) = json(&[&reach[..], &["--progress", "none"]].concat());
    let (_, swept) = json(&[&reach[..], &["--progress", "sent + received"]].concat());
    let length = |report: &serde_json::Value| report["properties"][0]["witness_length"].clone();
    assert_eq!(length(&full), length(&swept));
    assert_eq!(swept["properties"][0]["shortest_at_least"], length(&swept));
}

#[test]
fn options_that_do_not_fit_are_named() {
    let net = model("mutex-broken");
    let cases: [(&[&str], &str); 5] = [
        (&["--hunt", "only", "--progress", "none"], "`--progress`"),
        (&["--hunt", "only", "--ltl", "G !deadlock"], "a formula"),
        (&["--hunt", "only", "--stubborn"], "a reduction"),
        (&["--hunt", "only", "--checkpoint", "file"], "`--checkpoint`"),
        (&["--hunt", "off", "--hunt-seed", "3"], "`--hunt-seed`"),
    ];
    for (options, named) in cases {
        let (status, _, message) = run(&[&["check", &net, "--deadlock"], options].concat());
        assert_eq!(status, 2, "{options:?}");
        assert!(message.contains(named), "{options:?}: {message}");
    }
}
