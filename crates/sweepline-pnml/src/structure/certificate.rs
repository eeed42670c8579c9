//! The reason why inequalities have no solution among the reachable markings, and its verification.

use std::collections::BTreeMap;

use sweepline_query::PlaceId;

use super::linear::Row;
use super::system::System;

/// A weighted sum of places that no transition lowers, while the inequalities need it to be lower than at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The places and their weights, some of them perhaps negative. No transition that can ever fire lowers the
    /// weighted sum of tokens.
    pub weights: Vec<(PlaceId, i128)>,
    /// The sum in the initial marking: it is at least that in every reachable one.
    pub least: i128,
    /// No transition changes the weighted sum.
    pub is_invariant: bool,
    /// The inequalities that the contradiction uses, with positive factors. Their sum says that a sum of places
    /// is at most `most`, and in that sum every place has at least its weight.
    pub rows: Vec<(Row, i128)>,
    /// What the inequalities need the weighted sum to be, at most: less than `least`.
    pub most: i128,
}

impl Certificate {
    /// The certificate with these weights and factors, if it is one. Exact: an overflow
    /// counts as no.
    pub(super) fn verified(
        system: &System,
        weights: &[(PlaceId, i128)],
        rows: Vec<(Row, i128)>,
    ) -> Option<Self> {
        if !weights.is_sorted_by(|a, b| a.0 < b.0) {
            return None;
        }
        let mut total: BTreeMap<PlaceId, i128> = BTreeMap::new();
        let mut most = 0i128;
        for (row, factor) in &rows {
            if *factor <= 0 {
                return None;
            }
            most = most.checked_add(row.bound.checked_mul(*factor)?)?;
            for &(place, weight) in &row.terms {
                let sum = total.entry(place).or_default();
                *sum = sum.checked_add(weight.checked_mul(*factor)?)?;
            }
        }
        let mut all = vec![0i128; system.n_places()];
        let mut least = 0i128;
        for &(place, weight) in weights {
            if weight > total.remove(&place).unwrap_or(0) {
                return None;
            }
            all[place.index()] = weight;
            let tokens = i128::from(system.initial[place.index()]);
            least = least.checked_add(weight.checked_mul(tokens)?)?;
        }
        // A place without weight has weight zero, which is at most what the inequalities have only if that is not negative.
        let covered = total.values().all(|&weight| weight >= 0);
        let mut is_invariant = true;
        for column in &system.columns {
            let change = column.iter().try_fold(0i128, |sum, &(place, change)| {
                sum.checked_add(all[place as usize].checked_mul(change)?)
            })?;
            if change < 0 {
                return None;
            }
            is_invariant &= change == 0;
        }
        let weights = weights.iter().copied().filter(|&(_, weight)| weight != 0).collect();
        let certificate = Certificate { weights, least, is_invariant, rows, most };
        (covered && most < least).then_some(certificate)
    }
}
