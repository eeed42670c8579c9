//! Models without end: what `check` says of them, and when.

use std::fs;
use std::path::PathBuf;

use super::{json, run};

/// A machine that repeats the same three steps, each time later.
const CYCLE: &str = "\
colset C = with c timed;
var x: C;

page Machine
  place Idle: C = 1`c
  place Paid: C
  place Done: C

  transition Pay
    in Idle: x
    out Paid: x @+ 3

  transition Print
    in Paid: x
    out Done: x @+ 2

  transition Take
    in Done: x
    out Idle: x @+ 1
";

fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let file: PathBuf = folder.path().join(name);
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn markings_that_repeat_at_later_times_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let net = written(&folder, "cycle.cpnt", CYCLE);
    let (status, report) = json(&["check", &net, "--deadlock", "--live", "Take"]);
    assert_eq!((status, &report["states"], &report["complete"]), (0, &4.into(), &true.into()));
    let notes = report["notes"].to_string();
    assert!(notes.contains("chose `--equivalence time`"), "{notes}");
    // What looks at the time keeps them apart.
    let (status, report) = json(&["check", &net, "--never", "IntInf.toInt (time ()) > 1000000"]);
    assert_eq!((status, &report["stop"]), (3, &"endless".into()), "{report}");
    assert_eq!(report["properties"][0]["verdict"], "unknown");
    let (_, text, _) = run(&["check", &net, "--never", "IntInf.toInt (time ()) > 1000000"]);
    assert!(text.contains("a property depends on model time"), "{text}");
    let (status, text, warning) = run(&["report", &net]);
    assert!(status == 0 && text.contains("Nodes:  4"), "{text}");
    assert!(warning.contains("chose `--equivalence time`"), "{warning}");
    // The user may want them apart.
    let apart = ["check", &net, "--deadlock", "--progress", "time", "--state-limit", "50000"];
    let (status, report) = json(&apart);
    assert_eq!((status, &report["stop"]), (3, &"state-limit".into()));
}

#[test]
fn a_timed_net_with_an_end_is_explored_as_it_is() {
    // Forty thousand steps, of which many lead to the same marking at another time.
    let folder = tempfile::tempdir().unwrap();
    let text = CYCLE.replace("place Done: C\n", "place Done: C\n  place Coins: INT = 1`40000\n");
    let text = text.replace("colset C", "colset INT = int;\nvar n: INT;\ncolset C");
    let text = text.replace(
        "    in Idle: x\n",
        "    guard n > 0\n    in Idle: x\n    in Coins: n\n    out Coins: n - 1\n",
    );
    let net = written(&folder, "coins.cpnt", &text);
    let (status, report) = json(&["check", &net, "--terminates"]);
    assert_eq!(
        (status, &report["states"], &report["progress"]),
        (0, &120_001.into(), &"time".into())
    );
    assert!(report["notes"].is_null(), "{report}");
}

#[test]
fn what_keeps_growing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let counter = "\
colset INT = int;
var n: INT;

page Main
  place Turns: INT = 1`0
  place Spare: INT = 1`0

  transition Turn
    in Turns: n
    out Turns: n + 1

  transition Skip
    guard n < 3
    in Spare: n
    out Spare: n + 1
";
    let net = written(&folder, "counter.cpnt", counter);
    let (status, report) = json(&["check", &net, "--deadlock", "--state-limit", "300000"]);
    assert_eq!((status, &report["stop"]), (3, &"state-limit".into()));
    let notes = report["notes"].to_string();
    assert!(notes.contains("Turns` keeps growing") && !notes.contains("Spare"), "{notes}");
    assert!(notes.contains("--equivalence"), "{notes}");
    let producer = super::model("producer");
    // The structure of the net shows that it has no deadlock.
    let whole = ["--state-limit", "300000", "--no-structural"];
    let (_, report) = json(&[&["check", &producer, "--deadlock"], &whole[..]].concat());
    assert!(report["notes"].to_string().contains("`buffer` keeps growing"), "{report}");
    // Whoever gives a measure knows what grows.
    let given =
        ["check", &producer, "--deadlock", "--state-limit", "300000", "--progress", "buffer"];
    assert!(json(&given).1["notes"].is_null());
}
