//! Finds places and transitions by id or name, with a suggestion for an unknown one.

use std::collections::HashMap;
use std::hash::Hash;

use sweepline_query::{NameError, Named, Vocabulary};
use sweepline_source::{Suggestion, closest};

use crate::net::{Net, PlaceId, TransitionId};
use crate::symmetric::FoldedNode;

/// An index over the ids and names of a net.
#[derive(Clone, Debug)]
pub struct Names<'n> {
    /// Its places.
    pub places: Nodes<'n, PlaceId>,
    /// Its transitions.
    pub transitions: Nodes<'n, TransitionId>,
}

impl<'n> Names<'n> {
    /// Indexes a net.
    pub fn new(net: &'n Net) -> Self {
        let places = net.places.iter().map(|p| (p.id.as_str(), p.name.as_str()));
        let transitions = net.transitions.iter().map(|t| (t.id.as_str(), t.name.as_str()));
        let folded = net.folded.as_deref();
        Self {
            places: Nodes::new(places, folded.map(|f| f.places.as_slice()), PlaceId),
            transitions: Nodes::new(
                transitions,
                folded.map(|f| f.transitions.as_slice()),
                TransitionId,
            ),
        }
    }
}

/// A node is printed by its name if that identifies it, else by its id.
impl Vocabulary for Names<'_> {
    fn places(&self, name: &str) -> Result<Vec<PlaceId>, NameError> {
        self.places.all(name)
    }

    fn transitions(&self, name: &str) -> Result<Vec<TransitionId>, NameError> {
        self.transitions.all(name)
    }

    fn of_place(&self, place: PlaceId) -> &str {
        self.places.of(place.0)
    }

    fn of_transition(&self, transition: TransitionId) -> &str {
        self.transitions.of(transition.0)
    }

    fn of_places_from(&self, first: PlaceId) -> Option<(&str, usize)> {
        self.places.of_all_from(first)
    }

    fn of_transitions_from(&self, first: TransitionId) -> Option<(&str, usize)> {
        self.transitions.of_all_from(first)
    }
}

impl Named for Net {
    fn vocabulary(&self) -> Box<dyn Vocabulary + '_> {
        Box::new(self.names())
    }
}

/// Places or transitions.
#[derive(Clone, Debug)]
pub struct Nodes<'n, Id> {
    /// Ids and names.
    nodes: Vec<(&'n str, &'n str)>,
    index: Index<'n>,
    /// The nodes of the symmetric net, if the net was unfolded from one.
    folded: Option<&'n [FoldedNode<Id>]>,
    coloured: Index<'n>,
    /// For the first member of each coloured node with several members: that node.
    firsts: HashMap<Id, &'n FoldedNode<Id>>,
    id: fn(u32) -> Id,
}

impl<'n, Id: Copy + Eq + Hash> Nodes<'n, Id> {
    fn new(
        nodes: impl Iterator<Item = (&'n str, &'n str)>,
        folded: Option<&'n [FoldedNode<Id>]>,
        id: fn(u32) -> Id,
    ) -> Self {
        let nodes: Vec<_> = nodes.collect();
        let coloured = folded.into_iter().flatten();
        let several = coloured.clone().filter(|node| node.members.len() > 1);
        Self {
            index: Index::new(nodes.iter().copied()),
            nodes,
            folded,
            coloured: Index::new(coloured.map(|node| (node.id.as_str(), node.name.as_str()))),
            firsts: several.map(|node| (node.members[0], node)).collect(),
            id,
        }
    }

    /// Ids and names of coloured nodes and nodes.
    fn known(&self) -> impl Iterator<Item = (&'n str, &'n str)> + '_ {
        let coloured = self.folded.into_iter().flatten();
        let coloured = coloured.map(|node| (node.id.as_str(), node.name.as_str()));
        coloured.chain(self.nodes.iter().copied())
    }

    /// The node with this id, else the only one with this name.
    pub fn find(&self, wanted: &str) -> Option<Id> {
        self.index.find(wanted)?.ok().map(self.id)
    }

    /// The node with this id, else the only one with this name.
    ///
    /// # Errors
    /// When there is none, or several with this name.
    pub fn one(&self, wanted: &str) -> Result<Id, NameError> {
        match self.index.find(wanted) {
            Some(Ok(position)) => Ok((self.id)(position)),
            Some(Err(several)) => {
                let ids = several.iter().map(|&at| self.nodes[at as usize].0.to_owned()).collect();
                Err(NameError::Ambiguous { ids })
            }
            None => {
                let known = self.known().flat_map(|(id, name)| [id, name]);
                let names = self.known().map(|(id, name)| {
                    let names_it = !name.is_empty() && self.all(name).is_ok();
                    if names_it { name } else { id }
                });
                Err(NameError::unknown(closest(wanted, known), names))
            }
        }
    }

    /// The nodes with a name: those of a coloured node, which may be none, or one.
    fn all(&self, wanted: &str) -> Result<Vec<Id>, NameError> {
        if let Some(nodes) = self.by_id(wanted) {
            return Ok(nodes);
        }
        let folded = self.folded.unwrap_or_default();
        match self.coloured.find(wanted) {
            Some(Ok(node)) => Ok(folded[node as usize].members.clone()),
            Some(Err(several)) => {
                let ids = several.iter().map(|&node| folded[node as usize].id.clone()).collect();
                Err(NameError::Ambiguous { ids })
            }
            None => self.one(wanted).map(|node| vec![node]),
        }
    }

    /// The nodes with exactly this id, as formula files name them: those of a coloured node, which may be
    /// none, or one.
    pub fn by_id(&self, id: &str) -> Option<Vec<Id>> {
        if let (Some(folded), Some(&node)) = (self.folded, self.coloured.by_id.get(id)) {
            return Some(folded[node as usize].members.clone());
        }
        self.index.by_id.get(id).map(|&node| vec![(self.id)(node)])
    }

    /// The id that is closest to this one.
    pub fn similar_id(&self, id: &str) -> Option<Suggestion> {
        closest(id, self.known().map(|(id, _)| id))
    }

    /// The name of a node if that identifies it, else its id.
    fn of(&self, node: u32) -> &'n str {
        let (id, name) = self.nodes[node as usize];
        let found = match self.folded {
            Some(_) => self.all(name) == Ok(vec![(self.id)(node)]),
            None => self.index.find(name) == Some(Ok(node)),
        };
        if found { name } else { id }
    }

    /// If `first` is the first of several nodes of a coloured node: the name of that, and how many nodes it
    /// has. They are consecutive.
    fn of_all_from(&self, first: Id) -> Option<(&'n str, usize)> {
        let node = self.firsts.get(&first)?;
        let clear = self.all(&node.name).as_ref() == Ok(&node.members);
        Some((if clear { &node.name } else { &node.id }, node.members.len()))
    }
}

/// Ids, and names that are not ids; a name may belong to several nodes.
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
            names.places.one("twin"),
            Err(NameError::Ambiguous { ids: vec!["b".into(), "c".into()] })
        );
        assert!(names.places.by_id("first").is_none());
    }
}
