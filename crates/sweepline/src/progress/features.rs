//! Features: integers computed from states, to which a measure can be fitted.

use smallvec::{SmallVec, smallvec};

use super::{Progress, Value};
use crate::model::{Computed, Model};

/// What one edge adds to the features, as pairs of feature and change, sorted, no change zero.
pub type Effect = Vec<(usize, i64)>;

/// A model whose states have features: counters, lengths of queues, positions of processes.
///
/// Offer what might grow as the system gets on; [`fit`](super::fit()) finds out what does, and a sum of
/// features that never falls, or seldom does, is a measure.
///
/// ```
/// use sweepline::progress::Features;
/// use sweepline::{Check, System};
///
/// /// Two clerks take forms from a pile, fill them in, and may start over.
/// struct Office;
///
/// impl System for Office {
///     type State = (u32, [u32; 2]); // forms on the pile, pages filled in by each clerk
///     type Action = usize;
///     # fn initial(&self) -> Vec<Self::State> {
///     #     vec![(500, [0, 0])]
///     # }
///     # fn successors(&self, &(pile, pages): &Self::State, push: &mut dyn FnMut(usize, (u32, [u32; 2]))) {
///     #     for clerk in 0..2 {
///     #         let mut next = pages;
///     #         next[clerk] = (pages[clerk] + 1) % 4;
///     #         if next[clerk] != 0 {
///     #             push(clerk, (pile, next));
///     #         } else if pile > 0 {
///     #             push(clerk, (pile - 1, next));
///     #         }
///     #     }
///     # }
///     // …
/// }
///
/// impl Features for Office {
///     fn features(&self, (pile, pages): &Self::State, push: &mut dyn FnMut(i64)) {
///         push(i64::from(*pile));
///         pages.iter().for_each(|&n| push(i64::from(n)));
///     }
/// }
///
/// # #[cfg(feature = "fit")] {
/// let report = Check::new(&Office).fitted().never("overfilled", |(_, pages)| pages[0] > 3).run();
/// report.assert_holds();
/// assert_eq!(report.statistics.states(), Some(8_016));
/// assert!(report.statistics.peak_states < 40);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no features to make a measure of",
    label = "has no features",
    note = "implement `progress::Features`, or give a measure: `.progress(progress::by(|state: &State| ...))`"
)]
pub trait Features: Model {
    /// Pushes the features of `state`, always the same number of them. The least and the greatest `i64` stand
    /// for numbers that do not fit.
    fn features(&self, state: &Self::State, push: &mut dyn FnMut(i64));

    /// What to call a feature.
    fn feature_name(&self, feature: usize) -> String {
        format!("feature {feature}")
    }

    /// All effects that edges can have, where the structure of the model says so. A measure that
    /// none of them lowers is then monotone by proof; otherwise effects are observed.
    fn effects(&self) -> Option<Vec<Effect>> {
        None
    }

    /// Which of the known [`effects`](Features::effects) the edges labelled `action` have; `None` where
    /// the action does not tell.
    fn effect(&self, action: &Self::Action) -> Option<usize> {
        let _ = action;
        None
    }

    /// Pushes the known effects by which predecessors may lead to `state`; nothing where that cannot
    /// be told. Forecasts are better with it.
    fn incoming(&self, state: &Self::State, push: &mut dyn FnMut(usize)) {
        let _ = (state, push);
    }
}

/// A vector of weighted sums of features.
pub struct Linear<'a, M> {
    model: &'a M,
    /// The weights of each feature, one for each component.
    weights: Vec<Vec<i64>>,
    /// What each effect adds, where the model knows its effects.
    steps: Option<Vec<Value>>,
    components: usize,
    columns: usize,
}

impl<'a, M: Features> Linear<'a, M> {
    /// The measure whose components have these weights, given as pairs of feature and weight; the
    /// first `columns` of them are meant to be monotone.
    ///
    /// # Panics
    ///
    /// When `columns` exceeds the number of components.
    pub fn new(model: &'a M, components: &[Vec<(usize, i64)>], columns: usize) -> Self {
        assert!(columns <= components.len(), "more columns than components");
        let features = components.iter().flatten().map(|&(feature, _)| feature + 1).max();
        let mut weights = vec![vec![0; components.len()]; features.unwrap_or(0)];
        for (component, terms) in components.iter().enumerate() {
            for &(feature, weight) in terms {
                weights[feature][component] += weight;
            }
        }
        let steps = model.effects().and_then(|effects| steps(&effects, &weights, components.len()));
        Linear { model, weights, steps, components: components.len(), columns }
    }
}

/// What each effect adds to each component; `None` where 64 bits do not hold it.
fn steps(effects: &[Effect], weights: &[Vec<i64>], components: usize) -> Option<Vec<Value>> {
    let weight = |feature: usize, c: usize| weights.get(feature).map_or(0, |weights| weights[c]);
    let step = |effect: &Effect, c: usize| step(effect, |feature| weight(feature, c));
    effects.iter().map(|effect| (0..components).map(|c| step(effect, c)).collect()).collect()
}

/// What an effect adds to a sum of features with these weights; `None` where 64 bits do not hold it.
pub(super) fn step(effect: &Effect, weight: impl Fn(usize) -> i64) -> Option<i64> {
    effect.iter().try_fold(0i64, |sum, &(feature, change)| {
        sum.checked_add(weight(feature).checked_mul(change)?)
    })
}

/// A sum with a feature that does not fit.
const TOO_LARGE: i128 = i128::MAX;

/// Adds a weighted feature to a sum.
fn add(sum: i128, weight: i64, feature: i64) -> i128 {
    let unknown = weight != 0 && (feature == i64::MIN || feature == i64::MAX);
    if unknown || sum == TOO_LARGE {
        return TOO_LARGE;
    }
    sum.checked_add(i128::from(weight) * i128::from(feature)).unwrap_or(TOO_LARGE)
}

impl<M: Features> Progress<M> for Linear<'_, M> {
    fn name(&self) -> String {
        let sum = |component: usize| {
            let terms = self.weights.iter().enumerate();
            let terms = terms.map(|(feature, weights)| (feature, weights[component]));
            let terms = terms.filter(|&(_, weight)| weight != 0).map(|(feature, weight)| {
                let name = self.model.feature_name(feature);
                if weight == 1 { name } else { format!("{weight} * {name}") }
            });
            terms.collect::<Vec<_>>().join(" + ")
        };
        (0..self.components).map(sum).collect::<Vec<_>>().join(", then ")
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn is_trivial(&self) -> bool {
        self.components == 0
    }

    fn measure(&self, _worker: &mut M::Worker, state: &M::State, value: &mut Value) -> Computed {
        let mut sums: SmallVec<[i128; 4]> = smallvec![0; self.components];
        let mut feature = 0;
        self.model.features(state, &mut |n| {
            if let Some(weights) = self.weights.get(feature) {
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum = add(*sum, weight, n);
                }
            }
            feature += 1;
        });
        sums.iter().for_each(|&sum| value.push_wide(sum));
        Ok(())
    }

    fn measure_step(
        &self,
        worker: &mut M::Worker,
        from: &Value,
        action: &M::Action,
        target: &M::State,
        value: &mut Value,
    ) -> Computed {
        let known = self.steps.as_ref().zip(self.model.effect(action));
        let Some((steps, effect)) = known else {
            return self.measure(worker, target, value);
        };
        let step = steps[effect].components();
        for (&before, &step) in from.components().iter().zip(step) {
            value.push_wide(i128::from(before) + i128::from(step));
        }
        Ok(())
    }
}
