//! Symmetric nets: places have coloured tokens, and transitions fire under bindings of variables.
//!
//! They are read with all sorts checked ([`read_symmetric`](crate::read_symmetric)) and explored as the
//! place/transition net to which they [`unfold`](SymmetricNet::unfold).

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
    /// The declared sorts: id, name, sort.
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
    /// The name.
    pub name: String,
    /// Its sort.
    pub sort: SortId,
    /// The element that declares it.
    declared_at: usize,
}

/// A place for tokens of one sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColouredPlace {
    /// The identifier.
    pub id: String,
    /// The name; the id if the file gives no name.
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
    /// The name; the id if the file gives no name.
    pub name: String,
    /// The variables of its guard and its arcs, in the order of their declarations.
    pub variables: Vec<VariableId>,
    /// Which bindings are allowed.
    pub guard: Guard,
    /// The tokens that one firing removes, by the index of the place. A place may occur several times.
    pub inputs: Vec<(usize, Bag)>,
    /// The tokens that one firing adds.
    pub outputs: Vec<(usize, Bag)>,
}

impl SymmetricNet {
    /// The unfolded place/transition net: a place for each colour that may be marked, and a transition for
    /// each binding that its guard allows and whose input tokens may be marked.
    ///
    /// # Errors
    /// When it is larger than `limits` allow, or holds more tokens than 64 bits count.
    pub fn unfold(&self, limits: &UnfoldLimits) -> Result<Net, UnfoldError> {
        unfold::unfold(self, limits)
    }
}
