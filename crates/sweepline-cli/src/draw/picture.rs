//! A fragment of a state space as a picture.

use super::fragment::{Edge, Graph, Node};
use super::layers::{self, Line, Point, Size};
use super::svg::{FONT, LINE, SMALL, Svg};
use super::text::{widest, wrap};
use super::{Labels, action_lines, part_text};

/// The most columns of a state.
const NODE_COLUMNS: usize = 46;
/// The most lines of a part of a state.
const PART_LINES: usize = 4;
/// The most lines of a state.
const NODE_LINES: usize = 18;
/// The most columns of the label of an edge.
const EDGE_COLUMNS: usize = 34;
/// Between a border and its text.
const PADDING: f64 = 8.0;
/// The room beside a state for an edge to itself.
const LOOP: f64 = 34.0;
/// The second border of an initial state, in all.
const RING: f64 = 7.0;

/// The whole file.
pub(crate) fn picture(graph: &Graph, title: &str, notes: &[String], labels: Labels) -> String {
    let mut svg = Svg::default();
    let size = draw(graph, labels, &mut svg);
    svg.finish(title, notes, size)
}

/// The drawing as a part of a page, which reacts to states.
pub(crate) fn inline(graph: &Graph, name: &str, labels: Labels) -> String {
    let mut svg = Svg::live();
    let size = draw(graph, labels, &mut svg);
    svg.inline(name, (0.0, 0.0), size)
}

/// Draws; returns the size.
fn draw(graph: &Graph, labels: Labels, svg: &mut Svg) -> Size {
    let mut boxes: Vec<State> =
        graph.nodes.iter().enumerate().map(|(n, node)| State::new(n, node, labels)).collect();
    for edge in graph.edges.iter().filter(|edge| edge.source == edge.target) {
        boxes[edge.source].set_loop(edge);
    }
    let between: Vec<&Edge> =
        graph.edges.iter().filter(|edge| edge.source != edge.target).collect();
    let captions: Vec<Vec<String>> = between.iter().map(|edge| caption(edge)).collect();
    let sizes: Vec<Size> = boxes.iter().map(State::whole).collect();
    let lines = between.iter().zip(&captions).map(|(edge, caption)| Line {
        source: edge.source,
        target: edge.target,
        label: (widest(caption, SMALL) + 6.0, caption.len() as f64 * SMALL * LINE + 2.0),
    });
    let lines: Vec<Line> = lines.collect();
    let layout = layers::place(&sizes, &lines, graph.nodes.iter().position(|node| node.initial));
    for (route, edge) in layout.lines.iter().zip(&between) {
        let class = if edge.on_path { "edge path" } else { "edge" };
        svg.line(class, route, true, [false, true]);
    }
    for (((&at, edge), caption), line) in
        layout.labels.iter().zip(&between).zip(&captions).zip(&lines)
    {
        svg.begin("action", &edge.actions.join("\n"));
        svg.rectangle("page", at, line.label, 2.0);
        let class = if edge.on_path { "small pathtext" } else { "small" };
        let top = at.1 - line.label.1 / 2.0 + SMALL + 1.0;
        svg.lines(class, "middle", (at.0, top), SMALL, caption);
        svg.end();
    }
    for (state, &at) in boxes.iter().zip(&layout.nodes) {
        state.draw(svg, at);
    }
    let below = legend(graph, svg, layout.size.1 + 26.0);
    let height = if below.0 > 0.0 { layout.size.1 + 26.0 + below.1 } else { layout.size.1 };
    (layout.size.0.max(below.0), height)
}

/// The actions of an edge.
fn caption(edge: &Edge) -> Vec<String> {
    action_lines(edge).iter().flat_map(|action| wrap(action, EDGE_COLUMNS, 3)).collect()
}

/// A state with its text.
struct State {
    number: usize,
    class: String,
    heading: String,
    lines: Vec<String>,
    footing: Vec<String>,
    tooltip: String,
    initial: bool,
    size: Size,
    /// The label of an edge to itself.
    to_itself: Vec<String>,
}

impl State {
    fn new(number: usize, node: &Node, labels: Labels) -> Self {
        let words = [(node.initial, "initial"), (node.dead, "dead")];
        let words = words.into_iter().filter(|(is, _)| *is).map(|(_, word)| word);
        let heading = std::iter::once(number.to_string()).chain(words.map(str::to_owned));
        let heading = heading.collect::<Vec<_>>().join(" · ");
        let mut lines = Vec::new();
        let n_parts = node.parts.len();
        if labels == Labels::Markings {
            for (i, part) in node.parts.iter().enumerate() {
                if lines.len() >= NODE_LINES {
                    lines.push(format!("… {} more places", n_parts - i));
                    break;
                }
                lines.extend(wrap(&part_text(part), NODE_COLUMNS, PART_LINES));
            }
            if n_parts == 0 {
                lines.push("nothing marked".into());
            }
        }
        let footing = node.left_out();
        let class = [(node.asked, " asked"), (node.dead, " dead")];
        let class = class.iter().filter(|(is, _)| *is).map(|(_, class)| *class).collect::<String>();
        let width = widest(lines.iter().chain([&heading]), FONT).max(widest(&footing, SMALL));
        let height = (1 + lines.len()) as f64 * FONT * LINE;
        let height = height + footing.len() as f64 * SMALL * LINE;
        let tooltip = node.parts.iter().map(part_text).collect::<Vec<_>>().join("\n");
        State {
            number,
            class: format!("node{class}"),
            heading,
            lines,
            footing,
            tooltip,
            initial: node.initial,
            size: (width + 2.0 * PADDING, height + 1.4 * PADDING),
            to_itself: Vec::new(),
        }
    }

    fn set_loop(&mut self, edge: &Edge) {
        self.to_itself = caption(edge);
        let height = self.to_itself.len() as f64 * SMALL * LINE + 4.0;
        self.size.1 = self.size.1.max(height);
    }

    /// The size with the ring of an initial state and an edge to itself, which is on the right. The left has as much
    /// room, so that the state is in the middle.
    fn whole(&self) -> Size {
        let ring = if self.initial { RING } else { 0.0 };
        let aside = match self.to_itself.is_empty() {
            true => 0.0,
            false => widest(&self.to_itself, SMALL) + LOOP,
        };
        (self.size.0 + ring + 2.0 * aside, self.size.1 + ring)
    }

    fn draw(&self, svg: &mut Svg, (x, y): Point) {
        let (w, h) = self.size;
        svg.begin_button("state", ("state", Some(self.number)), &self.tooltip);
        if self.initial {
            svg.rectangle("ring", (x, y), (w + RING, h + RING), 8.0);
        }
        svg.rectangle(&self.class, (x, y), (w, h), 5.0);
        let left = x - w / 2.0 + PADDING;
        let mut base = y - h / 2.0 + 0.5 * PADDING + FONT;
        svg.text("bold", "start", (left, base), &self.heading);
        base += FONT * LINE;
        svg.lines("", "start", (left, base), FONT, &self.lines);
        base += self.lines.len() as f64 * FONT * LINE - 1.0;
        svg.lines("small", "start", (left, base), SMALL, &self.footing);
        svg.end();
        if !self.to_itself.is_empty() {
            let (side, out) = (x + w / 2.0, x + w / 2.0 + LOOP - 8.0);
            let (from, to) = (y - 8.0, y + 8.0);
            let path = format!(
                "M{side:.1} {from:.1}C{out:.1} {:.1} {out:.1} {:.1} {side:.1} {to:.1}",
                from - 6.0,
                to + 6.0
            );
            svg.path("edge", &path);
            let top = y - self.to_itself.len() as f64 * SMALL * LINE / 2.0 + SMALL;
            svg.lines("small", "start", (side + LOOP - 8.0, top), SMALL, &self.to_itself);
        }
    }
}

/// Explains the shapes that occur; its size.
fn legend(graph: &Graph, svg: &mut Svg, y: f64) -> Size {
    let any = |is: fn(&Node) -> bool| graph.nodes.iter().any(is);
    let entries = [
        (any(|node| node.initial), "node", "initial state"),
        (
            any(|node| node.asked && !node.dead),
            "node asked",
            if svg.is_live() { "current state" } else { "state asked for" },
        ),
        (any(|node| node.dead && !node.asked), "node dead", "dead state"),
        (
            any(|node| node.dead && node.asked),
            "node dead asked",
            if svg.is_live() { "current state, dead" } else { "dead state asked for" },
        ),
        (graph.edges.iter().any(|edge| edge.on_path), "edge path", "path from the initial state"),
    ];
    let mut x = 4.0;
    for (_, class, words) in entries.iter().filter(|(there, ..)| *there) {
        if class.starts_with("edge") {
            svg.line(class, &[(x, y + 7.0), (x + 24.0, y + 7.0)], false, [false, true]);
        } else {
            if *words == "initial state" {
                svg.rectangle("ring", (x + 12.0, y + 7.0), (30.0, 20.0), 6.0);
            }
            svg.rectangle(class, (x + 12.0, y + 7.0), (24.0, 14.0), 4.0);
        }
        svg.text("small", "start", (x + 34.0, y + 11.0), words);
        x += 34.0 + widest(&[(*words).to_owned()], SMALL) + 20.0;
    }
    if x == 4.0 { (0.0, 0.0) } else { (x, 18.0) }
}
