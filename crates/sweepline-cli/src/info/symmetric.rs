//! The coloured structure of a symmetric net, beside what it unfolds to.

use std::fmt::Write;

use serde::Serialize;
use sweepline_pnml::{Folded, FoldedNode};

use super::width;
use crate::front_end::shown;
use crate::print::grouped;

/// The fields of the JSON object, in its order.
#[derive(Serialize)]
pub(super) struct Symmetric {
    places: usize,
    transitions: usize,
    arcs: usize,
    sorts: Vec<SortRow>,
    variables: Vec<VariableRow>,
    place_list: Vec<NodeRow>,
    transition_list: Vec<NodeRow>,
}

#[derive(Serialize)]
struct SortRow {
    name: String,
    description: String,
    colours: u64,
}

#[derive(Serialize)]
struct VariableRow {
    name: String,
    sort: String,
}

/// A coloured place with its sort, or a coloured transition with its variables.
#[derive(Serialize)]
struct NodeRow {
    id: String,
    name: String,
    over: String,
    /// Places or transitions that it unfolds to.
    unfolded: usize,
}

impl NodeRow {
    fn new<Id>(node: &FoldedNode<Id>) -> Self {
        let FoldedNode { id, name, over, members } = node;
        NodeRow { id: id.clone(), name: name.clone(), over: over.clone(), unfolded: members.len() }
    }
}

impl Symmetric {
    pub(super) fn new(folded: &Folded) -> Self {
        let sort = |(name, description, colours): &(String, String, u64)| SortRow {
            name: name.clone(),
            description: description.clone(),
            colours: *colours,
        };
        let variable = |(name, sort): &(String, String)| VariableRow {
            name: name.clone(),
            sort: sort.clone(),
        };
        Symmetric {
            places: folded.places.len(),
            transitions: folded.transitions.len(),
            arcs: folded.n_arcs,
            sorts: folded.sorts.iter().map(sort).collect(),
            variables: folded.variables.iter().map(variable).collect(),
            place_list: folded.places.iter().map(NodeRow::new).collect(),
            transition_list: folded.transitions.iter().map(NodeRow::new).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let Symmetric { places, transitions, arcs, .. } = self;
        let mut text = format!(
            "\nunfolded from a symmetric net of {places} places, {transitions} transitions, {arcs} arcs\n"
        );
        let names = width(self.sorts.iter().map(|sort| sort.name.as_str()));
        let _ = writeln!(text, "\n{:<names$}  {:>9}  is", "sort", "colours");
        for SortRow { name, description, colours } in &self.sorts {
            let _ = writeln!(text, "{name:<names$}  {:>9}  {description}", grouped(*colours));
        }
        let names = width(self.variables.iter().map(|variable| variable.name.as_str()));
        let names = names.max("variable".len());
        let _ = writeln!(text, "\n{:<names$}  sort", "variable");
        for VariableRow { name, sort } in &self.variables {
            let _ = writeln!(text, "{name:<names$}  {sort}");
        }
        text.push_str(&node_table("coloured place", "sort", &self.place_list));
        text.push_str(&node_table("coloured transition", "variables", &self.transition_list));
        text
    }
}

fn node_table(title: &str, over: &str, nodes: &[NodeRow]) -> String {
    let names = width(nodes.iter().map(|node| shown(&node.id, &node.name))).max(title.len());
    let mut text = format!("\n{title:<names$}  {:>8}  {over}\n", "unfolded");
    for node in nodes {
        let (name, unfolded) = (shown(&node.id, &node.name), grouped(node.unfolded as u64));
        let _ = writeln!(text, "{name:<names$}  {unfolded:>8}  {}", node.over);
    }
    text
}
