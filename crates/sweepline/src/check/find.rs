//! Finding the path to a state that decided a query.

use crate::explore::{Options, OriginStore, explore, explore_reduced, last_segment};
use crate::model::Model;
use crate::observe::witness::replay;
use crate::observe::{DECIDED, Flow, Hit, Observer, Visit, Witness, WitnessMode};
use crate::progress::Progress;
use crate::reduction::Reduction;
use crate::verdict::StopReason;

/// The path to the state `bytes`, by an exploration of its own; `None` if no witness is wanted.
pub(super) fn way_to<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    options: &Options,
    bytes: &[u8],
) -> Result<Option<Witness<M>>, StopReason> {
    if options.witness == WitnessMode::Off {
        return Ok(None);
    }
    let mut seek = Seek::new(|visit| visit.bytes == bytes);
    let mut run = explore(model, progress, options, &mut seek);
    let hit = seek.hit(run.stop)?;
    let whole = (model, progress, &Reduction::default());
    Find::new(whole, options, &mut run.origins).witness(&hit)
}

fn unreached() -> StopReason {
    StopReason::Model("a state found in the first exploration is not reached in the second".into())
}

/// Finds witnesses after the exploration that found their last states.
pub(super) struct Find<'a, M: Model> {
    model: &'a M,
    progress: &'a dyn Progress<M>,
    reduction: &'a Reduction<'a, M>,
    options: &'a Options,
    origins: &'a mut OriginStore,
}

impl<'a, M: Model> Find<'a, M> {
    pub(super) fn new(
        (model, progress, reduction): (&'a M, &'a dyn Progress<M>, &'a Reduction<'a, M>),
        options: &'a Options,
        origins: &'a mut OriginStore,
    ) -> Self {
        Find { model, progress, reduction, options, origins }
    }

    /// The witness that ends in `hit`, or the reason why its verdict cannot be trusted.
    ///
    /// If replaying the path gives other states, the model breaks its laws, and no result of the exploration
    /// is valid.
    pub(super) fn witness(&mut self, hit: &Hit) -> Result<Option<Witness<M>>, StopReason> {
        let path = match (&mut *self.origins, self.options.witness) {
            _ if hit.path.is_some() => hit.path.clone().unwrap_or_default(),
            (OriginStore::Disk(log), _) => log.path(hit.id, hit.stored)?,
            (OriginStore::Elsewhere(paths), _) => paths.path(hit)?,
            (_, WitnessMode::Recompute) => self.recompute(hit)?,
            (OriginStore::Off | OriginStore::Window, _) => return Ok(None),
        };
        let (identity, most) = (&self.reduction.identity, self.options.limits.memory);
        replay(self.model, identity, &path, Some(&hit.bytes), most).map(Some)
    }

    /// Sweeps again for each layer on the path (seed 000, section 5): finds the state, takes the part of the
    /// path inside its layer, and continues with the state from which the layer was entered.
    fn recompute(&mut self, hit: &Hit) -> Result<Vec<u32>, StopReason> {
        let mut path = Vec::new();
        let mut target: Box<[u8]> = hit.bytes.as_slice().into();
        loop {
            let mut seek = Seek::new(|visit| *visit.bytes == *target);
            let run =
                explore_reduced(self.model, self.progress, self.reduction, self.options, &mut seek);
            let found = seek.hit(run.stop)?;
            let last = last_segment(&run.window, found.id).ok_or_else(unreached)?;
            path.splice(0..0, last.actions);
            match last.from {
                Some(from) => target = from,
                None => return Ok(path),
            }
        }
    }
}

/// Stops at the state that is searched for.
pub(super) struct Seek<F> {
    is_sought: F,
    found: Option<Hit>,
}

impl<F> Seek<F> {
    pub(super) fn new<M: Model>(is_sought: F) -> Self
    where
        F: Fn(&Visit<'_, M>) -> bool,
    {
        Seek { is_sought, found: None }
    }

    /// The state, after an exploration that ended by `stop`.
    pub(super) fn hit(self, stop: Option<StopReason>) -> Result<Hit, StopReason> {
        self.found.ok_or_else(|| stop.unwrap_or_else(unreached))
    }
}

impl<M: Model, F: Fn(&Visit<'_, M>) -> bool> Observer<M> for Seek<F> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if (self.is_sought)(visit) {
            self.found = Some(Hit::of(visit));
            return DECIDED;
        }
        Ok(())
    }
}
