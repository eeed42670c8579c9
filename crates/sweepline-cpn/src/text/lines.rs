//! The lines of a page. A line belongs to the nearest line above it that is indented less.

use std::ops::Range;

use sweepline_query::scan::{comment_end, starts_comment};
use sweepline_source::Text;

use super::scan::is_apart;

/// A line: the offsets of its start, its first word, and its end.
#[derive(Clone, Debug)]
pub(super) struct RawLine {
    margin: usize,
    start: usize,
    end: usize,
}

impl RawLine {
    /// The column of its first word.
    pub(super) fn indent(&self) -> usize {
        self.start - self.margin
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    fn is_blank(&self) -> bool {
        self.start == self.end
    }
}

/// Comments and blank lines before a part.
#[derive(Default)]
pub(super) struct Lead {
    pub(super) apart: bool,
    /// Comments in order; an empty one is a blank line.
    pub(super) comments: Vec<String>,
    /// The start of a comment that is not closed.
    pub(super) open_comment: Option<usize>,
}

impl Lead {
    /// Records that a part or comment is next, after a blank line or not.
    pub(super) fn see(&mut self, apart: bool) {
        match self.comments.is_empty() {
            true => self.apart = apart,
            false if apart => self.comments.push(String::new()),
            false => {}
        }
    }
}

/// Lines, read one by one.
pub(super) struct Lines<'t> {
    text: &'t str,
    lines: Vec<RawLine>,
    at: usize,
}

fn line(text: &str, margin: usize) -> (RawLine, usize) {
    let whole = &text[margin..];
    let length = whole.find('\n').unwrap_or(whole.len());
    let content = whole[..length].trim_end();
    let indent = content.len() - content.trim_start_matches([' ', '\t']).len();
    let line = RawLine { margin, start: margin + indent, end: margin + content.len() };
    (line, (margin + length + 1).min(text.len()))
}

impl<'t> Lines<'t> {
    /// The indented lines from an offset on, and the offset of the next line after them. A comment at the
    /// margin belongs to the page if an indented line follows; anything else at the margin ends it.
    pub(super) fn indented(text: &'t str, from: usize, is_page: bool) -> (Self, usize) {
        let mut lines = Lines { text, lines: Vec::new(), at: 0 };
        let (mut next, mut end, mut kept) = (from, from, 0);
        while next < text.len() {
            let (line, after) = line(text, next);
            let is_comment = starts_comment(text, line.start);
            if !line.is_blank() && line.indent() == 0 && !(is_comment && is_page) {
                break;
            }
            let is_body = !line.is_blank() && line.indent() > 0;
            lines.lines.push(line);
            next = after;
            if is_comment {
                next = lines.rest_of_comment(after);
            }
            if is_body {
                (end, kept) = (next, lines.lines.len());
            }
        }
        lines.lines.truncate(kept);
        (lines, end)
    }

    /// Adds the remaining lines of the comment that starts in the last line.
    fn rest_of_comment(&mut self, mut next: usize) -> usize {
        let start = self.lines.last().map_or(0, |line| line.start);
        let end = comment_end(self.text, start).unwrap_or(start);
        while next < end {
            let (line, after) = line(self.text, next);
            self.lines.push(line);
            next = after;
        }
        next
    }

    fn next_words(&self) -> Option<usize> {
        (self.at..self.lines.len()).find(|at| !self.lines[*at].is_blank())
    }

    /// Collects comments and blank lines before the next line that is indented more than `above`. Returns
    /// false if there is no such line; `lead` then has the comments at the end.
    pub(super) fn lead(&mut self, above: Option<usize>, lead: &mut Lead) -> bool {
        let is_inside = |line: &RawLine| above.is_none_or(|above| line.indent() > above);
        while let Some(next) = self.next_words() {
            let line = self.lines[next].clone();
            if !is_inside(&line) {
                return false;
            }
            lead.see(is_apart(self.text, line.start));
            self.at = next;
            if !starts_comment(self.text, line.start) {
                return true;
            }
            match comment_end(self.text, line.start) {
                Some(end) => {
                    lead.comments.push(self.text[line.start..end].to_owned());
                    self.skip_to(end);
                }
                None => {
                    lead.open_comment = Some(line.start);
                    self.at = self.lines.len();
                }
            }
        }
        false
    }

    /// Continues after a comment, which may end in the middle of a line.
    fn skip_to(&mut self, end: usize) {
        while self.at < self.lines.len() && self.lines[self.at].end <= end {
            self.at += 1;
        }
        if let Some(line) = self.lines.get_mut(self.at)
            && line.start < end
        {
            let rest = &self.text[end..line.end];
            line.start = line.end - rest.trim_start().len();
        }
    }

    /// Takes the next line.
    pub(super) fn take(&mut self) -> Option<RawLine> {
        let line = self.lines.get(self.at).cloned()?;
        self.at += 1;
        Some(line)
    }

    /// Takes the lines that are indented more than `indent`, with blank lines between them, and all lines of a
    /// comment that starts in one of them.
    pub(super) fn deeper(&mut self, indent: usize) -> &[RawLine] {
        let from = self.at;
        while let Some(next) = self.next_words()
            && self.lines[next].indent() > indent
        {
            self.at = next + 1;
            let start = self.lines[next].start;
            if starts_comment(self.text, start)
                && let Some(end) = comment_end(self.text, start)
            {
                while self.lines.get(self.at).is_some_and(|line| line.start < end) {
                    self.at += 1;
                }
            }
        }
        &self.lines[from..self.at]
    }

    /// A text that starts in a line and continues in the lines that are indented more than `indent`.
    pub(super) fn text(&mut self, first: Range<usize>, indent: usize) -> Text {
        let whole = self.text;
        let block = self.deeper(indent);
        let mut text = Text::none_at(first.start);
        if !first.is_empty() {
            text.push(&whole[first.clone()], first.start);
        }
        let words = block.iter().filter(|line| !line.is_blank());
        let margin = words.map(RawLine::indent).min().unwrap_or(0);
        let mut end = first.end;
        for line in block {
            if !text.is_blank() {
                text.push("\n", end);
            }
            let from = (line.margin + margin).min(line.end).max(line.margin);
            text.push(&whole[from..line.end], from);
            end = line.end;
        }
        text
    }
}
