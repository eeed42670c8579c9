//! Finding the states that a drawing is asked for around, and those before them, by sweeps: what is held is the
//! window and the drawing.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use sweepline::observe::{Answer, DECIDED, Flow, Hit, Observer, Query, Visit};
use sweepline::{Check, Options, StopReason, WitnessMode, explore};

use super::fragment::{Fragment, HiddenBefore};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::measure::{MeasureSpec, along};
use crate::watch::{Line, Watcher};

/// Predecessors that are not drawn are counted up to so many.
const MOST_COUNTED: usize = 100_000;

/// States of interest.
pub(crate) enum Target<P> {
    /// The initial one.
    Initial,
    /// Those without successor.
    Dead,
    /// Those that satisfy a condition.
    Where(P),
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
    /// There are others: how many, where that is known.
    pub(crate) more: Option<More>,
    /// The way to the first of them, from the initial state; empty unless it was wanted.
    pub(crate) way: Vec<M::State>,
    /// How many states of the way did not fit into the drawing.
    pub(crate) n_cut: usize,
    /// Why not every state was looked at.
    pub(crate) stop: Option<StopReason>,
}

/// States that were left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum More {
    /// So many.
    Counted(u64),
    /// Some: a state may have been seen twice.
    Some,
}

impl<M: FrontEnd> StateSearch<'_, M> {
    fn options(&self, witness: WitnessMode) -> Options {
        Options { witness, ..self.options.clone() }
    }

    /// Explores, and finds up to `most` states that some target describes.
    pub(crate) fn find(
        &self,
        targets: &[Target<M::Predicate>],
        most: usize,
        way: bool,
    ) -> Result<FoundStates<M>, Failure> {
        let seen = Mutex::new(Seen { states: Vec::new(), kept: HashSet::new(), n_more: 0 });
        let query = Interest { targets, most, way, seen: &seen, first: None };
        let witness = if way { WitnessMode::Disk } else { WitnessMode::Off };
        let check = Check::new(self.model).options(self.options(witness));
        let check = check.query("the states asked for", "reach", query);
        let mut watcher = Watcher::new(Line::default(), None);
        let progress = along(self.model, self.measure.as_ref());
        let mut report = check.progress(progress).run_watched(&mut watcher);
        watcher.finish();
        let stop = Self::stopped(report.stop.take())?;
        let witness = report.properties.first().and_then(|property| property.verdict.witness());
        let way = witness.map_or(Vec::new(), |witness| {
            let steps = witness.steps.iter().map(|step| step.state.clone());
            std::iter::once(witness.initial.clone()).chain(steps).collect()
        });
        let is_exact = report.statistics.is_exact();
        drop(report);
        let Seen { states, n_more, .. } = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        let more = match n_more {
            0 => None,
            n if is_exact => Some(More::Counted(n)),
            _ => Some(More::Some),
        };
        Ok(FoundStates { states, more, way, n_cut: 0, stop })
    }

    /// Explores, and adds the states with an edge to one of those with the numbers `latest`, as far as there is
    /// room; why not every state was looked at.
    pub(crate) fn add_before(
        &self,
        fragment: &mut Fragment<'_, M>,
        latest: Range<usize>,
    ) -> Result<Option<StopReason>, Failure> {
        let (mut sources, mut kept) = (Vec::new(), HashSet::new());
        let stop = self.observe(fragment, |source, target| {
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

    /// Explores, and counts the states that are not drawn but have an edge to one that is.
    pub(crate) fn count_before(
        &self,
        fragment: &Fragment<'_, M>,
    ) -> Result<(HiddenBefore, Option<StopReason>), Failure> {
        let (mut sources, mut is_full) = (HashMap::<Vec<u8>, HashSet<usize>>::new(), false);
        let stop = self.observe(fragment, |source, target| {
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
        let is_partial = is_full || stop.is_some();
        Ok((HiddenBefore { of_state, n: sources.len(), is_partial }, stop))
    }

    /// Explores, and shows the edges that lead into the fragment from outside.
    fn observe(
        &self,
        fragment: &Fragment<'_, M>,
        show: impl FnMut(&Visit<'_, M>, usize) -> Flow,
    ) -> Result<Option<StopReason>, Failure> {
        let mut observer = IntoFragment { fragment, show, bytes: Vec::new() };
        let mut watcher = Watcher::new(Line::default(), None);
        let options = self.options(WitnessMode::Off);
        let both = &mut (&mut observer, &mut watcher);
        let progress = along(self.model, self.measure.as_ref());
        let stop = explore(self.model, &progress, &options, both).stop;
        watcher.finish();
        Self::stopped(stop)
    }

    /// A limit leaves something to draw; nothing else does.
    fn stopped(stop: Option<StopReason>) -> Result<Option<StopReason>, Failure> {
        match stop {
            // The drawing is full.
            Some(StopReason::Decided) => Ok(None),
            None | Some(StopReason::Time | StopReason::Memory | StopReason::States) => Ok(stop),
            Some(StopReason::Model(message)) => Err(Failure::Model { message }),
            Some(reason) => Err(Failure::GraphIncomplete { reason: Box::new(reason), help: None }),
        }
    }
}

/// States seen so far.
struct Seen<M: FrontEnd> {
    states: Vec<M::State>,
    kept: HashSet<Vec<u8>>,
    n_more: u64,
}

/// Collects the states that some target describes.
struct Interest<'a, M: FrontEnd> {
    targets: &'a [Target<M::Predicate>],
    most: usize,
    way: bool,
    seen: &'a Mutex<Seen<M>>,
    first: Option<Hit>,
}

impl<M: FrontEnd> Interest<'_, M> {
    fn take(&mut self, visit: &Visit<'_, M>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.kept.contains(visit.bytes) {
            return;
        }
        if seen.states.len() == self.most {
            seen.n_more += 1;
            return;
        }
        self.first.get_or_insert_with(|| Hit::of(visit));
        seen.kept.insert(visit.bytes.to_vec());
        seen.states.push(visit.state.clone());
    }
}

impl<M: FrontEnd> Observer<M> for Interest<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, worker: &mut M::Worker) -> Flow {
        for target in self.targets {
            if let Target::Where(predicate) = target
                && visit.model.holds(worker, predicate, visit.state)?
            {
                self.take(visit);
                break;
            }
        }
        Ok(())
    }

    fn dead(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if self.targets.iter().any(|target| matches!(target, Target::Dead)) {
            self.take(visit);
        }
        Ok(())
    }
}

impl<M: FrontEnd> Query<M> for Interest<'_, M> {
    fn has_witness(&self) -> bool {
        self.way
    }

    fn answer(&self) -> Answer {
        match &self.first {
            Some(hit) if self.way => Answer::Holds(Some(hit.clone())),
            _ => Answer::HoldsSoFar,
        }
    }
}

/// Shows the sources of edges that lead into a fragment from outside, each with the number of the target.
struct IntoFragment<'a, 'm, M: FrontEnd, F> {
    fragment: &'a Fragment<'m, M>,
    show: F,
    bytes: Vec<u8>,
}

impl<M: FrontEnd, F> Observer<M> for IntoFragment<'_, '_, M, F>
where
    F: FnMut(&Visit<'_, M>, usize) -> Flow,
{
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
