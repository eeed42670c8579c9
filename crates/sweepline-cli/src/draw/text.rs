//! Texts of a drawing: how wide they are, and where they are broken.

use super::layers::Size;
use super::svg::LINE;

/// The width of a character of a font with one width, in parts of its size; what common fonts have, and a
/// little more.
const ADVANCE: f64 = 0.62;

/// The columns that a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(column).sum()
}

/// Letters of East Asia and most symbols take two.
fn column(c: char) -> usize {
    if ('\u{1100}'..='\u{115F}').contains(&c) || c >= '\u{2E80}' { 2 } else { 1 }
}

/// The width of a text in a font of this size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    columns(text) as f64 * size * ADVANCE
}

/// The width of the widest of some lines.
pub(crate) fn widest<'a>(lines: impl IntoIterator<Item = &'a String>, size: f64) -> f64 {
    lines.into_iter().map(|line| width(line, size)).fold(0.0, f64::max)
}

/// What some lines take in a font of this size.
pub(crate) fn size_of(lines: &[String], size: f64) -> Size {
    (widest(lines, size), lines.len() as f64 * size * LINE)
}

/// Breaks a text into lines of at most `most` columns, further ones indented: behind spaces, commas and `++`
/// where there are some. What does not fit into `n_lines` ends in `…`.
pub(crate) fn wrap(text: &str, most: usize, n_lines: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut parts = text.lines().peekable();
    while let Some(part) = parts.next() {
        let mut rest = part.trim_end();
        let mut indent = "";
        loop {
            let room = most - indent.len();
            let (line, after) = split(rest, room);
            if lines.len() + 1 == n_lines && (!after.is_empty() || parts.peek().is_some()) {
                let kept: String = prefix(line, room - 1).to_owned();
                lines.push(format!("{indent}{}…", kept.trim_end()));
                return lines;
            }
            lines.push(format!("{indent}{}", line.trim_end()));
            rest = after;
            indent = "  ";
            if rest.is_empty() {
                break;
            }
        }
    }
    lines
}

/// The longest start of at most `most` columns.
fn prefix(text: &str, most: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += column(c);
        if used > most {
            return &text[..at];
        }
    }
    text
}

/// The first line of a text, and the rest.
fn split(text: &str, most: usize) -> (&str, &str) {
    let fits = prefix(text, most);
    if fits.len() == text.len() {
        return (text, "");
    }
    let behind = |mark: &str| fits.rfind(mark).map(|at| at + mark.len());
    let best = [" ", ",", "++"].into_iter().filter_map(behind).max();
    // A line that is nearly empty is no gain. One character fits even where none does.
    let first = text.chars().next().map_or(0, char::len_utf8);
    let at = best.filter(|&at| at * 3 > fits.len()).unwrap_or(fits.len()).max(first);
    (&text[..at], text[at..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_where_they_may_be() {
        assert_eq!(
            wrap("A: 1`(1,\"x\")++1`(2,\"y\")", 16, 9),
            ["A: 1`(1,\"x\")++", "  1`(2,\"y\")"]
        );
        assert_eq!(wrap("short", 16, 9), ["short"]);
        assert_eq!(wrap("abcdefghijkl", 6, 2), ["abcdef", "  ghi…"]);
        assert_eq!(wrap("a\nb\nc", 6, 2), ["a", "b…"]);
        assert_eq!(wrap("a\nb", 6, 2), ["a", "b"]);
        assert_eq!(wrap("", 6, 2), Vec::<String>::new());
        assert_eq!(wrap("日本語日本語", 6, 9), ["日本語", "  日本", "  語"]);
    }

    #[test]
    fn no_line_is_too_long_and_nothing_is_lost() {
        for seed in 0..300 {
            let mut random = fastrand::Rng::with_seed(seed);
            let some =
                |random: &mut fastrand::Rng| *random.choice(&['a', 'ß', '語', ',', '+']).unwrap();
            let text: String = (0..random.usize(0..60)).map(|_| some(&mut random)).collect();
            let lines = wrap(&text, 12, usize::MAX);
            assert!(lines.iter().all(|line| columns(line) <= 12), "{text}: {lines:?}");
            let again: String = lines.iter().map(|line| line.trim_start()).collect();
            assert_eq!(again, text);
            let n_lines = random.usize(1..4);
            assert!(wrap(&text, 12, n_lines).len() <= n_lines);
        }
    }
}
