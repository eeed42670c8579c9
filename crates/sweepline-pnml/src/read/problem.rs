//! Everything that can be wrong with a net or formula file, with what to write instead.

use sweepline_source::{Fault, Position, Suggestion, Unreadable, problems};

problems! {
    /// What is wrong, without where. Codes are stable: they are never reused.
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
            ("the document is a `<{found}>`, not a `<{expected}>`")
            help("nets are read from PNML (`<pnml>`), formulas from property sets \
                  (`<property-set>`)");
        /// No `<net>`.
        NoNet = "SWL-PNML-0013" ("there is no `<net>` in the file")
            help("write `<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">`");
        /// More than one `<net>`.
        SeveralNets { first: Position } = "SWL-PNML-0014"
            ("the file holds several nets; the first is at {first:#}")
            help("keep one `<net>` per file");
        /// Neither a place/transition net nor a symmetric net.
        ColouredNet { found: String } = "SWL-PNML-0015"
            ("high-level nets beyond symmetric nets are not read: the net type is `{found}`")
            help("a place/transition net has the type \
                  `http://www.pnml.org/version-2009/grammar/ptnet`, \
                a symmetric net `http://www.pnml.org/version-2009/grammar/symmetricnet`");
        /// A net type nobody here knows.
        UnknownNetType { found: String } = "SWL-PNML-0016"
            ("the net type `{found}` is not that of a place/transition net")
            help("a place/transition net has the type \
                  `http://www.pnml.org/version-2009/grammar/ptnet`");
        /// An attribute is missing.
        MissingAttribute { element: String, attribute: &'static str } = "SWL-PNML-0017"
            ("`<{element}>` lacks the attribute `{attribute}`")
            help("write `<{element} {attribute}=\"...\">`");
        /// Two elements with one id.
        DuplicateId { id: String, first: Position } = "SWL-PNML-0018"
            ("the id `{id}` is used twice; its first use is at {first:#}")
            help("give one of the two another id");
        /// The companion of [`Problem::DuplicateId`].
        FirstUse { id: String } = "SWL-PNML-0018" severity(Advice)
            ("the id `{id}` is used here first");
        /// An arc or reference to nothing.
        UnknownNode {
            what: &'static str,
            of: String,
            id: String,
            #[help] suggestion: Option<Suggestion>,
        } = "SWL-PNML-0019" ("{what} `{of}` refers to `{id}`, which is no place or transition");
        /// An arc between two places or two transitions.
        ArcWithinKind { arc: String, kind: &'static str, source_id: String, target_id: String } =
            "SWL-PNML-0020" ("arc `{arc}` joins two {kind}: `{source_id}` and `{target_id}`")
            help("an arc joins a place and a transition");
        /// Inhibitor, reset, transport and other arcs.
        UnsupportedArc { arc: String, kind: String } = "SWL-PNML-0021"
            ("arc `{arc}` is of type `{kind}`; only ordinary arcs are read")
            help("an arc of another type changes what may fire, so it is not ignored");
        /// A weight or marking that is no number.
        NotANumber { what: &'static str, of: String, found: String } = "SWL-PNML-0022"
            ("the {what} of {of} is `{found}`, which is not a whole number")
            help("write a non-negative integer such as `1`");
        /// A negative weight or marking.
        Negative { what: &'static str, of: String, found: String } = "SWL-PNML-0023"
            ("the {what} of {of} is {found}, which is negative")
            help("tokens cannot be owed: write a non-negative integer");
        /// More than 64 bits.
        NumberTooLarge { what: &'static str, of: String, found: String } = "SWL-PNML-0024"
            ("the {what} of {of} is {found}, more than the greatest count, {}", u64::MAX);
        /// A weight of 0.
        ZeroWeight { of: String } = "SWL-PNML-0025" ("the weight of {of} is 0")
            help("remove the arc, or write the number of tokens it moves");
        /// References that refer to each other.
        ReferenceCycle { id: String } = "SWL-PNML-0026"
            ("the reference `{id}` refers to itself through other references")
            help("a chain of references must end at a place or transition");
        /// A reference place that refers to a transition, or the other way round.
        ReferenceToWrongKind { element: &'static str, id: String, to: String, kind: &'static str } =
            "SWL-PNML-0027" ("`<{element}>` `{id}` refers to `{to}`, which is a {kind}")
            help("`referencePlace` stands for a place, `referenceTransition` for a transition");
        /// A place with a capacity.
        Capacity { place: String, capacity: String } = "SWL-PNML-0028"
            ("place `{place}` has a capacity of {capacity}; capacities are not read")
            help("add a complementary place with {capacity} tokens less the initial marking");
        /// A label given twice.
        DuplicateLabel { of: String, label: String } = "SWL-PNML-0029"
            ("{of} has two `<{label}>` labels")
            help("keep one of them");
        /// More than 32 bits of places or transitions.
        TooManyNodes = "SWL-PNML-0030" ("the net has more than {} places or transitions", u32::MAX);
        /// A label of a high-level net in another.
        ColouredLabel { found: String } = "SWL-PNML-0045"
            ("a place/transition net has no coloured labels: {found}")
            help("a symmetric net has the type \
                  `http://www.pnml.org/version-2009/grammar/symmetricnet`");
        /// A place/transition net where a symmetric net was asked for.
        PlainNet = "SWL-PNML-0046" ("this is a place/transition net, not a symmetric net");
        /// A declaration that is not there.
        UnknownDeclaration {
            what: &'static str,
            id: String,
            #[help] suggestion: Option<Suggestion>,
        } = "SWL-PNML-0031" ("there is no {what} `{id}`");
        /// A colour of another sort than the place or operator wants.
        WrongSort { element: String, expected: String, found: String } = "SWL-PNML-0032"
            ("here belongs a colour of sort {expected}; `<{element}>` has sort {found}");
        /// An element that symmetric nets do not have, or not there.
        UnexpectedTerm {
            element: String,
            expected: &'static str,
            #[help] help: Option<&'static str>,
        } = "SWL-PNML-0033" ("`<{element}>` cannot stand here: {expected} belongs here");
        /// Too few or too many operands.
        WrongOperands { element: String, expected: &'static str, found: usize } = "SWL-PNML-0034"
            ("`<{element}>` has {found} operands; it takes {expected}")
            help("each operand is one term in a `<subterm>` of its own");
        /// A number in an attribute that is none, or out of range.
        BadValue {
            element: String,
            attribute: &'static str,
            found: String,
            expected: &'static str,
        } = "SWL-PNML-0035" ("the `{attribute}` of `<{element}>` is `{found}`; {expected}");
        /// A sort without colours, with too many, or with tuples of hundreds of components.
        BadSort = "SWL-PNML-0036"
            ("the sort has no colours, more than 2^62, or tuples of more than 256 components")
            help("an enumeration has constants, a range ends at or after its start");
        /// A sort made of itself.
        RecursiveSort { id: String } = "SWL-PNML-0037" ("the sort `{id}` is made of itself")
            help("a sort may use sorts that do not lead back to it");
        /// A label that the net cannot do without.
        MissingStructure { of: String, label: &'static str } = "SWL-PNML-0038"
            ("{of} has no `<{label}>` with a `<structure>`")
            help("the `<structure>` counts; the `<text>` beside it is for people");
        /// A partition that does not divide its sort.
        BadPartition { id: String, reason: String } = "SWL-PNML-0039"
            ("the partition `{id}` does not divide its sort: {reason}")
            help("each constant of the sort belongs to exactly one `<partitionelement>`");
        /// An operator on a sort that lacks what it needs.
        WrongOperator { element: String, needs: &'static str, sort: String } = "SWL-PNML-0040"
            ("`<{element}>` needs {needs}, not {sort}");
        /// A label of place/transition nets in a symmetric net.
        PlainLabel { of: String, label: String } = "SWL-PNML-0041"
            ("{of} has a `<{label}>`, which symmetric nets do not have")
            help("write `<hlinitialMarking>` and `<hlinscription>` with a `<structure>`");
        /// Too many nodes and arcs.
        UnfoldingTooLarge { limit: usize } = "SWL-PNML-0042"
            ("the unfolded net has more than {limit} nodes and arcs")
            help("take smaller sorts, or guards that leave fewer bindings; the net is unfolded \
                  here");
        /// Too long a search for bindings.
        UnfoldingTooLong { limit: u64 } = "SWL-PNML-0043"
            ("finding the bindings takes more than {limit} steps")
            help("bind the variables on input arcs or by equalities in the guard; the search \
                  ended here");
        /// More tokens than 64 bits count.
        TooManyTokens { of: String } = "SWL-PNML-0044"
            ("{of} moves more than {} tokens of one colour", u64::MAX);
        /// A formula of a logic that is not decided here.
        UnsupportedLogic { formula: String, operator: String, logic: &'static str } =
            "SWL-PROP-0001" ("formula `{formula}` uses {operator} ({logic})")
            help("supported kinds are formulas in which each temporal operator has a path \
                  quantifier of its \
                own (CTL), `all-paths` around a formula without further paths (LTL), `place-bound` \
                and `deadlock`");
        /// A name in a formula that the net does not have.
        UnknownInFormula {
            formula: String,
            what: &'static str,
            id: String,
            #[help] suggestion: Option<Suggestion>,
        } = "SWL-PROP-0002"
            ("formula `{formula}` names the {what} `{id}`, which the net does not have");
        /// An element that does not belong where it is.
        BadFormula { formula: String, reason: &'static str, element: String } = "SWL-PROP-0003"
            ("formula `{formula}`: {reason} (`<{element}>`)");
        /// Numbers beyond what evaluation can hold exactly.
        FormulaTooLarge { formula: String } = "SWL-PROP-0004"
            ("formula `{formula}` has numbers too large to add up exactly");
        /// A property without an id or without a formula.
        IncompleteProperty { missing: &'static str } = "SWL-PROP-0005"
            ("a `<property>` has no `<{missing}>`");
        /// A product of two token counts.
        NotLinear { formula: String } = "SWL-PROP-0007"
            ("formula `{formula}` multiplies two token counts, which is not linear")
            help("one of two factors must be a constant");
        /// A formula file without formulas.
        NoProperties = "SWL-PROP-0006" ("there is no property in the file")
            help("a formula file holds a `<property-set>` of `<property>` elements");
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
            Fault::TooLarge { .. }
            | Fault::Endless { .. }
            | Fault::TooLargeTogether { .. }
            | Fault::TooManyFiles { .. } => ("SWL-PNML-0002", ""),
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
