//! A run that was killed, interrupted or limited goes on, and says in the end what one run says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use sweepline::checkpoint::Head;
use tempfile::TempDir;

use super::{json, model, philosophers, run};

/// A folder in memory, where there are such: these tests sync many files.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// The report without what depends on time, memory, and whether the run was resumed.
fn said(mut report: Value) -> Value {
    let fields = report.as_object_mut().unwrap();
    let free = ["seconds", "states_per_second", "peak_bytes", "peak_rss", "resumed", "checkpoint"];
    free.iter().for_each(|field| drop(fields.remove(*field)));
    if let Some(found) = fields.get_mut("found").and_then(Value::as_object_mut) {
        found.remove("seconds");
    }
    report
}

/// Messages are folded to the width of the screen: the same on one line.
fn unfolded(errors: &str) -> String {
    let words: Vec<&str> = errors.split([' ', '\n', '|', '│']).filter(|w| !w.is_empty()).collect();
    words.join(" ")
}

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("sweepline"));
    command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills the run `times` times, each at some moment after it has saved itself again, and lets it
/// end; its report. A run that ends before a kill leaves no file: then all starts again.
fn killed(fresh: &[&str], resume: &[&str], file: &Path, times: u64) -> Value {
    let mut moment = random_like(times);
    let all_killed = (0..20).any(|_| {
        (0..times)
            .all(|i| killed_once(if i == 0 { fresh } else { resume }, file, moment() % 30_000))
    });
    assert!(all_killed, "the run ended each time before it could be killed {times} times");
    let (_, report) = json(resume);
    assert_eq!(report["resumed"], times);
    report
}

/// Kills one run some microseconds after it has saved itself, if it has not ended by then.
fn killed_once(run: &[&str], file: &Path, microseconds: u64) -> bool {
    let before = Head::read(file).ok().map(|head| head.explored);
    let mut child = start(run);
    let began = Instant::now();
    let has_moved = || Head::read(file).ok().map(|head| head.explored) > before;
    while !has_moved() && child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(60), "the run saves nothing");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_micros(microseconds));
    child.kill().unwrap();
    child.wait().unwrap();
    file.exists()
}

/// Numbers that look random, the same ones each time.
fn random_like(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

#[test]
fn a_sweep_killed_ten_times_says_the_same() {
    let folder = folder();
    let [file, trace, one_trace] = ["run", "trace", "one-trace"].map(|name| path(&folder, name));
    let net = model("stop-and-wait");
    let check = ["check", &net, "--init", "to_send=40000", "--progress", "sent + received"];
    let ask =
        ["--reach", "sent = 700", "--never", "received = 30000", "--bound", "sent - received"];
    let ask = [&ask[..], &["--never", "received > sent + 1", "--dead-states", "2"]].concat();
    let (_, one) = json(&[&check[..], &ask, &["--trace", &one_trace]].concat());
    let save = ["--checkpoint", &file, "--checkpoint-every", "1ms"];
    let resume = ["check", &net, "--resume", &file, "--checkpoint-every", "1ms", "--trace", &trace];
    let fresh = [&check[..], &ask, &save].concat();
    let report = killed(&fresh, &resume, Path::new(&file), 10);
    assert_eq!(said(report), said(one));
    assert!(fs::read(&trace).unwrap() == fs::read(&one_trace).unwrap(), "another witness");
    let left: Vec<PathBuf> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_full_exploration_killed_says_the_same() {
    let folder = folder();
    let [file, net] = ["run", "net.pnml"].map(|name| path(&folder, name));
    fs::write(&net, philosophers(13)).unwrap();
    let reach = ["--reach", "eat0 + eat3 + eat6 + eat9 = 4", "--dead-transitions"];
    let ask = [&reach[..], &["--bound", "eat0 + eat4 + eat8"]].concat();
    let check = [&["check", &net][..], &ask].concat();
    let (_, one) = json(&[&check[..], &["--no-structural"]].concat());
    let fresh = [&check[..], &["--checkpoint", &file, "--checkpoint-every", "20ms"]].concat();
    let resume = ["check", &net, "--resume", &file, "--checkpoint-every", "20ms"];
    assert_eq!(said(killed(&fresh, &resume, Path::new(&file), 4)), said(one));
}

/// What grows is followed from the checkpoint on.
#[test]
fn a_run_stopped_early_may_grow_much_after_it_is_resumed() {
    let folder = folder();
    let file = path(&folder, "run");
    let net = model("stop-and-wait");
    let check = ["check", &net, "--init", "to_send=3000", "--deadlock"];
    let first = [&check[..], &["--checkpoint", &file, "--state-limit", "2000"]].concat();
    assert_eq!(json(&first).0, 3);
    let resumed = json(&["check", &net, "--init", "to_send=3000", "--resume", &file]);
    let one = json(&check);
    assert_eq!((resumed.0, said(resumed.1)), (one.0, said(one.1)));
}

/// Runs `check` with everything asked, stopped at the limits and resumed without any option.
fn stopped_at(check: &[&str], limits: &[&str]) {
    let folder = folder();
    let file = path(&folder, "run");
    let (status, one) = json(&[check, &["--no-structural"]].concat());
    let (mut begun, net) = (false, check[1]);
    for limit in limits {
        let limit = ["--state-limit", limit];
        let (status, report) = match begun {
            false => json(&[check, &["--checkpoint", &file], &limit].concat()),
            true => json(&[&["check", net, "--resume", &file], &limit[..]].concat()),
        };
        assert_eq!(
            (&report["stop"], &report["progress"]),
            (&"state-limit".into(), &one["progress"])
        );
        assert_eq!((status > 0, &report["checkpoint"]["file"]), (true, &file.as_str().into()));
        begun = true;
    }
    let (resumed_status, report) = json(&["check", net, "--resume", &file]);
    assert_eq!((resumed_status, said(report)), (status, said(one)), "{check:?}");
    assert!(!Path::new(&file).exists());
}

#[test]
fn nothing_needs_to_be_repeated() {
    let everything = ["--deadlock", "--dead-states", "3", "--dead-transitions"];
    let contest = ["StateSpace", "ReachabilityDeadlock", "OneSafe", "QuasiLiveness"];
    let contest: Vec<&str> = contest.iter().flat_map(|name| ["--examination", name]).collect();
    let stable = ["--examination", "StableMarking"];
    let net = model("kanban");
    let kanban = ["check", &net, "--bound", "machine_1 - done_2"];
    let cards: Vec<String> = (1..=4).map(|cell| format!("free_{cell}=3")).collect();
    let cards: Vec<&str> = cards.iter().flat_map(|cell| ["--init", cell]).collect();
    let predicates = ["--never", "machine_1 > 3", "--reach", "done_4 = 3 and done_1 = 3"];
    let ask = [&kanban[..], &cards, &predicates, &everything, &contest, &stable].concat();
    let limits = ["500", "3000", "4000", "40k"];
    for method in [
        &[][..],
        &["--progress", "auto"],
        &["--progress", "machine_1 + 2*machine_4", "--window", "1"],
        &[
            "--progress",
            "monotone(machine_1 + machine_2), done_4",
            "--gc",
            "300",
            "--witness",
            "recompute",
        ],
    ] {
        stopped_at(&[&ask, method].concat(), &limits);
    }
    stopped_at(&["check", &net, "--witness", "off", "--never", "free_1 = 3"], &["1000"]);
}

#[test]
fn a_run_that_is_decided_early_counts_the_same() {
    let folder = folder();
    let net = path(&folder, "net.pnml");
    fs::write(&net, philosophers(11)).unwrap();
    // Stopped within a level, whose end decides where the batches after it end.
    for limits in [&["100"][..], &["1000", "1100"], &["7000"], &["20k"]] {
        let reach = ["--reach", "eat0 + eat3 + eat6 + eat9 = 4", "--dead-transitions"];
        let ask = [&reach[..], &["--bound", "eat0 + eat4 + eat8"]].concat();
        stopped_at(&[&["check", &net, "--method", "full"][..], &ask].concat(), limits);
    }
}

#[test]
fn what_was_chosen_is_not_said_to_be_the_files_choice() {
    let window = super::seed("sliding-window");
    stopped_at(&["check", &window, "--progress", "counter"], &["300"]);
    stopped_at(&["check", &window, "--progress", "none", "--property", "network"], &["300"]);
    stopped_at(&["check", &window, "--method", "sweep", "--witness", "recompute"], &["300"]);
}

/// What a checkpoint says of the measure is JSON: without exact numbers a resumed run predicts another peak.
#[test]
fn figures_of_a_measure_are_read_as_they_were_written() {
    let figure = 0.10108262573942335_f64;
    let text = serde_json::to_string(&figure).unwrap();
    assert_eq!(serde_json::from_str::<f64>(&text).unwrap(), figure);
}

#[test]
fn two_runs_do_not_share_a_checkpoint() {
    let net = model("producer");
    for witness in ["disk", "recompute", "off"] {
        let folder = folder();
        let file = path(&folder, "run");
        let check = ["check", &net, "--witness", witness, "--checkpoint-every", "1ms"];
        let begin = [&check[..], &["--checkpoint", &file, "--time-limit", "60s"]].concat();
        let mut first = start(&begin);
        while !Path::new(&file).exists() {
            assert!(first.try_wait().unwrap().is_none(), "the run has ended");
            std::thread::sleep(Duration::from_millis(5));
        }
        for second in [&begin[..], &["check", &net, "--resume", &file]] {
            let (status, _, errors) = run(second);
            let errors = unfolded(&errors);
            assert!(status == 2 && errors.contains("SWL-CLI-0013"), "{witness}: {errors}");
            assert!(errors.contains("belongs to a run that has not ended"), "{errors}");
        }
        assert!(first.try_wait().unwrap().is_none(), "the run has ended");
        first.kill().unwrap();
        first.wait().unwrap();
        let (status, report) = json(&["check", &net, "--resume", &file, "--time-limit", "50ms"]);
        assert_eq!((status, &report["resumed"]), (3, &1.into()), "{witness}");
    }
}

#[test]
fn formulas_go_on_and_must_not_change() {
    let folder = folder();
    let [file, formulas] = ["run", "formulas.xml"].map(|name| path(&folder, name));
    let net = model("kanban");
    let formula = |most: u64| {
        let atom = |n: u64| {
            format!(
                "<integer-le><integer-constant>{n}</integer-constant>\
                 <tokens-count><place>machine_1</place></tokens-count></integer-le>"
            )
        };
        let possible = |n| {
            let atom = atom(n);
            format!("<exists-path><finally>{atom}</finally></exists-path>")
        };
        format!(
            "<property-set xmlns=\"http://mcc.lip6.fr/\"><property><id>both</id><description/>\
             <formula><conjunction>{}{}</conjunction></formula></property></property-set>",
            possible(1),
            possible(most)
        )
    };
    fs::write(&formulas, formula(99)).unwrap();
    let check = ["check", &net, "--property-file", &formulas];
    let (status, one) = json(&[&check[..], &["--no-structural"]].concat());
    assert_eq!(status, 1);
    let limited = [&check[..], &["--checkpoint", &file, "--state-limit", "3000"]].concat();
    assert_eq!(json(&limited).0, 3);
    fs::write(&formulas, formula(98)).unwrap();
    let (status, _, errors) = run(&["check", &net, "--resume", &file]);
    assert!(
        status == 2 && errors.contains("SWL-CLI-0015") && errors.contains("`both`"),
        "{errors}"
    );
    fs::write(&formulas, formula(99)).unwrap();
    assert_eq!(said(json(&["check", &net, "--resume", &file]).1), said(one));
}

/// A run stopped at a limit on states.
fn stopped(folder: &TempDir) -> (String, String) {
    let (net, file) = (model("stop-and-wait"), path(folder, "run"));
    let sweep = ["check", &net, "--init", "to_send=500", "--progress", "sent + received"];
    let save = ["--checkpoint", &file, "--state-limit", "9000", "--never", "received > sent + 1"];
    let (status, text, _) = run(&[&sweep[..], &save].concat());
    assert_eq!(status, 3);
    let command = format!("sweepline check {net} --resume {file}");
    assert!(text.contains(&command), "{text}");
    (net, file)
}

#[test]
fn options_that_contradict_are_refused_with_both() {
    let folder = folder();
    let (net, file) = stopped(&folder);
    for (options, code, shown) in [
        (
            &["--never", "sent > 9"][..],
            "0015",
            "`received > sent + 1` in the checkpoint, `sent > 9` now",
        ),
        (&["--deadlock"], "0015", "the list of properties"),
        (&["--progress", "sent"], "0015", "`sent + received` in the checkpoint, `sent` now"),
        (&["--progress", "auto"], "0015", "`auto` now"),
        (&["--method", "full"], "0015", "`full` now"),
        (&["--window", "3"], "0015", "0 in the checkpoint, 3 now"),
        (&["--gc", "10"], "0015", "none in the checkpoint, 10 now"),
        (&["--monotone", "strict"], "0015", "check in the checkpoint, strict now"),
        (&["--witness", "off"], "0015", "disk in the checkpoint, off now"),
        (&["--init", "to_send=20"], "0014", "another model"),
        (&["--checkpoint", &net], "0013", "already exists"),
    ] {
        let (status, _, errors) = run(&[&["check", &net, "--resume", &file], options].concat());
        let errors = unfolded(&errors);
        assert!(status == 2 && errors.contains(code) && errors.contains(shown), "{errors}");
    }
    let same = ["--init", "to_send=500", "--progress", "received+sent", "--window", "0"];
    let same = [&same[..], &["--never", "received > sent + 1", "--monotone", "check"]].concat();
    let (status, report) = json(&[&["check", &net, "--resume", &file], &same[..]].concat());
    assert_eq!((status, &report["states"]), (0, &27_480.into()));
}

#[test]
fn files_that_are_no_good_are_refused() {
    let folder = folder();
    let (net, file) = stopped(&folder);
    let refused = |args: &[&str], code: &str| {
        let (status, out, errors) = run(args);
        let errors = unfolded(&errors);
        assert!(status == 2 && errors.contains(code) && out.is_empty(), "{errors}");
        errors
    };
    let resume = ["check", &net, "--resume", &file];
    refused(&["check", &model("kanban"), "--resume", &file], "SWL-CLI-0014");
    refused(&["check", &net, "--checkpoint", &file], "SWL-CLI-0013");
    refused(&["check", &net, "--resume", &net], "is not a checkpoint");
    refused(&["check", &net, "--resume", &path(&folder, "none")], "SWL-CLI-0013");
    refused(&["check", &net, "--checkpoint", &path(&folder, "no/where")], "SWL-CLI-0013");
    refused(&["check", &net, "--checkpoint-every", "5s"], "--checkpoint");
    let good = fs::read(&file).unwrap();
    for at in [7, 20, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        fs::write(&file, &bad).unwrap();
        refused(&resume, "SWL-CLI-0013");
        fs::write(&file, &good[..at]).unwrap();
        refused(&resume, "SWL-CLI-0013");
    }
    fs::write(&file, &good).unwrap();
    fs::remove_file(path(&folder, "run.origins")).unwrap();
    refused(&resume, "run.origins");
}

#[test]
fn the_model_may_be_moved_and_laid_out_anew() {
    let folder = folder();
    let (net, file) = stopped(&folder);
    let moved = path(&folder, "moved.pnml");
    let text = fs::read_to_string(&net).unwrap();
    fs::write(&moved, text.replace("><", ">\n  <")).unwrap();
    let (status, report) = json(&["check", &moved, "--resume", &file]);
    assert_eq!((status, &report["states"]), (0, &27_480.into()));
}

#[test]
#[cfg(unix)]
fn an_interrupt_leaves_a_checkpoint() {
    let folder = folder();
    let file = path(&folder, "run");
    let net = model("producer");
    let check = ["check", &net, "--checkpoint", &file, "--time-limit", "60s"];
    let mut child = start(&check);
    while !Path::new(&file).exists() {
        assert!(child.try_wait().unwrap().is_none(), "the run has ended");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let explored = Head::read(Path::new(&file)).unwrap().explored;
    assert!(explored > 0);
    let (status, report) = json(&["check", &net, "--resume", &file, "--time-limit", "50ms"]);
    assert_eq!((status, &report["resumed"]), (3, &1.into()));
    assert!(report["explored"].as_u64() > Some(explored));
}

#[test]
#[cfg(target_os = "linux")]
fn a_memory_limit_keeps_the_checkpoint_before_it() {
    let folder = folder();
    let [file, net] = ["run", "net.pnml"].map(|name| path(&folder, name));
    fs::write(&net, philosophers(13)).unwrap();
    // A hunt would find the deadlock before the memory is full.
    let (_, one) = json(&["check", &net, "--deadlock", "--hunt", "off"]);
    let limited = ["--memory-limit", "16M", "--checkpoint-every", "30ms"];
    let check = ["check", &net, "--deadlock", "--hunt", "off", "--checkpoint", &file];
    let (status, report) = json(&[&check[..], &limited].concat());
    assert_eq!((status, &report["stop"]), (3, &"memory-limit".into()));
    assert!(report["checkpoint"]["explored"].as_u64() <= report["explored"].as_u64());
    assert!(report["peak_rss"].as_u64() < Some(16 << 20), "{report}");
    let explored = Head::read(Path::new(&file)).unwrap().explored;
    assert_eq!(report["checkpoint"]["explored"], explored);
    if explored > 250_000 {
        let (status, _, errors) = run(&["check", &net, "--resume", &file, "--memory-limit", "12M"]);
        assert!(status == 3 && errors.contains("SWL-CLI-0016"), "{status} {errors}");
    }
    let (_, report) = json(&["check", &net, "--hunt", "off", "--resume", &file]);
    assert_eq!(said(report), said(one));
}
