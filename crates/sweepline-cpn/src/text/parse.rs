//! Parses the text form to a document, and reports all mistakes.

mod page;

use std::ops::Range;

use sweepline_query::scan::{comment_end, starts_comment};
use sweepline_query::{Operand, PropertyKind};
use sweepline_source::{Source, Text, closest};

use super::lines::{Lead, Lines};
use super::scan::{self, STRUCTURE, is_apart, word_at};
use super::tree::{Document, Entry, Item, Name};
use super::words::{Found, Unexpected, Words};
use crate::problem::{Findings, Problem};

/// Parses a whole text. Mistakes are reported, and the lines that have them are skipped.
pub(super) fn document(origin: &Source, findings: &mut Findings) -> Document {
    Parser { origin, text: &origin.text, at: 0, findings }.document()
}

struct Parser<'o, 'f> {
    origin: &'o Source,
    text: &'o str,
    at: usize,
    findings: &'f mut Findings,
}

impl<'o> Parser<'o, '_> {
    fn document(mut self) -> Document {
        let mut document = Document::default();
        loop {
            let Lead { apart, comments, .. } = self.lead();
            if self.at == self.text.len() {
                document.tail = comments;
                return document;
            }
            let offset = self.at;
            if let Some((what, more)) = self.item() {
                let comments = comments.into_iter().chain(more).collect();
                document.items.push(Entry { apart, comments, offset, what });
            }
        }
    }

    /// Skips white space and comments, and returns the comments.
    fn lead(&mut self) -> Lead {
        let mut lead = Lead::default();
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            if self.at == self.text.len() {
                return lead;
            }
            lead.see(is_apart(self.text, self.at));
            if !starts_comment(self.text, self.at) {
                return lead;
            }
            match comment_end(self.text, self.at) {
                Some(end) => {
                    lead.comments.push(self.text[self.at..end].to_owned());
                    self.at = end;
                }
                None => {
                    self.not_closed(self.at);
                    self.at = self.text.len();
                }
            }
        }
    }

    /// Reads a part, with the comments at the end of its line.
    fn item(&mut self) -> Option<(Item, Vec<String>)> {
        let word = word_at(self.text, self.at);
        let is_margin = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
        if is_margin && scan::starts_structure(self.text, self.at) {
            return self.structure(word);
        }
        if scan::starts_declaration(word) {
            let extent = scan::declaration(self.text, self.at);
            if let Some(start) = extent.open_comment {
                self.not_closed(start);
            }
            let text = self.take_text(self.at..extent.end);
            self.at = extent.end;
            return Some((Item::Declaration(text), Vec::new()));
        }
        // A `;` alone is allowed, as in ML.
        if !self.text[self.at..].starts_with(';') {
            self.unknown_item(word);
        }
        self.skip_part();
        None
    }

    fn take_text(&self, range: Range<usize>) -> Text {
        let mut text = Text::default();
        text.push(self.text[range.clone()].trim_end(), range.start);
        text
    }

    fn unknown_item(&mut self, word: &str) {
        let span = self.at..self.at + word.len().max(1);
        let help = match word {
            "place" | "transition" | "substitution" | "note" => {
                format!("indent the line below its `page`: `  {word} ...`")
            }
            "color" | "colour" => "write `colset` in place of it: `colset NAME = ...;`".to_owned(),
            word => match closest(word, STRUCTURE) {
                Some(suggestion) => suggestion.to_string(),
                None => "write a declaration of CPN ML, or a line that starts with `page`, \
                         `property`, `progress`, `top`, `time real` or `ml`"
                    .into(),
            },
        };
        let found = self.shown(span.clone());
        let problem = Problem::UnknownLine { word: found, of: "the model", help };
        self.report(span, problem);
    }

    /// Skips to the next line at the left margin that starts a part or a declaration.
    fn skip_part(&mut self) {
        if self.text[self.at..].starts_with(';') {
            self.at += 1;
            return;
        }
        while let Some(newline) = self.text[self.at..].find('\n') {
            self.at += newline + 1;
            let is_known = scan::starts_structure(self.text, self.at)
                || scan::starts_declaration(word_at(self.text, self.at));
            if is_known {
                return;
            }
        }
        self.at = self.text.len();
    }

    fn structure(&mut self, word: &str) -> Option<(Item, Vec<String>)> {
        let start = self.at;
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let end = start + self.text[start..line_end].trim_end().len();
        let mut words = Words::new(self.text, start + word.len()..end);
        let below = (line_end + 1).min(self.text.len());
        let (mut lines, next) = Lines::indented(self.text, below, word == "page");
        self.at = next.max(line_end);
        let item = match word {
            "page" => self.page(&mut words, &mut lines).map(Item::Page),
            "top" => top(&mut words).map(Item::Top),
            "time" => match words.eat_word("real") {
                true => Ok(Item::RealTime),
                false => {
                    words.unexpected("`real` (without the line `time real`, time is an integer)")
                }
            },
            "ml" => {
                words.name("the declaration in quotes").map(|name| Item::Quoted(name.as_text()))
            }
            "progress" => {
                named(&mut words).map(|name| Item::Progress(name, lines.text(words.rest(), 0)))
            }
            _ => self.property(&mut words, &mut lines),
        };
        let has_text = matches!(item, Ok(Item::Progress(..) | Item::Property(..)));
        self.finish(item, &mut words, &mut lines, has_text)
    }

    fn property(&mut self, words: &mut Words<'_>, lines: &mut Lines<'_>) -> Found<Item> {
        let name = named(words)?;
        let kind = PropertyKind::of_word(words.peek());
        let Some(kind) = kind else {
            return words.unexpected(
                "`never`, `reach`, `bound`, `home`, `deadlock`, `reversible`, `terminates`, `live`, \
                 `fair`, `ltl` or `ctl`",
            );
        };
        words.eat_word(kind.word());
        let text = match kind.operand() {
            Operand::Nothing => Text::default(),
            Operand::Transition => {
                words.name("the name of a transition, in quotes if it has spaces")?.as_text()
            }
            Operand::Expression | Operand::Formula => {
                let text = lines.text(words.rest(), 0);
                if text.is_blank() {
                    return words.unexpected(match kind.operand() {
                        Operand::Formula => "a formula, for example `G F Send` after `ltl`",
                        _ => "an expression, for example `size Place > 1`",
                    });
                }
                return Ok(Item::Property(name, kind, text));
            }
        };
        match words.is_done() {
            true => Ok(Item::Property(name, kind, text)),
            false => words.unexpected("the end of the line"),
        }
    }

    /// The part, if it is correct and nothing is left on its line.
    fn finish<T>(
        &mut self,
        part: Found<T>,
        words: &mut Words<'_>,
        lines: &mut Lines<'_>,
        has_text: bool,
    ) -> Option<(T, Vec<String>)> {
        let part = self.keep(part)?;
        if !has_text && !words.is_done() {
            let result: Found<()> = words.unexpected("the end of the line");
            self.keep(result)?;
        }
        let below = lines.deeper(0).first().map(super::lines::RawLine::range);
        if let Some(span) = below {
            self.report(span, Problem::NothingBelow);
        }
        Some((part, std::mem::take(&mut words.comments)))
    }

    /// The value. A mistake is reported.
    fn keep<T>(&mut self, found: Found<T>) -> Option<T> {
        match found {
            Ok(value) => Some(value),
            Err(Unexpected { span, expected }) => {
                let found = match self.shown(span.clone()) {
                    nothing if nothing.is_empty() => "the end of the line".into(),
                    words => format!("`{words}`"),
                };
                self.report(span, Problem::Expected { expected, found });
                None
            }
        }
    }

    fn shown(&self, span: Range<usize>) -> String {
        let span = self.origin.floor(span.start)..self.origin.floor(span.end).max(span.start);
        let text = self.text.get(span).unwrap_or_default();
        text.chars().take(40).collect()
    }

    fn not_closed(&mut self, start: usize) {
        self.report(start..start + 2, Problem::OpenComment);
    }

    fn report(&mut self, span: Range<usize>, problem: Problem) {
        self.findings.note(self.origin, span, || problem);
    }
}

/// `NAME:`
fn named(words: &mut Words<'_>) -> Found<Name> {
    let name = words.name("a name")?;
    if words.eat(':') { Ok(name) } else { words.unexpected("`:` after the name") }
}

/// `NAME, NAME`
fn top(words: &mut Words<'_>) -> Found<Vec<Name>> {
    let mut names = vec![words.name("the name of a page")?];
    while words.eat(',') {
        names.push(words.name("the name of a page")?);
    }
    Ok(names)
}
