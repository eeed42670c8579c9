//! Dead states that are valid ends.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{Answer, Query};
use crate::model::{Computed, Evaluate, Model};
use crate::observe::{Flow, Fork, Observer, Put, Visit};
use crate::select::Needs;

/// A query that ignores the dead states that satisfy a predicate, because they are meant to be terminal.
///
/// For queries about dead states, [`Deadlock`](super::Deadlock) and [`DeadStates`](super::DeadStates), which
/// use only the event [`dead`](Observer::dead).
pub struct ValidEnd<M, Q, F> {
    query: Q,
    is_valid: Arc<F>,
    model: PhantomData<fn(M)>,
}

impl<M, Q, F> ValidEnd<M, Q, F> {
    /// `query` without the dead states that satisfy `is_valid`.
    pub fn new(query: Q, is_valid: F) -> Self {
        ValidEnd { query, is_valid: Arc::new(is_valid), model: PhantomData }
    }
}

impl<M: Model, Q: Query<M>, F: Evaluate<M, bool>> Observer<M> for ValidEnd<M, Q, F> {
    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        match (self.is_valid)(visit.model, worker, visit.state)? {
            true => Ok(()),
            false => self.query.dead(visit, worker),
        }
    }

    fn sees(&self, model: &M, worker: &mut M::Worker, state: &M::State, push: Put<'_>) -> Computed {
        push(0, (self.is_valid)(model, worker, state)?.into());
        Ok(())
    }

    fn fork<'s>(&'s self, model: &'s M) -> Option<Fork<'s, M>> {
        let (query, is_valid) = (self.query.fork(model)?, self.is_valid.clone());
        Some(Box::new(Forked { query, is_valid }))
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        self.query.save(model)
    }

    fn merge(&mut self, model: &M, saved: &[u8]) -> bool {
        self.query.merge(model, saved)
    }
}

impl<M: Model, Q: Query<M>, F: Evaluate<M, bool>> Query<M> for ValidEnd<M, Q, F> {
    fn needs(&self) -> Needs<M> {
        self.query.needs()
    }

    fn has_witness(&self) -> bool {
        self.query.has_witness()
    }

    fn answer(&self) -> Answer {
        self.query.answer()
    }

    fn findings(&self) -> Vec<String> {
        self.query.findings()
    }
}

/// A fork for another thread.
struct Forked<'a, M: Model, F> {
    query: Fork<'a, M>,
    is_valid: Arc<F>,
}

impl<M: Model, F: Evaluate<M, bool>> Observer<M> for Forked<'_, M, F> {
    fn decided(&self) -> u64 {
        self.query.decided()
    }

    fn dead(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        match (self.is_valid)(visit.model, worker, visit.state)? {
            true => Ok(()),
            false => self.query.dead(visit, worker),
        }
    }

    fn save(&self, model: &M) -> Option<Vec<u8>> {
        self.query.save(model)
    }
}
