//! Formulas on random graphs: full and swept explorations, to the end or not, agree with sets of states and
//! fixpoints by definition.

use proptest::prelude::*;
use sweepline::ctl::{Along, Formula, Quantifier, parse};
use sweepline::ltl::Atom;
use sweepline::{Check, Limits, Progress, StopReason, System, Verdict, progress};
use sweepline_testkit::{Graph, measured_graph};

/// Two atoms on states, two on actions.
fn holds(graph: &Graph, atom: u32, state: usize) -> bool {
    match atom {
        0 => state & 1 == 1,
        1 => state.is_multiple_of(3),
        2 => graph.edges[state].len() > 1,
        _ => graph.edges[state].len() > 2,
    }
}

fn over_graph(formula: Formula<u32>) -> Formula<Atom<'static, Graph>> {
    let atoms = [
        Atom::state(|graph: &Graph, state: &usize| holds(graph, 0, *state)),
        Atom::state(|graph: &Graph, state: &usize| holds(graph, 1, *state)),
        // The second edge is enabled, and the third.
        Atom::action(|_: &Graph, action| *action == 1),
        Atom::enabled(|_: &Graph, action| *action == 2),
    ];
    formula.map(|atom| atoms[atom as usize].clone())
}

fn formulas() -> impl Strategy<Value = Formula<u32>> {
    let leaf = prop_oneof![
        12 => (0..4u32).prop_map(Formula::Atom),
        1 => Just(Formula::True),
        1 => Just(Formula::False),
    ];
    leaf.prop_recursive(5, 10, 2, |inner| {
        let one = (inner.clone(), 0..4u8, any::<bool>());
        prop_oneof![
            3 => one.prop_map(|(f, kind, all)| runs(all, match kind {
                0 => Along::Next(f),
                1 => Along::Finally(f),
                2 => Along::Globally(f),
                _ => return f.not(),
            })),
            2 => (inner.clone(), inner.clone(), 0..4u8).prop_map(|(f, g, kind)| match kind {
                0 => f.and(g),
                1 => f.or(g),
                2 => f.implies(g),
                _ => f.iff(g),
            }),
            2 => (inner.clone(), inner, 0..4u8, any::<bool>()).prop_map(|(f, g, kind, all)| runs(all, match kind {
                0 => Along::Until(f, g),
                1 => Along::Release(f, g),
                2 => Along::WeakUntil(f, g),
                _ => Along::StrongRelease(f, g),
            })),
        ]
    })
}

fn runs(all: bool, along: Along<Formula<u32>>) -> Formula<u32> {
    if all { Formula::every(along) } else { Formula::some(along) }
}

/// Iterates `step` from all states or none until nothing changes.
fn fixpoint(states: usize, first: bool, step: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
    let mut set = vec![first; states];
    loop {
        let next: Vec<bool> = (0..states).map(|state| step(&set, state)).collect();
        if next == set {
            return set;
        }
        set = next;
    }
}

/// The states that satisfy `formula`, each operator by its own expansion law.
fn satisfying(graph: &Graph, formula: &Formula<u32>) -> Vec<bool> {
    let n = graph.edges.len();
    let of = |f: &Formula<u32>| satisfying(graph, f);
    let each = |f: &dyn Fn(usize) -> bool| (0..n).map(f).collect::<Vec<bool>>();
    let (quantifier, along) = match formula {
        Formula::True => return vec![true; n],
        Formula::False => return vec![false; n],
        Formula::Atom(atom) => return each(&|s| holds(graph, *atom, s)),
        Formula::Not(f) => {
            let f = of(f);
            return each(&|s| !f[s]);
        }
        Formula::And(f, g) => {
            let (f, g) = (of(f), of(g));
            return each(&|s| f[s] && g[s]);
        }
        Formula::Or(f, g) => {
            let (f, g) = (of(f), of(g));
            return each(&|s| f[s] || g[s]);
        }
        Formula::Implies(f, g) => {
            let (f, g) = (of(f), of(g));
            return each(&|s| !f[s] || g[s]);
        }
        Formula::Iff(f, g) => {
            let (f, g) = (of(f), of(g));
            return each(&|s| f[s] == g[s]);
        }
        Formula::Runs(quantifier, along) => (*quantifier, &**along),
    };
    // A successor where the run goes on; what holds of a run that has ended is `ended`.
    let next = |set: &[bool], s: usize, ended: bool| match (quantifier, &graph.edges[s]) {
        (_, targets) if targets.is_empty() => ended,
        (Quantifier::All, targets) => targets.iter().all(|&t| set[t]),
        (Quantifier::Exists, targets) => targets.iter().any(|&t| set[t]),
    };
    match along {
        Along::Next(f) => {
            let f = of(f);
            each(&|s| next(&f, s, quantifier == Quantifier::All))
        }
        Along::Finally(f) => {
            let f = of(f);
            fixpoint(n, false, |z, s| f[s] || next(z, s, false))
        }
        Along::Globally(f) => {
            let f = of(f);
            fixpoint(n, true, |z, s| f[s] && next(z, s, true))
        }
        Along::Until(f, g) => {
            let (f, g) = (of(f), of(g));
            fixpoint(n, false, |z, s| g[s] || f[s] && next(z, s, false))
        }
        Along::WeakUntil(f, g) => {
            let (f, g) = (of(f), of(g));
            fixpoint(n, true, |z, s| g[s] || f[s] && next(z, s, true))
        }
        Along::Release(f, g) => {
            let (f, g) = (of(f), of(g));
            fixpoint(n, true, |z, s| g[s] && (f[s] || next(z, s, true)))
        }
        Along::StrongRelease(f, g) => {
            let (f, g) = (of(f), of(g));
            fixpoint(n, false, |z, s| g[s] && (f[s] || next(z, s, false)))
        }
    }
}

/// The answers to the formulas, where they are known.
fn check<P: Progress<Graph>>(
    graph: &Graph,
    progress: P,
    formulas: &[Formula<u32>],
    limits: Limits,
) -> Vec<Option<bool>> {
    // The same for all measures, so that the loop is compiled once.
    let progress: &dyn Progress<Graph> = &progress;
    let mut check = Check::new(graph).progress(progress).limits(limits);
    for (number, formula) in formulas.iter().enumerate() {
        check = check.ctl(number.to_string(), over_graph(formula.clone()));
    }
    let report = check.run();
    let answers = report.properties.iter().enumerate().map(|(number, property)| {
        assert_eq!(property.name, number.to_string(), "in the order they were asked");
        match &property.verdict {
            Verdict::Holds(_) => Some(true),
            Verdict::Violated(_) => Some(false),
            Verdict::Unknown(_) => None,
        }
    });
    answers.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn formulas_are_decided_alike(
        graph in measured_graph(12),
        formulas in proptest::collection::vec(formulas(), 1..4),
        columns in 0..4usize,
        states in 1..12u64,
    ) {
        let starts = graph.starts.min(graph.edges.len());
        let expected: Vec<Option<bool>> = formulas
            .iter()
            .map(|formula| Some(satisfying(&graph, formula)[..starts].iter().all(|holds| *holds)))
            .collect();
        let values = graph.values.clone();
        let measure = progress::by(move |state: &usize| values[*state]).columns(columns);
        let full = check(&graph, progress::Trivial, &formulas, Limits::default());
        prop_assert_eq!(&full, &expected, "in full: {:?}", formulas);
        let swept = check(&graph, &measure, &formulas, Limits::default());
        prop_assert_eq!(&swept, &expected, "swept: {:?}", formulas);
        let limits = Limits { states: Some(states), ..Limits::default() };
        let partly = check(&graph, progress::Trivial, &formulas, limits.clone());
        let stopped = check(&graph, &measure, &formulas, limits);
        for known in [partly, stopped] {
            for (known, expected) in known.iter().zip(&expected).filter(|(known, _)| known.is_some()) {
                prop_assert_eq!(known, expected, "after {} states: {:?}", states, &formulas);
            }
        }
    }

    #[test]
    fn a_formula_reads_as_it_is_written(formula in formulas()) {
        let name = |atom: u32| format!("p{atom}");
        let written = formula.map(name).to_string();
        let read = parse(&written).unwrap().map(|atom| atom.text);
        prop_assert_eq!(read.to_string(), written);
    }
}

/// Counts for ever.
struct Endless;

impl System for Endless {
    type State = u64;
    type Action = ();

    fn initial(&self) -> Vec<u64> {
        vec![0]
    }

    fn successors(&self, n: &u64, push: &mut dyn FnMut((), u64)) {
        push((), n + 1);
    }
}

#[test]
fn what_the_first_states_tell_ends_the_run() {
    let is = |number: u64| Formula::Atom(Atom::state(move |_: &Endless, n: &u64| *n == number));
    let then = Formula::some(Along::Next(is(2001)));
    let report = Check::new(&Endless)
        .ctl("reached", is(2000).and(then).possible())
        .ctl("never twice", is(7).and(Formula::some(Along::Next(is(7)))).not().everywhere().not())
        .limits(Limits { states: Some(100_000), ..Limits::default() })
        .run();
    let words: Vec<&str> = report.properties.iter().map(|p| p.verdict.word()).collect();
    assert_eq!(words, ["holds", "unknown"]);
    assert_eq!(report.stop, Some(StopReason::States));

    let report = Check::new(&Endless)
        .ctl("reached", is(2000).and(Formula::some(Along::Next(is(2001)))).possible())
        .ctl("not before", Formula::every(Along::Until(is(9).not(), is(2000))))
        .run();
    let words: Vec<&str> = report.properties.iter().map(|p| p.verdict.word()).collect();
    assert_eq!(words, ["holds", "violated"]);
    assert_eq!(report.stop, Some(StopReason::Decided));
}

#[test]
fn mistakes_are_pointed_at() {
    for (text, at) in [
        ("", 0..0),
        ("AG", 2..2),
        ("G p", 0..1),
        ("p U q", 2..3),
        ("E[p]", 3..4),
        ("E[p U q", 1..2),
        ("A p", 2..3),
        ("AG (p U q)", 6..7),
        ("AG p)", 4..5),
        ("p q", 2..3),
        ("AG {p > 1", 3..4),
    ] {
        assert_eq!(parse(text).expect_err(text).at, at, "{text}");
    }
    let formula = parse("AGEF p -> A[EX {q > 0} W \"A\"]").unwrap();
    assert_eq!(formula.map(|atom| atom.text).to_string(), "AG EF p -> A[EX q > 0 W A]");
    let deep = "!".repeat(10_000) + "p";
    assert!(parse(&deep).is_err());
}
