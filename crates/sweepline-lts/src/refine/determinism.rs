//! Determinism: after no trace can a process both do and refuse an event.
//!
//! A deterministic part of the process is chosen: after each trace one stable state. The process is
//! deterministic if and only if it refines this part (Roscoe, *Understanding Concurrent Systems*, 2010).

use std::collections::{HashMap, HashSet, VecDeque};

use sweepline::model::{initial, successors};

use super::Semantics;
use super::specification::{Kind, Node, Specification};
use crate::composition::{Composition, Joint, RuleId};
use crate::lts::LabelId;
use crate::problem::Problem;

/// A deterministic part of `process`: after each trace, the events of one stable state that the trace may lead to.
/// A state that can terminate offers only `✓`. `stop` says whether the run must end.
///
/// # Errors
///
/// When there are more than `limit` states, or the run must end.
pub fn deterministic_part(
    process: &Composition,
    semantics: Semantics,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Specification, Problem> {
    let mut part =
        Part { process, numbers: HashMap::new(), queue: VecDeque::new(), n_seen: 0, limit, stop };
    let mut nodes = Vec::new();
    for start in initial(process) {
        part.number(start)?;
    }
    while let Some(state) = part.queue.pop_front() {
        nodes.push(part.node(state)?);
    }
    Ok(Specification { semantics, labels: process.labels().to_vec(), nodes })
}

struct Part<'a> {
    process: &'a Composition,
    /// The states after the events of the part, before their internal steps.
    numbers: HashMap<Joint, u32>,
    queue: VecDeque<Joint>,
    n_seen: usize,
    limit: usize,
    stop: &'a dyn Fn() -> bool,
}

impl Part<'_> {
    fn number(&mut self, state: Joint) -> Result<u32, Problem> {
        let next = self.numbers.len() as u32;
        if next as usize >= self.limit {
            return Err(Problem::ManyStableStates { limit: self.limit });
        }
        Ok(*self.numbers.entry(state).or_insert_with_key(|state| {
            self.queue.push_back(state.clone());
            next
        }))
    }

    fn node(&mut self, state: Joint) -> Result<Node, Problem> {
        let Some(moves) = self.settled(state)? else {
            return Ok(Node { kind: Kind::Divergent, ..Node::default() });
        };
        let ends = moves.iter().any(|(label, _)| *label == LabelId::TICK);
        let mut node = Node::default();
        for (label, target) in moves {
            let is_first = node.steps.last().is_none_or(|(last, _)| *last != label.0);
            if is_first && (!ends || label == LabelId::TICK) {
                node.steps.push((label.0, self.number(target)?));
            }
        }
        node.acceptances = vec![node.steps.iter().map(|(label, _)| *label).collect()];
        Ok(node)
    }

    /// The steps of the first stable or terminating state that internal steps lead to, by label; `None` if there is
    /// none.
    fn settled(&mut self, start: Joint) -> Result<Option<Vec<(LabelId, Joint)>>, Problem> {
        let mut seen: HashSet<Joint> = [start.clone()].into();
        let mut queue: VecDeque<Joint> = [start].into();
        while let Some(state) = queue.pop_front() {
            self.n_seen += 1;
            if self.n_seen.is_multiple_of(1 << 10) && (self.stop)() {
                return Err(Problem::Stopped);
            }
            if seen.len() > self.limit {
                return Err(Problem::ManyStableStates { limit: self.limit });
            }
            let label = |rule: RuleId| self.process.label(rule);
            let steps = successors(self.process, &state).unwrap_or_default().into_iter();
            let mut steps: Vec<_> = steps.map(|(rule, target)| (label(rule), target)).collect();
            let settles = steps.iter().any(|(label, _)| *label == LabelId::TICK)
                || steps.iter().all(|(label, _)| *label != LabelId::TAU);
            if settles {
                steps.sort_by_key(|(label, _)| *label);
                return Ok(Some(steps));
            }
            let internal = steps.into_iter().filter(|(label, _)| *label == LabelId::TAU);
            for (_, target) in internal {
                if seen.insert(target.clone()) {
                    queue.push_back(target);
                }
            }
        }
        Ok(None)
    }
}
