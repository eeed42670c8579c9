//! Queries that a hunt decides, beside an exploration or without one.

use super::{DECIDED, Flow, GONE, Queries};
use crate::hunt::{Batch, Catch, Hunted, Hunter};
use crate::model::{self, Model};
use crate::observe::{Observer, StateId, Statistics, Visit};
use crate::progress::Value;
use crate::verdict::StopReason;

impl<'a, M: Model> Queries<'a, M> {
    /// Lets `hunter` look for states that decide queries.
    pub(crate) fn set_hunter(&mut self, hunter: Hunter<'a, M>) {
        self.hunter = Some(hunter);
    }

    /// What the hunt did, and for each query that it decided, how; empty without a hunt.
    pub(crate) fn hunted(&self) -> Option<(Hunted, &[(usize, String)])> {
        self.hunter.as_ref().map(|hunter| (hunter.hunted, &*hunter.found))
    }

    /// Makes the trips that are due between two levels of an exploration.
    pub(super) fn hunt_beside(&mut self, statistics: &Statistics) -> Flow {
        let Some(mut hunter) = self.hunter.take() else { return Ok(()) };
        let flow = match hunter.due(statistics) {
            Some(batch) => self.hunt(&mut hunter, batch),
            None => Ok(()),
        };
        self.hunter = Some(hunter);
        flow
    }

    /// Hunts until every query is decided, or a limit is reached. Returns why it ended.
    pub(crate) fn hunt_only(&mut self, watcher: &mut dyn Observer<M>) -> StopReason {
        let Some(mut hunter) = self.hunter.take() else { return StopReason::Decided };
        let stop = loop {
            if let Some(stop) = hunter.stop() {
                break stop;
            }
            let batch = hunter.again();
            if let Err(stop) = self.hunt(&mut hunter, batch) {
                break stop;
            }
            if hunter.targets.is_empty() {
                break StopReason::Hunt;
            }
            let Hunted { states, edges, .. } = hunter.hunted;
            let statistics = Statistics { explored: states, edges, ..Statistics::default() };
            watcher.pulse(&Value::default(), &statistics);
        };
        self.hunter = Some(hunter);
        stop
    }

    fn hunt(&mut self, hunter: &mut Hunter<'a, M>, batch: Batch) -> Flow {
        let model = hunter.model();
        let catches = hunter.make(batch, &self.waiting, |query| self.queries[query].fork(model));
        for (catch, how) in catches {
            let flow = self.decide(model, &catch);
            if !self.waiting.contains(&catch.query) {
                hunter.decided(catch.query, how);
            }
            flow?;
        }
        Ok(())
    }

    /// Shows a state that decides a query to it.
    fn decide(&mut self, model: &M, catch: &Catch) -> Flow {
        let broken = || StopReason::Internal("a path of the hunt is no path of the model".into());
        let (first, rest) = catch.path.split_first().ok_or_else(broken)?;
        let initial = model::initial(model).into_iter().nth(*first as usize);
        let (mut state, mut worker) = (initial.ok_or_else(broken)?, model.worker());
        for &number in rest {
            let successors = model::successors_by(model, &mut worker, &state)?;
            state = successors.into_iter().nth(number as usize).ok_or_else(broken)?.1;
        }
        let (bytes, value) = (model::bytes_of(model, &state), Value::default());
        let id = StateId { layer: 0, number: 0 };
        let path = Some(&*catch.path);
        let visit =
            Visit { model, state: &state, bytes: &bytes, value: &value, id, stored: 0, path };
        let query = &mut self.queries[catch.query];
        let flow = match catch.is_dead {
            true => query.dead(&visit, &mut worker),
            false => query.node(&visit, &mut worker),
        };
        if flow != DECIDED {
            return flow;
        }
        for number in [&mut self.waiting, &mut self.watching] {
            number.iter_mut().filter(|n| **n == catch.query).for_each(|n| *n = GONE);
        }
        self.leave_out()
    }
}
