//! LTL formulas on random graphs: full and swept explorations agree with a naive decision procedure, and
//! every lasso is checked.

use proptest::prelude::*;
use sweepline::ltl::{Atom, Formula, Lasso};
use sweepline::model::bytes_of;
use sweepline::{Check, Options, Progress, Verdict, Witness, WitnessMode, progress};
use sweepline_testkit::{
    Fair, Graph, assert_follows, formulas, is_violated, letter, measured_graph,
};

/// The atoms of `letter`, each as a condition.
pub(super) fn over_graph(formula: Formula<u32>) -> Formula<Atom<'static, Graph>> {
    let has = |letter: u64, bit: u32| letter >> bit & 1 == 1;
    let atoms: Vec<Atom<'static, Graph>> = (0..5)
        .map(|bit| match bit {
            0 | 1 => Atom::state(move |graph: &Graph, state| has(letter(graph, *state, None), bit)),
            2 | 3 => {
                Atom::action(move |graph: &Graph, action| has(letter(graph, 0, Some(*action)), bit))
            }
            _ => Atom::enabled(|_: &Graph, action| *action == 1),
        })
        .collect();
    formula.map(|atom| atoms[atom as usize].clone())
}

fn check<P: Progress<Graph>>(
    graph: &Graph,
    progress: P,
    formula: &Formula<u32>,
    fair: &Fair,
    witness: WitnessMode,
) -> (Option<Witness<Graph>>, bool) {
    // A trait object, so that the loop is compiled once for all measures.
    let progress: &dyn Progress<Graph> = &progress;
    let options = Options { witness, ..Options::default() };
    let mut check = Check::new(graph).progress(progress).options(options);
    for &action in &fair.weak {
        check = check.weakly_fair(move |taken| *taken == action);
    }
    for &action in &fair.strong {
        check = check.strongly_fair(move |taken| *taken == action);
    }
    let mut report = check.ltl("formula", over_graph(formula.clone())).run();
    assert!(report.is_finished());
    match report.properties.remove(0).verdict {
        Verdict::Holds(_) => (None, false),
        Verdict::Violated(witness) => (witness, true),
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

/// The path is one of the graph, ends in a cycle or in a dead state, is fair, and violates the formula.
fn assert_violates(graph: &Graph, run: &Witness<Graph>, formula: &Formula<u32>, fair: &Fair) {
    assert_follows(graph, run);
    let back = run.back.expect("an infinite path");
    let mut states = vec![run.initial];
    states.extend(run.steps.iter().map(|step| step.state));
    let mut letters: Vec<(usize, Option<usize>)> = Vec::new();
    for (state, step) in states.iter().zip(&run.steps) {
        letters.push((*state, Some(step.action)));
    }
    if back == run.len() {
        assert!(graph.edges[*run.last()].is_empty(), "stays in a state that is not dead");
        letters.push((*run.last(), None));
    } else {
        assert_eq!(
            bytes_of(graph, run.last()),
            bytes_of(graph, &states[back]),
            "does not come back"
        );
    }
    let round = &letters[back..];
    let enabled = |state: usize, action: usize| action < graph.edges[state].len();
    for &action in &fair.weak {
        assert!(
            round.iter().any(|&(s, a)| !enabled(s, action) || a == Some(action)),
            "not weakly fair"
        );
    }
    for &action in &fair.strong {
        let often = round.iter().any(|&(state, _)| enabled(state, action));
        assert!(!often || round.iter().any(|&(_, a)| a == Some(action)), "not strongly fair");
    }
    let word = Lasso { letters, back };
    let reads = |atom: &u32, &(state, action): &(usize, Option<usize>)| {
        letter(graph, state, action) >> atom & 1 == 1
    };
    assert!(!formula.holds_on(&word, &reads), "satisfies the formula");
}

pub(super) fn fairness() -> impl Strategy<Value = Fair> {
    let few = || proptest::collection::vec(0..3usize, 0..3);
    (few(), few(), 0..3u8).prop_map(|(weak, strong, kind)| match kind {
        0 => Fair::default(),
        1 => Fair { weak, strong: Vec::new() },
        _ => Fair { weak, strong },
    })
}

/// Counts to its end and starts again: one regress edge.
fn ring(len: usize) -> Graph {
    let edges = (0..len).map(|state| vec![(state + 1) % len]).collect();
    let values = (0..len as i64).map(|state| [state, 0, 0]).collect();
    Graph { edges, starts: 1, ragged: false, values }
}

#[test]
fn a_ring_is_decided_in_the_memory_of_a_window() {
    // True in every other state.
    let odd = || Formula::Atom(0);
    for len in [600, 6_000, 60_000] {
        let graph = ring(len);
        let values = graph.values.clone();
        let measure = progress::by(move |state: &usize| values[*state]);
        let check = Check::new(&graph).progress(measure);
        let check = check.ltl("holds", over_graph(odd().eventually().always()));
        let report = check.ltl("violated", over_graph(odd().always().eventually())).run();
        let [holds, violated] = &report.properties[..] else { panic!("two questions") };
        assert!(matches!(holds.verdict, Verdict::Holds(_)), "{:?}", holds.findings);
        let witness = violated.verdict.witness().expect("a run");
        assert_eq!((witness.len(), witness.back), (len, Some(0)));
        assert!(report.statistics.peak_states < 10, "{}", report.statistics.peak_states);
        assert!(holds.findings.iter().any(|said| said.ends_with("regress edges lead to 1 state")));
    }
}

/// A few layers of several states each, with edges in all directions, few enough for unfair components.
fn layered_graph() -> impl Strategy<Value = Graph> {
    (3..16usize).prop_flat_map(|len| {
        let edges = proptest::collection::vec(proptest::collection::vec(0..len, 1..=3), len);
        let values = proptest::collection::vec((0..4i64).prop_map(|value| [value, 0, 0]), len);
        (edges, values).prop_map(|(mut edges, values)| {
            // Most states have one successor.
            let few = |(state, targets): (usize, &mut Vec<usize>)| {
                targets.truncate(1 + usize::from(state % 3 == 0) + usize::from(state % 6 == 0))
            };
            edges.iter_mut().enumerate().for_each(few);
            Graph { edges, starts: 1, ragged: false, values }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    /// Whether there is a fair path at all, and whether one visits some states infinitely often.
    #[test]
    fn cycles_of_many_layers_are_found(
        graph in layered_graph(),
        kind in 0..3u8,
        atoms in (0..5u32, 0..5u32),
        strong in proptest::collection::vec(1..3usize, 0..3),
        weak in proptest::collection::vec(0..3usize, 0..2),
    ) {
        let (first, second) = (Formula::Atom(atoms.0), Formula::Atom(atoms.1));
        let formula = match kind {
            0 => Formula::False,
            1 => first.not().always().eventually(),
            _ => first.always().eventually().or(second.eventually().always()),
        };
        let fair = Fair { weak, strong };
        let expected = is_violated(&graph, &formula, &fair).expect("a small formula");
        let values = graph.values.clone();
        let measure = progress::by(move |state: &usize| values[*state]);
        let (run, violated) = check(&graph, measure, &formula, &fair, WitnessMode::Recompute);
        prop_assert_eq!(violated, expected, "{}", formula);
        run.iter().for_each(|run| assert_violates(&graph, run, &formula, &fair));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Some have so many regress edges that one pass cannot follow all of them.
    #[test]
    fn large_graphs_are_decided_alike(
        graph in measured_graph(1_500),
        formula in formulas(5, 8),
        fair in fairness(),
        recompute in any::<bool>(),
    ) {
        let mode = if recompute { WitnessMode::Recompute } else { WitnessMode::Disk };
        let values = graph.values.clone();
        let measure = progress::by(move |state: &usize| values[*state]);
        let (_, expected) = check(&graph, progress::Trivial, &formula, &fair, mode);
        let (run, violated) = check(&graph, measure, &formula, &fair, mode);
        prop_assert_eq!(violated, expected, "{}", formula);
        run.iter().for_each(|run| assert_violates(&graph, run, &formula, &fair));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn formulas_are_decided_alike(
        graph in measured_graph(9),
        formula in formulas(5, 8),
        fair in fairness(),
        columns in 0..4usize,
        recompute in any::<bool>(),
    ) {
        let Some(expected) = is_violated(&graph, &formula, &fair) else { return Ok(()) };
        let mode = if recompute { WitnessMode::Recompute } else { WitnessMode::Disk };
        let values = graph.values.clone();
        let measure = progress::by(move |state: &usize| values[*state]).columns(columns);
        let full = check(&graph, progress::Trivial, &formula, &fair, mode);
        let swept = check(&graph, measure, &formula, &fair, mode);
        for (run, violated) in [full, swept] {
            prop_assert_eq!(violated, expected, "{}", formula);
            prop_assert_eq!(run.is_some(), violated);
            run.iter().for_each(|run| assert_violates(&graph, run, &formula, &fair));
        }
    }
}
