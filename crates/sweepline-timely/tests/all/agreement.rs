//! Several workers give the counts and verdicts of one thread, and of the reference explorer.

use std::time::Duration;

use proptest::prelude::*;
use sweepline::observe::DeadActions;
use sweepline::progress::{Trivial, by};
use sweepline::{
    Check, Limits, Monotone, Options, Progress, Report, Statistics, StopReason, Verdict,
};
use sweepline_testkit::{Graph, Reference, assert_follows, measured_graph};
use sweepline_timely::Workers;

/// The statistics without those that depend on the number of workers.
pub(crate) fn counted(report: &Report<Graph>) -> Statistics {
    Statistics { elapsed: Duration::ZERO, peak_bytes: 0, ..report.statistics.clone() }
}

pub(crate) fn check<'a>(
    graph: &'a Graph,
    progress: &'a dyn Progress<Graph>,
    options: &Options,
) -> Check<'a, Graph> {
    Check::new(graph).progress(progress).options(options.clone())
}

/// Questions that no state decides.
pub(crate) fn open_questions(check: Check<'_, Graph>) -> Check<'_, Graph> {
    let names = (0..4).map(|n| n.to_string()).collect();
    check.never("nothing", |&s| s > 100_000).bound("bound", |&s| s as i64 * 7 % 11).query(
        "dead actions",
        "dead actions",
        DeadActions::new(names, |a: &usize| *a % 5),
    )
}

/// Verdicts, ranges and findings.
pub(crate) fn answers(report: &Report<Graph>) -> Vec<(String, &'static str, String)> {
    let answer = |property: &sweepline::Property<Graph>| {
        let found = format!("{:?} {:?}", property.range, property.findings);
        (property.name.clone(), property.verdict.word(), found)
    };
    report.properties.iter().map(answer).collect()
}

/// Explores a graph with one thread and with several workers.
fn alike(graph: &Graph, progress: &dyn Progress<Graph>, options: &Options) {
    let one = open_questions(check(graph, progress, options)).run();
    for threads in [1, 2, 3] {
        let workers = Workers::local(threads);
        let several = open_questions(check(graph, progress, options)).cluster(&workers).run();
        assert_eq!(counted(&several), counted(&one), "{threads} workers");
        assert_eq!(answers(&several), answers(&one), "{threads} workers");
        match (&several.stop, &one.stop) {
            // Several edges may be the first one.
            (Some(StopReason::Regress(_)), Some(StopReason::Regress(_))) => {}
            (several, one) => assert_eq!(several, one, "{threads} workers"),
        }
        let explored: u64 = several.workers.iter().map(|worker| worker.explored).sum();
        assert!(explored >= several.statistics.explored, "{threads} workers");
    }
}

/// The verdicts on questions that states decide, with their witnesses.
fn decided(graph: &Graph, progress: &dyn Progress<Graph>, options: &Options, target: usize) {
    let reference = Reference::explore(graph, 10_000).expect("a small graph");
    for threads in [2, 4] {
        let workers = Workers::local(threads);
        let report = check(graph, progress, options)
            .never("never", |&s| s == target)
            .deadlock()
            .bound("bound", |&s| s as i64)
            .cluster(&workers)
            .run();
        let is = |name: &str| &report.property(name).expect("asked").verdict;
        let reached = reference.reaches(|&s| s == target);
        assert_eq!(is("never").word(), if reached { "violated" } else { "holds" });
        assert_eq!(
            is("deadlock").word(),
            if reference.dead.is_empty() { "holds" } else { "violated" }
        );
        assert_eq!(report.property("bound").expect("asked").range, reference.range(|&s| s as i64));
        for (name, ends) in [("never", vec![target]), ("deadlock", reference.dead.clone())] {
            if let Verdict::Violated(witness) = is(name) {
                let witness = witness.as_ref().expect("a witness");
                assert_follows(graph, witness);
                assert!(ends.contains(witness.last()), "{name}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn full(graph in measured_graph(80), target in 0..80usize) {
        alike(&graph, &Trivial, &Options { count: true, ..Options::default() });
        decided(&graph, &Trivial, &Options::default(), target);
    }

    #[test]
    fn swept(
        graph in measured_graph(80),
        target in 0..80usize,
        window in prop_oneof![Just(0u64), 0..6u64],
        anchor in prop_oneof![2 => Just(0u64), 1 => 1..6u64],
        columns in 0..=3usize,
        (count, strict) in any::<(bool, bool)>(),
    ) {
        let values = graph.values.clone();
        let monotone = if strict { Monotone::Strict } else { Monotone::Check };
        let options = Options { window, anchor, count, monotone, ..Options::default() };
        if !strict {
            alike(&graph, &by(|&s: &usize| values[s][0]).columns(columns.min(1)), &options);
            alike(&graph, &by(|&s: &usize| values[s]).columns(columns), &options);
            decided(&graph, &by(|&s: &usize| values[s]).columns(columns), &options, target);
        }
    }

    /// The first regress edge ends a strict run.
    #[test]
    fn strict(graph in measured_graph(80)) {
        let values = graph.values.clone();
        let measure = by(|&s: &usize| values[s]);
        let options = Options { monotone: Monotone::Strict, ..Options::default() };
        let one = open_questions(check(&graph, &measure, &options)).run();
        let workers = Workers::local(3);
        let several = open_questions(check(&graph, &measure, &options)).cluster(&workers).run();
        assert_eq!(several.stop.is_some(), one.stop.is_some());
        assert_eq!(answers(&several).len(), 3);
        if one.stop.is_none() {
            assert_eq!(counted(&several), counted(&one));
        } else {
            assert!(several.regress.is_some());
        }
    }

    /// A limit on states is exact.
    #[test]
    fn limited(graph in measured_graph(80), states in 1..80u64) {
        let values = graph.values.clone();
        let limits = Limits { states: Some(states), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        for measure in [&Trivial as &dyn Progress<Graph>, &by(|&s: &usize| values[s])] {
            let one = open_questions(check(&graph, measure, &options)).run();
            let workers = Workers::local(3);
            let several = open_questions(check(&graph, measure, &options)).cluster(&workers).run();
            assert_eq!(several.stop, one.stop);
            assert_eq!(several.statistics.explored, one.statistics.explored);
        }
    }
}

/// What one process must explore is rejected in words.
#[test]
fn other_questions_are_rejected() {
    let graph = Graph { edges: vec![vec![0]], starts: 1, ragged: false, values: vec![[0; 3]] };
    let workers = Workers::local(2);
    let report = Check::new(&graph).home("home", |&s| s == 0).cluster(&workers).run();
    let Some(StopReason::Cluster(why)) = report.stop else { panic!("{:?}", report.stop) };
    assert!(why.contains("strongly connected components"), "{why}");
    let options = Options { gc: Some(3), ..Options::default() };
    let report = check(&graph, &Trivial, &options).cluster(&workers).run();
    let Some(StopReason::Cluster(why)) = report.stop else { panic!("{:?}", report.stop) };
    assert!(why.contains("garbage collection"), "{why}");
}

/// A panic of one worker ends the others, too.
#[test]
fn a_panic_ends_all_workers() {
    let edges = (0..200).map(|s| vec![(s + 1) % 200, (s * 7) % 200]).collect();
    let graph = Graph { edges, starts: 1, ragged: false, values: vec![[0; 3]; 200] };
    let workers = Workers::local(3);
    let fails = |&s: &usize| if s == 117 { panic!("at 117") } else { false };
    let run = || Check::new(&graph).never("fails", fails).cluster(&workers).run();
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}
