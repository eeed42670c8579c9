//! Elaborates the inscriptions of one page, once for all its instances.

use std::collections::HashMap;

use sweepline_ml::{ColourSetId, Inscription, MlErrors};
use sweepline_source::{Text, closest};

use super::load::Loader;
use super::names::shown;
use super::{Behaviour, Input, Output, Slot};
use super::{binding, variables};
use crate::problem::Problem;
use crate::read::{Arc, ArcKind, Page, Place, Transition};

/// A page with its elaborated inscriptions.
pub(super) struct PageDraft {
    pub(super) places: Vec<PlaceDraft>,
    pub(super) transitions: Vec<TransitionDraft>,
}

/// A place. Without a colour set its inscriptions cannot be elaborated.
#[derive(Clone)]
pub(super) struct PlaceDraft {
    pub(super) colour_set: Option<ColourSetId>,
    pub(super) timed: bool,
    pub(super) initial: Option<Inscription>,
}

/// A transition that is not a substitution transition.
pub(super) struct TransitionDraft {
    /// Its index on the page of the file.
    pub(super) index: usize,
    pub(super) behaviour: Behaviour,
    /// The place of each slot, by its index on the page.
    pub(super) slots: Vec<usize>,
}

/// The name of a part of a page in messages.
pub(super) fn subject(kind: &str, name: &str, page: &Page) -> String {
    match shown(name) {
        name if name.is_empty() => format!("{kind} without name on page `{}`", shown(&page.name)),
        name => format!("{kind} `{name}` on page `{}`", shown(&page.name)),
    }
}

impl Loader<'_> {
    pub(super) fn page(&mut self, page: &Page) -> PageDraft {
        let places: Vec<PlaceDraft> =
            page.places.iter().map(|place| self.place(page, place)).collect();
        let arcs = self.arcs_by_transition(page);
        let mut transitions = Vec::new();
        for (index, transition) in page.transitions.iter().enumerate() {
            if transition.substitution.is_none() {
                let arcs = arcs.get(&index).map(Vec::as_slice).unwrap_or_default();
                transitions.push(self.transition(page, &places, index, arcs));
            }
        }
        PageDraft { places, transitions }
    }

    fn place(&mut self, page: &Page, place: &Place) -> PlaceDraft {
        let subject = subject("place", place.name.as_str(), page);
        let Some(colour_set) = self.colour_set(&subject, &place.colour_set) else {
            return PlaceDraft { colour_set: None, timed: false, initial: None };
        };
        let initial = self.initial_marking(&subject, &place.initial, colour_set);
        let timed = self.environment.colour_set(colour_set).timed;
        PlaceDraft { colour_set: Some(colour_set), timed, initial }
    }

    pub(super) fn initial_marking(
        &mut self,
        subject: &str,
        text: &Text,
        colour_set: ColourSetId,
    ) -> Option<Inscription> {
        if text.is_blank() {
            return None;
        }
        let subject = format!("initial marking of {subject}");
        self.note(&subject, text);
        let result = self.environment.initial_marking(&subject, text.as_str(), colour_set);
        self.keep(result)
    }

    fn colour_set(&mut self, subject: &str, text: &Text) -> Option<ColourSetId> {
        let found = self.environment.find_colour_set(text.trim());
        // Similar names are searched only if the message is shown.
        if found.is_none() && !self.findings.count_unless_shown() {
            let problem = match text.trim() {
                "" => Problem::NoColourSet,
                name => Problem::UnknownColourSet {
                    name: shown(name),
                    help: Some(self.similar_set(name)),
                },
            };
            self.report(text.span(), subject, problem);
        }
        found
    }

    fn similar_set(&self, name: &str) -> String {
        let sets = self.environment.colour_sets().iter().map(|set| &*set.name);
        match closest(name, sets) {
            Some(suggestion) => suggestion.to_string(),
            None => format!("declare it: `colset {} = ...;`", shown(name)),
        }
    }

    /// The arcs of each transition, each with the index of its place on the page.
    fn arcs_by_transition<'f>(&mut self, page: &'f Page) -> HashMap<usize, Vec<(&'f Arc, usize)>> {
        let places: HashMap<&str, usize> =
            page.places.iter().enumerate().map(|(at, place)| (place.id.as_str(), at)).collect();
        let ids = page.transitions.iter().enumerate();
        let transitions: HashMap<&str, usize> =
            ids.map(|(at, trans)| (trans.id.as_str(), at)).collect();
        let mut found: HashMap<usize, Vec<(&Arc, usize)>> = HashMap::new();
        for arc in &page.arcs {
            let place = places.get(arc.place.as_str());
            let transition = transitions.get(arc.transition.as_str());
            let (end, id) = match (place, transition) {
                (Some(place), Some(transition)) => {
                    found.entry(*transition).or_default().push((arc, *place));
                    continue;
                }
                (None, _) => ("place", &arc.place),
                (_, None) => ("transition", &arc.transition),
            };
            let problem = Problem::DanglingArc { end, id: shown(id) };
            self.report(arc.offset..arc.offset, &subject("arc", &arc.id, page), problem);
        }
        found
    }

    fn transition(
        &mut self,
        page: &Page,
        places: &[PlaceDraft],
        index: usize,
        arcs: &[(&Arc, usize)],
    ) -> TransitionDraft {
        let transition = &page.transitions[index];
        let mut draft =
            TransitionDraft { index, behaviour: self.regions(page, transition), slots: Vec::new() };
        let (mut is_whole, mut known) = (true, HashMap::new());
        for (arc, place) in arcs {
            let Some(colour_set) = places[*place].colour_set else {
                // The place has been reported.
                is_whole = false;
                continue;
            };
            let slot = *known.entry(*place).or_insert_with(|| {
                draft.slots.push(*place);
                Slot(u32::try_from(draft.slots.len() - 1).expect("fewer than 2^32 places"))
            });
            let subject = arc_subject(page, arc, &page.places[*place], transition);
            let added = self.arc(&mut draft.behaviour, &subject, arc, slot, colour_set);
            is_whole &= added.is_some();
        }
        if is_whole {
            self.variables(page, transition, &mut draft.behaviour);
        }
        draft
    }

    fn regions(&mut self, page: &Page, transition: &Transition) -> Behaviour {
        let subject = subject("transition", transition.name.as_str(), page);
        let texts = [&transition.guard, &transition.time, &transition.code, &transition.priority];
        let [guard, time, code, priority] = ["guard", "time region", "code segment", "priority"]
            .map(|region| format!("{region} of {subject}"));
        for (name, text) in [&guard, &time, &code, &priority].into_iter().zip(texts) {
            if !text.is_blank() {
                self.note(name, text);
            }
        }
        if !transition.channel.is_blank() {
            self.report(transition.channel.span(), &subject, Problem::Channel);
        }
        let conjuncts = self.environment.guard(&guard, transition.guard.as_str());
        let conjuncts = self.keep(conjuncts).unwrap_or_default();
        let conjuncts =
            conjuncts.into_iter().map(|expr| binding::conjunct(&mut self.environment, expr));
        let guard = conjuncts.collect();
        let delay = self.environment.time_region(&time, transition.time.as_str());
        let delay = self.keep(delay).flatten();
        let segment = self.environment.code_segment(&code, transition.code.as_str());
        let segment = self.keep(segment).flatten();
        let priority = self.environment.priority(&priority, transition.priority.as_str());
        Behaviour {
            title: transition.name.trim().to_owned(),
            guard,
            delay,
            code: segment,
            priority: self.keep(priority).flatten(),
            ..Behaviour::default()
        }
    }

    /// Adds an arc to a behaviour, unless it has a mistake.
    fn arc(
        &mut self,
        behaviour: &mut Behaviour,
        subject: &str,
        arc: &Arc,
        slot: Slot,
        colour_set: ColourSetId,
    ) -> Option<()> {
        match &arc.kind {
            ArcKind::Inhibitor | ArcKind::Reset if !arc.inscription.is_blank() => {
                self.report(arc.inscription.span(), subject, Problem::InscribedArc);
                return None;
            }
            ArcKind::Inhibitor => {
                behaviour.inhibitors.push(slot);
                return Some(());
            }
            ArcKind::Reset => {
                behaviour.resets.push(slot);
                return Some(());
            }
            ArcKind::Unknown(found) => {
                let problem = Problem::UnknownOrientation { found: shown(found) };
                self.report(arc.offset..arc.offset, subject, problem);
                return None;
            }
            ArcKind::Input | ArcKind::Output | ArcKind::Both => {}
        }
        self.note(subject, &arc.inscription);
        let result = self.environment.arc(subject, arc.inscription.as_str(), colour_set);
        let inscription = self.keep(result)?;
        let needs = self.environment.variables_in(&inscription.expr);
        if arc.kind != ArcKind::Output {
            let terms = binding::terms(&mut self.environment, &inscription);
            let (inscription, needs) = (inscription.clone(), needs.clone());
            behaviour.inputs.push(Input { slot, inscription, terms, needs });
        }
        if arc.kind != ArcKind::Input {
            behaviour.outputs.push(Output { slot, inscription, needs });
        }
        Some(())
    }

    fn variables(&mut self, page: &Page, transition: &Transition, behaviour: &mut Behaviour) {
        let problems = variables::resolve(&self.environment, &mut self.sizes, behaviour);
        let subject = subject("transition", transition.name.as_str(), page);
        for problem in problems {
            self.report(transition.name.span(), &subject, problem);
        }
    }

    /// The value. Mistakes in its text are reported.
    pub(super) fn keep<T>(&mut self, result: Result<T, MlErrors>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(errors) => {
                for error in &errors.errors {
                    if !self.findings.count_unless_shown() {
                        self.findings.report(self.texts.finding(error));
                    }
                }
                None
            }
        }
    }
}

fn arc_subject(page: &Page, arc: &Arc, place: &Place, transition: &Transition) -> String {
    let (place, transition) = (shown(place.name.as_str()), shown(transition.name.as_str()));
    let page = shown(&page.name);
    match arc.kind {
        ArcKind::Output => format!("arc from `{transition}` to `{place}` on page `{page}`"),
        ArcKind::Both => format!("arc between `{place}` and `{transition}` on page `{page}`"),
        _ => format!("arc from `{place}` to `{transition}` on page `{page}`"),
    }
}
