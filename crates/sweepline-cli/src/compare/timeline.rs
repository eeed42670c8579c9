//! The figure of a comparison without caches: the states stored during each run.

use std::time::Instant;

use sweepline::observe::{ClosedLayer, Flow, Fork, Observer};
use sweepline::{Model, Statistics, Value};

use super::Row;
use super::figure::{Axis, LEFT, NOISE, SIZE, axes};
use super::table::kind;
use crate::args::Method;
use crate::draw::{SMALL, Svg, width};
use crate::print::{grouped, percent};

/// The most points of a curve.
const MOST: usize = 512;
/// Between the lines of two labels.
const BETWEEN: f64 = 17.0;
/// The looks of the sweeps; full exploration has its own.
const SWEEPS: [&str; 5] = ["one", "two", "three", "four", "five"];

/// A moment of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Moment {
    pub(super) seconds: f64,
    pub(super) explored: u64,
    /// The most states stored since the moment before.
    pub(super) stored: u64,
}

/// Records how many states are stored during a run, as a bounded number of moments.
pub(super) struct Recorder {
    started: Instant,
    moments: Vec<Moment>,
    /// Visits from one moment to the next.
    stride: u64,
    visits: u64,
    highest: u64,
}

impl Recorder {
    pub(super) fn new() -> Self {
        let start = Moment { seconds: 0.0, explored: 0, stored: 0 };
        Recorder { started: Instant::now(), moments: vec![start], stride: 1, visits: 0, highest: 0 }
    }

    /// `explored` states are explored and `stored` are stored now.
    fn note(&mut self, explored: u64, stored: u64) {
        (self.visits, self.highest) = (explored, self.highest.max(stored));
        let last = self.moments.last().map_or(0, |moment| moment.explored);
        if explored < last + self.stride {
            return;
        }
        self.record();
        if self.moments.len() > MOST {
            self.stride *= 2;
            let mut at = 0;
            let mut before = 0;
            // Every other moment stays, with the highest number of both.
            self.moments.retain_mut(|moment| {
                at += 1;
                let highest = moment.stored.max(before);
                before = moment.stored;
                moment.stored = highest;
                at % 2 == 1
            });
        }
    }

    fn record(&mut self) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.moments.push(Moment { seconds, explored: self.visits, stored: self.highest });
        self.highest = 0;
    }

    /// The curve of the run up to its last state.
    pub(super) fn finish(mut self) -> Vec<Moment> {
        let last = self.moments.last().map_or(0, |moment| moment.stored);
        self.highest = if self.highest == 0 { last } else { self.highest };
        self.record();
        self.moments
    }
}

impl<M: Model> Observer<M> for Recorder {
    fn level(&mut self, _: &Value, statistics: &Statistics) -> Flow {
        self.note(statistics.explored, statistics.stored);
        Ok(())
    }

    fn pulse(&mut self, _: &Value, statistics: &Statistics) {
        self.note(statistics.explored, statistics.stored);
    }

    fn layer_closed(&mut self, _: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        self.note(statistics.explored, statistics.stored);
        Ok(())
    }

    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(()))
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}

/// The whole file.
pub(super) fn timeline(model: &str, rows: &[Row]) -> String {
    let mut svg = Svg::default();
    let last = |row: &Row| row.curve.last().copied();
    let longest = rows.iter().filter_map(last).map(|moment| moment.seconds).fold(0.0, f64::max);
    let timed = longest >= NOISE;
    let along = |moment: &Moment| if timed { moment.seconds } else { moment.explored as f64 };
    let right = rows.iter().filter_map(last).map(|moment| along(&moment)).fold(0.0, f64::max);
    let highest = rows.iter().map(|row| row.peak_states).max().unwrap_or(0);
    let x = Axis::linear(right.max(1e-6), SIZE.0);
    let y = Axis::linear(highest.max(1) as f64 * 1.06, SIZE.1);
    axes(&mut svg, &x, &y, false);
    let below = (LEFT + SIZE.0 / 2.0, SIZE.1 + 42.0);
    let name = if timed { "time in seconds" } else { "states explored" };
    svg.text("", "middle", below, name);
    let (mut labels, mut n_sweeps) = (Vec::new(), 0);
    for row in rows {
        let class = match row.is_full() {
            true => "six",
            false => SWEEPS[n_sweeps % SWEEPS.len()],
        };
        n_sweeps += usize::from(!row.is_full());
        let at = |moment: &Moment| {
            (LEFT + x.place(along(moment)), SIZE.1 - y.place(moment.stored as f64))
        };
        let line: Vec<(f64, f64)> = row.curve.iter().map(at).collect();
        let Some(&end) = line.last() else { continue };
        let mut area = line.clone();
        area.extend([(end.0, SIZE.1), (LEFT, SIZE.1)]);
        svg.line(&format!("mark under {class}"), &area, false, [false; 2]);
        svg.line(&format!("curve thick {class}"), &line, false, [false; 2]);
        let peak = SIZE.1 - y.place(row.peak_states as f64);
        labels.push((peak, end.0, class, label(row, rows)));
    }
    draw_labels(&mut svg, labels);
    let title = format!("{model}: states stored during a run");
    svg.text("small", "end", (LEFT - 8.0, 4.0), "states stored");
    let mut notes: Vec<String> = Vec::new();
    if rows.iter().any(Row::is_full) && n_sweeps > 0 {
        let note =
            "Full exploration stores every state. The sweep drops each layer when it is done.";
        notes.push(note.into());
    }
    if rows.iter().any(|row| row.stop.is_some()) {
        notes.push("A limit stopped some of the runs.".into());
    }
    svg.finish(&title, &notes, (LEFT + SIZE.0 + 20.0, SIZE.1 + 50.0))
}

/// The name of a run with its peak.
fn label(row: &Row, rows: &[Row]) -> String {
    let peak = grouped(row.peak_states);
    if row.is_full() {
        return format!("full exploration: {peak} states stored");
    }
    let full = rows.iter().find(|row| row.is_full() && row.stop.is_none());
    let part = match full {
        Some(full) => format!(" ({})", percent(row.peak_states, full.peak_states)),
        None => String::new(),
    };
    let text = match row.method {
        Method::Sweep => kind(row).replacen("sweep", "sweep along", 1),
        _ => kind(row),
    };
    let text = format!("{text}: at most {peak} states stored{part}");
    match width(&text, SMALL) < 0.9 * SIZE.0 {
        true => text,
        false => format!("{}: at most {peak} states stored{part}", row.method),
    }
}

/// Labels above the peaks of their curves, none over another.
fn draw_labels(svg: &mut Svg, mut labels: Vec<(f64, f64, &str, String)>) {
    labels.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut lowest = f64::INFINITY;
    for (peak, end, class, text) in labels {
        let y = (peak - 9.0).min(lowest - BETWEEN).max(SMALL);
        lowest = y;
        let is_top = peak < 2.0 * BETWEEN;
        // Full exploration ends at the top right: its label is on the left of the curve.
        let y = if is_top { y.max(peak + 4.0) } else { y };
        let right = if is_top { end - 0.12 * SIZE.0 } else { LEFT + SIZE.0 };
        let right = right.max(LEFT + 8.0 + width(&text, SMALL));
        svg.text(&format!("label {class}text"), "end", (right, y), &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_has_few_moments_and_keeps_its_peak() {
        for n in [0, 1, 511, 512, 1025, 70_000u64] {
            let mut recorder = Recorder::new();
            for visit in 0..n {
                recorder.note(visit + 1, if visit == n / 2 { 5_000 } else { 10 });
            }
            let moments = recorder.finish();
            assert!(moments.len() <= MOST + 2, "{n}: {}", moments.len());
            let last = moments[moments.len() - 1];
            assert_eq!(last.explored, n);
            assert!(n == 0 || last.stored > 0, "{n}");
            assert!(moments.is_sorted_by(|a, b| a.explored <= b.explored));
            let peak = moments.iter().map(|moment| moment.stored).max();
            assert_eq!(peak, Some(if n == 0 { 0 } else { 5_000 }), "{n}");
        }
    }
}
