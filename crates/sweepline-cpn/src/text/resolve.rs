//! Converts a document to a file: names become ids, and the places of fusion sets are collected.

use std::collections::{HashMap, HashSet};

use sweepline_query::{Measure, Property};
use sweepline_source::{Source, Text, closest};

use super::tree::{self, Called, Document, Item, Line, Name, Part, Region};
use crate::problem::{Findings, Problem};
use crate::read::{
    Arc, Declaration, DeclarationKind, File, FusionSet, Generator, Ids, Instance, Page, Place,
    Substitution, Transition,
};

/// The file, in the same form as from the XML reader.
pub(super) fn file(origin: &Source, document: &Document, findings: &mut Findings) -> File {
    let ids = ids(document);
    let (names, pages) = (Known::default(), Vec::new());
    let mut resolver = Resolver { origin, findings, ids, names, pages };
    resolver.names(document);
    let mut file = File {
        origin: origin.clone(),
        generator: Generator { tool: "sweepline".into(), ..Generator::default() },
        declarations: Vec::new(),
        pages: Vec::new(),
        fusions: Vec::new(),
        instances: Vec::new(),
        real_time: false,
        measures: Vec::new(),
        properties: Vec::new(),
    };
    for entry in &document.items {
        let is_declaration = matches!(entry.what, Item::Declaration(_) | Item::Quoted(_));
        if is_declaration || file.pages.is_empty() {
            file.declarations.extend(comments(entry.offset, &entry.comments));
        }
        resolver.item(&mut file, entry.offset, &entry.what);
    }
    file.fusions = fusions(&file.pages);
    super::questions_once(&file, resolver.findings);
    file
}

/// Comments between declarations. CPN Tools stores them as declarations that declare nothing.
fn comments(offset: usize, comments: &[String]) -> Option<Declaration> {
    let kind = DeclarationKind::Ml(Text::verbatim(comments.join("\n").trim()));
    (!comments.is_empty()).then_some(Declaration { offset, kind, parts: Vec::new() })
}

/// Creates ids that are not keys of the document.
fn ids(document: &Document) -> Ids {
    let mut taken = HashSet::new();
    for page in document.items.iter().filter_map(page_of) {
        taken.extend(page.called.key.clone());
        for part in &page.parts {
            taken.extend(called(&part.what).and_then(|called| called.key.clone()));
        }
    }
    Ids { taken, next: 0 }
}

fn page_of(entry: &tree::Entry<Item>) -> Option<&tree::Page> {
    match &entry.what {
        Item::Page(page) => Some(page),
        _ => None,
    }
}

fn called(part: &Part) -> Option<&Called> {
    match part {
        Part::Place(place) => Some(&place.called),
        Part::Transition(transition) => Some(&transition.called),
        Part::Note(_) => None,
    }
}

/// Nodes of one kind by name and key.
#[derive(Default)]
struct Known {
    /// The id of each node, and the offset of its name.
    ids: HashMap<String, (String, usize)>,
    /// Names of several nodes, which can be referred to only by their keys.
    shared: HashSet<String>,
}

/// A page with the nodes that can be referred to.
struct KnownPage {
    id: String,
    places: Known,
    /// The ids of its places in order.
    place_ids: Vec<String>,
}

struct Resolver<'o, 'f> {
    origin: &'o Source,
    findings: &'f mut Findings,
    ids: Ids,
    /// The pages by name and key. Their ids are indices.
    names: Known,
    pages: Vec<KnownPage>,
}

impl Resolver<'_, '_> {
    /// Finds all pages and their places first, so that lines can refer to later ones.
    fn names(&mut self, document: &Document) {
        let (mut names, mut keys) = (Known::default(), HashMap::new());
        for page in document.items.iter().filter_map(page_of) {
            self.add(&mut names, "page", &page.called, &self.pages.len().to_string());
            self.add_key(&mut keys, &page.called);
            let (mut places, mut transitions) = (Known::default(), Known::default());
            let id = self.id(&page.called);
            let mut place_ids = Vec::new();
            for part in &page.parts {
                called(&part.what).into_iter().for_each(|called| self.add_key(&mut keys, called));
                match &part.what {
                    Part::Place(place) => {
                        let id = self.id(&place.called);
                        self.add(&mut places, "place", &place.called, &id);
                        place_ids.push(id);
                    }
                    Part::Transition(transition) => {
                        let id = part.offset.to_string();
                        self.add(&mut transitions, "transition", &transition.called, &id);
                    }
                    Part::Note(_) => {}
                }
            }
            self.pages.push(KnownPage { id, places, place_ids });
        }
        self.names = names;
    }

    /// Adds a name. A name that is used twice needs keys.
    fn add(&mut self, known: &mut Known, kind: &'static str, called: &Called, id: &str) {
        let (name, key, offset) = (&called.name.text, &called.key, called.name.offset);
        match (known.ids.get(name), key) {
            (Some((_, first)), None) => self.named_twice(kind, name, offset, *first),
            (Some(_), Some(_)) => _ = known.shared.insert(name.clone()),
            (None, _) => _ = known.ids.insert(name.clone(), (id.to_owned(), offset)),
        }
        let Some(key) = key.as_ref().filter(|key| *key != name) else { return };
        match known.ids.get(key) {
            Some((_, first)) => self.named_twice(kind, key, offset, *first),
            None => _ = known.ids.insert(key.clone(), (id.to_owned(), offset)),
        }
    }

    /// Adds a key. Keys are ids, so each must be unique in the model.
    fn add_key(&mut self, keys: &mut HashMap<String, usize>, called: &Called) {
        let Some(key) = &called.key else { return };
        match keys.get(key) {
            Some(&first) => self.named_twice("key", key, called.name.offset, first),
            None => _ = keys.insert(key.clone(), called.name.offset),
        }
    }

    fn named_twice(&mut self, kind: &'static str, name: &str, offset: usize, first: usize) {
        let origin = self.origin;
        self.report(offset, name, || {
            let (name, first) = (name.to_owned(), origin.position(first));
            Problem::NamedTwice { kind, name, first }
        });
    }

    fn id(&mut self, called: &Called) -> String {
        called.key.clone().unwrap_or_else(|| self.ids.fresh())
    }

    fn report(&mut self, offset: usize, name: &str, problem: impl FnOnce() -> Problem) {
        self.findings.note(self.origin, offset..offset + name.len(), problem);
    }

    fn item(&mut self, file: &mut File, offset: usize, item: &Item) {
        match item {
            Item::Declaration(text) | Item::Quoted(text) => {
                let kind = DeclarationKind::Ml(text.clone());
                file.declarations.push(Declaration { offset, kind, parts: Vec::new() });
            }
            Item::RealTime => file.real_time = true,
            Item::Top(names) => {
                for name in names {
                    let found = self.page_named(name);
                    file.instances.extend(found.map(|page| Instance {
                        page: self.pages[page].id.clone(),
                        transition: String::new(),
                        children: Vec::new(),
                    }));
                }
            }
            Item::Page(page) => {
                let number = file.pages.len();
                let page = self.page(number, offset, page);
                file.pages.push(page);
            }
            Item::Progress(name, text) => file.measures.push(Measure {
                name: name.text.clone(),
                text: text.clone(),
                offset: name.offset,
            }),
            Item::Property(name, kind, text) => file.properties.push(Property {
                name: name.text.clone(),
                kind: *kind,
                text: text.clone(),
                offset: name.offset,
            }),
        }
    }

    fn page_named(&mut self, name: &Name) -> Option<usize> {
        let found = self.names.find(&name.text);
        if found.is_none() {
            let span = name.offset..name.offset + name.text.len();
            self.findings.note(self.origin, span, || {
                let help = self.names.advice(&name.text);
                Problem::UnknownPage { name: name.text.clone(), help }
            });
        }
        found.and_then(|number| number.parse().ok())
    }

    fn place_named(&mut self, page: usize, name: &Name) -> Option<String> {
        let found = self.pages[page].places.find(&name.text);
        if found.is_none() {
            let span = name.offset..name.offset + name.text.len();
            self.findings.note(self.origin, span, || {
                let help = self.pages[page].places.advice(&name.text);
                Problem::UnknownPlace { name: name.text.clone(), help }
            });
        }
        found
    }

    fn page(&mut self, number: usize, offset: usize, page: &tree::Page) -> Page {
        let mut made = Page {
            id: self.pages[number].id.clone(),
            name: page.called.name.text.clone(),
            offset,
            ..Page::default()
        };
        for part in &page.parts {
            match &part.what {
                Part::Place(place) => {
                    let id = self.pages[number].place_ids[made.places.len()].clone();
                    made.places.push(self::place(id, part.offset, place));
                }
                Part::Transition(transition) => {
                    self.transition(number, part.offset, transition, &mut made);
                }
                Part::Note(text) => made.notes.push(text.clone()),
            }
        }
        made
    }

    fn transition(
        &mut self,
        page: usize,
        offset: usize,
        transition: &tree::Transition,
        made: &mut Page,
    ) {
        let id = self.id(&transition.called);
        let subpage = transition.subpage.as_ref().and_then(|name| self.page_named(name));
        let mut assignments = Vec::new();
        let mut regions: HashMap<&str, Text> = HashMap::new();
        for entry in &transition.lines {
            match &entry.what {
                Line::Region(region, text) => {
                    self.region(&mut regions, *region, entry.offset, text)
                }
                Line::Arc(kind, place, bends, inscription) => {
                    let Some(place) = self.place_named(page, place) else { continue };
                    made.arcs.push(Arc {
                        id: self.ids.fresh(),
                        offset: entry.offset,
                        place,
                        transition: id.clone(),
                        kind: kind.clone(),
                        inscription: inscription.clone(),
                        bends: bends.clone(),
                    });
                }
                Line::Port(port, socket) => {
                    let port = subpage.and_then(|below| self.place_named(below, port));
                    let socket = self.place_named(page, socket);
                    assignments.extend(port.zip(socket));
                }
            }
        }
        let mut region = |name: &str| regions.remove(name).unwrap_or_else(|| Text::none_at(offset));
        made.transitions.push(Transition {
            id,
            name: transition.called.name.as_text(),
            offset,
            substitution: transition.subpage.as_ref().map(|_| Substitution {
                subpage: subpage.map_or_else(String::new, |page| self.pages[page].id.clone()),
                assignments,
            }),
            guard: region("guard"),
            time: region("delay"),
            code: region("code"),
            channel: region("channel"),
            priority: region("priority"),
            layout: transition.layout,
        });
    }

    /// Sets the text of a region. Each region may occur once.
    fn region(
        &mut self,
        regions: &mut HashMap<&'static str, Text>,
        region: Region,
        offset: usize,
        text: &Text,
    ) {
        let word = region.word();
        if let Some(first) = regions.get(word) {
            self.named_twice("region", word, offset, first.start());
        }
        regions.insert(word, text.clone());
    }
}

impl Known {
    /// The id of the node with a name or key.
    fn find(&self, name: &str) -> Option<String> {
        let (id, _) = self.ids.get(name).filter(|_| !self.shared.contains(name))?;
        Some(id.clone())
    }

    /// A hint for an unknown name.
    fn advice(&self, name: &str) -> Option<String> {
        if self.shared.contains(name) {
            return Some(
                "several have this name: write the key of one, declared as `NAME as KEY`".into(),
            );
        }
        let known = self.ids.keys().map(String::as_str);
        closest(name, known).map(|suggestion| suggestion.to_string())
    }
}

fn place(id: String, offset: usize, place: &tree::Place) -> Place {
    let colour_set = place.colour_set.as_ref();
    Place {
        id,
        name: place.called.name.as_text(),
        offset,
        colour_set: colour_set.map_or_else(|| Text::none_at(offset), Name::as_text),
        initial: place.initial.clone(),
        fusion: place.fusion.clone(),
        port: place.port,
        layout: place.layout,
    }
}

/// The fusion sets that places name, in order of first use.
fn fusions(pages: &[Page]) -> Vec<FusionSet> {
    let mut sets: Vec<FusionSet> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for place in pages.iter().flat_map(|page| &page.places) {
        let Some(name) = &place.fusion else { continue };
        let number = *numbers.entry(name).or_insert_with(|| {
            let (name, offset) = (name.clone(), place.offset);
            sets.push(FusionSet { name, members: Vec::new(), offset });
            sets.len() - 1
        });
        sets[number].members.push(place.id.clone());
    }
    sets
}
