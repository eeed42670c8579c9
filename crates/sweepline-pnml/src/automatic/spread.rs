//! How a measure spreads states over layers, guessed from random walks.

use std::collections::{BTreeMap, HashSet};

use sweepline::model::{bytes_of, initial, successors};

use crate::model::NetModel;
use crate::net::PlaceId;
use crate::query::MarkingView;

/// Steps of all walks, and of one.
const SAMPLES: usize = 8_000;
const WALK: usize = 400;

/// The expected distribution of states over the values of a measure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// Different values seen.
    pub values: usize,
    /// The largest part of the states seen that a window of the measure would hold at a time.
    pub peak: f64,
}

impl Spread {
    pub(super) fn sample(model: &NetModel, weights: &[i64], steps: &[i64]) -> Self {
        let mut histogram: BTreeMap<i128, usize> = BTreeMap::new();
        let weighted: Vec<(PlaceId, i128)> = (0..)
            .map(PlaceId)
            .zip(weights.iter().map(|&weight| i128::from(weight)))
            .filter(|&(_, weight)| weight != 0)
            .collect();
        let mut random = 0x9E37_79B9_7F4A_7C15u64;
        let (mut sampled, mut seen) = (0, HashSet::new());
        while sampled < SAMPLES {
            let Some(mut marking) = initial(model).into_iter().next() else { break };
            for _ in 0..WALK {
                let view = model.view(&marking);
                let value =
                    weighted.iter().map(|&(p, weight)| weight * i128::from(view.tokens(p))).sum();
                // A walk may stay in the end for long; that end is no larger for it.
                if seen.insert(bytes_of(model, &marking)) {
                    *histogram.entry(value).or_default() += 1;
                }
                sampled += 1;
                let Ok(mut next) = successors(model, &marking) else { break };
                if next.is_empty() {
                    break;
                }
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                marking = next.swap_remove((random % next.len() as u64) as usize).1;
            }
        }
        let back = steps.iter().min().map_or(0, |&step| i128::from(step.min(0)));
        let ahead = steps.iter().max().map_or(0, |&step| i128::from(step.max(0)));
        Spread { values: histogram.len(), peak: densest(&histogram, ahead - back, seen.len()) }
    }
}

/// The largest part of `total` that lies within `length` values of each other.
fn densest(histogram: &BTreeMap<i128, usize>, length: i128, total: usize) -> f64 {
    let window = |from: i128| histogram.range(from..=from + length).map(|(_, n)| n).sum::<usize>();
    let most = histogram.keys().map(|&from| window(from)).max().unwrap_or(0);
    most as f64 / total.max(1) as f64
}
