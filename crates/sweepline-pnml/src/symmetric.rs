//! Symmetric nets: places hold coloured tokens, transitions fire under bindings of variables.
//!
//! They are read with all sorts checked ([`read_symmetric`](crate::read_symmetric)) and explored as the
//! place/transition net that they [`unfold`](SymmetricNet::unfold) to.

mod assemble;
mod declare;
mod folded;
mod sort;
mod term;
mod typing;
mod unfold;

#[cfg(test)]
mod tests;

pub use folded::{Folded, FoldedNode};
pub use sort::{Colour, Sort, SortId, Sorts};
pub use term::{Bag, Guard, Term, Tokens, TooMany, UNBOUND, VariableId};
pub use unfold::{UnfoldError, UnfoldLimits, UnfoldProblem};

pub(crate) use assemble::assemble;

use crate::net::Net;

/// A symmetric net, all its terms checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetricNet {
    /// The name of the net.
    pub name: String,
    /// All sorts that occur.
    pub sorts: Sorts,
    /// The sorts that the file gives a name: id, name, sort.
    pub named_sorts: Vec<(String, String, SortId)>,
    /// The variables, indexed by [`VariableId`].
    pub variables: Vec<Variable>,
    /// The places.
    pub places: Vec<ColouredPlace>,
    /// The transitions.
    pub transitions: Vec<ColouredTransition>,
}

/// A variable of the net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The identifier.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it ranges over.
    pub sort: SortId,
    /// The element that declares it.
    declared_at: usize,
}

/// A place for tokens of one sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColouredPlace {
    /// The identifier.
    pub id: String,
    /// What people call it; the id where the file gives no name.
    pub name: String,
    /// The sort of its tokens.
    pub sort: SortId,
    /// The initial marking, without variables.
    pub initial: Bag,
}

/// A transition with its guard and its arcs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColouredTransition {
    /// The identifier.
    pub id: String,
    /// What people call it; the id where the file gives no name.
    pub name: String,
    /// The variables of its guard and its arcs, in the order of their declarations.
    pub variables: Vec<VariableId>,
    /// Which bindings are allowed.
    pub guard: Guard,
    /// What one firing takes, by the position of the place. A place may occur several times.
    pub inputs: Vec<(usize, Bag)>,
    /// What one firing puts.
    pub outputs: Vec<(usize, Bag)>,
}

impl SymmetricNet {
    /// The place/transition net with a place for each colour that can ever be there and a transition
    /// for each binding that its guard allows and whose tokens can ever be there.
    ///
    /// # Errors
    /// When it is larger than `limits` allow, or holds more tokens than 64 bits count.
    pub fn unfold(&self, limits: &UnfoldLimits) -> Result<Net, UnfoldError> {
        unfold::unfold(self, limits)
    }
}
