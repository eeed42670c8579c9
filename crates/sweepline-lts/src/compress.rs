//! Compressions: smaller LTSs that cannot be told apart in the models of CSP.
//!
//! States that a `✓` leads to stay apart from deadlocked ones: a parallel composition waits for its parts to
//! terminate.

mod bisimulation;

use std::collections::HashMap;

use sweepline::observe::{Graph, strong_components_where};

use crate::lts::{LabelId, Lts, LtsBuilder, StateNo};
use crate::problem::Problem;
use crate::refine::normal_form;

/// How an LTS is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compression {
    /// Merges strongly bisimilar states.
    StrongBisimulation,
    /// Merges the states of each cycle of internal steps.
    InternalCycles,
    /// The same, then merges strongly bisimilar states.
    Both,
    /// The normal form: one state after each trace, and one more for each of its minimal acceptances unless there is
    /// only one.
    NormalForm,
}

/// The compressed LTS. `stop` says whether the run must end.
///
/// # Errors
///
/// When a normal form is larger than `limit`, or the run must end.
pub fn compress(
    lts: &Lts,
    how: Compression,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Lts, Problem> {
    match how {
        Compression::StrongBisimulation => strong(lts, stop),
        Compression::InternalCycles => Ok(without_cycles(lts)),
        Compression::Both => strong(&without_cycles(lts), stop),
        Compression::NormalForm => strong(&normal(lts, limit, stop)?, stop),
    }
}

fn strong(lts: &Lts, stop: &dyn Fn() -> bool) -> Result<Lts, Problem> {
    let classes = bisimulation::classes(lts, stop).ok_or(Problem::Stopped)?;
    Ok(quotient(lts, &classes, |_| true))
}

/// Merges the states of each cycle of internal steps. One internal step from the merged state to itself is left.
fn without_cycles(lts: &Lts) -> Lts {
    let mut graph: Graph<()> = Graph::default();
    for state in lts.states() {
        for edge in lts.edges_with(state, LabelId::TAU) {
            graph.push(state.0, (), edge.target.0);
        }
    }
    graph.grow(lts.n_states());
    let parts = strong_components_where(&graph, |_, (), _| true);
    let cyclic = parts.with_cycle(&graph, |_, (), _| true);
    let classes: Vec<u32> = graph.nodes().map(|node| parts.of(node)).collect();
    quotient(lts, &classes, |class| cyclic[class as usize])
}

/// The LTS whose states are classes of states, by the class of each state. Internal steps within a class are left out
/// where `keeps` is false.
fn quotient(lts: &Lts, classes: &[u32], keeps: impl Fn(u32) -> bool) -> Lts {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut first = Vec::new();
    for state in lts.states() {
        numbers.entry(classes[state.index()]).or_insert_with(|| {
            first.push(state);
            first.len() as u32 - 1
        });
    }
    let number = |state: StateNo| StateNo(numbers[&classes[state.index()]]);
    let mut edges: Vec<(StateNo, LabelId, StateNo)> = Vec::new();
    for state in lts.states() {
        let own = classes[state.index()];
        for edge in lts.edges(state) {
            let stays = edge.label == LabelId::TAU && classes[edge.target.index()] == own;
            if !stays || keeps(own) {
                edges.push((number(state), edge.label, number(edge.target)));
            }
        }
    }
    let mut builder = with_labels(lts);
    edges.sort_unstable();
    edges.dedup();
    edges.into_iter().for_each(|(source, label, target)| builder.edge(source, label, target));
    if lts.has_state_names() {
        first.iter().for_each(|&state| builder.name_state(lts.state_name(state)));
    }
    let built = builder.build(first.len() as u32, number(lts.initial()));
    built.expect("classes keep terminated states apart")
}

fn with_labels(lts: &Lts) -> LtsBuilder {
    let mut builder = LtsBuilder::new(lts.name());
    for label in lts.labels() {
        builder.label(lts.label(label));
    }
    builder
}

/// The normal form as an LTS. A state that is stable and has one acceptance is itself; any other one has internal
/// steps to a state for each acceptance, and to itself if it diverges.
fn normal(lts: &Lts, limit: usize, stop: &dyn Fn() -> bool) -> Result<Lts, Problem> {
    let nodes = normal_form(lts, limit, stop)?;
    let mut builder = with_labels(lts);
    let mut n_states = nodes.len() as u32;
    for (state, node) in (0..).map(StateNo).zip(&nodes) {
        for &(label, target) in &node.steps {
            builder.edge(state, LabelId(label), StateNo(target));
        }
        let is_whole = |acceptance: &Vec<u32>| {
            acceptance.iter().copied().eq(node.steps.iter().map(|(label, _)| *label))
        };
        let diverges = node.diverges();
        if !diverges && node.acceptances.len() == 1 && is_whole(&node.acceptances[0]) {
            continue;
        }
        if diverges {
            builder.edge(state, LabelId::TAU, state);
        }
        for acceptance in &node.acceptances {
            let stable = StateNo(n_states);
            n_states += 1;
            builder.edge(state, LabelId::TAU, stable);
            for &label in acceptance {
                if let Some(target) = node.after(label) {
                    builder.edge(stable, LabelId(label), StateNo(target));
                }
            }
        }
    }
    Ok(builder.build(n_states, StateNo(0))?)
}
