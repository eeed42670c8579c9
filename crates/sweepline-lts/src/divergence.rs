//! Divergence: a process can do infinitely many internal steps without a visible event.
//!
//! It can if and only if there is a cycle of internal steps: `Terminates::by` finds a state on one.

use std::collections::{HashMap, VecDeque};

use sweepline::Model;
use sweepline::model::successors;
use sweepline::observe::Step;

use crate::composition::{Composition, Joint, RuleId};
use crate::lts::LabelId;

impl Composition {
    /// A shortest cycle of internal steps through `state`; `None` if there is none.
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

/// The steps of the cycle through `end`.
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
