//! Writes XML, one element per line.

use std::collections::HashSet;
use std::fmt::Write;

use crate::read::Ids;

/// A document being written, and the ids in use.
pub(super) struct Xml {
    text: String,
    depth: usize,
    ids: Ids,
}

/// An element without attributes: its name and content.
pub(super) struct Node<'t>(pub(super) &'static str, pub(super) Content<'t>);

pub(super) enum Content<'t> {
    Nothing,
    Text(&'t str),
    Nodes(Vec<Node<'t>>),
}

impl Xml {
    pub(super) fn new(taken: HashSet<String>) -> Self {
        // Ids of CPN Tools are numbers of about this size.
        Xml { text: String::new(), depth: 0, ids: Ids { taken, next: 1_000_000 } }
    }

    /// An id that is not in use.
    pub(super) fn fresh(&mut self) -> String {
        self.ids.fresh()
    }

    pub(super) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        // Indentation is limited, because page instances nest deeply.
        let indent = 2 * self.depth.min(8);
        let _ = write!(self.text, "{:indent$}<{name}", "");
        for (key, value) in attributes {
            let _ = write!(self.text, " {key}=\"{}\"", escaped(value));
        }
    }

    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.text.push_str(">\n");
        self.depth += 1;
    }

    pub(super) fn close(&mut self, name: &str) {
        self.depth -= 1;
        let indent = 2 * self.depth.min(8);
        let _ = writeln!(self.text, "{:indent$}</{name}>", "");
    }

    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with text.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.tag(name, attributes);
        let _ = writeln!(self.text, ">{}</{name}>", escaped(text));
    }

    /// An element with child elements.
    pub(super) fn within(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        inside: impl FnOnce(&mut Self),
    ) {
        self.open(name, attributes);
        inside(self);
        self.close(name);
    }

    /// An element without attributes, with its children.
    pub(super) fn node(&mut self, node: &Node<'_>) {
        match &node.1 {
            Content::Nothing => self.empty(node.0, &[]),
            Content::Text(text) => self.element(node.0, &[], text),
            Content::Nodes(nodes) => {
                self.within(node.0, &[], |xml| nodes.iter().for_each(|node| xml.node(node)));
            }
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// Escaped text in ASCII, which is valid in every encoding.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_ascii() && (!c.is_ascii_control() || matches!(c, '\n' | '\t')) => {
                escaped.push(c)
            }
            // XML does not allow control characters.
            c if c.is_ascii_control() => {}
            c => _ = write!(escaped, "&#{};", u32::from(c)),
        }
    }
    escaped
}
