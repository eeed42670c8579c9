//! XML, one element a line.

use std::collections::HashSet;
use std::fmt::Write;

/// A document that is being written, and the ids that are taken.
pub(super) struct Xml {
    text: String,
    depth: usize,
    taken: HashSet<String>,
    next: usize,
}

impl Xml {
    pub(super) fn new(taken: HashSet<String>) -> Self {
        // Ids of CPN Tools are numbers of about this size.
        Xml { text: String::new(), depth: 0, taken, next: 1_000_000 }
    }

    /// An id that nothing has.
    pub(super) fn fresh(&mut self) -> String {
        loop {
            self.next += 1;
            let id = format!("ID{}", self.next);
            if !self.taken.contains(&id) {
                return id;
            }
        }
    }

    pub(super) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        // Drawings nest deeply, instances of pages more so: lines stay short.
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

    /// An element with text in it.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.tag(name, attributes);
        let _ = writeln!(self.text, ">{}</{name}>", escaped(text));
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// Text with entities, in ASCII: so that every encoding is right.
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
            // No XML has these.
            c if c.is_ascii_control() => {}
            c => _ = write!(escaped, "&#{};", u32::from(c)),
        }
    }
    escaped
}
