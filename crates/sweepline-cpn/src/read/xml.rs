//! A file as a tree of elements: bounded depth, byte offsets, no entity expansion, nothing fetched.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::Error as XmlError;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::text::Text;
use crate::problem::Problem;

/// A problem after which the rest of the file cannot be understood.
#[derive(Debug)]
pub(crate) struct Fatal {
    pub(crate) span: Range<usize>,
    pub(crate) problem: Box<Problem>,
}

/// An element with its attributes, its own text and its children.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// Of its tag.
    pub(crate) span: Range<usize>,
    attributes: Vec<(String, String)>,
    /// The text directly in it, not in its children.
    pub(crate) text: Text,
    pub(crate) children: Vec<Element>,
}

impl Element {
    /// The value of an attribute, or nothing.
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Its text; of an empty element, its place.
    pub(crate) fn own_text(&self) -> Text {
        match self.text.as_str() {
            "" => Text::none_at(self.span.start),
            _ => self.text.clone(),
        }
    }

    /// The text of a child's child `text`, as regions have it.
    pub(crate) fn region(&self, name: &str) -> Text {
        let text = self.child(name).and_then(|region| region.child("text"));
        text.map_or_else(|| Text::none_at(self.span.start), Element::own_text)
    }

    /// The texts of all children of a name.
    pub(crate) fn texts(&self, name: &str) -> Vec<Text> {
        self.all(name).map(Element::own_text).collect()
    }

    /// The same as words.
    pub(crate) fn words(&self, name: &str) -> Vec<String> {
        self.all(name).map(|child| child.text.trim().to_owned()).collect()
    }
}

/// Reads a text into an element without name, whose children are the roots.
pub(crate) fn read(text: &str, max_depth: usize) -> Result<Element, Fatal> {
    let mut builder = Builder { text, max_depth, open: vec![Element::default()] };
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let element = builder.element(&tag)?;
                builder.open.push(element);
            }
            Ok(Event::Empty(tag)) => {
                let element = builder.element(&tag)?;
                builder.innermost().children.push(element);
            }
            Ok(Event::End(_)) => builder.close(),
            Ok(Event::Text(piece)) => builder.push(&piece),
            Ok(Event::CData(piece)) => builder.push(&piece),
            Ok(Event::GeneralRef(reference)) => builder.reference(&reference)?,
            // The document type is never fetched, and what it declares is not expanded.
            Ok(Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {}
            Ok(Event::Eof) => return builder.finish(),
            Err(error) => return Err(malformed(&reader, text, &error)),
        }
    }
}

struct Builder<'s> {
    text: &'s str,
    max_depth: usize,
    /// Never empty: the first is the document.
    open: Vec<Element>,
}

impl Builder<'_> {
    fn innermost(&mut self) -> &mut Element {
        self.open.last_mut().expect("the document is never closed")
    }

    fn element(&mut self, tag: &BytesStart<'_>) -> Result<Element, Fatal> {
        let inner = self.span(tag);
        let end = self.text[inner.end..].find('>').map_or(self.text.len(), |at| inner.end + at + 1);
        let span = inner.start.saturating_sub(1)..end;
        if self.open.len() > self.max_depth {
            let problem = Problem::TooDeep { max_depth: self.max_depth };
            return Err(Fatal { span, problem: problem.into() });
        }
        let mut attributes = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| fatal(span.clone(), &error.to_string()))?;
            let value = &self.text[self.span(&attribute.value)];
            let value = unescape(value).map_err(|error| fatal(span.clone(), &error.to_string()))?;
            let key = String::from_utf8_lossy(attribute.key.local_name().as_ref()).into_owned();
            attributes.push((key, value.into_owned()));
        }
        let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
        Ok(Element { name, span, attributes, ..Element::default() })
    }

    fn close(&mut self) {
        if self.open.len() > 1
            && let Some(element) = self.open.pop()
        {
            self.innermost().children.push(element);
        }
    }

    fn push(&mut self, piece: &[u8]) {
        let (text, span) = (self.text, self.span(piece));
        self.innermost().text.push(&text[span.clone()], span.start);
    }

    fn reference(&mut self, reference: &BytesRef<'_>) -> Result<(), Fatal> {
        let inner = self.span(reference);
        let name = &self.text[inner.clone()];
        let span = inner.start.saturating_sub(1)..(inner.end + 1).min(self.text.len());
        let start = span.start;
        match reference.resolve_char_ref() {
            Ok(Some(character)) => {
                self.innermost().text.push(character.encode_utf8(&mut [0; 4]), start);
            }
            Ok(None) => match resolve_predefined_entity(name) {
                Some(text) => self.innermost().text.push(text, start),
                None => {
                    let name = name.chars().take(80).collect();
                    let problem = Problem::UnknownEntity { name }.into();
                    return Err(Fatal { span, problem });
                }
            },
            Err(error) => return Err(fatal(span, &error.to_string())),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Element, Fatal> {
        match self.open.pop() {
            Some(element) if !self.open.is_empty() => {
                let problem = Problem::Truncated { element: element.name }.into();
                Err(Fatal { span: element.span, problem })
            }
            document => Ok(document.unwrap_or_default()),
        }
    }

    /// The byte range of `part`, which is a slice of the text.
    fn span(&self, part: &[u8]) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let start = start.min(self.text.len());
        start..(start + part.len()).min(self.text.len())
    }
}

fn malformed(reader: &Reader<&[u8]>, text: &str, error: &XmlError) -> Fatal {
    let at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX).min(text.len());
    fatal(at..at, &error.to_string())
}

fn fatal(span: Range<usize>, reason: &str) -> Fatal {
    let prefix = ["syntax error: ", "ill-formed document: ", "error while parsing attribute: "];
    let reason = prefix.iter().find_map(|p| reason.strip_prefix(p)).unwrap_or(reason);
    let reason = reason.chars().take(200).collect();
    Fatal { span, problem: Problem::Malformed { reason }.into() }
}
