//! Searches for the states of a drawing and for their predecessors, by sweeps: only the window and the drawing are
//! stored.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sweepline::observe::{Answer, DECIDED, Flow, Hit, Observer, Query, Visit};
use sweepline::{Check, Options, StopReason, WitnessMode, explore};

use super::fragment::{Fragment, HiddenBefore};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::measure::{MeasureSpec, along};
use crate::watch::{Line, Watcher};

/// Predecessors that are not drawn are counted up to this number.
const MOST_COUNTED: usize = 100_000;

/// Once a state is found, a search ends after this many visits, or after twice as many as it took to find the
/// first state, unless the user set a limit.
const PATIENCE: u64 = 100_000;

/// States of interest.
pub(crate) enum Target<P> {
    /// The initial states.
    Initial,
    /// Dead states.
    Dead,
    /// States that satisfy a condition.
    Where(P),
}

/// How many states a search returns, and what else.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// At most this many states.
    pub(crate) most: usize,
    /// Search on to see whether there are more.
    pub(crate) more: bool,
    /// The path from the initial state to the first of them.
    pub(crate) path: bool,
}

/// How to explore.
pub(crate) struct StateSearch<'a, M: FrontEnd> {
    pub(crate) model: &'a M,
    pub(crate) measure: Option<MeasureSpec<M>>,
    pub(crate) options: Options,
}

/// What was found.
pub(crate) struct FoundStates<M: FrontEnd> {
    /// The states, up to as many as were wanted.
    pub(crate) states: Vec<M::State>,
    /// There are others.
    pub(crate) more: bool,
    /// The path from the initial state to the first of them; empty unless it was wanted.
    pub(crate) path: Vec<M::State>,
    /// How many states of the path did not fit into the drawing.
    pub(crate) n_cut: usize,
    /// The search ended by itself before the state space was explored. Further searches may take this many visits.
    pub(crate) ended: Option<u64>,
    /// The limit that ended the search.
    pub(crate) stop: Option<StopReason>,
}

impl<M: FrontEnd> FoundStates<M> {
    /// Nothing was searched for.
    pub(crate) fn none() -> Self {
        FoundStates {
            states: Vec::new(),
            more: false,
            path: Vec::new(),
            n_cut: 0,
            ended: None,
            stop: None,
        }
    }
}

impl<M: FrontEnd> StateSearch<'_, M> {
    fn options(&self, witness: WitnessMode) -> Options {
        Options { witness, ..self.options.clone() }
    }

    /// Finds states that some target describes. The search ends as soon as it has what is wanted.
    pub(crate) fn find(
        &self,
        targets: &[Target<M::Predicate>],
        wanted: Wanted,
    ) -> Result<FoundStates<M>, Failure> {
        let seen = Mutex::new(Seen::default());
        let query = Interest { targets, wanted, is_patient: self.is_limited(), seen: &seen };
        let witness = if wanted.path { WitnessMode::Disk } else { WitnessMode::Off };
        let check = Check::new(self.model).options(self.options(witness));
        let check = check.query("the states asked for", "reach", query);
        let mut watcher = Watcher::new(Line::default(), None);
        let progress = along(self.model, self.measure.as_ref());
        let mut report = check.progress(progress).run_watched(&mut watcher);
        watcher.finish();
        let decided = matches!(report.stop, Some(StopReason::Decided));
        let stop = Self::stopped(report.stop.take())?;
        let witness = report.properties.first().and_then(|property| property.verdict.witness());
        let path = witness.map_or(Vec::new(), |witness| {
            let steps = witness.steps.iter().map(|step| step.state.clone());
            std::iter::once(witness.initial.clone()).chain(steps).collect()
        });
        drop(report);
        let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = decided.then(|| seen.n_visits.max(PATIENCE));
        Ok(FoundStates { states: seen.states, more: seen.more, path, n_cut: 0, ended, stop })
    }

    /// The user set a limit, which then is the only one.
    fn is_limited(&self) -> bool {
        self.options.limits.states.is_some() || self.options.limits.time.is_some()
    }

    /// Adds the states with an edge to one of those with the numbers `latest`, as far as there is room; why the
    /// exploration stopped. It ends after `visits`.
    pub(crate) fn add_before(
        &self,
        fragment: &mut Fragment<'_, M>,
        latest: Range<usize>,
        visits: Option<u64>,
    ) -> Result<Option<StopReason>, Failure> {
        let (mut sources, mut kept) = (Vec::new(), HashSet::new());
        let (stop, _) = self.observe(fragment, visits, |source, target| {
            if latest.contains(&target) && kept.insert(source.bytes.to_vec()) {
                sources.push(source.state.clone());
            }
            if sources.len() < fragment.room() { Ok(()) } else { DECIDED }
        })?;
        for state in &sources {
            fragment.add(state);
        }
        Ok(stop)
    }

    /// Counts the states that are not drawn but have an edge to one that is. The count ends after `visits`.
    pub(crate) fn count_before(
        &self,
        fragment: &Fragment<'_, M>,
        visits: Option<u64>,
    ) -> Result<(HiddenBefore, Option<StopReason>), Failure> {
        let (mut sources, mut is_full) = (HashMap::<Vec<u8>, HashSet<usize>>::new(), false);
        let (stop, is_cut) = self.observe(fragment, visits, |source, target| {
            if let Some(targets) = sources.get_mut(source.bytes) {
                targets.insert(target);
            } else if sources.len() == MOST_COUNTED {
                is_full = true;
                return DECIDED;
            } else {
                sources.insert(source.bytes.to_vec(), HashSet::from([target]));
            }
            Ok(())
        })?;
        let mut of_state = vec![0; fragment.len()];
        sources.values().flatten().for_each(|&target| of_state[target] += 1);
        let is_partial = is_full || stop.is_some() || is_cut;
        Ok((HiddenBefore { of_state, n: sources.len(), is_partial }, stop))
    }

    /// Explores, and shows the edges that lead into the fragment from outside; the limit that ended it, and whether
    /// `visits` did.
    fn observe(
        &self,
        fragment: &Fragment<'_, M>,
        visits: Option<u64>,
        show: impl FnMut(&Visit<'_, M>, usize) -> Flow,
    ) -> Result<(Option<StopReason>, bool), Failure> {
        let left = visits.unwrap_or(u64::MAX);
        let mut observer = IntoFragment { fragment, show, left, is_cut: false, bytes: Vec::new() };
        let mut watcher = Watcher::new(Line::default(), None);
        let options = self.options(WitnessMode::Off);
        let both = &mut (&mut observer, &mut watcher);
        let progress = along(self.model, self.measure.as_ref());
        let stop = explore(self.model, &progress, &options, both).stop;
        watcher.finish();
        Ok((Self::stopped(stop)?, observer.is_cut))
    }

    /// A limit leaves something to draw; other reasons to stop do not.
    fn stopped(stop: Option<StopReason>) -> Result<Option<StopReason>, Failure> {
        match stop {
            // The drawing has what it needs.
            Some(StopReason::Decided) => Ok(None),
            None | Some(StopReason::Time | StopReason::Memory | StopReason::States) => Ok(stop),
            Some(StopReason::Model(message)) => Err(Failure::Model { message }),
            Some(reason) => Err(Failure::GraphIncomplete { reason: Box::new(reason), help: None }),
        }
    }
}

/// What a search has seen so far.
struct Seen<M: FrontEnd> {
    states: Vec<M::State>,
    bytes: HashSet<Vec<u8>>,
    first: Option<Hit>,
    more: bool,
    n_visits: u64,
    /// The search ends at this number of visits.
    last_visit: u64,
}

impl<M: FrontEnd> Default for Seen<M> {
    fn default() -> Self {
        Seen {
            states: Vec::new(),
            bytes: HashSet::new(),
            first: None,
            more: false,
            n_visits: 0,
            last_visit: u64::MAX,
        }
    }
}

/// Collects the states that some target describes.
struct Interest<'a, M: FrontEnd> {
    targets: &'a [Target<M::Predicate>],
    wanted: Wanted,
    /// The search ends at the limits of the user only.
    is_patient: bool,
    seen: &'a Mutex<Seen<M>>,
}

impl<M: FrontEnd> Interest<'_, M> {
    fn seen(&self) -> MutexGuard<'_, Seen<M>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, visit: &Visit<'_, M>) -> Flow {
        let (mut seen, Wanted { most, more, .. }) = (self.seen(), self.wanted);
        if seen.bytes.contains(visit.bytes) {
            return Ok(());
        }
        if seen.states.len() == most {
            seen.more = true;
            return DECIDED;
        }
        if seen.first.is_none() {
            seen.first = Some(Hit::of(visit));
            let last = PATIENCE.max(seen.n_visits.saturating_mul(2));
            seen.last_visit = if self.is_patient { u64::MAX } else { last };
        }
        seen.bytes.insert(visit.bytes.to_vec());
        seen.states.push(visit.state.clone());
        if seen.states.len() == most && !more { DECIDED } else { Ok(()) }
    }

    fn visit(&self) -> Flow {
        let mut seen = self.seen();
        seen.n_visits += 1;
        if seen.n_visits > seen.last_visit {
            seen.n_visits -= 1;
            return DECIDED;
        }
        Ok(())
    }
}

impl<M: FrontEnd> Observer<M> for Interest<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        self.visit()?;
        for target in self.targets {
            if let Target::Where(predicate) = target
                && visit.model.holds(worker, predicate, visit.state)?
            {
                return self.take(visit);
            }
        }
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        match self.targets.iter().any(|target| matches!(target, Target::Dead)) {
            true => self.take(visit),
            false => Ok(()),
        }
    }
}

impl<M: FrontEnd> Query<M> for Interest<'_, M> {
    fn has_witness(&self) -> bool {
        self.wanted.path
    }

    fn answer(&self) -> Answer {
        match &self.seen().first {
            Some(hit) if self.wanted.path => Answer::Holds(Some(hit.clone())),
            _ => Answer::HoldsSoFar,
        }
    }
}

/// Shows the sources of edges that lead into a fragment from outside, each with the number of the target.
struct IntoFragment<'a, 'm, M: FrontEnd, F> {
    fragment: &'a Fragment<'m, M>,
    show: F,
    /// Visits left until the exploration ends.
    left: u64,
    is_cut: bool,
    bytes: Vec<u8>,
}

impl<M: FrontEnd, F> Observer<M> for IntoFragment<'_, '_, M, F>
where
    F: FnMut(&Visit<'_, M>, usize) -> Flow,
{
    fn node(&mut self, _: &Visit<'_, M>, _: &mut M::Worker) -> Flow {
        if self.left == 0 {
            self.is_cut = true;
            return DECIDED;
        }
        self.left -= 1;
        Ok(())
    }

    fn arc(&mut self, source: &Visit<'_, M>, _: &M::Action, target: &M::State) -> Flow {
        self.bytes.clear();
        source.model.encode(target, &mut self.bytes);
        match self.fragment.number(&self.bytes) {
            Some(number) if self.fragment.number(source.bytes).is_none() => {
                (self.show)(source, number)
            }
            _ => Ok(()),
        }
    }

    fn watches_arcs(&self) -> bool {
        true
    }
}
