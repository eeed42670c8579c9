//! The bounds of all places, while exploring.

use std::cell::RefCell;
use std::rc::Rc;

use sweepline::observe::{Answer, Flow, Query, Visit};

use crate::subject::Subject;

/// Takes every state into account; holds when the exploration is complete.
pub(super) struct Bounds<M: Subject> {
    extents: Rc<RefCell<M::Extents>>,
}

impl<M: Subject> Bounds<M> {
    /// What is found is put into `extents`.
    pub(super) fn new(extents: Rc<RefCell<M::Extents>>) -> Self {
        Bounds { extents }
    }
}

impl<M: Subject> Query<M> for Bounds<M> {
    fn node(&mut self, visit: &Visit<'_, M>) -> Flow {
        visit.model.extend(&mut self.extents.borrow_mut(), visit.state);
        Flow::Continue(())
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }
}
