//! An estimate of the number of states, from the sizes of the layers visited so far.
//!
//! Along most measures the layers first grow and then shrink. Let x be the position of a layer between the least
//! and the greatest value of the measure, scaled to 0..1. The sizes of the layers are compared with the curves
//! `c * x^a * (1 - x)^b`: the estimate is the range over all curves that fit about as well as the best one. Early
//! in a sweep many curves fit. The range is then so wide that no estimate is given.

use std::collections::BTreeMap;

use sweepline::Value;

/// Layers are grouped when there are more than this, to bound the memory.
const MOST_GROUPS: usize = 2_048;
/// Layers are compared with the curves in so many bins at most ...
const MOST_BINS: usize = 16;
/// ... and at least, ...
const LEAST_BINS: usize = 4;
/// ... each of so many layers at least: sizes of single layers vary too much.
const LAYERS_PER_BIN: usize = 3;
/// The values tried for the exponent `b`.
const FALLS: [f64; 12] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 11.0, 15.0, 20.0];
/// A curve counts if its mean squared error, of logarithms, is at most `SLACK` times the least one, plus `FLOOR`.
const SLACK: f64 = 2.0;
const FLOOR: f64 = 0.008;
/// Steps of the numerical integration of a curve.
const STEPS: usize = 32;
/// A range of shares says nothing if it is wider than this, or if one end is so many times the other.
const WIDEST: f64 = 0.5;
const MOST_TIMES: f64 = 5.0;
/// Added to both sides of the range of shares.
const MARGIN: f64 = 0.03;
/// How much the visits counted here may differ from the states explored: more are missing in a resumed run.
const MISSING: f64 = 0.01;

/// What is known about the end of a sweep before the sweep gets there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Extent {
    /// Bounds of the greatest value of the first component.
    pub(crate) end: Option<(i64, i64)>,
    /// The number of states, if a trial sweep visited all of them.
    pub(crate) states: Option<u64>,
}

/// A range of numbers: the least and the most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

/// The states visited so far, counted by the first component of their progress.
#[derive(Default)]
pub(crate) struct Layers {
    /// Values, shifted right by `shift`, each with its number of states.
    groups: BTreeMap<i64, u64>,
    shift: u32,
    /// The value of the last state, and how many states in succession had it. Not in `groups` yet.
    latest: (i64, u64),
    /// The states explored when they were last counted. `None` before the first time: a resumed run begins
    /// with some.
    explored: Option<u64>,
}

impl Layers {
    /// The next states to be explored have progress `value`; `explored` are explored before them.
    pub(crate) fn advance(&mut self, value: &Value, explored: u64) {
        self.count(explored);
        let Some(&first) = value.components().first() else { return };
        if first != self.latest.0 {
            self.settle();
            self.latest.0 = first;
        }
    }

    /// Counts the states explored by now.
    pub(crate) fn count(&mut self, explored: u64) {
        let before = self.explored.replace(explored);
        self.latest.1 += explored.saturating_sub(before.unwrap_or(explored));
    }

    fn settle(&mut self) {
        let (value, states) = (self.latest.0, std::mem::take(&mut self.latest.1));
        if states > 0 {
            *self.groups.entry(value >> self.shift).or_insert(0) += states;
        }
        if self.groups.len() > MOST_GROUPS {
            self.shift += 1;
            for (group, states) in std::mem::take(&mut self.groups) {
                *self.groups.entry(group >> 1).or_insert(0) += states;
            }
        }
    }

    /// The number of all states, `explored` of them visited so far; `None` where it cannot be estimated well.
    pub(crate) fn all_states(&mut self, extent: &Extent, explored: u64) -> Option<Range> {
        self.settle();
        let explored = explored as f64;
        if let Some(states) = extent.states {
            let states = states as f64;
            return (explored <= states).then_some(Range { least: states, most: states });
        }
        let counted = self.groups.values().sum::<u64>() as f64;
        if (counted - explored).abs() > MISSING * explored {
            return None;
        }
        let (passed, rest) = self.rest(extent.end?)?;
        let share = |rest: f64| (explored / (passed + rest)).min(1.0);
        let (least, most) = (share(rest.most) - MARGIN, (share(rest.least) + MARGIN).min(1.0));
        let says_something = most - least <= WIDEST && most <= MOST_TIMES * least;
        says_something.then_some(Range { least: explored / most, most: explored / least })
    }

    /// The number of states in layers that the line has passed, and the range of the number of all others.
    fn rest(&self, end: (i64, i64)) -> Option<(f64, Range)> {
        let (origin, line) = (*self.groups.keys().next()?, *self.groups.keys().next_back()?);
        let start = i128::from(origin) << self.shift;
        let length = (i128::from(end.1) + 1 - start) as f64;
        let position = |group: i64| ((i128::from(group) << self.shift) - start) as f64 / length;
        let here = position(line);
        if !(0.02..1.0).contains(&here) {
            return None;
        }
        let passed: Vec<(f64, u64)> =
            self.groups.range(..line).map(|(&group, &n)| (position(group), n)).collect();
        let points = points(&passed, here)?;
        // Where the end is not known exactly, ends in between are tried as well.
        let nearest = (i128::from(end.0) + 1 - start) as f64 / length;
        let nearest = nearest.max(here + 0.05 * (1.0 - here)).min(1.0);
        let n_ends = if end.0 >= end.1 { 1 } else { 4 };
        let ends = (0..n_ends).map(|n| 1.0 - (1.0 - nearest) * f64::from(n) / 3.0);
        let curves: Vec<Curve> =
            ends.flat_map(|end| FALLS.map(|fall| Curve::fit(&points, here, end, fall))).collect();
        let best = curves.iter().map(|curve| curve.error).fold(f64::INFINITY, f64::min);
        let close = curves.iter().filter(|curve| curve.error <= SLACK * best + FLOOR);
        let mut rest = Range { least: f64::INFINITY, most: 0.0 };
        for curve in close {
            rest.least = rest.least.min(curve.rest);
            rest.most = rest.most.max(curve.rest);
        }
        let states: u64 = passed.iter().map(|(_, states)| states).sum();
        rest.most.is_finite().then_some((states as f64, rest))
    }
}

/// The sizes of the layers in a bin.
struct Point {
    /// The middle of the bin.
    position: f64,
    /// The logarithm of states for each unit of position.
    density: f64,
    /// The part of all states seen that is in this bin.
    weight: f64,
}

/// Puts layers, given by where they begin and their states, into bins of equal width up to `here`.
fn points(layers: &[(f64, u64)], here: f64) -> Option<Vec<Point>> {
    let n_bins = (layers.len() / LAYERS_PER_BIN).min(MOST_BINS);
    if n_bins < LEAST_BINS {
        return None;
    }
    let width = here / n_bins as f64;
    let mut bins = vec![0.0; n_bins];
    for (number, &(from, states)) in layers.iter().enumerate() {
        // A layer is spread over the way to the next one.
        let to = layers.get(number + 1).map_or(here, |next| next.0);
        for (number, bin) in bins.iter_mut().enumerate() {
            let start = number as f64 * width;
            let overlap = to.min(start + width) - from.max(start);
            *bin += states as f64 * (overlap / (to - from)).max(0.0);
        }
    }
    let all: f64 = bins.iter().sum();
    let filled = bins.iter().enumerate().filter(|(_, states)| **states > 0.0);
    let points: Vec<Point> = filled
        .map(|(number, states)| Point {
            position: (number as f64 + 0.5) * width,
            density: (states / width).ln(),
            weight: states / all,
        })
        .collect();
    (points.len() >= LEAST_BINS).then_some(points)
}

/// A curve fitted to the points.
struct Curve {
    /// The mean squared error of the logarithm.
    error: f64,
    /// The integral from here to the end.
    rest: f64,
}

impl Curve {
    /// The best curve with the exponent `fall`: a weighted linear regression of logarithms.
    fn fit(points: &[Point], here: f64, end: f64, fall: f64) -> Self {
        let rise_of = |position: f64| (position / end).ln();
        let fall_of = |position: f64| fall * (1.0 - position / end).ln();
        let mean = |of: &dyn Fn(&Point) -> f64| -> f64 {
            points.iter().map(|point| point.weight * of(point)).sum()
        };
        let x = |point: &Point| rise_of(point.position);
        let y = |point: &Point| point.density - fall_of(point.position);
        let (mean_x, mean_y) = (mean(&x), mean(&y));
        let variance = mean(&|point| (x(point) - mean_x).powi(2));
        let covariance = mean(&|point| (x(point) - mean_x) * (y(point) - mean_y));
        let rise = (covariance / variance).max(0.0);
        let height = mean_y - rise * mean_x;
        let error = mean(&|point| (y(point) - height - rise * x(point)).powi(2));
        let step = (end - here) / STEPS as f64;
        let at = |number: usize| here + (number as f64 + 0.5) * step;
        let density = |at: f64| (height + rise * rise_of(at) + fall_of(at)).exp();
        Curve { error, rest: (0..STEPS).map(|number| density(at(number)) * step).sum() }
    }
}

#[cfg(test)]
mod tests;
