//! Files that models and scripts write, put below the folder that the user names, and nowhere else.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes files below a folder: their names and texts. Names that mean the same file there share it.
pub(crate) fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    let mut written: Vec<PathBuf> = Vec::new();
    for (name, text) in files {
        let file = folder.join(below(name));
        let failed = |error| Failure::Write { file: file.clone(), error };
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let mut options = File::options();
        match written.contains(&file) {
            true => options.append(true),
            false => options.write(true).create(true).truncate(true),
        };
        let mut to = options.open(&file).map_err(failed)?;
        to.write_all(text).map_err(failed)?;
        written.push(file);
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
