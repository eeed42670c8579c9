//! A chapter of the book as text for a terminal: headings in bold, paragraphs wrapped, tables in columns.

use crate::print::{BOLD, FAINT, styled};

/// Characters in a line.
const WIDTH: usize = 98;

/// The chapter as text.
pub(super) fn in_terminal(chapter: &str) -> String {
    let mut text = String::new();
    let mut lines = chapter.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                text.push_str(&styled(FAINT, format_args!("    {line}")));
                text.push('\n');
            }
        } else if line.starts_with('#') {
            text.push_str(&styled(BOLD, line.trim_start_matches('#').trim_start()));
            text.push('\n');
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            text.push_str(&table(&rows));
        } else {
            let mut paragraph = line.to_owned();
            let goes_on = |line: &&str| {
                let begins = ["```", "#", "|", "- ", "1. "];
                !line.is_empty() && !begins.iter().any(|mark| line.starts_with(mark))
            };
            while let Some(line) = lines.next_if(|line| !paragraph.is_empty() && goes_on(line)) {
                paragraph = paragraph + " " + line.trim_start();
            }
            let indent = if paragraph.starts_with("- ") { 2 } else { 0 };
            text.push_str(&wrapped(&without_links(&paragraph), indent, WIDTH));
            text.push('\n');
        }
    }
    text
}

/// The rows of a table, with columns that line up; the last column is wrapped.
fn table(rows: &[&str]) -> String {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).collect();
    let is_rule = |row: &[String]| row.iter().all(|cell| cell.trim_matches([':', '-']).is_empty());
    let rows: Vec<_> = rows.into_iter().filter(|row| !is_rule(row)).collect();
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..n_columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let (last, first) = row.split_last().map_or(("", &[][..]), |(last, first)| (last, first));
        let padded = first.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  "));
        let line = padded.collect::<String>();
        let indent = line.chars().count() + 2;
        // Beside columns that fill the line, the last one would have no room.
        let width = WIDTH.max(indent + 30);
        let line = wrapped(&format!("  {line}{last}"), indent, width);
        text.push_str(&if number == 0 { styled(BOLD, line) } else { line });
        text.push('\n');
    }
    text
}

/// The cells of a row; `\|` is a bar in a cell.
fn cells(row: &str) -> Vec<String> {
    let row = row.replace("\\|", "\u{0}");
    let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
    inner.split('|').map(|cell| without_links(&cell.trim().replace('\u{0}', "|"))).collect()
}

/// `[words](address)` becomes `words`.
pub(super) fn without_links(line: &str) -> String {
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

/// `text` in lines of at most `width` characters, all but the first indented. Blanks at the start and between
/// words that share a line stay.
pub(super) fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split_inclusive(' ') {
        let length = line.chars().count() + word.trim_end().chars().count();
        if length > width && line.chars().count() > indent {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line = " ".repeat(indent);
        }
        line.push_str(word);
    }
    lines + line.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_their_words() {
        assert_eq!(
            without_links("see [the *book*](a.md#b), `x[1]` and [y"),
            "see the *book*, `x[1]` and [y"
        );
    }

    #[test]
    fn paragraphs_are_joined_and_blocks_indented() {
        let text = anstream::adapter::strip_str(&in_terminal(
            "# A\n\na\nb\n\n```sh\nls\n\n```\n- c\n- d\n",
        ))
        .to_string();
        assert_eq!(text, "A\n\na b\n\n    ls\n    \n- c\n- d\n");
    }

    #[test]
    fn tables_line_up() {
        let long = "word ".repeat(30);
        let rows = format!("| a | b |\n|---|---:|\n| `x\\|y` | {long} |\n");
        let text = anstream::adapter::strip_str(&in_terminal(&rows)).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "  a      b");
        assert!(lines[1].starts_with("  `x|y`  word word"));
        assert!(lines[2].starts_with("         word") && lines.iter().all(|l| l.len() <= WIDTH));
    }
}
