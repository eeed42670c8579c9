//! Why a state is dead: what the transitions nearest to being enabled lack.

use std::collections::BTreeSet;

use sweepline_cpn::{CpnModel, Marking as ColouredMarking};
use sweepline_lts::{Composition, Joint, Part};
use sweepline_pnml::{Marking, MarkingView, NetModel};

use super::net::shown;
use crate::print::quoted;

/// The most transitions that are listed.
const MOST: usize = 5;

/// A disabled transition, and what it lacks.
pub(crate) struct Lacking {
    pub(crate) transition: String,
    pub(crate) lacks: Vec<String>,
}

/// The transitions that lack the fewest tokens or events, and the number of the others.
pub(crate) struct Nearest {
    pub(crate) listed: Vec<Lacking>,
    pub(crate) n_more: usize,
}

impl Nearest {
    /// The nearest of `all`, each with the number of its inputs that are there. A transition none of whose inputs is
    /// there is not near, however few it has.
    fn of(mut all: Vec<(usize, Lacking)>) -> Self {
        all.sort_by_key(|(n_met, lacking)| (*n_met == 0, lacking.lacks.len()));
        let mut all: Vec<Lacking> = all.into_iter().map(|(_, lacking)| lacking).collect();
        let n_more = all.len().saturating_sub(MOST);
        all.truncate(MOST);
        Nearest { listed: all, n_more }
    }

    /// The transitions of a P/T net that `marking` disables.
    pub(super) fn of_net(model: &NetModel, marking: &Marking) -> Self {
        let (net, view) = (model.net(), model.view(marking));
        let lacking = |transition: &sweepline_pnml::Transition| {
            let too_few = |&(place, weight): &(_, u64)| {
                let (tokens, place) = (view.tokens(place), &net.places[place.index()]);
                let place = quoted(shown(&place.id, &place.name));
                (tokens < weight).then(|| match (tokens, weight) {
                    (_, 1) => format!("a token in {place}"),
                    (0, weight) => format!("{weight} tokens in {place}"),
                    (tokens, weight) => {
                        format!("{} of {weight} tokens in {place}", weight - tokens)
                    }
                })
            };
            let transition_name = shown(&transition.id, &transition.name).to_owned();
            let lacks: Vec<String> = transition.inputs.iter().filter_map(too_few).collect();
            let n_met = transition.inputs.len() - lacks.len();
            (n_met, Lacking { transition: transition_name, lacks })
        };
        Nearest::of(net.transitions.iter().map(lacking).collect())
    }

    /// The transitions of a coloured net that `marking` disables.
    pub(super) fn of_coloured(model: &CpnModel, marking: &ColouredMarking) -> Self {
        let net = model.net();
        let tokens = |place| model.show_place(marking, place).0;
        let name = |place: sweepline_cpn::PlaceId| net.places[place.0 as usize].name.clone();
        let lacking = |transition: &sweepline_cpn::Transition, label: &str| {
            let behaviour = &net.behaviours[transition.behaviour.0 as usize];
            let place = |slot: sweepline_cpn::Slot| transition.places[slot.0 as usize];
            let inputs: BTreeSet<_> =
                behaviour.inputs.iter().map(|input| place(input.slot)).collect();
            let empty = inputs.iter().filter(|&&place| tokens(place) == 0);
            let mut lacks: Vec<_> =
                empty.map(|&place| format!("tokens in {}", name(place))).collect();
            let n_met = inputs.len() - lacks.len();
            let inhibitors = behaviour.inhibitors.iter().map(|&slot| place(slot));
            let marked = inhibitors.filter(|&place| tokens(place) > 0);
            lacks.extend(marked.map(|place| format!("an empty {}", name(place))));
            if lacks.is_empty() {
                let guard = if behaviour.guard.is_empty() { "" } else { " and its guard" };
                lacks.push(format!("a binding that satisfies its arcs{guard}"));
            }
            (n_met, Lacking { transition: label.to_owned(), lacks })
        };
        let transitions = net.transitions.iter().zip(model.transition_names());
        Nearest::of(transitions.map(|(transition, label)| lacking(transition, label)).collect())
    }

    /// The events that some component offers in `state`, and others do not.
    pub(super) fn of_processes(
        composition: &Composition,
        components: &[String],
        state: &Joint,
    ) -> Self {
        let offers = |part: &Part| {
            let own = composition.component_state(state, part.component);
            let lts = composition.component(part.component);
            // A part without a label is that of a component that must have terminated.
            part.label.is_some_and(|label| lts.edges(own).iter().any(|edge| edge.label == label))
        };
        let mut best: std::collections::BTreeMap<String, Vec<String>> = Default::default();
        for (number, rule) in composition.rules().iter().enumerate() {
            if !rule.parts.iter().any(offers) {
                continue;
            }
            let missing = rule.parts.iter().filter(|part| !offers(part)).map(|part| {
                let own = composition.component_state(state, part.component);
                let at = composition.component(part.component).state_name(own);
                let verb = if part.label.is_some() { "offer it" } else { "terminate" };
                format!("{} (now {at}) to {verb}", components[part.component])
            });
            let missing: Vec<String> = missing.collect();
            let event = composition.rule_name(sweepline_lts::RuleId(number as u32));
            let known = best.entry(event).or_insert_with(|| missing.clone());
            if missing.len() < known.len() {
                *known = missing;
            }
        }
        // Some component offers each of them.
        let lacking = |(transition, lacks)| (1, Lacking { transition, lacks });
        Nearest::of(best.into_iter().map(lacking).collect())
    }
}
