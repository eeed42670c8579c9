//! A cursor over XML events: borrowed text, byte spans, depth limit, no entity expansion.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::Error as XmlError;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::problem::Problem;
use super::source::{Limits, span_in};

/// A problem after which the rest of the file cannot be understood.
pub(crate) struct Fatal {
    pub(crate) span: Range<usize>,
    pub(crate) problem: Problem,
}

/// What the cursor meets next. Comments and processing instructions are passed over.
pub(crate) enum Item<'s> {
    Start(Element<'s>),
    /// The end of the innermost open element.
    End,
    /// A piece of text: consecutive pieces belong together.
    Text(Cow<'s, str>, Range<usize>),
    Eof,
}

/// A start tag.
pub(crate) struct Element<'s> {
    /// The name without its namespace prefix.
    pub(crate) name: &'s str,
    /// The tag.
    pub(crate) span: Range<usize>,
    tag: BytesStart<'s>,
    text: &'s str,
    max_value_bytes: usize,
}

/// The value of an attribute and where it stands.
#[derive(Clone)]
pub(crate) struct Value<'s> {
    pub(crate) text: Cow<'s, str>,
    pub(crate) span: Range<usize>,
}

/// Reads a text element by element, whatever its depth without recursion.
pub(crate) struct Xml<'s> {
    reader: Reader<&'s [u8]>,
    text: &'s str,
    limits: Limits,
    open: Vec<(&'s str, Range<usize>)>,
    seen_root: bool,
}

impl<'s> Xml<'s> {
    pub(crate) fn new(text: &'s str, limits: &Limits) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, text, limits: limits.clone(), open: Vec::new(), seen_root: false }
    }

    /// The next start, end or text; [`Item::Eof`] only once every element is closed.
    pub(crate) fn next(&mut self) -> Result<Item<'s>, Fatal> {
        loop {
            match self.reader.read_event() {
                Ok(Event::Start(tag) | Event::Empty(tag)) => {
                    return self.start(tag).map(Item::Start);
                }
                Ok(Event::End(_)) => {
                    self.open.pop();
                    return Ok(Item::End);
                }
                Ok(Event::Text(piece)) => {
                    let span = span_in(self.text, &piece);
                    return self.text(Cow::Borrowed(&self.text[span.clone()]), span);
                }
                Ok(Event::CData(piece)) => {
                    let span = span_in(self.text, &piece);
                    return self.text(Cow::Borrowed(&self.text[span.clone()]), span);
                }
                Ok(Event::GeneralRef(reference)) => return self.reference(&reference),
                Ok(Event::DocType(declaration)) => {
                    if declaration.contains(&b'[') {
                        let span = span_in(self.text, &declaration);
                        return Err(Fatal { span, problem: Problem::Doctype });
                    }
                }
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {}
                Ok(Event::Eof) => return self.eof(),
                Err(error) => return Err(self.malformed(&error)),
            }
        }
    }

    fn start(&mut self, tag: BytesStart<'s>) -> Result<Element<'s>, Fatal> {
        let inner = span_in(self.text, &tag);
        let end = self.text[inner.end..].find('>').map_or(self.text.len(), |at| inner.end + at + 1);
        let span = inner.start.saturating_sub(1)..end;
        if self.open.is_empty() && self.seen_root {
            return Err(fatal(span, "there is a second root element"));
        }
        if self.open.len() == self.limits.max_depth {
            return Err(Fatal { span, problem: Problem::TooDeep { max_depth: self.open.len() } });
        }
        let name = &self.text[span_in(self.text, tag.local_name().as_ref())];
        if name.is_empty() {
            return Err(fatal(span, "a tag has no name"));
        }
        self.seen_root = true;
        self.open.push((name, span.clone()));
        let max_value_bytes = self.limits.max_value_bytes;
        Ok(Element { name, span, tag, text: self.text, max_value_bytes })
    }

    fn text(&self, piece: Cow<'s, str>, span: Range<usize>) -> Result<Item<'s>, Fatal> {
        if self.open.is_empty() && !piece.trim().is_empty() {
            let at = span.start + piece.len() - piece.trim_start().len();
            return Err(fatal(at..at, "there is text outside the root element"));
        }
        Ok(Item::Text(piece, span))
    }

    fn reference(&self, reference: &BytesRef<'s>) -> Result<Item<'s>, Fatal> {
        let inner = span_in(self.text, reference);
        let name = &self.text[inner.clone()];
        let span = inner.start.saturating_sub(1)..(inner.end + 1).min(self.text.len());
        match reference.resolve_char_ref() {
            Ok(Some(character)) => self.text(Cow::Owned(character.into()), span),
            Ok(None) => match resolve_predefined_entity(name) {
                Some(text) => self.text(Cow::Borrowed(text), span),
                None => Err(Fatal { span, problem: unknown_entity(name) }),
            },
            Err(error) => Err(fatal(span, &error.to_string())),
        }
    }

    fn eof(&mut self) -> Result<Item<'s>, Fatal> {
        match self.open.pop() {
            Some((name, span)) => {
                let problem = Problem::Truncated { element: clip(name) };
                Err(Fatal { span, problem })
            }
            None => Ok(Item::Eof),
        }
    }

    fn malformed(&self, error: &XmlError) -> Fatal {
        let at = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
        let at = at.min(self.text.len());
        fatal(at..at, &error.to_string())
    }
}

impl<'s> Element<'s> {
    /// The attribute with this local name.
    pub(crate) fn attribute(&self, name: &str) -> Result<Option<Value<'s>>, Fatal> {
        let mut found = None;
        // All of them are looked at, so that a broken one after the one wanted is not missed. The
        // reader's own check for duplicates is quadratic, so we look for those we care about.
        for attribute in self.tag.attributes().with_checks(false) {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => return Err(self.bad_attribute(&error.to_string())),
            };
            let is_namespace = attribute.key.as_namespace_binding().is_some();
            if !is_namespace && attribute.key.local_name().as_ref() == name.as_bytes() {
                let span = span_in(self.text, &attribute.value);
                if found.replace(span.clone()).is_some() {
                    return Err(fatal(span, "an attribute is given twice"));
                }
            }
        }
        found.map(|span| self.value(span)).transpose()
    }

    /// The message begins with the position in the tag, which we show as a position in the file.
    fn bad_attribute(&self, message: &str) -> Fatal {
        let parts = message.strip_prefix("position ").and_then(|rest| rest.split_once(": "));
        let parsed = parts.and_then(|(at, reason)| Some((at.parse::<usize>().ok()?, reason)));
        let Some((at, reason)) = parsed else { return fatal(self.span.clone(), message) };
        let at = (self.span.start + 1 + at).min(self.span.end);
        fatal(at..at, reason)
    }

    fn value(&self, span: Range<usize>) -> Result<Value<'s>, Fatal> {
        check_length(span.len(), self.max_value_bytes, &span)?;
        let raw: &'s str = &self.text[span.clone()];
        match unescape(raw) {
            Ok(text) => Ok(Value { text, span }),
            Err(quick_xml::escape::EscapeError::UnrecognizedEntity(_, name)) => {
                Err(Fatal { span, problem: unknown_entity(&name) })
            }
            Err(error) => Err(fatal(span, &error.to_string())),
        }
    }
}

/// Refuses a value that no net needs.
pub(crate) fn check_length(
    bytes: usize,
    max_bytes: usize,
    span: &Range<usize>,
) -> Result<(), Fatal> {
    match bytes > max_bytes {
        true => {
            Err(Fatal { span: span.clone(), problem: Problem::ValueTooLong { bytes, max_bytes } })
        }
        false => Ok(()),
    }
}

/// Text from a file for a message: one line, not too long.
pub(crate) fn clip(text: &str) -> String {
    const MOST: usize = 80;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

fn unknown_entity(name: &str) -> Problem {
    Problem::UnknownEntity { name: clip(name) }
}

fn fatal(span: Range<usize>, reason: &str) -> Fatal {
    let prefix = ["syntax error: ", "ill-formed document: ", "error while parsing attribute: "];
    let reason = prefix.iter().find_map(|p| reason.strip_prefix(p)).unwrap_or(reason);
    let help = if reason.contains("reference not closed") {
        Some("write `&amp;` for an ampersand")
    } else if reason.contains("before end of input") {
        Some("close it; if the file is cut off here, fetch or export it again")
    } else {
        None
    };
    let reason = reason.chars().take(200).collect();
    Fatal { span, problem: Problem::Malformed { reason, help } }
}
