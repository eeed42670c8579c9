//! Models from a pipe. A pipe can be read only once, so its content is buffered.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use sweepline_source::{names_pipe, read_bytes};

use super::guess;
use crate::args::{Format, Input};
use crate::failure::Failure;

/// The bytes of a model from a pipe; empty for a file, which each reader opens itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piped(OnceLock<Option<Arc<[u8]>>>);

impl Piped {
    /// What is in the pipe at `path`, if it is one.
    pub(crate) fn read(&self, path: &Path, max_bytes: u64) -> Result<Option<&[u8]>, Failure> {
        if self.0.get().is_none() {
            let bytes = match names_pipe(path) {
                true => Some(read_bytes(path, max_bytes).map_err(Failure::reading(path))?.into()),
                false => None,
            };
            _ = self.0.set(bytes);
        }
        Ok(self.0.get().and_then(Option::as_deref))
    }
}

impl Input {
    /// The bytes of the model, if it comes through a pipe.
    pub(crate) fn piped(&self) -> Result<Option<&[u8]>, Failure> {
        self.piped.read(&self.file, self.max_input)
    }

    /// The format of the model: from `--format`, or guessed.
    pub(crate) fn model_format(&self) -> Result<Format, Failure> {
        match self.format {
            Some(format) => Ok(format),
            None => guess(&self.file, self.piped()?),
        }
    }
}
