//! A net as the elements of the file describe it, before names are resolved.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use sweepline_source::xml::Value;

/// A range of the text.
pub(crate) type Span = Range<usize>;

/// The nodes and arcs of a file in the order of the file.
#[derive(Default)]
pub(crate) struct NetDraft<'s> {
    pub(crate) name: String,
    pub(crate) places: Vec<NodeDraft<'s>>,
    pub(crate) transitions: Vec<NodeDraft<'s>>,
    pub(crate) references: Vec<ReferenceDraft<'s>>,
    pub(crate) arcs: Vec<ArcDraft<'s>>,
    /// Whether it is a symmetric net: the content of its labels is in their structures.
    pub(crate) symmetric: bool,
    /// All elements below structures.
    pub(crate) trees: Vec<Tree<'s>>,
    /// The structures of the declarations, as roots in `trees`.
    pub(crate) declarations: Vec<usize>,
    /// For each id, what it denotes and its position.
    pub(crate) ids: HashMap<Cow<'s, str>, (Denoted, Span)>,
}

impl<'s> NetDraft<'s> {
    /// Its places or its transitions.
    pub(crate) fn nodes(&mut self, kind: NodeKind) -> &mut Vec<NodeDraft<'s>> {
        match kind {
            NodeKind::Place => &mut self.places,
            NodeKind::Transition => &mut self.transitions,
        }
    }
}

/// What an id denotes, as an index into the draft.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Denoted {
    Node(NodeKind, usize),
    Reference(usize),
    Arc,
}

/// The two kinds of node of a net.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    Place,
    Transition,
}

impl NodeKind {
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Transition => "transition",
        }
    }

    pub(crate) fn plural(self) -> &'static str {
        match self {
            Self::Place => "places",
            Self::Transition => "transitions",
        }
    }

    pub(crate) fn reference_element(self) -> &'static str {
        match self {
            Self::Place => "referencePlace",
            Self::Transition => "referenceTransition",
        }
    }
}

/// A place or transition.
pub(crate) struct NodeDraft<'s> {
    pub(crate) kind: NodeKind,
    pub(crate) id: Cow<'s, str>,
    pub(crate) span: Span,
    pub(crate) name: Option<String>,
    pub(crate) initial: Option<u64>,
    /// The sort of a place, as a root in the trees.
    pub(crate) sort: Option<usize>,
    /// The marking of a place or the condition of a transition, as a root in the trees.
    pub(crate) term: Option<usize>,
}

impl NodeDraft<'_> {
    /// Its id and its name.
    pub(crate) fn named(&self) -> (String, String) {
        let id = self.id.clone().into_owned();
        let name = self.name.clone().unwrap_or_else(|| id.clone());
        (id, name)
    }
}

/// A reference to another node.
pub(crate) struct ReferenceDraft<'s> {
    pub(crate) kind: NodeKind,
    pub(crate) id: Cow<'s, str>,
    pub(crate) to: Cow<'s, str>,
    pub(crate) to_span: Span,
}

/// An arc by the ids of its ends.
pub(crate) struct ArcDraft<'s> {
    /// The id, or a description of an arc without one.
    pub(crate) id: Cow<'s, str>,
    pub(crate) span: Span,
    pub(crate) source: Cow<'s, str>,
    pub(crate) source_span: Span,
    pub(crate) target: Cow<'s, str>,
    pub(crate) target_span: Span,
    pub(crate) weight: Option<u64>,
    /// The inscription in a symmetric net, as a root in the trees.
    pub(crate) term: Option<usize>,
}

/// An element below a structure; its children are positions in the same list.
pub(crate) struct Tree<'s> {
    pub(crate) name: &'s str,
    pub(crate) span: Span,
    pub(crate) attributes: Vec<(&'static str, Value<'s>)>,
    pub(crate) children: Vec<usize>,
}
