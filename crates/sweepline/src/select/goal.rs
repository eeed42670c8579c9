//! What a question needs of a reduced exploration.

use std::sync::Arc;

use crate::model::Model;

/// What must be left of the state space for a question to get its answer.
///
/// From the least to the most. A [`Query`](crate::observe::Query) says so of itself, and a
/// [`Check`](crate::Check) uses no reduction that would take away more than the questions allow.
pub enum Needs<M: Model> {
    /// All states without successors.
    Ends,
    /// An infinite run, if there is one.
    Cycles,
    /// All states that satisfy a predicate, which knows what leads to them.
    Goal(Arc<dyn Goal<M>>),
    /// Every order in which these actions can occur, by number: no other changes what is asked about.
    Visible(Arc<[u32]>),
    /// Every reachable state.
    States,
    /// Every edge.
    Edges,
}

/// A predicate on states that knows which actions lead towards it.
pub trait Goal<M: Model>: Send + Sync {
    /// Pushes the numbers of actions such that every way from `state` to a state that satisfies the
    /// predicate takes one of them. `false` where `state` itself satisfies it.
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
