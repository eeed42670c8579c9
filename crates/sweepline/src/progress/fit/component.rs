//! A weighted sum of features with what each effect adds to it.

use crate::progress::features::{Effect, step};

/// No step is longer than this: sums over runs of any length that fits a machine stay exact.
const MOST_STEP: i64 = 1 << 30;

/// A component of a measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Component {
    /// The weight of each feature.
    pub(super) weights: Vec<i64>,
    /// What each effect adds, exactly.
    pub(super) steps: Vec<i64>,
}

impl Component {
    /// The sum with these weights; `None` where a step is out of range or none of them moves it.
    pub(super) fn new(weights: Vec<i64>, effects: &[Effect]) -> Option<Self> {
        let step = |effect: &Effect| {
            step(effect, |feature| weights[feature]).filter(|sum| sum.abs() <= MOST_STEP)
        };
        let steps = effects.iter().map(step).collect::<Option<Vec<i64>>>()?;
        steps.iter().any(|&step| step != 0).then_some(Component { weights, steps })
    }

    /// `factor` times this sum, and `weight` more for each of `features`; `rows` is what effects add
    /// to features.
    pub(super) fn changed(
        &self,
        factor: i64,
        features: &[usize],
        weight: i64,
        rows: &[Vec<(usize, i64)>],
    ) -> Option<Self> {
        let scale = |n: &i64| n.checked_mul(factor).filter(|n| n.abs() <= MOST_STEP);
        let mut weights = self.weights.iter().map(scale).collect::<Option<Vec<i64>>>()?;
        let mut steps = self.steps.iter().map(scale).collect::<Option<Vec<i64>>>()?;
        for &feature in features {
            weights[feature] += weight;
            for &(effect, change) in &rows[feature] {
                steps[effect] = steps[effect].checked_add(weight.checked_mul(change)?)?;
            }
        }
        let small = weights.iter().chain(&steps).all(|n| n.abs() <= MOST_STEP);
        (small && steps.iter().any(|&step| step != 0)).then_some(Component { weights, steps })
    }

    /// This sum without `features`.
    pub(super) fn without(&self, features: &[usize], rows: &[Vec<(usize, i64)>]) -> Option<Self> {
        features.iter().try_fold(self.clone(), |sum, &feature| {
            sum.changed(1, &[feature], -sum.weights[feature], rows)
        })
    }

    /// This sum with weights divided, and rounded.
    pub(super) fn divided(&self, divisor: i64, rows: &[Vec<(usize, i64)>]) -> Option<Self> {
        let mut divided = self.clone();
        for (feature, &weight) in self.weights.iter().enumerate() {
            let rounded = (weight as f64 / divisor as f64).round() as i64;
            divided = divided.changed(1, &[feature], rounded - weight, rows)?;
        }
        Some(divided)
    }

    /// No effect lowers it.
    pub(super) fn is_monotone(&self) -> bool {
        self.steps.iter().all(|&step| step >= 0)
    }

    /// The longest step back.
    pub(super) fn back(&self) -> u64 {
        self.steps.iter().map(|&step| step.min(0).unsigned_abs()).max().unwrap_or(0)
    }

    /// The longest step.
    pub(super) fn longest(&self) -> u64 {
        self.steps.iter().map(|step| step.unsigned_abs()).max().unwrap_or(0)
    }

    /// The features with a weight.
    pub(super) fn terms(&self) -> Vec<(usize, i64)> {
        self.weights.iter().copied().enumerate().filter(|&(_, weight)| weight != 0).collect()
    }
}
