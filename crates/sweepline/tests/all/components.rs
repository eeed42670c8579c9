//! Home, liveness, fairness and termination agree with their definitions on random graphs, and are unknown if
//! the measure spreads components over several layers.

use proptest::prelude::*;
use sweepline::observe::{
    Fair, Fairness, Flow, Live, Observer, Structure, Survey, Terminates, Visit,
};
use sweepline::progress::{Trivial, by};
use sweepline::{Along, Cache, Check, Options, Progress, Report, StopReason, Verdict, WitnessMode};
use sweepline_testkit::{Graph, Reference, assert_follows, measured_graph};

/// How many different actions the graphs have at most.
const ACTIONS: usize = 6;

/// The reachable part of a graph, and its reachability relation.
struct Naive<'g> {
    graph: &'g Graph,
    states: Vec<usize>,
    reach: Vec<Vec<bool>>,
}

impl<'g> Naive<'g> {
    fn new(graph: &'g Graph) -> Self {
        let all = Reference::explore(graph, usize::MAX).unwrap();
        let states: Vec<usize> = all.states.values().copied().collect();
        let n = graph.edges.len();
        let mut reach: Vec<Vec<bool>> = (0..n).map(|i| (0..n).map(|j| i == j).collect()).collect();
        close(&mut reach, &edges(graph, |_, _, _| true));
        Naive { graph, states, reach }
    }

    fn enables(&self, state: usize, action: usize) -> bool {
        action < self.graph.edges[state].len()
    }

    fn home(&self, state: usize, predicate: impl Fn(usize) -> bool) -> bool {
        self.states.iter().any(|&s| self.reach[state][s] && predicate(s))
    }

    /// A cycle of edges that `count` through a state that satisfies `through`.
    fn cycle(
        &self,
        count: impl Fn(usize, usize, usize) -> bool,
        through: impl Fn(usize) -> bool,
    ) -> bool {
        let n = self.graph.edges.len();
        let mut steps = vec![vec![false; n]; n];
        let kept = edges(self.graph, count);
        kept.iter().for_each(|&(i, j)| steps[i][j] = true);
        close(&mut steps, &kept);
        self.states.iter().any(|&state| steps[state][state] && through(state))
    }

    fn fairness(&self, action: usize) -> Fairness {
        let others = |_, other: usize, _| other != action;
        let ignored = |from, other: usize, to| {
            other != action && self.enables(from, action) && self.enables(to, action)
        };
        if !self.cycle(others, |_| true) {
            Fairness::Impartial
        } else if !self.cycle(others, |state| self.enables(state, action)) {
            Fairness::Fair
        } else if !self.cycle(ignored, |_| true) {
            Fairness::Just
        } else {
            Fairness::Unfair
        }
    }

    fn structure(&self) -> Structure {
        let Naive { graph, states, reach } = self;
        let together = |i: usize, j: usize| reach[i][j] && reach[j][i];
        let size = |&i: &usize| states.iter().filter(|&&j| together(i, j)).count() as u64;
        let is_first = |&&i: &&usize| !states.iter().any(|&j| j < i && together(i, j));
        let firsts: Vec<usize> = states.iter().filter(is_first).copied().collect();
        let is_terminal = |i: usize| states.iter().all(|&j| !reach[i][j] || reach[j][i]);
        let all = |i: usize| graph.edges[i].iter().map(move |&j| (i, j));
        let is_trivial = |&&i: &&usize| {
            !states
                .iter()
                .any(|&j| together(i, j) && graph.edges[j].iter().any(|&k| together(k, i)))
        };
        let terminal = || states.iter().filter(|&&i| is_terminal(i));
        let occurs = |t| states.iter().any(|&i| self.enables(i, t));
        let live = |t| states.iter().all(|&i| self.home(i, |j| self.enables(j, t)));
        Structure {
            states: states.len() as u64,
            edges: states.iter().flat_map(|&i| all(i)).count() as u64,
            components: firsts.len() as u64,
            edges_between: states
                .iter()
                .flat_map(|&i| all(i))
                .filter(|&(i, j)| !together(i, j))
                .count() as u64,
            terminal: firsts.iter().filter(|&&i| is_terminal(i)).count() as u64,
            trivial: firsts.iter().filter(is_trivial).count() as u64,
            largest: states.iter().map(size).max().unwrap_or(0),
            terminal_states: terminal().count() as u64,
            occurs: (0..ACTIONS).map(occurs).collect(),
            live: (0..ACTIONS).map(live).collect(),
            fairness: (0..ACTIONS).map(|t| self.fairness(t)).collect(),
            dead: states.iter().filter(|&&i| graph.edges[i].is_empty()).count() as u64,
            ..Structure::default()
        }
    }

    /// The listed states have the properties for which they are listed; `order` is the order of visits.
    fn agrees_with_lists(&self, found: &Structure, order: &[usize]) {
        let states = |numbers: &[u64]| -> Vec<usize> {
            assert!(numbers.is_sorted_by(|a, b| a < b));
            numbers.iter().map(|&n| order[n as usize - 1]).collect()
        };
        let dead = states(&found.first_dead);
        assert_eq!(dead.len() as u64, found.dead.min(5));
        assert!(dead.iter().all(|&i| self.graph.edges[i].is_empty()));
        let terminal = states(&found.first_terminal);
        let component = |&i: &usize| self.reach[terminal[0]][i];
        assert!(terminal.iter().all(|&i| self.reach[i][terminal[0]] && component(&i)));
        assert!(self.states.iter().filter(|i| component(i)).all(|&i| self.reach[i][terminal[0]]));
        assert_eq!(terminal.len(), self.states.iter().filter(|i| component(i)).count().min(5));
    }
}

/// Records the states in the order of visits.
#[derive(Default)]
struct Order(Vec<usize>);

impl Observer<Graph> for Order {
    fn node(&mut self, visit: &Visit<'_, Graph>, _worker: &mut ()) -> Flow {
        self.0.push(*visit.state);
        Ok(())
    }
}

/// The edges of a graph that `count`: from, by which action, to.
fn edges(graph: &Graph, count: impl Fn(usize, usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut kept = Vec::new();
    for (from, targets) in graph.edges.iter().enumerate() {
        for (action, &to) in targets.iter().enumerate() {
            if count(from, action, to) {
                kept.push((from, to));
            }
        }
    }
    kept
}

/// Adds the pairs reached by `edges` until nothing changes.
fn close(reach: &mut [Vec<bool>], edges: &[(usize, usize)]) {
    for _ in 0..reach.len() {
        for &(from, to) in edges {
            for row in reach.iter_mut() {
                row[to] |= row[from];
            }
        }
    }
}

/// Compares the expected verdict with the reported one, and the last state of a counterexample with the
/// allowed ones.
fn compare(
    report: &Report<Graph>,
    name: &str,
    right: bool,
    exact: bool,
    proves: impl Fn(usize) -> bool,
) {
    match &report.property(name).unwrap().verdict {
        Verdict::Holds(_) => assert!(right && exact, "{name} does not hold"),
        Verdict::Violated(witness) => {
            assert!(!right, "{name} holds");
            let end = witness.as_ref().map(|w| *w.last());
            assert!(end.is_none_or(&proves), "{name}: the path does not show it");
        }
        Verdict::Unknown(StopReason::Components(_)) => assert!(!exact, "{name} is known"),
        Verdict::Unknown(other) => panic!("{name}: {other}"),
    }
}

fn agrees<P: Progress<Graph>>(graph: &Graph, progress: P, options: Options, wanted: usize) {
    // A trait object, so that the loop is compiled once for all measures.
    let progress: &dyn Progress<Graph> = &progress;
    let naive = Naive::new(graph);
    let names: Vec<String> = (0..ACTIONS).map(|t| t.to_string()).collect();
    let is_home = move |state: usize| state % 5 == wanted;
    let (survey, found) = Survey::new(ACTIONS, |action: &usize| *action);
    let (cached, mut order) = (options.cache.is_some(), Order::default());
    let report = Check::new(graph)
        .progress(progress)
        .options(options.clone())
        .query("survey", "survey", survey)
        .home("home", move |&state| is_home(state))
        .query("live", "live", Live::some(names.clone(), |action: &usize| *action, vec![wanted]))
        .query(
            "all live",
            "live",
            Live::all(names[..2].to_vec(), |action: &usize| (*action).min(1)),
        )
        .query("fair", "fair", Fair::new(move |action: &usize| *action == wanted))
        .query("ends", "terminates", Terminates::new())
        .query(
            "ends without",
            "terminates",
            Terminates::by(move |action: &usize| *action != wanted),
        )
        .run_watched(&mut order);
    // If the measure spreads components over several layers, they are found by its columns or in full.
    let exact = !cached;
    let structure = naive.structure();
    if exact {
        let found = found.lock().unwrap().clone();
        if report.along == Along::Measure {
            naive.agrees_with_lists(&found, &order.0);
        }
        let unnumbered = Structure { first_dead: vec![], first_terminal: vec![], ..found };
        assert_eq!(unnumbered, structure);
        let fair = &report.property("fair").unwrap().findings;
        assert_eq!(*fair, [structure.fairness[wanted].name()]);
    }
    compare(&report, "survey", true, exact, |_| true);
    let home = |state| naive.home(state, is_home);
    compare(&report, "home", naive.states.iter().all(|&s| home(s)), exact, |s| !home(s));
    let live = |state| naive.home(state, |s| naive.enables(s, wanted));
    compare(&report, "live", structure.live[wanted], exact, |s| !live(s));
    let both = |state| (0..2).all(|t| naive.home(state, |s| naive.enables(s, t)));
    compare(&report, "all live", naive.states.iter().all(|&s| both(s)), exact, |s| !both(s));
    let others = |_, other: usize, _| other != wanted;
    let ignored = |state| naive.cycle(others, |s| s == state);
    compare(&report, "fair", structure.fairness[wanted] <= Fairness::Fair, exact, ignored);
    let cycle = |state| naive.cycle(|_, _, _| true, |s| s == state);
    compare(&report, "ends", !structure.has_infinite_runs(), exact, cycle);
    compare(&report, "ends without", !naive.cycle(others, |_| true), exact, ignored);
    // Alone, it keeps only the edges that it needs.
    let alone = Check::new(graph).progress(progress).options(options);
    let alone = alone.query("alone", "terminates", Terminates::by(move |a: &usize| *a != wanted));
    compare(&alone.run(), "alone", !naive.cycle(others, |_| true), exact, ignored);
    for property in &report.properties {
        if let Some(witness) = property.verdict.witness() {
            assert_follows(graph, witness);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn components_are_those_of_the_definitions(
        graph in measured_graph(24),
        dimension in 0..=3usize,
        columns in 0..3usize,
        window in 0..4u64,
        gc in proptest::option::of(1..6u64),
        recompute: bool,
        wanted in 0..3usize,
    ) {
        let witness = if recompute { WitnessMode::Recompute } else { WitnessMode::Disk };
        let options = Options { window, gc, witness, ..Options::default() };
        let values = by(|&state: &usize| {
            let mut value = graph.values[state];
            value[dimension..].fill(0);
            value
        })
        .columns(columns);
        agrees(&graph, values, options.clone(), wanted);
        agrees(&graph, Trivial, options.clone(), wanted);
        let cache = Some(Cache::new(64));
        agrees(&graph, Trivial, Options { cache, ..options }, wanted);
    }
}

#[test]
fn an_edge_back_means_to_explore_in_full_and_a_stop_by_a_limit_says_so() {
    // 0 -> 1 -> 2 -> 0, of increasing progress except for the last edge.
    let edges = vec![vec![1], vec![2], vec![0]];
    let values = vec![[0; 3], [1; 3], [2; 3]];
    let graph = Graph { edges, starts: 1, ragged: false, values };
    let check = || Check::new(&graph).query("ends", "terminates", Terminates::new());
    let rising = || by(|&state: &usize| state as i64);
    let why = |report: Report<Graph>| match report.properties.into_iter().next().unwrap().verdict {
        Verdict::Unknown(stop) => stop,
        other => panic!("{}", other.word()),
    };
    let report = check().progress(rising()).run();
    assert!(report.is_violated() && report.along == Along::Nothing);
    assert_follows(&graph, report.properties[0].verdict.witness().unwrap());
    assert!(matches!(why(check().progress(rising()).strict().run()), StopReason::Regress(_)));
    let mut limited = check().progress(rising());
    limited = limited.limits(sweepline::Limits { states: Some(1), ..Default::default() });
    assert_eq!(why(limited.run()), StopReason::States);
    assert!(check().run().is_violated());
    // Two sweeps visit more states than there are: the limit ends them, but not the full exploration.
    let both = check().progress(rising()).bound("all", |&state| state as i64);
    let report = both.limits(sweepline::Limits { states: Some(4), ..Default::default() }).run();
    assert_eq!((report.along, &report.stop), (Along::Nothing, &Some(StopReason::States)));
    assert!(matches!(report.properties[0].verdict, Verdict::Violated(_)));
    assert!(matches!(report.properties[1].verdict, Verdict::Unknown(StopReason::States)));
}

#[test]
fn edges_count_towards_the_memory_limit() {
    // One layer of ten thousand states, each with twenty edges.
    let n = 10_000;
    let edges = (0..n).map(|i| (0..20).map(|j| (i * 20 + j) % n).collect()).collect();
    let graph = Graph { edges, starts: 1, ragged: false, values: vec![[0; 3]; n] };
    let limits = || sweepline::Limits { memory: Some(2 << 20), ..Default::default() };
    let report = Check::new(&graph).never("never", |_| false).limits(limits()).run();
    assert_eq!(report.stop, None, "the states alone fit");
    let report = Check::new(&graph).home("home", |_| true).limits(limits()).run();
    assert_eq!(report.stop, Some(StopReason::Memory));
}
