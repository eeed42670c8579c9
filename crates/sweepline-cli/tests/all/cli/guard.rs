//! Limits hold and interrupts work whatever the model does: in every phase of a command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::{json, run};

/// A function that takes `n` steps.
const LOOP: &str = "fun loop (0, x) = x\n  | loop (n, x) = loop (n - 1, (x + n) mod 1000);\n";

/// Models that take far longer than a second: to read, to compute an initial marking, to find the bindings of the first
/// state, to evaluate an inscription after a few states.
const SLOW: [(&str, &str); 4] = [
    (
        "initial.cpnt",
        "colset INT = int;\npage P\n  place A : INT = 1`(loop (450000000, 1))\n  place B : INT = 1`(loop (450000000, 2))\n  place C : INT = 1`(loop (450000000, 3))\n",
    ),
    (
        "bindings.cpnt",
        "colset NO = int with 1..100;\nvar a, b, c, d, e, f : NO;\npage P\n  place A : NO = NO.all()\n  transition T\n    guard a + b + c + d + e + f = 601\n    in A: 1`a ++ 1`b ++ 1`c ++ 1`d ++ 1`e ++ 1`f\n",
    ),
    (
        "inscription.cpnt",
        "colset INT = int;\nvar n : INT;\npage P\n  place A : INT = 1`0\n  transition T\n    in A: n\n    out A: if n > 2 then loop (450000000, n) + loop (450000000, 2) else n + 1\n",
    ),
    (
        "channel.csp",
        "fib(n) = if n < 2 then n else fib(n-1) + fib(n-2)\nchannel a:{0..fib(40)}\nP = a?x -> P\nassert P :[deadlock free]\n",
    ),
];

fn slow(folder: &Path) -> Vec<String> {
    SLOW.iter()
        .map(|(name, text)| {
            let path = folder.join(name);
            let before = if name.ends_with("cpnt") { LOOP } else { "" };
            fs::write(&path, format!("{before}{text}")).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn the_time_limit_holds_in_every_phase() {
    let folder = tempfile::tempdir().unwrap();
    for model in slow(folder.path()) {
        let (status, report) = json(&["check", &model, "--time-limit", "500ms"]);
        assert_eq!((status, &report["stop"]), (3, &"time-limit".into()), "{model}");
        assert_eq!(report["complete"], false, "{model}");
    }
}

#[test]
fn the_time_limit_holds_for_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let (net, script) = (folder.path().join("net.cpnt"), folder.path().join("script.sml"));
    fs::write(&net, "colset INT = int;\npage P\n  place A : INT = 1`1\n").unwrap();
    let evaluations = "val a = loop (450000000, 1);\n".repeat(20);
    fs::write(&script, format!("{LOOP}{evaluations}")).unwrap();
    let args = ["ml", net.to_str().unwrap(), script.to_str().unwrap(), "--time-limit", "500ms"];
    let (status, _, errors) = run(&args);
    assert_eq!(status, 3, "{errors}");
}

#[test]
#[cfg(unix)]
fn the_first_interrupt_ends_every_phase() {
    let folder = tempfile::tempdir().unwrap();
    for model in slow(folder.path()) {
        let child = Command::new(assert_cmd::cargo::cargo_bin!("sweepline"))
            .args(["check", &model, "--json", "--time-limit", "60s"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(800));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let stop = (output.status.code(), &report["stop"]);
        assert_eq!(stop, (Some(130), &"interrupted".into()), "{model}");
    }
}

/// Models that take all memory there is: values that double, a process without end, processes without number.
fn greedy(folder: &TempDir) -> Vec<PathBuf> {
    let models = [
        (
            "lists.cpnt",
            "colset INT = int;\ncolset LIST = list INT;\nvar l : LIST;\npage P\n  place A : LIST = 1`[1]\n  transition T\n    in A: l\n    out A: l ^^ l\n",
        ),
        ("counter.csp", "channel a\nP(n) = a -> P(n+1)\nassert P(0) :[deadlock free]\n"),
        (
            "sets.csp",
            "channel a:{0..999}\nP(s) = a?x -> P(union(s,{x}))\nassert P({}) :[deadlock free]\n",
        ),
    ];
    let write = |(name, text): (&str, &str)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    models.map(write).to_vec()
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_limit_holds_in_every_phase() {
    let folder = tempfile::tempdir().unwrap();
    for model in greedy(&folder) {
        let model = model.to_str().unwrap();
        let (status, report) = json(&["check", model, "--memory-limit", "40M"]);
        assert_eq!((status, &report["stop"]), (3, &"memory-limit".into()), "{model}");
        let peak = report["peak_rss"].as_u64().unwrap();
        assert!(peak < (44 << 20) + (10 << 20), "{model}: {peak} bytes");
    }
}

/// A system that refuses memory is a limit like another, not an abort.
#[test]
#[cfg(target_os = "linux")]
fn refused_memory_is_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    for model in greedy(&folder) {
        let sweepline = assert_cmd::cargo::cargo_bin!("sweepline");
        let command = "ulimit -v 300000; exec \"$0\" check \"$1\" --json";
        let mut shell = Command::new("sh");
        let output = shell.args(["-c", command]).arg(sweepline).arg(&model).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{}: {errors}", model.display());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["stop"], "memory-limit", "{}", model.display());
    }
}
