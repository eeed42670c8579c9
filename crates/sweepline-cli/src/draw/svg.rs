//! SVG: shapes and texts in a file of its own, for light and dark pages.

use std::fmt::Write;

use super::layers::{Point, Size};
use super::text;
use crate::print::is_harmful;

/// The size of the font of states.
pub(crate) const FONT: f64 = 12.0;
/// The size of the font of edges and notes.
pub(crate) const SMALL: f64 = 11.0;
/// The size of the font of the title.
const LARGE: f64 = 15.0;
/// Around everything.
const MARGIN: f64 = 24.0;
/// Around a drawing in a page.
const INLINE_MARGIN: f64 = 10.0;
/// Between lines, in parts of the font.
pub(crate) const LINE: f64 = 1.3;

/// Colours by class, for light pages and for dark ones.
pub(crate) const STYLE: &str = "
text { font-family: 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: 12px; fill: #1b1f24; }
.title { font-size: 15px; font-weight: bold; }
.small { font-size: 11px; fill: #57606a; }
.bold { font-weight: bold; }
.page { fill: #ffffff; }
.node { fill: #f6f8fa; stroke: #57606a; stroke-width: 1; }
.asked { fill: #fff3c4; stroke: #9a6700; stroke-width: 2; }
.dead { fill: #ffe0dc; stroke: #b3261e; stroke-width: 1.5; }
.dead.asked { stroke-width: 2.5; }
.ring { fill: none; stroke: #57606a; stroke-width: 1; }
.edge { fill: none; stroke: #8c959f; stroke-width: 1.1; }
.leader { fill: none; stroke: #8c959f; stroke-width: 1; stroke-dasharray: 1.5 3; }
.inhibitor { fill: #ffffff; stroke: #8c959f; stroke-width: 1.3; }
.path { stroke: #0a5fd0; stroke-width: 2.2; }
.head { fill: #8c959f; }
.pathhead { fill: #0a5fd0; }
.pathtext { fill: #0a4fb0; }
.tokens { fill: #d9f2dc; stroke: #2c7a39; }
.count { fill: #2c7a39; }
.countnumber { fill: #ffffff; font-weight: bold; }
.enabled { stroke: #2c7a39; stroke-width: 3; }
.grid { fill: none; stroke: #d8dee4; stroke-width: 1; }
.axis { fill: none; stroke: #57606a; stroke-width: 1.2; }
.curve { fill: none; stroke-width: 1.6; }
.one { stroke: #0a5fd0; } .two { stroke: #2c7a39; } .three { stroke: #8250df; } .four { stroke: #9a6700; }
.five { stroke: #b3261e; } .six { stroke: #1b1f24; }
.mark { fill: #ffffff; stroke-width: 2; }
.mark.one { fill: #0a5fd0; } .mark.two { fill: #2c7a39; } .mark.three { fill: #8250df; } .mark.four { fill: #9a6700; }
.mark.five { fill: #b3261e; } .mark.six { fill: #1b1f24; }
.mark.hollow { fill: #ffffff; }
.thick { stroke-width: 2.6; stroke-linejoin: round; }
.mark.under { stroke: none; opacity: 0.13; }
.label { font-weight: bold; }
.onetext { fill: #0a5fd0; } .twotext { fill: #2c7a39; } .threetext { fill: #8250df; } .fourtext { fill: #9a6700; }
.fivetext { fill: #b3261e; } .sixtext { fill: #1b1f24; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.small { fill: #9da7b3; }
.page { fill: #0d1117; }
.node { fill: #1c2229; stroke: #8b949e; }
.asked { fill: #4a3a0a; stroke: #d8a72a; }
.dead { fill: #4f1d1a; stroke: #ff7b72; }
.ring { stroke: #8b949e; }
.edge { stroke: #6e7681; }
.leader { stroke: #6e7681; }
.inhibitor { fill: #0d1117; stroke: #6e7681; }
.path { stroke: #58a6ff; }
.head { fill: #6e7681; }
.pathhead { fill: #58a6ff; }
.pathtext { fill: #79b8ff; }
.tokens { fill: #12351a; stroke: #56b366; }
.count { fill: #56b366; }
.countnumber { fill: #0d1117; }
.enabled { stroke: #56b366; }
.grid { stroke: #2d333b; }
.axis { stroke: #8b949e; }
.one { stroke: #58a6ff; } .two { stroke: #56b366; } .three { stroke: #bc8cff; } .four { stroke: #d8a72a; }
.five { stroke: #ff7b72; } .six { stroke: #e6edf3; }
.mark.one { fill: #58a6ff; } .mark.two { fill: #56b366; } .mark.three { fill: #bc8cff; } .mark.four { fill: #d8a72a; }
.mark.five { fill: #ff7b72; } .mark.six { fill: #e6edf3; }
.mark.hollow { fill: #0d1117; }
.onetext { fill: #58a6ff; } .twotext { fill: #56b366; } .threetext { fill: #bc8cff; } .fourtext { fill: #d8a72a; }
.fivetext { fill: #ff7b72; } .sixtext { fill: #e6edf3; }
}
";

/// A drawing that is being made.
#[derive(Default)]
pub(crate) struct Svg {
    body: String,
    /// It is a part of a page, which reacts to some of its shapes.
    is_live: bool,
}

impl Svg {
    /// A drawing that becomes a part of a page.
    pub(crate) fn live() -> Self {
        Svg { body: String::new(), is_live: true }
    }

    /// Whether it becomes a part of a page.
    pub(super) fn is_live(&self) -> bool {
        self.is_live
    }

    /// A rectangle around `centre`.
    pub(crate) fn rectangle(&mut self, class: &str, (x, y): Point, (w, h): Size, round: f64) {
        let (left, top) = (x - w / 2.0, y - h / 2.0);
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"{round}\"/>"
        );
    }

    /// An ellipse around `centre`.
    pub(crate) fn ellipse(&mut self, class: &str, (x, y): Point, (w, h): Size) {
        let (rx, ry) = (w / 2.0, h / 2.0);
        let _ = writeln!(
            self.body,
            "<ellipse class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{rx:.1}\" ry=\"{ry:.1}\"/>"
        );
    }

    /// A circle around `centre`.
    pub(crate) fn circle(&mut self, class: &str, (x, y): Point, radius: f64) {
        let _ = writeln!(
            self.body,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
        );
    }

    /// A line with heads at its start and at its end as `heads` says. The curves between its points leave and arrive
    /// vertically if it is `upright`.
    pub(crate) fn line(&mut self, class: &str, points: &[Point], upright: bool, heads: [bool; 2]) {
        let Some(((x, y), rest)) = points.split_first() else { return };
        let mut path = format!("M{x:.1} {y:.1}");
        let (mut x0, mut y0) = (*x, *y);
        for &(x, y) in rest {
            let middle = (y0 + y) / 2.0;
            let _ = match upright {
                true => write!(path, "C{x0:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}"),
                false => write!(path, "L{x:.1} {y:.1}"),
            };
            (x0, y0) = (x, y);
        }
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{path}\"");
        let head = if class.contains("path") { "pathhead" } else { "head" };
        for (wanted, end) in heads.into_iter().zip(["start", "end"]) {
            if wanted {
                let _ = write!(self.body, " marker-{end}=\"url(#{head})\"");
            }
        }
        self.body.push_str("/>\n");
    }

    /// A path as SVG writes it, with a head at its end.
    pub(crate) fn path(&mut self, class: &str, path: &str) {
        let _ =
            writeln!(self.body, "<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#head)\"/>");
    }

    /// A line of text; `anchor` is `start`, `middle` or `end`.
    pub(crate) fn text(&mut self, class: &str, anchor: &str, (x, y): Point, line: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(
            self.body,
            "<text{class} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" xml:space=\"preserve\">{}</text>",
            escaped(line)
        );
    }

    /// Lines of text, the first with its baseline at `y`.
    pub(crate) fn lines(
        &mut self,
        class: &str,
        anchor: &str,
        at: Point,
        size: f64,
        lines: &[String],
    ) {
        for (i, line) in lines.iter().enumerate() {
            self.text(class, anchor, (at.0, at.1 + i as f64 * size * LINE), line);
        }
    }

    /// Begins a group with a tooltip, until [`end`](Svg::end).
    pub(crate) fn begin(&mut self, class: &str, tooltip: &str) {
        let _ = writeln!(self.body, "<g class=\"{class}\"><title>{}</title>", escaped(tooltip));
    }

    /// Ends the group.
    pub(crate) fn end(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// Begins a group, until [`end`](Svg::end). A page reacts to it if it has a number: `mark` says what the number is.
    pub(crate) fn begin_button(
        &mut self,
        class: &str,
        (mark, number): (&str, Option<usize>),
        tooltip: &str,
    ) {
        let Some(number) = number.filter(|_| self.is_live) else {
            return self.begin(class, tooltip);
        };
        let tooltip = escaped(tooltip);
        let _ = writeln!(
            self.body,
            "<g class=\"{class}\" data-{mark}=\"{number}\" role=\"button\" tabindex=\"0\" aria-label=\"{tooltip}\">\
             <title>{tooltip}</title>"
        );
    }

    /// The drawing as a part of a page that has the [styles](STYLE) and the [arrowheads](arrowheads). `low` and `high` are
    /// its corners.
    pub(crate) fn inline(self, name: &str, low: Point, high: Point) -> String {
        let (x, y) = (low.0 - INLINE_MARGIN, low.1 - INLINE_MARGIN);
        let width = high.0 - low.0 + 2.0 * INLINE_MARGIN;
        let height = high.1 - low.1 + 2.0 * INLINE_MARGIN;
        format!(
            "<svg class=\"drawing\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{x:.1} {y:.1} {width:.1} {height:.1}\" role=\"group\" aria-label=\"{}\">\n{}</svg>",
            escaped(name),
            self.body
        )
    }

    /// The whole file: the title, notes below it, and the shapes drawn so far, which take `size`.
    pub(crate) fn finish(self, title: &str, notes: &[String], size: Size) -> String {
        let heading = LARGE * LINE + notes.len() as f64 * SMALL * LINE + 18.0;
        let widest = text::width(title, LARGE).max(text::widest(notes, SMALL));
        let width = size.0.max(widest) + 2.0 * MARGIN;
        let height = size.1 + heading + 2.0 * MARGIN;
        let mut top = Svg::default();
        top.text("title", "start", (0.0, LARGE), title);
        let below = (0.0, LARGE * LINE + SMALL * LINE);
        top.lines("small", "start", below, SMALL, notes);
        let aside = (widest.max(size.0) - size.0) / 2.0;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">\n<title>{}</title>\n<style>{STYLE}</style>\n<defs>\n{}{}</defs>\n\
             <rect class=\"page\" width=\"{width:.0}\" height=\"{height:.0}\"/>\n\
             <g transform=\"translate({MARGIN} {MARGIN})\">\n{}</g>\n\
             <g transform=\"translate({:.1} {:.1})\">\n{}</g>\n</svg>\n",
            escaped(title),
            marker("head"),
            marker("pathhead"),
            top.body,
            MARGIN + aside,
            MARGIN + heading,
            self.body,
        )
    }
}

/// The arrowheads of the drawings in a page.
pub(crate) fn arrowheads() -> String {
    format!("{}{}", marker("head"), marker("pathhead"))
}

/// An arrowhead.
fn marker(name: &str) -> String {
    format!(
        "<marker id=\"{name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path class=\"{name}\" d=\"M0 0.5L10 5L0 9.5z\"/></marker>\n"
    )
}

/// Escapes a text for XML; characters that XML does not allow are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if is_harmful(c) || matches!(c, '\u{FFFE}' | '\u{FFFF}') => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_break_the_file() {
        assert_eq!(escaped("<&\">\u{1}é"), "&lt;&amp;&quot;&gt;\u{FFFD}é");
    }
}
