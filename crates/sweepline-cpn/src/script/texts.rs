//! Texts in CPN Tools' notation that scripts print and save, and the places section of its report.

use sweepline::Model;
use sweepline_ml::{Codec, Halt, Machine, Question, Word};

use super::answer::{Answer, numbers, text};
use super::ask::nowhere;
use crate::net::PlaceId;
use crate::query::PlaceBounds;

impl Answer<'_> {
    /// A line for each colour, as in CPN Tools' markings.
    pub(super) fn mark_text(
        &self,
        machine: &mut Machine,
        question: &Question,
    ) -> Result<Word, Halt> {
        let place = PlaceId(Machine::to_int(question.argument(0)) as u32);
        let marking = self.marking(machine, question.argument(1))?;
        let tokens = self.model().show_place_lines(&marking, place);
        text(machine, if tokens.is_empty() { "empty" } else { &tokens })
    }

    /// A binding element, which the script may have constructed.
    pub(super) fn element_text(&self, machine: &mut Machine, element: Word) -> Result<Word, Halt> {
        let mut bytes = Vec::new();
        let codec: Codec = self.element_codec.ok_or(Halt::MALFORMED)?;
        codec.encode(machine, element, &mut bytes).map_err(|_| Halt::MALFORMED)?;
        let shown = self.model().show_element(self.forms, &bytes);
        text(machine, &shown.ok_or_else(nowhere)?)
    }

    /// The strongly connected components of a subgraph: for each its nodes, the arcs within it, and the arcs
    /// to other components.
    pub(super) fn subgraph(
        &self,
        machine: &mut Machine,
        question: &Question,
    ) -> Result<Word, Halt> {
        let space = self.space()?;
        let given = |at| machine.list(question.argument(at)).map(Machine::to_int);
        let mut is_node = vec![false; space.nodes.len()];
        for number in given(0) {
            is_node[space.node(number).ok_or_else(nowhere)?] = true;
        }
        let mut out = vec![Vec::new(); space.nodes.len()];
        let mut is_arc = vec![false; space.arcs.len()];
        for number in given(1) {
            let at = space.arc_index(number).ok_or_else(nowhere)?;
            let arc = &space.arcs[at];
            if is_node[arc.source] && is_node[arc.target] {
                out[arc.source].push((at, arc.target));
                is_arc[at] = true;
            }
        }
        let found = space.components_by(|arc| is_arc[arc]);
        let mut lists = Vec::new();
        for nodes in found.members.iter().filter(|nodes| is_node[nodes[0]]) {
            let arcs = nodes.iter().flat_map(|node| &out[*node]);
            let own = found.of[nodes[0]];
            let (inner, leaving): (Vec<_>, Vec<_>) =
                arcs.partition(|(_, target)| found.of[*target] == own);
            lists.push(numbers(machine, nodes.iter().map(|node| *node as i64))?);
            for arcs in [inner, leaving] {
                lists.push(numbers(machine, arcs.into_iter().map(|(at, _)| at as i64))?);
            }
        }
        machine.memory().list(&lists)
    }

    /// The bounds of places, five texts for each.
    pub(super) fn bounds(&self, machine: &mut Machine) -> Result<Word, Halt> {
        let (space, model) = (self.space()?, self.model());
        let mut bounds = PlaceBounds::default();
        for node in &space.nodes {
            bounds.see(model, &model.try_decode(node).ok_or(Halt::MALFORMED)?);
        }
        let mut words = Vec::new();
        for bound in bounds.listed(model) {
            let multi_set = |terms: &[String]| match terms {
                [] => "empty".to_owned(),
                terms => terms.join("++\n"),
            };
            let texts = [
                bound.place.clone(),
                bound.upper.to_string(),
                bound.lower.to_string(),
                multi_set(&bound.upper_multi_set.terms),
                multi_set(&bound.lower_multi_set.terms),
            ];
            for shown in texts {
                words.push(text(machine, &shown)?);
            }
        }
        machine.memory().list(&words)
    }
}
