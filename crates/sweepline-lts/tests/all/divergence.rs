//! Cycles of internal steps in random LTSs, compared with the definition.

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::Check;
use sweepline::observe::{Step, Terminates};
use sweepline_lts::{Composition, LabelId, LtsBuilder, RuleId, StateNo};

const STATES: u32 = 12;

fn lts(edges: &[(u32, bool, u32)]) -> Composition {
    let mut lts = LtsBuilder::new("random");
    let a = lts.label("a");
    for &(source, internal, target) in edges {
        lts.edge(StateNo(source), if internal { LabelId::TAU } else { a }, StateNo(target));
    }
    Composition::single(lts.build(STATES, StateNo(0)).expect("states in range"))
}

/// The transitive closure of the edges that `takes` accepts.
fn closure(
    edges: &[(u32, bool, u32)],
    takes: impl Fn(bool) -> bool,
) -> [[bool; STATES as usize]; STATES as usize] {
    let mut leads = [[false; STATES as usize]; STATES as usize];
    for &(source, internal, target) in edges {
        leads[source as usize][target as usize] |= takes(internal);
    }
    for via in 0..STATES as usize {
        for from in 0..STATES as usize {
            for to in 0..STATES as usize {
                leads[from][to] |= leads[from][via] && leads[via][to];
            }
        }
    }
    leads
}

proptest! {
    #[test]
    fn a_cycle_is_found_exactly_where_there_is_one(
        edges in vec((0..STATES, any::<bool>(), 0..STATES), 0..18),
    ) {
        let (all, internal) = (closure(&edges, |_| true), closure(&edges, |internal| internal));
        let diverges = (0..STATES as usize).any(|s| (s == 0 || all[0][s]) && internal[s][s]);
        let composition = lts(&edges);
        let is_internal = |rule: &RuleId| composition.label(*rule) == LabelId::TAU;
        let report = Check::new(&composition).query("", "", Terminates::by(is_internal)).run();
        let verdict = &report.properties[0].verdict;
        prop_assert_eq!(verdict.word(), if diverges { "violated" } else { "holds" });
        let Some(run) = verdict.witness() else { return Ok(()) };
        let around: Vec<Step<Composition>> =
            composition.internal_cycle(run.last()).expect("a cycle");
        prop_assert_eq!(&around.last().expect("a step").state, run.last());
        let mut at = run.last().clone();
        for step in &around {
            prop_assert_eq!(composition.label(step.action), LabelId::TAU);
            let next = sweepline::model::successors(&composition, &at).expect("no failures");
            prop_assert!(next.contains(&(step.action, step.state.clone())));
            at = step.state.clone();
        }
    }
}
