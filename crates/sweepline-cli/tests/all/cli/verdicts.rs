//! What is checked without being asked for, and what is said where nothing is.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::{json, model, run};

/// A coloured net of two markings that declares four properties, two of them violated.
const DECLARES: &str = "\
colset UNIT = unit;

page Main
  place A: UNIT = 1`()
  place B: UNIT

  transition T
    in A: ()
    out B: ()

property stuck: deadlock
property empty: never size B > 0
property one: never size B > 1
property moved: reach size B = 1
";

/// A file in a folder of its own.
fn file(name: &str, text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// The verdicts of a report, by the names of the properties.
fn verdicts(report: &Value) -> Vec<(&str, &str)> {
    let rows = report["properties"].as_array().unwrap();
    rows.iter()
        .map(|row| (row["name"].as_str().unwrap(), row["verdict"].as_str().unwrap()))
        .collect()
}

#[test]
fn declared_properties_are_checked() {
    let (_folder, net) = file("net.cpnt", DECLARES);
    let drawn = net.replace(".cpnt", ".cpn");
    assert_eq!(run(&["convert", &net, &drawn]).0, 0);
    let all = [("stuck", "violated"), ("empty", "violated"), ("one", "holds"), ("moved", "holds")];
    for net in [&net, &drawn] {
        let (status, report) = json(&["check", net]);
        assert_eq!((status, &report["verdict"]), (1, &"violated".into()));
        assert_eq!(verdicts(&report), all);
        // What options ask comes on top.
        let (_, report) = json(&["check", net, "--reach=size A = 0"]);
        assert_eq!(verdicts(&report)[0], ("size A = 0", "holds"));
        assert_eq!(verdicts(&report)[1..], all);
        let (status, report) = json(&["check", net, "--property=one", "--bound=size B"]);
        assert_eq!(verdicts(&report), [("size B", "holds"), ("one", "holds")]);
        assert_eq!((status, &report["verdict"]), (0, &"holds".into()));
        let (status, report) = json(&["check", net, "--property=none", "--deadlock"]);
        assert_eq!((status, verdicts(&report)), (1, vec![("deadlock", "violated")]));
    }
}

#[test]
fn a_declared_property_that_an_option_excludes_is_named_with_what_to_type() {
    let (folder, net) = file("net.cpnt", &format!("{DECLARES}property back: reversible\n"));
    let saved = folder.path().join("saved").to_str().unwrap().to_owned();
    for options in [&["--checkpoint", &saved][..], &["--method=cache", "--cache=9"]] {
        let (status, _, stderr) = run(&[&["check", &net], options].concat());
        assert_eq!(status, 2, "{stderr}");
        let stderr = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in ["declares such a property", "--property none"] {
            assert!(stderr.contains(words), "{words}: {stderr}");
        }
        assert_eq!(run(&[&["check", &net, "--property=one"], options].concat()).0, 0);
    }
}

#[test]
fn where_nothing_is_asked_nothing_is_said_to_hold() {
    let (_csp, script) = file("p.csp", "channel a\nP = a -> P\nassert P :[deadlock free]\n");
    let (_aut, lts) = file("p.aut", "des (0,1,1)\n(0,\"a\",0)\n");
    let (_cpnt, net) = file("net.cpnt", DECLARES);
    let philosophers = model("philosophers");
    for asked in [
        &[&*philosophers][..],
        &[&lts],
        &[&script, "--process=P"],
        &[&script, "--property=none"],
        &[&net, "--property=none"],
    ] {
        for options in [&[][..], &["--progress=none", "--witness=off"]] {
            let (status, report) = json(&[&["check"], asked, options].concat());
            assert_eq!((status, &report["verdict"]), (0, &Value::Null), "{asked:?}");
            assert_eq!(
                (&report["properties"], &report["complete"]),
                (&Value::Array([].into()), &true.into())
            );
            let notes = report["notes"].as_array().unwrap();
            assert!(
                notes.iter().any(|note| note.as_str().unwrap().contains("no property was checked"))
            );
        }
        let (_, text, _) = run(&[&["check"], asked].concat());
        assert!(text.contains("no property was checked: ") && !text.contains("holds"), "{text}");
    }
    // A limit is still told by the exit status.
    let (status, report) = json(&["check", &philosophers, "--state-limit=5"]);
    assert_eq!(
        (status, &report["verdict"], &report["stop"]),
        (3, &Value::Null, &"state-limit".into())
    );
}

#[test]
fn options_say_that_they_leave_assertions_unchecked() {
    let (_folder, script) = file("p.csp", "channel a\nP = a -> P\nassert P :[divergence free]\n");
    let (_, text, _) = run(&["check", &script, "--deadlock"]);
    assert!(text.contains("assertions of the script (1) were not checked"), "{text}");
    let (_, text, _) = run(&["check", &script]);
    assert!(!text.contains("not checked"), "{text}");
}

#[test]
fn a_resumed_run_checks_what_the_model_declares() {
    // Endless, so that the first run ends at its limit.
    let text = "colset INT = int;\n\npage Main\n  place A: INT = 1`0\n\n  transition T\n    in A: n\n    out A: n + 1\n\nvar n: INT;\n\nproperty few: never hd A > 3000\n";
    let (folder, net) = file("net.cpnt", text);
    let saved = folder.path().join("saved").to_str().unwrap().to_owned();
    let (status, report) = json(&["check", &net, "--checkpoint", &saved, "--state-limit=1000"]);
    assert_eq!((status, verdicts(&report)), (3, vec![("few", "unknown")]));
    let (status, report) = json(&["check", &net, "--resume", &saved]);
    assert_eq!((status, verdicts(&report)), (1, vec![("few", "violated")]));
}

#[test]
fn a_process_that_has_terminated_is_not_deadlocked() {
    let (_aut, lts) = file("end.aut", "des (0,2,3)\n(0,\"a\",1)\n(1,\"✓\",2)\n");
    let text =
        "channel a, b\nSYSTEM = (a -> SKIP) ||| (b -> SKIP)\nassert SYSTEM :[deadlock free]\n";
    let (_csp, script) = file("end.csp", text);
    for process in [&lts, &script] {
        for options in [&[][..], &["--stubborn", "--sleep"], &["--method=cache", "--cache=99"]] {
            let asked = ["--deadlock", "--never=deadlock", "--dead-states=9"];
            let (status, report) = json(&[&["check", process], &asked[..], options].concat());
            assert_eq!((status, &report["dead"]), (0, &0.into()), "{report}");
            assert_eq!(report["properties"][2]["findings"], Value::Null, "{report}");
        }
        let (status, _) = json(&["check", process, "--ltl=G !deadlock", "--ctl=AG !deadlock"]);
        assert_eq!(status, 0);
        let (status, report) = json(&["report", process]);
        assert_eq!((status, &report["dead_markings"]["count"]), (0, &0.into()), "{report}");
        assert!(run(&["simulate", process]).1.contains("terminated"));
        assert_eq!(json(&["check", process, "--reach=deadlock"]).0, 1);
    }
    assert_eq!(json(&["check", &script]).0, 0);
    // One that stops is.
    let (_csp, script) =
        file("stop.csp", "channel a\nP = a -> SKIP ||| STOP\nassert P :[deadlock free]\n");
    assert_eq!(json(&["check", &script]).0, 1);
    let (_, report) =
        json(&["check", &script, "--deadlock", "--never=deadlock", "--ltl=G !deadlock"]);
    assert!(verdicts(&report).iter().all(|(_, verdict)| *verdict == "violated"), "{report}");
}

#[test]
fn a_process_without_internal_steps_has_no_dead_ones() {
    let (_aut, lts) = file("two.aut", "des (0,2,2)\n(0,\"a\",1)\n(1,\"b\",0)\n");
    let (status, report) = json(&["check", &lts, "--dead-transitions"]);
    assert_eq!((status, &report["verdict"]), (0, &"holds".into()), "{report}");
    let (_, text, _) = run(&["report", &lts]);
    assert!(!text.contains('τ') && !text.contains('✓'), "{text}");
    // Formulas may still name them.
    assert_eq!(run(&["check", &lts, "--ltl=G !\"✓\" && G !\"τ\""]).0, 0);
    // A `✓` that cannot happen is dead, an event that cannot synchronise too.
    let text = "channel a, b\nP = a -> P [] STOP; SKIP\nQ = b -> SKIP\nSYSTEM = P [| {b} |] Q\n";
    let (_csp, script) = file("p.csp", text);
    let (status, report) = json(&["check", &script, "--dead-transitions"]);
    assert_eq!((status, &report["properties"][0]["findings"]), (1, &serde_json::json!(["✓", "b"])));
}

#[test]
fn components_are_a_measure_of_every_process() {
    let (_folder, script) = file("p.csp", "channel a\nP = a -> P\n");
    for options in [&["--progress=components"][..], &["--method=sweep"]] {
        let (status, report) =
            json(&[&["check", &script, "--process=P", "--deadlock"], options].concat());
        assert_eq!(
            (status, &report["progress"], &report["states"]),
            (0, &"components".into(), &1.into())
        );
    }
}
