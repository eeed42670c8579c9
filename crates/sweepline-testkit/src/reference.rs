//! The reference explorer: a set and a queue.

use std::collections::{BTreeMap, VecDeque};

use sweepline::model::{bytes_of, initial, successors};
use sweepline::{Model, Witness};

/// The whole state space of a model, found by breadth-first search in a plain map.
pub struct Reference<M: Model> {
    /// Every reachable state by its bytes.
    pub states: BTreeMap<Vec<u8>, M::State>,
    /// The number of edges, including parallel ones.
    pub edges: u64,
    /// The states without successors that have not terminated.
    pub dead: Vec<M::State>,
}

impl<M: Model> Reference<M> {
    /// Explores `model`; `None` if it has more than `limit` states.
    pub fn explore(model: &M, limit: usize) -> Option<Self> {
        let mut found = Reference { states: BTreeMap::new(), edges: 0, dead: Vec::new() };
        let mut queue: VecDeque<M::State> = initial(model).into();
        while let Some(state) = queue.pop_front() {
            if found.states.insert(bytes_of(model, &state), state.clone()).is_some() {
                continue;
            }
            if found.states.len() > limit {
                return None;
            }
            let next = successors(model, &state).expect("the model fails");
            found.edges += next.len() as u64;
            if next.is_empty() && !model.has_terminated(&state) {
                found.dead.push(state);
            }
            queue.extend(next.into_iter().map(|(_, target)| target));
        }
        Some(found)
    }

    /// Whether some reachable state satisfies `predicate`.
    pub fn reaches(&self, predicate: impl Fn(&M::State) -> bool) -> bool {
        self.states.values().any(predicate)
    }

    /// Least and greatest value of `expression`.
    pub fn range(&self, expression: impl Fn(&M::State) -> i64) -> Option<(i128, i128)> {
        let values = || self.states.values().map(|state| i128::from(expression(state)));
        values().min().zip(values().max())
    }
}

/// Checks that `witness` starts in an initial state and every step of it is an edge of `model`.
///
/// # Panics
///
/// If that is not the case.
pub fn assert_follows<M: Model>(model: &M, witness: &Witness<M>) {
    let bytes = |state: &M::State| bytes_of(model, state);
    let mut state = &witness.initial;
    assert!(initial(model).iter().any(|s| bytes(s) == bytes(state)), "not an initial state");
    for (i, step) in witness.steps.iter().enumerate() {
        let next = successors(model, state).expect("the model fails");
        let action = format!("{:?}", step.action);
        let fits = |(a, s): &(M::Action, M::State)| {
            format!("{a:?}") == action && bytes(s) == bytes(&step.state)
        };
        assert!(next.iter().any(fits), "step {} ({action}) is not an edge of the model", i + 1);
        state = &step.state;
    }
}
