//! Successors as the model pushes them: measured, compared and encoded.

use std::ops::Range;

use super::batch::{Batch, Intake, Item};
use super::options::{Monotone, Options};
use crate::model::{Model, ModelError, Sink};
use crate::observe::{Observer, Visit};
use crate::progress::{Progress, Value};
use crate::retain::{Hint, LayerId};
use crate::verdict::{Regress, StopReason};

/// The measure has a value that cannot be stored.
#[cold]
pub(super) fn too_large() -> StopReason {
    StopReason::Model(
        "the progress measure has a value that does not fit 64 bits; scale it down".into(),
    )
}

/// Takes the successors of one state: measures, compares and encodes them.
pub(super) struct Pusher<'a, 'v, M: Model, P, O> {
    watches_arcs: bool,
    trivial: bool,
    strict: bool,
    progress: &'a P,
    pub(super) intake: Intake<'a, O>,
    pub(super) batch: &'a mut Batch<M>,
    pub(super) visit: &'a Visit<'v, M>,
    /// The layer of the state being expanded.
    layer: LayerId,
    value: Value,
    /// Which successor the next one is, in the model's order.
    pub(super) number: u32,
    /// Where in the batch the actions stand that sleep at the next successor.
    pub(super) sleep: Range<usize>,
    pub(super) regressed: u64,
    pub(super) stop: Option<StopReason>,
}

impl<'a, 'v, M: Model, P: Progress<M>, O: Observer<M>> Pusher<'a, 'v, M, P, O> {
    /// Takes the successors of `visit`, a state of `layer`.
    #[inline]
    pub(super) fn new(
        progress: &'a P,
        options: &Options,
        intake: Intake<'a, O>,
        batch: &'a mut Batch<M>,
        visit: &'a Visit<'v, M>,
        layer: LayerId,
    ) -> Self {
        Pusher {
            watches_arcs: !intake.silent && intake.observer.watches_arcs(),
            trivial: progress.is_trivial(),
            strict: options.monotone == Monotone::Strict,
            progress,
            intake,
            batch,
            visit,
            layer,
            value: Value::default(),
            number: 0,
            sleep: 0..0,
            regressed: 0,
            stop: None,
        }
    }

    /// The layer of a successor, by its progress.
    #[inline]
    fn layer_of(&mut self, action: M::Action, state: &M::State) -> LayerId {
        if self.trivial {
            return self.layer;
        }
        let line = self.visit.value;
        self.value.clear();
        self.progress.measure_step(line, action, state, &mut self.value);
        if self.value == *line {
            return self.layer;
        }
        if self.value < *line {
            self.regressed += 1;
        }
        if !self.value.is_exact() {
            self.stop.get_or_insert(too_large());
        }
        if self.strict && !line.precedes(&self.value) {
            self.refuse(state);
        }
        self.intake.window.target(&self.value, Some(line))
    }

    /// Looks up what was gathered so far: the successors of one state may be more than memory holds.
    #[cold]
    fn unload(&mut self) {
        if let Err(stop) = self.intake.take(self.batch, self.layer) {
            self.stop.get_or_insert(stop);
        }
        self.batch.clear_but_source(self.visit.id.number);
    }

    #[cold]
    fn refuse(&mut self, state: &M::State) {
        let mut target = Vec::new();
        self.visit.model.encode(state, &mut target);
        self.stop.get_or_insert(StopReason::Regress(Regress {
            source: self.visit.bytes.to_vec(),
            number: self.number,
            target,
            from: self.visit.value.clone(),
            to: self.value.clone(),
        }));
    }
}

impl<M: Model, P: Progress<M>, O: Observer<M>> Sink<M> for Pusher<'_, '_, M, P, O> {
    #[inline]
    fn push(&mut self, action: M::Action, state: &M::State) {
        if self.watches_arcs && self.intake.observer.arc(self.visit, action, state).is_break() {
            self.stop.get_or_insert(StopReason::Decided);
        }
        let layer = self.layer_of(action, state);
        let start = self.batch.bytes.len();
        self.visit.model.encode(state, &mut self.batch.bytes);
        self.batch.items.push(Item {
            hash: 0,
            hint: Hint::default(),
            start,
            end: self.batch.bytes.len(),
            layer,
            number: self.number,
            source: self.visit.id.number,
            action,
            sleep: self.sleep.clone(),
        });
        self.number += 1;
        if self.batch.is_heavy() {
            self.unload();
        }
    }

    fn fail(&mut self, error: ModelError) {
        self.stop.get_or_insert(StopReason::Model(error.to_string()));
    }
}
