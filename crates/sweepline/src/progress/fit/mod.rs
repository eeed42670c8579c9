//! Measure search.
//!
//! A model offers *features*, integers computed from a state. Every edge has an *effect* on them, and
//! a measure is a weighting `w` of features: an edge with effect `e` adds its *step* `w * e`. No
//! effect on a cycle can have a positive step unless another on the cycle has a negative one, so a
//! few are chosen to lead *back*, and a linear program lets all others rise. From there weights are
//! changed at random, and kept when a sweep of a sample of the states would store fewer of them.
//!
//! What the solver says is rounded to integers, and steps are computed from those, exactly. Where the
//! model knows all its effects, *monotone* means that none of them lowers the measure: a proof.
//! Elsewhere it is an observation, and as ever the sweep checks every edge.

mod component;
mod effects;
mod effort;
mod given;
mod predict;
mod program;
mod sample;
mod search;
mod starts;
mod trial;

use super::features::Features;
use crate::model::initial;
use effects::Effects;
use predict::Predictor;
use program::{Quotient, Work};
use sample::Sample;
use search::{FoundWeights, WeightSearch, sort};
use starts::{rays, starts};

pub use effort::Effort;
pub use given::{Given, Judge};
pub use sample::Scope;
pub use trial::Trial;
use trial::{FIRST, SECOND, Trials};

/// Models with more changes in their effects than this are not given to the solver.
const MOST_CHANGES: usize = 40_000;
/// Measures of the search that are tried and offered, besides the best plain one and the best that is monotone.
const MOST_SEARCHED: usize = 6;
/// Seeds that are improved.
const STARTS: usize = 3;

/// A measure found for a model.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its components, each as pairs of feature and weight.
    pub components: Vec<Vec<(usize, i64)>>,
    /// How many leading components are monotone and swept as columns.
    pub columns: usize,
    /// How far behind the line layers must be kept for a single sweep.
    pub window: u64,
    /// How far from the beginning layers should be kept for good: see
    /// [`Options::anchor`](crate::Options::anchor).
    pub anchor: u64,
    /// Whether it is monotone.
    pub monotone: Monotonicity,
    /// What a sweep of the sample showed.
    pub forecast: Forecast,
}

/// The features of `state`.
fn features_of<M: Features>(model: &M, state: &M::State) -> Vec<i64> {
    let mut values = Vec::new();
    model.features(state, &mut |value| values.push(value));
    values
}

/// What is known of a measure's monotonicity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Monotonicity {
    /// Monotone: no effect that the model can have decreases it.
    Proved,
    /// No edge of the sample decreases it.
    Observed,
    /// Some effect decreases it.
    No,
}

/// What is predicted for a sweep along a measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// What it was computed from.
    pub scope: Scope,
    /// The predicted peak of stored states, as a part of all states.
    pub peak: f64,
    /// Distinct values of the measure in the sample.
    pub values: usize,
    /// What a sweep of the first states showed.
    pub trial: Trial,
}

/// Measures for `model`, the most promising first: all of [`Fit`] in one call, with as much effort as is of
/// any use.
pub fn fit<M: Features>(model: &M) -> Vec<Candidate> {
    Fit::new(model, Effort::default()).candidates()
}

/// A model of which a sample was taken, to fit measures to.
pub struct Fit<'a, M> {
    model: &'a M,
    effort: Effort,
    sample: Sample,
    effects: Effects,
}

impl<'a, M: Features> Fit<'a, M> {
    /// Takes a sample of `model`; all that follows is as much work as `effort` says.
    pub fn new(model: &'a M, effort: Effort) -> Self {
        let mut effects = Effects::new(model);
        // Without them every state is measured by all its features.
        let features = if effects.all { 0 } else { n_features(model) };
        let effort = effort.measuring(features);
        let sample = Sample::take(model, &mut effects, &effort);
        Fit { model, effort, sample, effects }
    }

    /// The sample is the whole state space: it is so small that no measure is needed.
    pub fn is_whole(&self) -> bool {
        self.sample.scope == Scope::Whole
    }

    /// Measures, the most promising first. Empty when there is none, or the model is too large to
    /// look for one.
    pub fn candidates(&self) -> Vec<Candidate> {
        let Fit { sample, effects, .. } = self;
        if effects.list.iter().map(Vec::len).sum::<usize>() > MOST_CHANGES {
            return Vec::new();
        }
        let features = sample.roots.first().map_or(0, Vec::len);
        let class = effects::classes(&effects.list, &sample.roots, features);
        let mut groups = vec![Vec::new(); effects::count(&class)];
        class.iter().enumerate().for_each(|(feature, &class)| groups[class].push(feature));
        let quotient = Quotient::new(&effects.list, class);
        let rows = effects.by_feature(features);
        let mut found =
            self.search(&quotient, &mut WeightSearch::new(sample, &rows, &groups, &self.effort));
        sort(&mut found);
        found.dedup_by(|a, b| a.columns == b.columns && a.last == b.last);
        let (plain, searched): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| found.plain);
        let rises = plain.iter().position(FoundWeights::is_monotone).filter(|&at| at > 0);
        let (first, monotone) = (plain.first(), rises.map(|at| &plain[at]));
        let plain = first.into_iter().chain(monotone).cloned();
        let found = searched.into_iter().take(MOST_SEARCHED).chain(plain);
        let mut trials = Trials::new(&self.effort, &self.sample);
        let mut tried: Vec<Tried> = Vec::new();
        for found in found {
            if tried.is_empty() || !trials.are_done() {
                tried.push(self.attempt(found, &mut trials));
            }
        }
        tried.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        for _ in 0..tried.len() {
            if trials.are_done() || self.confirm(&mut tried[0], &mut trials) {
                break;
            }
            tried.rotate_left(1);
        }
        if self.effort.is_over() {
            return Vec::new();
        }
        tried.into_iter().map(|tried| self.candidate(tried)).collect()
    }

    /// What linear programs give, and what the best of it can be made into.
    fn search(&self, quotient: &Quotient, search: &mut WeightSearch) -> Vec<FoundWeights> {
        let mut work = Work { steps: self.effort.part(), effort: &self.effort };
        let seeds = starts(quotient, &self.sample, &self.effects, &mut work);
        let rays = rays(quotient, &self.effects, &mut work);
        let mut found: Vec<FoundWeights> =
            seeds.into_iter().filter_map(|seed| search.judge(Vec::new(), seed)).collect();
        found.iter_mut().for_each(|found| found.plain = true);
        sort(&mut found);
        let budget = search.tries / (STARTS + 1);
        for seed in found.iter().take(STARTS).cloned().collect::<Vec<_>>() {
            let seed = FoundWeights { plain: false, ..seed };
            let climbed = search.climb(seed.clone(), budget);
            let columned = search.add_columns(climbed, &rays);
            found.extend([search.simplify(columned.clone()), columned]);
            let columned = search.add_columns(seed, &rays);
            let climbed = search.climb(columned, budget / 2);
            found.extend([search.simplify(climbed.clone()), climbed]);
        }
        found
    }

    /// Tries what was found with longer and longer windows until no edge leads behind one.
    fn attempt(&self, found: FoundWeights, trials: &mut Trials) -> Tried {
        let measure = found.measure(self.model);
        let back = found.last.back();
        let (mut window, mut trial) = (back, trials.sweep(self.model, &measure, (back, 0), FIRST));
        for quarters in [5, 6, 8, 16] {
            if trial.persistent > 0 && back > 0 && !trials.are_done() {
                window = back.saturating_mul(quarters) / 4;
                trial = trials.sweep(self.model, &measure, (window, 0), FIRST);
            }
        }
        self.tried(found, window, trial)
    }

    /// Tries the measure on more states, where it is not sure to sweep once; `false` when no window up
    /// to twice as long will do.
    fn confirm(&self, tried: &mut Tried, trials: &mut Trials) -> bool {
        if tried.trial.complete || tried.found.is_monotone() && self.effects.all {
            return true;
        }
        let measure = tried.found.measure(self.model);
        let window = tried.window;
        for longer in [window, window / 4 * 5, window / 2 * 3, window.saturating_mul(2)] {
            let trial = trials.sweep(self.model, &measure, (longer, 0), SECOND);
            *tried = self.tried(tried.found.clone(), longer, trial);
            if trial.persistent == 0 {
                return true;
            }
        }
        false
    }

    fn tried(&self, mut found: FoundWeights, window: u64, trial: Trial) -> Tried {
        let outlook =
            Predictor::default().outlook(&self.sample, &found.columns, &found.last, window);
        found.outlook = outlook.unwrap_or(found.outlook);
        let predicted = found.outlook.peak / self.sample.weight();
        // A trial that passed more values than the walkers met tells more than they do.
        let went_further = !trial.complete && trial.layers > found.outlook.values as u64;
        let peak = match (trial.complete, went_further) {
            (true, _) => trial.peak,
            (false, true) => predicted.min(trial.peak),
            (false, false) => predicted,
        };
        Tried { found, window, trial, peak, went_further }
    }

    fn candidate(&self, tried: Tried) -> Candidate {
        let Tried { found, window, trial, peak, .. } = tried;
        let monotone = match (found.is_monotone(), self.effects.all) {
            (true, true) => Monotonicity::Proved,
            (true, false) if trial.regress_edges == 0 => Monotonicity::Observed,
            _ => Monotonicity::No,
        };
        let forecast =
            Forecast { scope: self.sample.scope, peak, values: found.outlook.values, trial };
        let (components, columns) = (found.terms(), found.columns.len());
        Candidate { components, columns, window, anchor: 0, monotone, forecast }
    }
}

/// How many features states have.
fn n_features<M: Features>(model: &M) -> usize {
    initial(model).first().map_or(0, |state| features_of(model, state).len())
}

/// A measure that was tried with a window.
struct Tried {
    found: FoundWeights,
    window: u64,
    trial: Trial,
    /// The predicted peak, as a part of all states.
    peak: f64,
    /// The trial passed more values than the sample has.
    went_further: bool,
}

impl Tried {
    /// Smaller is better: the predicted peak, and the cost of further sweeps. A plain measure
    /// is preferred to one that is hardly better.
    fn cost(&self) -> f64 {
        let stored = if self.found.plain { self.peak } else { 1.05 * self.peak + 0.01 };
        // The peak of a trial is that of its beginning: what is hardly better must be monotone, too.
        let falls = self.went_further && !self.found.is_monotone();
        stored + if self.trial.persistent > 0 { 1.0 } else { 0.0 } + if falls { 0.05 } else { 0.0 }
    }
}

/// Numbers that look random, the same in every run.
pub(super) struct Dice(u64);

impl Dice {
    fn new() -> Self {
        Dice(0x9E37_79B9_7F4A_7C15)
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}
