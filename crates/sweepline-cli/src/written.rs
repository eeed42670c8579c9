//! Files that models and scripts write, put below the folder that the user names, and nowhere else.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::output::NewFile;

/// Writes files below a folder: their names and texts. Names that mean the same file there share it.
pub(crate) fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    let mut texts: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for (name, text) in files {
        let file = folder.join(below(name));
        match texts.iter_mut().find(|(other, _)| *other == file) {
            Some((_, before)) => before.extend_from_slice(text),
            None => texts.push((file, text.clone())),
        }
    }
    for (file, text) in texts {
        let failed = Failure::writing(&file);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(&failed)?;
        }
        NewFile::save(&file, text).map_err(&failed)?;
    }
    Ok(())
}

/// The path below a folder that a name stands for: without a root, a drive and steps up.
fn below(name: &str) -> PathBuf {
    let parts = name.split(['/', '\\', '\0']);
    let parts = parts.filter(|part| !["", ".", ".."].contains(part) && !part.ends_with(':'));
    let path: PathBuf = parts.collect();
    if path.as_os_str().is_empty() { PathBuf::from("output") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_lead_out_of_the_folder() {
        for (name, expected) in [
            ("log.txt", "log.txt"),
            ("./a/../b.txt", "a/b.txt"),
            ("/etc/passwd", "etc/passwd"),
            ("C:\\models\\x.csv", "models/x.csv"),
            ("../../x", "x"),
            ("..", "output"),
            ("", "output"),
        ] {
            assert_eq!(below(name), Path::new(expected), "{name}");
        }
    }
}
