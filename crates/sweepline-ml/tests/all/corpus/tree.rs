//! A file of CPN Tools as a tree of elements: just enough to find the texts in it.

use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::Event;

/// An element with its attributes, its own text and its children.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    pub(crate) text: String,
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

    /// The text of a child's child `text`, as regions have it.
    pub(crate) fn region(&self, name: &str) -> &str {
        let text = self.child(name).and_then(|region| region.child("text"));
        text.map_or("", |text| &text.text)
    }

    /// The texts of all children of a name.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        self.all(name).map(|child| child.text.trim().to_owned()).collect()
    }
}

/// Reads a file. Most are ISO 8859-1, whose bytes are the first characters of Unicode.
pub(crate) fn read(path: &Path) -> Element {
    let bytes = std::fs::read(path).expect("a model");
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(latin) => latin.into_bytes().into_iter().map(char::from).collect(),
    };
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) => open.push(element(&start)),
            Event::Empty(start) => {
                let child = element(&start);
                open.last_mut().expect("an open element").children.push(child);
            }
            Event::End(_) => {
                let child = open.pop().expect("an open element");
                open.last_mut().expect("an open element").children.push(child);
            }
            Event::Text(text) => {
                let text = text.decode().expect("text");
                open.last_mut().expect("an open element").text.push_str(&text);
            }
            Event::CData(text) => {
                let text = text.decode().expect("text");
                open.last_mut().expect("an open element").text.push_str(&text);
            }
            Event::GeneralRef(entity) => {
                let name = entity.decode().expect("an entity");
                let resolved = match entity.resolve_char_ref() {
                    Ok(Some(character)) => character.to_string(),
                    _ => quick_xml::escape::resolve_predefined_entity(&name)
                        .unwrap_or_default()
                        .to_owned(),
                };
                open.last_mut().expect("an open element").text.push_str(&resolved);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    open.swap_remove(0)
}

fn element(start: &quick_xml::events::BytesStart<'_>) -> Element {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let attributes = start.attributes().flatten().map(|attribute| {
        let value = attribute.unescape_value().map(|value| value.into_owned());
        (text(attribute.key.as_ref()), value.unwrap_or_default())
    });
    Element {
        name: text(start.name().as_ref()),
        attributes: attributes.collect(),
        ..Element::default()
    }
}
