//! Watching a run: the progress line on a terminal, and the log of layers.

mod line;
mod log;

use sweepline::observe::{ClosedLayer, Flow, Observer};
use sweepline::{Model, Statistics, Value};

pub(crate) use line::{Course, Line};
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
}

impl<M: Model> Observer<M> for Watcher {
    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        if let Some(log) = &mut self.log {
            log.layer(layer, statistics);
        }
        Flow::Continue(())
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        self.line.show(line, statistics);
    }
}
