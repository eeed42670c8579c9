//! The chapters of the book, which the binary carries.

use crate::print::{BOLD, FAINT, styled};

macro_rules! chapters {
    ($($topic:literal),* $(,)?) => {
        &[$(($topic, include_str!(concat!("../../../../book/src/", $topic, ".md")))),*]
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

/// A chapter for a terminal: headings in bold, blocks indented, links by their words.
pub(super) fn in_terminal(chapter: &str) -> String {
    let (mut text, mut in_block) = (String::new(), false);
    for line in chapter.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
            continue;
        }
        let shown = match line.trim_start_matches('#') {
            _ if in_block => styled(FAINT, format_args!("    {line}")),
            heading if heading.len() < line.len() => styled(BOLD, heading.trim_start()),
            _ => without_links(line),
        };
        text.push_str(&shown);
        text.push('\n');
    }
    text
}

/// `[words](address)` becomes `words`.
fn without_links(line: &str) -> String {
    let (mut text, mut rest) = (String::new(), line);
    while let Some((before, from)) = rest.split_once('[') {
        text.push_str(before);
        let link = from.split_once("](").and_then(|(words, after)| {
            let (_, after) = after.split_once(')')?;
            (!words.contains(['[', ']'])).then_some((words, after))
        });
        match link {
            Some((words, after)) => (text, rest) = (text + words, after),
            None => (text, rest) = (text + "[", from),
        }
    }
    text + rest
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
            text.push_str(&format!("\n{}\n{}\n", styled(BOLD, label), wrapped(&sentences)));
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

/// The text in lines of at most 98 characters, indented.
fn wrapped(text: &str) -> String {
    let (mut lines, mut line) = (String::new(), String::from(" "));
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > 98 {
            lines.push_str(&line);
            line = String::from("\n ");
        }
        line.push(' ');
        line.push_str(word);
    }
    lines + &line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_one_for_each_page_of_the_book() {
        let summary = include_str!("../../../../book/src/SUMMARY.md");
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

    #[test]
    fn links_become_their_words() {
        assert_eq!(
            without_links("see [the *book*](a.md#b), `x[1]` and [y"),
            "see the *book*, `x[1]` and [y"
        );
        assert_eq!(in_terminal("# A\n\n```sh\nls\n```\n[b](c)\n").lines().count(), 4);
    }
}
