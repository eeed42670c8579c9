//! States of components in expressions: those that do not exist, and those that no path leads to.

use std::collections::BTreeSet;

use sweepline_lts::StateNo;
use sweepline_query::{Linear, Node, PlaceId, Predicate};

use super::Processes;
use crate::failure::Failure;

/// Names of states listed where one is wrong.
const MOST_NAMES: usize = 5;

impl Processes {
    /// Notes the states in `predicate` that no path of their component leads to.
    pub(super) fn note_unreachable(&self, predicate: &Predicate) {
        match predicate.node() {
            Node::AtMost(sum, _) | Node::Equal(sum, _) | Node::Different(sum, _) => {
                self.note_unreachable_in(sum);
            }
            Node::All(parts) | Node::Any(parts) => {
                parts.iter().for_each(|part| self.note_unreachable(part));
            }
            _ => {}
        }
    }

    /// The same of a sum.
    pub(super) fn note_unreachable_in(&self, sum: &Linear) {
        for &(_, place) in sum.terms() {
            if let Some((component, state)) = self.state_of(place)
                && !self.reachable(component).contains(&state)
            {
                let (name, of) = (
                    &self.names.words.places.words()[place.index()],
                    &self.names.components[component],
                );
                let note =
                    format!("`{name}` is unreachable: no path of `{of}` leads to this state");
                self.notes().insert(note);
            }
        }
    }

    /// The state of a component that a place stands for.
    fn state_of(&self, place: PlaceId) -> Option<(usize, StateNo)> {
        let (component, state) = self.split(&self.names.words.places.words()[place.index()])?;
        let lts = self.composition.component(component);
        Some((component, lts.states().find(|&known| lts.state_name(known) == state)?))
    }

    /// `COMPONENT@STATE`
    fn split<'n>(&self, name: &'n str) -> Option<(usize, &'n str)> {
        let names = self.names.components.iter().enumerate();
        let mut all = names.filter_map(|(component, known)| {
            Some((component, name.strip_prefix(known.as_str())?.strip_prefix('@')?))
        });
        all.next()
    }

    /// The states of a component to which a path of its own leads.
    fn reachable(&self, component: usize) -> BTreeSet<StateNo> {
        let lts = self.composition.component(component);
        let (mut seen, mut work) = (BTreeSet::from([lts.initial()]), vec![lts.initial()]);
        while let Some(state) = work.pop() {
            for edge in lts.edges(state) {
                if seen.insert(edge.target) {
                    work.push(edge.target);
                }
            }
        }
        seen
    }

    /// What is wrong with `text` where it names a state that a component does not have; else `failure`.
    pub(super) fn no_such_state(&self, text: &str, failure: Failure) -> Failure {
        let mut at = 0;
        for (number, part) in text.split('"').enumerate() {
            let start = at;
            at += part.len() + 1;
            let is_quoted = number % 2 == 1;
            if !is_quoted || self.names.words.places.get(part).is_some() {
                continue;
            }
            let Some((component, state)) = self.split(part) else { continue };
            let (of, lts) =
                (&self.names.components[component], self.composition.component(component));
            let exists = lts.states().any(|known| lts.state_name(known) == state);
            let (message, help) = match exists {
                true => (
                    format!("the states of `{of}` cannot be named"),
                    "the components have too many states: ask about events, `fireable(EVENT)`"
                        .into(),
                ),
                false => {
                    let known = lts.states().take(MOST_NAMES);
                    let known: Vec<String> = known
                        .map(|known| format!("`\"{of}@{}\"`", lts.state_name(known)))
                        .collect();
                    let more = lts.n_states().saturating_sub(known.len());
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    let help = format!("its states are {}{more}", known.join(", "));
                    (format!("`{of}` has no state `{state}`"), help)
                }
            };
            let at = (start..start + part.len()).into();
            return Failure::Formula { message, help, text: text.to_owned(), at };
        }
        failure
    }
}
