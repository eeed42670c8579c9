//! Limits are kept, interrupts end a run with what it found, and a closed pipe is no panic.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::{json, model, philosophers, seed};

#[test]
#[cfg(target_os = "linux")]
fn the_process_stays_under_its_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("net.pnml");
    fs::write(&net, philosophers(14)).unwrap();
    let limit: u64 = 32 << 20;
    for options in [
        &[][..],
        &["--witness", "off"],
        &["--witness", "recompute"],
        &["--progress", "eat0 + eat5 + eat10"],
    ] {
        let args = ["check", net.to_str().unwrap(), "--memory-limit", "32M"];
        let (status, report) = json(&[&args[..], options].concat());
        assert_eq!((status, &report["stop"]), (3, &"memory-limit".into()), "{options:?}");
        let peak = report["peak_rss"].as_u64().unwrap();
        assert!(peak < limit, "{options:?}: {peak} of {limit} bytes");
        assert!(report["explored"].as_u64() > Some(100_000), "{options:?}");
    }
    let (status, report) = json(&["check", net.to_str().unwrap(), "--memory-limit", "1M"]);
    assert_eq!((status, &report["stop"]), (3, &"memory-limit".into()));
}

/// Runs the command; its exit status and the most bytes it had in memory, as seen while it ran.
#[cfg(target_os = "linux")]
fn watch(args: &[&str]) -> (Option<i32>, u64) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sweepline"))
        .args(args)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (file, mut peak) = (format!("/proc/{}/status", child.id()), 0);
    loop {
        let status = fs::read_to_string(&file).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = kib.map_or(peak, |kib| kib << 10);
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code(), peak);
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_graph_keeps_to_the_memory_limit_with_all_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("net.pnml");
    fs::write(&net, philosophers(14)).unwrap();
    let graph = folder.path().join("g.aut");
    let args = ["graph", net.to_str().unwrap(), "--output", graph.to_str().unwrap()];
    let (status, peak) = watch(&[&args[..], &["--memory-limit", "24M"]].concat());
    assert_eq!(status, Some(3));
    assert!((12 << 20..24 << 20).contains(&peak), "{peak} bytes");
    assert!(!graph.exists());
}

/// A counter of `n` that nothing else depends on, and four states beside it.
fn thin_layers(n: u64) -> String {
    let net = sweepline_pnml::Net::builder("thin").place("left", n).place("done", 0);
    let net = net.place("a", 1).place("b", 0).place("c", 1).place("d", 0);
    let net = net
        .transition("step", &[("left", 1)], &[("done", 1)])
        .transition("ab", &[("a", 1)], &[("b", 1)])
        .transition("ba", &[("b", 1)], &[("a", 1)])
        .transition("cd", &[("c", 1)], &[("d", 1)])
        .transition("dc", &[("d", 1)], &[("c", 1)]);
    net.build().unwrap().to_pnml()
}

#[test]
#[cfg(target_os = "linux")]
fn thin_layers_count_in_full() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("net.pnml");
    fs::write(&net, thin_layers(3_000_000)).unwrap();
    let limit: u64 = 48 << 20;
    // Each keeps every layer: in the window, or parked because every step goes back.
    for options in [
        ["--progress", "done", "--window", "3000000"],
        ["--progress", "b - done, done", "--window", "0"],
    ] {
        let args = ["check", net.to_str().unwrap(), "--memory-limit", "48M", "--time-limit", "60s"];
        let (status, report) = json(&[&args[..], &options].concat());
        assert_eq!((status, &report["stop"]), (3, &"memory-limit".into()), "{options:?}");
        let peak = report["peak_rss"].as_u64().unwrap();
        assert!(peak < limit, "{options:?}: {peak} of {limit} bytes");
    }
}

#[test]
fn what_was_found_before_the_disk_was_full_is_an_answer() {
    let args = ["check", &model("producer"), "--never", "buffer = 5", "--never", "buffer < 0"];
    let args = [&args[..], &["--no-structural"]].concat();
    let nowhere = tempfile::tempdir().unwrap().path().join("gone");
    let mut command = super::sweepline(&[&args[..], &["--json"]].concat());
    let output = command.env("TMPDIR", &nowhere).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["stop"]), (Some(1), &"disk".into()));
    assert_eq!(report["properties"][0]["verdict"], "violated");
    assert!(report["properties"][0]["witness_length"].as_u64() >= Some(5));
    assert_eq!(report["properties"][1]["verdict"], "unknown");
}

/// Memory follows the window: ten times the packets, the same peak.
#[test]
#[cfg(target_os = "linux")]
fn ten_times_the_packets_take_the_same_memory() {
    let peak = |sweep: &[&str], states: u64| {
        let (status, report) = json(&[&["check"], sweep].concat());
        assert_eq!((status, &report["states"]), (0, &states.into()));
        ["peak_states", "peak_rss"].map(|field| report[field].as_f64().unwrap())
    };
    let net = |packets: u64| {
        let (net, to_send) = (model("stop-and-wait"), format!("to_send={packets}"));
        let sweep = [&net, "--init", &to_send, "--progress", "sent + received"];
        peak(&[&sweep[..], &["--never", "received > sent + 1"]].concat(), 55 * packets - 20)
    };
    let coloured = |packets: u64| {
        let (net, packets_are) = (seed("stop-and-wait"), format!("packets={packets}"));
        let sweep = [&net, "--param", &packets_are, "--progress", "received"];
        peak(&[&sweep[..], &["--property", "order"]].concat(), 271 * packets - 134)
    };
    for ([few, few_rss], [many, many_rss], held) in
        [(net(2_000), net(20_000), 35.0), (coloured(500), coloured(5_000), 287.0)]
    {
        assert_eq!((few, many), (held, held));
        assert!((0.9..1.1).contains(&(many_rss / few_rss)), "{few_rss} and {many_rss} bytes");
    }
}

#[test]
fn results_that_cannot_be_written_are_an_error() {
    let full = fs::File::create("/dev/full").unwrap();
    let mut check = Command::new(env!("CARGO_BIN_EXE_sweepline"));
    let output = check.args(["check", &model("lift")]).stdout(full).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("standard output"), "{errors}");
}

#[test]
fn a_witness_too_long_for_the_memory_limit_is_left_out() {
    let check = ["check", &model("stop-and-wait"), "--init", "to_send=150000"];
    let sweep = ["--progress", "sent + received", "--reach", "sent = 150000"];
    let (status, report) = json(&[&check[..], &sweep, &["--memory-limit", "18M"]].concat());
    assert_eq!((status, report["properties"][0]["verdict"].as_str()), (0, Some("holds")));
    let found = report["properties"][0]["findings"].to_string();
    assert!(found.contains("no witness: the memory limit was reached"), "{found}");
    assert!(report["peak_rss"].as_u64() < Some(18 << 20), "{report}");
}

#[test]
fn time_is_limited() {
    let (status, report) = json(&[
        "check",
        &model("producer"),
        "--reach",
        "working > 1",
        "--no-structural",
        "--time-limit",
        "50ms",
    ]);
    assert_eq!((status, &report["stop"]), (3, &"time-limit".into()));
    assert_eq!(report["verdict"], "unknown");
}

#[test]
fn more_tokens_than_can_be_counted_are_an_error_of_the_model() {
    let full = ["--init", "buffer=18446744073709551615"];
    let (status, report) =
        json(&[&["check", &model("producer"), "--deadlock"], &full[..]].concat());
    assert_eq!((status, &report["stop"]), (2, &"model".into()));
    assert_eq!(report["verdict"], "unknown");
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_the_run_with_what_it_found() {
    let child = Command::new(assert_cmd::cargo::cargo_bin!("sweepline"))
        .args(["check", &model("producer"), "--witness", "off", "--json", "--time-limit", "60s"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["stop"]), (Some(130), &"interrupted".into()));
    assert!(report["explored"].as_u64() > Some(0));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sweepline"))
        .args(["simulate", &model("producer"), "--steps", "100000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(first.starts_with("seed 1"), "{first}");
    assert_eq!(
        (String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()),
        ("", Some(0))
    );
}
