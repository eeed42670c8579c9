//! A run as a page shows it: figures, the estimate of what is left, and the course so far.

use sweepline::observe::{ClosedLayer, Flow, Fork, Observer};
use sweepline::{Model, Statistics, Value};

use super::line::{Estimate, Line};
use super::words::{percent, seconds_left};
use crate::report::Profile;

/// The most moments that are kept of a run without layers.
const MOST: usize = 256;

/// What is known of a run at a moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moment {
    pub(crate) statistics: Statistics,
    /// The progress reached; empty without a measure.
    pub(crate) progress: String,
    /// The share of the states that is explored and the time left, in words, if there is an estimate.
    pub(crate) estimate: Option<(String, String)>,
}

/// The stored states after so many seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) seconds: f64,
    pub(crate) explored: u64,
    pub(crate) stored: u64,
}

/// Tells a caller at each pulse how far a run is.
pub(crate) struct Live<'a, T> {
    line: Line<'a>,
    profile: Profile,
    course: Course,
    tell: T,
}

impl<'a, T: FnMut(Moment, &Profile, &[Stored])> Live<'a, T> {
    /// Computes estimates as `line` does, which shows nothing itself.
    pub(crate) fn new(line: Line<'a>, tell: T) -> Self {
        Live { line, profile: Profile::default(), course: Course::default(), tell }
    }

    /// Tells the last figures of a run.
    pub(crate) fn finish(&mut self, statistics: &Statistics) {
        self.course.left = 0;
        self.course.add(statistics);
        self.say(&Value::default(), statistics);
    }

    fn say(&mut self, progress: &Value, statistics: &Statistics) {
        let estimate = self.line.estimate(statistics);
        let words = |Estimate { share, left }: Estimate| (percent(share), seconds_left(left));
        let moment = Moment {
            statistics: statistics.clone(),
            progress: match progress.components().is_empty() {
                true => String::new(),
                false => progress.to_string(),
            },
            estimate: estimate.map(words),
        };
        (self.tell)(moment, &self.profile, &self.course.moments);
    }
}

impl<M: Model, T: FnMut(Moment, &Profile, &[Stored])> Observer<M> for Live<'_, T> {
    fn level(&mut self, line: &Value, statistics: &Statistics) -> Flow {
        self.line.advance(line, statistics.explored);
        Ok(())
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        self.profile.drop_layer(layer.value, layer.states, statistics.stored);
        Ok(())
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(()))
    }

    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        saved.is_empty()
    }

    fn answered(&mut self, _name: &str, _verdict: &'static str) {
        self.line.answered();
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        self.line.note(statistics);
        self.course.add(statistics);
        self.say(line, statistics);
    }
}

/// Moments of a run, evenly spread.
#[derive(Default)]
struct Course {
    moments: Vec<Stored>,
    /// Every so many pulses, less one, there is a moment.
    skipped: usize,
    left: usize,
}

impl Course {
    fn add(&mut self, statistics: &Statistics) {
        if self.left > 0 {
            self.left -= 1;
            return;
        }
        self.left = self.skipped;
        self.moments.push(Stored {
            seconds: statistics.elapsed.as_secs_f64(),
            explored: statistics.explored,
            stored: statistics.stored,
        });
        if self.moments.len() == MOST {
            let mut number = 0;
            self.moments.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            // The last moment was left out just now: the next one is as far from it as it would have been.
            self.left = self.skipped;
            self.skipped = 2 * self.skipped + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_long_run_has_no_more_moments() {
        let mut course = Course::default();
        for second in 0..10_000 {
            let elapsed = Duration::from_secs(second);
            course.add(&Statistics { elapsed, stored: second, ..Statistics::default() });
        }
        let moments = &course.moments;
        assert!(moments.len() < MOST && moments.len() >= MOST / 2, "{}", moments.len());
        let steps: Vec<f64> =
            moments.windows(2).map(|two| two[1].seconds - two[0].seconds).collect();
        assert!(steps.iter().all(|step| *step == steps[0]), "{steps:?}");
    }
}
