//! Everything that can be wrong with a file, with what to write instead.

use sweepline_source::{Fault, Suggestion, Unreadable, problems};

problems! {
    /// A problem, without its position. Codes are stable: they are never reused.
    #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, miette::Diagnostic)]
    pub enum Problem {
        {
            /// A file that cannot be read.
            #[error(transparent)]
            #[diagnostic(transparent)]
            Unreadable(Unreadable),
            /// The LTS is invalid for another reason.
            #[error(transparent)]
            #[diagnostic(code("SWL-LTS-0010"))]
            Lts(#[from] crate::lts::LtsError),
            /// A composition that cannot be built.
            #[error(transparent)]
            #[diagnostic(code("SWL-LTS-0126"))]
            Composition(#[from] crate::composition::CompositionError),
        }
        /// Not text, or not this kind of text.
        NoHeader { found: String } = "SWL-LTS-0002"
            ("this is not an `.aut` file: it starts with {found}")
            help("the first line of an `.aut` file is `des (FIRST, EDGES, STATES)`: the initial state, the \
                  number of edges and the number of states, for example `des (0, 2, 2)`");
        /// A line of an `.aut` file that is not an edge.
        NoEdge { expected: &'static str } = "SWL-LTS-0003" ("expected {expected}")
            help("write each edge on a line of its own: `(source, \"label\", target)`");
        /// A state or a count that is not a number.
        BadNumber { found: String } = "SWL-LTS-0004"
            ("`{found}` is not a state number")
            help("states have numbers from 0 to 4294967294");
        /// A distribution over states.
        Probabilistic { found: String } = "SWL-LTS-0005"
            ("`{found}` is a distribution over states: probabilistic systems are not supported")
            help("write a single state number as initial state and as target of an edge");
        /// A state beyond the last one.
        NoSuchState { state: u32, n_states: u32 } = "SWL-LTS-0006"
            ("there is no state {state}: the header declares {n_states} states")
            help("states are numbered from 0; the third number of the header is the number of \
                  states");
        /// Fewer edges than the header declares.
        EdgeCount { found: u64, expected: u64 } = "SWL-LTS-0007"
            ("the file has {found} edges, but its header declares {expected}")
            help("correct the second number of the header; if the file is cut off, fetch or \
                  write it again");
        /// Far more states than the edges can connect.
        LonelyStates { n_states: u32, n_edges: u64 } = "SWL-LTS-0008"
            ("the header declares {n_states} states, far more than {n_edges} edges can connect")
            help("correct the third number of the header");
        /// A line that is too long.
        LongLine { limit: u64 } = "SWL-LTS-0009" ("this line has more than {limit} bytes");
        /// `{-` without `-}`.
        OpenComment = "SWL-LTS-0102" ("this comment is not closed")
            help("close it with `-}}`");
        /// A string without an end.
        OpenString = "SWL-LTS-0103" ("this string is not closed")
            help("close it with `\"` on the same line");
        /// More than 64 bits.
        NumberTooLarge = "SWL-LTS-0104" ("this number is too large")
            help("numbers have 64 bits");
        /// A character that is not part of CSPm.
        StrangeCharacter { found: char } = "SWL-LTS-0105" ("the character `{found}` has no meaning in CSPm");
        /// A syntax error.
        Unexpected { found: String, expected: String } = "SWL-LTS-0106"
            ("expected {expected}, found {found}");
        /// Nested too deeply.
        TooDeep { limit: u32 } = "SWL-LTS-0107" ("this expression is nested more than {limit} levels deep")
            help("give its parts names: `P = ...`");
        /// A part of CSPm that is not supported.
        Unsupported { what: String } = "SWL-LTS-0108" ("{what} are not supported");
        /// An expression instead of a pattern.
        NoPattern = "SWL-LTS-0109" ("this is not a pattern")
            help("a pattern is made of names, `_`, numbers, tuples, `a.b`, `<a>^rest` and `{{a}}`");
        /// A declaration that is only allowed at the top level.
        NotInLet = "SWL-LTS-0110" ("only definitions are allowed between `let` and `within`")
            help("move the declaration out of the `let`");
        /// Clauses with different numbers of arguments.
        ClausesDiffer = "SWL-LTS-0111"
            ("this clause has a different number of arguments than the clause before it");
        /// An undeclared name.
        Undeclared { name: String, similar: Option<Suggestion> } = "SWL-LTS-0112"
            ("`{name}` is not declared{}", Suggestion::hint(similar))
            help("declare it in the script: `{name} = ...` for a process or value, `channel {name}` for a \
                  channel");
        /// A name declared twice.
        DeclaredTwice { name: String } = "SWL-LTS-0113" ("`{name}` is declared already")
            help("write all clauses of a function one after the other, or choose another name");
        /// A value of another kind.
        WrongKind { expected: String, found: String } = "SWL-LTS-0114"
            ("expected {expected}, found {found}");
        /// No clause matches.
        NoMatch { name: String, arguments: String } = "SWL-LTS-0115"
            ("no clause of `{name}` matches the arguments ({arguments})")
            help("add a clause that matches them: `{name}({arguments}) = ...`");
        /// A wrong number of arguments.
        ArgumentCount { name: String, expected: usize, found: usize } = "SWL-LTS-0116"
            ("`{name}` takes {expected} arguments, not {found}");
        /// A definition that refers to itself without an event.
        Circular { name: String } = "SWL-LTS-0117"
            ("the definition of `{name}` depends on itself, with no event in between")
            help("put an event before the recursion: `P = a -> P`");
        /// Infinite recursion.
        EndlessCalls { calls: String } = "SWL-LTS-0118" ("calls are nested too deeply: {calls}")
            help("put an event before the recursive call: `P(n) = a -> P(n + 1)`");
        /// An infinite set of which all members are needed.
        Infinite { what: String } = "SWL-LTS-0119"
            ("{what} is infinite, and all its members are needed here")
            help("use a finite set: `{{0..3}}` instead of `Int`");
        /// A set that is too large.
        HugeSet { limit: usize } = "SWL-LTS-0120" ("this set has more than {limit} members");
        /// An event with a field that is not in the type of its channel.
        NotInType { event: String, channel: String, field: usize, carries: String } = "SWL-LTS-0121"
            ("`{event}` is not an event of channel `{channel}`: its field {field} is not in the \
              channel's type")
            help("`{channel}` is declared with the type {carries}; extend the type, or guard the \
                  event: `n < 3 & c.n -> P`");
        /// An event with too few or too many fields.
        FieldCount { event: String, channel: String, expected: usize } = "SWL-LTS-0122"
            ("`{event}` does not fit channel `{channel}`, whose events have {expected} fields")
            help("write all {expected} fields, or `{{| {event} |}}` for the set of all events that begin \
                  with `{event}`");
        /// A number outside of 64 bits, or a division by zero.
        Arithmetic { what: String } = "SWL-LTS-0123" ("{what}");
        /// The first item of an empty set or sequence.
        OfEmpty { name: &'static str, of: &'static str } = "SWL-LTS-0124"
            ("`{name}` of an empty {of} is undefined");
        /// A component with too many states.
        TooManyStates { process: String, limit: usize, growth: String } = "SWL-LTS-0125"
            ("process `{process}` has more than {limit} states: {growth}")
            help("bound its arguments, for example with a guard `n < 10 & ...`; sweepline explores each \
                  component alone, without the processes in parallel with it");
        /// A parameter that is not a constant of the script.
        NoConstant { name: String, constants: String } = "SWL-LTS-0127"
            ("the script has no constant `{name}`{}", .constants);
        /// A file that cannot be included.
        CannotInclude { path: String, reason: String } = "SWL-LTS-0128"
            ("cannot include `{path}`: {reason}");
        /// A specification that cannot be made deterministic within the limit.
        LargeSpecification { limit: usize } = "SWL-LTS-0129"
            ("the specification has more than {limit} states");
        /// The evaluation takes too many steps.
        TooManySteps { limit: u64 } = "SWL-LTS-0130" ("evaluating the script takes more than {limit} steps");
        /// Too many components, such as copies of copies.
        TooManyComponents { limit: usize } = "SWL-LTS-0131"
            ("the process has more than {limit} components");
        /// Instances of modules that are too large in total.
        LargeModules { limit: usize } = "SWL-LTS-0132"
            ("the instances of modules have more than {limit} words in total");
        /// A deterministic part of a process that has too many states.
        ManyStableStates { limit: usize } = "SWL-LTS-0133"
            ("determinism is decided for processes with at most {limit} stable states");
        /// An expression whose value never is what is needed.
        TypeClash { expected: String, found: String, hint: &'static str } = "SWL-LTS-0134"
            ("expected {expected}, found {found}")
            help("{hint}");
        /// [`stop`](crate::csp::Limits::stop) was set.
        Stopped = "SWL-LTS-0140" ("evaluating the script was stopped by a limit or by the user");
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
