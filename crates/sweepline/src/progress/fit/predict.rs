//! How many states of a sample a sweep would store.

use super::component::Component;
use super::sample::Sample;

/// Measures with at most this many times as many values as there are states are counted in place.
const DENSE: usize = 16;

/// The predicted number of stored states in a sweep of the sample.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Outlook {
    /// States stored at most, by weight.
    pub(super) peak: f64,
    /// States stored on average, over the values of the measure.
    pub(super) mean: f64,
    /// Distinct values.
    pub(super) values: usize,
}

/// The keys of all states: values in the order of the sweep, one number from zero on for each.
#[derive(Default)]
struct Keys {
    of: Vec<i64>,
    /// What each effect adds.
    steps: Vec<i64>,
    /// Keys of one column.
    stride: i64,
    /// Keys of all.
    length: i64,
}

/// Computes outlooks, keeping its memory.
#[derive(Default)]
pub(super) struct Predictor {
    keys: Keys,
    column: Vec<i64>,
    stored: Vec<(i64, f64)>,
    counts: Vec<f64>,
}

impl Predictor {
    /// Computes the keys; `None` if they do not fit 64 bits.
    fn measure(&mut self, sample: &Sample, columns: &[Component], last: &Component) -> Option<()> {
        let Keys { of, steps, stride, length } = &mut self.keys;
        sample.values(&last.weights, &last.steps, of);
        let (least, most) = range(of)?;
        of.iter_mut().for_each(|key| *key -= least);
        *stride = most.checked_sub(least)?.checked_add(1)?;
        *length = *stride;
        steps.clone_from(&last.steps);
        for column in columns.iter().rev() {
            sample.values(&column.weights, &column.steps, &mut self.column);
            let (least, most) = range(&self.column)?;
            let after = length.checked_mul(most.checked_sub(least)?.checked_add(1)?)?;
            for (key, value) in of.iter_mut().zip(&self.column) {
                *key += (value - least) * *length;
            }
            for (step, &more) in steps.iter_mut().zip(&column.steps) {
                *step = step.checked_add(more.checked_mul(*length)?)?;
            }
            *length = after;
        }
        Some(())
    }

    /// A state is stored from the moment the line reaches its first predecessor until the line has
    /// passed it by `window`, or has left its column.
    pub(super) fn outlook(
        &mut self,
        sample: &Sample,
        columns: &[Component],
        last: &Component,
        window: u64,
    ) -> Option<Outlook> {
        self.measure(sample, columns, last)?;
        let window = i64::try_from(window).ok()?;
        let Predictor { keys, stored, counts, .. } = self;
        let longest = keys.steps.iter().copied().max().unwrap_or(0);
        let Keys { of, steps, stride, length } = keys;
        let spans = sample.witnesses.iter().map(|witness| {
            let key = of[witness.state as usize];
            let ahead = witness.incoming.iter().map(|&effect| steps[effect as usize]).max();
            let first = key.saturating_sub(ahead.unwrap_or(longest)).clamp(0, *length - 1);
            let left = (key - key % *stride).saturating_add(*stride - 1);
            (first, key.saturating_add(window).min(left).max(first), witness.weight)
        });
        if *length <= (DENSE * sample.witnesses.len()) as i64 {
            counts.clear();
            counts.resize(*length as usize + 1, 0.0);
            for (first, end, weight) in spans {
                counts[first as usize] += weight;
                counts[end as usize + 1] -= weight;
            }
            let changes = counts.iter().enumerate().filter(|&(_, &change)| change != 0.0);
            return Some(densest(changes.map(|(at, &change)| (at as i64, change))));
        }
        stored.clear();
        stored.extend(spans.flat_map(|(first, end, n)| [(first, n), (end.saturating_add(1), -n)]));
        stored.sort_unstable_by_key(|&(at, _)| at);
        Some(densest(stored.iter().copied()))
    }
}

fn range(values: &[i64]) -> Option<(i64, i64)> {
    Some((*values.iter().min()?, *values.iter().max()?))
}

/// The most states stored at once, from when each is stored and dropped.
fn densest(changes: impl Iterator<Item = (i64, f64)>) -> Outlook {
    let (mut now, mut peak, mut sum, mut values, mut at) = (0f64, 0f64, 0f64, 0usize, i64::MIN);
    for (value, change) in changes {
        if value != at {
            (values, sum, peak, at) = (values + 1, sum + now, peak.max(now), value);
        }
        now += change;
    }
    Outlook { peak: peak.max(now), mean: sum / values.max(1) as f64, values }
}
