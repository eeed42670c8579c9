//! The progress line: only on a terminal, only after a second.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sweepline::{Statistics, Value};

use super::Course;
use crate::print::{grouped, time};

const PATIENCE: Duration = Duration::from_secs(1);

/// The line.
#[derive(Default)]
pub(crate) struct Line {
    course: Option<Course>,
    bar: Option<ProgressBar>,
}

impl Line {
    /// A line along a course, where one is known.
    pub(crate) fn new(course: Option<Course>) -> Self {
        Line { course, bar: None }
    }

    /// The course, where one is known.
    pub(super) fn course(&self) -> Option<&Course> {
        self.course.as_ref()
    }

    /// Shows the present figures.
    pub(crate) fn show(&mut self, line: &Value, statistics: &Statistics) {
        if statistics.elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            // Draws nothing where standard error is no terminal.
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style)
        });
        if bar.is_hidden() {
            return;
        }
        bar.set_message(message(self.course.as_ref(), line, statistics));
        bar.tick();
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

fn message(course: Option<&Course>, line: &Value, statistics: &Statistics) -> String {
    let seconds = statistics.elapsed.as_secs_f64();
    let rate = (statistics.explored as f64 / seconds) as u64;
    let mut text = format!(
        "{} explored, {}/s, {} held (peak {})",
        grouped(statistics.explored),
        grouped(rate),
        grouped(statistics.stored),
        grouped(statistics.peak_states)
    );
    if line.components().is_empty() {
        return text;
    }
    text.push_str(&format!(", line at {line}"));
    if let Some(estimate) = course.and_then(|course| course.estimate(line, statistics)) {
        let (percent, left) = ((100.0 * estimate.share) as u64, time(estimate.left));
        text.push_str(&format!(", about {percent}% of the way, perhaps {left} left"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_what_it_knows() {
        let statistics = Statistics {
            explored: 2_000_000,
            stored: 1_000,
            peak_states: 1_500,
            sweeps: 1,
            elapsed: Duration::from_secs(2),
            ..Statistics::default()
        };
        let course = Course { ends: Some((0, 40)), quantiles: Vec::new() };
        let course = Some(&course);
        assert_eq!(
            message(course, &Value::from([10]), &statistics),
            "2,000,000 explored, 1,000,000/s, 1,000 held (peak 1,500), line at 10, \
             about 25% of the way, perhaps 6.000 s left"
        );
        assert!(message(None, &Value::from([10]), &statistics).ends_with("line at 10"));
        assert!(message(course, &Value::default(), &statistics).ends_with("(peak 1,500)"));
        let again = Statistics { sweeps: 2, ..statistics };
        assert!(message(course, &Value::from([10]), &again).ends_with("line at 10"));
    }
}
