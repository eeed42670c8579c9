//! Where the search starts: measures by linear programs.

use super::component::Component;
use super::effects::Effects;
use super::program::{Quotient, Work};
use super::sample::Sample;

/// Rounds of choosing effects that lead back.
const ROUNDS: usize = 12;
/// Rays tried as columns.
const MOST_RAYS: usize = 16;

/// The maximal monotone part first, then measures with more and more effects that lead back.
pub(super) fn starts(
    quotient: &Quotient,
    sample: &Sample,
    effects: &Effects,
    work: &mut Work<'_>,
) -> Vec<Component> {
    let mut seeds = Vec::new();
    let mut leads_back = vec![false; quotient.rows()];
    let ways_back = ways_back(quotient, sample, effects);
    for _ in 0..ROUNDS {
        let Some(rises) = quotient.rising(&leads_back, work) else { break };
        let weights = quotient.short_steps(&leads_back, &rises, work);
        seeds.extend(weights.and_then(|weights| Component::new(weights, &effects.list)));
        let stuck = |&row: &usize| !rises[row] && !leads_back[row] && quotient.moves(row);
        let stuck: Vec<usize> = (0..quotient.rows()).filter(stuck).collect();
        let Some(furthest) = stuck.iter().map(|&row| ways_back[row]).max() else { break };
        for row in stuck {
            leads_back[row] |= ways_back[row] == furthest;
        }
    }
    seeds
}

/// How much earlier than what they lower the effects of each row raise something: `None` for those
/// that only raise or only lower.
fn ways_back(quotient: &Quotient, sample: &Sample, effects: &Effects) -> Vec<Option<i64>> {
    let first = sample.first_changes(&effects.list);
    let mut ways = vec![None; quotient.rows()];
    for (effect, &row) in effects.list.iter().zip(&quotient.row) {
        let when = |&(feature, _): &(usize, i64)| i64::from(first[feature]);
        let lowered = effect.iter().filter(|(_, change)| *change < 0).map(when).max();
        let raised = effect.iter().filter(|(_, change)| *change > 0).map(when).min();
        let way = lowered.zip(raised).map(|(from, to)| from - to);
        ways[row] = ways[row].max(way);
    }
    ways
}

/// Measures that raise little and lower nothing: edges of the cone of monotone measures.
pub(super) fn rays(quotient: &Quotient, effects: &Effects, work: &mut Work<'_>) -> Vec<Component> {
    let mut rays: Vec<Component> = Vec::new();
    for row in 0..quotient.rows() {
        if rays.len() >= MOST_RAYS || work.is_done() {
            break;
        }
        let ray = quotient.ray(row, work).and_then(|w| Component::new(w, &effects.list));
        rays.extend(ray.filter(|ray| ray.is_monotone() && !rays.contains(ray)));
    }
    rays
}
