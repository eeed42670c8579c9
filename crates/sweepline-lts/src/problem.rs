//! Everything that can be wrong with a file, with what to write instead.

use miette::Diagnostic;
use thiserror::Error;

/// What is wrong, without where. Codes are stable: they are never reused.
#[derive(Clone, PartialEq, Eq, Debug, Error, Diagnostic)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Problem {
    /// The file system refuses.
    #[error("cannot open the file: {reason}")]
    #[diagnostic(code("SWL-LTS-0001"))]
    CannotOpen { reason: String },

    /// Not text, or not this kind of text.
    #[error("this is no `.aut` file: it starts with {found}")]
    #[diagnostic(
        code("SWL-LTS-0002"),
        help("its first line is `des (initial state, number of edges, number of states)`")
    )]
    NoHeader { found: String },

    /// A line of an `.aut` file that is no edge.
    #[error("{expected} expected")]
    #[diagnostic(code("SWL-LTS-0003"), help("an edge is a line `(source, \"label\", target)`"))]
    NoEdge { expected: &'static str },

    /// A state or a count that is none.
    #[error("`{found}` is not a number from 0 to 4294967294")]
    #[diagnostic(code("SWL-LTS-0004"))]
    BadNumber { found: String },

    /// A distribution over states.
    #[error("`{found}` is a distribution over states: probabilities are not supported")]
    #[diagnostic(
        code("SWL-LTS-0005"),
        help("an initial state and the target of an edge are single states here")
    )]
    Probabilistic { found: String },

    /// A state beyond the last one.
    #[error("there is no state {state}: the header says that there are {n_states}")]
    #[diagnostic(code("SWL-LTS-0006"))]
    NoSuchState { state: u32, n_states: u32 },

    /// Fewer edges than the header says.
    #[error("the file has {found} edges where its header says {expected}")]
    #[diagnostic(code("SWL-LTS-0007"), help("is it cut off? fetch or write it again"))]
    EdgeCount { found: u64, expected: u64 },

    /// States that nothing leads to and nothing leaves.
    #[error("the header says {n_states} states, far more than {n_edges} edges can connect")]
    #[diagnostic(code("SWL-LTS-0008"))]
    LonelyStates { n_states: u32, n_edges: u64 },

    /// A line longer than any label.
    #[error("a line of more than {limit} bytes")]
    #[diagnostic(code("SWL-LTS-0009"))]
    LongLine { limit: u64 },

    /// The LTS is none for another reason.
    #[error(transparent)]
    #[diagnostic(code("SWL-LTS-0010"))]
    Lts(#[from] crate::lts::LtsError),
}
