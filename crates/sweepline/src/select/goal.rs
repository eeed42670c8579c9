//! What a property needs from a reduced exploration.

use std::sync::Arc;

use crate::model::Model;

/// What a reduced exploration must preserve so that a property can be decided.
///
/// From the least to the most. A [`Query`](crate::observe::Query) declares its needs, and a
/// [`Check`](crate::Check) disables reductions that are unsound for them.
pub enum Needs<M: Model> {
    /// All states without successors.
    Ends,
    /// An infinite path, if there is one.
    Cycles,
    /// All states that satisfy a predicate that knows which actions lead to them.
    Goal(Arc<dyn Goal<M>>),
    /// Every order in which these actions can occur, by number: no other action changes the value of the
    /// property.
    Visible(Arc<[u32]>),
    /// Every reachable state.
    States,
    /// Every edge.
    Edges,
}

impl<M: Model> Clone for Needs<M> {
    fn clone(&self) -> Self {
        match self {
            Needs::Ends => Needs::Ends,
            Needs::Cycles => Needs::Cycles,
            Needs::Goal(goal) => Needs::Goal(Arc::clone(goal)),
            Needs::Visible(actions) => Needs::Visible(Arc::clone(actions)),
            Needs::States => Needs::States,
            Needs::Edges => Needs::Edges,
        }
    }
}

/// A predicate on states that knows which actions lead towards it.
pub trait Goal<M: Model>: Send + Sync {
    /// Pushes the numbers of actions such that every path from `state` to a state that satisfies the
    /// predicate takes one of them. `false` if `state` itself satisfies it.
    fn toward(&self, model: &M, state: &M::State, push: &mut dyn FnMut(u32)) -> bool;
}

impl<M: Model, F> Goal<M> for F
where
    F: Fn(&M::State, &mut dyn FnMut(u32)) -> bool + Send + Sync,
{
    fn toward(&self, _model: &M, state: &M::State, push: &mut dyn FnMut(u32)) -> bool {
        self(state, push)
    }
}
