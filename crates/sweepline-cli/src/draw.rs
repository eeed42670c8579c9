//! Drawings of parts of state spaces and of nets.

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
use crate::print::{grouped, harmless};

pub(crate) use fragment::{Edge, Fragment, Graph, Node};
pub(crate) use net::{
    ArcShape, Drawn, End, PlaceShape, Sheet, Stage, TransitionShape, picture as net_picture,
};
pub(crate) use picture::inline as graph_picture;
pub(crate) use search::{FoundStates, StateSearch, Target, Wanted};
pub(crate) use svg::{SMALL, STYLE, Svg, arrowheads, escaped};
pub(crate) use text::width;

/// The most states in a drawing of a script.
pub(crate) const MOST_STATES: usize = 100;
/// The most actions shown at an edge.
const MOST_ACTIONS: usize = 4;

/// A drawing of a fragment.
pub(crate) struct Drawing<'a> {
    /// The states and edges.
    pub(crate) graph: &'a Graph,
    /// The name of the model.
    pub(crate) title: &'a str,
    /// Lines below the title.
    pub(crate) notes: &'a [String],
    /// The labels of states.
    pub(crate) labels: Labels,
}

impl Drawing<'_> {
    /// Writes it in the format of the file.
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
        let mut text = dot_head(self.title, self.notes);
        for (number, node) in self.graph.nodes.iter().enumerate() {
            let _ = writeln!(
                text,
                "  {number} [label={}{}];",
                self.dot_label(number, node),
                look(node)
            );
        }
        let initial = self.graph.nodes.iter().position(|node| node.initial);
        text.push_str(&initial.map_or_else(String::new, dot_first));
        for edge in &self.graph.edges {
            let path = if edge.on_path { ", color=blue, penwidth=2" } else { "" };
            let label = dot_lines(&action_lines(edge), "\\n");
            let (source, target) = (edge.source, edge.target);
            let _ = writeln!(text, "  {source} -> {target} [label={label}{path}];");
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
        dot_lines(&lines, "\\l")
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
    /// The numbers of states and edges.
    pub(crate) fn figures(&self) -> String {
        let n_edges = self.edges.iter().map(|edge| edge.actions.len()).sum();
        let states = counted(self.nodes.len(), "state", "states");
        format!("{states}, {}", counted(n_edges, "edge", "edges"))
    }

    /// How many states are not drawn, and which option draws them.
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
    /// How many of its neighbours are not drawn, a line each for predecessors and successors.
    fn left_out(&self) -> Vec<String> {
        let before = self.hidden_before.unwrap_or(0);
        let before = (before, "more predecessor", "more predecessors");
        let lines = [before, (self.hidden, "more successor", "more successors")];
        let shown = lines.into_iter().filter(|&(n, ..)| n > 0);
        shown.map(|(n, one, several)| format!("… {}", counted(n, one, several))).collect()
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
        notes.push("… more states of the script not drawn".into());
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

/// The look of a state in Graphviz.
fn look(node: &Node) -> String {
    let mut look = String::new();
    if node.initial {
        look.push_str(&format!(", {DOT_INITIAL}"));
    }
    match (node.dead, node.asked) {
        (true, _) => look.push_str(&format!(", {DOT_DEAD}")),
        (false, true) => look.push_str(", fillcolor=lemonchiffon, color=darkgoldenrod"),
        (false, false) => {}
    }
    if node.asked {
        look.push_str(", penwidth=2");
    }
    look
}

/// The start of a graph for Graphviz: the title, with lines below it, and the look of states and edges.
pub(crate) fn dot_head(title: &str, notes: &[String]) -> String {
    let mut lines = vec![title.to_owned()];
    lines.extend_from_slice(notes);
    format!(
        "digraph {} {{\n  graph [label={}, labelloc=t, labeljust=l, fontname=monospace];\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=monospace];\n  \
         edge [fontname=monospace, fontsize=10];\n",
        quoted(&harmless(title)),
        dot_lines(&lines, "\\l")
    )
}

/// Places a state above all others.
pub(crate) fn dot_first(number: usize) -> String {
    format!("  {{ rank=source; {number}; }}\n")
}

/// Lines as a label of Graphviz; `end` is `\n` or, for lines that start at the left, `\l`.
pub(crate) fn dot_lines(lines: &[String], end: &str) -> String {
    let lines: Vec<String> = lines.iter().map(|line| quoted(&harmless(line))).collect();
    let inner = lines.iter().map(|line| &line[1..line.len() - 1]);
    let last = if end == "\\l" { end } else { "" };
    format!("\"{}{last}\"", inner.collect::<Vec<_>>().join(end))
}

/// The look of a dead state in Graphviz.
pub(crate) const DOT_DEAD: &str = "fillcolor=mistyrose, color=firebrick";
/// The look of an initial state in Graphviz.
pub(crate) const DOT_INITIAL: &str = "peripheries=2";

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
