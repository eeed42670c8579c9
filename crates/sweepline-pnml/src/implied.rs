//! Places whose count follows from the counts of others: no need to store them.
//!
//! By a semiflow with weight one for `p`, the tokens of `p` are its total less the weighted tokens
//! of its other places. A set of such places is chosen so that each can be computed from places
//! that are stored or were computed before it.

use crate::invariant::Semiflow;
use crate::net::{Net, PlaceId};

/// Terms to add up for one place, at most, and for each place of the net on average: computing
/// counts must stay cheaper than what it saves.
const MAX_TERMS: usize = 64;
const MEAN_TERMS: usize = 4;

/// `place` holds `total` less the weighted tokens of `others`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Implied {
    pub(crate) place: PlaceId,
    pub(crate) total: u64,
    pub(crate) others: Vec<(PlaceId, u64)>,
}

/// Chooses implied places, in an order in which they can be computed.
pub(crate) fn implied(net: &Net, bounds: &[Option<u64>], flows: &[Semiflow]) -> Vec<Implied> {
    let mut chosen = Vec::new();
    // Places that earlier choices compute from: they must not come to depend on later ones.
    let mut used = vec![false; net.places.len()];
    let mut terms_left = MEAN_TERMS * net.places.len();
    for flow in flows {
        let terms = flow.weights.len() - 1;
        let Ok(total) = u64::try_from(flow.total(net)) else { continue };
        if terms > MAX_TERMS || terms > terms_left {
            continue;
        }
        let free = |&&(place, weight): &&(PlaceId, u64)| weight == 1 && !used[place.index()];
        let width = |place: PlaceId| bounds[place.index()].unwrap_or(0);
        let widest = flow.weights.iter().filter(free).max_by_key(|(place, _)| width(*place));
        let Some(&(place, _)) = widest else { continue };
        if width(place) == 0 {
            continue;
        }
        let others = flow.weights.iter().copied().filter(|&(p, _)| p != place).collect();
        flow.weights.iter().for_each(|(p, _)| used[p.index()] = true);
        chosen.push(Implied { place, total, others });
        terms_left -= terms;
    }
    chosen
}
