//! Builds the unfolded net when all its colours and bindings are known.

use std::collections::{HashMap, HashSet};

use super::super::folded::{Folded, FoldedNode};
use super::super::sort::{Colour, Sort, SortId};
use super::super::term::{Bag, Tokens};
use super::super::{ColouredPlace, SymmetricNet};
use super::reached::Reached;
use super::{Bindings, UnfoldError, UnfoldLimits, UnfoldProblem, assignment, fail};
use crate::net::{Net, Place, PlaceId, Transition, TransitionId, merge_arcs};

pub(super) fn build(
    net: &SymmetricNet,
    limits: &UnfoldLimits,
    initial: &[Tokens],
    reached: &[Reached],
    found: Vec<Bindings>,
) -> Result<Net, UnfoldError> {
    let mut builder = Builder {
        net,
        limits,
        places: Vec::new(),
        transitions: Vec::new(),
        position: vec![HashMap::new(); net.places.len()],
        ids: coloured_ids(net),
        folded: folded(net),
    };
    for number in 0..net.places.len() {
        builder.add_place(number, &initial[number], reached[number].colours());
    }
    for (number, bindings) in found.into_iter().enumerate() {
        builder.add_transition(number, bindings)?;
    }
    let Builder { places, transitions, folded, .. } = builder;
    let folded = Some(Box::new(folded));
    Ok(Net { name: net.name.clone(), places, transitions, folded })
}

/// Ids that unfolded nodes must not have, because coloured nodes have them.
fn coloured_ids(net: &SymmetricNet) -> HashSet<String> {
    let places = net.places.iter().map(|place| place.id.clone());
    places.chain(net.transitions.iter().map(|transition| transition.id.clone())).collect()
}

struct Builder<'n> {
    net: &'n SymmetricNet,
    limits: &'n UnfoldLimits,
    places: Vec<Place>,
    transitions: Vec<Transition>,
    /// The place for each colour of each coloured place.
    position: Vec<HashMap<Colour, PlaceId>>,
    ids: HashSet<String>,
    folded: Folded,
}

impl Builder<'_> {
    fn add_place(&mut self, number: usize, initial: &Tokens, colours: &[Colour]) {
        let place = &self.net.places[number];
        let mut colours = colours.to_vec();
        colours.sort_unstable();
        for colour in colours {
            let suffix = self.suffix(place, colour);
            let id = self.unique(&place.id, &suffix);
            let name = format!("{}{suffix}", place.name);
            let position = PlaceId(self.places.len() as u32);
            self.position[number].insert(colour, position);
            self.folded.places[number].members.push(position);
            let initial = initial.get(&colour).copied().unwrap_or(0);
            self.places.push(Place { id, name, initial });
        }
    }

    /// The suffix of the name of a place: empty for ordinary tokens.
    fn suffix(&self, place: &ColouredPlace, colour: Colour) -> String {
        let shown = || self.net.sorts.show(place.sort, colour);
        match self.net.sorts.sort(place.sort) {
            Sort::Dot => String::new(),
            Sort::Product(_) => shown(),
            _ => format!("({})", shown()),
        }
    }

    /// A unique id. Names of constants may contain any characters, so uniqueness is checked.
    fn unique(&mut self, id: &str, suffix: &str) -> String {
        if suffix.is_empty() {
            return id.to_owned();
        }
        let mut unique = format!("{id}{suffix}");
        while !self.ids.insert(unique.clone()) {
            unique.push('\'');
        }
        unique
    }

    fn add_transition(&mut self, number: usize, bindings: Bindings) -> Result<(), UnfoldError> {
        let transition = &self.net.transitions[number];
        let mut bindings: Vec<_> = bindings.into_iter().collect();
        bindings.sort_unstable();
        for binding in bindings {
            let all = assignment(self.net, number, &binding);
            let inputs = self.arcs(number, &transition.inputs, &all)?;
            let outputs = self.arcs(number, &transition.outputs, &all)?;
            let suffix = self.binding_suffix(number, &binding);
            let id = self.unique(&transition.id, &suffix);
            let name = format!("{}{suffix}", transition.name);
            let position = TransitionId(self.transitions.len() as u32);
            self.folded.transitions[number].members.push(position);
            self.transitions.push(Transition { id, name, inputs, outputs });
        }
        Ok(())
    }

    fn binding_suffix(&self, number: usize, binding: &[Colour]) -> String {
        let variables = &self.net.transitions[number].variables;
        if variables.is_empty() {
            return String::new();
        }
        let shown = variables.iter().zip(binding).map(|(variable, &colour)| {
            let variable = &self.net.variables[variable.index()];
            format!("{}={}", variable.name, self.net.sorts.show(variable.sort, colour))
        });
        format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
    }

    fn arcs(
        &self,
        transition: usize,
        bags: &[(usize, Bag)],
        binding: &[Colour],
    ) -> Result<Vec<(PlaceId, u64)>, UnfoldError> {
        let too_many = || fail(self.net, false, transition, UnfoldProblem::TooManyTokens);
        let mut arcs = Vec::new();
        for (place, bag) in bags {
            let tokens = bag.tokens(&self.net.sorts, binding, self.limits.max_size);
            let tokens = tokens.map_err(|_| too_many())?.unwrap_or_default();
            for (colour, n) in tokens {
                arcs.push((self.position[*place][&colour], n));
            }
        }
        merge_arcs(arcs).map_err(|_| too_many())
    }
}

fn folded(net: &SymmetricNet) -> Folded {
    let sort_name = |sort: SortId| match net.named_sorts.iter().find(|named| named.2 == sort) {
        Some((_, name, _)) => name.clone(),
        None => net.sorts.describe(sort),
    };
    let place = |place: &ColouredPlace| FoldedNode {
        id: place.id.clone(),
        name: place.name.clone(),
        over: sort_name(place.sort),
        members: Vec::new(),
    };
    let variable_names = |transition: &super::super::ColouredTransition| {
        let names = transition.variables.iter().map(|v| net.variables[v.index()].name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let transitions = net.transitions.iter().map(|transition| FoldedNode {
        id: transition.id.clone(),
        name: transition.name.clone(),
        over: variable_names(transition),
        members: Vec::new(),
    });
    let sorts = net
        .named_sorts
        .iter()
        .map(|(_, name, sort)| (name.clone(), net.sorts.describe(*sort), net.sorts.size(*sort)));
    Folded {
        places: net.places.iter().map(place).collect(),
        transitions: transitions.collect(),
        n_arcs: net.transitions.iter().map(|t| t.inputs.len() + t.outputs.len()).sum(),
        sorts: sorts.collect(),
        variables: net.variables.iter().map(|v| (v.name.clone(), sort_name(v.sort))).collect(),
    }
}
