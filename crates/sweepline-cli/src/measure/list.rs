//! The measures that `sweepline progress` lists: those that really differ.

use std::collections::BTreeSet;

use sweepline::progress::{Candidate, Monotonicity};

use super::WORTH;

/// Measures in the list, at most.
const MOST: usize = 5;
/// After so many, only measures are listed that no listed one beats.
const FEW: usize = 3;
/// Two measures are similar if they share this part of their features.
const SIMILAR: f64 = 0.6;
/// Of similar measures the second one is listed too if it needs this part of the terms of the first, ...
const SHORTER: f64 = 0.6;
/// ... or if this part of its peak is predicted.
const LOWER: f64 = 0.8;

/// Those of `candidates`, given the most promising first, that differ from each other.
pub(super) fn distinct(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut listed: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let is_useful = candidate.forecast.peak < WORTH || listed.is_empty();
        let is_new = !listed.iter().any(|listed| replaces(listed, &candidate));
        let is_beaten = || listed.iter().any(|listed| beats(listed, &candidate));
        let has_room = listed.len() < FEW || listed.len() < MOST && !is_beaten();
        if is_useful && is_new && has_room {
            listed.push(candidate);
        }
    }
    if listed.len() > 1 {
        listed.retain(|candidate| candidate.forecast.peak < WORTH);
    }
    listed
}

/// `listed` is not longer than `other`, its peak is not higher, and it needs no more sweeps.
fn beats(listed: &Candidate, other: &Candidate) -> bool {
    n_terms(listed) <= n_terms(other)
        && listed.forecast.peak <= other.forecast.peak
        && (has_one_sweep(listed) || !has_one_sweep(other))
        && (listed.monotone == Monotonicity::Proved || other.monotone != Monotonicity::Proved)
}

/// `other` is the same measure as `listed`, or a variant of it without an advantage.
fn replaces(listed: &Candidate, other: &Candidate) -> bool {
    if (&listed.components, listed.columns) == (&other.components, other.columns) {
        return true;
    }
    let is_similar = similarity(listed, other) >= SIMILAR;
    let is_shorter = (n_terms(other) as f64) <= SHORTER * n_terms(listed) as f64;
    let is_lower = other.forecast.peak <= LOWER * listed.forecast.peak;
    let is_better = has_one_sweep(other) && !has_one_sweep(listed)
        || other.monotone == Monotonicity::Proved && listed.monotone != Monotonicity::Proved;
    is_similar && !is_shorter && !is_lower && !is_better
}

fn has_one_sweep(candidate: &Candidate) -> bool {
    candidate.forecast.trial.persistent == 0
}

/// How many terms a reader of the measure has to read.
fn n_terms(candidate: &Candidate) -> usize {
    candidate.components.iter().map(Vec::len).sum()
}

/// The part of the features of both that both have, with the same sign and alike as a column or not.
fn similarity(one: &Candidate, other: &Candidate) -> f64 {
    let features = |candidate: &Candidate| -> BTreeSet<(bool, usize, bool)> {
        let components = candidate.components.iter().enumerate();
        let terms = components.flat_map(|(number, terms)| {
            terms.iter().map(move |&(feature, weight)| (number, feature, weight > 0))
        });
        terms.map(|(number, f, sign)| (number < candidate.columns, f, sign)).collect()
    };
    let (one, other) = (features(one), features(other));
    one.intersection(&other).count() as f64 / one.union(&other).count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepline::progress::{Forecast, Scope, Trial};

    fn candidate(terms: &[(usize, i64)], peak: f64, monotone: Monotonicity) -> Candidate {
        let forecast = Forecast { scope: Scope::Walks, peak, values: 9, trial: Trial::default() };
        let components = vec![terms.to_vec()];
        Candidate { components, columns: 0, window: 0, anchor: 0, monotone, forecast }
    }

    fn peaks(candidates: Vec<Candidate>) -> Vec<f64> {
        distinct(candidates).iter().map(|candidate| candidate.forecast.peak).collect()
    }

    #[test]
    fn variants_of_a_sum_are_listed_once() {
        let sum = |weight: i64, peak| {
            candidate(&[(0, weight), (1, 2), (2, 5), (3, -weight)], peak, Monotonicity::No)
        };
        assert_eq!(peaks(vec![sum(3, 0.2), sum(4, 0.21), sum(9, 0.22)]), [0.2]);
    }

    #[test]
    fn measures_that_are_shorter_lower_or_monotone_are_listed_too() {
        let long: Vec<(usize, i64)> = (0..10).map(|feature| (feature, 3)).collect();
        let no = Monotonicity::No;
        let (long, short) = (candidate(&long, 0.2, no), candidate(&long[..6], 0.25, no));
        let proved =
            candidate(&(0..9).map(|f| (f, 1)).collect::<Vec<_>>(), 0.4, Monotonicity::Proved);
        let other = candidate(&[(20, 1)], 0.5, no);
        let useless = candidate(&[(21, 1)], 0.95, no);
        assert_eq!(peaks(vec![long, short, proved, other, useless]), [0.2, 0.25, 0.4, 0.5]);
    }

    #[test]
    fn three_are_enough_unless_others_have_an_advantage() {
        let single = |feature| candidate(&[(feature, 1)], 0.3, Monotonicity::No);
        assert_eq!(peaks((0..9).map(single).collect()).len(), FEW);
        let lower =
            |feature| candidate(&[(feature, 1)], 0.3 - 0.01 * feature as f64, Monotonicity::No);
        assert_eq!(peaks((0..9).map(lower).collect()).len(), MOST);
        assert_eq!(peaks(vec![single(1), candidate(&[(1, 1)], 0.1, Monotonicity::No)]), [0.3]);
        assert_eq!(peaks(vec![candidate(&[(0, 1)], 0.97, Monotonicity::No)]), [0.97]);
    }
}
