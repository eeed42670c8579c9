//! The search for weights with the lowest predicted peak.

use super::component::Component;
use super::predict::{Outlook, Predictor};
use super::sample::Sample;
use super::{Dice, Effort};
use crate::progress::features::{Features, Linear};

/// Predictions at most, however small the sample.
const MOST_TRIES: usize = 10_000;
/// Steps are not made longer than this, nor than four times what they were: more values than states
/// tell nothing.
const LONGEST: u64 = 50;
/// Weights that it is tried to leave out.
const MOST_LEFT_OUT: usize = 500;
/// What simpler numbers may cost.
const DEAR: f64 = 0.01;
/// Columns at most.
const MOST_COLUMNS: usize = 3;

/// A vector measure and its outlook.
#[derive(Clone, Debug)]
pub(super) struct FoundWeights {
    pub(super) columns: Vec<Component>,
    pub(super) last: Component,
    pub(super) outlook: Outlook,
    /// As the linear program gave it.
    pub(super) plain: bool,
}

impl FoundWeights {
    /// Its components as pairs of feature and weight.
    pub(super) fn terms(&self) -> Vec<Vec<(usize, i64)>> {
        self.columns.iter().chain([&self.last]).map(Component::terms).collect()
    }

    /// The measure itself.
    pub(super) fn measure<'a, M: Features>(&self, model: &'a M) -> Linear<'a, M> {
        Linear::new(model, &self.terms(), self.columns.len())
    }

    /// No effect lowers it.
    pub(super) fn is_monotone(&self) -> bool {
        self.columns.iter().chain([&self.last]).all(Component::is_monotone)
    }

    /// It stores hardly more than `other`, at the peak and on average, and is monotone if `other` is.
    fn is_as_good_as(&self, other: &FoundWeights) -> bool {
        let (here, there) = (&self.outlook, &other.outlook);
        here.peak <= there.peak * (1.0 + DEAR)
            && here.mean <= there.mean * (1.0 + DEAR)
            && (self.is_monotone() || !other.is_monotone())
    }

    /// Less is better: the peak, and among equals the average of stored states.
    fn cost(&self) -> f64 {
        self.outlook.peak + 0.05 * self.outlook.mean
    }
}

/// The most promising first.
pub(super) fn sort(found: &mut [FoundWeights]) {
    found.sort_by(|a, b| a.outlook.peak.total_cmp(&b.outlook.peak));
}

/// What the search may draw on.
pub(super) struct WeightSearch<'a> {
    sample: &'a Sample,
    /// What effects add to each feature.
    rows: &'a [Vec<(usize, i64)>],
    /// Features that play the same part.
    groups: &'a [Vec<usize>],
    dice: Dice,
    predictor: Predictor,
    pub(super) tries: usize,
    effort: &'a Effort,
}

impl<'a> WeightSearch<'a> {
    pub(super) fn new(
        sample: &'a Sample,
        rows: &'a [Vec<(usize, i64)>],
        groups: &'a [Vec<usize>],
        effort: &'a Effort,
    ) -> Self {
        let looks =
            sample.witnesses.iter().map(|witness| 2 + witness.incoming.len()).sum::<usize>();
        let tries = (effort.part() as usize / (sample.len() + looks + 1000)).min(MOST_TRIES);
        WeightSearch {
            sample,
            rows,
            groups,
            dice: Dice::new(),
            predictor: Predictor::default(),
            tries,
            effort,
        }
    }

    /// The measure with its outlook.
    pub(super) fn judge(
        &mut self,
        columns: Vec<Component>,
        last: Component,
    ) -> Option<FoundWeights> {
        self.tries = self.tries.saturating_sub(1);
        let outlook = self.predictor.outlook(self.sample, &columns, &last, last.back())?;
        Some(FoundWeights { columns, last, outlook, plain: false })
    }

    /// Puts rays, which nothing lowers, in front of `found` as columns wherever that helps.
    pub(super) fn add_columns(
        &mut self,
        mut found: FoundWeights,
        rays: &[Component],
    ) -> FoundWeights {
        while found.columns.len() < MOST_COLUMNS && !self.effort.is_over() {
            let mut best: Option<FoundWeights> = None;
            for ray in rays {
                for at in 0..=found.columns.len() {
                    let mut columns = found.columns.clone();
                    columns.insert(at, ray.clone());
                    let better = best.as_ref().unwrap_or(&found).cost();
                    best = self
                        .judge(columns, found.last.clone())
                        .filter(|judged| judged.cost() < better)
                        .or(best);
                }
            }
            match best {
                Some(better) => found = better,
                None => break,
            }
        }
        found
    }

    /// Changes weights at random for `tries` predictions, and keeps what is better.
    pub(super) fn climb(&mut self, mut found: FoundWeights, tries: usize) -> FoundWeights {
        let until = self.tries.saturating_sub(tries);
        let longest = LONGEST.max(4 * found.last.longest());
        while self.tries > until && !self.effort.is_over() {
            let factor = [1, 1, 2, 3, 5, 8][self.dice.below(6)];
            let weight = 1 + self.dice.below(factor as usize + 1) as i64;
            let weight = if self.dice.below(2) == 0 { weight } else { -weight };
            let features = self.some_features();
            let changed = found.last.changed(factor, &features, weight, self.rows);
            let Some(last) = changed.filter(|last| last.longest() <= longest) else {
                self.tries = self.tries.saturating_sub(1);
                continue;
            };
            if let Some(judged) = self.judge(found.columns.clone(), last)
                && judged.cost() < found.cost()
            {
                found = judged;
            }
        }
        found
    }

    /// Leaves out columns and weights, and makes numbers smaller, where that costs next to nothing:
    /// people read this.
    pub(super) fn simplify(&mut self, mut found: FoundWeights) -> FoundWeights {
        let before = found.clone();
        for column in (0..found.columns.len()).rev() {
            let mut columns = found.columns.clone();
            columns.remove(column);
            let simpler = self.judge(columns, found.last.clone());
            found = simpler.filter(|simpler| simpler.is_as_good_as(&before)).unwrap_or(found);
        }
        for divisor in [16, 8, 5, 3, 2] {
            let coarse = found.last.divided(divisor, self.rows);
            found = self.replaced(found, coarse, &before);
        }
        let groups = self.groups;
        let single = groups.iter().flatten().map(std::slice::from_ref);
        for features in groups.iter().map(Vec::as_slice).chain(single).take(MOST_LEFT_OUT) {
            if self.tries > 0 && features.iter().any(|&feature| found.last.weights[feature] != 0) {
                let without = found.last.without(features, self.rows);
                found = self.replaced(found, without, &before);
            }
        }
        found
    }

    /// `found` with another last component, where there is one that is as good as `before`.
    fn replaced(
        &mut self,
        found: FoundWeights,
        last: Option<Component>,
        before: &FoundWeights,
    ) -> FoundWeights {
        let judged = last.and_then(|last| self.judge(found.columns.clone(), last));
        judged.filter(|judged| judged.is_as_good_as(before)).unwrap_or(found)
    }

    /// A group, a part of a group, or a single feature.
    fn some_features(&mut self) -> Vec<usize> {
        let group = &self.groups[self.dice.below(self.groups.len())];
        match self.dice.below(3) {
            0 => group.clone(),
            1 => vec![group[self.dice.below(group.len())]],
            _ => group.iter().copied().filter(|_| self.dice.below(2) == 0).collect(),
        }
    }
}
