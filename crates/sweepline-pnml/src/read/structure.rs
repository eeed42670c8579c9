//! The labels of symmetric nets: the content of a `<structure>` is kept as a tree, which is interpreted when
//! all declarations are known.

use sweepline_source::clip;
use sweepline_source::xml::Element;

use super::collect::{Frame, PnmlReader};
use super::draft::{NodeKind, Span, Tree};
use super::errors::Fatal;
use super::problem::Problem;

/// The kind of a label with a structure.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum StructuredKind {
    Declaration,
    Sort,
    Marking,
    Condition,
    Inscription,
}

/// A label while it is read.
pub(super) struct Structured {
    kind: StructuredKind,
    span: Span,
    roots: Vec<usize>,
}

impl Structured {
    pub(super) fn new(kind: StructuredKind, element: &Element<'_>) -> Self {
        Self { kind, span: element.span.clone(), roots: Vec::new() }
    }
}

impl<'s> PnmlReader<'_, 's, '_> {
    /// The frame of a label of symmetric nets; labels of place/transition nets are reported.
    pub(super) fn open_structured(&mut self, element: &Element<'s>) -> Option<Frame<'s>> {
        let kind = match (self.frames.last()?, element.name) {
            (Frame::Node(node), "type") if node.kind == NodeKind::Place => StructuredKind::Sort,
            (Frame::Node(node), "hlinitialMarking") if node.kind == NodeKind::Place => {
                StructuredKind::Marking
            }
            (Frame::Node(node), "condition") if node.kind == NodeKind::Transition => {
                StructuredKind::Condition
            }
            (Frame::Arc(_), "hlinscription") => StructuredKind::Inscription,
            (frame, label @ ("initialMarking" | "inscription")) => {
                let of = owner(frame);
                let label = label.to_owned();
                self.errors.report(element.span.clone(), || Problem::PlainLabel { of, label });
                return Some(Frame::Ignored);
            }
            _ => return None,
        };
        Some(Frame::Structured(Structured::new(kind, element)))
    }

    pub(super) fn open_tree(&mut self, element: &Element<'s>) -> Result<Frame<'s>, Fatal> {
        let mut attributes = Vec::new();
        for &name in attributes_of(element.name) {
            if let Some(value) = element.attribute(name)? {
                attributes.push((name, value));
            }
        }
        let position = self.draft.trees.len();
        match self.frames.as_mut_slice() {
            [.., Frame::Tree(parent)] => self.draft.trees[*parent].children.push(position),
            [.., Frame::Structured(label), Frame::Structure] => label.roots.push(position),
            _ => {}
        }
        let span = element.span.clone();
        let tree = Tree { name: element.name, span, attributes, children: Vec::new() };
        self.draft.trees.push(tree);
        Ok(Frame::Tree(position))
    }

    pub(super) fn close_structured(&mut self, label: Structured) {
        if label.kind == StructuredKind::Declaration {
            self.draft.declarations.extend(label.roots);
            return;
        }
        let root = match label.roots.as_slice() {
            &[root] => root,
            // A label without a structure is ignored; if it is required, its absence is reported later.
            [] => return,
            &[_, second, ..] => {
                let tree = &self.draft.trees[second];
                let element = clip(tree.name);
                let expected = "a single term";
                self.errors.report(tree.span.clone(), || Problem::UnexpectedTerm {
                    element,
                    expected,
                    help: Some("a `<structure>` contains one element; join several with `<add>`"),
                });
                return;
            }
        };
        let (slot, name) = match (self.frames.last_mut(), label.kind) {
            (Some(Frame::Node(node)), StructuredKind::Sort) => (&mut node.sort, "type"),
            (Some(Frame::Node(node)), StructuredKind::Marking) => {
                (&mut node.term, "hlinitialMarking")
            }
            (Some(Frame::Node(node)), _) => (&mut node.term, "condition"),
            (Some(Frame::Arc(arc)), _) => (&mut arc.term, "hlinscription"),
            _ => return,
        };
        if slot.replace(root).is_some() {
            let of = self.frames.last().map(owner).unwrap_or_default();
            let label_name = name.to_owned();
            self.errors.report(label.span, || Problem::DuplicateLabel { of, label: label_name });
        }
    }
}

/// The node or arc whose label is read, for a message.
fn owner(frame: &Frame<'_>) -> String {
    match frame {
        Frame::Node(node) => format!("{} `{}`", node.kind.noun(), clip(&node.id)),
        Frame::Arc(arc) => format!("arc `{}`", clip(&arc.id)),
        _ => "the net".into(),
    }
}

/// The attributes that have a meaning in an element of a declaration or term.
fn attributes_of(element: &str) -> &'static [&'static str] {
    match element {
        "usersort" | "useroperator" => &["declaration"],
        "variable" => &["refvariable"],
        "namedsort" | "variabledecl" | "feconstant" | "partition" | "partitionelement"
        | "namedoperator" => &["id", "name"],
        "numberconstant" | "finiteintrangeconstant" | "booleanconstant" => &["value"],
        "finiteintrange" => &["start", "end"],
        "partitionelementof" | "ltp" | "gtp" => &["refpartition"],
        _ => &[],
    }
}
