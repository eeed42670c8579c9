//! How far a run is, and what remains.

use std::time::Duration;

use sweepline::{Statistics, Value};

/// What is known beforehand of the way that the line will go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Course {
    /// The first component of the measure: at the initial state, and the greatest that the bounds of
    /// the places allow.
    pub(crate) ends: Option<(i64, i64)>,
    /// Values with equal parts of the states between them, as far as a sample tells.
    pub(crate) quantiles: Vec<Value>,
}

/// What remains, as far as can be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The share of the way that is done.
    pub(crate) share: f64,
    /// Time left, if the rest takes as long as what was done.
    pub(crate) left: Duration,
}

impl Course {
    /// What remains when the line is at `line`. Nothing can be told at the very beginning, nor once a
    /// sweep had to come back: its position then says nothing about what remains.
    pub(crate) fn estimate(&self, line: &Value, statistics: &Statistics) -> Option<Estimate> {
        let share = self.share(line).filter(|&share| share >= 0.01 && statistics.sweeps == 1)?;
        let seconds = statistics.elapsed.as_secs_f64() * (1.0 - share) / share;
        Some(Estimate { share, left: Duration::try_from_secs_f64(seconds).ok()? })
    }

    /// The lesser of what the bounds and what the sample says: a sample may have seen only the
    /// beginning of the way, and bounds know nothing of where the states are.
    fn share(&self, line: &Value) -> Option<f64> {
        let by_bounds = self.ends.and_then(|(start, end)| {
            let way = end.checked_sub(start).filter(|&way| way > 0)?;
            let done = line.components().first()?.checked_sub(start)?.clamp(0, way);
            Some(done as f64 / way as f64)
        });
        let by_sample =
            self.quantiles.len().checked_sub(1).filter(|&parts| parts > 0).map(|parts| {
                let passed = self.quantiles.partition_point(|value| value < line);
                passed.min(parts) as f64 / parts as f64
            });
        match (by_bounds, by_sample) {
            (Some(bounds), Some(sample)) => Some(bounds.min(sample)),
            (bounds, sample) => bounds.or(sample),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_careful_of_two_estimates_counts() {
        let statistics =
            Statistics { sweeps: 1, elapsed: Duration::from_secs(2), ..Statistics::default() };
        let quantiles: Vec<Value> = (0..=4).map(|n| Value::from([10 * n])).collect();
        let both = Course { ends: Some((0, 100)), quantiles: quantiles.clone() };
        let sample = Course { ends: None, quantiles };
        let neither = Course { ends: Some((3, 3)), quantiles: Vec::new() };
        let share = |course: &Course, at: i64| {
            course.estimate(&Value::from([at]), &statistics).map(|estimate| estimate.share)
        };
        assert_eq!((share(&both, 20), share(&sample, 20)), (Some(0.2), Some(0.5)));
        assert_eq!((share(&both, 90), share(&sample, 90)), (Some(0.9), Some(1.0)));
        assert_eq!((share(&both, 0), share(&neither, 3)), (None, None));
        let left = both.estimate(&Value::from([20]), &statistics).unwrap().left;
        assert_eq!(left, Duration::from_secs(8));
        let again = Statistics { sweeps: 2, ..statistics };
        assert_eq!(both.estimate(&Value::from([20]), &again), None);
    }
}
