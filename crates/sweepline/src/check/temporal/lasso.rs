//! The lassos of violations.

use super::super::find::{Find, Seek};
use super::super::shorten::shorten_stem;
use crate::explore::{Options, OriginStore, explore};
use crate::identity::Identity;
use crate::ltl::Product;
use crate::ltl::lasso::{around, of_model, onward, violates};
use crate::ltl::search::{InLayer, Violation};
use crate::model::Model;
use crate::observe::witness::replay;
use crate::observe::{Hit, Witness, WitnessMode};
use crate::progress::Progress;
use crate::reduction::Reduction;
use crate::verdict::StopReason;

/// The run of the model in `run`, if it violates the formula by definition.
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

/// Finds the lasso after the exploration that found the violation.
pub(super) struct Looped<'a, 's, M: Model> {
    pub(super) product: &'s Product<'a, M>,
    pub(super) progress: &'s dyn Progress<Product<'a, M>>,
    pub(super) options: Options,
    pub(super) origins: &'s mut OriginStore,
}

impl<'a, M: Model> Looped<'a, '_, M> {
    pub(super) fn witness(&mut self, found: Violation) -> Result<Option<Witness<M>>, StopReason> {
        let way = match &found {
            Violation::Prefix(hit) => self.to(hit)?,
            Violation::Cycle(cycle) => self.stem(cycle)?,
        };
        let Some(mut way) = way else { return Ok(None) };
        if !self.progress.is_trivial() {
            shorten_stem(self.product, &self.options, &mut way);
        }
        let run = match &found {
            // A cycle that is too far away is not shown.
            Violation::Prefix(_) => onward(self.product, way)?.ok_or(StopReason::States)?,
            Violation::Cycle(cycle) => around(self.product, &self.progress, way, cycle)?,
        };
        checked(self.product, run).map(Some)
    }

    fn to(&mut self, hit: &Hit) -> Result<Option<Witness<Product<'a, M>>>, StopReason> {
        let whole = (self.product, self.progress, &Reduction::default());
        Find::new(whole, &self.options, self.origins).witness(hit)
    }

    /// The path to the state where a cycle starts, which is known by its name.
    fn stem(&mut self, cycle: &InLayer) -> Result<Option<Witness<Product<'a, M>>>, StopReason> {
        match (&mut *self.origins, self.options.witness) {
            (OriginStore::Disk(log), _) => {
                let path = log.path(cycle.id, cycle.stored.1)?;
                let most = self.options.limits.memory;
                replay(self.product, &Identity::Exact, &path, None, most).map(Some)
            }
            (_, WitnessMode::Recompute) => {
                let mut seek =
                    Seek::new(|visit| visit.id == cycle.id && visit.stored >= cycle.stored.0);
                let run = explore(self.product, self.progress, &self.options, &mut seek);
                self.to(&seek.hit(run.stop)?)
            }
            (OriginStore::Off | OriginStore::Window | OriginStore::Elsewhere(_), _) => Ok(None),
        }
    }
}
