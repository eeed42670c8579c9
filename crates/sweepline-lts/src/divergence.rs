//! Divergence: a process that goes on for ever without anything to be seen of it.
//!
//! It can exactly when some cycle consists of internal steps alone. [`Internal`] takes down the internal
//! steps while every state is kept; [`cycle`](Internal::cycle) looks for one.

use std::collections::{HashMap, VecDeque};

use sweepline::Model;
use sweepline::model::successors;
use sweepline::observe::{Answer, Flow, Hit, Observer, Query, StateId, Step, Visit};

use crate::composition::{Composition, Joint, RuleId};
use crate::lts::LabelId;

/// The internal steps of a composition, taken down in a full exploration.
pub struct Internal<'a> {
    composition: &'a Composition,
    /// By the numbers of states in the one layer that there is.
    edges: Vec<(u64, u64)>,
    layer: Option<u64>,
    /// The most edges.
    limit: usize,
    lost: bool,
}

impl<'a> Internal<'a> {
    /// Bytes that an edge takes, also while cycles are looked for.
    pub const EDGE_BYTES: usize = 24;

    /// Takes down up to `limit` internal steps; at one more the exploration stops.
    pub fn new(composition: &'a Composition, limit: usize) -> Self {
        Internal { composition, edges: Vec::new(), layer: None, limit, lost: false }
    }

    /// There were more steps than could be taken down, or there is more than one layer: then nothing
    /// follows from what was.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// A state on a cycle of internal steps among those taken down.
    pub fn cycle(mut self) -> Option<StateId> {
        let layer = self.layer?;
        self.edges.sort_unstable();
        self.edges.dedup();
        // States that are on the way, and those from where no cycle can be reached.
        let mut state: HashMap<u64, bool, foldhash::fast::FixedState> = HashMap::default();
        let first = |from: u64| self.edges.partition_point(|&(source, _)| source < from);
        let mut roots = self.edges.iter().map(|&(source, _)| source);
        let mut path: Vec<(u64, usize)> = Vec::new();
        loop {
            let Some(&(at, edge)) = path.last() else {
                let root = roots.find(|root| !state.contains_key(root))?;
                state.insert(root, true);
                path.push((root, first(root)));
                continue;
            };
            match self.edges.get(edge).filter(|&&(source, _)| source == at) {
                None => {
                    state.insert(at, false);
                    path.pop();
                }
                Some(&(_, target)) => {
                    path.last_mut()?.1 += 1;
                    match state.get(&target) {
                        Some(true) => return Some(StateId { layer, number: target }),
                        Some(false) => {}
                        None => {
                            state.insert(target, true);
                            path.push((target, first(target)));
                        }
                    }
                }
            }
        }
    }
}

impl<M: Model<Action = RuleId>> Observer<M> for Internal<'_> {
    fn watches_links(&self) -> bool {
        true
    }

    fn link(&mut self, source: StateId, action: RuleId, target: StateId, _new: bool) -> Flow {
        if self.composition.label(action) != LabelId::TAU {
            return Flow::Continue(());
        }
        let layer = *self.layer.get_or_insert(source.layer);
        self.lost |= self.edges.len() == self.limit || [source.layer, target.layer] != [layer; 2];
        if self.lost {
            return Flow::Break(());
        }
        self.edges.push((source.number, target.number));
        Flow::Continue(())
    }
}

/// Violated by the one state of this name: shows the way to a state of an earlier exploration.
pub struct NeverAt {
    state: StateId,
    hit: Option<Hit>,
}

impl NeverAt {
    /// Looks for `state`.
    pub fn new(state: StateId) -> Self {
        NeverAt { state, hit: None }
    }
}

impl<M: Model> Query<M> for NeverAt {
    fn node(&mut self, visit: &Visit<'_, M>) -> Flow {
        if visit.id != self.state {
            return Flow::Continue(());
        }
        self.hit = Some(Hit::of(visit));
        Flow::Break(())
    }

    fn answer(&self) -> Answer {
        match &self.hit {
            Some(hit) => Answer::Violated(Some(hit.clone())),
            None => Answer::HoldsSoFar,
        }
    }
}

impl Composition {
    /// The fewest internal steps that lead from `state` back to it; none where there is no such cycle.
    pub fn internal_cycle<M>(&self, state: &Joint) -> Option<Vec<Step<M>>>
    where
        M: Model<State = Joint, Action = RuleId>,
    {
        let mut before: HashMap<Joint, (Joint, RuleId)> = HashMap::new();
        let mut queue: VecDeque<Joint> = [state.clone()].into();
        while let Some(source) = queue.pop_front() {
            for (rule, target) in successors(self, &source).unwrap_or_default() {
                if self.label(rule) != LabelId::TAU || before.contains_key(&target) {
                    continue;
                }
                before.insert(target.clone(), (source.clone(), rule));
                if target == *state {
                    return Some(back(&before, state));
                }
                queue.push_back(target);
            }
        }
        None
    }
}

/// The steps that lead to `end` from itself.
fn back<M: Model<State = Joint, Action = RuleId>>(
    before: &HashMap<Joint, (Joint, RuleId)>,
    end: &Joint,
) -> Vec<Step<M>> {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((source, action)) = before.get(at) {
        steps.push(Step { action: *action, state: at.clone() });
        at = source;
        if at == end {
            break;
        }
    }
    steps.reverse();
    steps
}
