//! Any number of threads gives the results of one thread: verdicts, counterexamples, statistics.

use std::fmt::Write;
use std::sync::OnceLock;
use std::time::Duration;

use proptest::prelude::*;
use sweepline::observe::{DeadActions, DeadStates};
use sweepline::progress::{Trivial, by};
use sweepline::select::{Needs, Sleep};
use sweepline::{
    Check, Limits, Model, Monotone, Options, Progress, Report, Statistics, StopReason, Threads,
    Verdict, WitnessMode,
};
use sweepline_testkit::{Graph, machine, measured_graph};

use super::{ctl, ltl};

/// Threads that expand levels of any size, shared by all tests.
fn crews() -> &'static [Threads] {
    static CREWS: OnceLock<Vec<Threads>> = OnceLock::new();
    CREWS.get_or_init(|| [2, 3, 8].map(|count| Threads::new(count).eager()).to_vec())
}

/// Everything in a report except times.
fn told<M: Model>(report: &Report<M>) -> String
where
    M::State: std::fmt::Debug,
{
    let mut text = format!("stop {:?}\n", report.stop);
    let statistics = Statistics { elapsed: Duration::ZERO, ..report.statistics.clone() };
    writeln!(text, "{statistics:?}").unwrap();
    for property in &report.properties {
        let verdict = match &property.verdict {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        };
        writeln!(text, "{} {verdict} {:?} {:?}", property.name, property.range, property.findings)
            .unwrap();
        if let Some(witness) = property.verdict.witness() {
            let steps: Vec<_> = witness.steps.iter().map(|s| (&s.action, &s.state)).collect();
            writeln!(text, "  {:?} {steps:?} {:?}", witness.initial, witness.back).unwrap();
        }
    }
    text
}

/// Checks a graph with one thread and with several, and compares the reports.
fn alike(
    graph: &Graph,
    progress: &dyn Progress<Graph>,
    options: &Options,
    target: usize,
    more: u8,
) {
    let run = |threads: Threads| {
        let options = Options { threads, ..options.clone() };
        let mut check = Check::new(graph)
            .progress(progress)
            .options(options)
            .never("never", |&s| s == target)
            .reach("reach", |&s| s == target * 2 % 61)
            .deadlock();
        if more == 2 {
            // It needs the components of layers, and so the edges in order.
            check = check.home("home", |&s| s % 5 == target % 5);
        }
        if more > 0 {
            let names = (0..4).map(|n| n.to_string()).collect();
            check = check
                .bound("bound", |&s| s as i64 * 7 % 11)
                .query("dead actions", "dead actions", DeadActions::new(names, |a: &usize| *a % 4))
                .query(
                    "dead states",
                    "dead states",
                    DeadStates::new(3, |_: &Graph, s: &usize| s.to_string()),
                );
        }
        told(&check.run())
    };
    let one = run(Threads::new(1));
    for crew in crews() {
        assert_eq!(run(crew.clone()), one, "{crew:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn full(graph in measured_graph(300), target in 0..300usize, more in 0..3u8) {
        alike(&graph, &Trivial, &Options { count: true, ..Options::default() }, target, more);
    }

    #[test]
    fn swept(
        graph in measured_graph(200),
        target in 0..200usize,
        window in prop_oneof![Just(0u64), 0..6u64],
        anchor in prop_oneof![2 => Just(0u64), 1 => 1..6u64],
        columns in 0..=3usize,
        (count, strict) in any::<(bool, bool)>(),
        more in 0..3u8,
        gc in prop_oneof![4 => Just(None), 1 => (1..30u64).prop_map(Some)],
        witness in prop_oneof![
            3 => Just(WitnessMode::Disk),
            1 => Just(WitnessMode::Recompute),
            1 => Just(WitnessMode::Off),
        ],
    ) {
        let values = graph.values.clone();
        let monotone = if strict { Monotone::Strict } else { Monotone::Check };
        let options =
            Options { window, anchor, gc, witness, count, monotone, ..Options::default() };
        alike(&graph, &by(|&s: &usize| values[s][0]).columns(columns.min(1)), &options, target, more);
        alike(&graph, &by(|&s: &usize| values[s]).columns(columns), &options, target, more);
    }

    /// A run that a limit ends stops at the same state, with the same results so far.
    #[test]
    fn limited(
        graph in measured_graph(300),
        target in 0..300usize,
        states in prop_oneof![Just(None), (1..200u64).prop_map(Some)],
        memory in prop_oneof![Just(None), (1000..20_000u64).prop_map(Some)],
        more in 0..3u8,
    ) {
        let values = graph.values.clone();
        let limits = Limits { states, memory, ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        alike(&graph, &Trivial, &options, target, more);
        alike(&graph, &by(|&s: &usize| values[s]), &options, target, more);
    }
}

/// Runs a check with one thread and with several, and compares the reports.
fn checked_alike<M: Model>(options: &Options, run: impl Fn(Options) -> Report<M>)
where
    M::State: std::fmt::Debug,
{
    let told = |threads| told(&run(Options { threads, ..options.clone() }));
    let one = told(Threads::new(1));
    crews().iter().for_each(|crew| assert_eq!(told(crew.clone()), one, "{crew:?}"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// The observers of formulas see a round after it was expanded.
    #[test]
    fn formulas_over_paths(
        graph in measured_graph(120),
        formula in sweepline_testkit::formulas(5, 8),
        fair in ltl::fairness(),
        (swept, limited) in any::<(bool, bool)>(),
        columns in 0..3usize,
    ) {
        let values = graph.values.clone();
        let measure = by(|&s: &usize| values[s]).columns(columns);
        let progress: &dyn Progress<Graph> = if swept { &measure } else { &Trivial };
        let limits = Limits { states: limited.then_some(40), ..Limits::default() };
        checked_alike(&Options { limits, ..Options::default() }, |options| {
            let mut check = Check::new(&graph).progress(progress).options(options);
            for &action in &fair.weak {
                check = check.weakly_fair(move |taken| *taken == action);
            }
            for &action in &fair.strong {
                check = check.strongly_fair(move |taken| *taken == action);
            }
            check.ltl("formula", ltl::over_graph(formula.clone())).run()
        });
    }

    #[test]
    fn formulas_over_trees(
        graph in measured_graph(120),
        formulas in proptest::collection::vec(ctl::formulas(), 1..4),
        (swept, limited) in any::<(bool, bool)>(),
    ) {
        let values = graph.values.clone();
        let measure = by(|&s: &usize| values[s]);
        let progress: &dyn Progress<Graph> = if swept { &measure } else { &Trivial };
        let limits = Limits { states: limited.then_some(40), ..Limits::default() };
        checked_alike(&Options { limits, ..Options::default() }, |options| {
            let mut check = Check::new(&graph).progress(progress).options(options);
            for (number, formula) in formulas.iter().enumerate() {
                check = check.ctl(number.to_string(), ctl::over_graph(formula.clone()));
            }
            check.run()
        });
    }

    #[test]
    fn reduced(machine in machine(), window in 0..3u64, variable: u8, value in 0..3u8, sleeps: bool) {
        let variable = usize::from(variable) % machine.variables;
        checked_alike(&Options { window, ..Options::default() }, |options| {
            let mut check = Check::new(&machine)
                .progress(by(|s: &Vec<u8>| machine.measure(s)))
                .options(options)
                .stubborn()
                .deadlock()
                .needing(Needs::Visible(machine.writers(variable as u32).into()))
                .never("never", |s: &Vec<u8>| s[variable] == value);
            if sleeps {
                check = check.sleep(Sleep::of(&machine));
            }
            check.run()
        });
    }
}

/// A grid of counters: wide levels, every state found by several others.
struct Grid {
    sides: [u32; 4],
}

impl sweepline::System for Grid {
    type State = [u32; 4];
    type Action = usize;

    fn initial(&self) -> Vec<[u32; 4]> {
        vec![[0; 4]]
    }

    fn successors(&self, state: &[u32; 4], push: &mut dyn FnMut(usize, [u32; 4])) {
        for (side, &end) in self.sides.iter().enumerate() {
            let mut next = *state;
            if state[side] < end {
                next[side] += 1;
                push(side, next);
            }
        }
    }
}

#[test]
fn a_violated_property_has_one_counterexample() {
    let grid = Grid { sides: [40, 150, 3, 200] };
    let run = |threads| {
        let check = Check::new(&grid).never("corner", |s| s[0] == 20 && s[1] == 20 && s[3] == 20);
        told(&check.options(Options { threads, ..Options::default() }).run())
    };
    let (one, crew) = (run(Threads::new(1)), Threads::new(8));
    assert!(one.contains("corner violated"));
    for _ in 0..20 {
        assert_eq!(run(crew.clone()), one);
    }
}

/// What is explored before a limit depends on the numbers of the states.
#[test]
fn states_have_the_numbers_of_one_thread() {
    let grid = Grid { sides: [40, 9, 30, 17] };
    for limit in [2_000, 11_000, 29_000, 50_000, 77_000] {
        let limits = Limits { states: Some(limit), ..Limits::default() };
        let run = |threads| {
            let options = Options { threads, limits: limits.clone(), ..Options::default() };
            told(&Check::new(&grid).deadlock().options(options).run())
        };
        let one = run(Threads::new(1));
        for _ in 0..4 {
            for crew in crews() {
                assert_eq!(run(crew.clone()), one, "{limit}, {crew:?}");
            }
        }
    }
}

#[test]
fn levels_that_are_worth_it_are_shared_out_by_default() {
    let grid = Grid { sides: [60, 60, 60, 2] };
    let sum = by(|s: &[u32; 4]| s.iter().sum::<u32>());
    for progress in [&Trivial as &dyn Progress<Grid>, &sum] {
        let run = |threads| {
            let check = Check::new(&grid)
                .progress(progress)
                .deadlock()
                .bound("sum", |s| s.iter().sum::<u32>());
            told(&check.options(Options { threads, ..Options::default() }).run())
        };
        assert_eq!(run(Threads::new(3)), run(Threads::new(1)));
    }
}

#[test]
fn an_error_of_the_model_ends_the_run_at_the_same_state() {
    struct Faulty;
    impl sweepline::System for Faulty {
        type State = (u32, u32);
        type Action = ();
        fn initial(&self) -> Vec<(u32, u32)> {
            vec![(0, 0)]
        }
        fn successors(&self, &(a, b): &(u32, u32), push: &mut dyn FnMut((), (u32, u32))) {
            if a < 50 {
                push((), (a + 1, b));
            }
            if b < 50 {
                push((), (a, b + 1));
            }
        }
    }
    let measure =
        by(|&(a, b): &(u32, u32)| if (a, b) == (30, 17) { u64::MAX } else { u64::from(a + b) });
    let run = |threads| {
        let check = Check::new(&Faulty).progress(&measure).deadlock();
        let report = check.options(Options { threads, ..Options::default() }).run();
        assert!(matches!(report.stop, Some(StopReason::Model(_))));
        told(&report)
    };
    let one = run(Threads::new(1));
    crews().iter().for_each(|crew| assert_eq!(run(crew.clone()), one));
}
