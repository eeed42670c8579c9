//! Finds the corpora: models with known answers that are not part of the repository.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of the corpus `name`, or `None` if it does not contain `needed`.
///
/// The corpora are in `../shared/corpora` beside the repository, or in the folder that `SWEEPLINE_CORPORA` names. A test
/// that does not find its corpus is skipped, with a line on standard error that `cargo test` does not capture.
///
/// # Panics
/// Panics instead of skipping the test when `SWEEPLINE_NEEDS_CORPORA` is set to anything but `0`.
pub fn corpus(name: &str, needed: &str) -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpora = std::env::var_os("SWEEPLINE_CORPORA").unwrap_or("../shared/corpora".into());
    let folder = repository.join(corpora).join(name);
    if folder.join(needed).exists() {
        return Some(folder);
    }
    let missing = format!("there is no `{needed}` in {}", folder.display());
    let needs = std::env::var_os("SWEEPLINE_NEEDS_CORPORA").is_some_and(|value| value != "0");
    assert!(!needs, "{missing}, and SWEEPLINE_NEEDS_CORPORA is set");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Not `eprintln!`: the output of a test that passes is not shown.
    let _ = writeln!(std::io::stderr(), "\nSKIPPED {test}: {missing}");
    None
}
