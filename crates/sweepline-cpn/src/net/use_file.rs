//! Files that a model uses. They are read only from the model's own folder and the folders of `--include`.

use std::path::{Path, PathBuf};

use sweepline_source::{Allowance, Source};

use crate::limits::Limits;
use crate::problem::Problem;

/// The deepest nesting of `use`.
const MAX_NESTED: usize = 20;

/// The files being read, outermost first.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    open: Vec<PathBuf>,
    allowance: Allowance,
}

impl Reading {
    /// No file has been read yet, for a model of `n_bytes` bytes.
    pub(super) fn new(limits: &Limits, n_bytes: usize) -> Self {
        Reading { open: Vec::new(), allowance: Allowance::new(limits.max_bytes, n_bytes) }
    }

    /// Reads a file from one of the folders, unless it is being read already. [`Reading::close`] must follow.
    pub(super) fn open(
        &mut self,
        folders: &[&Path],
        name: &str,
        limits: &Limits,
    ) -> Result<Source, Problem> {
        let refused = |reason: &str| {
            let (file, reason) = (super::names::shown(name), reason.to_owned());
            Problem::UseRefused { file, reason }
        };
        if folders.is_empty() {
            return Err(refused("the model was not read from a file, so it has no folder"));
        }
        let path = find(folders, name).map_err(refused)?;
        if self.open.contains(&path) {
            return Err(refused("the file uses itself"));
        }
        if self.open.len() == MAX_NESTED {
            return Err(refused("`use` is nested more than 20 deep"));
        }
        let origin = self.allowance.load(&path, &limits.rules());
        let origin = origin.map_err(|fault| refused(&fault.to_string()))?;
        self.open.push(path);
        Ok(Source { name: name.into(), ..origin })
    }

    pub(super) fn close(&mut self) {
        self.open.pop();
    }
}

/// Finds a file by its name. Models are moved between machines, so only the end of a path counts: the longest
/// suffix that exists in a folder, in the first folder that has it.
fn find(folders: &[&Path], name: &str) -> Result<PathBuf, &'static str> {
    let parts: Vec<&str> =
        name.split(['/', '\\']).filter(|part| !["", "."].contains(part)).collect();
    let from = parts.iter().rposition(|part| *part == "..").map_or(0, |at| at + 1);
    let mut reason = "there is no such file";
    for start in from..parts.len() {
        let relative: PathBuf = parts[start..].iter().collect();
        for folder in folders.iter().filter_map(|folder| folder.canonicalize().ok()) {
            match folder.join(&relative).canonicalize() {
                // A symbolic link may point outside the folder.
                Ok(path) if !path.starts_with(&folder) => {
                    reason = "it is a link to a file outside the folder";
                }
                Ok(path) if !path.is_file() => reason = "it is not a regular file",
                Ok(path) => return Ok(path),
                Err(_) => {}
            }
        }
    }
    Err(reason)
}
