//! The steps of each component as differences of words.

use std::collections::BTreeMap;

use sweepline::compiled::Field;
use sweepline::lists::Lists;

use super::layout::{Layout, delta};
use super::{Rule, RuleId};
use crate::lts::{LabelId, Lts, StateNo};

/// Up to this many entries, the steps of a component are found by a table; beyond, by searching.
const MAX_TABLE: usize = 1 << 22;

/// A step of one component on its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solo {
    pub(super) rule: RuleId,
    pub(super) delta: u64,
}

/// The part of a component in a rule with several components.
#[derive(Clone, Copy, Debug)]
pub(super) struct Role {
    pub(super) component: u32,
    /// The index among the shared labels of the component.
    shared: u32,
}

/// The steps of every component, alone and shared.
pub(super) struct Moves {
    pub(super) locals: Vec<Local>,
    roles: Lists<Role>,
}

/// The steps of one component.
pub(super) struct Local {
    pub(super) field: Field,
    solo: Lists<Solo>,
    /// For each state of this component, the shared rules to try.
    led: Lists<RuleId>,
    shared: Shared,
    /// States that are reached by `✓`.
    ended: Vec<bool>,
}

impl Moves {
    pub(super) fn new(components: &[Lts], rules: &[Rule], layout: &Layout) -> Self {
        let mut plans: Vec<Plan> = components.iter().map(Plan::new).collect();
        let mut roles = Lists::default();
        for (index, rule) in rules.iter().enumerate() {
            let id = RuleId(index as u32);
            if let [part] = rule.parts.as_slice() {
                let label = part.label.expect("a component alone does something");
                plans[part.component].solo.entry(label).or_default().push(id);
                roles.close();
                continue;
            }
            let leader =
                rule.parts.iter().min_by_key(|part| plans[part.component].cost(part.label));
            let leader = leader.expect("a rule has parts");
            let shared = plans[leader.component].share(leader.label);
            plans[leader.component].led.entry(shared).or_default().push(id);
            for part in &rule.parts {
                let shared = plans[part.component].share(part.label);
                roles.push(Role { component: part.component as u32, shared });
            }
            roles.close();
        }
        let locals = plans.into_iter().zip(&layout.fields).map(|(plan, &field)| plan.local(field));
        Moves { locals: locals.collect(), roles }
    }

    /// Whether a component is in a state that is reached by `✓`.
    pub(super) fn has_ended(&self, component: usize, state: StateNo) -> bool {
        self.locals[component].ended[state.index()]
    }

    /// The participants of a shared rule.
    #[inline]
    pub(super) fn roles(&self, rule: RuleId) -> &[Role] {
        self.roles.get(rule.index())
    }

    /// The differences that `role` adds to its word when its component is in `state`: one entry for each
    /// edge.
    #[inline]
    pub(super) fn deltas(&self, role: Role, state: u32) -> &[u64] {
        self.locals[role.component as usize].shared.deltas(state, role.shared)
    }
}

impl Local {
    #[inline]
    pub(super) fn solo(&self, state: u32) -> &[Solo] {
        self.solo.get(state as usize)
    }

    #[inline]
    pub(super) fn led(&self, state: u32) -> &[RuleId] {
        self.led.get(state as usize)
    }
}

/// The data of one component before its tables are built.
struct Plan<'a> {
    lts: &'a Lts,
    /// States that are reached by `✓`.
    ended: Vec<bool>,
    /// For each label, the number of states in which it is enabled.
    n_enabled: Vec<u32>,
    solo: BTreeMap<LabelId, Vec<RuleId>>,
    /// `None` stands for having terminated.
    shared: BTreeMap<Option<LabelId>, u32>,
    led: BTreeMap<u32, Vec<RuleId>>,
}

impl<'a> Plan<'a> {
    fn new(lts: &'a Lts) -> Self {
        let mut ended = vec![false; lts.n_states()];
        let mut n_enabled = vec![0; lts.n_labels()];
        for state in lts.states() {
            let mut last = None;
            for edge in lts.edges(state) {
                if edge.label == LabelId::TICK {
                    ended[edge.target.index()] = true;
                }
                if last.replace(edge.label) != Some(edge.label) {
                    n_enabled[edge.label.index()] += 1;
                }
            }
        }
        let (solo, shared, led) = Default::default();
        Plan { lts, ended, n_enabled, solo, shared, led }
    }

    /// An upper bound on how often a rule that this component leads is tried without success.
    fn cost(&self, label: Option<LabelId>) -> u64 {
        let n = label.map_or(1, |label| self.n_enabled[label.index()]);
        u64::from(n) * 1_000_000 / self.lts.n_states() as u64
    }

    fn share(&mut self, label: Option<LabelId>) -> u32 {
        let next = self.shared.len() as u32;
        *self.shared.entry(label).or_insert(next)
    }

    fn local(self, field: Field) -> Local {
        let (mut solo, mut led) = (Lists::default(), Lists::default());
        let mut shared = Lists::default();
        for state in self.lts.states() {
            let mut lead = |label: u32| {
                self.led.get(&label).into_iter().flatten().for_each(|&rule| led.push(rule))
            };
            let mut last = None;
            for edge in self.lts.edges(state) {
                let delta = delta(field, state, edge.target);
                for &rule in self.solo.get(&edge.label).into_iter().flatten() {
                    solo.push(Solo { rule, delta });
                }
                let Some(&label) = self.shared.get(&Some(edge.label)) else { continue };
                shared.push((label, delta));
                if last.replace(label) != Some(label) {
                    lead(label);
                }
            }
            if let (true, Some(&label)) = (self.ended[state.index()], self.shared.get(&None)) {
                shared.push((label, 0));
                lead(label);
            }
            solo.close();
            led.close();
            shared.close();
        }
        let shared = Shared::new(shared, self.shared.len());
        Local { field, solo, led, shared, ended: self.ended }
    }
}

/// The shared steps of one component, by state and label.
struct Shared {
    deltas: Vec<u64>,
    find: Find,
}

enum Find {
    /// For each state and label, the start of its deltas; `n_labels` labels.
    Table { n_labels: usize, first: Vec<u32> },
    /// For each state, its labels in order, parallel to the deltas.
    Search { labels: Lists<u32> },
}

impl Shared {
    fn new(mut steps: Lists<(u32, u64)>, n_labels: usize) -> Self {
        let n_states = steps.len();
        for state in 0..n_states {
            // By label; edges with one label stay in the order of their targets.
            steps.get_mut(state).sort_by_key(|&(label, _)| label);
        }
        let deltas = steps.items().iter().map(|&(_, delta)| delta).collect();
        if n_states.saturating_mul(n_labels) > MAX_TABLE {
            let labels = steps.map(|(label, _)| label);
            return Shared { deltas, find: Find::Search { labels } };
        }
        let mut first = Vec::with_capacity(n_states * n_labels + 1);
        let mut at = 0;
        for state in 0..n_states {
            let mut rest = steps.get(state);
            for label in 0..n_labels as u32 {
                first.push(at);
                let n = rest.partition_point(|&(other, _)| other <= label);
                at += n as u32;
                rest = &rest[n..];
            }
        }
        first.push(at);
        Shared { deltas, find: Find::Table { n_labels, first } }
    }

    #[inline]
    fn deltas(&self, state: u32, label: u32) -> &[u64] {
        match &self.find {
            Find::Table { n_labels, first } => {
                let at = state as usize * n_labels + label as usize;
                &self.deltas[first[at] as usize..first[at + 1] as usize]
            }
            Find::Search { labels } => {
                let own = labels.get(state as usize);
                let from = own.partition_point(|&other| other < label);
                let len = own[from..].partition_point(|&other| other == label);
                let from = labels.range(state as usize).start + from;
                &self.deltas[from..from + len]
            }
        }
    }
}
