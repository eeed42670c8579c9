//! The explorations of a run, one after the other: along the measure; where that is left open, in full until one is
//! found on the way.

use std::time::Instant;

use sweepline::observe::{DECIDED, Flow, Fork, Observer};
use sweepline::progress::Effort;
use sweepline::{Model, Statistics, StopReason, Value};

use crate::args;
use crate::front_end::FrontEnd;
use crate::guard;
use crate::measure::{MeasureSpec, Need};
use crate::print;

/// States explored in full before a measure is looked for: most nets have fewer.
const STATES: u64 = 4_000_000;
/// Bytes of their markings: large markings make it sooner.
const BYTES: u64 = 256 << 20;

/// Edges of a state, on average.
const DEGREE: u64 = 5;

/// Bytes that a search for a measure should have for itself.
const ROOM: u64 = 64 << 20;

/// Nothing is said about how to explore.
pub(crate) fn is_open(measure: &args::Measure, retention: &args::Retention) -> bool {
    measure.method.is_none() && measure.progress.is_none() && retention.is_open()
}

/// What the next exploration of a run is along.
pub(crate) struct Ladder<'a, M: FrontEnd> {
    pub(crate) measure: Option<MeasureSpec<M>>,
    /// Watches the exploration.
    pub(crate) search: DeferredSearch<'a, M>,
    /// Where a strict run along the measure ends at a regress edge, it is explored in full.
    pub(crate) falls: bool,
    /// Bytes for the store of the first exploration.
    share: u64,
}

/// Bytes for the store of an exploration that begins now.
fn share() -> u64 {
    guard::options().limits.memory.unwrap_or(u64::MAX)
}

impl<'a, M: FrontEnd> Ladder<'a, M> {
    /// Explores along `measure`. Where there is none and that `is_open`, one is looked for on the way, as good as is
    /// needed.
    pub(crate) fn new(
        model: &'a M,
        measure: Option<MeasureSpec<M>>,
        is_open: bool,
        need: Need,
    ) -> Self {
        let mut search = DeferredSearch::new(model, need);
        if measure.is_some() || !is_open {
            search.due = None;
        }
        Ladder { measure, search, falls: false, share: share() }
    }

    /// Another exploration is due after one that ended by `stop`.
    pub(crate) fn goes_on(&mut self, stop: Option<&StopReason>) -> bool {
        match stop {
            Some(StopReason::Regress(_)) if self.falls => {
                let Some(measure) = self.measure.take() else { return false };
                let text = print::cut(&measure.text);
                print::warn(&format!(
                    "`{text}` is not monotone: every state is kept, to find the components"
                ));
                true
            }
            stop => {
                let is_full = stop == Some(&StopReason::Memory);
                let found = self.search.take_found(is_full);
                // A run in a corner of the memory would learn less than the one that is given up.
                let found = found.filter(|_| !is_full || share() >= self.share / 2);
                let is_found = found.is_some();
                self.measure = found.or(self.measure.take());
                is_found
            }
        }
    }
}

/// Lets a full exploration go on until there are many states, then looks for a measure, and stops it
/// when one promises to help.
pub(crate) struct DeferredSearch<'a, M: FrontEnd> {
    model: &'a M,
    /// States between two moments to look.
    first: u64,
    /// It looks when this many states are explored; `None` when it has looked.
    due: Option<u64>,
    need: Need,
    /// When the run must end.
    deadline: Option<Instant>,
    started: Instant,
    found: Option<MeasureSpec<M>>,
}

impl<'a, M: FrontEnd> DeferredSearch<'a, M> {
    /// It looks for what is needed, and not where the run must end before that is of use.
    fn new(model: &'a M, need: Need) -> Self {
        let first = STATES.min(BYTES / (model.state_bytes() as u64 + 1)).max(1);
        let (deadline, started) = (guard::deadline(), Instant::now());
        DeferredSearch { model, first, due: Some(first), need, deadline, started, found: None }
    }

    /// There is time to begin again: more is left than was taken so far.
    fn has_time(&self) -> bool {
        let left = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        left.is_none_or(|left| left > self.started.elapsed())
    }

    /// The search takes nothing that the run still needs.
    fn has_room(&self) -> bool {
        share() >= ROOM
    }

    /// What it found; looks now, if it has not, where the run is out of memory.
    fn take_found(&mut self, out_of_memory: bool) -> Option<MeasureSpec<M>> {
        if out_of_memory && let Some(due) = self.due {
            self.look(due);
        }
        self.found.take()
    }

    /// Looks for a measure, after `explored` states.
    fn look(&mut self, explored: u64) {
        self.due = None;
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
    fn level(&mut self, _: &Value, statistics: &Statistics) -> Flow {
        let explored = statistics.explored;
        if self.due.is_some_and(|due| explored >= due) {
            if self.has_room() {
                self.look(explored);
            } else {
                // The search waits until the run is out of memory, which is free then.
                self.due = Some(explored + self.first);
            }
        }
        if self.found.is_some() { DECIDED } else { Ok(()) }
    }

    fn fork<'s>(&'s self, _model: &'s N) -> Option<Fork<'s, N>> {
        Some(Box::new(()))
    }

    fn save(&self, _: &N) -> Option<Vec<u8>> {
        Some(self.due.unwrap_or(0).to_le_bytes().to_vec())
    }

    /// A run that is resumed looks when the whole run would have looked.
    fn merge(&mut self, _: &N, saved: &[u8]) -> bool {
        let Ok(due) = saved.try_into().map(u64::from_le_bytes) else { return saved.is_empty() };
        self.due = self.due.and((due > 0).then_some(due));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepline_pnml::{Net, NetModel};

    fn search(model: &NetModel) -> DeferredSearch<'_, NetModel> {
        DeferredSearch::new(model, Need::Any)
    }

    fn model() -> NetModel {
        let net = Net::builder("handover").place("ready", 30).place("done", 0);
        NetModel::new(net.transition("t", &[("ready", 1)], &[("done", 1)]).build().unwrap())
    }

    #[test]
    fn a_resumed_run_looks_when_the_whole_run_would_have() {
        let model = model();
        let saved = |due| {
            let search = DeferredSearch { due, ..search(&model) };
            Observer::<NetModel>::save(&search, &model).unwrap()
        };
        let restored = |mut search: DeferredSearch<'_, NetModel>, due| {
            assert!(search.merge(&model, &saved(due)));
            search.due
        };
        assert_eq!(restored(search(&model), Some(7)), Some(7));
        // It has looked, and found nothing; or it is not to look.
        assert_eq!(restored(search(&model), None), None);
        assert_eq!(restored(DeferredSearch { due: None, ..search(&model) }, Some(7)), None);
        assert!(!search(&model).merge(&model, &[1]));
    }

    #[test]
    fn it_looks_when_memory_runs_out_and_only_then() {
        let model = model();
        let goes_on = |is_open, stop| {
            let mut ladder = Ladder::new(&model, None, is_open, Need::Any);
            ladder.goes_on(stop) && ladder.measure.is_some() && !ladder.goes_on(stop)
        };
        assert!(goes_on(true, Some(&StopReason::Memory)));
        assert!(!goes_on(true, None));
        assert!(!goes_on(false, Some(&StopReason::Memory)));
    }
}
