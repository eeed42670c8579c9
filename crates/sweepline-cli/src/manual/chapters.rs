//! The chapters of the book, which the binary carries.

use super::terminal::{without_links, wrapped};
use crate::print::{BOLD, styled};

macro_rules! chapters {
    ($($topic:literal),* $(,)?) => {
        &[$(($topic, include_str!(concat!("../../chapters/", $topic, ".md")))),*]
    };
}

/// The topics of `sweepline help`, in the order of the book, with their chapters.
pub(super) const CHAPTERS: &[(&str, &str)] = chapters![
    "first-check",
    "output",
    "progress",
    "rust",
    "pnml",
    "cpn-tools",
    "cpn-ml",
    "text-form",
    "csp",
    "safety",
    "liveness",
    "ltl",
    "ctl",
    "reductions",
    "equivalence",
    "checkpoints",
    "serve",
    "report",
    "drawings",
    "scripts",
    "ci",
    "reference",
    "how-it-works",
];

/// The title of a chapter.
pub(super) fn title(chapter: &str) -> &str {
    chapter.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default()
}

/// The meaning of each line of `results`: the sentences of the chapter "Reading the output" for each label.
pub(crate) fn explained(results: &str) -> String {
    let (_, chapter) = CHAPTERS.iter().find(|(topic, _)| *topic == "output").expect("a chapter");
    let plain = anstream::adapter::strip_str(results).to_string();
    let mut text = String::from("\nWhat these lines mean (`sweepline help output` has more):\n");
    for (label, sentences) in entries(chapter) {
        let is_label = |line: &str| {
            let rest = line.strip_prefix(label);
            rest.is_some_and(|rest| rest.starts_with("  ") || rest.starts_with(':'))
        };
        if plain.lines().any(is_label) {
            let sentences = wrapped(&format!("  {sentences}"), 2, 98);
            text.push_str(&format!("\n{}\n{sentences}\n", styled(BOLD, label)));
        }
    }
    text
}

/// The labels of the chapter, each with the paragraph below it.
fn entries(chapter: &str) -> impl Iterator<Item = (&str, String)> {
    chapter.split("\n### `").skip(1).filter_map(|entry| {
        let (label, rest) = entry.split_once("`\n")?;
        let paragraph = rest.trim_start().split("\n\n").next().unwrap_or_default();
        Some((label, without_links(&paragraph.replace('\n', " "))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_one_for_each_page_of_the_book() {
        let summary = include_str!("../../chapters/SUMMARY.md");
        let listed: Vec<&str> = summary
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(".md)"))
            .map(|p| p.0)
            .collect();
        let topics: Vec<&str> = CHAPTERS.iter().map(|(topic, _)| *topic).collect();
        assert_eq!(listed, topics);
        assert!(CHAPTERS.iter().all(|(_, chapter)| !title(chapter).is_empty()));
    }
}
