//! Runs that end in a loop, found after the exploration that found there is one.

use super::super::find::Find;
use crate::explore::{Options, OriginStore, explore};
use crate::identity::Identity;
use crate::ltl::Product;
use crate::ltl::lasso::{around, of_model, onward, violates};
use crate::ltl::search::{InLayer, Violation};
use crate::model::Model;
use crate::observe::witness::replay;
use crate::observe::{DECIDED, Flow, Hit, Observer, Visit, Witness, WitnessMode};
use crate::progress::Progress;
use crate::reduction::Reduction;
use crate::verdict::StopReason;

/// The run of the model within `run`, if it violates the formula by its meaning.
pub(super) fn checked<'a, M: Model>(
    product: &Product<'a, M>,
    run: Witness<Product<'a, M>>,
) -> Result<Witness<M>, StopReason> {
    let witness = of_model(run);
    match violates(product, &witness)? {
        true => Ok(witness),
        false => Err(StopReason::Internal("the run that was found satisfies the formula".into())),
    }
}

/// Finds the run that ends in a loop after the exploration that found there is one.
pub(super) struct Looped<'a, 's, M: Model> {
    pub(super) product: &'s Product<'a, M>,
    pub(super) progress: &'s dyn Progress<Product<'a, M>>,
    pub(super) options: Options,
    pub(super) origins: &'s mut OriginStore,
}

impl<'a, M: Model> Looped<'a, '_, M> {
    pub(super) fn witness(&mut self, found: Violation) -> Result<Option<Witness<M>>, StopReason> {
        let broken = |error: crate::observe::Broken| StopReason::Model(error.to_string());
        let run = match found {
            Violation::Prefix(hit) => match self.to(&hit)? {
                // A loop that far away is not shown.
                Some(run) => {
                    Some(onward(self.product, run).map_err(broken)?.ok_or(StopReason::States)?)
                }
                None => None,
            },
            Violation::Cycle(cycle) => match self.stem(&cycle)? {
                Some(run) => {
                    Some(around(self.product, &self.progress, run, &cycle).map_err(broken)?)
                }
                None => None,
            },
        };
        run.map(|run| checked(self.product, run)).transpose()
    }

    fn to(&mut self, hit: &Hit) -> Result<Option<Witness<Product<'a, M>>>, StopReason> {
        let whole = (self.product, self.progress, &Reduction::default());
        Find::new(whole, &self.options, self.origins).witness(hit)
    }

    /// The way to the state where a cycle starts, of which the name is known.
    fn stem(&mut self, cycle: &InLayer) -> Result<Option<Witness<Product<'a, M>>>, StopReason> {
        match (&mut *self.origins, self.options.witness) {
            (OriginStore::Disk(log), _) => {
                let path = log.path(cycle.id, cycle.stored.1);
                let path = path.map_err(|error| StopReason::Disk(error.to_string()))?;
                let most = self.options.limits.memory;
                match replay(self.product, &Identity::Exact, &path, None, most) {
                    Ok(Some(run)) => Ok(Some(run)),
                    Ok(None) => Err(StopReason::Memory),
                    Err(broken) => Err(StopReason::Model(broken.to_string())),
                }
            }
            (_, WitnessMode::Recompute) => {
                let mut named = Named { cycle, found: None };
                let run = explore(self.product, self.progress, &self.options, &mut named);
                match (named.found, run.stop) {
                    (Some(hit), _) => self.to(&hit),
                    (None, Some(stop)) => Err(stop),
                    (None, None) => {
                        Err(StopReason::Model("a state seen before is not reached again".into()))
                    }
                }
            }
            (OriginStore::Off | OriginStore::Window, _) => Ok(None),
        }
    }
}

/// Stops at the state where a cycle starts.
struct Named<'c> {
    cycle: &'c InLayer,
    found: Option<Hit>,
}

impl<M: Model> Observer<M> for Named<'_> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if visit.id == self.cycle.id && visit.stored >= self.cycle.stored.0 {
            self.found = Some(Hit::of(visit));
            return DECIDED;
        }
        Ok(())
    }
}
