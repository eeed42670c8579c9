//! The syntax tree of the text form: its lines in order, with the comments between them.

use sweepline_query::PropertyKind;
use sweepline_source::Text;

use crate::read::{ArcKind, Layout, PortKind};

/// A model.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    pub(super) items: Vec<Entry<Item>>,
    /// Comments after the last item.
    pub(super) tail: Vec<String>,
}

/// A part, with the comments before it.
#[derive(Clone, Debug)]
pub(super) struct Entry<T> {
    /// Whether a blank line precedes it.
    pub(super) apart: bool,
    /// The comments before it, with delimiters; an empty one is a blank line.
    pub(super) comments: Vec<String>,
    /// Its position.
    pub(super) offset: usize,
    pub(super) what: T,
}

impl<T> Entry<T> {
    /// A part that was not read from a file.
    pub(super) fn new(apart: bool, what: T) -> Self {
        Entry { apart, comments: Vec::new(), offset: 0, what }
    }
}

/// A part of a model.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A declaration in CPN ML.
    Declaration(Text),
    /// `ml "..."`: a declaration that cannot be parsed on its own.
    Quoted(Text),
    /// `time real`
    RealTime,
    /// `top PAGE, PAGE`: the prime pages, if they are not the default.
    Top(Vec<Name>),
    Page(Page),
    /// `progress NAME: EXPR`
    Progress(Name, Text),
    /// `property NAME: KIND ...`
    Property(Name, PropertyKind, Text),
}

/// A name with its position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) offset: usize,
}

impl Name {
    /// The name as a text of the file.
    pub(super) fn as_text(&self) -> Text {
        let mut text = Text::default();
        text.push(&self.text, self.offset);
        text
    }
}

/// The name of a node, and its key if the name is not unique.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Called {
    pub(super) name: Name,
    pub(super) key: Option<String>,
}

/// `page NAME`
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    pub(super) called: Called,
    pub(super) parts: Vec<Entry<Part>>,
    pub(super) tail: Vec<String>,
}

/// A line of a page.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Place(Place),
    Transition(Transition),
    /// `note TEXT`
    Note(Text),
}

/// `place NAME : COLOUR = MARKING`
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub(super) called: Called,
    pub(super) colour_set: Option<Name>,
    pub(super) port: Option<PortKind>,
    pub(super) fusion: Option<String>,
    pub(super) layout: Option<Layout>,
    pub(super) initial: Text,
}

/// `transition NAME`, or `substitution NAME: PAGE`
#[derive(Clone, Debug, Default)]
pub(super) struct Transition {
    pub(super) called: Called,
    pub(super) subpage: Option<Name>,
    pub(super) layout: Option<Layout>,
    pub(super) lines: Vec<Entry<Line>>,
    pub(super) tail: Vec<String>,
}

/// A line below a transition.
#[derive(Clone, Debug)]
pub(super) enum Line {
    Region(Region, Text),
    Arc(ArcKind, Name, Vec<(f64, f64)>, Text),
    /// `port PORT = SOCKET`
    Port(Name, Name),
}

/// A region of a transition.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Region {
    Guard,
    Delay,
    Code,
    Priority,
    Channel,
}

impl Region {
    pub(super) const ALL: [(&'static str, Region); 5] = [
        ("guard", Region::Guard),
        ("delay", Region::Delay),
        ("code", Region::Code),
        ("priority", Region::Priority),
        ("channel", Region::Channel),
    ];

    /// The first word of its line.
    pub(super) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |(word, _)| word)
    }
}

/// The words for kinds of arcs.
pub(super) const ARCS: [(&str, ArcKind); 5] = [
    ("in", ArcKind::Input),
    ("out", ArcKind::Output),
    ("both", ArcKind::Both),
    ("inhibitor", ArcKind::Inhibitor),
    ("reset", ArcKind::Reset),
];

/// The words for kinds of ports.
pub(super) const PORTS: [(&str, PortKind); 3] =
    [("in", PortKind::In), ("out", PortKind::Out), ("io", PortKind::InOut)];
