//! Formulas on random graphs: full and swept explorations agree with a naive decision, and every lasso is
//! one.

use proptest::prelude::*;
use sweepline::ltl::{Atom, Formula, Lasso};
use sweepline::model::bytes_of;
use sweepline::{Check, Options, Progress, Verdict, Witness, WitnessMode, progress};
use sweepline_testkit::{
    Fair, Graph, assert_follows, formulas, is_violated, letter, measured_graph,
};

/// The atoms of `letter`, each by its own condition.
fn over_graph(formula: Formula<u32>) -> Formula<Atom<'static, Graph>> {
    let atoms: Vec<Atom<'static, Graph>> = (0..4)
        .map(|bit| match bit {
            0 | 1 => {
                Atom::state(move |_: &Graph, state: &usize| letter(*state, None) >> bit & 1 == 1)
            }
            _ => Atom::action(move |_: &Graph, action| letter(0, Some(action)) >> bit & 1 == 1),
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
    let options = Options { witness, ..Options::default() };
    let mut check = Check::new(graph).progress(progress).options(options);
    for &action in &fair.weak {
        check = check.weakly_fair(move |taken| taken == action);
    }
    for &action in &fair.strong {
        check = check.strongly_fair(move |taken| taken == action);
    }
    let mut report = check.ltl("formula", over_graph(formula.clone())).run();
    assert!(report.is_finished());
    match report.properties.remove(0).verdict {
        Verdict::Holds(_) => (None, false),
        Verdict::Violated(witness) => (witness, true),
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

/// The run is one of the graph, ends in a loop or in a dead state, is fair, and violates the formula.
fn assert_violates(graph: &Graph, run: &Witness<Graph>, formula: &Formula<u32>, fair: &Fair) {
    assert_follows(graph, run);
    let back = run.back.expect("a run that goes on for ever");
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
        letter(state, action) >> atom & 1 == 1
    };
    assert!(!formula.holds_on(&word, &reads), "satisfies the formula");
}

fn fairness() -> impl Strategy<Value = Fair> {
    let few = || proptest::collection::vec(0..3usize, 0..3);
    (few(), few(), 0..3u8).prop_map(|(weak, strong, kind)| match kind {
        0 => Fair::default(),
        1 => Fair { weak, strong: Vec::new() },
        _ => Fair { weak, strong },
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn formulas_are_decided_alike(
        graph in measured_graph(9),
        formula in formulas(4, 8),
        fair in fairness(),
        columns in 0..4usize,
        recompute in any::<bool>(),
    ) {
        let Some(expected) = is_violated(&graph, &formula, &fair) else { return Ok(()) };
        let mode = if recompute { WitnessMode::Recompute } else { WitnessMode::Disk };
        let values = graph.values.clone();
        let measure = progress::by_vector(columns, move |state: &usize| values[*state]);
        let full = check(&graph, progress::Trivial, &formula, &fair, mode);
        let swept = check(&graph, measure, &formula, &fair, mode);
        for (run, violated) in [full, swept] {
            prop_assert_eq!(violated, expected, "{}", formula);
            prop_assert_eq!(run.is_some(), violated);
            run.iter().for_each(|run| assert_violates(&graph, run, &formula, &fair));
        }
    }
}
