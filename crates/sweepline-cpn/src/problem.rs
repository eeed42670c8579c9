//! Everything that can be wrong with a coloured net, with what to write instead.

use sweepline_source::{Diagnostics, Fault, Position, Unreadable, problems};

/// All that is wrong with one model.
pub type LoadErrors = Diagnostics<Problem>;

/// One error or warning.
pub type Finding = sweepline_source::Finding<Problem>;

/// What is found while a model is loaded.
pub(crate) type Findings = sweepline_source::Findings<Problem>;

problems! {
    /// What is wrong, without where. Codes are stable: they are never reused.
    #[derive(Clone, PartialEq, Debug, thiserror::Error, miette::Diagnostic)]
    pub enum Problem {
        {
            /// A file that cannot be read.
            #[error(transparent)]
            #[diagnostic(transparent)]
            Unreadable(Unreadable),
            /// A mistake in CPN ML.
            #[error(transparent)]
            #[diagnostic(transparent)]
            Ml(Box<sweepline_ml::Problem>),
        }
        /// Another kind of document, or one without a net.
        NoNet = "SWL-CPN-0009" ("there is no `<cpnet>` in the file")
            help("a model of CPN Tools is a `<workspaceElements>` with a `<cpnet>` in it");
        /// No page has an instance.
        NoPage = "SWL-CPN-0010" ("no page of the net has an instance")
            help("a net has at least one page that is on top");
        /// The same id twice.
        DuplicateId { id: String, first: Position } = "SWL-CPN-0011"
            ("the id `{id}` is given twice; the first is at {first}")
            help("give each place, transition and page an id of its own");
        /// A place without colour set.
        NoColourSet = "SWL-CPN-0012" ("the place has no colour set")
            help("write the name of a colour set at the place, for example `UNIT`");
        /// A place with a colour set that is not declared.
        UnknownColourSet { name: String, #[help] help: Option<String> } = "SWL-CPN-0013"
            ("there is no colour set `{name}`");
        /// An arc without one of its ends.
        DanglingArc { end: &'static str, id: String } = "SWL-CPN-0014"
            ("the arc's {end} `{id}` is not on the page")
            help("remove the arc, or connect it to a {end} of its page");
        /// An arc of a kind nobody knows.
        UnknownOrientation { found: String } = "SWL-CPN-0015"
            ("the arc has the orientation `{found}`")
            help("there are `PtoT`, `TtoP`, `BOTHDIR`, `Inhibitor` and `Reset`");
        /// An inscription where none may be.
        InscribedArc = "SWL-CPN-0016" ("an inhibitor or reset arc must not have an inscription")
            help("remove the inscription");
        /// A substitution transition without its page.
        UnknownSubpage { id: String } = "SWL-CPN-0017"
            ("there is no page `{id}` for the substitution transition")
            help("assign a subpage to it");
        /// A page below itself.
        CyclicPages { page: String } = "SWL-CPN-0018" ("the page `{page}` is a subpage of itself")
            help("the pages of a net form a tree: remove one of the assignments");
        /// Too many instances.
        TooManyInstances { max: usize } = "SWL-CPN-0019"
            ("the net has more than {max} page instances")
            help("use colours instead of copies of a page");
        /// A port or socket that is no place there.
        UnknownAssigned { role: &'static str, id: String, page: String } = "SWL-CPN-0020"
            ("the {role} `{id}` is no place of page `{page}`")
            help("assign the ports of the substitution transition again");
        /// Port and socket differ.
        PortColourSet { port: String, port_set: String, socket: String, socket_set: String } =
            "SWL-CPN-0021"
            ("port `{port}` has colour set `{port_set}` but socket `{socket}` has `{socket_set}`")
            help("give both the same colour set; another of the same structure is a different one");
        /// Members of a fusion set differ.
        FusionColourSet {
            fusion: String,
            member: String,
            set: String,
            first: String,
            first_set: String,
        } = "SWL-CPN-0022"
            ("fusion set `{fusion}`: `{member}` has colour set `{set}` but `{first}` has \
                `{first_set}`")
            help("give all members of a fusion set the same colour set");
        /// Members of a fusion set start differently.
        FusionMarking { fusion: String, member: String, first: String } = "SWL-CPN-0023"
            ("fusion set `{fusion}`: `{member}` has another initial marking than `{first}`")
            help("members of a fusion set share one marking: write the same initial marking at \
                each");
        /// A variable that nothing binds.
        LargeColourSet { variable: String, colour_set: String } = "SWL-CPN-0024"
            ("cannot bind `{variable}` from the large colour set `{colour_set}`")
            help("bind `{variable}` by an input arc, or by a conjunct `{variable} = expression` of \
                the guard; colour sets of at most 100 values, and those with `declare all`, are \
                enumerated");
        /// A variable of an output arc that nothing binds.
        UnboundOutput { variable: String, colour_set: String } = "SWL-CPN-0025"
            ("`{variable}` is unbound in an output arc, and its colour set `{colour_set}` is large")
            help("bind `{variable}` by an input arc, the guard or the output of a code segment; \
                colour sets of at most 100 values, and those with `declare all`, are enumerated");
        /// A code segment computes what is known already.
        BoundOutput { variable: String } = "SWL-CPN-0026"
            ("the code segment computes `{variable}`, which an input arc or the guard binds")
            help("compute another variable, or remove it from `output`");
        /// Synchronous channels.
        Channel = "SWL-CPN-0027"
            ("channels are not supported; CPN Tools never simulated them either")
            help("merge the transitions, or connect them by a place");
        /// A file that may not be read.
        UseRefused { file: String, reason: String } = "SWL-CPN-0028"
            ("the file `{file}` is not read: {reason}")
            help("put the file into the folder of the model, or name its folder by `--include \
                DIR`; `--param NAME=VALUE` replaces a path that the model declares by `val \
                NAME`");
        /// No such value.
        UnknownValue { name: String, #[help] help: Option<String> } = "SWL-CPN-0029"
            ("no declaration has the form `val {name} = ...`");
        /// No such place.
        UnknownPlace { name: String, #[help] help: Option<String> } = "SWL-CPN-0030"
            ("there is no place `{name}`");
        /// Input depends on something that is not stored.
        OutsideState { state: String, others: String } = "SWL-CPN-0031" severity(Warning)
            ("the inscription reads {state}, not part of any marking{others}")
            help("put the value on a place: two markings that differ only in it count as one here");
        /// Side effects.
        SideEffect { state: String, others: String } = "SWL-CPN-0032" severity(Warning)
            ("the code segment reads or changes {state}, not part of any marking{others}")
            help("code runs once for each arc of the state space, in no particular order; what it \
                does must not matter");
        /// Chance.
        Random { what: &'static str, others: String } = "SWL-CPN-0033" severity(Warning)
            ("the {what} depends on chance{others}")
            help("to explore all outcomes, draw from a variable of a small colour set that only \
                output arcs use");
        /// A line of the text form with something else in it.
        Expected { expected: &'static str, found: String } = "SWL-CPN-0040"
            ("expected {expected}, found {found}")
            help("the lines of the text form are in book/src/text-form.md");
        /// A line of the text form that starts with an unknown word.
        UnknownLine { word: String, of: &'static str, help: String } = "SWL-CPN-0041"
            ("no line of {of} starts with `{word}`") help("{help}");
        /// A line between two columns.
        Indentation { wanted: usize, found: usize } = "SWL-CPN-0042"
            ("the line is indented by {found}, those before it by {wanted}")
            help("lines of one block start in one column: indent this one by {wanted}");
        /// A comment without end.
        OpenComment = "SWL-CPN-0043" ("the comment is not closed") help("write `*)` where it ends");
        /// Two things of one name.
        NamedTwice { kind: &'static str, name: String, first: Position } = "SWL-CPN-0044"
            ("there is a {kind} `{name}` already, at {first}")
            help("give it another name, or a key to tell it apart: `{name} as {kind}2`");
        /// A page that is not there.
        UnknownPage { name: String, #[help] help: Option<String> } = "SWL-CPN-0045"
            ("there is no page `{name}`");
        /// Lines below one that has none.
        NothingBelow = "SWL-CPN-0046" ("nothing may be indented below this line's predecessor")
            help("an inscription goes on below its first line; of a place it follows `=`, of an \
                arc `:`");
        /// A property that cannot be asked.
        WrongProperty { message: String, help: String } = "SWL-CPN-0047" ("{message}")
            help("{help}");
    }
}

impl sweepline_source::Problem for Problem {}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let (code, help) = match &fault {
            Fault::CannotOpen { .. } => ("SWL-CPN-0001", ""),
            Fault::TooLarge { .. }
            | Fault::Endless { .. }
            | Fault::TooLargeTogether { .. }
            | Fault::TooManyFiles { .. } => ("SWL-CPN-0002", ""),
            Fault::Empty => ("SWL-CPN-0003", "save the model again in CPN Tools"),
            Fault::Binary { .. } | Fault::NotUtf8 { .. } => {
                ("SWL-CPN-0004", "name the `.cpn` file itself; unpack an archive first")
            }
            Fault::Malformed { .. } | Fault::ValueTooLong { .. } | Fault::Doctype => {
                ("SWL-CPN-0005", "save the model again in CPN Tools, or mend the XML here")
            }
            Fault::Truncated { .. } => ("SWL-CPN-0006", "fetch or save the file again"),
            Fault::TooDeep { .. } => ("SWL-CPN-0007", "no model needs that: is the file damaged?"),
            Fault::UnknownEntity { .. } => ("SWL-CPN-0008", ""),
        };
        Self::Unreadable(Unreadable { fault, code, help })
    }
}
