//! Watching a run: the progress line on a terminal, and the log of layers.

mod course;
mod growth;
mod line;
mod log;

use sweepline::checkpoint::Saved;
use sweepline::observe::{ClosedLayer, Flow, Observer};
use sweepline::{Model, Statistics, Value};

use crate::guard;
use crate::print::warn;

pub(crate) use course::Course;
pub(crate) use growth::Growth;
pub(crate) use line::Line;
pub(crate) use log::Log;

/// Shows how far a run is and logs the layers it closes.
pub(crate) struct Watcher {
    line: Line,
    log: Option<Log>,
}

impl Watcher {
    /// Shows `line`, and writes `log` where one is asked for.
    pub(crate) fn new(line: Line, log: Option<Log>) -> Self {
        Watcher { line, log }
    }

    /// Takes the progress line away and completes the log.
    pub(crate) fn finish(self) {
        self.line.clear();
        if let Some(log) = self.log {
            log.finish();
        }
    }

    /// The same for a run that was refused: the log that is there stays.
    pub(crate) fn dismiss(self) {
        self.line.clear();
    }
}

impl<M: Model> Observer<M> for Watcher {
    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        if let Some(log) = &mut self.log {
            let course = self.line.course();
            let estimate = course.and_then(|course| course.estimate(layer.value, statistics));
            log.layer(layer, statistics, estimate);
        }
        Ok(())
    }

    fn saved(&mut self, saved: &Saved) {
        // A first one that fails ends the run and is reported as that.
        if let Some(error) = saved.error.as_ref().filter(|_| saved.written + saved.resumed > 0) {
            self.line.aside(|| warn(&format!("no checkpoint was written: {error}")));
        }
    }

    /// What is shown is not kept, and the log goes on in a file of its own.
    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        saved.is_empty()
    }

    fn answered(&mut self, name: &str, verdict: &'static str) {
        guard::answered(name, verdict);
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        guard::pulse(statistics);
        self.line.show(line, statistics);
    }
}
