//! Walking through a model step by step.

use crate::model::{Model, ModelError, initial, successors_by};
use crate::observe::{Step, Witness};

/// A path that grows by the steps that the caller chooses.
pub struct Walk<'a, M: Model> {
    model: &'a M,
    /// The worker for inspecting states.
    pub worker: M::Worker,
    /// The steps taken so far.
    pub run: Witness<M>,
}

impl<'a, M: Model> Walk<'a, M> {
    /// A walk that begins at an initial state. `choose` gets the number of initial states and returns the
    /// index of one. `None` if there is no initial state.
    pub fn new(model: &'a M, choose: impl FnOnce(usize) -> usize) -> Option<Self> {
        let mut starts = initial(model);
        if starts.is_empty() {
            return None;
        }
        let start = starts.swap_remove(choose(starts.len()));
        let run = Witness { initial: start, steps: Vec::new(), back: None };
        Some(Walk { model, worker: model.worker(), run })
    }

    /// The current state.
    pub fn state(&self) -> &M::State {
        self.run.last()
    }

    /// The possible next steps, in the model's order.
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
