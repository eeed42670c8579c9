//! The intake of successors: measures them, puts them into a batch, and notifies the observers.

use super::Step;
use super::batch::Batch;
use super::options::{Monotone, Options};
use super::part::Portion;
use super::share::Share;
use super::states::States;
use crate::model::{Model, sample_codec};
use crate::observe::{Observer, Statistics, Visit};
use crate::progress::{Progress, Value};
use crate::retain::{LayerId, StateStatus};
use crate::verdict::StopReason;

/// Where successors are looked up.
pub(super) enum Store<'s, A> {
    /// In the states of the run, which get the new ones.
    Run(&'s mut States),
    /// In the states of the run, which do not change before the end of the round.
    Round(Share<'s, A>),
    /// In the states of one of several workers, or at the worker that they belong to.
    Part(&'s mut Portion),
}

/// What is around a state that is being expanded.
pub(super) struct Scene<'s, M: Model> {
    pub(super) store: Store<'s, M::Action>,
    pub(super) observer: &'s mut (dyn Observer<M> + 's),
}

impl<M: Model> Scene<'_, M> {
    /// The states of the run. Only reductions that need one thread change them.
    pub(super) fn states(&mut self) -> &mut States {
        match &mut self.store {
            Store::Run(states) => states,
            Store::Round(_) | Store::Part(_) => unreachable!("this reduction runs on one thread"),
        }
    }

    /// Whether the next event was shown to the observer already.
    #[inline]
    fn was_shown(&mut self) -> Step<bool> {
        match &mut self.store {
            Store::Run(states) if states.shown.states => states.shown.skip(),
            Store::Run(_) | Store::Round(_) | Store::Part(_) => Ok(false),
        }
    }

    /// The layer for a state of progress `value`, while the line is at `line`.
    #[inline]
    pub(super) fn target(&mut self, value: &Value, line: &Value) -> LayerId {
        match &mut self.store {
            Store::Run(states) => states.window.target(value, Some(line)),
            Store::Round(share) => share.target(value, line),
            Store::Part(portion) => portion.states.window.target(value, Some(line)),
        }
    }

    /// Whether the state `bytes` of progress `value` is stored and expanded.
    pub(super) fn status(&self, value: &Value, hash: u64, bytes: &[u8]) -> StateStatus {
        let window = match &self.store {
            Store::Run(states) => &states.window,
            Store::Round(share) => share.window,
            Store::Part(portion) => &portion.states.window,
        };
        window.find(value, hash, bytes)
    }
}

/// Measures the successors of states. Each thread has its own.
pub(super) struct Intake<'a, M: Model> {
    pub(super) progress: &'a dyn Progress<M>,
    /// Whether the measure is trivial.
    pub(super) trivial: bool,
    /// Measures successors and inspects states, while another worker computes successors.
    pub(super) reader: M::Worker,
    pub(super) batch: Batch<M::Action>,
    /// Of the run, or of this thread in the current round.
    pub(super) statistics: Statistics,
    /// Whether the first regress edge ends the run.
    pub(super) strict: bool,
    /// Whether the run only counts distinct states: then observers are not called.
    pub(super) counting: bool,
}

impl<'a, M: Model> Intake<'a, M> {
    pub(super) fn new(model: &M, progress: &'a dyn Progress<M>, options: &Options) -> Self {
        Intake {
            progress,
            trivial: progress.is_trivial(),
            reader: model.worker(),
            batch: Batch::new(),
            statistics: Statistics::default(),
            strict: options.monotone == Monotone::Strict,
            counting: false,
        }
    }

    /// Shows a state that is about to be expanded.
    #[inline]
    pub(super) fn node(&mut self, scene: &mut Scene<'_, M>, visit: &Visit<'_, M>) -> Step {
        self.statistics.explored += 1;
        sample_codec(visit.model, self.statistics.explored, visit.state, visit.bytes)?;
        if self.counting || scene.was_shown()? {
            return Ok(());
        }
        scene.observer.node(visit, &mut self.reader)
    }

    /// Shows a state that has no successors.
    pub(super) fn dead(&mut self, scene: &mut Scene<'_, M>, visit: &Visit<'_, M>) -> Step {
        self.statistics.dead += 1;
        if self.counting || scene.was_shown()? {
            return Ok(());
        }
        scene.observer.dead(visit, &mut self.reader)
    }

    /// The progress of a state. An error if it does not fit 64 bits.
    pub(super) fn measure(&mut self, state: &M::State, value: &mut Value) -> Step {
        value.clear();
        self.progress.measure(&mut self.reader, state, value)?;
        if value.is_exact() { Ok(()) } else { Err(too_large()) }
    }

    /// Looks up the successors of the batch, whose sources are in one layer.
    pub(super) fn take(&mut self, scene: &mut Scene<'_, M>, source_layer: LayerId) -> Step {
        match &mut scene.store {
            Store::Run(states) => {
                let links = !self.counting && scene.observer.watches_links();
                states.take(&mut self.batch, source_layer, &mut *scene.observer, links)
            }
            Store::Round(share) => share.take(&mut self.batch),
            Store::Part(portion) => portion.take(&mut self.batch, source_layer),
        }
    }
}

/// The error for a measure with a value that cannot be stored.
#[cold]
pub(super) fn too_large() -> StopReason {
    StopReason::Model(
        "the progress measure has a value that does not fit 64 bits; scale it down".into(),
    )
}
