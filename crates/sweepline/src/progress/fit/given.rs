//! Measures that a model suggests by itself, judged by what a sweep of the first states shows.

use super::trial::{LONG, Trials};
use super::{Candidate, Effort, Forecast, Monotonicity, Scope};
use crate::model::Model;
use crate::progress::{Effect, Progress};

/// A measure, and how to sweep along it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// Its components, each as pairs of feature and weight.
    pub components: Vec<Vec<(usize, i64)>>,
    /// How many leading components are monotone.
    pub columns: usize,
    /// How far behind the line layers are kept.
    pub window: u64,
    /// How far from the beginning layers are kept for good.
    pub anchor: u64,
}

impl Given {
    /// None of the effects lowers any of its components.
    pub fn is_monotone(&self, effects: &[Effect]) -> bool {
        let step = |terms: &[(usize, i64)], effect: &Effect| -> i128 {
            let weight = |feature| {
                let own = terms.iter().filter(|term| term.0 == feature);
                own.map(|term| i128::from(term.1)).sum::<i128>()
            };
            effect.iter().map(|&(feature, change)| weight(feature) * i128::from(change)).sum()
        };
        let rises = |terms: &Vec<(usize, i64)>| effects.iter().all(|e| step(terms, e) >= 0);
        self.components.iter().all(rises)
    }
}

impl From<Candidate> for Given {
    fn from(found: Candidate) -> Self {
        let Candidate { components, columns, window, anchor, .. } = found;
        Given { components, columns, window, anchor }
    }
}

/// Tries measures on the first states of a model.
///
/// Where sweeps come to an end, what counts is the most states stored, times those explored; elsewhere
/// the most states stored so far.
pub struct Judge {
    trials: Trials,
    /// With the most states that each stored.
    tried: Vec<(Candidate, f64)>,
    /// What is expected of the peak for each state stored in a trial that did not end, where that is known.
    share: Option<f64>,
}

impl Judge {
    /// Nothing is tried yet; all trials together are as much work as `effort` says.
    pub fn new(effort: Effort) -> Self {
        Judge { trials: Trials::alone(effort), tried: Vec::new(), share: None }
    }

    /// Sweeps the first states of `model` along `measure`, which is what `given` says; `proved` when
    /// nothing lowers it, `expected` what is known of its peak already. Does nothing when the
    /// work is done.
    pub fn hear<M: Model>(
        &mut self,
        model: &M,
        (given, measure): (Given, impl Progress<M>),
        proved: bool,
        expected: Option<f64>,
    ) {
        if self.trials.are_done() {
            return;
        }
        let trial = self.trials.sweep(model, &measure, (given.window, given.anchor), LONG);
        let monotone = match trial.regress_edges {
            0 if proved => Monotonicity::Proved,
            0 => Monotonicity::Observed,
            _ => Monotonicity::No,
        };
        let scope = if trial.finished { Scope::Whole } else { Scope::Walks };
        let stored = trial.peak * trial.explored as f64;
        if let Some(expected) = expected.filter(|_| !trial.finished && stored > 0.0) {
            let share = expected / stored;
            self.share = Some(self.share.map_or(share, |known| known.min(share)));
        }
        let peak = expected.unwrap_or(1.0);
        let forecast = Forecast { scope, peak, values: 0, trial };
        let Given { components, columns, window, anchor } = given;
        let candidate = Candidate { components, columns, window, anchor, monotone, forecast };
        self.tried.push((candidate, stored));
    }

    /// What was tried, the most promising first.
    pub fn verdict(&self) -> Vec<Candidate> {
        let trials = self.tried.iter().map(|(candidate, _)| candidate.forecast.trial);
        // No sweep explores fewer states than there are.
        let states = trials.filter(|trial| trial.finished).map(|trial| trial.explored).min();
        let mut ranked = self.tried.clone();
        for (candidate, stored) in &mut ranked {
            let Forecast { trial, peak, .. } = &mut candidate.forecast;
            if let Some(states) = states.filter(|_| trial.finished) {
                *peak = *stored / states as f64;
                *stored *= trial.explored as f64 / states as f64;
            } else {
                // A measure that stored fewer of as many states is expected to store fewer of all.
                *peak = (*stored * self.share.unwrap_or(0.5 / *stored)).min(*peak);
            }
        }
        ranked.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        ranked.into_iter().map(|(candidate, _)| candidate).collect()
    }
}
