//! Checks that places which share a marking have the same colour set and initial marking.

use std::collections::HashMap;

use sweepline_source::{Source, Suggestion, Text, closest};

use super::evaluate::same_marking;
use super::load::Loader;
use super::names::{identifier, shown};
use super::page::{PageDraft, subject};
use super::{Page, Place};
use crate::problem::{Finding, Problem};

/// A place of the file: page and index on the page.
pub(super) type PlaceAt = (usize, usize);

impl Loader<'_> {
    /// The index of the fusion set of each member.
    pub(super) fn fusion_sets(&self, used: &HashMap<usize, PageDraft>) -> HashMap<PlaceAt, usize> {
        let (_, by_id) = self.file.fused();
        let mut fused = HashMap::new();
        for at in used.keys() {
            for (index, place) in self.file.pages[*at].places.iter().enumerate() {
                fused.extend(by_id.get(&*place.id).map(|set| ((*at, index), *set)));
            }
        }
        fused
    }

    /// Checks that the members of a fusion set have the same colour set and initial marking.
    pub(super) fn check_fusion(
        &mut self,
        drafts: &HashMap<usize, PageDraft>,
        fused: &HashMap<PlaceAt, usize>,
    ) {
        let mut members: Vec<(usize, PlaceAt)> =
            fused.iter().map(|(at, set)| (*set, *at)).collect();
        members.sort_unstable();
        for group in members.chunk_by(|left, right| left.0 == right.0) {
            for (set, member) in &group[1..] {
                self.check_member(drafts, *set, group[0].1, *member);
            }
        }
    }

    fn check_member(
        &mut self,
        drafts: &HashMap<usize, PageDraft>,
        fusion: usize,
        first: PlaceAt,
        member: PlaceAt,
    ) {
        let draft = |at: PlaceAt| &drafts[&at.0].places[at.1];
        let (first_draft, draft) = (draft(first), draft(member));
        let (Some(first_set), Some(set)) = (first_draft.colour_set, draft.colour_set) else {
            return;
        };
        let place = |at: PlaceAt| &self.file.pages[at.0].places[at.1];
        let (first_place, place) = (place(first), place(member));
        // Places can name fusion sets that the file does not list.
        let listed = self.file.fusions.get(fusion).map(|set| set.name.as_str());
        let name = listed.or(place.fusion.as_deref()).unwrap_or_default();
        let (fusion, page) = (shown(name), &self.file.pages[member.0]);
        let names = [place, first_place].map(|place| shown(place.name.as_str()));
        let [member, first] = names;
        let subject = subject("place", place.name.as_str(), page);
        if !self.is_same_set(first_set, set) {
            let [set, first_set] =
                [set, first_set].map(|set| self.environment.colour_set(set).name.to_string());
            let problem = Problem::FusionColourSet { fusion, member, set, first, first_set };
            self.report(place.colour_set.span(), &subject, problem);
            return;
        }
        if place.initial.trim() == first_place.initial.trim() {
            return;
        }
        let is_same = match (&first_draft.initial, &draft.initial) {
            (Some(first), Some(other)) => same_marking(&mut self.environment, first, other),
            // A wrong text has been reported, and an empty text may mean `empty`.
            (Some(one), None) | (None, Some(one)) => {
                let empty = Text::verbatim("empty");
                let set = draft.colour_set.unwrap_or(set);
                let empty = self.environment.initial_marking("empty", empty.as_str(), set).ok();
                empty.and_then(|empty| same_marking(&mut self.environment, one, &empty))
            }
            (None, None) => Some(true),
        };
        if is_same == Some(false) {
            let problem = Problem::FusionMarking { fusion, member, first };
            self.report(place.initial.span(), &subject, problem);
        }
    }

    /// Whether two colour sets are the same after resolving aliases, and both are timed or neither.
    fn is_same_set(
        &self,
        left: sweepline_ml::ColourSetId,
        right: sweepline_ml::ColourSetId,
    ) -> bool {
        let timed = |set| self.environment.colour_set(set).timed;
        self.environment.original(left) == self.environment.original(right)
            && timed(left) == timed(right)
    }

    /// Checks that ports and sockets exist and have the same colour set.
    pub(super) fn check_ports(&mut self, drafts: &HashMap<usize, PageDraft>) {
        let file = self.file;
        let (ids, places) = (file.page_numbers(), file.place_numbers());
        let mut pages: Vec<usize> = drafts.keys().copied().collect();
        pages.sort_unstable();
        for at in pages {
            let page = &file.pages[at];
            for transition in &page.transitions {
                let Some(substitution) = &transition.substitution else { continue };
                let below = ids.get(substitution.subpage.as_str()).copied();
                let Some(below) = below.filter(|below| drafts.contains_key(below)) else {
                    continue;
                };
                let subject = subject("transition", transition.name.as_str(), page);
                let span = transition.name.span();
                for (port, socket) in &substitution.assignments {
                    let problem = self.check_port(drafts, &places, [(below, port), (at, socket)]);
                    if let Some(problem) = problem {
                        self.report(span.clone(), &subject, problem);
                    }
                }
            }
        }
    }

    /// Checks a port and its socket, each given by its page and the id of the place.
    fn check_port(
        &self,
        drafts: &HashMap<usize, PageDraft>,
        places: &HashMap<&str, PlaceAt>,
        pair: [(usize, &String); 2],
    ) -> Option<Problem> {
        let mut sides = Vec::new();
        for (role, (page, id)) in ["port", "socket"].into_iter().zip(pair) {
            let found = places.get(id.as_str()).filter(|(on, _)| *on == page);
            let Some((_, at)) = found else {
                let page = shown(&self.file.pages[page].name);
                return Some(Problem::UnknownAssigned { role, id: shown(id), page });
            };
            let name = shown(self.file.pages[page].places[*at].name.as_str());
            sides.push((name, drafts[&page].places[*at].colour_set?));
        }
        let [(port, port_set), (socket, socket_set)] = sides.try_into().ok()?;
        if self.is_same_set(port_set, socket_set) {
            return None;
        }
        let [port_set, socket_set] =
            [port_set, socket_set].map(|set| self.environment.colour_set(set).name.to_string());
        Some(Problem::PortColourSet { port, port_set, socket, socket_set })
    }

    /// Applies the initial markings of `--init`.
    pub(super) fn override_markings(&mut self, pages: &[Page], places: &mut [Place]) {
        for (name, text) in &self.options.initial {
            let wanted = matching(name, pages, places);
            if wanted.is_empty() {
                let problem =
                    Problem::UnknownPlace { name: name.clone(), help: similar(name, places) };
                self.findings.report(Finding::nowhere("--init", problem));
            }
            for at in wanted {
                let place = &mut places[at];
                let subject = format!("--init {name}");
                let option = Source::new(&subject, text);
                self.texts.add(&subject, &option, &Text::verbatim(text));
                let result = self.environment.initial_marking(&subject, text, place.colour_set);
                if let Some(marking) = self.keep(result) {
                    place.initial = Some(marking);
                }
            }
        }
    }
}

/// The places with a name: the full name of a member, page and place, or place.
fn matching(name: &str, pages: &[Page], places: &[Place]) -> Vec<usize> {
    let members = |fits: &dyn Fn(&super::Member) -> bool| {
        let all = places.iter().enumerate();
        let found = all.filter(|(_, place)| place.members.iter().any(fits));
        found.map(|(at, _)| at).collect::<Vec<_>>()
    };
    let of_page = |member: &super::Member| {
        let name = member.name.rsplit_once(' ').map_or("", |(name, _)| name).to_owned();
        let page = &pages[member.page.0 as usize].name;
        let place = name.strip_prefix(&format!("{page}'")).unwrap_or(&name).to_owned();
        (name, place)
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let exact = members(&|member| member.name == name);
    if !exact.is_empty() {
        return exact;
    }
    let (name, simple) = (name.replace(' ', "_"), identifier(&name));
    let on_page = members(&|member| of_page(member).0 == name);
    if !on_page.is_empty() {
        return on_page;
    }
    members(&|member| of_page(member).1 == simple)
}

fn similar<'p>(name: &str, places: &'p [Place]) -> Option<String> {
    let members = places.iter().flat_map(|place| &place.members).map(|member| &*member.name);
    let simple = |member: &'p str| {
        let place = member.rsplit_once('\'').map_or(member, |(_, place)| place);
        place.rsplit_once(' ').map_or(place, |(place, _)| place)
    };
    let near = closest(name, members.clone()).or_else(|| {
        let near = closest(name, members.clone().map(simple))?;
        members.filter(|member| simple(member) == near.0).min().map(|m| Suggestion(m.into()))
    });
    near.map(|suggestion| suggestion.to_string())
}
