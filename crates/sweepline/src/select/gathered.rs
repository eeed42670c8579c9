//! The successors of a state, gathered before some of them are chosen.

use super::{Scratch, Selection};
use crate::model::{Computed, Model, Sink};

/// All successors of one state, and which of them are to be explored. The states are kept for reuse.
pub(crate) struct Gathered<M: Model> {
    pub(crate) actions: Vec<M::Action>,
    /// The successors; those from `count` on are left from an earlier state.
    pub(crate) states: Vec<M::State>,
    pub(crate) count: usize,
    pub(crate) chosen: Vec<bool>,
}

impl<M: Model> Default for Gathered<M> {
    fn default() -> Self {
        Gathered { actions: Vec::new(), states: Vec::new(), count: 0, chosen: Vec::new() }
    }
}

impl<M: Model> Sink<M> for Gathered<M> {
    fn push(&mut self, action: M::Action, state: &M::State) {
        self.actions.push(action);
        match self.states.get_mut(self.count) {
            Some(old) => old.clone_from(state),
            None => self.states.push(state.clone()),
        }
        self.count += 1;
    }
}

impl<M: Model> Gathered<M> {
    /// Computes the successors of `state` and chooses all of them.
    pub(crate) fn gather(
        &mut self,
        model: &M,
        worker: &mut M::Worker,
        state: &M::State,
    ) -> Computed {
        self.actions.clear();
        self.count = 0;
        model.successors(worker, state, self)?;
        self.chosen.clear();
        self.chosen.resize(self.count, true);
        Ok(())
    }

    /// Lets `selection` choose among the successors of `state`.
    pub(crate) fn select(
        &mut self,
        selection: &dyn Selection<M>,
        scratch: &mut Scratch,
        state: &M::State,
    ) {
        selection.select(scratch, state, &self.actions, &mut self.chosen);
    }
}
