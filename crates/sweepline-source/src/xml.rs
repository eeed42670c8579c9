//! A cursor over XML events: borrowed text, byte spans, depth limit, no entity expansion.

pub mod tree;

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::Error as XmlError;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::attributes::{AttrError, Attribute};
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::{Fault, clip};

/// What a cursor accepts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The deepest nesting of elements.
    pub max_depth: usize,
    /// The longest attribute, in bytes.
    pub max_value_bytes: usize,
    /// Whether to ignore declarations in the document type, text outside of the root, and further roots.
    pub lenient: bool,
}

/// An error after which the rest of the file cannot be read.
#[derive(Debug)]
pub struct Fatal {
    /// Its range in the text.
    pub span: Range<usize>,
    /// What is wrong.
    pub fault: Fault,
}

/// The next event of the cursor. Comments and processing instructions are skipped.
pub enum Item<'s> {
    /// A start tag; an end follows even if the element is empty.
    Start(Element<'s>),
    /// The end of the innermost open element.
    End,
    /// A piece of text: consecutive pieces belong together.
    Text(Cow<'s, str>, Range<usize>),
    /// The end of the text.
    Eof,
}

/// A start tag.
pub struct Element<'s> {
    /// The name without its namespace prefix.
    pub name: &'s str,
    /// The tag.
    pub span: Range<usize>,
    tag: BytesStart<'s>,
    text: &'s str,
    max_value_bytes: usize,
}

/// The value of an attribute and its range.
#[derive(Clone)]
pub struct Value<'s> {
    /// Its text, entities replaced.
    pub text: Cow<'s, str>,
    /// Its bytes in the file.
    pub span: Range<usize>,
}

/// Reads a text element by element, without recursion at any depth.
pub struct Xml<'s> {
    reader: Reader<&'s [u8]>,
    text: &'s str,
    rules: Rules,
    open: Vec<(&'s str, Range<usize>)>,
    seen_root: bool,
}

impl<'s> Xml<'s> {
    /// A cursor at the start of a text.
    pub fn new(text: &'s str, rules: &Rules) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, text, rules: *rules, open: Vec::new(), seen_root: false }
    }

    /// The next start, end or text; [`Item::Eof`] only once every element is closed.
    ///
    /// # Errors
    /// When the text is not well-formed, or not what the rules say.
    #[allow(clippy::should_implement_trait, reason = "it fails, and borrows from the text")]
    pub fn next(&mut self) -> Result<Item<'s>, Fatal> {
        loop {
            match self.reader.read_event() {
                Ok(Event::Start(tag) | Event::Empty(tag)) => {
                    return self.start(tag).map(Item::Start);
                }
                Ok(Event::End(_)) => {
                    self.open.pop();
                    return Ok(Item::End);
                }
                Ok(Event::Text(piece)) => return self.verbatim(&piece),
                Ok(Event::CData(piece)) => return self.verbatim(&piece),
                Ok(Event::GeneralRef(reference)) => return self.reference(&reference),
                Ok(Event::DocType(declaration)) => {
                    if !self.rules.lenient && declaration.contains(&b'[') {
                        let span = span_in(self.text, &declaration);
                        return Err(Fatal { span, fault: Fault::Doctype });
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
        if self.open.is_empty() && self.seen_root && !self.rules.lenient {
            return Err(fatal(span, "there is a second root element"));
        }
        if self.open.len() == self.rules.max_depth {
            return Err(Fatal { span, fault: Fault::TooDeep { max_depth: self.open.len() } });
        }
        let name = &self.text[span_in(self.text, tag.local_name().as_ref())];
        if name.is_empty() {
            return Err(fatal(span, "a tag has no name"));
        }
        self.seen_root = true;
        self.open.push((name, span.clone()));
        let max_value_bytes = self.rules.max_value_bytes;
        Ok(Element { name, span, tag, text: self.text, max_value_bytes })
    }

    fn verbatim(&self, piece: &[u8]) -> Result<Item<'s>, Fatal> {
        let span = span_in(self.text, piece);
        self.text(Cow::Borrowed(&self.text[span.clone()]), span)
    }

    fn text(&self, piece: Cow<'s, str>, span: Range<usize>) -> Result<Item<'s>, Fatal> {
        if self.open.is_empty() && !self.rules.lenient && !piece.trim().is_empty() {
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
                None => Err(Fatal { span, fault: unknown_entity(name) }),
            },
            Err(error) => Err(fatal(span, &error.to_string())),
        }
    }

    fn eof(&mut self) -> Result<Item<'s>, Fatal> {
        match self.open.pop() {
            Some((name, span)) => {
                let fault = Fault::Truncated { element: clip(name) };
                Err(Fatal { span, fault })
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
    ///
    /// # Errors
    /// When an attribute is not well-formed, or this one is given twice.
    pub fn attribute(&self, name: &str) -> Result<Option<Value<'s>>, Fatal> {
        let mut found = None;
        // All attributes are read, so that a malformed one after the wanted one is reported. The reader's own
        // check for duplicates is quadratic, so duplicates of the wanted name are found here.
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

    /// All attributes by their local names.
    ///
    /// # Errors
    /// When one is not well-formed.
    pub fn attributes(&self) -> Result<Vec<(&'s str, Cow<'s, str>)>, Fatal> {
        let attribute = |attribute: Result<Attribute<'_>, AttrError>| {
            let attribute = attribute.map_err(|error| self.bad_attribute(&error.to_string()))?;
            let name = &self.text[span_in(self.text, attribute.key.local_name().as_ref())];
            Ok((name, self.value(span_in(self.text, &attribute.value))?.text))
        };
        self.tag.attributes().with_checks(false).map(attribute).collect()
    }

    /// The message begins with the offset in the tag, which is converted to an offset in the file.
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
                Err(Fatal { span, fault: unknown_entity(&name) })
            }
            Err(error) => Err(fatal(span, &error.to_string())),
        }
    }
}

/// Rejects a value that is too long.
///
/// # Errors
/// When it is longer than `max_bytes`.
pub fn check_length(bytes: usize, max_bytes: usize, span: &Range<usize>) -> Result<(), Fatal> {
    match bytes > max_bytes {
        true => Err(Fatal { span: span.clone(), fault: Fault::ValueTooLong { bytes, max_bytes } }),
        false => Ok(()),
    }
}

fn unknown_entity(name: &str) -> Fault {
    Fault::UnknownEntity { name: clip(name) }
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
    Fatal { span, fault: Fault::Malformed { reason, help } }
}

/// The byte range of `part`, which must be a slice of `text`.
fn span_in(text: &str, part: &[u8]) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    start..(start + part.len()).min(text.len())
}
