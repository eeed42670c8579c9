//! Prints a document as text, in the format of `sweepline format`.

use std::fmt::Write;

use sweepline_query::Operand;
use sweepline_source::Text;

use super::scan::starts_structure;
use super::tree::{
    ARCS, Called, Document, Entry, Item, Line, PORTS, Page, Part, Place, Transition,
};
use super::words::{quoted, written};
use crate::read::Layout;

/// The text of a document.
pub(super) fn text(document: &Document) -> String {
    let mut printer = Printer { text: String::new() };
    let mut was_page = false;
    for entry in &document.items {
        let is_page = matches!(entry.what, Item::Page(_));
        printer.lead(entry, 0, is_page || was_page);
        printer.item(&entry.what);
        was_page = is_page;
    }
    printer.tail(&document.tail, 0, true);
    printer.text
}

struct Printer {
    text: String,
}

impl Printer {
    /// Writes a blank line if needed, and the comments before a part.
    fn lead<T>(&mut self, entry: &Entry<T>, indent: usize, apart: bool) {
        if (entry.apart || apart) && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.tail(&entry.comments, indent, false);
    }

    fn tail(&mut self, comments: &[String], indent: usize, apart: bool) {
        if apart && !comments.is_empty() && !self.text.is_empty() {
            self.text.push('\n');
        }
        for comment in comments {
            // The inside of a comment is not changed, because it may contain tables and drawings.
            let lines = comment.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
            match lines.as_str() {
                "" => self.text.push('\n'),
                lines => _ = writeln!(self.text, "{:indent$}{lines}", ""),
            }
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(text) => {
                self.text.push_str(&at_margin(text.as_str()));
                self.text.push('\n');
            }
            Item::Quoted(text) => _ = writeln!(self.text, "ml {}", quoted(text.as_str())),
            Item::RealTime => self.text.push_str("time real\n"),
            Item::Top(names) => {
                let names: Vec<String> = names.iter().map(|name| written(&name.text)).collect();
                let _ = writeln!(self.text, "top {}", names.join(", "));
            }
            Item::Page(page) => self.page(page),
            Item::Progress(name, text) => {
                let _ = write!(self.text, "progress {}:", written(&name.text));
                self.inscription(text, 0);
            }
            Item::Property(name, kind, text) => {
                let _ = write!(self.text, "property {}: {}", written(&name.text), kind.word());
                match kind.operand() {
                    Operand::Nothing => self.text.push('\n'),
                    Operand::Transition => _ = writeln!(self.text, " {}", written(text.as_str())),
                    Operand::Expression | Operand::Formula => self.inscription(text, 0),
                }
            }
        }
    }

    fn page(&mut self, page: &Page) {
        let _ = writeln!(self.text, "page {}", called(&page.called));
        for entry in &page.parts {
            self.lead(entry, 2, false);
            match &entry.what {
                Part::Place(place) => self.place(place),
                Part::Transition(transition) => self.transition(transition),
                Part::Note(text) => {
                    self.text.push_str("  note");
                    self.inscription(text, 2);
                }
            }
        }
        self.tail(&page.tail, 2, false);
    }

    fn place(&mut self, place: &Place) {
        let _ = write!(self.text, "  place {}", called(&place.called));
        if let Some(colour_set) = &place.colour_set {
            let _ = write!(self.text, " : {}", written(&colour_set.text));
        }
        if let Some(port) = place.port {
            let word = PORTS.iter().find(|(_, known)| *known == port);
            let _ = write!(self.text, " {}", word.map_or("", |(word, _)| word));
        }
        if let Some(fusion) = &place.fusion {
            let _ = write!(self.text, " fusion {}", written(fusion));
        }
        self.layout(place.layout);
        if !place.initial.is_blank() {
            self.text.push_str(" =");
        }
        self.inscription(&place.initial, 2);
    }

    fn layout(&mut self, layout: Option<Layout>) {
        let Some(Layout { x, y, size }) = layout else { return };
        let _ = write!(self.text, " @ {} {}", number(x), number(y));
        if let Some((width, height)) = size {
            let _ = write!(self.text, " {} {}", number(width), number(height));
        }
    }

    fn transition(&mut self, transition: &Transition) {
        let word = if transition.subpage.is_some() { "substitution" } else { "transition" };
        let _ = write!(self.text, "  {word} {}", called(&transition.called));
        self.layout(transition.layout);
        if let Some(subpage) = &transition.subpage {
            let _ = write!(self.text, ": {}", written(&subpage.text));
        }
        self.text.push('\n');
        for entry in &transition.lines {
            self.lead(entry, 4, false);
            self.line(&entry.what);
        }
        self.tail(&transition.tail, 4, false);
    }

    fn line(&mut self, line: &Line) {
        match line {
            Line::Region(region, text) => {
                let _ = write!(self.text, "    {}", region.word());
                self.inscription(text, 4);
            }
            Line::Arc(kind, place, bends, text) => {
                let word = ARCS.iter().find(|(_, known)| known == kind);
                let word = word.map_or("", |(word, _)| word);
                let _ = write!(self.text, "    {word} {}", written(&place.text));
                if !bends.is_empty() {
                    self.text.push_str(" @");
                    for (x, y) in bends {
                        let _ = write!(self.text, " {} {}", number(*x), number(*y));
                    }
                }
                if !text.is_blank() {
                    self.text.push(':');
                }
                self.inscription(text, 4);
            }
            Line::Port(port, socket) => {
                let (port, socket) = (written(&port.text), written(&socket.text));
                let _ = writeln!(self.text, "    port {port} = {socket}");
            }
        }
    }

    /// An inscription: on the same line if it is a single line, else below.
    fn inscription(&mut self, text: &Text, indent: usize) {
        let lines = lines_of(text.trim());
        match lines.as_slice() {
            [] => self.text.push('\n'),
            [line] => _ = writeln!(self.text, " {line}"),
            lines => {
                self.text.push('\n');
                let indent = indent + 2;
                for line in lines {
                    match line.as_str() {
                        "" => self.text.push('\n'),
                        line => _ = writeln!(self.text, "{:indent$}{line}", ""),
                    }
                }
            }
        }
    }
}

/// A declaration. Lines that would start a part of the model are indented.
pub(super) fn at_margin(text: &str) -> String {
    let line = |(number, line): (usize, &str)| match number > 0 && starts_structure(line, 0) {
        true => format!("  {}", line.trim_end()),
        false => line.trim_end().to_owned(),
    };
    text.trim().split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Lines without leading tabs and trailing white space.
fn lines_of(text: &str) -> Vec<String> {
    // Only leading tabs: a string may contain a tab.
    let untabbed = |line: &str| {
        let words = line.trim_start_matches([' ', '\t']);
        line[..line.len() - words.len()].replace('\t', "    ") + words
    };
    let lines = text.split('\n').map(|line| untabbed(line.trim_end()));
    if text.is_empty() { Vec::new() } else { lines.collect() }
}

fn called(called: &Called) -> String {
    match &called.key {
        Some(key) => format!("{} as {key}", written(&called.name.text)),
        None => written(&called.name.text),
    }
}

/// A number, rounded for drawings.
fn number(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}
