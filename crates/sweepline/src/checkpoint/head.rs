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
        let other = |what, there: String, here: String| {
            Err(Error::OtherRun { file: file.to_owned(), what, there, here })
        };
        if self.window != there.window {
            return other("window", there.window.to_string(), self.window.to_string());
        }
        if self.gc != there.gc {
            let shown =
                |gc: Option<u64>| gc.map_or("at every step".into(), |n| format!("after {n}"));
            return other("collection", shown(there.gc), shown(self.gc));
        }
        if self.anchor != there.anchor {
            return other("anchor", there.anchor.to_string(), self.anchor.to_string());
        }
        if self.monotone != there.monotone {
            return other(
                "treatment of regress edges",
                there.monotone.clone(),
                self.monotone.clone(),
            );
        }
        if self.witness != there.witness {
            return other("way to keep witnesses", there.witness.clone(), self.witness.clone());
        }
        if self.questions != there.questions {
            let list = |all: &[(String, String)]| {
                let each: Vec<String> = all.iter().map(|(n, k)| format!("{k} `{n}`")).collect();
                if each.is_empty() { "none".into() } else { each.join(", ") }
            };
            return other("list of questions", list(&there.questions), list(&self.questions));
        }
        if self != there {
            return Err(Error::OtherModel { file: file.to_owned() });
        }
        Ok(())
    }
}
