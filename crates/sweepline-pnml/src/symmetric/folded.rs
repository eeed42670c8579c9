//! The data that an unfolded net keeps of its symmetric net.

use crate::net::{PlaceId, TransitionId};

/// The places, transitions, sorts and variables of a symmetric net, as its unfolding knows them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Folded {
    /// The coloured places, each with the places that it was unfolded to: one for each colour that may be
    /// marked, so possibly none.
    pub places: Vec<FoldedNode<PlaceId>>,
    /// The coloured transitions, each with one transition for each binding that may be enabled.
    pub transitions: Vec<FoldedNode<TransitionId>>,
    /// Arcs of the symmetric net.
    pub n_arcs: usize,
    /// The declared sorts: name, description, number of colours.
    pub sorts: Vec<(String, String, u64)>,
    /// The variables: name, name of the sort.
    pub variables: Vec<(String, String)>,
}

/// A coloured place or transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoldedNode<Id> {
    /// The identifier.
    pub id: String,
    /// The name.
    pub name: String,
    /// For a place, its sort; for a transition, the variables of its guard and arcs.
    pub over: String,
    /// The nodes that it was unfolded to, in order and without gaps.
    pub members: Vec<Id>,
}

impl<Id> FoldedNode<Id> {
    /// A node that was not unfolded.
    pub(crate) fn single(((id, name), member): ((&String, &String), Id)) -> Self {
        FoldedNode {
            id: id.clone(),
            name: name.clone(),
            over: String::new(),
            members: vec![member],
        }
    }
}
