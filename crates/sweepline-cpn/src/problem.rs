//! Everything that can be wrong with a coloured net, with what to write instead.

use miette::Diagnostic;
use sweepline_source::{Diagnostics, Fault, Position, Unreadable};
use thiserror::Error;

/// All that is wrong with one model.
pub type LoadErrors = Diagnostics<Problem>;

/// One error or warning.
pub type Finding = sweepline_source::Finding<Problem>;

/// What is found while a model is loaded.
pub(crate) type Findings = sweepline_source::Findings<Problem>;

/// What is wrong, without where. Codes are stable: they are never reused.
#[derive(Clone, PartialEq, Debug, Error, Diagnostic)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Problem {
    /// A file that cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unreadable(Unreadable),

    /// Another kind of document, or one without a net.
    #[error("there is no `<cpnet>` in the file")]
    #[diagnostic(
        code("SWL-CPN-0009"),
        help("a model of CPN Tools is a `<workspaceElements>` with a `<cpnet>` in it")
    )]
    NoNet,

    /// No page has an instance.
    #[error("no page of the net has an instance")]
    #[diagnostic(code("SWL-CPN-0010"), help("a net has at least one page that is on top"))]
    NoPage,

    /// The same id twice.
    #[error("the id `{id}` is given twice; the first is at {first}")]
    #[diagnostic(
        code("SWL-CPN-0011"),
        help("give each place, transition and page an id of its own")
    )]
    DuplicateId { id: String, first: Position },

    /// A mistake in CPN ML.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Ml(Box<sweepline_ml::Problem>),

    /// A place without colour set.
    #[error("the place has no colour set")]
    #[diagnostic(
        code("SWL-CPN-0012"),
        help("write the name of a colour set at the place, for example `UNIT`")
    )]
    NoColourSet,

    /// A place with a colour set that is not declared.
    #[error("there is no colour set `{name}`")]
    #[diagnostic(code("SWL-CPN-0013"))]
    UnknownColourSet {
        name: String,
        #[help]
        help: Option<String>,
    },

    /// An arc without one of its ends.
    #[error("the arc's {end} `{id}` is not on the page")]
    #[diagnostic(
        code("SWL-CPN-0014"),
        help("remove the arc, or connect it to a {end} of its page")
    )]
    DanglingArc { end: &'static str, id: String },

    /// An arc of a kind nobody knows.
    #[error("the arc has the orientation `{found}`")]
    #[diagnostic(
        code("SWL-CPN-0015"),
        help("there are `PtoT`, `TtoP`, `BOTHDIR`, `Inhibitor` and `Reset`")
    )]
    UnknownOrientation { found: String },

    /// An inscription where none may be.
    #[error("an inhibitor or reset arc must not have an inscription")]
    #[diagnostic(code("SWL-CPN-0016"), help("remove the inscription"))]
    InscribedArc,

    /// A substitution transition without its page.
    #[error("there is no page `{id}` for the substitution transition")]
    #[diagnostic(code("SWL-CPN-0017"), help("assign a subpage to it"))]
    UnknownSubpage { id: String },

    /// A page below itself.
    #[error("the page `{page}` is a subpage of itself")]
    #[diagnostic(
        code("SWL-CPN-0018"),
        help("the pages of a net form a tree: remove one of the assignments")
    )]
    CyclicPages { page: String },

    /// Too many instances.
    #[error("the net has more than {max} page instances")]
    #[diagnostic(code("SWL-CPN-0019"), help("use colours instead of copies of a page"))]
    TooManyInstances { max: usize },

    /// A port or socket that is no place there.
    #[error("the {role} `{id}` is no place of page `{page}`")]
    #[diagnostic(
        code("SWL-CPN-0020"),
        help("assign the ports of the substitution transition again")
    )]
    UnknownAssigned { role: &'static str, id: String, page: String },

    /// Port and socket differ.
    #[error("port `{port}` has colour set `{port_set}` but socket `{socket}` has `{socket_set}`")]
    #[diagnostic(
        code("SWL-CPN-0021"),
        help("give both the same colour set; another of the same structure is a different one")
    )]
    PortColourSet { port: String, port_set: String, socket: String, socket_set: String },

    /// Members of a fusion set differ.
    #[error(
        "fusion set `{fusion}`: `{member}` has colour set `{set}` but `{first}` has `{first_set}`"
    )]
    #[diagnostic(
        code("SWL-CPN-0022"),
        help("give all members of a fusion set the same colour set")
    )]
    FusionColourSet {
        fusion: String,
        member: String,
        set: String,
        first: String,
        first_set: String,
    },

    /// Members of a fusion set start differently.
    #[error("fusion set `{fusion}`: `{member}` has another initial marking than `{first}`")]
    #[diagnostic(
        code("SWL-CPN-0023"),
        help("members of a fusion set share one marking: write the same initial marking at each")
    )]
    FusionMarking { fusion: String, member: String, first: String },

    /// A variable that nothing binds.
    #[error("cannot bind `{variable}` from the large colour set `{colour_set}`")]
    #[diagnostic(
        code("SWL-CPN-0024"),
        help(
            "bind `{variable}` by an input arc, or by a conjunct `{variable} = expression` of the guard; colour sets of at most 100 values, and those with `declare all`, are enumerated"
        )
    )]
    LargeColourSet { variable: String, colour_set: String },

    /// A variable of an output arc that nothing binds.
    #[error("`{variable}` is unbound in an output arc, and its colour set `{colour_set}` is large")]
    #[diagnostic(
        code("SWL-CPN-0025"),
        help(
            "bind `{variable}` by an input arc, the guard or the output of a code segment; colour sets of at most 100 values, and those with `declare all`, are enumerated"
        )
    )]
    UnboundOutput { variable: String, colour_set: String },

    /// A code segment computes what is known already.
    #[error("the code segment computes `{variable}`, which an input arc or the guard binds")]
    #[diagnostic(
        code("SWL-CPN-0026"),
        help("compute another variable, or remove it from `output`")
    )]
    BoundOutput { variable: String },

    /// Synchronous channels.
    #[error("channels are not supported; CPN Tools never simulated them either")]
    #[diagnostic(code("SWL-CPN-0027"), help("merge the transitions, or connect them by a place"))]
    Channel,

    /// A file that may not be read.
    #[error("the file `{file}` is not read: {reason}")]
    #[diagnostic(
        code("SWL-CPN-0028"),
        help(
            "put the file into the folder of the model, or name its folder by `--include DIR`; `--param NAME=VALUE` \
             replaces a path that the model declares by `val NAME`"
        )
    )]
    UseRefused { file: String, reason: String },

    /// No such value.
    #[error("no declaration has the form `val {name} = ...`")]
    #[diagnostic(code("SWL-CPN-0029"))]
    UnknownValue {
        name: String,
        #[help]
        help: Option<String>,
    },

    /// No such place.
    #[error("there is no place `{name}`")]
    #[diagnostic(code("SWL-CPN-0030"))]
    UnknownPlace {
        name: String,
        #[help]
        help: Option<String>,
    },

    /// Input depends on something that is not stored.
    #[error("the inscription reads {state}, not part of any marking{others}")]
    #[diagnostic(
        code("SWL-CPN-0031"),
        severity(Warning),
        help("put the value on a place: two markings that differ only in it count as one here")
    )]
    OutsideState { state: String, others: String },

    /// Side effects.
    #[error("the code segment reads or changes {state}, not part of any marking{others}")]
    #[diagnostic(
        code("SWL-CPN-0032"),
        severity(Warning),
        help(
            "code runs once for each arc of the state space, in no particular order; what it does must not matter"
        )
    )]
    SideEffect { state: String, others: String },

    /// Chance.
    #[error("the {what} depends on chance{others}")]
    #[diagnostic(
        code("SWL-CPN-0033"),
        severity(Warning),
        help(
            "to explore all outcomes, draw from a variable of a small colour set that only output arcs use"
        )
    )]
    Random { what: &'static str, others: String },

    /// A line of the text form with something else in it.
    #[error("expected {expected}, found {found}")]
    #[diagnostic(
        code("SWL-CPN-0040"),
        help("the lines of the text form are in book/src/text-form.md")
    )]
    Expected { expected: &'static str, found: String },

    /// A line of the text form that starts with an unknown word.
    #[error("no line of {of} starts with `{word}`")]
    #[diagnostic(code("SWL-CPN-0041"), help("{help}"))]
    UnknownLine { word: String, of: &'static str, help: String },

    /// A line between two columns.
    #[error("the line is indented by {found}, those before it by {wanted}")]
    #[diagnostic(
        code("SWL-CPN-0042"),
        help("lines of one block start in one column: indent this one by {wanted}")
    )]
    Indentation { wanted: usize, found: usize },

    /// A comment without end.
    #[error("the comment is not closed")]
    #[diagnostic(code("SWL-CPN-0043"), help("write `*)` where it ends"))]
    OpenComment,

    /// Two things of one name.
    #[error("there is a {kind} `{name}` already, at {first}")]
    #[diagnostic(
        code("SWL-CPN-0044"),
        help("give it another name, or a key to tell it apart: `{name} as {kind}2`")
    )]
    NamedTwice { kind: &'static str, name: String, first: Position },

    /// A page that is not there.
    #[error("there is no page `{name}`")]
    #[diagnostic(code("SWL-CPN-0045"))]
    UnknownPage {
        name: String,
        #[help]
        help: Option<String>,
    },

    /// Lines below one that has none.
    #[error("nothing may be indented below this line's predecessor")]
    #[diagnostic(
        code("SWL-CPN-0046"),
        help(
            "an inscription goes on below its first line; of a place it follows `=`, of an arc `:`"
        )
    )]
    NothingBelow,

    /// A property that cannot be asked.
    #[error("{message}")]
    #[diagnostic(code("SWL-CPN-0047"), help("{help}"))]
    WrongProperty { message: String, help: String },
}

impl sweepline_source::Problem for Problem {}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let (code, help) = match &fault {
            Fault::CannotOpen { .. } => ("SWL-CPN-0001", ""),
            Fault::TooLarge { .. } => ("SWL-CPN-0002", ""),
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
