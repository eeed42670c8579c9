//! Everything that can be wrong with a net or formula file, with what to write instead.

use sweepline_source::{Fault, Position, Suggestion, Unreadable, problems};

problems! {
    /// A problem, without its position. Codes are stable: they are never reused.
    #[derive(Clone, PartialEq, Debug, thiserror::Error, miette::Diagnostic)]
    pub enum Problem {
        {
            /// A file that cannot be read.
            #[error(transparent)]
            #[diagnostic(transparent)]
            Unreadable(Unreadable),
        }
        /// Another kind of document.
        WrongRoot { found: String, expected: &'static str } = "SWL-PNML-0012"
            ("the root element is `<{found}>`, not `<{expected}>`")
            help("a net is a PNML file with the root `<pnml>`, a file of formulas has the root \
                  `<property-set>`");
        /// No `<net>`.
        NoNet = "SWL-PNML-0013" ("there is no `<net>` in the file")
            help("write `<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">`");
        /// More than one `<net>`.
        SeveralNets { first: Position } = "SWL-PNML-0014"
            ("the file contains several nets; the first is at {first:#}")
            help("keep one `<net>` per file");
        /// Neither a place/transition net nor a symmetric net.
        ColouredNet { found: String } = "SWL-PNML-0015"
            ("the net type `{found}` is not supported: of the high-level nets, only symmetric nets are")
            help("a place/transition net has the type \
                  `http://www.pnml.org/version-2009/grammar/ptnet`, \
                a symmetric net `http://www.pnml.org/version-2009/grammar/symmetricnet`");
        /// An unknown net type.
        UnknownNetType { found: String } = "SWL-PNML-0016"
            ("the net type `{found}` is not supported")
            help("a place/transition net has the type \
                  `http://www.pnml.org/version-2009/grammar/ptnet`");
        /// An attribute is missing.
        MissingAttribute { element: String, attribute: &'static str } = "SWL-PNML-0017"
            ("`<{element}>` has no attribute `{attribute}`")
            help("write `<{element} {attribute}=\"...\">`");
        /// Two elements with one id.
        DuplicateId { id: String, first: Position } = "SWL-PNML-0018"
            ("the id `{id}` is used twice; its first use is at {first:#}")
            help("give one of the two another id");
        /// The companion of [`Problem::DuplicateId`].
        FirstUse { id: String } = "SWL-PNML-0018" severity(Advice)
            ("the id `{id}` is first used here");
        /// An arc or reference to an unknown node.
        UnknownNode {
            what: &'static str,
            of: String,
            id: String,
            #[help] suggestion: Option<Suggestion>,
        } = "SWL-PNML-0019" ("{what} `{of}` refers to `{id}`, which is not a place or transition");
        /// An arc between two places or two transitions.
        ArcWithinKind { arc: String, kind: &'static str, source_id: String, target_id: String } =
            "SWL-PNML-0020" ("arc `{arc}` connects two {kind}: `{source_id}` and `{target_id}`")
            help("an arc connects a place and a transition");
        /// Inhibitor, reset, transport and other arcs.
        UnsupportedArc { arc: String, kind: String } = "SWL-PNML-0021"
            ("arc `{arc}` has the type `{kind}`, which is not supported")
            help("only ordinary arcs are supported; inhibitor, reset and read arcs change which \
                  transitions are enabled, so they are not ignored");
        /// A weight or marking that is not a number.
        NotANumber { what: &'static str, of: String, found: String } = "SWL-PNML-0022"
            ("the {what} of {of} is `{found}`, which is not a whole number")
            help("write a non-negative integer such as `1`");
        /// A negative weight or marking.
        Negative { what: &'static str, of: String, found: String } = "SWL-PNML-0023"
            ("the {what} of {of} is {found}, which is negative")
            help("write a non-negative integer such as `1`");
        /// More than 64 bits.
        NumberTooLarge { what: &'static str, of: String, found: String } = "SWL-PNML-0024"
            ("the {what} of {of} is {found}, more than the maximum, {}", u64::MAX);
        /// A weight of 0.
        ZeroWeight { of: String } = "SWL-PNML-0025" ("the weight of {of} is 0")
            help("remove the arc, or write a positive weight");
        /// References that refer to each other.
        ReferenceCycle { id: String } = "SWL-PNML-0026"
            ("the reference `{id}` refers to itself through other references")
            help("a chain of references must end at a place or transition");
        /// A reference place that refers to a transition, or vice versa.
        ReferenceToWrongKind { element: &'static str, id: String, to: String, kind: &'static str } =
            "SWL-PNML-0027" ("`<{element}>` `{id}` refers to `{to}`, which is a {kind}")
            help("`referencePlace` stands for a place, `referenceTransition` for a transition");
        /// A place with a capacity.
        Capacity { place: String, capacity: String } = "SWL-PNML-0028"
            ("place `{place}` has a capacity of {capacity}; capacities are not supported")
            help("model the capacity with a complementary place, whose initial marking is \
                  {capacity} minus the initial marking of `{place}`");
        /// A label given twice.
        DuplicateLabel { of: String, label: String } = "SWL-PNML-0029"
            ("{of} has two `<{label}>` labels")
            help("keep one of them");
        /// More than 32 bits of places or transitions.
        TooManyNodes = "SWL-PNML-0030" ("the net has more than {} places or transitions", u32::MAX);
        /// A label of a high-level net in another.
        ColouredLabel { found: String } = "SWL-PNML-0045"
            ("`<{found}>` is a label of coloured nets, but the type is that of a place/transition net")
            help("a symmetric net has the type \
                  `http://www.pnml.org/version-2009/grammar/symmetricnet`");
        /// A place/transition net where a symmetric net was asked for.
        PlainNet = "SWL-PNML-0046" ("this is a place/transition net, not a symmetric net");
        /// An unknown declaration.
        UnknownDeclaration {
            what: &'static str,
            id: String,
            #[help] suggestion: Option<Suggestion>,
        } = "SWL-PNML-0031" ("there is no {what} `{id}`");
        /// A colour of another sort than the place or operator needs.
        WrongSort { element: String, expected: String, found: String } = "SWL-PNML-0032"
            ("expected a colour of sort {expected}, but `<{element}>` has sort {found}");
        /// An element that symmetric nets do not have, or not at this position.
        UnexpectedTerm {
            element: String,
            expected: &'static str,
            #[help] help: Option<&'static str>,
        } = "SWL-PNML-0033" ("expected {expected}, found `<{element}>`");
        /// Too few or too many operands.
        WrongOperands { element: String, expected: &'static str, found: usize } = "SWL-PNML-0034"
            ("`<{element}>` has {found} operands; it takes {expected}")
            help("write each operand in a `<subterm>` of its own");
        /// An attribute that is not a number, or out of range.
        BadValue {
            element: String,
            attribute: &'static str,
            found: String,
            expected: &'static str,
        } = "SWL-PNML-0035" ("the `{attribute}` of `<{element}>` is `{found}`; {expected}");
        /// A sort without colours, with too many, or with tuples of hundreds of components.
        BadSort = "SWL-PNML-0036"
            ("the sort has no colours, more than 2^62, or tuples of more than 256 components")
            help("an enumeration needs at least one constant; the end of a range is not below its start");
        /// A sort defined by itself.
        RecursiveSort { id: String } = "SWL-PNML-0037" ("the sort `{id}` is defined by itself")
            help("remove the cycle: a sort may not contain itself, directly or through other sorts");
        /// A required label is missing.
        MissingStructure { of: String, label: &'static str } = "SWL-PNML-0038"
            ("{of} has no `<{label}>` with a `<structure>`")
            help("add a `<structure>`; sweepline does not read the `<text>` of a label");
        /// A partition that does not partition its sort.
        BadPartition { id: String, reason: String } = "SWL-PNML-0039"
            ("the partition `{id}` does not partition its sort: {reason}")
            help("each constant of the sort belongs to exactly one `<partitionelement>`");
        /// An operator on a sort that does not support it.
        WrongOperator { element: String, needs: &'static str, sort: String } = "SWL-PNML-0040"
            ("`<{element}>` needs {needs}, not {sort}");
        /// A label of place/transition nets in a symmetric net.
        PlainLabel { of: String, label: String } = "SWL-PNML-0041"
            ("{of} has a `<{label}>`, which symmetric nets do not have")
            help("write `<hlinitialMarking>` and `<hlinscription>` with a `<structure>`");
        /// Too many nodes and arcs.
        UnfoldingTooLarge { limit: usize } = "SWL-PNML-0042"
            ("the unfolded net has more than {limit} nodes and arcs")
            help("symmetric nets are unfolded to place/transition nets: use smaller sorts, or guards \
                  that allow fewer bindings");
        /// Too long a search for bindings.
        UnfoldingTooLong { limit: u64 } = "SWL-PNML-0043"
            ("finding the bindings takes more than {limit} steps")
            help("bind the variables on input arcs, or by equalities in the guard");
        /// More tokens than 64 bits count.
        TooManyTokens { of: String } = "SWL-PNML-0044"
            ("{of} moves more than {} tokens of one colour", u64::MAX);
        /// A formula of an unsupported logic.
        UnsupportedLogic { formula: String, operator: String, logic: &'static str } =
            "SWL-PROP-0001" ("formula `{formula}` uses {operator} ({logic}), which is not supported")
            help("supported are CTL (each temporal operator has a path quantifier of its own), \
                  LTL (one `all-paths` around the formula), `place-bound` and `deadlock`");
        /// A name in a formula that the net does not have.
        UnknownInFormula {
            formula: String,
            what: &'static str,
            id: String,
            #[help] suggestion: Option<Suggestion>,
        } = "SWL-PROP-0002"
            ("formula `{formula}` refers to the {what} `{id}`, which the net does not have");
        /// An element at the wrong position.
        BadFormula { formula: String, reason: &'static str, element: String } = "SWL-PROP-0003"
            ("formula `{formula}`: {reason} (`<{element}>`)");
        /// Numbers too large for exact evaluation.
        FormulaTooLarge { formula: String } = "SWL-PROP-0004"
            ("formula `{formula}` has numbers too large for exact arithmetic");
        /// A property without an id or without a formula.
        IncompleteProperty { missing: &'static str } = "SWL-PROP-0005"
            ("a `<property>` has no `<{missing}>`");
        /// A product of two token counts.
        NotLinear { formula: String } = "SWL-PROP-0007"
            ("formula `{formula}` multiplies two token counts, which is not linear")
            help("one of the two factors must be a constant");
        /// A formula file without formulas.
        NoProperties = "SWL-PROP-0006" ("the file contains no property")
            help("a file of formulas has a `<property-set>` of `<property>` elements");
    }
}

impl sweepline_source::Problem for Problem {
    const CANNOT: &'static str = "read";
    const SEVERAL_FILES: bool = false;
    const CONTEXT_LINES: usize = 2;

    fn label(&self) -> Option<&'static str> {
        Some(match self {
            Self::UnknownNode { .. }
            | Self::UnknownInFormula { .. }
            | Self::UnknownDeclaration { .. } => "unknown id",
            Self::DuplicateId { .. } => "used again here",
            Self::FirstUse { .. } => "first used here",
            Self::MissingAttribute { .. } => "in this element",
            Self::UnsupportedLogic { .. } => "in this formula",
            Self::SeveralNets { .. } => "another net",
            Self::Unreadable(Unreadable { fault: Fault::Truncated { .. }, .. }) => {
                "opened here and not closed"
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
            Fault::TooLarge { .. }
            | Fault::Endless { .. }
            | Fault::TooLargeTogether { .. }
            | Fault::TooManyFiles { .. } => ("SWL-PNML-0002", ""),
            Fault::Empty => {
                ("SWL-PNML-0003", "a PNML file starts with `<pnml>` and contains one `<net>`")
            }
            Fault::Binary { .. } => (
                "SWL-PNML-0004",
                "give the file `model.pnml` itself; unpack an archive first, for example with `tar xf`",
            ),
            Fault::NotUtf8 { .. } => (
                "SWL-PNML-0005",
                "save the file as UTF-8; `iconv -f ENCODING -t UTF-8` translates it",
            ),
            Fault::Malformed { .. } => ("SWL-PNML-0006", ""),
            Fault::Truncated { .. } => ("SWL-PNML-0007", "fetch or export the file again"),
            Fault::TooDeep { .. } => ("SWL-PNML-0008", "flatten the pages of the net"),
            Fault::ValueTooLong { .. } => {
                ("SWL-PNML-0009", "check whether the file is damaged: names and numbers are short")
            }
            Fault::Doctype => {
                ("SWL-PNML-0010", "remove the DOCTYPE and write the text out in full")
            }
            Fault::UnknownEntity { .. } => ("SWL-PNML-0011", ""),
        };
        Self::Unreadable(Unreadable { fault, code, help })
    }
}
