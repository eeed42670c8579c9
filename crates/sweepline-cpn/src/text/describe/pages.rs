//! Converts the pages of a file to pages of a document.

use std::collections::HashMap;

use sweepline_source::Text;

use super::{Names, name};
use crate::net::{identifier, page_identifier};
use crate::read::{self, ArcKind, File, Instance};
use crate::text::tree::{Entry, Line, Page, Part, Place, Region, Transition};

/// The names for a conversion.
pub(super) struct Describer<'f> {
    file: &'f File,
    pages: Names,
    /// The places and the transitions of each page.
    nodes: Vec<(Names, Names)>,
    page_numbers: HashMap<&'f str, usize>,
    /// The page and index of each place.
    place_numbers: HashMap<&'f str, (usize, usize)>,
    fusions: HashMap<&'f str, String>,
    /// The position of each substitution transition in the instance tree.
    order: HashMap<&'f str, usize>,
}

impl<'f> Describer<'f> {
    pub(super) fn new(file: &'f File, fusions: HashMap<&'f str, String>) -> Self {
        let called: Vec<_> = file.pages.iter().map(|page| (&*page.name, &*page.id)).collect();
        let is_clear = |name: &str| !identifier(name).is_empty();
        let nodes = file.pages.iter().map(|page| {
            let places: Vec<_> = page.places.iter().map(|p| (p.name.as_str(), &*p.id)).collect();
            let transitions: Vec<_> =
                page.transitions.iter().map(|t| (t.name.as_str(), &*t.id)).collect();
            (Names::new(&places, is_clear), Names::new(&transitions, is_clear))
        });
        Describer {
            file,
            pages: Names::new(&called, |name| !page_identifier(name).is_empty()),
            nodes: nodes.collect(),
            page_numbers: file.page_numbers(),
            place_numbers: file.place_numbers(),
            fusions,
            order: order(&file.instances),
        }
    }

    pub(super) fn page_reference(&self, page: usize) -> &str {
        self.pages.reference(page)
    }

    pub(super) fn page(&self, number: usize) -> Page {
        let page = &self.file.pages[number];
        let mut parts = Vec::new();
        for (at, place) in page.places.iter().enumerate() {
            parts.push(Entry::new(false, Part::Place(self.place(number, at, place))));
        }
        let mut arcs: HashMap<&str, Vec<&read::Arc>> = HashMap::new();
        for arc in &page.arcs {
            arcs.entry(&arc.transition).or_default().push(arc);
        }
        for at in self.transitions(page) {
            let arcs = arcs.get(&*page.transitions[at].id).map(Vec::as_slice).unwrap_or_default();
            parts.push(Entry::new(true, Part::Transition(self.transition(number, at, arcs))));
        }
        for note in page.notes.iter().filter(|note| !note.is_blank()) {
            parts.push(Entry::new(true, Part::Note(note.clone())));
        }
        Page { called: self.pages.called(number), parts, tail: Vec::new() }
    }

    /// The transitions in order. Substitution transitions are in the order of the instance tree, which numbers
    /// the instances of their pages.
    fn transitions(&self, page: &read::Page) -> Vec<usize> {
        let is_substitution = |at: &usize| page.transitions[*at].substitution.is_some();
        let mut all: Vec<usize> = (0..page.transitions.len()).collect();
        let mut substitutions: Vec<usize> = all.iter().copied().filter(is_substitution).collect();
        let place = |at: &usize| self.order.get(&*page.transitions[*at].id).copied();
        substitutions.sort_by_key(|at| place(at).unwrap_or(usize::MAX));
        let mut sorted = substitutions.into_iter();
        for slot in all.iter_mut().filter(|slot| is_substitution(slot)) {
            *slot = sorted.next().unwrap_or(*slot);
        }
        all
    }

    fn place(&self, page: usize, at: usize, place: &read::Place) -> Place {
        let colour_set = place.colour_set.trim();
        Place {
            called: self.nodes[page].0.called(at),
            colour_set: (!colour_set.is_empty()).then(|| name(colour_set)),
            port: place.port,
            fusion: self.fusions.get(&*place.id).cloned(),
            layout: place.layout,
            initial: place.initial.clone(),
        }
    }

    /// The name of a place on a page, if it is there.
    fn place_name(&self, page: usize, id: &str) -> Option<&str> {
        let (_, at) = self.place_numbers.get(id).filter(|(on, _)| *on == page)?;
        Some(self.nodes[page].0.reference(*at))
    }

    fn transition(&self, page: usize, at: usize, arcs: &[&read::Arc]) -> Transition {
        let transition = &self.file.pages[page].transitions[at];
        let mut lines = Vec::new();
        let below = transition.substitution.as_ref().and_then(|substitution| {
            let below = *self.page_numbers.get(&*substitution.subpage)?;
            for (port, socket) in &substitution.assignments {
                let port = self.place_name(below, port);
                if let Some((port, socket)) = port.zip(self.place_name(page, socket)) {
                    lines.push(Line::Port(name(port), name(socket)));
                }
            }
            Some(below)
        });
        let is_substitution = transition.substitution.is_some();
        if !is_substitution {
            let regions = [
                (Region::Guard, &transition.guard),
                (Region::Delay, &transition.time),
                (Region::Priority, &transition.priority),
                (Region::Channel, &transition.channel),
                (Region::Code, &transition.code),
            ];
            let filled = regions.into_iter().filter(|(_, text)| !text.is_blank());
            lines.extend(filled.map(|(region, text)| Line::Region(region, text.clone())));
        }
        for arc in arcs.iter().filter(|arc| !matches!(arc.kind, ArcKind::Unknown(_))) {
            let Some(place) = self.place_name(page, &arc.place) else { continue };
            // Inscriptions at the arcs of a substitution transition have no meaning.
            let text = if is_substitution { Text::default() } else { arc.inscription.clone() };
            lines.push(Line::Arc(arc.kind.clone(), name(place), arc.bends.clone(), text));
        }
        Transition {
            called: self.nodes[page].1.called(at),
            subpage: is_substitution
                .then(|| name(below.map_or("", |below| self.pages.reference(below)))),
            layout: transition.layout,
            lines: lines.into_iter().map(|line| Entry::new(false, line)).collect(),
            tail: Vec::new(),
        }
    }
}

/// The position of each substitution transition among those of its page, in the first instance that lists it.
fn order(instances: &[Instance]) -> HashMap<&str, usize> {
    let mut order = HashMap::new();
    let mut pending: Vec<&[Instance]> = vec![instances];
    while let Some(siblings) = pending.pop() {
        for (at, instance) in siblings.iter().enumerate() {
            order.entry(&*instance.transition).or_insert(at);
            pending.push(&instance.children);
        }
    }
    order
}
