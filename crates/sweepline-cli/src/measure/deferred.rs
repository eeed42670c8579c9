//! Looking for a measure once it is clear that there are many states.

use std::time::Instant;

use sweepline::Model;
use sweepline::observe::{DECIDED, Flow, Observer, Visit};
use sweepline::progress::Effort;

use crate::args;
use crate::front_end::FrontEnd;
use crate::measure::{MeasureSpec, Need};
use crate::system;

/// States explored in full before a measure is looked for: most nets have fewer.
const STATES: u64 = 4_000_000;
/// Bytes of their markings: large markings make it sooner.
const BYTES: u64 = 256 << 20;

/// Edges of a state, on average.
const DEGREE: u64 = 5;

/// A process that may take less than this has no room to look.
pub(crate) const LEAST_MEMORY: u64 = 128 << 20;

/// Lets a full exploration go on until there are many states, then looks for a measure, and stops it
/// when one promises to help.
pub(crate) struct DeferredSearch<'a, M: FrontEnd> {
    model: &'a M,
    /// States before it looks.
    first: u64,
    /// How many of them are to go; none left when it has looked.
    left: u64,
    need: Need,
    /// When the run must end.
    deadline: Option<Instant>,
    started: Instant,
    found: Option<MeasureSpec<M>>,
}

impl<'a, M: FrontEnd> DeferredSearch<'a, M> {
    pub(crate) fn new(model: &'a M) -> Self {
        DeferredSearch::after(model, STATES.min(BYTES / (model.state_bytes() as u64 + 1)).max(1))
    }

    /// A search that looks after so many states.
    fn after(model: &'a M, left: u64) -> Self {
        let (need, started) = (Need::Any, Instant::now());
        DeferredSearch { model, first: left, left, need, deadline: None, started, found: None }
    }

    /// A search that looks for nothing.
    pub(crate) fn idle(model: &'a M) -> Self {
        DeferredSearch::after(model, 0)
    }

    /// It looks for what is needed, and not where the run must end before that is of use.
    pub(crate) fn needing(self, need: Need, limits: &args::Limits) -> Self {
        let deadline = limits.time_limit.map(|limit| system::started() + limit);
        DeferredSearch { need, deadline, ..self }
    }

    /// There is time to begin again: more is left than was taken so far.
    fn has_time(&self) -> bool {
        let left = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        left.is_none_or(|left| left > self.started.elapsed())
    }

    /// Looks now, if it has not; what it found.
    pub(crate) fn found(mut self, out_of_memory: bool) -> Option<MeasureSpec<M>> {
        if out_of_memory && self.left > 0 {
            self.look();
        }
        self.found
    }

    fn look(&mut self) {
        let explored = self.first - self.left;
        self.left = 0;
        if self.has_time() {
            let effort = Effort::after(explored * DEGREE, self.model.successor_steps());
            let found = MeasureSpec::find_promising(self.model, self.need, effort);
            // Without time to begin again the run goes on, and keeps what it has explored.
            self.found = found.filter(|_| self.has_time());
        }
    }
}

/// What is explored may be more than the model itself: the model and what it is compared with.
impl<M: FrontEnd, N: Model> Observer<N> for DeferredSearch<'_, M> {
    fn node(&mut self, _: &Visit<'_, N>, _worker: &mut N::Worker) -> Flow {
        if self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.look();
            }
        }
        if self.found.is_some() { DECIDED } else { Ok(()) }
    }

    fn save(&self, _: &N) -> Option<Vec<u8>> {
        Some(self.left.to_le_bytes().to_vec())
    }

    /// A run that is resumed looks when the whole run would have looked.
    fn merge(&mut self, _: &N, saved: &[u8]) -> bool {
        let Ok(left) = saved.try_into().map(u64::from_le_bytes) else { return saved.is_empty() };
        self.left = self.left.min(left);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepline_pnml::{Net, NetModel};

    fn model() -> NetModel {
        let net = Net::builder("handover").place("ready", 30).place("done", 0);
        NetModel::new(net.transition("t", &[("ready", 1)], &[("done", 1)]).build().unwrap())
    }

    #[test]
    fn a_resumed_run_looks_when_the_whole_run_would_have() {
        let model = model();
        let saved = |left| {
            let search = DeferredSearch { left, ..DeferredSearch::new(&model) };
            Observer::<NetModel>::save(&search, &model).unwrap()
        };
        let restored = |mut search: DeferredSearch<'_, NetModel>, left| {
            assert!(search.merge(&model, &saved(left)));
            search.left
        };
        assert_eq!(restored(DeferredSearch::new(&model), 7), 7);
        // It has looked, and found nothing; or it is not to look.
        assert_eq!(restored(DeferredSearch::new(&model), 0), 0);
        assert_eq!(restored(DeferredSearch::idle(&model), 7), 0);
        assert!(!DeferredSearch::new(&model).merge(&model, &[1]));
    }

    #[test]
    fn it_looks_when_memory_runs_out_and_only_then() {
        let model = model();
        assert!(DeferredSearch::new(&model).found(true).is_some());
        assert!(DeferredSearch::new(&model).found(false).is_none());
        assert!(DeferredSearch::idle(&model).found(true).is_none());
    }
}
