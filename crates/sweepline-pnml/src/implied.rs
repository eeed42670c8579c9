//! Implied places: their token counts follow from those of other places, so they are not stored.
//!
//! By a semiflow with weight one for `p`, the tokens of `p` are its total minus the weighted tokens of its
//! other places. Implied places are chosen so that all those others are stored. Then whether `p` has enough
//! tokens is a test of stored counts, and the count of `p` need not be computed.

use std::cmp::Reverse;

use crate::invariant::Semiflow;
use crate::net::{Net, PlaceId};

/// Maximal number of terms for one place: a test must be cheaper than what it saves.
const MAX_TERMS: usize = 16;

/// The tokens of `place` are `total` minus the weighted tokens of `others`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Implied {
    pub(crate) place: PlaceId,
    pub(crate) total: u64,
    pub(crate) others: Vec<(PlaceId, u64)>,
}

/// Chooses implied places, none of which is used to compute another.
pub(crate) fn implied(net: &Net, bounds: &[Option<u64>], flows: &[Semiflow]) -> Vec<Implied> {
    let mut chosen = Vec::new();
    // Places that some choice is computed from, which must be stored; and implied places.
    let mut stored = vec![false; net.places.len()];
    let mut absent = vec![false; net.places.len()];
    let mut uses = vec![0u32; net.places.len()];
    for (place, _) in flows.iter().flat_map(|flow| &flow.weights) {
        uses[place.index()] += 1;
    }
    for flow in flows {
        let Ok(total) = u64::try_from(flow.total(net)) else { continue };
        if flow.weights.len() > MAX_TERMS + 1 || flow.weights.iter().any(|(p, _)| absent[p.index()])
        {
            continue;
        }
        let free = |&&(place, weight): &&(PlaceId, u64)| weight == 1 && !stored[place.index()];
        let width = |place: PlaceId| bounds[place.index()].unwrap_or(0).checked_ilog2();
        // Prefer wide places, which save most, and then places in few other flows, which leaves those the
        // most choices.
        let gain = |(place, _): &&(PlaceId, u64)| (width(*place), Reverse(uses[place.index()]));
        let best = flow.weights.iter().filter(free).max_by_key(gain);
        let Some(&(place, _)) = best.filter(|(p, _)| width(*p).is_some()) else { continue };
        let others: Vec<(PlaceId, u64)> =
            flow.weights.iter().copied().filter(|&(p, _)| p != place).collect();
        others.iter().for_each(|(p, _)| stored[p.index()] = true);
        absent[place.index()] = true;
        chosen.push(Implied { place, total, others });
    }
    chosen
}
