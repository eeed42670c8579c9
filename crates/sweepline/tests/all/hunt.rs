//! Hunts: what they find is there, and does not depend on threads. Shortened counterexamples are paths, and a shortest
//! one is.

use std::collections::{HashSet, VecDeque};

use proptest::prelude::*;
use sweepline::check::Shortest;
use sweepline::model::{bytes_of, initial, successors};
use sweepline::progress::by;
use sweepline::{
    Check, Hunt, Limits, Model, Options, Report, StopReason, System, Threads, Verdict,
};
use sweepline_testkit::{Graph, Reference, assert_follows, machine, measured_graph};

/// The least number of steps to a state that `is_sought`.
fn distance<M: Model>(model: &M, is_sought: impl Fn(&M::State) -> bool) -> Option<usize> {
    let mut waiting: VecDeque<(M::State, usize)> =
        initial(model).into_iter().map(|state| (state, 0)).collect();
    let mut known: HashSet<Vec<u8>> = waiting.iter().map(|(s, _)| bytes_of(model, s)).collect();
    while let Some((state, steps)) = waiting.pop_front() {
        if is_sought(&state) {
            return Some(steps);
        }
        for (_, next) in successors(model, &state).expect("successors") {
            if known.insert(bytes_of(model, &next)) {
                waiting.push_back((next, steps + 1));
            }
        }
    }
    None
}

fn limited(states: u64, threads: usize) -> Options {
    let limits = Limits { states: Some(states), ..Limits::default() };
    Options { limits, threads: Threads::new(threads), ..Options::default() }
}

/// The path of a property, as text.
fn path<M: Model>(report: &Report<M>, name: &str) -> Option<String>
where
    M::State: std::fmt::Debug,
{
    let property = report.property(name).expect("asked");
    let witness = property.verdict.witness()?;
    let steps: Vec<_> = witness.steps.iter().map(|step| (&step.action, &step.state)).collect();
    Some(format!("{:?} {steps:?} by {:?}", witness.initial, property.found_by))
}

/// Compares the verdicts of `report` with those of the reference explorer, and replays the paths.
fn agrees(graph: &Graph, report: &Report<Graph>, target: usize, may_be_unknown: bool) {
    let reference = Reference::explore(graph, 10_000).expect("a small graph");
    let expected =
        [("never", reference.reaches(|&s| s == target)), ("deadlock", !reference.dead.is_empty())];
    for (name, violated) in expected {
        let verdict = &report.property(name).expect("asked").verdict;
        match (verdict, violated) {
            (Verdict::Violated(Some(witness)), true) => assert_follows(graph, witness),
            (Verdict::Holds(None), false) => {}
            (Verdict::Unknown(_), false) if may_be_unknown => {}
            _ => panic!("{name}: {} instead of {violated}", verdict.word()),
        }
    }
}

proptest! {
    #[test]
    fn a_hunt_alone_finds_what_is_there(graph in measured_graph(60), target in 0..60usize, seed in 0..99u64) {
        let hunt = Hunt::new().seed(seed).only();
        let run = |threads| {
            let check = Check::new(&graph).never("never", |&s| s == target).deadlock();
            check.hunt(hunt).options(limited(3_000, threads)).run()
        };
        let one = run(1);
        agrees(&graph, &one, target, true);
        prop_assert!(!one.properties.iter().any(|p| matches!(p.verdict, Verdict::Holds(_))));
        for threads in [2, 3] {
            let several = run(threads);
            prop_assert_eq!(&several.hunted, &one.hunted);
            for name in ["never", "deadlock"] {
                prop_assert_eq!(path(&several, name), path(&one, name));
            }
        }
    }

    #[test]
    fn a_hunt_beside_never_contradicts(graph in measured_graph(60), target in 0..60usize, window in 0..3u64) {
        let values = graph.values.clone();
        let measure = by(|&s: &usize| values[s]);
        for swept in [false, true] {
            let run = |threads| {
                let options = Options { window, threads: Threads::new(threads), ..Options::default() };
                let check = Check::new(&graph).options(options);
                let check = if swept { check.progress(&measure) } else { check };
                let check = check.never("never", |&s| s == target).deadlock();
                check.bound("bound", |&s| s as i64).hunt(Hunt::new().eager()).run()
            };
            let one = run(1);
            agrees(&graph, &one, target, false);
            let whole = Reference::explore(&graph, 10_000).expect("a small graph");
            prop_assert_eq!(one.property("bound").expect("asked").range, whole.range(|&s| s as i64));
            let two = run(2);
            prop_assert_eq!(path(&one, "never"), path(&two, "never"));
            prop_assert_eq!(path(&one, "deadlock"), path(&two, "deadlock"));
        }
    }

    #[test]
    fn stubborn_sets_find_all_deadlocks_and_goals(machine in machine(), limit in 0..12i64) {
        let is_bad = |state: &Vec<u8>| machine.measure(state) > limit;
        let reference = Reference::explore(&machine, 100_000).expect("a small machine");
        let run = || {
            let check = Check::new(&machine).deadlock().never("much", is_bad);
            check.hunt(Hunt::new().eager()).hunt_stubborn().run()
        };
        let report = run();
        let is = |name: &str| report.property(name).expect("asked").verdict.word();
        prop_assert_eq!(is("deadlock") == "violated", !reference.dead.is_empty());
        prop_assert_eq!(is("much") == "violated", reference.reaches(is_bad));
        for property in &report.properties {
            property.verdict.witness().into_iter().for_each(|witness| assert_follows(&machine, witness));
        }
        prop_assert_eq!(path(&report, "much"), path(&run(), "much"));
    }

    #[test]
    fn shortened_paths_are_paths(graph in measured_graph(80), target in 0..80usize) {
        let values = graph.values.clone();
        let check = Check::new(&graph).progress(by(|&s: &usize| values[s]));
        let report = check.never("never", |&s| s == target).deadlock().run();
        agrees(&graph, &report, target, false);
        for property in &report.properties {
            if let (Some(before), Some(witness)) = (property.shortened_from, property.verdict.witness()) {
                prop_assert!(witness.len() < before);
            }
        }
    }

    #[test]
    fn the_shortest_is_as_short_as_breadth_first(graph in measured_graph(80), target in 0..80usize, hunts in any::<bool>()) {
        let values = graph.values.clone();
        let check = Check::new(&graph).progress(by(|&s: &usize| values[s])).shortest();
        let check = check.never("never", |&s| s == target).deadlock();
        let check = if hunts { check.hunt(Hunt::new().eager()) } else { check };
        let report = check.run();
        agrees(&graph, &report, target, false);
        let dead = |&s: &usize| graph.edges[s].is_empty();
        let least = [("never", distance(&graph, |&s| s == target)), ("deadlock", distance(&graph, dead))];
        for (name, least) in least {
            let property = report.property(name).expect("asked");
            let length = property.verdict.witness().map(|witness| witness.len());
            prop_assert_eq!(length, least);
            prop_assert_eq!(property.shortest, length.map(|_| Shortest::Proven));
        }
    }
}

/// `0 -> 1 -> … -> n - 1`, and an edge from each state to the first one.
fn ring(n: usize) -> Graph {
    let edges = (0..n).map(|s| if s + 1 < n { vec![0, s + 1] } else { vec![0] }).collect();
    Graph { edges, starts: 1, ragged: false, values: (0..n).map(|_| [0; 3]).collect() }
}

#[test]
fn a_limit_gives_a_lower_bound_on_the_length() {
    let graph = ring(1_000);
    let limits = Limits { states: Some(700), ..Limits::default() };
    let check = Check::new(&graph).never("far", |&s| s == 600).hunt(Hunt::new().only());
    let report = check.limits(limits).shortest().run();
    let property = report.property("far").expect("asked");
    assert!(matches!(&property.verdict, Verdict::Violated(Some(witness)) if witness.len() == 600));
    assert_eq!(property.shortest, Some(Shortest::Proven));
}

#[test]
fn a_hunt_without_an_answer_is_unknown() {
    let graph = ring(50);
    let check = || Check::new(&graph).never("nothing", |&s| s > 50).hunt(Hunt::new().only());
    let report = check().limits(Limits { states: Some(9_000), ..Limits::default() }).run();
    assert_eq!(report.stop, Some(StopReason::States));
    assert_eq!(report.properties[0].verdict.word(), "unknown");
    assert!(!report.is_finished());
    // Nothing that a state could decide is asked.
    let report = Check::new(&graph).bound("bound", |&s| s as i64).hunt(Hunt::new().only()).run();
    assert_eq!(report.stop, Some(StopReason::Hunt));
    assert_eq!(report.properties[0].verdict.word(), "unknown");
}

/// Two counters; the first goes up to three, the second to two hundred.
struct Counters;

impl System for Counters {
    type State = (u8, u8);
    type Action = &'static str;
    fn initial(&self) -> Vec<(u8, u8)> {
        vec![(0, 0)]
    }
    fn successors(&self, &(a, b): &(u8, u8), push: &mut dyn FnMut(&'static str, (u8, u8))) {
        if b < 200 {
            push("second", (a, b + 1));
        }
        if a < 3 {
            push("first", (a + 1, b));
        }
    }
}

#[test]
fn needless_steps_are_left_out() {
    let check = Check::new(&Counters).never("three", |&(a, _)| a == 3);
    let report = check.hunt(Hunt::new().only()).options(limited(100_000, 1)).run();
    let property = &report.properties[0];
    let witness = property.verdict.witness().expect("a counterexample");
    assert_eq!(witness.steps.iter().map(|step| step.action).collect::<Vec<_>>(), ["first"; 3]);
    assert_eq!(property.shortened_from, Some(203));
    assert_eq!(property.found_by.as_deref(), Some("depth-first search"));
}
