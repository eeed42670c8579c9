//! The bounds of all places, computed during the exploration.

use std::sync::{Arc, Mutex, PoisonError};

use sweepline::Observer;
use sweepline::observe::{Answer, Flow, Query, Visit};

use crate::front_end::FrontEnd;

/// Extends the bounds by every state; holds if the exploration is complete.
pub(super) struct Bounds<M: FrontEnd> {
    extents: Arc<Mutex<M::Extents>>,
}

impl<M: FrontEnd> Bounds<M> {
    /// Stores the bounds in `extents`.
    pub(super) fn new(extents: Arc<Mutex<M::Extents>>) -> Self {
        Bounds { extents }
    }
}

impl<M: FrontEnd> Observer<M> for Bounds<M> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        let mut extents = self.extents.lock().unwrap_or_else(PoisonError::into_inner);
        visit.model.extend(&mut extents, visit.state);
        Ok(())
    }
}

impl<M: FrontEnd> Query<M> for Bounds<M> {
    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }

    fn has_witness(&self) -> bool {
        false
    }
}
