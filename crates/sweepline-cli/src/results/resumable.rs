//! What a run can be resumed from, in the results.

use std::path::Path;

use serde::Serialize;
use sweepline::checkpoint::Saved;

/// A checkpoint that was left.
#[derive(Serialize, Debug)]
pub(super) struct Resumable {
    pub(super) file: String,
    /// States explored when it was written.
    pub(super) explored: u64,
    /// Why no later one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    /// The command that continues the run.
    pub(super) command: String,
}

impl Resumable {
    pub(super) fn new(saved: &Saved, model: &Path) -> Self {
        let (model, file) = (quoted(model), quoted(&saved.file));
        Resumable {
            file: saved.file.display().to_string(),
            explored: saved.explored,
            error: saved.error.as_ref().map(ToString::to_string),
            command: format!("sweepline check {model} --resume {file}"),
        }
    }
}

/// A path quoted for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=,@%".contains(c);
    match text.chars().all(plain) && !text.starts_with('-') {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
