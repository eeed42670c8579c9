//! Every way to explore agrees with the reference explorer on random graphs and random measures.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sweepline::observe::{Flow, Visit};
use sweepline::progress::{Trivial, by};
use sweepline::{
    Cache, Check, Counts, Monotone, Observer, Options, Progress, Replacement, Report, Statistics,
    StopReason, Verdict, WitnessMode,
};
use sweepline_testkit::{Graph, Reference, assert_follows, measured_graph};

/// Records what a run visits.
#[derive(Default)]
struct Seen {
    states: BTreeSet<usize>,
    dead: BTreeSet<usize>,
    visits: u64,
    layers: u64,
    closed_states: u64,
}

impl Observer<Graph> for Seen {
    fn node(&mut self, visit: &Visit<'_, Graph>, _worker: &mut ()) -> Flow {
        self.visits += 1;
        self.states.insert(*visit.state);
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, Graph>, _worker: &mut ()) -> Flow {
        self.dead.insert(*visit.state);
        Ok(())
    }

    fn layer_closed(
        &mut self,
        layer: &sweepline::observe::ClosedLayer<'_>,
        _: &sweepline::Statistics,
    ) -> Flow {
        self.layers += 1;
        self.closed_states += layer.states - layer.kept;
        Ok(())
    }
}

fn options(window: u64, gc: Option<u64>, witness: WitnessMode) -> Options {
    Options { window, gc, witness, count: true, ..Options::default() }
}

/// Explores `graph` with `progress` and compares everything with the reference.
fn agrees<P: Progress<Graph>>(graph: &Graph, progress: P, options: Options, target: usize) {
    // A trait object, so that the loop is compiled once for all measures.
    let progress: &dyn Progress<Graph> = &progress;
    let reference = Reference::explore(graph, usize::MAX).unwrap();
    let mut seen = Seen::default();
    let witnessed = options.witness != WitnessMode::Off;
    let (cache, cached) = (options.cache, options.cache.is_some());
    let counted = options.count && !cached && progress.columns() == 0;
    let report = Check::new(graph)
        .progress(progress)
        .options(options)
        .never("never", |&s| s == target)
        .reach("reach", |&s| s == target)
        .deadlock()
        .bound("bound", |&s| s as i64 * 7 % 11)
        .run_watched(&mut seen);
    let reachable: BTreeSet<usize> = reference.states.values().copied().collect();
    let dead: BTreeSet<usize> = reference.dead.iter().copied().collect();
    assert_eq!(report.stop, None);
    assert_eq!(seen.states, reachable);
    assert_eq!(seen.dead, dead);
    assert_eq!(seen.visits, report.statistics.explored);
    assert_eq!(report.property("bound").unwrap().range, reference.range(|&s| s as i64 * 7 % 11));
    let counts = report.statistics.counts();
    assert!(counts.is_some() || !counted, "not counted: {:?}", report.statistics);
    if let Some(counts) = counts {
        let (states, dead) = (reachable.len() as u64, dead.len() as u64);
        assert_eq!(counts, Counts { states, edges: reference.edges, dead });
    }
    if report.statistics.is_exact() && !cached {
        assert_eq!(seen.closed_states, reachable.len() as u64);
    }
    assert!(report.statistics.peak_states <= reachable.len() as u64);
    if let Some(cache) = cache {
        held_within(cache, &report.statistics, reachable.len() as u64);
    }
    let found = reachable.contains(&target);
    verdicts(graph, &report, target, found, !dead.is_empty(), witnessed);
}

/// A cache stores no more than its size, and counts exactly if it is large enough.
fn held_within(cache: Cache, statistics: &Statistics, reachable: u64) {
    let Statistics { peak_states, deepest, replaced, .. } = *statistics;
    assert!(peak_states <= cache.states.max(deepest), "{peak_states} stored by {cache:?}");
    assert!(deepest <= reachable);
    assert_eq!(replaced == 0, statistics.states().is_some());
    assert!(replaced == 0 || cache.states < reachable);
}

fn verdicts(
    graph: &Graph,
    report: &Report<Graph>,
    target: usize,
    found: bool,
    deadlock: bool,
    witnessed: bool,
) {
    let verdict = |name: &str| &report.property(name).unwrap().verdict;
    for property in &report.properties {
        if let Verdict::Unknown(reason) = &property.verdict {
            panic!("{} is unknown after a complete exploration: {reason}", property.name);
        }
    }
    assert_eq!(matches!(verdict("never"), Verdict::Violated(_)), found);
    assert_eq!(matches!(verdict("never"), Verdict::Holds(_)), !found);
    assert_eq!(matches!(verdict("reach"), Verdict::Holds(_)), found);
    assert_eq!(matches!(verdict("reach"), Verdict::Violated(_)), !found);
    assert_eq!(matches!(verdict("deadlock"), Verdict::Violated(_)), deadlock);
    assert_eq!(matches!(verdict("deadlock"), Verdict::Holds(_)), !deadlock);
    for (name, reached) in [("never", found), ("reach", found), ("deadlock", deadlock)] {
        let witness = verdict(name).witness();
        assert_eq!(witness.is_some(), reached && witnessed, "{name}");
        if let Some(witness) = witness {
            assert_follows(graph, witness);
            match name {
                "deadlock" => assert!(graph.edges[*witness.last()].is_empty()),
                _ => assert_eq!(*witness.last(), target),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn full(graph in measured_graph(40), target in 0..60usize) {
        agrees(&graph, Trivial, Options::default(), target);
        agrees(&graph, Trivial, options(0, None, WitnessMode::Recompute), target);
    }

    #[test]
    fn swept(
        graph in measured_graph(60),
        target in 0..70usize,
        window in prop_oneof![Just(0u64), 0..6u64],
        gc in prop_oneof![Just(None), (1..30u64).prop_map(Some)],
        anchor in prop_oneof![2 => Just(0u64), 1 => 1..6u64],
        columns in 0..=3usize,
    ) {
        let values = graph.values.clone();
        let options = |window, gc, witness| Options { anchor, ..options(window, gc, witness) };
        let scalar = || by(|&s: &usize| values[s][0]).columns(columns.min(1));
        let vector = || by(|&s: &usize| values[s]).columns(columns);
        agrees(&graph, scalar(), options(window, gc, WitnessMode::Disk), target);
        agrees(&graph, vector(), options(window, gc, WitnessMode::Disk), target);
        agrees(&graph, vector(), options(window, gc, WitnessMode::Recompute), target);
        agrees(&graph, vector(), options(window, gc, WitnessMode::Off), target);
    }

    #[cfg(feature = "fit")]
    #[test]
    fn fitted(graph in measured_graph(60), target in 0..70usize, window in 0..6u64) {
        use sweepline::progress::{Linear, Monotonicity, fit};
        for found in fit(&graph) {
            let measure = || Linear::new(&graph, &found.components, found.columns);
            agrees(&graph, measure(), options(found.window, None, WitnessMode::Disk), target);
            agrees(&graph, measure(), options(window, None, WitnessMode::Off), target);
            if found.monotone != Monotonicity::No {
                let report = Check::new(&graph).progress(measure()).strict().run();
                assert_eq!(report.stop, None, "the sample was the whole, and {found:?} falls");
            }
        }
    }

    /// A small cache may take exponential time, so either the graphs are small or the cache is large.
    #[test]
    fn cached(
        small in measured_graph(11),
        large in measured_graph(80),
        target in 0..80usize,
        states in prop_oneof![Just(0), Just(1u64), Just(2), Just(5), Just(50), Just(u64::MAX)],
        replacement in prop_oneof![
            Just(Replacement::Random),
            Just(Replacement::Oldest),
            Just(Replacement::Seldom),
            Just(Replacement::Strata),
        ],
        witness in prop_oneof![
            Just(WitnessMode::Disk),
            Just(WitnessMode::Recompute),
            Just(WitnessMode::Off),
        ],
    ) {
        let with = |states| {
            let cache = Some(Cache::new(states).replacing(replacement));
            Options { cache, ..options(0, None, witness) }
        };
        agrees(&small, Trivial, with(states), target % 12);
        agrees(&large, Trivial, with(states.max(70)), target);
        let values = large.values.clone();
        agrees(&large, by(|&s: &usize| values[s]).columns(1), with(u64::MAX), target);
    }

    #[test]
    fn strict_stops_exactly_at_a_reachable_regress_edge(graph in measured_graph(30)) {
        let reference = Reference::explore(&graph, usize::MAX).unwrap();
        let precedes = |a: usize, b: usize| {
            graph.values[a].iter().zip(&graph.values[b]).all(|(a, b)| a <= b)
        };
        let regress = reference
            .states
            .values()
            .any(|&s| graph.edges[s].iter().any(|&t| !precedes(s, t)));
        let values = graph.values.clone();
        let report = Check::new(&graph)
            .progress(by(|&s: &usize| values[s]))
            .options(Options { monotone: Monotone::Strict, ..Options::default() })
            .run();
        match report.stop {
            None => assert!(!regress),
            Some(StopReason::Regress(edge)) => {
                use sweepline::Model;
                let (s, t) = (graph.decode(&edge.source), graph.decode(&edge.target));
                assert_eq!(graph.edges[s][edge.number as usize], t);
                assert!(!precedes(s, t));
            }
            other => panic!("stopped by {other:?}"),
        }
    }
}
