//! All messages about coloured nets: what is wrong, and what to write instead.

use sweepline_source::{Diagnostics, Fault, Position, Unreadable, closest, problems};

/// All errors and warnings of one model.
pub type LoadErrors = Diagnostics<Problem>;

/// One error or warning.
pub type Finding = sweepline_source::Finding<Problem>;

/// The errors and warnings found while a model is loaded.
pub(crate) type Findings = sweepline_source::Findings<Problem>;

problems! {
    /// What is wrong with a model, without the position. Codes are stable and are never reused.
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
        /// An XML document without a net.
        NoNet = "SWL-CPN-0009" ("there is no `<cpnet>` in the file")
            help("a CPN Tools file has a `<workspaceElements>` element with a `<cpnet>` element in it: is this another kind of file?");
        /// A net without page instances.
        NoPage = "SWL-CPN-0010" ("no page of the net has an instance")
            help("a net needs at least one prime page: a page that is not the subpage of a transition");
        /// Two elements with the same id.
        DuplicateId { id: String, first: Position } = "SWL-CPN-0011"
            ("the id `{id}` is used twice; the first is at {first}")
            help("give each place, transition and page its own id");
        /// A place without colour set.
        NoColourSet = "SWL-CPN-0012" ("the place has no colour set")
            help("write the name of a colour set at the place, for example `UNIT`; in the text form: `place NAME : UNIT`");
        /// A place with a colour set that is not declared.
        UnknownColourSet { name: String, #[help] help: Option<String> } = "SWL-CPN-0013"
            ("there is no colour set `{name}`");
        /// An arc whose place or transition is missing.
        DanglingArc { end: &'static str, id: String } = "SWL-CPN-0014"
            ("the arc's {end} `{id}` is not on the page")
            help("remove the arc, or connect it to a {end} of its page");
        /// An arc with an unknown orientation.
        UnknownOrientation { found: String } = "SWL-CPN-0015"
            ("the arc has the unknown orientation `{found}`")
            help("write `PtoT`, `TtoP`, `BOTHDIR`, `Inhibitor` or `Reset`");
        /// An inhibitor or reset arc with an inscription.
        InscribedArc = "SWL-CPN-0016" ("an inhibitor or reset arc must not have an inscription")
            help("remove the inscription");
        /// A substitution transition whose subpage is missing.
        UnknownSubpage { id: String } = "SWL-CPN-0017"
            ("the subpage `{id}` of the substitution transition does not exist")
            help("assign a subpage to the transition again");
        /// A page that contains itself, directly or through other pages.
        CyclicPages { page: String } = "SWL-CPN-0018" ("the page `{page}` is a subpage of itself")
            help("assign another subpage to one of the substitution transitions between them");
        /// More page instances than the limit.
        TooManyInstances { max: usize } = "SWL-CPN-0019"
            ("the net has more than {max} page instances")
            help("use colours in place of page instances: one page, and a token for each copy");
        /// A port or socket that is not a place of its page.
        UnknownAssigned { role: &'static str, id: String, page: String } = "SWL-CPN-0020"
            ("the {role} `{id}` is not a place of page `{page}`")
            help("assign the ports and sockets of the substitution transition again");
        /// A port and its socket with different colour sets.
        PortColourSet { port: String, port_set: String, socket: String, socket_set: String } =
            "SWL-CPN-0021"
            ("port `{port}` has colour set `{port_set}` but socket `{socket}` has `{socket_set}`")
            help("give both the same colour set; two colour sets with the same structure are still different");
        /// Members of a fusion set with different colour sets.
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
        /// Members of a fusion set with different initial markings.
        FusionMarking { fusion: String, member: String, first: String } = "SWL-CPN-0023"
            ("fusion set `{fusion}`: `{member}` and `{first}` have different initial markings")
            help("members of a fusion set share one marking: write the same initial marking at \
                each");
        /// A variable that no input arc and no guard binds, of a colour set that is too large to enumerate.
        LargeColourSet { variable: String, colour_set: String } = "SWL-CPN-0024"
            ("`{variable}` is unbound, and its colour set `{colour_set}` is too large to try each colour")
            help("use `{variable}` in an input arc inscription, or write `{variable} = ...` in the \
                guard; a colour set is enumerated if it has at most 100 colours or `declare all`");
        /// A variable of an output arc that is unbound, of a colour set that is too large to enumerate.
        UnboundOutput { variable: String, colour_set: String } = "SWL-CPN-0025"
            ("`{variable}` is unbound in an output arc, and its colour set `{colour_set}` is too large to \
                try each colour")
            help("use `{variable}` in an input arc inscription, or write `{variable} = ...` in the \
                guard, or compute it in a code segment; a colour set is enumerated if it has at \
                most 100 colours or `declare all`");
        /// A code segment whose output is bound already.
        BoundOutput { variable: String } = "SWL-CPN-0026"
            ("the code segment computes `{variable}`, but an input arc or the guard already binds it")
            help("use another variable in `output`, or remove `{variable}` from it");
        /// Synchronous channels.
        Channel = "SWL-CPN-0027"
            ("channels are not supported (CPN Tools does not simulate them either)")
            help("merge the transitions, or connect them by a place");
        /// A file of `use` that is not read.
        UseRefused { file: String, reason: String } = "SWL-CPN-0028"
            ("cannot use the file `{file}`: {reason}")
            help("put the file into the folder of the model, or add `--include DIR` with its folder; \
                if the path is declared as `val NAME`, set it with `--param NAME=VALUE`");
        /// `--param` with a value that the model does not declare.
        UnknownValue { name: String, #[help] help: Option<String> } = "SWL-CPN-0029"
            ("the model has no declaration `val {name} = ...`");
        /// A place that does not exist.
        UnknownPlace { name: String, #[help] help: Option<String> } = "SWL-CPN-0030"
            ("there is no place `{name}`");
        /// An inscription that depends on more than the marking.
        OutsideState { state: String, others: String } = "SWL-CPN-0031" severity(Warning)
            ("the inscription reads {state}, which is not part of the marking{others}")
            help("put the value on a place: sweepline stores markings only, and does not see when the value changes");
        /// A code segment with side effects.
        SideEffect { state: String, others: String } = "SWL-CPN-0032" severity(Warning)
            ("the code segment reads or changes {state}, which is not part of the marking{others}")
            help("sweepline runs the code once for each edge of the state space, in no particular \
                order; the result must not depend on that");
        /// An inscription or code segment that uses random numbers.
        Random { what: &'static str, others: String } = "SWL-CPN-0033" severity(Warning)
            ("the {what} uses random numbers{others}")
            help("to explore all outcomes, use a variable of a small colour set in the output arc in \
                place of the random function");
        /// A line of the text form that does not follow the grammar.
        Expected { expected: &'static str, found: String } = "SWL-CPN-0040"
            ("expected {expected}, found {found}")
            help("{}", instead(expected, found));
        /// A line of the text form that starts with an unknown word.
        UnknownLine { word: String, of: &'static str, help: String } = "SWL-CPN-0041"
            ("a line of {of} cannot start with `{word}`") help("{help}");
        /// A line that is indented differently from its block.
        Indentation { wanted: usize, found: usize } = "SWL-CPN-0042"
            ("the line is indented by {found} columns, the lines before it by {wanted}")
            help("indent this line by {wanted} columns: all lines of a block start in the same column");
        /// A comment that is not closed.
        OpenComment = "SWL-CPN-0043" ("the comment is not closed") help("write `*)` where it ends");
        /// Two elements of one kind with the same name.
        NamedTwice { kind: &'static str, name: String, first: Position } = "SWL-CPN-0044"
            ("there is already a {kind} `{name}`, at {first}")
            help("{}", renamed(kind, name));
        /// A page that does not exist.
        UnknownPage { name: String, #[help] help: Option<String> } = "SWL-CPN-0045"
            ("there is no page `{name}`");
        /// Indented lines below a line that takes none.
        NothingBelow = "SWL-CPN-0046" ("the line is indented, but the line above it does not continue")
            help("indent the line less; an inscription can continue on indented lines: write it after \
                `=` at a place, after `:` at an arc");
        /// A property or measure of the model that cannot be checked.
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
                ("SWL-CPN-0004", "give the `.cpn` file itself; unpack an archive first")
            }
            Fault::Malformed { .. } | Fault::ValueTooLong { .. } | Fault::Doctype => {
                ("SWL-CPN-0005", "save the model again in CPN Tools, or correct the XML here")
            }
            Fault::Truncated { .. } => ("SWL-CPN-0006", "download or save the file again"),
            Fault::TooDeep { .. } => {
                ("SWL-CPN-0007", "CPN Tools writes no such file: is the file damaged?")
            }
            Fault::UnknownEntity { .. } => ("SWL-CPN-0008", ""),
        };
        Self::Unreadable(Unreadable { fault, code, help })
    }
}

/// What to do about a name that is taken.
fn renamed(kind: &str, name: &str) -> String {
    match kind {
        "region" => "keep one of them, and remove the other".to_owned(),
        "page" | "place" | "transition" => {
            format!(
                "give it another name, or add a key: `{} as {kind}2`",
                crate::text::written(name)
            )
        }
        _ => "give it another name".to_owned(),
    }
}

/// What to write in a line of the text form.
fn instead(expected: &str, found: &str) -> String {
    let known = expected.split('`').skip(1).step_by(2);
    if let Some(suggestion) = closest(found.trim_matches('`'), known) {
        return suggestion.to_string();
    }
    match expected {
        _ if expected == "the end of the line" || expected.starts_with("`: COLOUR_SET`") => {
            "put a name with spaces in quotes: `\"Two Words\"`"
        }
        _ => "`sweepline help text-form` shows what each line looks like",
    }
    .to_owned()
}
