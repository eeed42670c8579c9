//! Drawings of parts of state spaces, for people to look at.

mod fragment;
mod layers;
mod net;
mod picture;
mod plan;
mod room;
mod search;
mod svg;
mod text;

use std::fmt::Write;
use std::path::Path;

use serde_json::json;

use crate::args::Labels;
use crate::failure::Failure;
use crate::front_end::{Content, FrontEnd};
use crate::graph::{Format, quoted};
use crate::output::NewFile;
use crate::print::grouped;

pub(crate) use fragment::{Edge, Fragment, Graph, Node};
pub(crate) use net::{
    ArcShape, Drawn, End, PlaceShape, Sheet, TransitionShape, picture as net_picture,
};
pub(crate) use search::{FoundStates, More, StateSearch, Target};
pub(crate) use svg::{SMALL, Svg, escaped};
pub(crate) use text::width;

/// States in a drawing, unless told.
pub(crate) const MOST_STATES: usize = 100;
/// The actions of an edge that are shown at most.
const MOST_ACTIONS: usize = 4;

/// A drawing of a fragment.
pub(crate) struct Drawing<'a> {
    /// What is drawn.
    pub(crate) graph: &'a Graph,
    /// What the model is called.
    pub(crate) title: &'a str,
    /// What a reader must know.
    pub(crate) notes: &'a [String],
    /// What states are labelled with.
    pub(crate) labels: Labels,
}

impl Drawing<'_> {
    /// Writes it as the name of the file asks.
    pub(crate) fn write(&self, format: Format, file: &Path) -> Result<(), Failure> {
        let text = match format {
            Format::Svg => picture::picture(self.graph, self.title, self.notes, self.labels),
            Format::Dot => self.dot(),
            Format::Json => self.json(),
            Format::Aut => return Err(Failure::GraphFormat { file: file.to_owned() }),
        };
        NewFile::save(file, &text).map_err(Failure::writing(file))
    }

    fn dot(&self) -> String {
        let mut text = format!("digraph {} {{\n", quoted(self.title));
        for note in self.notes {
            let _ = writeln!(text, "  // {}", note.replace(['\n', '\r'], " "));
        }
        text.push_str(
            "  node [shape=box, fontname=monospace, style=\"rounded,filled\", fillcolor=white];\n",
        );
        text.push_str("  edge [fontname=monospace, fontsize=10];\n");
        for (number, node) in self.graph.nodes.iter().enumerate() {
            let _ = writeln!(
                text,
                "  {number} [label={}{}];",
                self.dot_label(number, node),
                look(node)
            );
        }
        for edge in &self.graph.edges {
            let way = if edge.on_path { ", color=blue, penwidth=2" } else { "" };
            let lines: Vec<String> = action_lines(edge).iter().map(|line| inner(line)).collect();
            let (source, target) = (edge.source, edge.target);
            let _ =
                writeln!(text, "  {source} -> {target} [label=\"{}\"{way}];", lines.join("\\n"));
        }
        text.push_str("}\n");
        text
    }

    fn dot_label(&self, number: usize, node: &Node) -> String {
        let mut lines = vec![number.to_string()];
        if self.labels == Labels::Markings {
            lines.extend(node.parts.iter().map(part_text));
        }
        lines.extend(node.left_out());
        let lines: Vec<String> = lines.iter().map(|line| format!("{}\\l", inner(line))).collect();
        format!("\"{}\"", lines.concat())
    }

    fn json(&self) -> String {
        let state = |(number, node): (usize, &Node)| {
            let marking: serde_json::Map<_, _> =
                node.parts.iter().map(|(name, content)| (name.clone(), json!(content))).collect();
            json!({
                "number": number, "marking": marking, "initial": node.initial, "dead": node.dead,
                "asked": node.asked, "on_path": node.on_path, "hidden_successors": node.hidden,
                "hidden_predecessors": node.hidden_before,
            })
        };
        let arcs = self.graph.edges.iter().flat_map(|edge| {
            edge.actions.iter().map(|action| json!([edge.source, action, edge.target]))
        });
        let states: Vec<_> = self.graph.nodes.iter().enumerate().map(state).collect();
        crate::print::json(&json!({
            "schema": 1, "model": self.title, "notes": self.notes, "hidden": self.graph.n_hidden,
            "hidden_before": self.graph.before.as_ref().map(|before| before.n),
            "states": states, "arcs": arcs.collect::<Vec<_>>(),
        }))
    }
}

impl Graph {
    /// How much there is.
    pub(crate) fn figures(&self) -> String {
        let n_edges = self.edges.iter().map(|edge| edge.actions.len()).sum();
        let states = counted(self.nodes.len(), "state", "states");
        format!("{states}, {}", counted(n_edges, "edge", "edges"))
    }

    /// What is left out, and what to do about it.
    pub(crate) fn left_out(&self, remedy: &str) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(before) = self.before.as_ref().filter(|before| before.n > 0) {
            let least = if before.is_partial { "at least " } else { "" };
            let n = counted(before.n, "more predecessor", "more predecessors");
            notes.push(format!("… {least}{n} of these states not drawn: {remedy}"));
        }
        if self.n_hidden > 0 {
            let n = counted(self.n_hidden, "more successor", "more successors");
            notes.push(format!("… {n} of these states not drawn: {remedy}"));
        }
        notes
    }
}

impl Node {
    /// How many of its neighbours are left out.
    fn left_out(&self) -> Option<String> {
        let before = self.hidden_before.unwrap_or(0);
        match (before, self.hidden) {
            (0, 0) => None,
            (0, n) => Some(format!("… {}", counted(n, "more successor", "more successors"))),
            (n, 0) => Some(format!("… {}", counted(n, "more predecessor", "more predecessors"))),
            (n, m) => Some(format!(
                "… {}, {}",
                counted(n, "more predecessor", "more predecessors"),
                counted(m, "successor", "successors")
            )),
        }
    }
}

/// Draws some states and those up to `depth` steps after them.
pub(crate) fn states<M: FrontEnd>(
    model: &M,
    file: &Path,
    states: &[M::State],
    depth: usize,
) -> Result<(), Failure> {
    let format = Format::of(file).ok_or_else(|| Failure::GraphFormat { file: file.to_owned() })?;
    let mut fragment = Fragment::new(model, MOST_STATES);
    states.iter().for_each(|state| fragment.ask(state));
    let n_asked = fragment.len();
    fragment.grow(n_asked, depth)?;
    let graph = fragment.graph(None)?;
    let mut notes = vec![format!("{} of a script", graph.figures())];
    if states.len() > n_asked && fragment.room() == 0 {
        notes.push("… more states of the script are not drawn".into());
    }
    notes.extend(graph.left_out(&match fragment.room() {
        0 => format!("a script draws at most {MOST_STATES} states"),
        _ => format!("raise `Depth` ({depth})"),
    }));
    let (title, labels) = (model.name(), Labels::Markings);
    Drawing { graph: &graph, title, notes: &notes, labels }.write(format, file)
}

/// `1 state`, `2 states`.
pub(crate) fn counted(n: usize, one: &str, several: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{} {several}", grouped(n as u64)),
    }
}

/// How a state looks in Graphviz.
fn look(node: &Node) -> String {
    let mut look = String::new();
    if node.initial {
        look.push_str(", peripheries=2");
    }
    match (node.dead, node.asked) {
        (true, _) => look.push_str(", fillcolor=mistyrose, color=firebrick"),
        (false, true) => look.push_str(", fillcolor=lemonchiffon, color=darkgoldenrod"),
        (false, false) => {}
    }
    if node.asked {
        look.push_str(", penwidth=2");
    }
    look
}

/// A text within the quotes of Graphviz.
fn inner(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}

/// A part of a state in one line.
pub(crate) fn part_text((name, content): &(String, Content)) -> String {
    format!("{name}: {content}")
}

/// The actions of an edge, as many as are shown.
fn action_lines(edge: &Edge) -> Vec<String> {
    let n = edge.actions.len();
    let shown = if n > MOST_ACTIONS { MOST_ACTIONS - 1 } else { n };
    let mut lines = edge.actions[..shown].to_vec();
    if shown < n {
        lines.push(format!("… {} more", n - shown));
    }
    lines
}
