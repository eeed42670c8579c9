//! Flattens page instances to places and transitions. Place instances that share a marking are merged.

use std::collections::HashMap;

use sweepline_ml::ColourSetId;

use super::hierarchy::Node;
use super::names::{Unique, identifier, page_identifier};
use super::page::{PageDraft, PlaceDraft};
use super::{BehaviourId, Member, Page, PageId, PageInstance, Place, PlaceId, Role, Transition};
use crate::read;

/// Place instances that share a marking, by union-find.
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

    /// The smaller index becomes the representative.
    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.find(left), self.find(right));
        self.parents[left.max(right)] = left.min(right);
    }
}

/// The names of the nodes of a page.
struct PageNames {
    page: String,
    places: Vec<(String, bool)>,
    /// Names of transitions, without substitution transitions.
    transitions: Vec<(String, bool)>,
}

/// The result of flattening.
pub(super) struct Flat {
    pub(super) pages: Vec<Page>,
    pub(super) instances: Vec<PageInstance>,
    pub(super) places: Vec<Place>,
    pub(super) transitions: Vec<Transition>,
}

/// Flattens the page instances. `behaviours` is the first behaviour of each page.
pub(super) struct Flattener<'f> {
    pub(super) file: &'f read::File,
    pub(super) nodes: &'f [Node],
    /// By page of the file, for pages with instances.
    pub(super) drafts: &'f HashMap<usize, PageDraft>,
    pub(super) behaviours: &'f HashMap<usize, u32>,
    /// The members of fusion sets: page and place in the file, and the index of the set.
    pub(super) fused: &'f HashMap<(usize, usize), usize>,
}

/// Adds a member to a place. The place is named after its first member that is not an assigned port.
fn add_member(places: &mut Vec<Place>, class: usize, member: Member, draft: &PlaceDraft) {
    let is_port = member.role == Role::AssignedPort;
    let header = |members| Place {
        name: member.name.clone(),
        page: member.page,
        instance: member.instance,
        // A net with a place without colour set is never returned.
        colour_set: draft.colour_set.unwrap_or(ColourSetId(0)),
        timed: draft.timed,
        initial: draft.initial.clone().filter(|_| !is_port),
        members,
    };
    match places.get_mut(class) {
        None => places.push(header(Vec::new())),
        Some(known) if known.members.iter().all(|m| m.role == Role::AssignedPort) => {
            *known = header(std::mem::take(&mut known.members));
        }
        Some(_) => {}
    }
    places[class].members.push(member);
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
        let (places, place_ids) = self.places(&mut classes, &is_assigned, &names, &page_ids);
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
        let mut counts = vec![0; self.file.pages.len()];
        self.nodes.iter().for_each(|node| counts[node.page] += 1);
        for (at, page) in self.file.pages.iter().enumerate() {
            let n_instances = counts[at];
            if n_instances > 0 {
                ids.insert(at, PageId(id(pages.len())));
                let name = unique.name(&page_identifier(&page.name), &page.id);
                let (id, title) = (page.id.clone(), page.name.clone());
                pages.push(Page { id, title, name, n_instances });
            }
        }
        (pages, ids)
    }

    fn names(&self, pages: &[Page], ids: &HashMap<usize, PageId>) -> HashMap<usize, PageNames> {
        let names = ids.iter().map(|(at, page_id)| {
            let page = &self.file.pages[*at];
            let names = |texts: Vec<(&sweepline_source::Text, &str)>| {
                let mut unique = Unique::default();
                let name = |(text, instead): (&sweepline_source::Text, &str)| {
                    let wanted = identifier(text.as_str());
                    (unique.name(&wanted, instead), !wanted.is_empty())
                };
                texts.into_iter().map(name).collect()
            };
            let places = page.places.iter().map(|place| (&place.name, &*place.id));
            let ordinary = self.drafts[at].transitions.iter().map(|draft| draft.index);
            let transitions = ordinary.map(|index| &page.transitions[index]);
            let transitions = transitions.map(|trans| (&trans.name, &*trans.id));
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

    /// Which place instances share a marking, and which are assigned ports.
    fn classes(&self, starts: &[usize]) -> (Classes, Vec<bool>) {
        let n_places = starts.last().copied().unwrap_or(0);
        let mut classes = Classes { parents: (0..n_places).collect() };
        let mut is_assigned = vec![false; n_places];
        let places = self.file.place_numbers();
        for (at, node) in self.nodes.iter().enumerate() {
            let Some((above, transition)) = node.parent else { continue };
            let page = &self.file.pages[self.nodes[above].page];
            let substitution = page.transitions[transition].substitution.as_ref();
            let assignments = substitution.map_or(&[][..], |s| &s.assignments);
            for (number, (port, socket)) in assignments.iter().enumerate() {
                // If a port is assigned twice, CPN Tools uses the last assignment.
                if assignments[number + 1..].iter().any(|(later, _)| later == port) {
                    continue;
                }
                let (port, socket) = (places.get(port.as_str()), places.get(socket.as_str()));
                let (Some((below, port)), Some((here, socket))) = (port, socket) else { continue };
                if (*below, *here) == (node.page, self.nodes[above].page) {
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
    ) -> (Vec<Place>, Vec<PlaceId>) {
        let mut places: Vec<Place> = Vec::new();
        let mut of_class: HashMap<usize, usize> = HashMap::new();
        let mut ids = Vec::new();
        for node in self.nodes {
            for (index, draft) in self.drafts[&node.page].places.iter().enumerate() {
                let flat = ids.len();
                let role = match self.fused.contains_key(&(node.page, index)) {
                    _ if is_assigned[flat] => Role::AssignedPort,
                    true => Role::Fused,
                    false => Role::Plain,
                };
                let names = &names[&node.page];
                let (name, is_named) = &names.places[index];
                let member = Member {
                    name: format!("{}'{name} {}", names.page, node.number),
                    id: self.file.pages[node.page].places[index].id.clone(),
                    is_named: *is_named,
                    page: page_ids[&node.page],
                    instance: node.number,
                    role,
                };
                let class = *of_class.entry(classes.find(flat)).or_insert(places.len());
                ids.push(PlaceId(id(class)));
                add_member(&mut places, class, member, draft);
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
                let (name, is_named) = &names.transitions[nth];
                let slots = draft.slots.iter();
                transitions.push(Transition {
                    name: format!("{}'{name} {}", names.page, node.number),
                    id: self.file.pages[node.page].transitions[draft.index].id.clone(),
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
