//! From a [`NetDraft`] to a [`Net`]: resolves references and the ends of arcs.

use sweepline_source::{clip, closest};

use super::draft::{ArcDraft, Denoted, NetDraft, NodeDraft, NodeKind, Span};
use super::errors::Collector;
use super::problem::Problem;
use crate::net::{Net, Place, PlaceId, Transition, merge_arcs};

/// Resolves every name. `None` if some name cannot be resolved; every error is in `errors`.
pub(crate) fn link(draft: NetDraft<'_>, errors: &mut Collector<'_>) -> Option<Net> {
    if draft.places.len().max(draft.transitions.len()) > u32::MAX as usize {
        errors.report(0..0, || Problem::TooManyNodes);
        return None;
    }
    let mut linker = Linker { draft: &draft, errors, resolved: Vec::new() };
    linker.resolve_references();
    let ends = linker.resolve_arcs();
    let arcs = linker.weigh(&ends);
    errors.is_empty().then_some(())?;
    Some(assemble(draft, arcs))
}

/// The ends of all arcs that have both, with the index of the arc.
pub(crate) fn link_arcs(draft: &NetDraft<'_>, errors: &mut Collector<'_>) -> Vec<(Ends, usize)> {
    let mut linker = Linker { draft, errors, resolved: Vec::new() };
    linker.resolve_references();
    linker.resolve_arcs()
}

/// The nodes that an arc connects, as indices into the draft.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ends {
    pub(crate) place: usize,
    pub(crate) transition: usize,
    /// Whether the arc leads to the transition.
    pub(crate) is_input: bool,
}

/// A node at the end of an arc or of a chain of references.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Node {
    kind: NodeKind,
    index: usize,
}

/// The state of resolving a reference.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Progress {
    Untouched,
    OnPath,
    /// `None` after an error, which has been reported.
    Done(Option<Node>),
}

/// Inputs and outputs of each transition.
type Arcs = Vec<[Vec<(PlaceId, u64)>; 2]>;

struct Linker<'d, 's, 'e, 'c> {
    draft: &'d NetDraft<'s>,
    errors: &'e mut Collector<'c>,
    resolved: Vec<Progress>,
}

impl Linker<'_, '_, '_, '_> {
    fn resolve_references(&mut self) {
        self.resolved = vec![Progress::Untouched; self.draft.references.len()];
        for index in 0..self.draft.references.len() {
            self.follow(index);
        }
    }

    /// Follows one chain. Each reference is followed only once, so that long chains take linear time. A chain
    /// that returns to itself is a cycle.
    fn follow(&mut self, start: usize) {
        let mut path = Vec::new();
        let mut next = start;
        let end = loop {
            match self.resolved[next] {
                Progress::Done(node) => break node,
                Progress::OnPath => {
                    let reference = &self.draft.references[next];
                    let problem = || Problem::ReferenceCycle { id: clip(&reference.id) };
                    self.errors.report(reference.to_span.clone(), problem);
                    break None;
                }
                Progress::Untouched => {}
            }
            self.resolved[next] = Progress::OnPath;
            path.push(next);
            let reference = &self.draft.references[next];
            match self.draft.ids.get(&reference.to).map(|(denoted, _)| *denoted) {
                Some(Denoted::Reference(index)) => next = index,
                Some(Denoted::Node(kind, index)) => break Some(Node { kind, index }),
                Some(Denoted::Arc) | None => {
                    let what = reference.kind.reference_element();
                    self.unknown(what, &reference.id, &reference.to, &reference.to_span);
                    break None;
                }
            }
        };
        for index in path.into_iter().rev() {
            self.resolved[index] = Progress::Done(self.checked(index, end));
        }
    }

    /// `end`, if it has the kind of the reference.
    fn checked(&mut self, index: usize, end: Option<Node>) -> Option<Node> {
        let reference = &self.draft.references[index];
        let node = end?;
        if node.kind == reference.kind {
            return Some(node);
        }
        self.errors.report(reference.to_span.clone(), || Problem::ReferenceToWrongKind {
            element: reference.kind.reference_element(),
            id: clip(&reference.id),
            to: clip(&reference.to),
            kind: node.kind.noun(),
        });
        None
    }

    fn resolve_arcs(&mut self) -> Vec<(Ends, usize)> {
        let mut arcs = Vec::with_capacity(self.draft.arcs.len());
        for (position, arc) in self.draft.arcs.iter().enumerate() {
            let source = self.end(arc, &arc.source, &arc.source_span);
            let target = self.end(arc, &arc.target, &arc.target_span);
            let (Some(source), Some(target)) = (source, target) else { continue };
            let (transition, place, is_input) = match (source.kind, target.kind) {
                (NodeKind::Place, NodeKind::Transition) => (target.index, source.index, true),
                (NodeKind::Transition, NodeKind::Place) => (source.index, target.index, false),
                (kind, _) => {
                    self.errors.report(arc.span.clone(), || Problem::ArcWithinKind {
                        arc: clip(&arc.id),
                        kind: kind.plural(),
                        source_id: clip(&arc.source),
                        target_id: clip(&arc.target),
                    });
                    continue;
                }
            };
            arcs.push((Ends { place, transition, is_input }, position));
        }
        arcs
    }

    /// The arcs of each transition with their weights.
    fn weigh(&mut self, ends: &[(Ends, usize)]) -> Arcs {
        let mut arcs: Arcs = vec![Default::default(); self.draft.transitions.len()];
        for &(Ends { place, transition, is_input }, position) in ends {
            let weight = self.draft.arcs[position].weight.unwrap_or(1);
            arcs[transition][usize::from(!is_input)].push((PlaceId(place as u32), weight));
        }
        self.merge(arcs)
    }

    /// The node at one end of an arc.
    fn end(&mut self, arc: &ArcDraft<'_>, id: &str, span: &Span) -> Option<Node> {
        match self.draft.ids.get(id).map(|(denoted, _)| *denoted) {
            Some(Denoted::Node(kind, index)) => Some(Node { kind, index }),
            Some(Denoted::Reference(index)) => match self.resolved[index] {
                Progress::Done(node) => node,
                Progress::Untouched | Progress::OnPath => None,
            },
            Some(Denoted::Arc) | None => {
                self.unknown("arc", &arc.id, id, span);
                None
            }
        }
    }

    fn unknown(&mut self, what: &'static str, of: &str, id: &str, span: &Span) {
        let draft = self.draft;
        self.errors.report(span.clone(), || {
            let nodes = draft.places.iter().chain(&draft.transitions).map(|node| &*node.id);
            let known = nodes.chain(draft.references.iter().map(|reference| &*reference.id));
            let suggestion = closest(id, known);
            Problem::UnknownNode { what, of: clip(of), id: clip(id), suggestion }
        });
    }

    fn merge(&mut self, arcs: Arcs) -> Arcs {
        let mut merged = Vec::with_capacity(arcs.len());
        for (directions, transition) in arcs.into_iter().zip(&self.draft.transitions) {
            merged.push(directions.map(|list| match merge_arcs(list) {
                Ok(list) => list,
                Err(place) => {
                    self.overflow(transition, place);
                    Vec::new()
                }
            }));
        }
        merged
    }

    fn overflow(&mut self, transition: &NodeDraft<'_>, place: PlaceId) {
        let place = &self.draft.places[place.index()];
        self.errors.report(transition.span.clone(), || Problem::NumberTooLarge {
            what: "sum of the weights",
            of: format!("the arcs between `{}` and `{}`", clip(&place.id), clip(&transition.id)),
            found: "too large".into(),
        });
    }
}

fn assemble(draft: NetDraft<'_>, arcs: Arcs) -> Net {
    let places = draft.places.iter().map(|node| {
        let (id, name) = node.named();
        Place { id, name, initial: node.initial.unwrap_or(0) }
    });
    let transitions = draft.transitions.iter().zip(arcs).map(|(node, [inputs, outputs])| {
        let (id, name) = node.named();
        Transition { id, name, inputs, outputs }
    });
    Net {
        name: draft.name,
        places: places.collect(),
        transitions: transitions.collect(),
        folded: None,
    }
}
