//! Converts a file of either format to text.

mod colour;
mod pages;

use std::collections::HashMap;

use sweepline_query::scan::{comment_end, starts_comment};
use sweepline_source::{Source, Text};

use super::scan;
use super::tree::{Called, Document, Entry, Item, Name};
use super::{parse, print};
use crate::problem::Findings;
use crate::read::{DeclarationKind, File};

/// A model in text form. Everything with a meaning is kept, and the positions of nodes. Of an XML file, two
/// things are lost: arcs whose place or transition is missing, and instance trees that list subpages in
/// different orders.
pub fn to_cpnt(file: &File) -> String {
    let text = print::text(&document(file));
    // Declarations from one XML element become several, and comments between them become separate parts.
    // Parsing the result produces the canonical form.
    let origin = Source { name: file.origin.name.clone(), text: text.as_str().into() };
    let mut findings = Findings::default();
    let again = parse::document(&origin, &mut findings);
    if findings.has_errors() { text } else { super::or_nothing(print::text(&again)) }
}

fn document(file: &File) -> Document {
    let mut document = Document::default();
    let items = &mut document.items;
    if file.real_time {
        items.push(Entry::new(false, Item::RealTime));
    }
    for declaration in &file.declarations {
        items.extend(declared(&declaration.kind).map(|item| Entry::new(false, item)));
    }
    let describer = pages::Describer::new(file, fusions(file));
    if let Some(tops) = tops(file) {
        let name = |page: usize| name(describer.page_reference(page));
        items.push(Entry::new(true, Item::Top(tops.into_iter().map(name).collect())));
    }
    for number in 0..file.pages.len() {
        items.push(Entry::new(true, Item::Page(describer.page(number))));
    }
    add_questions(file, items);
    document
}

fn add_questions(file: &File, items: &mut Vec<Entry<Item>>) {
    for (number, measure) in file.measures.iter().enumerate() {
        let item = Item::Progress(name(&measure.name), measure.text.clone());
        items.push(Entry::new(number == 0, item));
    }
    for (number, property) in file.properties.iter().enumerate() {
        let item = Item::Property(name(&property.name), property.kind, property.text.clone());
        items.push(Entry::new(number == 0, item));
    }
}

/// Only the measures and properties.
pub(crate) fn questions(file: &File) -> String {
    let mut document = Document::default();
    add_questions(file, &mut document.items);
    print::text(&document)
}

fn name(text: impl Into<String>) -> Name {
    Name { text: text.into(), offset: 0 }
}

/// A declaration as CPN ML.
fn declared(kind: &DeclarationKind) -> Option<Item> {
    let text = match kind {
        DeclarationKind::Ml(text) => return ml(text),
        DeclarationKind::ColourSet { name, spec, declares, timed } => {
            colour::declaration(name.trim(), spec, declares, *timed)
        }
        DeclarationKind::Variables { names, colour_set } => {
            let names: Vec<&str> = names.iter().map(Text::trim).collect();
            format!("var {} : {};", names.join(", "), colour_set.trim())
        }
        DeclarationKind::Reference { name, value } => {
            format!("globref {} = {};", name.trim(), value.trim())
        }
        DeclarationKind::Use(text) => format!("use {};", text.trim()),
    };
    Some(standing(&text))
}

fn ml(text: &Text) -> Option<Item> {
    let is_declaration = !text.is_blank();
    is_declaration.then(|| standing(text.trim()))
}

/// A declaration, quoted if it cannot be parsed on its own.
fn standing(text: &str) -> Item {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = print::at_margin(&text);
    match stands(&text) {
        true => Item::Declaration(Text::verbatim(&text)),
        false => Item::Quoted(Text::verbatim(&text)),
    }
}

/// Whether parsing the text yields its declarations and comments, without affecting what follows.
fn stands(text: &str) -> bool {
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| !c.is_whitespace()).map(|skip| at + skip) {
        if starts_comment(text, start) {
            let Some(end) = comment_end(text, start) else { return false };
            at = end;
        } else if text[start..].starts_with(';') {
            at = start + 1;
        } else {
            let extent = scan::declaration(text, start);
            let starts = scan::starts_declaration(scan::word_at(text, start));
            if !starts || extent.open_comment.is_some() || !extent.is_balanced {
                return false;
            }
            at = extent.end;
        }
    }
    true
}

/// Unique names for nodes of one kind, with keys if names are not unique.
struct Names {
    called: Vec<(String, Option<String>)>,
}

impl Names {
    /// Creates names from names and ids. `is_clear` tells whether a name alone is enough for reports.
    fn new<'n>(nodes: &[(&'n str, &'n str)], is_clear: impl Fn(&str) -> bool) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        nodes.iter().for_each(|(name, _)| *counts.entry(name).or_default() += 1);
        let mut called = Vec::new();
        for (number, (name, id)) in nodes.iter().enumerate() {
            let needs_key = counts[name] > 1 || !is_clear(name);
            let is_key = !id.is_empty()
                && scan::word_at(id, 0).len() == id.len()
                && !counts.contains_key(id);
            let key = needs_key.then(|| match is_key {
                true => id.to_string(),
                // No id of CPN Tools has this form.
                false => format!("key_{}_{number}", nodes.len()),
            });
            called.push((name.to_string(), key));
        }
        Names { called }
    }

    fn called(&self, number: usize) -> Called {
        let (text, key) = &self.called[number];
        Called { name: name(text.clone()), key: key.clone() }
    }

    /// The name or key by which lines refer to a node.
    fn reference(&self, number: usize) -> &str {
        let (text, key) = &self.called[number];
        key.as_ref().unwrap_or(text)
    }
}

/// The prime pages, unless they are the default: all pages that are not subpages.
fn tops(file: &File) -> Option<Vec<usize>> {
    let listed: Vec<usize> = file.listed_tops().into_iter().map(|(page, _)| page).collect();
    (!listed.is_empty() && listed != file.usual_tops()).then_some(listed)
}

/// The fusion set of each fused place, by the id of the place. Sets with the same name get numbers.
fn fusions(file: &File) -> HashMap<&str, String> {
    let (names, by_id) = file.fused();
    let name = |set: usize| match names[..set].contains(&names[set]) {
        true => format!("{} ({set})", names[set]),
        false => names[set].to_owned(),
    };
    by_id.into_iter().map(|(id, set)| (id, name(set))).collect()
}
