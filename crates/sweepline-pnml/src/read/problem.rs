//! Everything that can be wrong with a net or formula file, with what to write instead.

use miette::Diagnostic;
use thiserror::Error;

use super::source::Position;
use crate::names::Suggestion;

/// What is wrong, without where. Codes are stable: they are never reused.
#[derive(Clone, PartialEq, Debug, Error, Diagnostic)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Problem {
    /// The file system refuses.
    #[error("cannot open the file: {reason}")]
    #[diagnostic(code("SWL-PNML-0001"))]
    CannotOpen { reason: String },

    /// Larger than [`Limits::max_bytes`](super::Limits::max_bytes).
    #[error("the file has {bytes} bytes, more than the limit of {max_bytes}")]
    #[diagnostic(code("SWL-PNML-0002"), help("raise the limit with `--max-input {bytes}`"))]
    TooLarge { bytes: u64, max_bytes: u64 },

    /// Nothing but white space.
    #[error("the file is empty")]
    #[diagnostic(
        code("SWL-PNML-0003"),
        help("a PNML file starts with `<pnml>` and holds one `<net>`")
    )]
    EmptyFile,

    /// Not text.
    #[error("the file is not text: it looks like {kind}")]
    #[diagnostic(
        code("SWL-PNML-0004"),
        help("name the `model.pnml` itself; unpack an archive first, for example with `tar xf`")
    )]
    Binary { kind: &'static str },

    /// Not UTF-8.
    #[error("the text is not UTF-8 but {encoding}")]
    #[diagnostic(
        code("SWL-PNML-0005"),
        help("save the file as UTF-8; `iconv -f ENCODING -t UTF-8` translates it")
    )]
    NotUtf8 { encoding: String },

    /// Not well-formed XML.
    #[error("this is not well-formed XML: {reason}")]
    #[diagnostic(code("SWL-PNML-0006"))]
    Malformed {
        reason: String,
        #[help]
        help: Option<&'static str>,
    },

    /// The text ends inside an element.
    #[error("the file ends before `</{element}>`: it is cut off")]
    #[diagnostic(code("SWL-PNML-0007"), help("fetch or export the file again"))]
    Truncated { element: String },

    /// Nested too deeply.
    #[error("elements are nested more than {max_depth} deep")]
    #[diagnostic(
        code("SWL-PNML-0008"),
        help("flatten the pages: the tree of elements is too deep")
    )]
    TooDeep { max_depth: usize },

    /// One value is too long.
    #[error("a single value has {bytes} bytes, more than the limit of {max_bytes}")]
    #[diagnostic(code("SWL-PNML-0009"), help("names and numbers are short: is the file damaged?"))]
    ValueTooLong { bytes: usize, max_bytes: usize },

    /// A document type declaration that defines things.
    #[error("the DOCTYPE declares entities or elements; they are not expanded")]
    #[diagnostic(code("SWL-PNML-0010"), help("remove the DOCTYPE and write the text out in full"))]
    Doctype,

    /// `&name;` other than the five of XML.
    #[error("the entity `&{name};` is not known")]
    #[diagnostic(
        code("SWL-PNML-0011"),
        help("XML itself knows `&amp;` `&lt;` `&gt;` `&quot;` `&apos;` and `&#number;`")
    )]
    UnknownEntity { name: String },

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
    #[error("the file holds several nets; the first is at {first}")]
    #[diagnostic(code("SWL-PNML-0014"), help("keep one `<net>` per file"))]
    SeveralNets { first: Position },

    /// Not a place/transition net.
    #[error("coloured/symmetric nets are not read yet: the net type is `{found}`")]
    #[diagnostic(
        code("SWL-PNML-0015"),
        help(
            "a place/transition net has the type `http://www.pnml.org/version-2009/grammar/ptnet`"
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
    #[error("the id `{id}` is used twice; its first use is at {first}")]
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

    /// A formula of a logic that is not decided here.
    #[error("formula `{formula}` uses {operator} ({logic})")]
    #[diagnostic(
        code("SWL-PROP-0001"),
        help(
            "supported kinds are `exists-path finally` (EF), `all-paths globally` (AG), their \
             boolean combinations, `place-bound` and `deadlock`"
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

impl Problem {
    /// The words beside the caret.
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::UnknownNode { .. } | Self::UnknownInFormula { .. } => "nothing has this id",
            Self::DuplicateId { .. } => "used again here",
            Self::FirstUse { .. } => "first used here",
            Self::MissingAttribute { .. } => "in this element",
            Self::Truncated { .. } => "opened here, never closed",
            Self::UnsupportedLogic { .. } => "in this formula",
            Self::NotUtf8 { .. } => "the first byte that is not UTF-8",
            Self::SeveralNets { .. } => "another net",
            _ => "here",
        }
    }
}
