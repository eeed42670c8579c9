//! Symmetry without named colour sets: the sets for which it is proven, and the features of markings that are
//! invariant under permutations of their colours.

use std::collections::HashSet;

use sweepline_ml::ColourSetId;

use super::{NoSymmetry, exchangeable, has_part, is_plain};
use crate::explore::CpnModel;
use crate::query::Expression;

impl CpnModel {
    /// The index sets and enumerations on places, each with the reason why it is not symmetric.
    /// [`CpnModel::symmetry`] is proven for all the others together.
    pub fn symmetric_sets(
        &self,
        asked: &[(&str, &Expression)],
    ) -> Vec<(String, Option<NoSymmetry>)> {
        let environment = &self.net.environment;
        let ids = (0..environment.colour_sets().len() as u32).map(ColourSetId);
        let mut seen = HashSet::new();
        let ids =
            ids.filter(|&id| is_plain(environment, id) && seen.insert(environment.original(id)));
        let mut proven: Vec<ColourSetId> = Vec::new();
        let mut sets = Vec::new();
        for id in ids.filter(|&id| self.is_on_places(id)) {
            let name = environment.colour_set(id).name.to_string();
            let why = match self.colours(id) {
                Ok(colours) if colours.len() < 2 => continue,
                Ok(_) => {
                    proven.push(id);
                    self.prove(&proven, asked).err()
                }
                Err(why) => Some(why),
            };
            if why.is_some() {
                proven.retain(|&kept| kept != id);
            }
            sets.push((name, why));
        }
        sets
    }

    /// Whether colours of a set, or values that contain them, occur on some place.
    fn is_on_places(&self, id: ColourSetId) -> bool {
        let environment = &self.net.environment;
        let wanted = environment.colour_set(id).ty;
        self.net.places.iter().any(|place| {
            let ty = environment.colour_set(place.colour_set).ty;
            has_part(environment.program(), ty, &|part| part == wanted)
        })
    }

    /// The indices of the features of markings that are invariant under permutations of the colours of `sets`.
    pub fn symmetric_features(&self, sets: &[String]) -> Vec<usize> {
        let ids = sets.iter().map(|name| exchangeable(&self.net.environment, name));
        let Ok(ids) = ids.collect::<Result<Vec<ColourSetId>, _>>() else { return Vec::new() };
        let is_kept = |test: Option<&str>| {
            let Some(test) = test else { return true };
            // The sum over all tokens does not depend on their order, so only the summand must be invariant.
            let test = self.scope().predicate("feature", test);
            test.is_ok_and(|test| self.prove_asked(&ids, &[("feature", &test)]).is_ok())
        };
        let tests = self.feature_tests().enumerate();
        tests.filter(|(_, test)| is_kept(*test)).map(|(number, _)| number).collect()
    }
}
