//! Expanding states.

use super::Step;
use super::intake::{Intake, Scene};
use super::options::Options;
use super::pusher::Pusher;
use super::reduced::Reduced;
use crate::model::Model;
use crate::observe::Visit;
use crate::progress::Progress;
use crate::reduction::Reduction;
use crate::retain::LayerId;

/// Expands states: computes their successors and puts them into a batch. Each thread has its own.
pub(super) struct Expander<'a, M: Model> {
    pub(super) model: &'a M,
    pub(super) reduction: &'a Reduction<'a, M>,
    /// Computes successors.
    pub(super) worker: M::Worker,
    /// Receives them.
    pub(super) intake: Intake<'a, M>,
    /// The data of reductions.
    pub(super) reduced: Reduced<M>,
    /// Whether the batch keeps the bytes of the states that are expanded into it.
    pub(super) keeps_sources: bool,
}

impl<'a, M: Model> Expander<'a, M> {
    pub(super) fn new(
        model: &'a M,
        progress: &'a dyn Progress<M>,
        reduction: &'a Reduction<'a, M>,
        options: &Options,
    ) -> Self {
        Expander {
            model,
            reduction,
            worker: model.worker(),
            intake: Intake::new(model, progress, options),
            reduced: Reduced::default(),
            keeps_sources: false,
        }
    }

    /// Shows a state to the observer, unless it is expanded `again` because actions woke up, and puts the
    /// successors that no reduction leaves out into the batch.
    #[inline]
    pub(super) fn expand_state(
        &mut self,
        scene: &mut Scene<'_, M>,
        layer: LayerId,
        visit: &Visit<'_, M>,
        again: bool,
    ) -> Step {
        if self.keeps_sources {
            self.intake.batch.keep_source(visit.id.number, visit.bytes);
        }
        if again {
            self.intake.statistics.woken += 1;
        } else {
            self.intake.node(scene, visit)?;
        }
        let successors = if self.reduction.is_none() {
            let mut pusher = Pusher::new(&mut self.intake, scene, visit, layer);
            self.model.successors(&mut self.worker, visit.state, &mut pusher)?;
            let pushed = u64::from(pusher.finish()?);
            self.intake.statistics.edges += pushed;
            pushed
        } else {
            self.push_chosen(scene, layer, visit, again)?
        };
        if successors == 0 && !self.model.has_terminated(visit.state) {
            self.intake.dead(scene, visit)?;
        }
        Ok(())
    }
}

/// The state with these bytes, decoded into memory that is reused.
#[inline]
pub(super) fn decoded<'s, M: Model>(
    model: &M,
    bytes: &[u8],
    scratch: &'s mut Option<M::State>,
) -> &'s M::State {
    match scratch {
        Some(state) => {
            model.decode_into(bytes, state);
            state
        }
        empty => empty.insert(model.decode(bytes)),
    }
}
