//! `--spill`: explorations larger than memory, and everything that can be wrong with the folder.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::{json, model, philosophers, run};

/// A net in a folder of its own, and a folder for states.
fn net(n: usize) -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (net, states) = (path("net.pnml"), path("states"));
    fs::write(&net, philosophers(n)).unwrap();
    fs::create_dir(&states).unwrap();
    (folder, net, states)
}

/// What does not depend on the memory.
fn results(report: &Value) -> Vec<&Value> {
    ["verdict", "stop", "properties", "states", "edges", "dead", "peak_states", "complete"]
        .map(|field| &report[field])
        .to_vec()
}

#[test]
#[cfg(target_os = "linux")]
fn a_net_of_more_than_three_times_the_limit_is_explored_exactly() {
    let (_folder, net, states) = net(14);
    // The deadlock has a counterexample; neighbours never eat together, which needs all states.
    // A hunt would find the deadlock before the memory is full.
    let check = [
        "check",
        &net,
        "--method",
        "full",
        "--deadlock",
        "--never",
        "eat0 + eat1 = 2",
        "--hunt",
        "off",
    ];
    let limit: u64 = 22 << 20;
    let (status, whole) = json(&check);
    assert_eq!((status, &whole["states"]), (1, &4_782_969.into()));
    assert!(whole["peak_rss"].as_u64() > Some(3 * limit), "{whole}");
    let check = [&check[..], &["--memory-limit", "22M"]].concat();
    let (status, report) = json(&check);
    assert_eq!((status, &report["stop"]), (3, &"memory-limit".into()));
    let (status, report) = json(&[&check[..], &["--spill", &states]].concat());
    assert_eq!((status, results(&report)), (1, results(&whole)));
    assert!(report["peak_rss"].as_u64() < Some(limit), "{report}");
    assert!(report["disk_peak_bytes"].as_u64() > Some(limit), "{report}");
    assert!(report["disk_peak_bytes"].as_u64() <= report["spilled_bytes"].as_u64());
    assert_eq!(report["threads"], 1);
    assert_eq!(fs::read_dir(&states).unwrap().count(), 0, "files remain");
}

#[test]
fn counterexamples_and_witnesses_are_those_of_a_run_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let spill = ["--memory-limit", "2G", "--spill", folder];
    let (saw, workshop) = (model("stop-and-wait"), model("workshop"));
    let cases = [
        vec!["check", &saw, "--progress", "none", "--reach", "received = 20", "--deadlock"],
        vec!["check", &saw, "--progress", "received", "--reach", "received = 20"],
        vec!["check", &workshop, "--never", "shipped = 2", "--full-trace"],
    ];
    for case in cases {
        let (status, report) = json(&case);
        let (spilled, same) = json(&[&case[..], &spill].concat());
        assert_eq!((spilled, results(&same)), (status, results(&report)), "{case:?}");
        assert!(same.get("spilled_bytes").is_none(), "there is memory");
    }
}

/// Runs a line of a shell, in which `$0` is the command.
fn shell(line: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", line]).arg(assert_cmd::cargo::cargo_bin!("sweepline"));
    command.env("NO_COLOR", "1").stdin(Stdio::null()).output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_ends_the_run_as_unknown() {
    let (_folder, net, states) = net(13);
    let check = format!(
        "check {net} --method full --bound eat0 --never 'eat0 + eat1 = 2' --json --witness off --memory-limit 20M --spill {states}"
    );
    // Every write beyond this length of a file fails.
    let output = shell(&format!("trap '' XFSZ; ulimit -f 300; exec \"$0\" {check}"));
    let text = String::from_utf8(output.stdout).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!((output.status.code(), &report["stop"]), (Some(3), &"disk".into()), "{report}");
    let message = report["stop_message"].as_str().unwrap();
    assert!(message.contains(&format!("written to the folder `{states}`")), "{message}");
    let verdicts: Vec<&Value> =
        report["properties"].as_array().unwrap().iter().map(|row| &row["verdict"]).collect();
    assert_eq!(verdicts, ["unknown", "unknown"]);
    assert_eq!(report["complete"], false);
    let output =
        shell(&format!("trap '' XFSZ; ulimit -f 300; exec \"$0\" {check}").replace("--json", ""));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("incomplete: stopped after"), "{text}");
    assert!(text.contains("File too large"), "{text}");
}

#[test]
fn two_runs_can_use_one_folder() {
    let (_folder, net, states) = net(12);
    let args = ["check", &net, "--method", "full", "--bound", "eat0", "--witness", "off"];
    let args = [&args[..], &["--memory-limit", "17M", "--spill", &states]].concat();
    let reports: Vec<(i32, Value)> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..2).map(|_| scope.spawn(|| json(&args))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    for (status, report) in reports {
        assert_eq!((status, &report["states"]), (0, &531_441.into()), "{report}");
        assert!(report["spilled_bytes"].as_u64() > Some(0), "{report}");
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_an_error_of_the_command() {
    let (folder, net, _) = net(3);
    let missing = folder.path().join("missing").to_str().unwrap().to_owned();
    // A file is no folder, and no file can be made in a folder of the system, not even by its owner.
    for wrong in [&missing, &net, "/proc"] {
        let (status, stdout, stderr) =
            run(&["check", &net, "--deadlock", "--memory-limit", "1G", "--spill", wrong]);
        assert_eq!((status, &*stdout), (2, ""), "{wrong}");
        assert!(stderr.contains("SWL-CLI-0065"), "{stderr}");
        assert!(stderr.contains(wrong), "{stderr}");
        assert!(stderr.contains("name a folder that exists"), "{stderr}");
    }
    let (status, _, stderr) = run(&["check", &net, "--spill", "."]);
    assert_eq!(status, 2);
    assert!(stderr.contains("--memory-limit"), "{stderr}");
}

#[test]
fn what_needs_states_in_memory_is_refused() {
    let (_folder, net, states) = net(3);
    let spill = ["check", &net, "--memory-limit", "1G", "--spill", &states];
    for (option, named) in [
        (&["--method", "cache", "--cache", "10"][..], "`--method cache`"),
        (&["--progress", "eat0", "--gc", "5"], "`--gc`"),
        (&["--stubborn"], "a reduction"),
        (&["--sleep"], "a reduction"),
        (&["--reduce", "auto"], "a reduction"),
        (&["--cut-off", "eat0 = 1", "--equivalence", "eat0"], "`--cut-off`"),
        (&["--checkpoint", "no.checkpoint"], "`--checkpoint`"),
        (&["--resume", "no.checkpoint"], "`--resume`"),
        (&["--gpu"], "`--gpu`"),
        (&["--processes", "2"], "`--processes` or `--hosts`"),
        (&["--witness", "recompute"], "`--witness recompute`"),
        (&["--reversible"], "a property about strongly connected components"),
        (&["--ltl", "G {eat0 < 2}"], "a formula"),
        (&["--ctl", "AG EF {eat0 = 1}"], "a formula"),
    ] {
        let (status, stdout, stderr) = run(&[&spill[..], option].concat());
        assert_eq!((status, &*stdout), (2, ""), "{option:?}: {stderr}");
        assert!(stderr.contains(named), "{option:?}: {stderr}");
        assert!(stderr.contains("`--spill`"), "{option:?}: {stderr}");
    }
}
