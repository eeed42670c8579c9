//! From page instances to places and transitions: what shares a marking becomes one.

use std::collections::HashMap;

use super::hierarchy::Node;
use super::names::{Unique, identifier, page_identifier};
use super::page::PageDraft;
use super::{BehaviourId, Member, Page, PageId, PageInstance, Place, PlaceId, Role, Transition};
use crate::read;

/// Place instances that share markings, by union and find.
struct Classes {
    parents: Vec<usize>,
}

impl Classes {
    fn find(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    /// The smaller index stands for both.
    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.find(left), self.find(right));
        self.parents[left.max(right)] = left.min(right);
    }
}

/// The names of the nodes of a page.
struct PageNames {
    page: String,
    places: Vec<(String, bool)>,
    transitions: Vec<(String, bool)>,
}

/// What flattening gives.
pub(super) struct Flat {
    pub(super) pages: Vec<Page>,
    pub(super) instances: Vec<PageInstance>,
    pub(super) places: Vec<Place>,
    pub(super) transitions: Vec<Transition>,
}

/// Puts the instances together. `behaviours` says where those of a page start.
pub(super) struct Flattener<'f> {
    pub(super) file: &'f read::File,
    pub(super) nodes: &'f [Node],
    /// By page of the file, for those that have instances.
    pub(super) drafts: &'f HashMap<usize, PageDraft>,
    pub(super) behaviours: &'f HashMap<usize, u32>,
    /// Members of fusion sets: page and place of the file, and the number of the set.
    pub(super) fused: &'f HashMap<(usize, usize), usize>,
}

fn id(at: usize) -> u32 {
    u32::try_from(at).expect("fewer than 2^32 of each kind")
}

impl Flattener<'_> {
    pub(super) fn run(&self) -> Flat {
        let (pages, page_ids) = self.pages();
        let names = self.names(&pages, &page_ids);
        let starts = self.starts();
        let (mut classes, is_assigned) = self.classes(&starts);
        let (places, place_ids) =
            self.places(&mut classes, &is_assigned, &names, &page_ids, &starts);
        let transitions = self.transitions(&names, &page_ids, &starts, &place_ids);
        let instances = self.nodes.iter().map(|node| PageInstance {
            page: page_ids[&node.page],
            number: node.number,
            parent: node.parent.map(|(above, transition)| {
                let page = &self.file.pages[self.nodes[above].page];
                (above, page.transitions[transition].name.trim().to_owned())
            }),
        });
        Flat { instances: instances.collect(), pages, places, transitions }
    }

    /// The pages with instances, in the order of the file.
    fn pages(&self) -> (Vec<Page>, HashMap<usize, PageId>) {
        let (mut pages, mut ids, mut unique) = (Vec::new(), HashMap::new(), Unique::default());
        for (at, page) in self.file.pages.iter().enumerate() {
            let n_instances = id(self.nodes.iter().filter(|node| node.page == at).count());
            if n_instances > 0 {
                ids.insert(at, PageId(id(pages.len())));
                let name = unique.name(&page_identifier(&page.name), &page.id);
                pages.push(Page { title: page.name.clone(), name, n_instances });
            }
        }
        (pages, ids)
    }

    fn names(&self, pages: &[Page], ids: &HashMap<usize, PageId>) -> HashMap<usize, PageNames> {
        let names = ids.iter().map(|(at, page_id)| {
            let page = &self.file.pages[*at];
            let names = |texts: Vec<(&read::Text, &str)>| {
                let mut unique = Unique::default();
                let name = |(text, instead): (&read::Text, &str)| {
                    let wanted = identifier(text.as_str());
                    (unique.name(&wanted, instead), !wanted.is_empty())
                };
                texts.into_iter().map(name).collect()
            };
            let places = page.places.iter().map(|place| (&place.name, &*place.id));
            let ordinary = page.transitions.iter();
            let transitions = ordinary.map(|trans| (&trans.name, &*trans.id));
            let names = PageNames {
                page: pages[page_id.0 as usize].name.clone(),
                places: names(places.collect()),
                transitions: names(transitions.collect()),
            };
            (*at, names)
        });
        names.collect()
    }

    /// The number of place instances before each page instance.
    fn starts(&self) -> Vec<usize> {
        let mut next = 0;
        let starts = self.nodes.iter().map(|node| {
            let start = next;
            next += self.file.pages[node.page].places.len();
            start
        });
        let mut starts: Vec<usize> = starts.collect();
        starts.push(next);
        starts
    }

    /// What shares a marking, and which place instances are assigned ports.
    fn classes(&self, starts: &[usize]) -> (Classes, Vec<bool>) {
        let n_places = starts.last().copied().unwrap_or(0);
        let mut classes = Classes { parents: (0..n_places).collect() };
        let mut is_assigned = vec![false; n_places];
        for (at, node) in self.nodes.iter().enumerate() {
            let Some((above, transition)) = node.parent else { continue };
            let page = &self.file.pages[self.nodes[above].page];
            let substitution = page.transitions[transition].substitution.as_ref();
            for (port, socket) in substitution.iter().flat_map(|s| &s.assignments) {
                let ports = &self.file.pages[node.page].places;
                let port = ports.iter().position(|place| place.id == *port);
                let socket = page.places.iter().position(|place| place.id == *socket);
                if let (Some(port), Some(socket)) = (port, socket) {
                    classes.join(starts[at] + port, starts[above] + socket);
                    is_assigned[starts[at] + port] = true;
                }
            }
        }
        let mut firsts: HashMap<usize, usize> = HashMap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            for place in 0..self.file.pages[node.page].places.len() {
                if let Some(set) = self.fused.get(&(node.page, place)) {
                    let first = *firsts.entry(*set).or_insert(starts[at] + place);
                    classes.join(first, starts[at] + place);
                }
            }
        }
        (classes, is_assigned)
    }

    /// The places, and the place of each place instance.
    fn places(
        &self,
        classes: &mut Classes,
        is_assigned: &[bool],
        names: &HashMap<usize, PageNames>,
        page_ids: &HashMap<usize, PageId>,
        starts: &[usize],
    ) -> (Vec<Place>, Vec<PlaceId>) {
        let mut places: Vec<Place> = Vec::new();
        let mut of_class: HashMap<usize, usize> = HashMap::new();
        let mut ids = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let draft = &self.drafts[&node.page];
            for (index, place) in draft.places.iter().enumerate() {
                let (name, is_named) = &names[&node.page].places[index];
                let name = format!("{}'{name} {}", names[&node.page].page, node.number);
                let flat = starts[at] + index;
                let role = match (is_assigned[flat], self.fused.get(&(node.page, index))) {
                    (true, _) => Role::AssignedPort,
                    (_, Some(_)) => Role::Fused,
                    _ => Role::Plain,
                };
                let (page, instance) = (page_ids[&node.page], node.number);
                let (name, is_named) = (name, *is_named);
                let member = Member { name, is_named, page, instance, role };
                let class = *of_class.entry(classes.find(flat)).or_insert(places.len());
                ids.push(PlaceId(id(class)));
                let Some(colour_set) = place.colour_set else { continue };
                let is_first = places.get(class).is_none_or(|known| {
                    known.members.iter().all(|member| member.role == Role::AssignedPort)
                });
                if is_first {
                    let members = match places.get_mut(class) {
                        Some(known) => std::mem::take(&mut known.members),
                        None => Vec::new(),
                    };
                    let initial = place.initial.clone().filter(|_| role != Role::AssignedPort);
                    let name = member.name.clone();
                    let timed = false;
                    let new = Place { name, page, instance, colour_set, timed, initial, members };
                    match places.get_mut(class) {
                        Some(known) => *known = new,
                        None => places.push(new),
                    }
                }
                if let Some(place) = places.get_mut(class) {
                    place.members.push(member);
                }
            }
        }
        (places, ids)
    }

    fn transitions(
        &self,
        names: &HashMap<usize, PageNames>,
        page_ids: &HashMap<usize, PageId>,
        starts: &[usize],
        place_ids: &[PlaceId],
    ) -> Vec<Transition> {
        let mut transitions = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let names = &names[&node.page];
            for (nth, draft) in self.drafts[&node.page].transitions.iter().enumerate() {
                let (name, is_named) = &names.transitions[draft.index];
                let slots = draft.slots.iter();
                transitions.push(Transition {
                    name: format!("{}'{name} {}", names.page, node.number),
                    is_named: *is_named,
                    page: page_ids[&node.page],
                    instance: node.number,
                    behaviour: BehaviourId(self.behaviours[&node.page] + id(nth)),
                    places: slots.map(|place| place_ids[starts[at] + place]).collect(),
                });
            }
        }
        transitions
    }
}
