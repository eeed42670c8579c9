//! An XML file as a tree of elements: bounded depth, byte offsets, no entity expansion, no network access.

use std::ops::Range;

use super::{Fatal, Item, Rules, Xml};
use crate::Text;

/// An element with its attributes, its own text and its children.
#[derive(Clone, Debug, Default)]
pub struct Element {
    /// Its name without prefix.
    pub name: String,
    /// The range of its tag.
    pub span: Range<usize>,
    attributes: Vec<(String, String)>,
    /// Its own text, without that of its children.
    pub text: Text,
    /// Its child elements.
    pub children: Vec<Element>,
}

impl Element {
    /// The value of an attribute, or nothing.
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The children with a name.
    pub fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first child with a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Its text; for an empty element, the empty text at its position.
    pub fn own_text(&self) -> Text {
        match self.text.as_str() {
            "" => Text::none_at(self.span.start),
            _ => self.text.clone(),
        }
    }

    /// The text of the child `text` of a child, as regions have it.
    pub fn region(&self, name: &str) -> Text {
        let text = self.child(name).and_then(|region| region.child("text"));
        text.map_or_else(|| Text::none_at(self.span.start), Element::own_text)
    }

    /// The texts of all children with a name.
    pub fn texts(&self, name: &str) -> Vec<Text> {
        self.all(name).map(Element::own_text).collect()
    }

    /// The same as strings.
    pub fn words(&self, name: &str) -> Vec<String> {
        self.all(name).map(|child| child.text.trim().to_owned()).collect()
    }
}

/// Reads a text into an element without name, whose children are the root elements.
///
/// # Errors
/// When the text is not well-formed or nests deeper than `max_depth`.
pub fn read(text: &str, max_depth: usize) -> Result<Element, Fatal> {
    let rules = Rules { max_depth, max_value_bytes: usize::MAX, lenient: true };
    let mut xml = Xml::new(text, &rules);
    // Never empty: the first is the document.
    let mut open = vec![Element::default()];
    loop {
        match xml.next()? {
            Item::Start(tag) => {
                let attributes = tag.attributes()?.into_iter();
                let attributes = attributes.map(|(name, value)| (name.to_owned(), value.into()));
                let (name, span) = (tag.name.to_owned(), tag.span.clone());
                let attributes = attributes.collect();
                open.push(Element { name, span, attributes, ..Element::default() });
            }
            Item::Text(piece, span) => innermost(&mut open).text.push(&piece, span.start),
            Item::End => {
                let element = open.pop().unwrap_or_default();
                innermost(&mut open).children.push(element);
            }
            Item::Eof => return Ok(open.swap_remove(0)),
        }
    }
}

fn innermost(open: &mut [Element]) -> &mut Element {
    open.last_mut().expect("the root element is not closed")
}
