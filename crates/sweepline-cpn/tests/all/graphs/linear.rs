//! LTL formulas in scripts: the same verdicts as the library, and counterexamples that are paths of the graph.

use proptest::prelude::*;
use sweepline::Check;
use sweepline::formula::Along;
use sweepline::ltl::{Atom, Fairness, Formula};
use sweepline_cpn::{CpnModel, Marking, Occurrence};
use sweepline_testkit::formulas;

use super::graph::{Graph, graph};
use super::values;

#[derive(Clone, PartialEq, Debug)]
enum Said {
    Node(usize),
    Takes(usize),
}

/// Of eight nodes and three labels.
fn formula() -> impl Strategy<Value = Formula<Said>> {
    formulas(11, 8).prop_map(|formula| {
        formula.map(|atom| match atom as usize {
            node @ 0..8 => Said::Node(node),
            label => Said::Takes(label - 8),
        })
    })
}

/// The formula in the syntax of scripts.
fn written(formula: &Formula<Said>) -> String {
    let one = |word: &str, f: &Formula<Said>| format!("LTL.{word} ({})", written(f));
    let two = |word: &str, f: &Formula<Said>, g: &Formula<Said>| {
        format!("LTL.{word} ({}, {})", written(f), written(g))
    };
    match formula {
        Formula::True => "LTL.TRUE".into(),
        Formula::False => "LTL.FALSE".into(),
        Formula::Atom(Said::Node(number)) => format!("is {number}"),
        Formula::Atom(Said::Takes(label)) => format!("LTL.takes [TI.P't{label} 1]"),
        Formula::Not(f) => one("NOT", f),
        Formula::And(f, g) => two("AND", f, g),
        Formula::Or(f, g) => two("OR", f, g),
        Formula::Implies(f, g) => two("IMPLIES", f, g),
        Formula::Iff(f, g) => two("IFF", f, g),
        Formula::Runs((), along) => match &**along {
            Along::Next(f) => one("X", f),
            Along::Finally(f) => one("F", f),
            Along::Globally(f) => one("G", f),
            Along::Until(f, g) => two("U", f, g),
            Along::Release(f, g) => two("R", f, g),
            Along::WeakUntil(f, g) => two("W", f, g),
            Along::StrongRelease(f, g) => two("M", f, g),
        },
    }
}

/// The verdict of the library, by full exploration.
fn holds(
    model: &CpnModel,
    formula: &Formula<Said>,
    (weak, strong): (Option<usize>, Option<usize>),
) -> bool {
    let expression =
        |node: usize| model.scope().predicate("node", &format!("hd S = {node}")).unwrap();
    let takes = |label: usize| {
        let name = format!("P't{label} 1");
        let number = model.transition_names().position(|known| known == name).unwrap();
        move |occurrence: &Occurrence| occurrence.transition as usize == number
    };
    let formula = formula.clone().map(|said| match said {
        Said::Node(node) => {
            let expression = expression(node);
            Atom::evaluated(
                move |_: &CpnModel, worker: &mut sweepline_cpn::Worker, state: &Marking| {
                    Ok(expression.holds(worker, state).unwrap())
                },
            )
        }
        Said::Takes(label) => {
            let takes = takes(label);
            Atom::action(move |_: &CpnModel, occurrence| takes(occurrence))
        }
    });
    let mut fairness = Fairness::default();
    if let Some(label) = weak {
        let takes = takes(label);
        fairness.add_weak(move |_, occurrence| takes(occurrence));
    }
    if let Some(label) = strong {
        let takes = takes(label);
        fairness.add_strong(move |_, occurrence| takes(occurrence));
    }
    let report = Check::new(model).ltl_assuming("f", formula, fairness).run();
    report.properties[0].verdict.word() == "holds"
}

/// Whether this is a lasso of the graph.
fn is_run(graph: &Graph, stem: &[usize], repeated: &[usize]) -> bool {
    let leads = |from: usize, to: usize| graph.edges.iter().any(|(a, _, b)| (*a, *b) == (from, to));
    let run: Vec<usize> = stem.iter().chain(repeated).copied().collect();
    let steps = run.windows(2).all(|step| leads(step[0], step[1]));
    let is_dead = |node: usize| graph.edges.iter().all(|(from, _, _)| *from != node);
    let round = match repeated {
        [] => false,
        [one] => leads(*one, *one) || is_dead(*one),
        [first, .., last] => leads(*last, *first),
    };
    run.first() == Some(&0) && steps && round
}

/// `[1,2]`
fn numbers(text: &str) -> Vec<usize> {
    let inner = text.trim_matches(['[', ']']);
    inner.split(',').filter(|n| !n.is_empty()).map(|n| n.parse().unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn formulas_are_answered_as_the_library_answers_them(
        graph in graph(), formula in formula(),
        weak in prop::option::of(0..3usize), strong in prop::option::of(0..3usize),
    ) {
        let is_there = |label: &usize| *label < graph.labels;
        let (weak, strong) = (weak.filter(is_there), strong.filter(is_there));
        let formula = formula.map(|said| match said {
            Said::Takes(label) => Said::Takes(label % graph.labels),
            Said::Node(node) => Said::Node(node),
        });
        let set = |label: Option<usize>| match label {
            Some(label) => format!("[[TI.P't{label} 1]]"),
            None => "[]".to_owned(),
        };
        let text = format!(
            "{} fun is k = LTL.state (fn M => node M = k);
             val f = {};
             val fair = {{Weak = {} : TI.TransInst list list, Strong = {} : TI.TransInst list list}};
             SLLtl (sweep, f); SLLtlFair (sweep, fair, f);
             val run = SLLtlRun (sweep, fair, f);
             case run of NONE => [] | SOME {{Stem, Loop}} => map node Stem;
             case run of NONE => [] | SOME {{Stem, Loop}} => map node Loop;",
            graph.measure(), written(&formula), set(weak), set(strong)
        );
        let model = graph.model();
        let found = values(&model, &text);
        let plain = holds(&model, &formula, (None, None));
        let fairly = holds(&model, &formula, (weak, strong));
        prop_assert_eq!(&found[..2], &[plain.to_string(), fairly.to_string()], "{}", text);
        let (stem, repeated) = (numbers(&found[2]), numbers(&found[3]));
        match fairly {
            true => prop_assert!(stem.is_empty() && repeated.is_empty()),
            false => prop_assert!(is_run(&graph, &stem, &repeated), "{:?} {:?} {}", stem, repeated, text),
        }
    }
}
