//! Random processes: every verdict agrees with the naive evaluation, and every counterexample is one.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sweepline::observe::Terminates;
use sweepline::{Check, Verdict, Witness};
use sweepline_lts::refine::{NoDeadlock, Refines, deterministic_part};
use sweepline_lts::{
    Composition, LabelId, Lts, LtsBuilder, OfProcess, Refinement, RefinementState, RuleId,
    Semantics, Specification, StateNo, Sync, Term, Tree, Weighted,
};

use super::naive::{Behaviour, Events, Trace};

/// Traces of this length are enumerated if no counterexample says how long they must be.
const LENGTH: usize = 5;

pub(super) const MODELS: [Semantics; 3] =
    [Semantics::Traces, Semantics::Failures, Semantics::FailuresDivergences];

/// A random LTS: edges as source, label and target. The label `✓` leads to a state of its own.
pub(super) type Edges = Vec<(u32, &'static str, u32)>;

pub(super) fn edges(n_states: u32) -> impl Strategy<Value = Edges> {
    let label = prop_oneof![
        3 => Just("τ"), 3 => Just("a"), 3 => Just("b"), 1 => Just("c"), 1 => Just("✓")
    ];
    vec((0..n_states, label, 0..n_states), 0..9)
}

pub(super) fn lts(name: &str, n_states: u32, edges: &Edges) -> Lts {
    let mut lts = LtsBuilder::new(name);
    for &(source, label, target) in edges {
        let target = if label == "✓" { n_states } else { target };
        let label = lts.label(label);
        lts.edge(StateNo(source), label, StateNo(target));
    }
    lts.build(n_states + 1, StateNo(0)).expect("states in range")
}

/// One LTS, or two in parallel, possibly with hidden events.
#[derive(Clone, Debug)]
enum Shape {
    One(Edges),
    Two(Edges, Edges, Vec<&'static str>, Vec<&'static str>),
}

fn shape() -> impl Strategy<Value = Shape> {
    let events = || vec(select(vec!["a", "b", "c"]), 0..3);
    prop_oneof![
        edges(5).prop_map(Shape::One),
        (edges(3), edges(3), events(), events()).prop_map(|(p, q, m, h)| Shape::Two(p, q, m, h)),
    ]
}

fn composition(shape: &Shape) -> Composition {
    let set = |events: &[&str]| events.iter().map(|&event| event.to_owned()).collect();
    let tree = match shape {
        Shape::One(edges) => Tree::Component(lts("P", 5, edges)),
        Shape::Two(p, q, meet, hidden) => {
            let both = vec![Tree::Component(lts("P", 3, p)), Tree::Component(lts("Q", 3, q))];
            let parallel = Tree::Parallel(both, Sync::Interface(set(meet)));
            Tree::Hide(Box::new(parallel), set(hidden))
        }
    };
    Composition::new(tree).expect("a small tree")
}

pub(super) fn universe() -> Events {
    ["a", "b", "c", "✓"].map(str::to_owned).into()
}

pub(super) fn never() -> bool {
    false
}

/// How a check explores: along the ranks of components or not, and with how many threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    by_components: bool,
    threads: usize,
}

pub(super) const WAYS: [Way; 3] = [
    Way { by_components: false, threads: 1 },
    Way { by_components: true, threads: 1 },
    Way { by_components: true, threads: 2 },
];

fn measure(process: &Composition) -> OfProcess<'_, Composition> {
    let of = |component: usize| {
        let ranked = &process.gradings()[component];
        let states = process.component(component).states();
        states.map(move |s| (Term::In(component, s), i64::from(ranked.rank(s))))
    };
    let ranks: Vec<_> = (0..process.component_count()).flat_map(of).collect();
    OfProcess(Box::new(Weighted::new(process, &[(ranks, 0)], 1)))
}

/// The violation of a refinement, if there is one, found in one way.
pub(super) fn violation<'a>(
    refinement: &'a Refinement<'a>,
    semantics: Semantics,
    way: Way,
) -> Option<Witness<Refinement<'a>>> {
    let mut check = Check::new(refinement).threads(way.threads);
    if way.by_components {
        check = check.progress(measure(refinement.process()));
    }
    let check = match semantics {
        Semantics::FailuresDivergences => check.query("", "", Refines::new(refinement)),
        _ => check.query(
            "",
            "",
            sweepline::observe::Never::new(
                |refinement: &Refinement<'_>, _: &mut (), state: &RefinementState| {
                    Ok(state.violated() || refinement.refuses(state))
                },
            ),
        ),
    };
    let mut report = check.run();
    match report.properties.remove(0).verdict {
        Verdict::Holds(_) => None,
        Verdict::Violated(witness) => Some(witness.expect("a path")),
        Verdict::Unknown(reason) => panic!("unknown: {reason}"),
    }
}

pub(super) fn trace_of(process: &Composition, rules: impl Iterator<Item = RuleId>) -> Trace {
    let labels = rules.map(|rule| process.label(rule)).filter(|&label| label != LabelId::TAU);
    labels.map(|label| process.labels()[label.index()].clone()).collect()
}

/// Checks that the end of a counterexample is a violation by the definitions.
fn confirm(run: &Witness<Refinement<'_>>, refinement: &Refinement<'_>, spec: &Lts, process: &Lts) {
    let trace = trace_of(refinement.process(), run.steps.iter().map(|step| step.action));
    let length = trace.len();
    let wanted = Behaviour::of(spec, &universe(), length);
    let own = Behaviour::of(process, &universe(), length);
    assert!(own.traces.contains(&trace));
    if run.last().violated() {
        assert!(!wanted.traces.contains(&trace), "{trace:?}");
        let before = trace[..length - 1].to_vec();
        assert!(wanted.traces.contains(&before), "{trace:?}");
        return;
    }
    let Some(refusal) = refinement.refusal(run.last()) else {
        assert!(own.divergences.contains(&trace) && !wanted.divergences.contains(&trace));
        let cycle = refinement.process().internal_cycle::<Composition>(&run.last().process);
        assert!(cycle.is_some());
        return;
    };
    let refused: Events = refusal.refused.iter().cloned().collect();
    assert!(own.failures[&trace].contains(&refused), "{trace:?} {refusal:?}");
    let allowed = wanted.failures.get(&trace);
    assert!(!allowed.is_some_and(|sets| sets.contains(&refused)), "{trace:?} {refusal:?}");
}

fn check_refinement(spec: &Shape, process: &Shape) {
    let (spec, process) = (composition(spec), composition(process));
    let wanted = spec.to_lts("spec", 10_000).expect("few states");
    let own = process.to_lts("process", 10_000).expect("few states");
    for semantics in MODELS {
        let normal = Specification::of(&wanted, semantics, 100_000, &never).expect("a small one");
        let refinement = Refinement::new(normal, &process);
        let all = WAYS.map(|way| violation(&refinement, semantics, way));
        let length = match &all[0] {
            Some(run) => trace_of(&process, run.steps.iter().map(|step| step.action)).len(),
            None => LENGTH,
        };
        let (spec, naive) =
            (Behaviour::of(&wanted, &universe(), length), Behaviour::of(&own, &universe(), length));
        let expected = match semantics {
            Semantics::Traces => spec.refined_in_traces(&naive),
            Semantics::Failures => spec.refined_in_failures(&naive),
            Semantics::FailuresDivergences => spec.refined_in_failures_divergences(&naive),
        };
        for (run, way) in all.iter().zip(WAYS) {
            assert_eq!(run.is_none(), expected, "{semantics:?} {way:?}");
            run.iter().for_each(|run| confirm(run, &refinement, &wanted, &own));
        }
    }
}

fn check_determinism(process: &Shape) {
    let process = composition(process);
    let own = process.to_lts("process", 10_000).expect("few states");
    for semantics in [Semantics::Failures, Semantics::FailuresDivergences] {
        let part = deterministic_part(&process, semantics, 10_000, &never).expect("few states");
        let is_partial = part.has_divergent_traces();
        let refinement = Refinement::new(part, &process);
        for way in WAYS {
            let found = violation(&refinement, semantics, way);
            let trace =
                found.as_ref().map(|run| trace_of(&process, run.steps.iter().map(|s| s.action)));
            let length = trace.as_ref().map_or(LENGTH, |trace| trace.len() + 1);
            let naive = Behaviour::of(&own, &universe(), length);
            let has_no_choice = naive.is_deterministic_in_failures(&universe());
            let expected = match semantics {
                Semantics::FailuresDivergences => naive.divergences.is_empty() && has_no_choice,
                _ => has_no_choice,
            };
            match found.is_some() {
                true => assert!(!expected, "{semantics:?} {way:?} {trace:?}"),
                // In the failures model, nothing is claimed if the process can only diverge somewhere.
                false if is_partial => assert_eq!(semantics, Semantics::Failures),
                false => assert!(expected, "{semantics:?} {way:?}"),
            }
        }
    }
}

fn check_deadlock(process: &Shape) {
    let process = composition(process);
    let own = process.to_lts("process", 10_000).expect("few states");
    let verdict = |check: Check<'_, Composition>| {
        let mut report = check.run();
        let verdict = report.properties.remove(0).verdict;
        let length = verdict.witness().map(|run| run.len());
        (verdict.word() == "holds", length.unwrap_or(LENGTH))
    };
    let (stuck, length) = verdict(Check::new(&process).deadlock());
    let naive = Behaviour::of(&own, &universe(), length);
    assert_eq!(stuck, naive.is_deadlock_free_in_failures(&universe()));
    let (both, length) = verdict(Check::new(&process).query("", "", NoDeadlock::new(&process)));
    let naive = Behaviour::of(&own, &universe(), length);
    let diverges = !naive.divergences.is_empty();
    assert_eq!(both, !diverges && naive.is_deadlock_free_in_failures(&universe()));
    let internal = |rule: &RuleId| process.label(*rule) == LabelId::TAU;
    let (ends, length) = verdict(Check::new(&process).query("", "", Terminates::by(internal)));
    let naive = Behaviour::of(&own, &universe(), length);
    assert_eq!(ends, naive.divergences.is_empty());
}

proptest! {
    #[test]
    fn refinements_agree_with_the_definitions(spec in shape(), process in shape()) {
        check_refinement(&spec, &process);
    }

    /// Processes that are like their specifications, so that most refinements hold.
    #[test]
    fn refinements_of_similar_processes_agree(
        spec in edges(4), kept in vec(any::<bool>(), 9), more in edges(4),
    ) {
        let less: Edges =
            spec.iter().zip(kept).filter(|(_, kept)| *kept).map(|(edge, _)| *edge).collect();
        let all: Edges = spec.iter().chain(more.iter().take(1)).copied().collect();
        check_refinement(&Shape::One(spec.clone()), &Shape::One(spec.clone()));
        check_refinement(&Shape::One(spec.clone()), &Shape::One(less));
        check_refinement(&Shape::One(all), &Shape::One(spec));
    }

    #[test]
    fn determinism_agrees_with_its_definition(process in shape()) {
        check_determinism(&process);
    }

    #[test]
    fn deadlock_freedom_agrees_with_its_definition(process in shape()) {
        check_deadlock(&process);
    }
}
