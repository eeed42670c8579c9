//! Runs whose states are on disk give the results of runs in memory.

use std::fmt::Write;

use proptest::prelude::*;
use sweepline::formula::Along;
use sweepline::observe::{DeadActions, DeadStates};
use sweepline::progress::{Trivial, by};
use sweepline::{
    Cache, Check, Limits, Model, Monotone, Options, Progress, Report, Spill, StopReason, System,
    Verdict, WitnessMode, ctl, ltl, spill,
};
use sweepline_testkit::{Graph, measured_graph};

use super::identity::{State, sorted, team};

/// Everything in a report except times and memory.
fn told<M: Model>(report: &Report<M>) -> String
where
    M::State: std::fmt::Debug,
{
    let s = &report.statistics;
    let mut text = format!("stop {:?}\n", report.stop);
    let counts = [s.explored, s.edges, s.dead, s.persistent, s.sweeps, s.regress_edges, s.layers];
    writeln!(text, "{counts:?} {:?}", s.counted).unwrap();
    for property in &report.properties {
        let (name, verdict) = (&property.name, property.verdict.word());
        // In a sweep, dead states may be listed in another order.
        let mut findings = property.findings.clone();
        findings.sort();
        writeln!(text, "{name} {verdict} {:?} {findings:?}", property.range).unwrap();
        if let Some(witness) = property.verdict.witness() {
            let steps: Vec<_> = witness.steps.iter().map(|s| (&s.action, &s.state)).collect();
            writeln!(text, "  {:?} {steps:?} {:?}", witness.initial, witness.back).unwrap();
        }
    }
    text
}

/// Checks a graph in memory and with all states on disk, and compares the reports.
fn alike(graph: &Graph, progress: &dyn Progress<Graph>, options: &Options, target: usize) {
    let folder = tempfile::tempdir().unwrap();
    let run = |spill| {
        let options = Options { spill, ..options.clone() };
        let names = (0..4).map(|n| n.to_string()).collect();
        let report = Check::new(graph)
            .progress(progress)
            .options(options)
            .never("never", |&s| s == target)
            .reach("reach", |&s| s == target * 2 % 61)
            .deadlock()
            .bound("bound", |&s| s as i64 * 7 % 11)
            .query("dead actions", "dead actions", DeadActions::new(names, |a: &usize| *a % 4))
            .query(
                "dead states",
                "dead states",
                DeadStates::new(300, |_: &Graph, s: &usize| s.to_string()),
            )
            .run();
        (told(&report), report.statistics.spilled_bytes)
    };
    let (in_memory, _) = run(None);
    let (on_disk, _) = run(Some(Spill::new(folder.path()).eager()));
    assert_eq!(on_disk, in_memory);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "files remain");
}

fn witnesses() -> impl Strategy<Value = WitnessMode> {
    prop_oneof![3 => Just(WitnessMode::Disk), 1 => Just(WitnessMode::Off)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn full(graph in measured_graph(300), target in 0..300usize, witness in witnesses()) {
        alike(&graph, &Trivial, &Options { witness, ..Options::default() }, target);
    }

    #[test]
    fn swept(
        graph in measured_graph(200),
        target in 0..200usize,
        window in prop_oneof![Just(0u64), 0..6u64],
        anchor in prop_oneof![2 => Just(0u64), 1 => 1..6u64],
        columns in 0..=3usize,
        (count, strict) in any::<(bool, bool)>(),
        witness in witnesses(),
    ) {
        let values = graph.values.clone();
        let monotone = if strict { Monotone::Strict } else { Monotone::Check };
        let options = Options { window, anchor, witness, count, monotone, ..Options::default() };
        alike(&graph, &by(|&s: &usize| values[s][0]).columns(columns.min(1)), &options, target);
        alike(&graph, &by(|&s: &usize| values[s]).columns(columns), &options, target);
    }

    #[test]
    fn represented(team in team(), swept: bool, shared in 0..3u8) {
        let folder = tempfile::tempdir().unwrap();
        let run = |spill| {
            let check = Check::new(&team).options(Options { spill, ..Options::default() });
            let check = check.represent(sorted).deadlock().reach("last", |s| s.1.contains(&3));
            let check = check.never("shared", |s| s.0 == shared);
            match swept {
                true => told(&check.progress(by(|s: &State| i64::from(s.0))).run()),
                false => told(&check.run()),
            }
        };
        prop_assert_eq!(run(Some(Spill::new(folder.path()).eager())), run(None));
    }

    #[test]
    fn limited(
        graph in measured_graph(300),
        target in 0..300usize,
        states in 1..200u64,
    ) {
        let values = graph.values.clone();
        let limits = Limits { states: Some(states), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        alike(&graph, &Trivial, &options, target);
        alike(&graph, &by(|&s: &usize| values[s]), &options, target);
    }
}

/// Two counters below `most`, the bytes of whose states may differ in length.
struct Counters {
    most: u32,
    /// Letters of the name of a state, at most.
    letters: u32,
}

impl System for Counters {
    type State = (u32, u32, String);
    type Action = u8;

    fn initial(&self) -> Vec<Self::State> {
        vec![(0, 0, String::new())]
    }

    fn successors(&self, &(a, b, _): &Self::State, push: &mut dyn FnMut(u8, Self::State)) {
        let named = |a: u32, b: u32| {
            let letters = (a * 7 + b * 3) % (self.letters + 1);
            (a, b, "x".repeat(letters as usize))
        };
        if a + 1 < self.most {
            push(0, named(a + 1, b));
        }
        if b + 1 < self.most {
            push(1, named(a, b + 1));
        }
        push(2, named(a / 2, b));
    }
}

/// The states, edges and dead states of the counters.
fn counts(report: &Report<Counters>) -> [u64; 3] {
    let counts = report.statistics.counts().unwrap();
    [counts.states, counts.edges, counts.dead]
}

#[test]
fn explorations_larger_than_memory_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    for letters in [0, 9] {
        let model = Counters { most: 300, letters };
        for swept in [false, true] {
            let run = |memory, spill| {
                let limits = Limits { memory, ..Limits::default() };
                let options = Options { limits, spill, ..Options::default() };
                let check = Check::new(&model).options(options).never("never", |s| s.0 >= 300);
                let check = check.reach("last", |s| (s.0, s.1) == (299, 299)).deadlock();
                match swept {
                    // Layers of many states, and edges far ahead.
                    true => check.progress(by(|s: &(u32, u32, String)| s.1 / 100)).run(),
                    false => check.run(),
                }
            };
            let whole = run(None, None);
            let memory = whole.statistics.peak_bytes / 4;
            assert_eq!(run(Some(memory), None).stop, Some(StopReason::Memory));
            let spilled = run(Some(memory), Some(Spill::new(folder.path())));
            assert_eq!(told(&spilled), told(&whole), "{letters} letters, swept: {swept}");
            assert_eq!(counts(&spilled), [90_000, 269_400, 0]);
            let figures = &spilled.statistics;
            assert!(figures.peak_bytes <= memory, "{} of {memory}", figures.peak_bytes);
            assert!(figures.disk_peak_bytes > memory, "{}", figures.disk_peak_bytes);
            assert!(figures.spilled_bytes >= figures.disk_peak_bytes);
        }
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "files remain");
}

#[test]
fn files_are_used_only_near_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let model = Counters { most: 100, letters: 0 };
    let options = Options { spill: Some(Spill::new(folder.path())), ..Options::default() };
    let report = Check::new(&model).options(options).run();
    assert_eq!((report.stop, report.statistics.spilled_bytes), (None, 0));
}

/// What a check reports that must keep states on disk.
fn stop_of(change: impl FnOnce(Check<'_, Counters>) -> Check<'_, Counters>) -> Option<StopReason> {
    let folder = tempfile::tempdir().unwrap();
    let model = Counters { most: 10, letters: 0 };
    let options = Options { spill: Some(Spill::new(folder.path())), ..Options::default() };
    let report = change(Check::new(&model).options(options).never("none", |_| false)).run();
    assert!(report.properties.iter().all(|p| matches!(p.verdict, Verdict::Unknown(_))));
    assert_eq!(report.statistics.explored, 0);
    report.stop
}

#[test]
fn what_needs_states_in_memory_is_refused() {
    type Change = fn(Check<'_, Counters>) -> Check<'_, Counters>;
    let cases: [(&str, Change); 6] = [
        ("a depth-first search with a cache", |check| check.cache(Cache::new(50))),
        ("a checkpoint", |check| check.checkpoint("unused.checkpoint")),
        ("a recomputed witness", |check| check.witness(WitnessMode::Recompute)),
        ("a property about cycles or components", |check| check.home("home", |_| true)),
        ("a formula of LTL or CTL", |check| check.ltl("ltl", ltl::Formula::True)),
        ("a formula of LTL or CTL", |check| {
            let cycle = Along::Globally(ctl::Formula::True);
            check.ctl("ctl", ctl::Formula::some(cycle))
        }),
    ];
    for (what, change) in cases {
        let stop = stop_of(change);
        assert_eq!(stop, Some(StopReason::Spill(spill::Error::Unsupported(what))));
        assert_eq!(stop.unwrap().name(), "spill");
    }
    assert!(!std::path::Path::new("unused.checkpoint").exists());
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let model = Counters { most: 10, letters: 0 };
    let options = Options { spill: Some(Spill::new(&missing)), ..Options::default() };
    let report = Check::new(&model).options(options).never("none", |_| false).run();
    let stop = report.stop.clone().unwrap();
    assert!(stop.to_string().contains("missing`"), "{stop}");
    assert_eq!((stop.name(), report.statistics.explored), ("disk", 0));
    assert!(matches!(report.properties[0].verdict, Verdict::Unknown(_)));
}
