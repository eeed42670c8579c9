//! Watching a run: the progress line on a terminal, and the log of layers.

mod estimate;
mod growth;
mod line;
mod live;
mod log;
mod words;

use sweepline::checkpoint::Saved;
use sweepline::observe::{ClosedLayer, Flow, Fork, Observer};
use sweepline::{Model, Statistics, Value};

use crate::guard;
use crate::print::warn;

pub(crate) use estimate::Extent;
pub(crate) use growth::Growth;
pub(crate) use line::{Line, Searching};
pub(crate) use live::{Live, Moment, Stored};
pub(crate) use log::Log;

/// Shows the progress line of a run and logs the layers it closes.
pub(crate) struct Watcher<'a> {
    line: Line<'a>,
    log: Option<Log>,
}

impl<'a> Watcher<'a> {
    /// Shows `line`, and writes `log` if there is one.
    pub(crate) fn new(line: Line<'a>, log: Option<Log>) -> Self {
        Watcher { line, log }
    }

    /// Removes the progress line and completes the log.
    pub(crate) fn finish(self) {
        self.line.clear();
        if let Some(log) = self.log {
            log.finish();
        }
    }

    /// The same for a run that was rejected: an existing log stays as it is.
    pub(crate) fn dismiss(self) {
        self.line.clear();
    }
}

impl<M: Model> Observer<M> for Watcher<'_> {
    fn level(&mut self, line: &Value, statistics: &Statistics) -> Flow {
        self.line.advance(line, statistics.explored);
        Ok(())
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        if let Some(log) = &mut self.log {
            log.layer(layer, statistics, self.line.estimate(statistics));
        }
        Ok(())
    }

    fn saved(&mut self, saved: &Saved) {
        // If the first one fails, the run ends and reports that.
        if let Some(error) = saved.error.as_ref().filter(|_| saved.written + saved.resumed > 0) {
            self.line.aside(|| warn(&format!("no checkpoint was written: {error}")));
        }
    }

    /// It counts states by the statistics of the run.
    fn fork<'s>(&'s self, _model: &'s M) -> Option<Fork<'s, M>> {
        Some(Box::new(()))
    }

    /// The line is not saved, and the log is a file of its own.
    fn save(&self, _model: &M) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn merge(&mut self, _model: &M, saved: &[u8]) -> bool {
        saved.is_empty()
    }

    fn answered(&mut self, name: &str, verdict: &'static str) {
        guard::answered(name, verdict);
        self.line.answered();
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        guard::pulse(statistics);
        self.line.show(line, statistics);
    }
}
