//! What an unfolded net remembers of the symmetric net it came from.

use crate::net::{PlaceId, TransitionId};

/// The places, transitions, sorts and variables of a symmetric net, as its unfolding knows them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Folded {
    /// The coloured places, each with the places it was unfolded to: one for each colour that can
    /// ever be there, so possibly none.
    pub places: Vec<FoldedNode<PlaceId>>,
    /// The coloured transitions, each with one transition for each binding that can ever be enabled.
    pub transitions: Vec<FoldedNode<TransitionId>>,
    /// Arcs of the symmetric net.
    pub n_arcs: usize,
    /// The sorts with a name: name, description, number of colours.
    pub sorts: Vec<(String, String, u64)>,
    /// The variables: name, name of the sort.
    pub variables: Vec<(String, String)>,
}

/// A coloured place or transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoldedNode<Id> {
    /// The identifier.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The sort of a place, the guard's and arcs' variables of a transition.
    pub over: String,
    /// What it was unfolded to, in order and without gaps.
    pub members: Vec<Id>,
}

impl<Id> FoldedNode<Id> {
    /// A node that stands for itself.
    pub(crate) fn single(((id, name), member): ((&String, &String), Id)) -> Self {
        FoldedNode {
            id: id.clone(),
            name: name.clone(),
            over: String::new(),
            members: vec![member],
        }
    }
}
