//! A run that was stopped goes on from its checkpoint, on another number of workers.

use std::time::Duration;

use proptest::prelude::*;
use sweepline::progress::{Trivial, by};
use sweepline::{Check, Limits, Options, Progress, StopReason, checkpoint};
use sweepline_testkit::{Graph, measured_graph};
use sweepline_timely::{Folder, Terms, Workers};

use super::agreement::{answers, check, counted, open_questions};

fn folder(path: &std::path::Path, resume: bool) -> Folder {
    Folder { path: path.to_owned(), every: Duration::ZERO, resume }
}

/// Runs until a limit on states, and goes on with other numbers of workers, until the run is complete.
fn stopped(graph: &Graph, progress: &dyn Progress<Graph>, options: &Options, step: u64) {
    let one = open_questions(check(graph, progress, options)).run();
    let place = tempfile::tempdir().expect("a folder");
    let (mut limit, mut resume) = (step, false);
    for threads in [2, 3, 1, 4].into_iter().cycle() {
        let workers = Workers::local(threads)
            .checkpoints(folder(place.path(), resume), Terms::default().with("model", "graph"));
        let limits = Limits { states: Some(limit), ..Limits::default() };
        let options = Options { limits, ..options.clone() };
        let report = open_questions(check(graph, progress, &options)).cluster(&workers).run();
        // A limit that is reached with the last state ends the run, too.
        if report.stop != Some(StopReason::States) {
            assert_eq!(report.stop, one.stop);
            assert_eq!(counted(&report), counted(&one));
            assert_eq!(answers(&report), answers(&one));
            break;
        }
        // A level may be larger than the step.
        (limit, resume) = (limit + step, true);
    }
    sweepline_timely::remove(place.path()).expect("removed");
    assert!(!place.path().exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn goes_on(
        graph in measured_graph(80),
        step in 1..6u64,
        window in 0..4u64,
        anchor in prop_oneof![2 => Just(0u64), 1 => 1..6u64],
        columns in 0..=2usize,
    ) {
        let values = graph.values.clone();
        let options = Options { window, anchor, ..Options::default() };
        stopped(&graph, &Trivial, &Options::default(), step * 3);
        stopped(&graph, &by(|&s: &usize| values[s]).columns(columns), &options, step * 3);
    }
}

fn line() -> Graph {
    let edges = (0..50).map(|s| if s < 49 { vec![s + 1] } else { vec![] }).collect();
    Graph { edges, starts: 1, ragged: false, values: vec![[0; 3]; 50] }
}

fn first_part(path: &std::path::Path, terms: Terms) {
    let workers = Workers::local(2).checkpoints(folder(path, false), terms);
    let limits = Limits { states: Some(20), ..Limits::default() };
    let report = Check::new(&line()).limits(limits).deadlock().cluster(&workers).run();
    assert_eq!(report.stop, Some(StopReason::States));
    assert!(report.saved.expect("checkpoints").written > 1);
}

/// The verdict stands, although the path to the state is not known.
#[test]
fn a_violation_after_a_checkpoint_is_found() {
    let place = tempfile::tempdir().expect("a folder");
    first_part(place.path(), Terms::default());
    let workers = Workers::local(3).checkpoints(folder(place.path(), true), Terms::default());
    let report = Check::new(&line()).deadlock().cluster(&workers).run();
    let property = &report.properties[0];
    assert_eq!(property.verdict.word(), "violated", "{:?}", report.stop);
    assert!(property.verdict.witness().is_none());
    assert!(property.findings[0].contains("no witness"), "{:?}", property.findings);
}

fn refused(path: &std::path::Path, resume: bool, terms: Terms) -> checkpoint::Error {
    let workers = Workers::local(2).checkpoints(folder(path, resume), terms);
    let report = Check::new(&line()).deadlock().cluster(&workers).run();
    assert!(report.properties.iter().all(|p| p.verdict.word() == "unknown"));
    let Some(StopReason::Checkpoint(error)) = report.stop else { panic!("{:?}", report.stop) };
    error
}

#[test]
fn folders_that_cannot_be_used_are_rejected() {
    let place = tempfile::tempdir().expect("a folder");
    let terms = || Terms::default().with("model", "one");
    assert!(refused(place.path(), true, terms()).to_string().contains("no checkpoint"));
    first_part(place.path(), terms());
    assert!(matches!(refused(place.path(), false, terms()), checkpoint::Error::Exists { .. }));
    let other = refused(place.path(), true, Terms::default().with("model", "two")).to_string();
    assert!(other.contains("different model: one in the checkpoint, two in this run"), "{other}");
    // A part is lost, and then one is damaged.
    let parts: Vec<_> = std::fs::read_dir(place.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().contains("-part-"))
        .collect();
    assert_eq!(parts.len(), 2, "{parts:?}");
    let bytes = std::fs::read(&parts[0]).expect("a part");
    std::fs::remove_file(&parts[0]).expect("removed");
    let missing = refused(place.path(), true, terms()).to_string();
    assert!(missing.contains("of 2 is missing"), "{missing}");
    for at in (0..bytes.len()).step_by(11) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        std::fs::write(&parts[0], &damaged).expect("written");
        refused_or_damaged(place.path(), terms());
    }
}

/// A damaged part never gives a verdict.
fn refused_or_damaged(path: &std::path::Path, terms: Terms) {
    let workers = Workers::local(2).checkpoints(folder(path, true), terms);
    let report = Check::new(&line()).deadlock().cluster(&workers).run();
    assert!(report.stop.is_some());
    assert_eq!(report.properties[0].verdict.word(), "unknown");
}
