//! Everything that can be wrong with a net or formula file, with what to write instead.

use miette::Diagnostic;
use sweepline_source::{Fault, Position, Suggestion, Unreadable};
use thiserror::Error;

/// What is wrong, without where. Codes are stable: they are never reused.
#[derive(Clone, PartialEq, Debug, Error, Diagnostic)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Problem {
    /// A file that cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unreadable(Unreadable),

    /// Another kind of document.
    #[error("the document is a `<{found}>`, not a `<{expected}>`")]
    #[diagnostic(
        code("SWL-PNML-0012"),
        help("nets are read from PNML (`<pnml>`), formulas from property sets (`<property-set>`)")
    )]
    WrongRoot { found: String, expected: &'static str },

    /// No `<net>`.
    #[error("there is no `<net>` in the file")]
    #[diagnostic(
        code("SWL-PNML-0013"),
        help("write `<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">`")
    )]
    NoNet,

    /// More than one `<net>`.
    #[error("the file holds several nets; the first is at {first:#}")]
    #[diagnostic(code("SWL-PNML-0014"), help("keep one `<net>` per file"))]
    SeveralNets { first: Position },

    /// Neither a place/transition net nor a symmetric net.
    #[error("high-level nets beyond symmetric nets are not read: the net type is `{found}`")]
    #[diagnostic(
        code("SWL-PNML-0015"),
        help(
            "a place/transition net has the type `http://www.pnml.org/version-2009/grammar/ptnet`, \
             a symmetric net `http://www.pnml.org/version-2009/grammar/symmetricnet`"
        )
    )]
    ColouredNet { found: String },

    /// A net type nobody here knows.
    #[error("the net type `{found}` is not that of a place/transition net")]
    #[diagnostic(
        code("SWL-PNML-0016"),
        help(
            "a place/transition net has the type `http://www.pnml.org/version-2009/grammar/ptnet`"
        )
    )]
    UnknownNetType { found: String },

    /// An attribute is missing.
    #[error("`<{element}>` lacks the attribute `{attribute}`")]
    #[diagnostic(code("SWL-PNML-0017"), help("write `<{element} {attribute}=\"...\">`"))]
    MissingAttribute { element: String, attribute: &'static str },

    /// Two elements with one id.
    #[error("the id `{id}` is used twice; its first use is at {first:#}")]
    #[diagnostic(code("SWL-PNML-0018"), help("give one of the two another id"))]
    DuplicateId { id: String, first: Position },

    /// The companion of [`Problem::DuplicateId`].
    #[error("the id `{id}` is used here first")]
    #[diagnostic(code("SWL-PNML-0018"), severity(Advice))]
    FirstUse { id: String },

    /// An arc or reference to nothing.
    #[error("{what} `{of}` refers to `{id}`, which is no place or transition")]
    #[diagnostic(code("SWL-PNML-0019"))]
    UnknownNode {
        what: &'static str,
        of: String,
        id: String,
        #[help]
        suggestion: Option<Suggestion>,
    },

    /// An arc between two places or two transitions.
    #[error("arc `{arc}` joins two {kind}: `{source_id}` and `{target_id}`")]
    #[diagnostic(code("SWL-PNML-0020"), help("an arc joins a place and a transition"))]
    ArcWithinKind { arc: String, kind: &'static str, source_id: String, target_id: String },

    /// Inhibitor, reset, transport and other arcs.
    #[error("arc `{arc}` is of type `{kind}`; only ordinary arcs are read")]
    #[diagnostic(
        code("SWL-PNML-0021"),
        help("an arc of another type changes what may fire, so it is not ignored")
    )]
    UnsupportedArc { arc: String, kind: String },

    /// A weight or marking that is no number.
    #[error("the {what} of {of} is `{found}`, which is not a whole number")]
    #[diagnostic(code("SWL-PNML-0022"), help("write a non-negative integer such as `1`"))]
    NotANumber { what: &'static str, of: String, found: String },

    /// A negative weight or marking.
    #[error("the {what} of {of} is {found}, which is negative")]
    #[diagnostic(
        code("SWL-PNML-0023"),
        help("tokens cannot be owed: write a non-negative integer")
    )]
    Negative { what: &'static str, of: String, found: String },

    /// More than 64 bits.
    #[error("the {what} of {of} is {found}, more than the greatest count, {}", u64::MAX)]
    #[diagnostic(code("SWL-PNML-0024"))]
    NumberTooLarge { what: &'static str, of: String, found: String },

    /// A weight of 0.
    #[error("the weight of {of} is 0")]
    #[diagnostic(
        code("SWL-PNML-0025"),
        help("remove the arc, or write the number of tokens it moves")
    )]
    ZeroWeight { of: String },

    /// References that refer to each other.
    #[error("the reference `{id}` refers to itself through other references")]
    #[diagnostic(
        code("SWL-PNML-0026"),
        help("a chain of references must end at a place or transition")
    )]
    ReferenceCycle { id: String },

    /// A reference place that refers to a transition, or the other way round.
    #[error("`<{element}>` `{id}` refers to `{to}`, which is a {kind}")]
    #[diagnostic(
        code("SWL-PNML-0027"),
        help("`referencePlace` stands for a place, `referenceTransition` for a transition")
    )]
    ReferenceToWrongKind { element: &'static str, id: String, to: String, kind: &'static str },

    /// A place with a capacity.
    #[error("place `{place}` has a capacity of {capacity}; capacities are not read")]
    #[diagnostic(
        code("SWL-PNML-0028"),
        help("add a complementary place with {capacity} tokens less the initial marking")
    )]
    Capacity { place: String, capacity: String },

    /// A label given twice.
    #[error("{of} has two `<{label}>` labels")]
    #[diagnostic(code("SWL-PNML-0029"), help("keep one of them"))]
    DuplicateLabel { of: String, label: String },

    /// More than 32 bits of places or transitions.
    #[error("the net has more than {} places or transitions", u32::MAX)]
    #[diagnostic(code("SWL-PNML-0030"))]
    TooManyNodes,

    /// A label of a high-level net in another.
    #[error("a place/transition net has no coloured labels: {found}")]
    #[diagnostic(
        code("SWL-PNML-0045"),
        help(
            "a symmetric net has the type `http://www.pnml.org/version-2009/grammar/symmetricnet`"
        )
    )]
    ColouredLabel { found: String },

    /// A place/transition net where a symmetric net was asked for.
    #[error("this is a place/transition net, not a symmetric net")]
    #[diagnostic(code("SWL-PNML-0046"))]
    PlainNet,

    /// A declaration that is not there.
    #[error("there is no {what} `{id}`")]
    #[diagnostic(code("SWL-PNML-0031"))]
    UnknownDeclaration {
        what: &'static str,
        id: String,
        #[help]
        suggestion: Option<Suggestion>,
    },

    /// A colour of another sort than the place or operator wants.
    #[error("here belongs a colour of sort {expected}; `<{element}>` has sort {found}")]
    #[diagnostic(code("SWL-PNML-0032"))]
    WrongSort { element: String, expected: String, found: String },

    /// An element that symmetric nets do not have, or not there.
    #[error("`<{element}>` cannot stand here: {expected} belongs here")]
    #[diagnostic(code("SWL-PNML-0033"))]
    UnexpectedTerm {
        element: String,
        expected: &'static str,
        #[help]
        help: Option<&'static str>,
    },

    /// Too few or too many operands.
    #[error("`<{element}>` has {found} operands; it takes {expected}")]
    #[diagnostic(
        code("SWL-PNML-0034"),
        help("each operand is one term in a `<subterm>` of its own")
    )]
    WrongOperands { element: String, expected: &'static str, found: usize },

    /// A number in an attribute that is none, or out of range.
    #[error("the `{attribute}` of `<{element}>` is `{found}`; {expected}")]
    #[diagnostic(code("SWL-PNML-0035"))]
    BadValue { element: String, attribute: &'static str, found: String, expected: &'static str },

    /// A sort without colours, with too many, or with tuples of hundreds of components.
    #[error("the sort has no colours, more than 2^62, or tuples of more than 256 components")]
    #[diagnostic(
        code("SWL-PNML-0036"),
        help("an enumeration has constants, a range ends at or after its start")
    )]
    BadSort,

    /// A sort made of itself.
    #[error("the sort `{id}` is made of itself")]
    #[diagnostic(code("SWL-PNML-0037"), help("a sort may use sorts that do not lead back to it"))]
    RecursiveSort { id: String },

    /// A label that the net cannot do without.
    #[error("{of} has no `<{label}>` with a `<structure>`")]
    #[diagnostic(
        code("SWL-PNML-0038"),
        help("the `<structure>` counts; the `<text>` beside it is for people")
    )]
    MissingStructure { of: String, label: &'static str },

    /// A partition that does not divide its sort.
    #[error("the partition `{id}` does not divide its sort: {reason}")]
    #[diagnostic(
        code("SWL-PNML-0039"),
        help("each constant of the sort belongs to exactly one `<partitionelement>`")
    )]
    BadPartition { id: String, reason: String },

    /// An operator on a sort that lacks what it needs.
    #[error("`<{element}>` needs {needs}, not {sort}")]
    #[diagnostic(code("SWL-PNML-0040"))]
    WrongOperator { element: String, needs: &'static str, sort: String },

    /// A label of place/transition nets in a symmetric net.
    #[error("{of} has a `<{label}>`, which symmetric nets do not have")]
    #[diagnostic(
        code("SWL-PNML-0041"),
        help("write `<hlinitialMarking>` and `<hlinscription>` with a `<structure>`")
    )]
    PlainLabel { of: String, label: String },

    /// Too many nodes and arcs.
    #[error("the unfolded net has more than {limit} nodes and arcs")]
    #[diagnostic(
        code("SWL-PNML-0042"),
        help("take smaller sorts, or guards that leave fewer bindings; the net is unfolded here")
    )]
    UnfoldingTooLarge { limit: usize },

    /// Too long a search for bindings.
    #[error("finding the bindings takes more than {limit} steps")]
    #[diagnostic(
        code("SWL-PNML-0043"),
        help(
            "bind the variables on input arcs or by equalities in the guard; the search ended here"
        )
    )]
    UnfoldingTooLong { limit: u64 },

    /// More tokens than 64 bits count.
    #[error("{of} moves more than {} tokens of one colour", u64::MAX)]
    #[diagnostic(code("SWL-PNML-0044"))]
    TooManyTokens { of: String },

    /// A formula of a logic that is not decided here.
    #[error("formula `{formula}` uses {operator} ({logic})")]
    #[diagnostic(
        code("SWL-PROP-0001"),
        help(
            "supported kinds are formulas in which each temporal operator has a path quantifier of its \
             own (CTL), `all-paths` around a formula without further paths (LTL), `place-bound` \
             and `deadlock`"
        )
    )]
    UnsupportedLogic { formula: String, operator: String, logic: &'static str },

    /// A name in a formula that the net does not have.
    #[error("formula `{formula}` names the {what} `{id}`, which the net does not have")]
    #[diagnostic(code("SWL-PROP-0002"))]
    UnknownInFormula {
        formula: String,
        what: &'static str,
        id: String,
        #[help]
        suggestion: Option<Suggestion>,
    },

    /// An element that does not belong where it is.
    #[error("formula `{formula}`: {reason} (`<{element}>`)")]
    #[diagnostic(code("SWL-PROP-0003"))]
    BadFormula { formula: String, reason: &'static str, element: String },

    /// Numbers beyond what evaluation can hold exactly.
    #[error("formula `{formula}` has numbers too large to add up exactly")]
    #[diagnostic(code("SWL-PROP-0004"))]
    FormulaTooLarge { formula: String },

    /// A property without an id or without a formula.
    #[error("a `<property>` has no `<{missing}>`")]
    #[diagnostic(code("SWL-PROP-0005"))]
    IncompleteProperty { missing: &'static str },

    /// A product of two token counts.
    #[error("formula `{formula}` multiplies two token counts, which is not linear")]
    #[diagnostic(code("SWL-PROP-0007"), help("one of two factors must be a constant"))]
    NotLinear { formula: String },

    /// A formula file without formulas.
    #[error("there is no property in the file")]
    #[diagnostic(
        code("SWL-PROP-0006"),
        help("a formula file holds a `<property-set>` of `<property>` elements")
    )]
    NoProperties,
}

impl sweepline_source::Problem for Problem {
    const CANNOT: &'static str = "read";
    const SEVERAL_FILES: bool = false;
    const CONTEXT_LINES: usize = 2;

    fn label(&self) -> Option<&'static str> {
        Some(match self {
            Self::UnknownNode { .. }
            | Self::UnknownInFormula { .. }
            | Self::UnknownDeclaration { .. } => "nothing has this id",
            Self::DuplicateId { .. } => "used again here",
            Self::FirstUse { .. } => "first used here",
            Self::MissingAttribute { .. } => "in this element",
            Self::UnsupportedLogic { .. } => "in this formula",
            Self::SeveralNets { .. } => "another net",
            Self::Unreadable(Unreadable { fault: Fault::Truncated { .. }, .. }) => {
                "opened here, never closed"
            }
            Self::Unreadable(Unreadable { fault: Fault::NotUtf8 { .. }, .. }) => {
                "the first byte that is not UTF-8"
            }
            _ => "here",
        })
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let (code, help) = match &fault {
            Fault::CannotOpen { .. } => ("SWL-PNML-0001", ""),
            Fault::TooLarge { .. } => ("SWL-PNML-0002", ""),
            Fault::Empty => {
                ("SWL-PNML-0003", "a PNML file starts with `<pnml>` and holds one `<net>`")
            }
            Fault::Binary { .. } => (
                "SWL-PNML-0004",
                "name the `model.pnml` itself; unpack an archive first, for example with `tar xf`",
            ),
            Fault::NotUtf8 { .. } => (
                "SWL-PNML-0005",
                "save the file as UTF-8; `iconv -f ENCODING -t UTF-8` translates it",
            ),
            Fault::Malformed { .. } => ("SWL-PNML-0006", ""),
            Fault::Truncated { .. } => ("SWL-PNML-0007", "fetch or export the file again"),
            Fault::TooDeep { .. } => {
                ("SWL-PNML-0008", "flatten the pages: the tree of elements is too deep")
            }
            Fault::ValueTooLong { .. } => {
                ("SWL-PNML-0009", "names and numbers are short: is the file damaged?")
            }
            Fault::Doctype => {
                ("SWL-PNML-0010", "remove the DOCTYPE and write the text out in full")
            }
            Fault::UnknownEntity { .. } => ("SWL-PNML-0011", ""),
        };
        Self::Unreadable(Unreadable { fault, code, help })
    }
}
