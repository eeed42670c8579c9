//! A whole state space as a numbered graph.

use super::{Flow, Observer, StateId, Visit};
use crate::explore::{Options, explore};
use crate::model::Model;
use crate::observe::WitnessMode;
use crate::progress::Trivial;
use crate::verdict::StopReason;

/// Calls a function for every edge of the state space of `model`, with the numbers of its source and its
/// target: states are numbered from zero in breadth-first order. Returns the number of states; `None` if
/// there are more than `limit`, or the model fails.
pub fn each_edge<M: Model>(
    model: &M,
    limit: usize,
    show: impl FnMut(u32, &M::Action, u32),
) -> Option<u32> {
    let options = Options { witness: WitnessMode::Off, ..Options::default() };
    let mut numbered = Numbered { limit: limit.min(u32::MAX as usize) as u64, show };
    let run = explore(model, &Trivial, &options, &mut numbered);
    run.stop.is_none().then_some(run.statistics.explored as u32)
}

struct Numbered<F> {
    limit: u64,
    show: F,
}

impl<M: Model, F: FnMut(u32, &M::Action, u32)> Observer<M> for Numbered<F> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if visit.stored > self.limit { Err(StopReason::States) } else { Ok(()) }
    }

    fn link(&mut self, source: StateId, action: &M::Action, target: StateId, _new: bool) -> Flow {
        (self.show)(source.number as u32, action, target.number as u32);
        Ok(())
    }

    fn watches_links(&self) -> bool {
        true
    }
}
