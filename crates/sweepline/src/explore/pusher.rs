//! Receives successors from the model: measures them, compares their progress and encodes them.

use std::ops::Range;

use super::batch::Item;
use super::intake::{Intake, Scene, too_large};
use crate::model::{Model, Sink};
use crate::observe::Visit;
use crate::progress::{Step, Value};
use crate::retain::{Hint, LayerId};
use crate::verdict::{Regress, StopReason};

/// Receives the successors of one state: measures, compares and encodes them.
pub(super) struct Pusher<'i, 'a, 's, 'v, M: Model> {
    watches_arcs: bool,
    intake: &'i mut Intake<'a, M>,
    scene: &'i mut Scene<'s, M>,
    visit: &'i Visit<'v, M>,
    /// The layer of the state being expanded.
    layer: LayerId,
    value: Value,
    /// The number of the next successor, in the model's order.
    pub(super) number: u32,
    /// The range of the actions in the batch that sleep at the next successor.
    pub(super) sleep: Range<usize>,
    stop: Option<StopReason>,
}

impl<'i, 'a, 's, 'v, M: Model> Pusher<'i, 'a, 's, 'v, M> {
    /// A receiver for the successors of `visit`, a state of `layer`.
    #[inline]
    pub(super) fn new(
        intake: &'i mut Intake<'a, M>,
        scene: &'i mut Scene<'s, M>,
        visit: &'i Visit<'v, M>,
        layer: LayerId,
    ) -> Self {
        Pusher {
            watches_arcs: !intake.counting && scene.observer.watches_arcs(),
            intake,
            scene,
            visit,
            layer,
            value: Value::default(),
            number: 0,
            sleep: 0..0,
            stop: None,
        }
    }

    /// The number of successors, or the reason why the run ends here.
    #[inline]
    pub(super) fn finish(self) -> Result<u32, StopReason> {
        match self.stop {
            None => Ok(self.number),
            Some(stop) => Err(stop),
        }
    }

    /// The layer of a successor, by its progress.
    #[inline]
    fn layer_of(&mut self, action: &M::Action, state: &M::State) -> LayerId {
        if self.intake.trivial { self.layer } else { self.measured_layer(action, state) }
    }

    /// The same if the measure is not trivial; a separate function, so that the code of full exploration
    /// stays small.
    #[inline(never)]
    fn measured_layer(&mut self, action: &M::Action, state: &M::State) -> LayerId {
        let line = self.visit.value;
        let Intake { progress, reader, .. } = &mut *self.intake;
        self.value.clear();
        if let Err(error) = progress.measure_step(reader, line, action, state, &mut self.value) {
            self.stop.get_or_insert(error.into());
            return self.layer;
        }
        match self.value.step_from(line) {
            Step::Same => return self.layer,
            Step::Forward => {}
            Step::Back => self.intake.statistics.regress_edges += 1,
            Step::TooLarge => {
                self.stop.get_or_insert(too_large());
            }
        }
        if self.intake.strict && !line.precedes(&self.value) {
            self.refuse(state);
        }
        self.scene.target(&self.value, line)
    }

    /// Looks up the successors gathered so far: those of one state may be larger than the memory.
    #[cold]
    fn unload(&mut self) {
        if let Err(stop) = self.intake.take(self.scene, self.layer) {
            self.stop.get_or_insert(stop);
        }
        self.intake.batch.clear_but_source(self.visit.id.number);
    }

    #[cold]
    fn refuse(&mut self, state: &M::State) {
        let mut target = Vec::new();
        self.visit.model.encode(state, &mut target);
        self.stop.get_or_insert(StopReason::Regress(Box::new(Regress {
            source: self.visit.bytes.to_vec(),
            number: self.number,
            target,
            from: self.visit.value.clone(),
            to: self.value.clone(),
        })));
    }
}

impl<M: Model> Sink<M> for Pusher<'_, '_, '_, '_, M> {
    #[inline]
    fn push(&mut self, action: M::Action, state: &M::State) {
        if self.watches_arcs
            && let Err(stop) = self.scene.observer.arc(self.visit, &action, state)
        {
            self.stop.get_or_insert(stop);
        }
        let layer = self.layer_of(&action, state);
        let batch = &mut self.intake.batch;
        let start = batch.bytes.len();
        self.visit.model.encode(state, &mut batch.bytes);
        batch.items.push(Item {
            hash: 0,
            hint: Hint::default(),
            start,
            end: batch.bytes.len(),
            layer,
            number: self.number,
            source: self.visit.id.number,
            action,
            sleep: self.sleep.clone(),
        });
        self.number += 1;
        if self.intake.batch.is_heavy() {
            self.unload();
        }
    }
}
