//! The dependencies between rules: rules that move the same component.

use sweepline::select::Actions;

use crate::composition::{Composition, Joint, Part, Rule, RuleId};
use crate::lts::{LabelId, Lts};

/// The rules of each component by its label.
pub(crate) struct Dependence {
    /// For each component, its rules by label, sorted; those in which it must have terminated come first.
    rules: Vec<Vec<(Option<LabelId>, u32)>>,
}

impl Dependence {
    pub(crate) fn new(components: &[Lts], rules: &[Rule]) -> Self {
        let mut each = vec![Vec::new(); components.len()];
        for (number, rule) in rules.iter().enumerate() {
            for part in &rule.parts {
                each[part.component].push((part.label, number as u32));
            }
        }
        each.iter_mut().for_each(|rules| rules.sort_unstable());
        Dependence { rules: each }
    }

    /// The rules in which `component` has `label`.
    fn with(&self, component: usize, label: Option<LabelId>) -> &[(Option<LabelId>, u32)] {
        let rules = &self.rules[component];
        let start = rules.partition_point(|(other, _)| *other < label);
        let end = rules.partition_point(|(other, _)| *other <= label);
        &rules[start..end]
    }
}

impl Composition {
    /// Pushes the rules that may move `component` next: those that its current state enables. One of them
    /// comes first, whatever other rules do.
    pub fn movers(&self, state: &Joint, component: usize, push: &mut dyn FnMut(u32)) {
        let mut last = None;
        for edge in self.component(component).edges(self.component_state(state, component)) {
            if last != Some(edge.label) {
                last = Some(edge.label);
                let rules = self.dependence().with(component, last);
                rules.iter().for_each(|&(_, rule)| push(rule));
            }
        }
    }

    /// Whether the component of `part` enables it in its current state.
    fn is_ready(&self, state: &Joint, part: &Part) -> bool {
        let own = self.component_state(state, part.component);
        match part.label {
            Some(label) => !self.component(part.component).edges_with(own, label).is_empty(),
            None => self.has_ended(part.component, own),
        }
    }

    /// The number of steps of `component` in its current state.
    fn n_steps(&self, state: &Joint, component: usize) -> usize {
        self.component(component).edges(self.component_state(state, component)).len()
    }
}

/// A rule is enabled if each of its components enables its part, and a component moves only by the rules it
/// takes part in. So rules without a common component are independent. A stubborn set contains, with an
/// enabled rule, all rules that may move one of its components next; with a disabled one, all that may move a
/// component that does not enable it.
impl Actions for Composition {
    fn actions(&self) -> u32 {
        self.rules().len() as u32
    }

    fn action_number(&self, action: &RuleId) -> u32 {
        action.0
    }

    fn independent(&self, a: u32, b: u32) -> bool {
        let parts = |rule: u32| &self.rules()[rule as usize].parts;
        let shares = |part: &Part| parts(b).iter().any(|other| other.component == part.component);
        !parts(a).iter().any(shares)
    }

    fn companions(&self, state: &Joint, action: u32, enabled: bool, into: &mut Vec<u32>) {
        let push = &mut |other| into.push(other);
        let parts = &self.rules()[action as usize].parts;
        if enabled {
            parts.iter().for_each(|part| self.movers(state, part.component, push));
            return;
        }
        let blocking = parts.iter().filter(|part| !self.is_ready(state, part));
        if let Some(part) = blocking.min_by_key(|part| self.n_steps(state, part.component)) {
            self.movers(state, part.component, push);
        }
    }
}
