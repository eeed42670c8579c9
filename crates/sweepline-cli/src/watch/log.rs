//! The log of a run: a line of CSV for each layer it closes.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sweepline::Statistics;
use sweepline::observe::ClosedLayer;

use super::line::Estimate;
use crate::failure::Failure;
use crate::output::Growing;
use crate::print::warn;

const HEADER: &str = "progress,states,held,peak,explored,seconds,done,left,done_most,left_least";

/// A log being written.
pub(crate) struct Log {
    file: PathBuf,
    out: Growing,
    /// The first write that failed; nothing is written after it.
    error: Option<io::Error>,
    started: Instant,
}

impl Log {
    /// A log in `file`, which is new with its first layer: a run that does not begin leaves what is there. That of
    /// a resumed run is added to the one that is there.
    pub(crate) fn create(file: &Path, resumed: bool) -> Result<Self, Failure> {
        let out = if resumed { Growing::go_on(file, HEADER) } else { Growing::new(file, HEADER) };
        let out = out.map_err(Failure::writing(file))?;
        Ok(Log { file: file.to_owned(), out, error: None, started: Instant::now() })
    }

    /// Adds a line for `layer`: the share of the states that is explored, at least and at most, and the seconds left,
    /// at most and at least. All four stay empty where there is no estimate.
    pub(super) fn layer(
        &mut self,
        layer: &ClosedLayer<'_>,
        statistics: &Statistics,
        estimate: Option<Estimate>,
    ) {
        if self.error.is_some() {
            return;
        }
        let value = layer.value.to_string();
        let quote = if value.contains(',') { "\"" } else { "" };
        let estimate = estimate.map_or(",,,".into(), |Estimate { share, left }| {
            format!("{:.3},{:.1},{:.3},{:.1}", share.least, left.most, share.most, left.least)
        });
        let line = format!(
            "{quote}{value}{quote},{},{},{},{},{:.6},{estimate}",
            layer.states,
            statistics.stored,
            statistics.peak_states,
            statistics.explored,
            self.started.elapsed().as_secs_f64()
        );
        self.error = self.out.line(&line).err();
    }

    /// Completes the file. A log that could not be written is a warning: the answers stand.
    pub(super) fn finish(self) {
        let Log { file, out, error, .. } = self;
        if let Some(error) = error.or_else(|| out.finish().err()) {
            warn(&format!("the log `{}` is incomplete: {error}", file.display()));
        }
    }
}
