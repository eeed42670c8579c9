//! Everything that can be wrong with a file, with what to write instead.

use sweepline_source::{Fault, Suggestion, Unreadable, problems};

problems! {
    /// What is wrong, without where. Codes are stable: they are never reused.
    #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, miette::Diagnostic)]
    pub enum Problem {
        {
            /// A file that cannot be read.
            #[error(transparent)]
            #[diagnostic(transparent)]
            Unreadable(Unreadable),
            /// The LTS is none for another reason.
            #[error(transparent)]
            #[diagnostic(code("SWL-LTS-0010"))]
            Lts(#[from] crate::lts::LtsError),
            /// A composition that cannot be made.
            #[error(transparent)]
            #[diagnostic(code("SWL-LTS-0126"))]
            Composition(#[from] crate::composition::CompositionError),
        }
        /// Not text, or not this kind of text.
        NoHeader { found: String } = "SWL-LTS-0002"
            ("this is no `.aut` file: it starts with {found}")
            help("its first line is `des (initial state, number of edges, number of states)`");
        /// A line of an `.aut` file that is no edge.
        NoEdge { expected: &'static str } = "SWL-LTS-0003" ("{expected} expected")
            help("an edge is a line `(source, \"label\", target)`");
        /// A state or a count that is none.
        BadNumber { found: String } = "SWL-LTS-0004"
            ("`{found}` is not a number from 0 to 4294967294");
        /// A distribution over states.
        Probabilistic { found: String } = "SWL-LTS-0005"
            ("`{found}` is a distribution over states: probabilities are not supported")
            help("an initial state and the target of an edge are single states here");
        /// A state beyond the last one.
        NoSuchState { state: u32, n_states: u32 } = "SWL-LTS-0006"
            ("there is no state {state}: the header says that there are {n_states}");
        /// Fewer edges than the header says.
        EdgeCount { found: u64, expected: u64 } = "SWL-LTS-0007"
            ("the file has {found} edges where its header says {expected}")
            help("is it cut off? fetch or write it again");
        /// States that nothing leads to and nothing leaves.
        LonelyStates { n_states: u32, n_edges: u64 } = "SWL-LTS-0008"
            ("the header says {n_states} states, far more than {n_edges} edges can connect");
        /// A line longer than any label.
        LongLine { limit: u64 } = "SWL-LTS-0009" ("a line of more than {limit} bytes");
        /// `{-` without `-}`.
        OpenComment = "SWL-LTS-0102" ("this comment is not closed")
            help("close it with `-}}`");
        /// A string without an end.
        OpenString = "SWL-LTS-0103" ("this string is not closed")
            help("close it with `\"` on the same line");
        /// More than 64 bits.
        NumberTooLarge = "SWL-LTS-0104" ("this number is too large")
            help("numbers have 64 bits");
        /// A character that means nothing.
        StrangeCharacter { found: char } = "SWL-LTS-0105" ("`{found}` means nothing here");
        /// Something else should stand here.
        Unexpected { found: String, expected: String } = "SWL-LTS-0106"
            ("{expected} expected, but {found} found");
        /// Nested too deeply.
        TooDeep { limit: u32 } = "SWL-LTS-0107" ("expressions are nested more than {limit} deep")
            help("give parts of it a name");
        /// Part of CSPm, but not of what is read here.
        Unsupported { what: String } = "SWL-LTS-0108" ("{what} are not supported");
        /// An expression where a pattern should be.
        NoPattern = "SWL-LTS-0109" ("this is no pattern")
            help("patterns are names, `_`, numbers, tuples, `a.b`, `<a>^rest` and `{{a}}`");
        /// A declaration that must stand at the top.
        NotInLet = "SWL-LTS-0110" ("only definitions may stand between `let` and `within`")
            help("move the declaration out of the `let`");
        /// Clauses of different shape.
        ClausesDiffer = "SWL-LTS-0111"
            ("this clause takes another number of arguments than the one before");
        /// A name that nobody declared.
        Undeclared { name: String, similar: Option<Suggestion> } = "SWL-LTS-0112"
            ("`{name}` is not declared{}", Suggestion::hint(similar));
        /// A name declared twice.
        DeclaredTwice { name: String } = "SWL-LTS-0113" ("`{name}` is declared already")
            help("clauses of one function stand together; anything else has a name of its own");
        /// A value of another kind.
        WrongKind { expected: String, found: String } = "SWL-LTS-0114"
            ("{expected} expected, but this is {found}");
        /// No clause fits.
        NoMatch { name: String, arguments: String } = "SWL-LTS-0115"
            ("no clause of `{name}` fits ({arguments})")
            help("add a clause for it, or do not call it with that");
        /// A function and its arguments.
        ArgumentCount { name: String, expected: usize, found: usize } = "SWL-LTS-0116"
            ("`{name}` takes {expected} arguments, not {found}");
        /// Defined as itself.
        Circular { name: String } = "SWL-LTS-0117"
            ("`{name}` is defined as itself: nothing happens before it is needed again")
            help("put an event in between: `P = a -> P`");
        /// Calls without end.
        EndlessCalls { calls: String } = "SWL-LTS-0118" ("calls are nested too deeply: {calls}")
            help("a process must do an event before it is called again: `P(n) = a -> P(n + 1)`");
        /// A set without end where all of it is needed.
        Infinite { what: String } = "SWL-LTS-0119"
            ("{what} has no end: all its members are needed here")
            help("restrict it: `{{0..3}}` instead of `Int`");
        /// A set that is too large.
        HugeSet { limit: usize } = "SWL-LTS-0120" ("this set has more than {limit} members");
        /// An event that its channel does not carry.
        NotInType { event: String, channel: String, field: usize, carries: String } = "SWL-LTS-0121"
            ("`{event}` is not an event of channel `{channel}`: its field {field} is not in the \
              type")
            help("`{channel}` carries {carries}");
        /// An event that lacks fields, or has too many.
        FieldCount { event: String, channel: String, expected: usize } = "SWL-LTS-0122"
            ("`{event}` does not fit channel `{channel}`, whose events have {expected} fields")
            help("for all events that start so write `{{| {event} |}}`");
        /// A number outside of 64 bits, or a division by zero.
        Arithmetic { what: String } = "SWL-LTS-0123" ("{what}");
        /// The first of nothing.
        OfEmpty { name: &'static str, of: &'static str } = "SWL-LTS-0124"
            ("`{name}` of an empty {of}");
        /// A component that does not end.
        TooManyStates { process: String, limit: usize, growth: String } = "SWL-LTS-0125"
            ("process `{process}` has more than {limit} states: {growth}")
            help("bound what grows, for example with a guard `n < 10 & ...`; components are \
                  explored alone, whatever runs beside them");
        /// A parameter that is no constant.
        NoConstant { name: String, constants: String } = "SWL-LTS-0127"
            ("`{name}` is no constant of the script{}", .constants);
        /// `include` of itself, over and over, or of nothing.
        CannotInclude { path: String, reason: String } = "SWL-LTS-0128"
            ("cannot include `{path}`: {reason}");
        /// A specification that cannot be made deterministic.
        LargeSpecification { limit: usize } = "SWL-LTS-0129"
            ("the specification has more than {limit} states");
        /// The script evaluates more than anyone waits for.
        TooManySteps { limit: u64 } = "SWL-LTS-0130" ("evaluation takes more than {limit} steps");
        /// As many components as nobody writes down: copies of copies.
        TooManyComponents { limit: usize } = "SWL-LTS-0131"
            ("the process has more than {limit} components");
        /// [`stop`](crate::csp::Limits::stop) was set.
        Stopped = "SWL-LTS-0140" ("evaluation was stopped at a limit or by the user");
    }
}

impl sweepline_source::Problem for Problem {
    const CONTEXT_LINES: usize = 0;
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let code = match &fault {
            Fault::TooLarge { .. } | Fault::Endless { .. } => "SWL-LTS-0101",
            _ => "SWL-LTS-0001",
        };
        Self::Unreadable(Unreadable { fault, code, help: "" })
    }
}
