//! Questions about strongly connected components: home, liveness, fairness, termination.

use serde_json::Value;

use super::{json, model, run};

/// What a report says to each question: kind, name, verdict and findings.
fn answers(report: &Value) -> Vec<(String, String, String, Value)> {
    let properties = report["properties"].as_array().expect("properties");
    let text = |property: &Value, field: &str| property[field].as_str().expect(field).to_owned();
    let answer =
        |p: &Value| (text(p, "kind"), text(p, "name"), text(p, "verdict"), p["findings"].clone());
    properties.iter().map(answer).collect()
}

const QUESTIONS: [&str; 13] = [
    "--never",
    "received > sent + 1",
    "--home",
    "received = 20",
    "--home",
    "received < 20",
    "--live",
    "lose_data_0",
    "--fair",
    "send_0",
    "--terminates",
    "--reversible",
    "--components",
];

#[test]
fn sweeps_and_full_exploration_give_the_same_answers() {
    let file = model("stop-and-wait");
    let ask = |method: &[&str]| json(&[&["check", &file], &QUESTIONS[..], method].concat());
    let (status, full) = ask(&["--method", "full"]);
    let words: Vec<String> = answers(&full).into_iter().map(|answer| answer.2).collect();
    let expected =
        ["holds", "holds", "violated", "violated", "violated", "holds", "violated", "holds"];
    assert_eq!((status, words), (1, expected.map(str::to_owned).to_vec()));
    for witness in ["disk", "recompute"] {
        let (_, swept) = ask(&["--progress", "sent + received", "--witness", witness]);
        assert_eq!(answers(&swept), answers(&full), "{witness}");
        assert_eq!((&swept["method"], &swept["states"]), (&"sweep".into(), &1080.into()));
        assert!(swept["peak_states"].as_u64() < Some(40));
        assert_eq!(swept["notes"], Value::Null);
    }
}

#[test]
fn where_a_measure_goes_back_components_are_found_in_full_and_it_says_so() {
    let file = model("stop-and-wait");
    let ask = |method: &[&str]| json(&[&["check", &file], &QUESTIONS[..], method].concat()).1;
    let (full, swept) = (ask(&["--method", "full"]), ask(&["--progress", "received - sent"]));
    assert_eq!(answers(&swept), answers(&full));
    assert_eq!((&swept["method"], &swept["progress"]), (&"full".into(), &"none".into()));
    let note = swept["notes"][0].as_str().expect("a note");
    assert_eq!(
        note,
        "the measure `received - sent` is not monotone, so every state was stored to find the strongly connected components"
    );
    // A violation is true under any measure.
    let args = ["check", &file, "--progress", "received - sent", "--terminates", "--json"];
    let (status, ended) = json(&args[..5]);
    assert_eq!((status, &ended["method"]), (1, &"sweep".into()), "{ended}");
}

#[test]
fn fairness_is_told_by_its_class() {
    let args = ["--fair", "send_0", "--fair", "lose_data_0", "--fair", "keep_0"];
    let (_, report) = json(&[&["check", &model("stop-and-wait")], &args[..]].concat());
    let classes: Vec<(String, Value)> =
        answers(&report).into_iter().map(|(_, _, verdict, class)| (verdict, class)).collect();
    // Without sending nothing goes on for ever. What is sent may be lost again and again while another
    // packet waits to be kept.
    let expected = [("holds", "fair"), ("violated", "just"), ("violated", "no fairness")];
    let expected = expected.map(|(verdict, class)| (verdict.to_owned(), vec![class].into()));
    assert_eq!(classes, expected);
}

#[test]
fn coloured_nets_and_processes_are_asked_by_their_names() {
    let net = model("protocol").replace(".pnml", ".cpn");
    for name in ["Protocol'Receive 1", "Protocol'Receive", "Receive"] {
        let home = "length (hd Received) = 3";
        let (status, report) = json(&[
            "check",
            &net,
            "--live",
            name,
            "--home",
            home,
            "--progress",
            "length (hd Received)",
        ]);
        let words: Vec<String> = answers(&report).into_iter().map(|answer| answer.2).collect();
        assert_eq!((status, words), (1, vec!["holds".to_owned(), "violated".to_owned()]), "{name}");
        assert_eq!(report["method"], "sweep");
    }
    // There are two instances of the page.
    let (status, _, error) = run(&["check", &net, "--live", "Transmit"]);
    assert_eq!(status, 2);
    assert!(error.contains("several transitions are called `Transmit` (`--live`)"), "{error}");
    assert!(error.contains("Network'Transmit 2"), "{error}");
    let script = model("seeds/stop-and-wait").replace(".pnml", ".csp");
    let (status, report) =
        json(&["check", &script, "--reversible", "--components", "--live", "deliver"]);
    assert_eq!(status, 0, "{report}");
}

#[test]
fn what_does_not_go_with_components_is_refused() {
    let file = model("stop-and-wait");
    let refused = |args: &[&str]| {
        let (status, _, error) = run(&[&["check", &file, "--terminates"], args].concat());
        assert_eq!(status, 2);
        error.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let cache = refused(&["--method", "cache", "--cache", "100"]);
    assert!(cache.contains("components cannot be used with"), "{cache}");
    let saved = refused(&["--checkpoint", "no-such-folder/x"]);
    assert!(saved.contains("`--checkpoint` cannot be used with home"), "{saved}");
}

#[test]
fn the_class_of_fairness_is_told_along_a_measure_that_falls() {
    let net = sweepline_pnml::Net::builder("there and back").place("a", 1).place("b", 0);
    let net = net.place("c", 0).transition("x", &[("a", 1)], &[("b", 1)]);
    let net = net.transition("y", &[("b", 1)], &[("a", 1)]);
    let net = net.transition("t", &[("a", 1)], &[("c", 1)]);
    let net = net.transition("z", &[("c", 1)], &[("a", 1)]).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.pnml");
    std::fs::write(&file, net.to_pnml()).unwrap();
    let file = file.to_str().unwrap();
    for options in [&[][..], &["--progress=c"], &["--progress=c", "--window=1"]] {
        for (transition, class) in [("t", "just"), ("z", "fair")] {
            let fair = format!("--fair={transition}");
            let (_, report) = json(&[&["check", file, &fair], options].concat());
            let found = &report["properties"][0]["findings"];
            assert_eq!(found, &serde_json::json!([class]), "{options:?} {report}");
        }
    }
}
