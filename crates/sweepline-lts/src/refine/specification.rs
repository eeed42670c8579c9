//! The normal form of a specification: one state after each trace.

use std::collections::HashMap;

use sweepline::observe::{Graph, strong_components_where};

use super::Semantics;
use crate::lts::{LabelId, Lts, StateNo};
use crate::problem::Problem;

/// How many steps of the normalisation are taken between two looks at the limits of the run.
const STEPS: usize = 1 << 10;

/// A specification in normal form: after each trace it is in one state.
///
/// A state lists the events that may happen next and, in the failures models, the minimal acceptances: the
/// least sets of events, one of which a process must offer when it is stable. A state that can terminate has
/// the acceptance `{✓}`.
#[derive(Clone, Debug)]
pub struct Specification {
    pub(super) semantics: Semantics,
    pub(super) labels: Vec<String>,
    pub(super) nodes: Vec<Node>,
}

/// A state of a specification.
#[derive(Clone, Default, Debug)]
pub(crate) struct Node {
    /// The events, in order, each with the state after it.
    pub(crate) steps: Vec<(u32, u32)>,
    /// The minimal acceptances, each sorted. Empty if no state of the set is stable.
    pub(crate) acceptances: Vec<Vec<u32>>,
    pub(super) kind: Kind,
}

/// How a state of a specification is used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Kind {
    #[default]
    Normal,
    /// The specification may diverge here, so it allows everything from here on.
    Chaos,
    /// The process itself has no stable state here, so it diverges. Only its internal steps are followed.
    Divergent,
}

impl Node {
    /// The state after `label`; `None` if the event is not allowed.
    pub(crate) fn after(&self, label: u32) -> Option<u32> {
        let at = self.steps.binary_search_by_key(&label, |(own, _)| *own).ok()?;
        Some(self.steps[at].1)
    }

    /// Whether the specification may diverge here.
    pub(crate) fn diverges(&self) -> bool {
        self.kind == Kind::Chaos
    }
}

impl Specification {
    /// The normal form of `lts` in a semantic model. `stop` says whether the run must end.
    ///
    /// # Errors
    ///
    /// When the sets of states that stand for a trace have more than `limit` states in total, or the run must end.
    pub fn of(
        lts: &Lts,
        semantics: Semantics,
        limit: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, Problem> {
        let nodes = nodes(lts, semantics, true, limit, stop)?;
        let labels = lts.labels().map(|label| lts.label(label).to_owned()).collect();
        Ok(Specification { semantics, labels, nodes })
    }

    /// One trace of events and its prefixes, in the traces model. Its last state is number `trace.len()`.
    pub fn trace(trace: &[String]) -> Self {
        let mut labels: Vec<String> = trace.to_vec();
        labels.sort_unstable();
        labels.dedup();
        let number = |event: &String| labels.binary_search(event).map_or(0, |at| at as u32);
        let step = |(before, event): (u32, &String)| Node {
            steps: vec![(number(event), before + 1)],
            ..Node::default()
        };
        let nodes = (0..).zip(trace).map(step).chain([Node::default()]).collect();
        Specification { semantics: Semantics::Traces, labels, nodes }
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.nodes.len()
    }

    /// Whether some trace of the process can only be followed by divergence. Only for a
    /// [deterministic part](super::deterministic_part).
    pub fn has_divergent_traces(&self) -> bool {
        self.nodes.iter().any(|node| node.kind == Kind::Divergent)
    }

    pub(super) fn names(&self, labels: &[u32]) -> Vec<String> {
        let mut names: Vec<_> = labels.iter().map(|&n| self.labels[n as usize].clone()).collect();
        names.sort_unstable();
        names
    }
}

/// The normal form of `lts` with all that is observed in any model: what it does after a divergence, too.
///
/// # Errors
///
/// As [`Specification::of`].
pub(crate) fn normal_form(
    lts: &Lts,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Node>, Problem> {
    nodes(lts, Semantics::FailuresDivergences, false, limit, stop)
}

/// The states of a normal form; with `cuts`, nothing comes after a divergence.
fn nodes(
    lts: &Lts,
    semantics: Semantics,
    cuts: bool,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Node>, Problem> {
    let mut sets = Sets::new(lts, limit);
    sets.number(vec![lts.initial()])?;
    let diverges = match semantics {
        Semantics::FailuresDivergences => on_internal_cycles(lts),
        _ => Vec::new(),
    };
    let mut nodes = Vec::new();
    while let Some(states) = sets.all.get(nodes.len()).cloned() {
        if nodes.len().is_multiple_of(STEPS) && stop() {
            return Err(Problem::Stopped);
        }
        let mut node = Node::default();
        if !diverges.is_empty() && states.iter().any(|state| diverges[state.index()]) {
            node.kind = Kind::Chaos;
        }
        if !(cuts && node.diverges()) {
            for (label, targets) in after(lts, &states) {
                node.steps.push((label, sets.number(targets)?));
            }
            if semantics != Semantics::Traces {
                node.acceptances = acceptances(lts, &states);
                sets.count(node.acceptances.iter().map(Vec::len).sum())?;
            }
        }
        nodes.push(node);
    }
    Ok(nodes)
}

/// The sets of states found so far, by number.
struct Sets<'a> {
    lts: &'a Lts,
    all: Vec<Box<[StateNo]>>,
    numbers: HashMap<Box<[StateNo]>, u32>,
    size: usize,
    limit: usize,
    /// For each state, the last closure that it was part of.
    marks: Vec<u32>,
    closures: u32,
}

impl<'a> Sets<'a> {
    fn new(lts: &'a Lts, limit: usize) -> Self {
        let marks = vec![0; lts.n_states()];
        let (all, numbers) = (Vec::new(), HashMap::new());
        Sets { lts, all, numbers, size: 0, limit, marks, closures: 0 }
    }

    /// Counts memory towards the limit.
    fn count(&mut self, size: usize) -> Result<(), Problem> {
        self.size += size;
        match self.size > self.limit {
            true => Err(Problem::LargeSpecification { limit: self.limit }),
            false => Ok(()),
        }
    }

    /// The number of the set of `states` and all states that internal steps lead to from there.
    fn number(&mut self, states: Vec<StateNo>) -> Result<u32, Problem> {
        let set = self.closure(states);
        if let Some(&number) = self.numbers.get(&set) {
            return Ok(number);
        }
        self.count(set.len())?;
        let number = self.all.len() as u32;
        self.all.push(set.clone());
        self.numbers.insert(set, number);
        Ok(number)
    }

    fn closure(&mut self, states: Vec<StateNo>) -> Box<[StateNo]> {
        self.closures += 1;
        let Sets { lts, marks, closures, .. } = self;
        let mut is_new =
            |state: &StateNo| std::mem::replace(&mut marks[state.index()], *closures) != *closures;
        let mut found: Vec<StateNo> = states.into_iter().filter(&mut is_new).collect();
        let mut next = 0;
        while let Some(&state) = found.get(next) {
            let internal = lts.edges_with(state, LabelId::TAU).iter().map(|edge| edge.target);
            found.extend(internal.filter(&mut is_new));
            next += 1;
        }
        found.sort_unstable();
        found.into()
    }
}

/// The states after each event, in the order of the events.
fn after(lts: &Lts, states: &[StateNo]) -> Vec<(u32, Vec<StateNo>)> {
    let edges = states.iter().flat_map(|&state| lts.edges(state));
    let visible = edges.filter(|edge| edge.label != LabelId::TAU);
    let mut visible: Vec<_> = visible.map(|edge| (edge.label, edge.target)).collect();
    visible.sort_unstable();
    visible.dedup();
    let groups = visible.chunk_by(|one, other| one.0 == other.0);
    groups.map(|group| (group[0].0.0, group.iter().map(|(_, target)| *target).collect())).collect()
}

/// The minimal acceptances of a set of states: the events of each stable state, and `{✓}` if one can terminate.
fn acceptances(lts: &Lts, states: &[StateNo]) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    for &state in states {
        let mut offered: Vec<u32> = lts.edges(state).iter().map(|edge| edge.label.0).collect();
        offered.dedup();
        if offered.contains(&LabelId::TICK.0) {
            all.push(vec![LabelId::TICK.0]);
        } else if offered.first() != Some(&LabelId::TAU.0) {
            all.push(offered);
        }
    }
    minimal(all)
}

/// The sets that contain no other one. Each is sorted.
fn minimal(mut all: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    all.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    all.dedup();
    let mut least: Vec<Vec<u32>> = Vec::new();
    for set in all {
        if !least.iter().any(|less| is_subset(less, &set)) {
            least.push(set);
        }
    }
    least
}

/// Whether every member of `less` is one of `more`; both are sorted.
pub(super) fn is_subset<T: Ord>(less: &[T], more: &[T]) -> bool {
    let mut more = more.iter();
    less.iter().all(|member| more.by_ref().find(|other| *other >= member) == Some(member))
}

/// For each state, whether it is on a cycle of internal steps.
fn on_internal_cycles(lts: &Lts) -> Vec<bool> {
    let mut graph: Graph<()> = Graph::default();
    for state in lts.states() {
        for edge in lts.edges_with(state, LabelId::TAU) {
            graph.push(state.0, (), edge.target.0);
        }
    }
    graph.grow(lts.n_states());
    let parts = strong_components_where(&graph, |_, (), _| true);
    let cyclic = parts.with_cycle(&graph, |_, (), _| true);
    graph.nodes().map(|node| cyclic[parts.of(node) as usize]).collect()
}
