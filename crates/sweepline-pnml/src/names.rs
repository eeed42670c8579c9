//! Finding places and transitions by what people call them, with a suggestion where nothing is.

use std::collections::HashMap;
use std::hash::Hash;

use sweepline_source::{Suggestion, closest};

use crate::net::{Net, PlaceId, TransitionId};
use crate::symmetric::FoldedNode;

/// Why a name does not denote a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameError {
    /// No node has this id or name.
    Unknown {
        /// The closest id or name there is.
        suggestion: Option<Suggestion>,
    },
    /// No node has this id and several have this name.
    Ambiguous {
        /// The ids of the nodes with this name.
        ids: Vec<String>,
    },
}

/// An index over the ids and names of a net.
#[derive(Clone, Debug)]
pub struct Names<'n> {
    net: &'n Net,
    places: Index<'n>,
    transitions: Index<'n>,
    /// The nodes of the symmetric net, where the net was unfolded from one.
    coloured_places: Index<'n>,
    coloured_transitions: Index<'n>,
    /// The coloured node whose first member each is, where it has several.
    first_places: HashMap<PlaceId, &'n FoldedNode<PlaceId>>,
    first_transitions: HashMap<TransitionId, &'n FoldedNode<TransitionId>>,
}

/// Ids, and names that are no ids; a name shared by several nodes lists them all.
#[derive(Clone, Debug, Default)]
struct Index<'n> {
    by_id: HashMap<&'n str, u32>,
    by_name: HashMap<&'n str, Vec<u32>>,
}

impl<'n> Index<'n> {
    fn new(nodes: impl Iterator<Item = (&'n str, &'n str)>) -> Self {
        let mut index = Self::default();
        for ((id, name), position) in nodes.zip(0..) {
            index.by_id.insert(id, position);
            if name != id {
                index.by_name.entry(name).or_default().push(position);
            }
        }
        index
    }

    fn find(&self, wanted: &str) -> Option<Result<u32, &[u32]>> {
        if let Some(&position) = self.by_id.get(wanted) {
            return Some(Ok(position));
        }
        match self.by_name.get(wanted)?.as_slice() {
            &[position] => Some(Ok(position)),
            several => Some(Err(several)),
        }
    }
}

impl<'n> Names<'n> {
    /// Indexes a net.
    pub fn new(net: &'n Net) -> Self {
        let places = net.places.iter().map(|p| (p.id.as_str(), p.name.as_str()));
        let transitions = net.transitions.iter().map(|t| (t.id.as_str(), t.name.as_str()));
        let folded = net.folded.as_deref();
        let coloured_places = folded.into_iter().flat_map(|f| &f.places);
        let coloured_places = coloured_places.map(|p| (p.id.as_str(), p.name.as_str()));
        let coloured_transitions = folded.into_iter().flat_map(|f| &f.transitions);
        let coloured_transitions = coloured_transitions.map(|t| (t.id.as_str(), t.name.as_str()));
        Self {
            net,
            places: Index::new(places),
            transitions: Index::new(transitions),
            coloured_places: Index::new(coloured_places),
            coloured_transitions: Index::new(coloured_transitions),
            first_places: firsts(folded.map(|f| f.places.as_slice())),
            first_transitions: firsts(folded.map(|f| f.transitions.as_slice())),
        }
    }

    /// The name for all places of a coloured place together, if `place` is the first of several: it
    /// finds them again. And how many they are; they follow each other.
    pub(crate) fn of_places_from(&self, place: PlaceId) -> Option<(&'n str, usize)> {
        let node = self.first_places.get(&place)?;
        let clear = self.places(&node.name).as_ref() == Ok(&node.members);
        Some((if clear { &node.name } else { &node.id }, node.members.len()))
    }

    /// The same for the transitions of a coloured transition.
    pub(crate) fn of_transitions_from(&self, first: TransitionId) -> Option<(&'n str, usize)> {
        let node = self.first_transitions.get(&first)?;
        let clear = self.transitions(&node.name).as_ref() == Ok(&node.members);
        Some((if clear { &node.name } else { &node.id }, node.members.len()))
    }

    /// The places that a name stands for: those of a coloured place, which may be none, or one.
    pub fn places(&self, wanted: &str) -> Result<Vec<PlaceId>, NameError> {
        if let Some(places) = self.places_by_id(wanted) {
            return Ok(places);
        }
        let Some(folded) = &self.net.folded else { return self.place(wanted).map(|p| vec![p]) };
        match self.coloured_places.find(wanted) {
            Some(Ok(place)) => Ok(folded.places[place as usize].members.clone()),
            Some(Err(several)) => {
                let ids = several.iter().map(|&p| folded.places[p as usize].id.clone()).collect();
                Err(NameError::Ambiguous { ids })
            }
            None => self.place(wanted).map(|place| vec![place]),
        }
    }

    /// The transitions that a name stands for: those of a coloured transition, which may be none, or
    /// one.
    pub fn transitions(&self, wanted: &str) -> Result<Vec<TransitionId>, NameError> {
        if let Some(transitions) = self.transitions_by_id(wanted) {
            return Ok(transitions);
        }
        let Some(folded) = &self.net.folded else {
            return self.transition(wanted).map(|t| vec![t]);
        };
        match self.coloured_transitions.find(wanted) {
            Some(Ok(found)) => Ok(folded.transitions[found as usize].members.clone()),
            Some(Err(several)) => {
                let id = |&t: &u32| folded.transitions[t as usize].id.clone();
                Err(NameError::Ambiguous { ids: several.iter().map(id).collect() })
            }
            None => self.transition(wanted).map(|transition| vec![transition]),
        }
    }

    /// The place with this id, else the only place with this name.
    pub fn place(&self, wanted: &str) -> Result<PlaceId, NameError> {
        match self.places.find(wanted) {
            Some(Ok(position)) => Ok(PlaceId(position)),
            Some(Err(several)) => {
                let ids = several.iter().map(|&p| self.net.places[p as usize].id.clone()).collect();
                Err(NameError::Ambiguous { ids })
            }
            None => {
                let coloured = self.net.folded.iter().flat_map(|folded| &folded.places);
                let coloured = coloured.flat_map(|p| [p.id.as_str(), &p.name]);
                let known = self.net.places.iter().flat_map(|p| [p.id.as_str(), &p.name]);
                let known = coloured.chain(known);
                Err(NameError::Unknown { suggestion: closest(wanted, known) })
            }
        }
    }

    /// The transition with this id, else the only transition with this name.
    pub fn transition(&self, wanted: &str) -> Result<TransitionId, NameError> {
        match self.transitions.find(wanted) {
            Some(Ok(position)) => Ok(TransitionId(position)),
            Some(Err(several)) => {
                let ids =
                    several.iter().map(|&t| self.net.transitions[t as usize].id.clone()).collect();
                Err(NameError::Ambiguous { ids })
            }
            None => {
                let coloured = self.net.folded.iter().flat_map(|folded| &folded.transitions);
                let coloured = coloured.flat_map(|t| [t.id.as_str(), &t.name]);
                let known = self.net.transitions.iter().flat_map(|t| [t.id.as_str(), &t.name]);
                let known = coloured.chain(known);
                Err(NameError::Unknown { suggestion: closest(wanted, known) })
            }
        }
    }

    /// The places that exactly this id stands for, as formula files name places: those of a
    /// coloured place, which may be none, or one.
    pub fn places_by_id(&self, id: &str) -> Option<Vec<PlaceId>> {
        if let (Some(folded), Some(&place)) = (&self.net.folded, self.coloured_places.by_id.get(id))
        {
            return Some(folded.places[place as usize].members.clone());
        }
        self.places.by_id.get(id).map(|&place| vec![PlaceId(place)])
    }

    /// The transitions that exactly this id stands for, as formula files name transitions.
    pub fn transitions_by_id(&self, id: &str) -> Option<Vec<TransitionId>> {
        let coloured = self.coloured_transitions.by_id.get(id);
        if let (Some(folded), Some(&transition)) = (&self.net.folded, coloured) {
            return Some(folded.transitions[transition as usize].members.clone());
        }
        self.transitions.by_id.get(id).map(|&transition| vec![TransitionId(transition)])
    }

    /// The id of a place that resembles this one.
    pub fn similar_place_id(&self, id: &str) -> Option<Suggestion> {
        let coloured = self.net.folded.iter().flat_map(|folded| &folded.places);
        let known = self.net.places.iter().map(|place| place.id.as_str());
        closest(id, coloured.map(|place| place.id.as_str()).chain(known))
    }

    /// The id of a transition that resembles this one.
    pub fn similar_transition_id(&self, id: &str) -> Option<Suggestion> {
        let coloured = self.net.folded.iter().flat_map(|folded| &folded.transitions);
        let known = self.net.transitions.iter().map(|transition| transition.id.as_str());
        closest(id, coloured.map(|transition| transition.id.as_str()).chain(known))
    }

    /// The name of a place where that name finds it again, else its id.
    pub fn of_place(&self, place: PlaceId) -> &'n str {
        let node = &self.net.places[place.index()];
        let found = match self.net.folded {
            Some(_) => self.places(&node.name) == Ok(vec![place]),
            None => self.places.find(&node.name) == Some(Ok(place.0)),
        };
        if found { &node.name } else { &node.id }
    }

    /// The name of a transition where that name finds it again, else its id.
    pub fn of_transition(&self, transition: TransitionId) -> &'n str {
        let node = &self.net.transitions[transition.index()];
        let found = match self.net.folded {
            Some(_) => self.transitions(&node.name) == Ok(vec![transition]),
            None => self.transitions.find(&node.name) == Some(Ok(transition.0)),
        };
        if found { &node.name } else { &node.id }
    }
}

fn firsts<Id: Copy + Eq + Hash>(nodes: Option<&[FoldedNode<Id>]>) -> HashMap<Id, &FoldedNode<Id>> {
    let several = nodes.into_iter().flatten().filter(|node| node.members.len() > 1);
    several.map(|node| (node.members[0], node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_shown_by_a_name_that_finds_them_again() {
        let net = Net::builder("n")
            .place_named("a", "first", 0)
            .place_named("b", "twin", 0)
            .place_named("c", "twin", 0)
            .place_named("d", "a", 0)
            .build()
            .unwrap();
        let names = net.names();
        let shown: Vec<_> = net.place_ids().map(|place| names.of_place(place)).collect();
        assert_eq!(shown, ["first", "b", "c", "d"]);
        assert_eq!(
            names.place("twin"),
            Err(NameError::Ambiguous { ids: vec!["b".into(), "c".into()] })
        );
        assert!(names.places_by_id("first").is_none());
    }
}
