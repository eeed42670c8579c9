//! From XML elements to a [`NetDraft`]: which elements have a meaning, and which are ignored.

use std::borrow::Cow;

use sweepline_source::clip;
use sweepline_source::xml::{Element, Item, Value, Xml, check_length};

use super::draft::{ArcDraft, Denoted, NetDraft, NodeDraft, NodeKind, ReferenceDraft, Span};
use super::errors::{Collector, Fatal};
use super::label::{Label, LabelKind, one_line};
use super::limits::Limits;
use super::problem::Problem;
use super::structure::{Structured, StructuredKind};

/// Reads a whole document. `None` if reading stopped; every error is in `errors`.
pub(crate) fn collect<'s>(
    text: &'s str,
    limits: &Limits,
    errors: &mut Collector<'_>,
) -> Option<NetDraft<'s>> {
    let reader = PnmlReader {
        xml: limits.xml(text),
        limits,
        errors,
        frames: Vec::new(),
        draft: NetDraft::default(),
        net: None,
    };
    reader.run()
}

/// An open element that has a meaning here.
pub(super) enum Frame<'s> {
    Pnml,
    Net,
    Page,
    Node(NodeDraft<'s>),
    Arc(ArcDraft<'s>),
    Label(Label),
    /// The `<text>` (or `<value>`) of a label.
    Text,
    /// A label of a symmetric net.
    Structured(Structured),
    /// The `<structure>` of such a label.
    Structure,
    /// An element below a structure, by its position in the draft.
    Tree(usize),
    /// Graphics, tool specific information, anything below them.
    Ignored,
}

pub(super) struct PnmlReader<'r, 's, 'c> {
    xml: Xml<'s>,
    limits: &'r Limits,
    pub(super) errors: &'r mut Collector<'c>,
    pub(super) frames: Vec<Frame<'s>>,
    pub(super) draft: NetDraft<'s>,
    /// The tag and the type of the net.
    net: Option<(Span, Cow<'s, str>)>,
}

impl<'s> PnmlReader<'_, 's, '_> {
    fn run(mut self) -> Option<NetDraft<'s>> {
        match self.read_document() {
            Ok(()) => {}
            Err(Fatal { span, problem }) => {
                self.errors.report(span, || problem);
                return None;
            }
        }
        if self.net.is_none() {
            self.errors.report(0..0, || Problem::NoNet);
        }
        Some(self.draft)
    }

    fn read_document(&mut self) -> Result<(), Fatal> {
        loop {
            match self.xml.next()? {
                Item::Start(element) => {
                    let frame = self.open(&element)?;
                    self.frames.push(frame);
                }
                Item::Text(piece, span) => self.text(&piece, &span)?,
                Item::End => self.close(),
                Item::Eof => return Ok(()),
            }
        }
    }

    fn open(&mut self, element: &Element<'s>) -> Result<Frame<'s>, Fatal> {
        match (self.frames.last_mut(), element.name) {
            (None, "pnml") => Ok(Frame::Pnml),
            (None, found) => {
                let problem = Problem::WrongRoot { found: clip(found), expected: "pnml" };
                Err(Fatal { span: element.span.clone(), problem })
            }
            (Some(Frame::Ignored | Frame::Text), _) => Ok(Frame::Ignored),
            (Some(_), "graphics" | "toolspecific") => Ok(Frame::Ignored),
            (Some(Frame::Pnml), "net") => self.open_net(element),
            (Some(Frame::Pnml), _) => Ok(Frame::Ignored),
            (Some(Frame::Structured(_)), "structure") => Ok(Frame::Structure),
            (Some(Frame::Structured(_)), _) => Ok(Frame::Ignored),
            (Some(Frame::Structure | Frame::Tree(_)), _) => self.open_tree(element),
            (Some(Frame::Net | Frame::Page), "declaration") if self.draft.symmetric => {
                Ok(Frame::Structured(Structured::new(StructuredKind::Declaration, element)))
            }
            (Some(Frame::Net), "name") => Ok(Frame::Label(Label::new(LabelKind::Name, element))),
            (Some(Frame::Net | Frame::Page), _) => self.open_page_item(element),
            (Some(Frame::Label(label)), name) => Ok(match label.has_text(name) {
                true => Frame::Text,
                false => Frame::Ignored,
            }),
            (Some(Frame::Node(_) | Frame::Arc(_)), _) => self.open_label(element),
        }
    }

    fn open_net(&mut self, element: &Element<'s>) -> Result<Frame<'s>, Fatal> {
        if let Some((first, _)) = &self.net {
            let first = self.errors.position(first);
            let problem = Problem::SeveralNets { first };
            return Err(Fatal { span: element.span.clone(), problem });
        }
        let id = self.require(element, "id")?;
        self.draft.name = id.map(|id| id.text.into_owned()).unwrap_or_default();
        let net_type = self.require(element, "type")?;
        if let Some(net_type) = &net_type {
            self.draft.symmetric = is_symmetric(net_type)?;
        }
        let net_type = net_type.map(|value| value.text).unwrap_or_default();
        self.net = Some((element.span.clone(), net_type));
        Ok(Frame::Net)
    }

    fn open_page_item(&mut self, element: &Element<'s>) -> Result<Frame<'s>, Fatal> {
        match element.name {
            "page" => Ok(Frame::Page),
            "place" => self.open_node(element, NodeKind::Place),
            "transition" => self.open_node(element, NodeKind::Transition),
            "referencePlace" => self.open_reference(element, NodeKind::Place),
            "referenceTransition" => self.open_reference(element, NodeKind::Transition),
            "arc" => self.open_arc(element),
            other => {
                if other.to_ascii_lowercase().ends_with("arc") {
                    let id = element.attribute("id")?;
                    let arc = id.map(|id| clip(&id.text)).unwrap_or_else(|| "without id".into());
                    let kind = clip(other);
                    let problem = || Problem::UnsupportedArc { arc, kind };
                    self.errors.report(element.span.clone(), problem);
                }
                Ok(Frame::Ignored)
            }
        }
    }

    fn open_node(&mut self, element: &Element<'s>, kind: NodeKind) -> Result<Frame<'s>, Fatal> {
        let Some(id) = self.require(element, "id")? else { return Ok(Frame::Ignored) };
        let position = self.draft.nodes(kind).len();
        self.define(&id, Denoted::Node(kind, position));
        let span = element.span.clone();
        let id = id.text;
        let node = NodeDraft { kind, id, span, name: None, initial: None, sort: None, term: None };
        Ok(Frame::Node(node))
    }

    fn open_reference(
        &mut self,
        element: &Element<'s>,
        kind: NodeKind,
    ) -> Result<Frame<'s>, Fatal> {
        let id = self.require(element, "id")?;
        let to = self.require(element, "ref")?;
        if let (Some(id), Some(to)) = (id, to) {
            self.define(&id, Denoted::Reference(self.draft.references.len()));
            let reference = ReferenceDraft { kind, id: id.text, to: to.text, to_span: to.span };
            self.draft.references.push(reference);
        }
        Ok(Frame::Ignored)
    }

    fn open_arc(&mut self, element: &Element<'s>) -> Result<Frame<'s>, Fatal> {
        let id = element.attribute("id")?;
        let source = self.require(element, "source")?;
        let target = self.require(element, "target")?;
        let arc_type = element.attribute("type")?;
        let (Some(source), Some(target)) = (source, target) else { return Ok(Frame::Ignored) };
        if let Some(id) = &id {
            self.define(id, Denoted::Arc);
        }
        let id = match id {
            Some(id) => id.text,
            None => Cow::Owned(format!("{} to {}", source.text, target.text)),
        };
        let arc = ArcDraft {
            id,
            span: element.span.clone(),
            source: source.text,
            source_span: source.span,
            target: target.text,
            target_span: target.span,
            weight: None,
            term: None,
        };
        if let Some(arc_type) = arc_type {
            self.check_arc_type(&arc.id, &arc_type);
        }
        Ok(Frame::Arc(arc))
    }

    fn open_label(&mut self, element: &Element<'s>) -> Result<Frame<'s>, Fatal> {
        if self.draft.symmetric
            && let Some(frame) = self.open_structured(element)
        {
            return Ok(frame);
        }
        let kind = match (self.frames.last(), element.name) {
            (_, "name") => LabelKind::Name,
            (Some(Frame::Node(node)), "initialMarking") if node.kind == NodeKind::Place => {
                LabelKind::InitialMarking
            }
            (Some(Frame::Node(node)), "capacity") if node.kind == NodeKind::Place => {
                LabelKind::Capacity
            }
            (Some(Frame::Arc(_)), "inscription") => LabelKind::Inscription,
            (Some(Frame::Arc(arc)), "type") => {
                let id = arc.id.clone();
                match element.attribute("value")? {
                    Some(value) => {
                        self.check_arc_type(&id, &value);
                        return Ok(Frame::Ignored);
                    }
                    None => LabelKind::ArcType,
                }
            }
            (_, "hlinitialMarking" | "hlinscription") => {
                let problem = Problem::ColouredLabel { found: element.name.to_owned() };
                return Err(Fatal { span: element.span.clone(), problem });
            }
            _ => return Ok(Frame::Ignored),
        };
        Ok(Frame::Label(Label::new(kind, element)))
    }

    fn text(&mut self, piece: &str, span: &Span) -> Result<(), Fatal> {
        if let [.., Frame::Label(label), Frame::Text] = self.frames.as_mut_slice() {
            check_length(label.text.len() + piece.len(), self.limits.max_value_bytes, span)?;
            label.push(piece, span);
        }
        Ok(())
    }

    fn close(&mut self) {
        match self.frames.pop() {
            Some(Frame::Label(label)) => self.close_label(label),
            Some(Frame::Node(node)) => self.draft.nodes(node.kind).push(node),
            Some(Frame::Arc(arc)) => self.draft.arcs.push(arc),
            Some(Frame::Structured(label)) => self.close_structured(label),
            _ => {}
        }
    }

    fn close_label(&mut self, label: Label) {
        let result = match self.frames.last_mut() {
            Some(Frame::Net) => {
                let name = one_line(&label.text);
                if !name.is_empty() {
                    self.draft.name = name;
                }
                Ok(())
            }
            Some(Frame::Node(node)) => label.apply_to_node(node),
            Some(Frame::Arc(arc)) => label.apply_to_arc(arc),
            _ => Ok(()),
        };
        if let Err(problem) = result {
            self.errors.report(label.span, || problem);
        }
    }

    fn check_arc_type(&mut self, arc: &str, value: &Value<'s>) {
        if let Err(problem) = super::label::check_arc_type(arc, &value.text) {
            self.errors.report(value.span.clone(), || problem);
        }
    }

    /// The value of a required attribute; its absence is reported.
    fn require(
        &mut self,
        element: &Element<'s>,
        attribute: &'static str,
    ) -> Result<Option<Value<'s>>, Fatal> {
        let value = element.attribute(attribute)?;
        if value.is_none() {
            let problem =
                || Problem::MissingAttribute { element: element.name.to_owned(), attribute };
            self.errors.report(element.span.clone(), problem);
        }
        Ok(value)
    }

    /// Records what an id denotes. If it is used twice, the first use counts.
    fn define(&mut self, id: &Value<'s>, denoted: Denoted) {
        let Some((_, first)) = self.draft.ids.get(&id.text) else {
            self.draft.ids.insert(id.text.clone(), (denoted, id.span.clone()));
            return;
        };
        let shown = clip(&id.text);
        self.errors.report_pair(id.span.clone(), first.clone(), |first| {
            let again = Problem::DuplicateId { id: shown.clone(), first };
            (again, Problem::FirstUse { id: shown })
        });
    }
}

/// Whether the net is symmetric. Place/transition nets have several type names; other types are rejected by
/// name.
fn is_symmetric(net_type: &Value<'_>) -> Result<bool, Fatal> {
    let lower = net_type.text.trim().to_ascii_lowercase();
    let last = lower.rsplit(['/', '#']).next().unwrap_or_default();
    if last.starts_with("ptnet") || matches!(lower.as_str(), "p/t net" | "pt net" | "p/t" | "pt") {
        return Ok(false);
    }
    // Place/transition nets in high-level notation are symmetric nets whose only sort is `dot`.
    if last.starts_with("symmetricnet") || last.starts_with("pt-hlpng") {
        return Ok(true);
    }
    let found = clip(&net_type.text);
    let coloured = ["symmetric", "highlevel", "hlpn", "hlnet", "colour", "color"];
    let problem = match coloured.iter().any(|word| last.contains(word)) {
        true => Problem::ColouredNet { found },
        false => Problem::UnknownNetType { found },
    };
    Err(Fatal { span: net_type.span.clone(), problem })
}
