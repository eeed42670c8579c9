//! Walking through a model, one step after the other.

use crate::model::{Model, ModelError, initial, successors_by};
use crate::observe::{Step, Witness};

/// A run that grows by the steps its walker chooses.
pub struct Walk<'a, M: Model> {
    model: &'a M,
    /// For looking at states.
    pub worker: M::Worker,
    /// The steps taken so far.
    pub run: Witness<M>,
}

impl<'a, M: Model> Walk<'a, M> {
    /// A walk that begins at the initial state that `choose` picks out of so many; `None` where there is none.
    pub fn new(model: &'a M, choose: impl FnOnce(usize) -> usize) -> Option<Self> {
        let mut starts = initial(model);
        if starts.is_empty() {
            return None;
        }
        let start = starts.swap_remove(choose(starts.len()));
        let run = Witness { initial: start, steps: Vec::new(), back: None };
        Some(Walk { model, worker: model.worker(), run })
    }

    /// The state it has come to.
    pub fn state(&self) -> &M::State {
        self.run.last()
    }

    /// The steps that can be taken, in the model's order.
    ///
    /// # Errors
    ///
    /// The model's own.
    pub fn successors(&mut self) -> Result<Vec<(M::Action, M::State)>, ModelError> {
        successors_by(self.model, &mut self.worker, self.run.last())
    }

    /// Takes a step that [`successors`](Walk::successors) gave.
    pub fn take(&mut self, (action, state): (M::Action, M::State)) {
        self.run.steps.push(Step { action, state });
    }
}
