//! What a question needs of a reduced exploration.

use std::rc::Rc;

use crate::model::Model;

/// What must be left of the state space for a question to get its answer.
///
/// From the least to the most. A [`Query`](crate::observe::Query) says so of itself, and a
/// [`Check`](crate::Check) uses no reduction that would take away more than the questions allow.
pub enum Needs<M: Model> {
    /// All states without successors, or that there is an infinite run.
    Ends,
    /// All states that satisfy a predicate, which knows what leads to them.
    Goal(Rc<dyn Goal<M>>),
    /// Every order in which these actions can occur, by number: no other changes what is asked about.
    Visible(Rc<[u32]>),
    /// Every reachable state.
    States,
    /// Every edge.
    Edges,
}

/// A predicate on states that knows which actions lead towards it.
pub trait Goal<M: Model> {
    /// Pushes the numbers of actions such that every way from `state` to a state that satisfies the
    /// predicate takes one of them. `false` where `state` itself satisfies it.
    fn toward(&self, model: &M, state: &M::State, push: &mut dyn FnMut(u32)) -> bool;
}

impl<M: Model, F: Fn(&M::State, &mut dyn FnMut(u32)) -> bool> Goal<M> for F {
    fn toward(&self, _model: &M, state: &M::State, push: &mut dyn FnMut(u32)) -> bool {
        self(state, push)
    }
}
