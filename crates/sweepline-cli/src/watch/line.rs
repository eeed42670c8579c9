//! The progress line: shown on a terminal only, and only after a second.

use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sweepline::{Statistics, Value};
use sweepline_guard::processor_time;

use super::estimate::{Extent, Layers, Range};
use super::words::{Figures, text};
use crate::guard;
use crate::print;

/// Nothing is shown before.
const PATIENCE: Duration = Duration::from_secs(1);
/// Pulses that the present rate is measured over: five seconds.
const PULSES: usize = 50;
/// How often the line of a measure search is drawn again.
const REDRAW: Duration = Duration::from_millis(100);
/// An estimate is computed again when so many times as many states are explored.
const AGAIN: f64 = 1.01;

/// The rest may be explored so many times as fast: states near the end have fewer successors.
const FASTER: f64 = 1.5;

/// How much is done, and how long the rest takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The share of the states that is explored.
    pub(crate) share: Range,
    /// Seconds left.
    pub(crate) left: Range,
}

/// The progress line of an exploration.
#[derive(Default)]
pub(crate) struct Line<'a> {
    /// Properties that are checked, and how many of them earlier explorations decided.
    properties: u64,
    answered: u64,
    is_temporal: bool,
    /// Computes the extent; called once, when the first estimate is needed.
    find_extent: Option<Box<dyn FnOnce() -> Extent + 'a>>,
    extent: Extent,
    layers: Layers,
    /// The last estimate of the number of states, and the explored states it was made at.
    all_states: (Option<Range>, u64),
    /// Time and explored states at the last pulses.
    pulses: VecDeque<(Duration, u64)>,
    /// Time and processor time at the last pulses, if there are several threads.
    busy: VecDeque<(Instant, Duration)>,
    bar: Option<ProgressBar>,
}

impl<'a> Line<'a> {
    /// The line of a run that checks `properties`, given by name and kind.
    pub(crate) fn new(properties: &[(String, &'static str)]) -> Self {
        // Formulas take more than one exploration, and an estimate is about one.
        let is_temporal = properties.iter().any(|(_, kind)| matches!(*kind, "ltl" | "ctl"));
        Line { properties: properties.len() as u64, is_temporal, ..Line::default() }
    }

    /// The same with an estimate of what is left. `extent` may take a tenth of a second, so it is not called before
    /// the line is shown.
    pub(crate) fn estimating(mut self, extent: Option<impl FnOnce() -> Extent + 'a>) -> Self {
        if !self.is_temporal {
            self.find_extent = extent.map(|extent| Box::new(extent) as _);
        }
        self
    }

    /// A property is decided for good.
    pub(super) fn answered(&mut self) {
        self.answered += 1;
    }

    /// The next states have this progress; `explored` are explored before them.
    pub(super) fn advance(&mut self, value: &Value, explored: u64) {
        self.layers.advance(value, explored);
    }

    /// The estimate of what is left. `None` if nothing is known about it, and in a run with several sweeps: it is not
    /// known how many states later sweeps visit again.
    pub(super) fn estimate(&mut self, statistics: &Statistics) -> Option<Estimate> {
        if statistics.sweeps != 1 || statistics.persistent > 0 {
            return None;
        }
        if let Some(find) = self.find_extent.take() {
            self.extent = find();
        }
        let explored = statistics.explored;
        self.layers.count(explored);
        if explored as f64 >= AGAIN * self.all_states.1 as f64 {
            self.all_states = (self.layers.all_states(&self.extent, explored), explored);
        }
        let (all, explored) = (self.all_states.0?, explored as f64);
        let rest = |all: f64| (all - explored).max(0.0);
        let rate = self.rate(statistics)?;
        let share = Range { least: explored / all.most, most: (explored / all.least).min(1.0) };
        let left = Range {
            least: rest(all.least) / rate.most / FASTER,
            most: rest(all.most) / rate.least,
        };
        Some(Estimate { share, left })
    }

    /// States explored in a second: in all of the run, and lately.
    fn rate(&self, statistics: &Statistics) -> Option<Range> {
        let rate = |states: u64, time: Duration| {
            let rate = states as f64 / time.as_secs_f64();
            (rate.is_finite() && rate > 0.0).then_some(rate)
        };
        let whole = rate(statistics.explored, statistics.elapsed)?;
        let lately = self.pulses.front().and_then(|&(time, explored)| {
            rate(statistics.explored.checked_sub(explored)?, statistics.elapsed.checked_sub(time)?)
        });
        let lately = lately.unwrap_or(whole);
        Some(Range { least: whole.min(lately), most: whole.max(lately) })
    }

    /// Notes the present figures, for the rate.
    pub(super) fn note(&mut self, statistics: &Statistics) {
        if self.pulses.len() == PULSES {
            self.pulses.pop_front();
        }
        self.pulses.push_back((statistics.elapsed, statistics.explored));
    }

    /// Shows the present figures.
    pub(crate) fn show(&mut self, line: &Value, statistics: &Statistics) {
        self.note(statistics);
        let busy = self.busy();
        if statistics.elapsed < PATIENCE {
            return;
        }
        if self.bar.get_or_insert_with(bar).is_hidden() {
            return;
        }
        let figures = Figures {
            statistics,
            line,
            decided: ((self.answered + statistics.decided).min(self.properties), self.properties),
            busy,
            estimate: self.estimate(statistics),
        };
        if let Some(bar) = &self.bar {
            bar.set_message(text(&figures, width()));
            bar.tick();
        }
    }

    /// How many threads were busy since the first of the last pulses, and how many there are; `None` for one thread.
    fn busy(&mut self) -> Option<(f64, usize)> {
        let threads = guard::threads().count();
        let now = (threads > 1).then(|| Some((Instant::now(), processor_time()?)))??;
        if self.busy.len() == PULSES {
            self.busy.pop_front();
        }
        self.busy.push_back(now);
        let &(time, used) = self.busy.front()?;
        let (time, used) = (now.0.checked_duration_since(time)?, now.1.checked_sub(used)?);
        let busy = used.as_secs_f64() / time.as_secs_f64();
        busy.is_finite().then_some((busy.min(threads as f64), threads))
    }

    /// Prints something else, without the line in between.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the line.
    pub(crate) fn clear(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar that draws nothing where standard error is no terminal.
fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let target = match print::shows_progress() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// Characters that fit beside the spinner.
fn width() -> usize {
    usize::from(Term::stderr().size().1).saturating_sub(2)
}

/// Shows that a measure is searched for, until it is dropped.
pub(crate) struct Searching(Option<(Sender<()>, JoinHandle<()>)>);

impl Searching {
    /// Begins to show it after a second.
    pub(crate) fn new() -> Self {
        if !print::shows_progress() {
            return Searching(None);
        }
        let (done, is_done) = channel();
        let started = Instant::now();
        let thread = spawn(move || {
            if is_done.recv_timeout(PATIENCE) != Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar();
            loop {
                let seconds = started.elapsed().as_secs_f64();
                bar.set_message(format!("looking for a progress measure, {seconds:.1} s"));
                bar.tick();
                if is_done.recv_timeout(REDRAW) != Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    return bar.finish_and_clear();
                }
            }
        });
        Searching(Some((done, thread)))
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.0.take() {
            drop(done);
            // A line that could not be drawn is no reason to stop.
            let _ = thread.join();
        }
    }
}
