//! A run that is stopped or killed anywhere and resumed gives the same results as an uninterrupted run.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use sweepline::checkpoint::{Checkpoint, Error, Head, Saved};
use sweepline::observe::{Fold, Idempotent};
use sweepline::progress::{Trivial, by};
use sweepline::{
    Check, Interrupt, Limits, Observer, Options, Progress, Report, Statistics, StopReason, Verdict,
    WitnessMode,
};
use sweepline_testkit::{Graph, measured_graph};
use tempfile::TempDir;

/// A folder in memory, if the system has one: these tests sync thousands of files.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// The content of a report without times and the size of the store, which depends on how its tables grew.
#[derive(PartialEq, Debug)]
struct Said {
    statistics: Statistics,
    stop: Option<StopReason>,
    properties: Vec<(String, &'static str, Option<(i128, i128)>, Option<Vec<usize>>)>,
}

fn said(report: &Report<Graph>) -> Said {
    let mut statistics = report.statistics.clone();
    (statistics.elapsed, statistics.peak_bytes) = (Duration::ZERO, 0);
    let path = |verdict: &Verdict<Graph>| {
        let witness = verdict.witness()?;
        let states = witness.steps.iter().map(|step| step.state);
        Some([witness.initial].into_iter().chain(states).collect())
    };
    let properties = report.properties.iter();
    let each = properties.map(|p| (p.name.clone(), p.verdict.word(), p.range, path(&p.verdict)));
    Said { statistics, stop: report.stop.clone(), properties: each.collect() }
}

/// The same properties each time.
fn check<'a>(
    graph: &'a Graph,
    progress: impl Progress<Graph> + 'a,
    target: usize,
) -> Check<'a, Graph> {
    Check::new(graph)
        .progress(progress)
        .never("never", move |&s| s == target)
        .reach("reach", move |&s| s == target)
        .deadlock()
        .bound("bound", |&s| s as i64 * 7 % 11)
}

/// Counts states with an even number, at each visit.
fn even<'a>() -> Fold<'a, Graph, u64, u64> {
    Fold::states(Idempotent::Yes, 0, |n: &u64, one| n + one, |_: &usize| 1)
        .pred(|s| s % 2 == 0)
        .store(|s| s % 5 == 0)
        .saved()
}

fn folded(fold: &Fold<'_, Graph, u64, u64>, report: &Report<Graph>) -> (Option<u64>, Vec<usize>) {
    (fold.result(&report.statistics).copied(), fold.stored().to_vec())
}

/// Stopped after every few states and resumed until it is done.
fn resumed_agrees<P: Progress<Graph>>(
    graph: &Graph,
    progress: P,
    options: &Options,
    target: usize,
    steps: &[u64],
) {
    // A trait object, so that the loop is compiled once for all measures.
    let progress: &dyn Progress<Graph> = &progress;
    let mut fold = even();
    let whole = check(graph, progress, target).options(options.clone()).run_watched(&mut fold);
    let folder = folder();
    let file = folder.path().join("run");
    let (mut explored, mut sittings) = (0, 0);
    loop {
        let mut options = options.clone();
        let step = steps.get(sittings as usize).copied();
        options.limits.states = step.map(|step| explored + step);
        let mut checkpoint = Checkpoint::new(&file);
        checkpoint.resume = (sittings > 0).then(|| file.clone());
        options.checkpoint = Some(checkpoint);
        let mut part = even();
        let report = check(graph, progress, target).options(options).run_watched(&mut part);
        if report.stop == Some(StopReason::States) {
            let saved = report.saved.unwrap();
            assert_eq!((saved.error, saved.resumed), (None, sittings));
            assert_eq!(saved.explored, report.statistics.explored);
            explored = saved.explored;
            sittings += 1;
            continue;
        }
        assert_eq!(said(&report), said(&whole), "after {sittings} stops");
        assert_eq!(folded(&part, &report), folded(&fold, &whole));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "files are left");
        return;
    }
}

/// Copies the checkpoint when the `at`-th is written, as a process killed at that moment would leave it.
struct Killed {
    at: u64,
    copy: PathBuf,
}

impl Observer<Graph> for Killed {
    fn saved(&mut self, saved: &Saved) {
        assert_eq!(saved.error, None);
        if saved.written <= self.at {
            fs::copy(&saved.file, &self.copy).unwrap();
        }
    }

    fn save(&self, _: &Graph) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn merge(&mut self, _: &Graph, _: &[u8]) -> bool {
        true
    }
}

/// Killed some time after its `at`-th checkpoint, with a log that has grown since, and resumed.
fn killed_agrees<P: Progress<Graph>>(
    graph: &Graph,
    progress: P,
    options: &Options,
    target: usize,
    at: u64,
) {
    // A trait object, so that the loop is compiled once for all measures.
    let progress: &dyn Progress<Graph> = &progress;
    let whole = check(graph, progress, target).options(options.clone()).run();
    let folder = folder();
    let (file, copy) = (folder.path().join("run"), folder.path().join("copy"));
    let mut checkpoint = Checkpoint::new(&file);
    (checkpoint.every, checkpoint.keep) = (Duration::ZERO, true);
    let saving = Options { checkpoint: Some(checkpoint), ..options.clone() };
    let mut killed = Killed { at, copy: copy.clone() };
    let watched = check(graph, progress, target).options(saving).run_watched(&mut killed);
    assert_eq!(said(&watched), said(&whole));
    if options.witness == WitnessMode::Disk {
        fs::copy(folder.path().join("run.origins"), folder.path().join("copy.origins")).unwrap();
    }
    let resumed = || check(graph, progress, target).options(options.clone()).resume(&copy);
    let elsewhere = folder.path().join("elsewhere");
    let report = resumed().checkpoint(&elsewhere).run_watched(&mut Killed { at: 0, copy: file });
    assert_eq!(said(&report), said(&whole));
    assert!(copy.exists() && !elsewhere.exists());
    let report = resumed().run_watched(&mut Killed { at: 0, copy: elsewhere });
    assert_eq!(said(&report), said(&whole));
    assert!(!copy.exists());
}

fn options(window: u64, gc: Option<u64>, witness: WitnessMode) -> Options {
    Options { window, gc, witness, ..Options::default() }
}

fn modes() -> impl Strategy<Value = WitnessMode> {
    prop_oneof![Just(WitnessMode::Disk), Just(WitnessMode::Recompute), Just(WitnessMode::Off)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn full(
        graph in measured_graph(300),
        target in 0..400usize,
        witness in modes(),
        steps in prop::collection::vec(1..80u64, 0..8),
        at in 1..8u64,
    ) {
        let options = options(0, None, witness);
        resumed_agrees(&graph, Trivial, &options, target, &steps);
        killed_agrees(&graph, Trivial, &options, target, at);
    }

    #[test]
    fn swept(
        graph in measured_graph(100),
        target in 0..120usize,
        window in prop_oneof![Just(0u64), 0..6u64],
        gc in prop_oneof![Just(None), (1..30u64).prop_map(Some)],
        anchor in prop_oneof![2 => Just(0u64), 1 => 1..6u64],
        columns in 0..=3usize,
        witness in modes(),
        steps in prop::collection::vec(1..30u64, 0..20),
        at in 1..30u64,
    ) {
        let values = graph.values.clone();
        let options = Options { anchor, ..options(window, gc, witness) };
        let scalar = || by(|&s: &usize| values[s][0]).columns(columns.min(1));
        let vector = || by(|&s: &usize| values[s]).columns(columns);
        resumed_agrees(&graph, scalar(), &options, target, &steps);
        resumed_agrees(&graph, vector(), &options, target, &steps);
        killed_agrees(&graph, vector(), &options, target, at);
    }
}

/// A graph of a few hundred states in several layers, with regress edges.
fn graph() -> Graph {
    let edges = |s: usize| [(s * 7 + 1) % 400, (s * s + 3) % 400, s / 2].to_vec();
    let value = |s: usize| [(s % 9) as i64, (s % 4) as i64, 0];
    Graph {
        edges: (0..400).map(edges).collect(),
        starts: 2,
        ragged: true,
        values: (0..400).map(value).collect(),
    }
}

fn values(graph: &Graph) -> impl Progress<Graph> {
    let values = graph.values.clone();
    by(move |&s: &usize| values[s]).columns(1)
}

/// Layers of many batches, with edges back into the window: a run that was stopped inside a layer finishes it
/// before the line moves back.
#[test]
fn wide_layers() {
    let n = 3_000;
    let hash = |s: usize, k: usize| (s * 2_654_435_761 + k * 40_503) >> 7;
    let graph = Graph {
        edges: (0..n).map(|s| (0..3).map(|k| hash(s, k) % n).collect()).collect(),
        starts: 1,
        ragged: false,
        values: (0..n).map(|s| [(s % 6) as i64, (s % 2) as i64, 0]).collect(),
    };
    let steps: Vec<u64> = (0..25).map(|i| 1 + hash(i, 1) as u64 % 150).collect();
    for (window, gc) in [(0, None), (2, None), (9, None), (0, Some(500)), (1, Some(200))] {
        let options = options(window, gc, WitnessMode::Disk);
        let scalar = || by(|&s: &usize| graph.values[s][0]);
        resumed_agrees(&graph, scalar(), &options, n, &steps);
        resumed_agrees(&graph, scalar(), &options, hash(7, 7) % n, &steps);
        killed_agrees(&graph, scalar(), &options, hash(7, 7) % n, 11);
    }
}

/// A checkpoint in the middle of a sweep, in the file `run`.
fn stopped(graph: &Graph) -> (TempDir, PathBuf) {
    let folder = folder();
    let file = folder.path().join("run");
    let limits = Limits { states: Some(200), ..Limits::default() };
    let report = check(graph, values(graph), 999).checkpoint(&file).limits(limits).run();
    assert_eq!(report.stop, Some(StopReason::States));
    (folder, file)
}

fn why(report: &Report<Graph>) -> &Error {
    assert!(report.properties.iter().all(|p| matches!(p.verdict, Verdict::Unknown(_))));
    match &report.stop {
        Some(StopReason::Checkpoint(error)) => error,
        other => panic!("stopped by {other:?}"),
    }
}

/// Resumes from a file that was changed; it must be rejected and left unchanged.
fn refused(graph: &Graph, file: &Path) -> Error {
    let origins = file.with_extension("origins");
    let before = (fs::read(file).unwrap(), fs::read(&origins).unwrap());
    let report = check(graph, values(graph), 999).resume(file).run();
    assert_eq!((fs::read(file).unwrap(), fs::read(&origins).unwrap()), before);
    why(&report).clone()
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let graph = graph();
    let (_folder, file) = stopped(&graph);
    let good = fs::read(&file).unwrap();
    for length in 0..good.len() {
        fs::write(&file, &good[..length]).unwrap();
        let error = refused(&graph, &file);
        assert!(matches!(error, Error::Damaged { .. } | Error::NotOne { .. }), "{length}: {error}");
    }
    for at in 0..good.len() {
        for flip in [1, 0x80, 0xFF] {
            let mut bad = good.clone();
            bad[at] ^= flip;
            fs::write(&file, &bad).unwrap();
            refused(&graph, &file);
        }
    }
    fs::write(&file, [&good[..], b"more"].concat()).unwrap();
    assert!(matches!(refused(&graph, &file), Error::Damaged { .. }));
    fs::write(&file, &good).unwrap();
    assert!(check(&graph, values(&graph), 999).resume(&file).run().stop.is_none());
}

#[test]
fn a_damaged_witness_log_is_refused() {
    let graph = graph();
    let (_folder, file) = stopped(&graph);
    let origins = file.with_extension("origins");
    let good = fs::read(&origins).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 4;
        fs::write(&origins, &bad).unwrap();
        assert!(matches!(refused(&graph, &file), Error::Damaged { .. }));
        fs::write(&origins, &good[..at]).unwrap();
        assert!(matches!(refused(&graph, &file), Error::Damaged { .. }));
    }
    fs::remove_file(&origins).unwrap();
    let report = check(&graph, values(&graph), 999).resume(&file).run();
    assert!(matches!(why(&report), Error::Read { .. }));
}

/// The states that breadth-first search finds first.
fn near(graph: &Graph, most: usize) -> Vec<usize> {
    let mut found: Vec<usize> = (0..graph.starts).collect();
    for at in 0..most {
        for &next in &graph.edges[found[at]] {
            if !found.contains(&next) {
                found.push(next);
            }
        }
    }
    found.truncate(most);
    found
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let graph = graph();
    let (_folder, file) = stopped(&graph);
    let resume = |graph, target| check(graph, values(graph), target).resume(&file);
    let other = |report: Report<Graph>, what: &str| {
        assert!(matches!(why(&report), Error::OtherRun { what: w, .. } if *w == what), "{what}");
    };
    other(resume(&graph, 999).window(2).run(), "window");
    other(resume(&graph, 999).witness(WitnessMode::Off).run(), "witness mode");
    other(resume(&graph, 999).strict().run(), "treatment of regress edges");
    other(resume(&graph, 999).never("another", |_| false).run(), "list of properties");
    let mut changed = graph.clone();
    changed.edges[0].pop();
    let report = resume(&changed, 999).run();
    assert!(matches!(why(&report), Error::OtherModel { .. }));
    let trivial = check(&graph, Trivial, 999).resume(&file).run();
    assert!(matches!(why(&trivial), Error::OtherModel { .. }));
    // A measure that differs only far from the start is detected by the states themselves.
    let near = near(&graph, 70);
    let moved = by(|&s: &usize| {
        let [a, b, c] = graph.values[s];
        [a, b, if near.contains(&s) { c } else { c + 1 }]
    })
    .columns(1);
    let report = check(&graph, moved, 999).resume(&file).run();
    assert!(matches!(why(&report), Error::Damaged { what, .. } if what.contains("not a state of")));
    let mut named = Checkpoint::new(&file);
    (named.resume, named.fingerprint) = (Some(file.clone()), 7);
    let options = Options { checkpoint: Some(named), ..Options::default() };
    let report = check(&graph, values(&graph), 999).options(options).run();
    assert!(matches!(why(&report), Error::OtherModel { .. }));
}

#[test]
fn a_checkpoint_is_not_overwritten_by_another_run() {
    let graph = graph();
    let (folder, file) = stopped(&graph);
    let report = check(&graph, values(&graph), 999).checkpoint(&file).run();
    assert!(matches!(why(&report), Error::Exists { .. }));
    let report = check(&graph, values(&graph), 999).resume(folder.path().join("none")).run();
    assert!(matches!(why(&report), Error::Read { .. }));
    let nowhere = folder.path().join("no/folder");
    let report = check(&graph, values(&graph), 999).checkpoint(nowhere).run();
    assert!(matches!(why(&report), Error::Write { .. }));
}

#[test]
fn a_checkpoint_in_use_is_refused_in_every_witness_mode() {
    let graph = graph();
    for witness in [WitnessMode::Disk, WitnessMode::Recompute, WitnessMode::Off] {
        let folder = folder();
        let (file, lock) = (folder.path().join("run"), folder.path().join("run.lock"));
        let options = Options { witness, ..Options::default() };
        let asked = || check(&graph, values(&graph), 999).options(options.clone());
        let other = fs::File::create(&lock).unwrap();
        other.lock().unwrap();
        assert!(matches!(why(&asked().checkpoint(&file).run()), Error::InUse { .. }));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{witness:?}");
        // The other process has ended, and left its file.
        drop(other);
        let limits = Limits { states: Some(5), ..Limits::default() };
        let limited = Options { limits, ..options.clone() };
        let report = check(&graph, values(&graph), 999).options(limited).checkpoint(&file).run();
        assert!(file.exists() && !lock.exists(), "{witness:?} {:?}", report.stop);
        let other = fs::File::create(&lock).unwrap();
        other.lock().unwrap();
        let before = fs::read(&file).unwrap();
        assert!(matches!(why(&asked().resume(&file).run()), Error::InUse { .. }));
        sweepline::checkpoint::remove(&file).unwrap();
        assert_eq!(fs::read(&file).unwrap(), before, "{witness:?}");
        drop(other);
        assert!(asked().resume(&file).run().is_finished());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{witness:?}");
    }
}

/// Gathers data and cannot save it.
struct Forgetful;

impl Observer<Graph> for Forgetful {}

impl sweepline::observe::Query<Graph> for Forgetful {
    fn answer(&self) -> sweepline::observe::Answer {
        sweepline::observe::Answer::HoldsSoFar
    }
}

#[test]
fn what_cannot_be_saved_is_refused_before_the_run() {
    let graph = graph();
    let folder = folder();
    let file = folder.path().join("run");
    let report = check(&graph, values(&graph), 999).checkpoint(&file).run_watched(&mut Forgetful);
    assert!(matches!(why(&report), Error::Unsaved { .. }));
    let report =
        check(&graph, Trivial, 999).query("mine", "mine", Forgetful).checkpoint(&file).run();
    assert!(why(&report).to_string().contains("`mine`"));
    assert_eq!(report.statistics.explored, 0);
    assert!(!file.exists());
}

#[test]
fn memory_limits_hold_while_a_checkpoint_is_read() {
    let graph = graph();
    let (_folder, file) = stopped(&graph);
    let limits = Limits { memory: Some(2_000), ..Limits::default() };
    let report = check(&graph, values(&graph), 999).resume(&file).limits(limits).run();
    assert_eq!(report.stop, Some(StopReason::Memory));
    assert!(file.exists());
    assert!(check(&graph, values(&graph), 999).resume(&file).run().stop.is_none());
}

#[test]
fn an_interrupt_leaves_a_checkpoint_with_its_note() {
    let graph = graph();
    let folder = folder();
    let mut checkpoint = Checkpoint::new(folder.path().join("run"));
    checkpoint.note = "as the user wrote it".into();
    let interrupt = Interrupt::default();
    interrupt.raise();
    let options = Options { checkpoint: Some(checkpoint.clone()), interrupt, ..Options::default() };
    let report = Check::new(&graph).options(options).run();
    assert_eq!(report.stop, Some(StopReason::Interrupted));
    let head = Head::read(&checkpoint.file).unwrap();
    assert_eq!(head.note, checkpoint.note);
    assert_eq!((head.explored, head.resumed), (report.statistics.explored, 0));
    assert!(!folder.path().join("run.part").exists());
}
