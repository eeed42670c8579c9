//! Statistics of random runs.

use std::fs;

use super::{json, model, run};

#[test]
fn runs_are_counted_and_covered() {
    let net = model("mutex-broken");
    let runs = ["simulate", &net, "--runs", "200", "--steps", "40", "--summary"];
    let both = "inside_1 + inside_2 >= 2";
    let (status, report) =
        json(&[&runs[..], &["--never", both, "--never", "inside_1 > 1"]].concat());
    assert_eq!((status, report["runs"].as_array().map(Vec::len)), (1, Some(0)));
    let statistics = &report["statistics"];
    assert_eq!((&statistics["runs"], &statistics["steps"]), (&200.into(), &8_000.into()));
    assert_eq!(statistics["ends"]["steps"], 200);
    let violated = statistics["never"][0]["runs"].as_u64().unwrap();
    assert!(violated > 20 && violated <= 200, "{statistics}");
    assert_eq!(statistics["never"][1]["runs"], 0);
    assert_eq!(statistics["never_fired"], serde_json::json!([]));
    // The run that is named meets the condition at the step that is named, and not before.
    let first = &statistics["never"][0];
    let (seed, step) = (first["seed"].to_string(), first["step"].as_u64().unwrap());
    let again = ["simulate", &net, "--seed", &seed, "--steps", "40", "--until", both];
    let (_, report) = json(&again);
    assert_eq!(
        (&report["runs"][0]["length"], &report["runs"][0]["end"]),
        (&step.into(), &"until".into())
    );
}

#[test]
fn what_is_never_covered_is_listed() {
    let net = model("workshop");
    let (status, text, _) = run(&["simulate", &net, "--runs", "3", "--steps", "1", "--summary"]);
    assert_eq!(status, 0);
    assert!(text.contains("\n  3 (100.0%) stopped (`--steps`)\n"), "{text}");
    assert!(text.contains("transitions that never fired ("), "{text}");
    assert!(text.contains("places that were never marked ("), "{text}");
}

#[test]
fn the_mean_lies_in_its_confidence_interval() {
    let saw = model("stop-and-wait");
    let (status, report) = json(&[
        "simulate",
        &saw,
        "--runs",
        "100",
        "--steps",
        "60",
        "--summary",
        "--observe",
        "received",
    ]);
    assert_eq!(status, 0);
    let observed = &report["statistics"]["observed"][0];
    let number = |field: &str| observed[field].as_f64().unwrap();
    let (low, high) =
        (observed["confidence"][0].as_f64().unwrap(), observed["confidence"][1].as_f64().unwrap());
    assert!(low < number("mean") && number("mean") < high, "{observed}");
    assert!(number("least") <= low && high <= number("greatest"), "{observed}");
    let half = 1.984 * number("deviation") / 10.0;
    assert!((high - number("mean") - half).abs() < 0.01, "{observed}");
    let counts =
        observed["histogram"].as_array().unwrap().iter().map(|bin| bin[1].as_u64().unwrap());
    assert_eq!(counts.sum::<u64>(), 100);
    // Exact for the same seed: the mean of the values at the ends of the runs.
    let (_, same) = json(&[
        "simulate",
        &saw,
        "--runs",
        "100",
        "--steps",
        "60",
        "--summary",
        "--observe",
        "received",
    ]);
    assert_eq!(same, report);
}

/// A guard that is false whenever the input arcs can bind is told from a transition without tokens.
#[test]
fn guards_that_are_never_true_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.cpnt");
    let net = "colset NO = int;\ncolset LIST = list NO;\nvar n, m : NO;\nvar l : LIST;\n\n\
               page Top\n  place Next : NO = 1`0\n  place Empty : NO\n  place Lists : LIST = 1`[]\n\n  \
               transition Count\n    guard n < 30\n    in Next: n\n    out Next: n + 1\n\n  \
               transition Late\n    guard n > 100\n    both Next: n\n\n  \
               transition Starved\n    guard m > 100\n    both Empty: m\n\n  \
               transition Possible\n    guard n = 29\n    both Next: n\n    both Empty: m\n\n  \
               transition Protected\n    guard l <> [] andalso hd l > 0\n    both Lists: l\n\n  \
               transition Rare\n    guard n = 30\n    both Next: n\n";
    fs::write(&path, net).unwrap();
    let net = path.to_str().unwrap();
    let names = |list: &serde_json::Value| -> Vec<String> {
        let names = list.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
        names.map(|name| name.split('\'').nth(1).unwrap().to_owned()).collect()
    };
    let short = json(&["simulate", net, "--runs", "3", "--steps", "10", "--summary"]).1;
    let never = &short["statistics"]["guards_never_true"];
    assert_eq!(names(never), ["Late 1", "Protected 1", "Rare 1"]);
    let fired = names(&short["statistics"]["never_fired"]);
    assert_eq!(fired, ["Late 1", "Starved 1", "Possible 1", "Protected 1", "Rare 1"]);
    let long = json(&["simulate", net, "--runs", "1", "--steps", "40", "--summary"]).1;
    assert_eq!(names(&long["statistics"]["guards_never_true"]), ["Late 1", "Protected 1"]);
    let (status, text, _) = run(&["simulate", net, "--runs", "1", "--steps", "40", "--summary"]);
    let line = "of these, guards that were false each time the arcs could bind (2): \"Top'Late 1\", \"Top'Protected 1\"\n";
    assert!(status == 0 && text.contains(line), "{text}");
    // A guard that was true is not listed, even if the transition did not fire.
    let until = ["--until", "hd Next = 30"];
    let ended = [&["simulate", net, "--runs", "1", "--steps", "99", "--summary"][..], &until];
    let (_, ended) = json(&ended.concat());
    assert_eq!(names(&ended["statistics"]["guards_never_true"]), ["Late 1", "Protected 1"]);
    assert!(names(&ended["statistics"]["never_fired"]).contains(&"Rare 1".to_owned()));
    // Nets without guards have no such list.
    let (_, plain) = json(&["simulate", &model("workshop"), "--runs", "1", "--summary"]);
    assert_eq!(plain["statistics"].get("guards_never_true"), None);
}
