//! The head of a checkpoint: the data that identifies its run, and a summary for the caller.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Error, Reader};

/// The first part of a checkpoint, readable without the rest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The content of [`Checkpoint::note`](super::Checkpoint::note).
    pub note: String,
    /// How often the run was resumed before this was written.
    pub resumed: u64,
    /// States explored.
    pub explored: u64,
    /// Time taken.
    pub elapsed: Duration,
    pub(crate) identity: Identity,
}

impl Head {
    /// Reads the head of the checkpoint `file`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a checkpoint, has another version, or is damaged in its head.
    pub fn read(file: &Path) -> Result<Self, Error> {
        Reader::open(file)?.item()
    }

    /// The fingerprint that the run was given.
    pub fn fingerprint(&self) -> u64 {
        self.identity.fingerprint
    }
}

/// The data that must be equal for a run to be resumed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) fingerprint: u64,
    /// A fingerprint of the first states that the model reaches, their edges and their progress.
    pub(crate) beginning: u64,
    pub(crate) columns: usize,
    pub(crate) window: u64,
    pub(crate) gc: Option<u64>,
    pub(crate) anchor: u64,
    pub(crate) monotone: String,
    pub(crate) witness: String,
    pub(crate) questions: Vec<(String, String)>,
}

impl Identity {
    /// Compares the run `there`, which wrote the checkpoint `file`, with the run `self`. An error if they
    /// differ.
    pub(crate) fn compare(&self, there: &Identity, file: &Path) -> Result<(), Error> {
        for ((what, there), (_, here)) in there.options().into_iter().zip(self.options()) {
            if there != here {
                return Err(Error::OtherRun { file: file.to_owned(), what, there, here });
            }
        }
        match self == there {
            true => Ok(()),
            false => Err(Error::OtherModel { file: file.to_owned() }),
        }
    }

    /// The options that a user can set, as text.
    fn options(&self) -> [(&'static str, String); 6] {
        let gc = self.gc.map_or("at every step".into(), |n| format!("after {n}"));
        let each = self.questions.iter().map(|(name, kind)| format!("{kind} `{name}`"));
        let questions = each.collect::<Vec<_>>().join(", ");
        [
            ("window", self.window.to_string()),
            ("garbage collection", gc),
            ("anchor", self.anchor.to_string()),
            ("treatment of regress edges", self.monotone.clone()),
            ("witness mode", self.witness.clone()),
            ("list of properties", if questions.is_empty() { "none".into() } else { questions }),
        ]
    }
}
