//! Everything that can be wrong with a file, with what to write instead.

use miette::Diagnostic;
use sweepline_source::{Fault, Suggestion, Unreadable};
use thiserror::Error;

/// What is wrong, without where. Codes are stable: they are never reused.
#[derive(Clone, PartialEq, Eq, Debug, Error, Diagnostic)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Problem {
    /// A file that cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unreadable(Unreadable),

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

    /// `{-` without `-}`.
    #[error("this comment is not closed")]
    #[diagnostic(code("SWL-LTS-0102"), help("close it with `-}}`"))]
    OpenComment,

    /// A string without an end.
    #[error("this string is not closed")]
    #[diagnostic(code("SWL-LTS-0103"), help("close it with `\"` on the same line"))]
    OpenString,

    /// More than 64 bits.
    #[error("this number is too large")]
    #[diagnostic(code("SWL-LTS-0104"), help("numbers have 64 bits"))]
    NumberTooLarge,

    /// A character that means nothing.
    #[error("`{found}` means nothing here")]
    #[diagnostic(code("SWL-LTS-0105"))]
    StrangeCharacter { found: char },

    /// Something else should stand here.
    #[error("{expected} expected, but {found} found")]
    #[diagnostic(code("SWL-LTS-0106"))]
    Unexpected { found: String, expected: String },

    /// Nested too deeply.
    #[error("expressions are nested more than {limit} deep")]
    #[diagnostic(code("SWL-LTS-0107"), help("give parts of it a name"))]
    TooDeep { limit: u32 },

    /// Part of CSPm, but not of what is read here.
    #[error("{what} are not supported")]
    #[diagnostic(code("SWL-LTS-0108"))]
    Unsupported { what: String },

    /// An expression where a pattern should be.
    #[error("this is no pattern")]
    #[diagnostic(
        code("SWL-LTS-0109"),
        help("patterns are names, `_`, numbers, tuples, `a.b`, `<a>^rest` and `{{a}}`")
    )]
    NoPattern,

    /// A declaration that must stand at the top.
    #[error("only definitions may stand between `let` and `within`")]
    #[diagnostic(code("SWL-LTS-0110"), help("move the declaration out of the `let`"))]
    NotInLet,

    /// Clauses of different shape.
    #[error("this clause takes another number of arguments than the one before")]
    #[diagnostic(code("SWL-LTS-0111"))]
    ClausesDiffer,

    /// A name that nobody declared.
    #[error("`{name}` is not declared{}", .similar.as_ref().map_or(String::new(), |s| format!("; {s}")))]
    #[diagnostic(code("SWL-LTS-0112"))]
    Undeclared { name: String, similar: Option<Suggestion> },

    /// A name declared twice.
    #[error("`{name}` is declared already")]
    #[diagnostic(
        code("SWL-LTS-0113"),
        help("clauses of one function stand together; anything else has a name of its own")
    )]
    DeclaredTwice { name: String },

    /// A value of another kind.
    #[error("{expected} expected, but this is {found}")]
    #[diagnostic(code("SWL-LTS-0114"))]
    WrongKind { expected: String, found: String },

    /// No clause fits.
    #[error("no clause of `{name}` fits ({arguments})")]
    #[diagnostic(code("SWL-LTS-0115"), help("add a clause for it, or do not call it with that"))]
    NoMatch { name: String, arguments: String },

    /// A function and its arguments.
    #[error("`{name}` takes {expected} arguments, not {found}")]
    #[diagnostic(code("SWL-LTS-0116"))]
    ArgumentCount { name: String, expected: usize, found: usize },

    /// Defined as itself.
    #[error("`{name}` is defined as itself: nothing happens before it is needed again")]
    #[diagnostic(code("SWL-LTS-0117"), help("put an event in between: `P = a -> P`"))]
    Circular { name: String },

    /// Calls without end.
    #[error("calls are nested too deeply: {calls}")]
    #[diagnostic(
        code("SWL-LTS-0118"),
        help("a process must do an event before it is called again: `P(n) = a -> P(n + 1)`")
    )]
    EndlessCalls { calls: String },

    /// A set without end where all of it is needed.
    #[error("{what} has no end: all its members are needed here")]
    #[diagnostic(code("SWL-LTS-0119"), help("restrict it: `{{0..3}}` instead of `Int`"))]
    Infinite { what: String },

    /// A set that is too large.
    #[error("this set has more than {limit} members")]
    #[diagnostic(code("SWL-LTS-0120"))]
    HugeSet { limit: usize },

    /// An event that its channel does not carry.
    #[error(
        "`{event}` is not an event of channel `{channel}`: its field {field} is not in the type"
    )]
    #[diagnostic(code("SWL-LTS-0121"), help("`{channel}` carries {carries}"))]
    NotInType { event: String, channel: String, field: usize, carries: String },

    /// An event that lacks fields, or has too many.
    #[error("`{event}` does not fit channel `{channel}`, whose events have {expected} fields")]
    #[diagnostic(
        code("SWL-LTS-0122"),
        help("for all events that start so write `{{| {event} |}}`")
    )]
    FieldCount { event: String, channel: String, expected: usize },

    /// A number outside of 64 bits, or a division by zero.
    #[error("{what}")]
    #[diagnostic(code("SWL-LTS-0123"))]
    Arithmetic { what: String },

    /// The first of nothing.
    #[error("`{name}` of an empty {of}")]
    #[diagnostic(code("SWL-LTS-0124"))]
    OfEmpty { name: &'static str, of: &'static str },

    /// A component that does not end.
    #[error("process `{process}` has more than {limit} states: {growth}")]
    #[diagnostic(
        code("SWL-LTS-0125"),
        help(
            "bound what grows, for example with a guard `n < 10 & ...`; components are explored alone, whatever runs beside them"
        )
    )]
    TooManyStates { process: String, limit: usize, growth: String },

    /// A composition that cannot be made.
    #[error(transparent)]
    #[diagnostic(code("SWL-LTS-0126"))]
    Composition(#[from] crate::composition::CompositionError),

    /// A parameter that is no constant.
    #[error("`{name}` is no constant of the script{}", .constants)]
    #[diagnostic(code("SWL-LTS-0127"))]
    NoConstant { name: String, constants: String },

    /// `include` of itself, over and over, or of nothing.
    #[error("cannot include `{path}`: {reason}")]
    #[diagnostic(code("SWL-LTS-0128"))]
    CannotInclude { path: String, reason: String },

    /// A specification that cannot be made deterministic.
    #[error("the specification has more than {limit} states")]
    #[diagnostic(code("SWL-LTS-0129"))]
    LargeSpecification { limit: usize },

    /// The script evaluates more than anyone waits for.
    #[error("evaluation takes more than {limit} steps")]
    #[diagnostic(code("SWL-LTS-0130"))]
    TooManySteps { limit: u64 },

    /// As many components as nobody writes down: copies of copies.
    #[error("the process has more than {limit} components")]
    #[diagnostic(code("SWL-LTS-0131"))]
    TooManyComponents { limit: usize },
}

impl sweepline_source::Problem for Problem {
    const CONTEXT_LINES: usize = 0;
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let code = match &fault {
            Fault::TooLarge { .. } => "SWL-LTS-0101",
            _ => "SWL-LTS-0001",
        };
        Self::Unreadable(Unreadable { fault, code, help: "" })
    }
}
