//! The shape of the house: which room may use which, and how long a file may be.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// The rooms, and the only ones each may depend on. Tests may use the testkit besides.
const ALLOWED: [(&str, &[&str]); 13] = [
    ("sweepline", &[]),
    ("sweepline-source", &[]),
    ("sweepline-guard", &[]),
    ("sweepline-serve", &[]),
    ("sweepline-gpu", &["sweepline"]),
    ("sweepline-query", &["sweepline-source"]),
    ("sweepline-ml", &["sweepline-source"]),
    (
        "sweepline-cpn",
        &["sweepline", "sweepline-ml", "sweepline-pnml", "sweepline-query", "sweepline-source"],
    ),
    ("sweepline-lts", &["sweepline", "sweepline-source"]),
    ("sweepline-pnml", &["sweepline", "sweepline-query", "sweepline-source"]),
    ("sweepline-testkit", &["sweepline"]),
    (
        "sweepline-cli",
        &[
            "sweepline",
            "sweepline-cpn",
            "sweepline-gpu",
            "sweepline-guard",
            "sweepline-lts",
            "sweepline-ml",
            "sweepline-pnml",
            "sweepline-query",
            "sweepline-serve",
            "sweepline-source",
            "sweepline-timely",
        ],
    ),
    ("sweepline-timely", &["sweepline"]),
];

/// A file longer than this wants to be two.
const MOST_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn rooms_depend_only_downwards() {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec();
    let metadata = metadata.expect("cargo metadata");
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into_iter().collect();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let rooms =
            allowed.get(name).unwrap_or_else(|| panic!("`{name}` is a room nobody planned"));
        for dependency in &package.dependencies {
            let to = dependency.name.as_str();
            let test_only = dependency.kind == DependencyKind::Development;
            let fine = !to.starts_with("sweepline")
                || rooms.contains(&to)
                || (test_only && to == "sweepline-testkit");
            assert!(fine, "`{name}` must not depend on `{to}`");
        }
    }
}

/// People look messages up by their codes.
#[test]
fn no_code_is_used_twice() {
    let mut files = Vec::new();
    rust_files(&root().join("crates"), &mut files);
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        if file.to_string_lossy().contains("tests") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a source file");
        for part in text.split("\"SWL-").skip(1) {
            let code = part.split('"').next().expect("a first part");
            *codes.entry(code.to_owned()).or_default() += 1;
        }
    }
    assert!(codes.len() > 150, "only {} codes found", codes.len());
    // An id that is used twice, and the place of its first use, which is shown with it.
    assert_eq!(codes.remove("PNML-0018"), Some(2));
    let twice: Vec<_> = codes.iter().filter(|(_, n)| **n > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn files_are_short() {
    let mut files = Vec::new();
    for folder in ["crates", "benches/peers/src", "fuzz"] {
        rust_files(&root().join(folder), &mut files);
    }
    assert!(files.len() > 40, "only {} files found", files.len());
    for file in files {
        let lines = std::fs::read_to_string(&file).expect("a source file").lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", file.display());
    }
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("a folder entry").path()) {
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
