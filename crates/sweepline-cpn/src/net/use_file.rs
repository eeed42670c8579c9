//! Files that a model uses: read from its own folder, and nowhere else.

use std::path::{Component, Path, PathBuf};

use crate::problem::Problem;
use crate::source::{Limits, Origin};

/// Files within files within files.
const MAX_NESTED: usize = 20;

/// The files that are being read, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    open: Vec<PathBuf>,
}

impl Reading {
    /// Reads a file of the folder, unless it is being read already. [`Reading::close`] must follow.
    pub(super) fn open(
        &mut self,
        folder: Option<&Path>,
        name: &str,
        limits: &Limits,
    ) -> Result<Origin, Problem> {
        let refused = |reason: &str| {
            let (file, reason) = (super::names::shown(name), reason.to_owned());
            Problem::UseRefused { file, reason }
        };
        let folder = folder.ok_or_else(|| refused("the model was not read from a folder"))?;
        let relative = Path::new(name);
        let is_inside = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !is_inside || name.is_empty() {
            return Err(refused("only files in the folder of the model are read"));
        }
        let missing = |error: std::io::Error| refused(&error.to_string());
        let folder = folder.canonicalize().map_err(missing)?;
        let path = folder.join(relative).canonicalize().map_err(missing)?;
        // A symbolic link may lead out of the folder.
        if !path.starts_with(&folder) {
            return Err(refused("it is a link out of the folder of the model"));
        }
        if self.open.contains(&path) {
            return Err(refused("it uses itself"));
        }
        if self.open.len() == MAX_NESTED {
            return Err(refused("files use files more than 20 deep"));
        }
        if !path.metadata().map_err(missing)?.is_file() {
            return Err(refused("it is not a file"));
        }
        let origin =
            Origin::load(&path, limits).map_err(|problem| refused(&problem.to_string()))?;
        self.open.push(path);
        Ok(Origin { name: name.into(), ..origin })
    }

    pub(super) fn close(&mut self) {
        self.open.pop();
    }
}
