//! What can go wrong while a net is explored.

use sweepline_ml::Raised;

/// Why the successors of a marking cannot be computed.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// An expression raised an exception, or went beyond a limit.
    Raised(Raised),
    /// A colour that its colour set does not have.
    Illegal { place: String, colour: String },
    /// A time beyond what can be counted.
    Late,
}

impl From<Raised> for Trouble {
    fn from(raised: Raised) -> Self {
        Trouble::Raised(raised)
    }
}
