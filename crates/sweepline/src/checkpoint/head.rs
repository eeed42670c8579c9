//! The head of a checkpoint: what tells one run from another, and what a caller wants to know first.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Error, Reader};

/// The first part of a checkpoint, readable without the rest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// What the caller put into [`Checkpoint::note`](super::Checkpoint::note).
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
    /// When the file cannot be read, is no checkpoint or one of another version, or is damaged here.
    pub fn read(file: &Path) -> Result<Self, Error> {
        Reader::open(file)?.item()
    }

    /// The fingerprint that the run was given.
    pub fn fingerprint(&self) -> u64 {
        self.identity.fingerprint
    }
}

/// What must agree for a run to go on as if it had not stopped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) fingerprint: u64,
    /// Of the first states that the model reaches, their edges and their progress.
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
    /// Refuses the checkpoint `file` of the run `there` for the run `self`.
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

    /// What a user chooses, in words.
    fn options(&self) -> [(&'static str, String); 6] {
        let gc = self.gc.map_or("at every step".into(), |n| format!("after {n}"));
        let each = self.questions.iter().map(|(name, kind)| format!("{kind} `{name}`"));
        let questions = each.collect::<Vec<_>>().join(", ");
        [
            ("window", self.window.to_string()),
            ("collection", gc),
            ("anchor", self.anchor.to_string()),
            ("treatment of regress edges", self.monotone.clone()),
            ("way to keep witnesses", self.witness.clone()),
            ("list of questions", if questions.is_empty() { "none".into() } else { questions }),
        ]
    }
}
