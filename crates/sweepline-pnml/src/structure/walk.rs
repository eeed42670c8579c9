//! Short walks, which show values that an expression has.

use sweepline::Model;
use sweepline_query::Expr;

use super::effort::StructureEffort;
use crate::model::{Marking, NetModel};
use crate::net::TransitionId;

/// Walks for each end of the range.
const WALKS: u64 = 8;
/// Steps of a walk.
const LENGTH: usize = 500;

/// The least and the greatest value of `expr` that some walks meet; `None` if the walks had to stop.
pub(super) fn extremes(
    model: &NetModel,
    expr: &Expr,
    effort: &StructureEffort,
) -> Option<(i128, i128)> {
    let mut start = None;
    model.initial(&mut |marking| start = Some(marking.clone()));
    let start = start?;
    let value = |marking: &Marking| expr.value(&model.view(marking));
    let mut range = (value(&start), value(&start));
    for walk in 0..2 * WALKS {
        // Half of the walks prefer steps up, the others steps down. The first two always take the best step.
        let (rises, greed) = (walk % 2 == 0, 16 - walk / 2 * 2);
        let mut random = Random(walk + 1);
        let mut marking = start.clone();
        for _ in 0..LENGTH {
            let Some(next) = step(model, &marking, &value, rises, &mut random, greed) else {
                break;
            };
            effort.take(next.2)?;
            marking = next.0;
            range = (range.0.min(next.1), range.1.max(next.1));
        }
    }
    Some(range)
}

/// The next marking with its value, and the steps of work: of 16 times, `greed` times the best one, else any.
fn step(
    model: &NetModel,
    marking: &Marking,
    value: &impl Fn(&Marking) -> i128,
    rises: bool,
    random: &mut Random,
    greed: u64,
) -> Option<(Marking, i128, u64)> {
    let successors = sweepline::model::successors(model, marking).ok()?;
    let work = 20 * (successors.len() as u64 + 1);
    let is_greedy = random.below(16) < greed;
    let key = |next: &Marking, random: &mut Random| {
        let own = if rises { value(next) } else { -value(next) };
        (if is_greedy { own } else { 0 }, random.below(1 << 32))
    };
    let each = successors.into_iter().map(|(_, next): (TransitionId, Marking)| {
        let key = key(&next, random);
        (key, next)
    });
    let (_, next) = each.max_by_key(|(key, _)| *key)?;
    let reached = value(&next);
    Some((next, reached, work))
}

/// A small generator of numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}
