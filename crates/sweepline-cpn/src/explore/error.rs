//! Errors while a net is explored.

use sweepline_ml::Raised;

/// Why the successors of a marking cannot be computed.
#[derive(Debug)]
pub(crate) enum SuccessorError {
    /// An expression raised an exception or exceeded a limit.
    Raised(Raised),
    /// A colour that is not in its colour set.
    Illegal { place: String, colour: String },
    /// A binding that is not among those that a transition can have: an error of ours.
    Unlisted,
    /// A time that is too large.
    TimeTooLarge,
}

impl From<Raised> for SuccessorError {
    fn from(raised: Raised) -> Self {
        SuccessorError::Raised(raised)
    }
}
