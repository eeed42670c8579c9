//! What a person reads: links lead somewhere, and phrases that are never right do not occur.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;

/// Phrases with a plain replacement, in lower case.
const NEVER: [&str; 12] = [
    "unless told",
    " are one ",
    "leads back",
    "lead back",
    "believed",
    "believe ",
    "nobody",
    "switched off",
    "is said to be",
    "comes round",
    "goes round",
    "violated  deadlock  deadlock",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below `folder` with this extension, without what is built there.
fn files(folder: &Path, extension: &str, into: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder can be read");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !["target", "tests", ".git"].contains(&name) {
            if path != root().join("book/book") {
                files(&path, extension, into);
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            into.push(path);
        }
    }
}

fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    files(&root(), "md", &mut pages);
    pages.sort();
    pages
}

#[track_caller]
fn plain(place: &str, text: &str, wrong: &mut Vec<String>) {
    // A phrase may go on in the next line.
    let words = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    for phrase in NEVER.iter().filter(|phrase| words.contains(**phrase)) {
        wrong.push(format!("{place}: `{phrase}`"));
    }
}

#[test]
fn pages_and_help_avoid_phrases_that_are_never_right() {
    let mut wrong = Vec::new();
    for page in pages().iter().filter(|page| !page.starts_with(root().join("docs/decisions"))) {
        let text = std::fs::read_to_string(page).expect("a page can be read");
        plain(&page.display().to_string(), &text, &mut wrong);
    }
    let verbs =
        "check report progress info graph simulate serve compare convert compile format ml help";
    for verb in verbs.split(' ') {
        let help = cargo_bin_cmd!("sweepline").args([verb, "--help"]).output().expect("it runs");
        plain(verb, &String::from_utf8_lossy(&help.stdout), &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_avoid_phrases_that_are_never_right() {
    let (mut sources, mut wrong) = (Vec::new(), Vec::new());
    files(&root().join("crates"), "rs", &mut sources);
    for source in &sources {
        let text = std::fs::read_to_string(source).expect("a source can be read");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in (1..).zip(text.lines()) {
            let quoted: String = line.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
            plain(&format!("{}:{number}", source.display()), &quoted, &mut wrong);
        }
    }
    assert!(sources.len() > 100 && wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The anchors of a page, as GitHub and mdbook make them of headings.
fn anchors(page: &Path) -> HashSet<String> {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let (mut anchors, mut in_block) = (HashSet::new(), false);
    for line in text.lines() {
        in_block ^= line.starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !in_block) {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
            anchors.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    anchors
}

/// The addresses of the links in a page.
fn links(text: &str) -> Vec<&str> {
    let mut in_block = false;
    let lines = text.lines().filter(|line| {
        in_block ^= line.starts_with("```");
        !in_block
    });
    let parts = lines.flat_map(|line| line.split("](").skip(1));
    parts.filter_map(|rest| rest.split_once(')')).map(|(address, _)| address).collect()
}

#[test]
fn links_lead_somewhere() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page can be read");
        let folder = page.parent().expect("a page is in a folder");
        let inner = links(&text).into_iter().filter(|link| !link.contains("://"));
        for link in inner.filter(|link| !link.contains(' ')) {
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            let is_there =
                target.exists() && (anchor.is_empty() || anchors(&target).contains(anchor));
            if !is_there {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(checked > 50 && wrong.is_empty(), "{checked} links:\n{}", wrong.join("\n"));
}
