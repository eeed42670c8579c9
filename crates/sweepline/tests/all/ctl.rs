//! CTL formulas on random graphs: full and swept explorations, complete or stopped early, agree with
//! fixpoints over sets of states.

use proptest::prelude::*;
use sweepline::ctl::{Along, Formula, Quantifier, parse};
use sweepline::ltl::{Atom, AtomKind};
use sweepline::{
    Check, Limits, Options, Progress, StopReason, System, Verdict, Witness, WitnessMode, progress,
};
use sweepline_testkit::{Graph, assert_follows, measured_graph};

/// Two atoms on states, two on actions.
fn holds(graph: &Graph, atom: u32, state: usize) -> bool {
    match atom {
        0 => state & 1 == 1,
        1 => state.is_multiple_of(3),
        2 => graph.edges[state].len() > 1,
        _ => graph.edges[state].len() > 2,
    }
}

pub(super) fn over_graph(formula: Formula<u32>) -> Formula<Atom<'static, Graph>> {
    let atoms = [
        Atom::state(|graph: &Graph, state: &usize| holds(graph, 0, *state)),
        Atom::state(|graph: &Graph, state: &usize| holds(graph, 1, *state)),
        // The second edge is enabled, and the third.
        Atom::action(|_: &Graph, action| *action == 1),
        Atom::enabled(|_: &Graph, action| *action == 2),
    ];
    formula.map(|atom| atoms[atom as usize].clone())
}

pub(super) fn formulas() -> impl Strategy<Value = Formula<u32>> {
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
    // The value at a successor if the path continues; `ended` is the value on a path that has ended.
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

/// The path operator that a path must show so that `formula` has the value: its operands, and whether they are to be
/// negated. `None` where the formula is about all runs, or has no temporal operator on top.
fn on_a_path(formula: &Formula<u32>, value: bool) -> Option<(&Along<Formula<u32>>, bool)> {
    match formula {
        Formula::Not(f) => on_a_path(f, !value),
        Formula::Runs(Quantifier::Exists, along) if value => Some((along, true)),
        Formula::Runs(Quantifier::All, along) if !value => Some((along, false)),
        _ => None,
    }
}

/// The run is one of the graph, and shows that the formula has the value in its first state.
fn assert_shows(graph: &Graph, formula: &Formula<u32>, value: bool, run: &Witness<Graph>) {
    assert_follows(graph, run);
    let satisfying_states = satisfying(graph, formula);
    assert_eq!(satisfying_states[run.initial], value);
    // A formula that simplifies to a constant is shown by any state.
    if run.is_empty() && run.back.is_none() && satisfying_states.iter().all(|&is| is == value) {
        return;
    }
    let mut states = vec![run.initial];
    states.extend(run.steps.iter().map(|step| step.state));
    match run.back {
        Some(back) if back < run.len() => assert_eq!(states[back], *run.last(), "no cycle"),
        Some(_) => assert!(graph.edges[*run.last()].is_empty(), "not dead"),
        None => {}
    }
    let Some((along, is)) = on_a_path(formula, value) else { return };
    let shown = is_shown(graph, (along, is), &states, run.back.is_some());
    assert!(shown, "{formula} is {value}: {states:?}, back {:?}", run.back);
}

/// The states of a path, which goes on for ever or not, show the operator; the operands of `A` are negated.
fn is_shown(
    graph: &Graph,
    (along, is): (&Along<Formula<u32>>, bool),
    states: &[usize],
    goes_on: bool,
) -> bool {
    let [f, g] = along.parts().map(|part| {
        let holds = satisfying(graph, part.unwrap_or(&Formula::True));
        states.iter().map(|&state| holds[state]).collect::<Vec<bool>>()
    });
    let (f, g) = (|i: usize| f[i] == is, |i: usize| g[i] == is);
    let all = 0..states.len();
    let mut each = all.clone();
    let for_ever = |holds: &dyn Fn(usize) -> bool| goes_on && all.clone().all(holds);
    match (along, is) {
        (Along::Next(_), _) => states.len() > 1 && f(1),
        (Along::Finally(_), true) | (Along::Globally(_), false) => each.any(f),
        (Along::Globally(_), true) | (Along::Finally(_), false) => for_ever(&f),
        (Along::Until(..), true) | (Along::Release(..), false) => {
            each.any(|i| g(i) && (0..i).all(f))
        }
        (Along::Release(..), true) | (Along::Until(..), false) => {
            each.any(|i| f(i) && (0..=i).all(g)) || for_ever(&g)
        }
        (Along::WeakUntil(..), true) | (Along::StrongRelease(..), false) => {
            each.any(|i| g(i) && (0..i).all(f)) || for_ever(&f)
        }
        (Along::StrongRelease(..), true) | (Along::WeakUntil(..), false) => {
            each.any(|i| f(i) && (0..=i).all(g))
        }
    }
}

/// The verdicts on the formulas, if they are known. Each has a witness that shows it, if a path can.
fn check<P: Progress<Graph>>(
    graph: &Graph,
    progress: P,
    formulas: &[Formula<u32>],
    limits: Limits,
) -> Vec<Option<bool>> {
    // A trait object, so that the loop is compiled once for all measures.
    let progress: &dyn Progress<Graph> = &progress;
    let is_whole = limits.states.is_none();
    let mut check = Check::new(graph).progress(progress).limits(limits);
    for (number, formula) in formulas.iter().enumerate() {
        check = check.ctl(number.to_string(), over_graph(formula.clone()));
    }
    let report = check.run();
    let answers = report.properties.iter().enumerate().map(|(number, property)| {
        assert_eq!(property.name, number.to_string(), "in the order they were asked");
        let value = matches!(property.verdict, Verdict::Holds(_));
        if let Some(run) = property.verdict.witness() {
            assert_shows(graph, &formulas[number], value, run);
        }
        let is_known = is_whole && !matches!(property.verdict, Verdict::Unknown(_));
        if is_known && property.verdict.witness().is_none() {
            assert!(property.to_string().contains("no single path"), "{property}");
            // A path of no steps need not be shown.
            if let Some(operator) = on_a_path(&formulas[number], value) {
                let mut starts = 0..graph.starts.min(graph.edges.len());
                let at_once = starts.any(|start| is_shown(graph, operator, &[start], false));
                assert!(at_once, "{}: {property}", formulas[number]);
            }
        }
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

/// Counts forever.
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

/// Counts to `n`, by layers of one state, and has a way out of the last one.
struct Count(u64);

impl System for Count {
    type State = u64;
    type Action = &'static str;

    fn initial(&self) -> Vec<u64> {
        vec![0]
    }

    fn successors(&self, n: &u64, push: &mut dyn FnMut(&'static str, u64)) {
        if *n < self.0 {
            push("count", n + 1);
        } else if *n == self.0 {
            push("stay", *n);
            push("leave", n + 1);
        }
    }
}

#[test]
fn a_path_through_many_layers_ends_in_a_cycle_or_a_dead_state() {
    let model = Count(5_000);
    let is = |number: u64| Formula::Atom(Atom::state(move |_: &Count, n: &u64| *n == number));
    let leaves = || Formula::Atom(Atom::enabled(|_: &Count, action| *action == "leave"));
    let check = || {
        Check::new(&model)
            .progress(progress::by(|n: &u64| *n))
            .ctl("cycle", Formula::some(Along::Globally(is(5_001).not())))
            .ctl("dead", Formula::some(Along::Globally(leaves().not())).possible())
            .ctl("then", is(3).and(Formula::some(Along::Until(is(9).not(), leaves()))).possible())
            .ctl(
                "then",
                is(3).and(Formula::some(Along::Until(is(5_001).not(), leaves()))).possible(),
            )
    };
    let report = check().run();
    let found: Vec<_> = report
        .properties
        .iter()
        .map(|p| (p.verdict.word(), p.verdict.witness().map(|run| (run.len(), run.back))))
        .collect();
    assert_eq!(
        found,
        [
            ("holds", Some((5_001, Some(5_000)))),
            ("holds", Some((5_001, Some(5_001)))),
            ("violated", None),
            ("holds", Some((5_000, None))),
        ]
    );
    assert!(report.statistics.peak_states < 10, "{}", report.statistics.peak_states);
    let off = Options { witness: WitnessMode::Off, ..Options::default() };
    let report = check().options(off).run();
    let silent =
        |p: &sweepline::Property<Count>| p.verdict.witness().is_none() && p.findings.is_empty();
    assert!(report.properties.iter().all(silent), "{report}");
}

#[test]
fn a_path_says_what_it_does_not_show() {
    let model = Count(3);
    let is = |number: u64| Formula::Atom(Atom::state(move |_: &Count, n: &u64| *n == number));
    let report = Check::new(&model)
        .ctl("possible and then inevitable", is(2).and(is(3).inevitable()).possible())
        .ctl("every run", is(3).inevitable())
        .ctl("two", is(2).possible().and(Formula::some(Along::Next(is(1)))))
        .run();
    let said: Vec<_> = report
        .properties
        .iter()
        .map(|p| (p.verdict.witness().map(Witness::len), &p.findings[..]))
        .collect();
    let [(Some(2), [rest]), (None, [none]), (Some(1 | 2), [others])] = &said[..] else {
        panic!("{report}");
    };
    assert_eq!(
        rest,
        "from the last state on, the formula is about every run: no single path shows that"
    );
    assert_eq!(none, "the formula is about every run: no single path shows it");
    assert_eq!(others, "the path shows one temporal operator; others hold in its states, too");
}

#[test]
fn atoms_say_enabled_or_taken() {
    let formula =
        parse("AG (enabled(send) -> EF taken( \"my event\" ) && {enabled(p)} || taken)").unwrap();
    let mut atoms = Vec::new();
    formula.each_atom(&mut |atom| atoms.push((atom.text.clone(), atom.kind)));
    let expected = [
        ("send", AtomKind::Enabled),
        ("my event", AtomKind::Taken),
        ("enabled(p)", AtomKind::Condition),
        ("taken", AtomKind::Name),
    ];
    assert_eq!(atoms, expected.map(|(text, kind)| (text.to_owned(), kind)));
    for (text, at, message) in [
        ("AG enabled(my event)", 3..19, "`my event` needs quotes: write `enabled(\"my event\")`"),
        ("AG taken()", 3..9, "the name of a transition is missing"),
        ("AG taken(\"\")", 3..9, "the name of a transition is missing"),
        ("AG enabled(p", 3..11, "the parenthesis is not closed"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!((error.at, &*error.message), (at, message), "{text}");
    }
}

#[test]
fn errors_have_positions() {
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
