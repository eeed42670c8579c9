//! The log of a run: a line of CSV for each layer it closes.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sweepline::Statistics;
use sweepline::observe::ClosedLayer;

use super::course::Estimate;
use crate::failure::Failure;
use crate::print::warn;

const HEADER: &str = "progress,states,held,peak,explored,seconds,done,left";

/// A log being written.
pub(crate) struct Log {
    file: PathBuf,
    out: BufWriter<File>,
    /// The first write that failed; nothing is written after it.
    error: Option<io::Error>,
    started: Instant,
}

impl Log {
    /// Starts a log in `file`.
    pub(crate) fn create(file: &Path) -> Result<Self, Failure> {
        let failure = Failure::writing(file);
        let mut out = BufWriter::new(File::create(file).map_err(&failure)?);
        writeln!(out, "{HEADER}").map_err(&failure)?;
        Ok(Log { file: file.to_owned(), out, error: None, started: Instant::now() })
    }

    /// Adds a line for `layer`; the share of the way that is done and the seconds left stay empty where
    /// they cannot be told.
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
        let (done, left) = estimate.map_or_else(Default::default, |estimate| {
            (format!("{:.3}", estimate.share), format!("{:.1}", estimate.left.as_secs_f64()))
        });
        let written = writeln!(
            self.out,
            "{quote}{value}{quote},{},{},{},{},{:.6},{done},{left}",
            layer.states,
            statistics.held,
            statistics.peak_states,
            statistics.explored,
            self.started.elapsed().as_secs_f64()
        );
        self.error = written.err();
    }

    /// Completes the file. A log that could not be written is a warning: the answers stand.
    pub(super) fn finish(mut self) {
        if let Some(error) = self.error.take().or_else(|| self.out.flush().err()) {
            warn(&format!("the log `{}` is incomplete: {error}", self.file.display()));
        }
    }
}
