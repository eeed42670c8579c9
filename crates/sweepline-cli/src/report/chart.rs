//! The charts of the page. Shapes stretch with the page; numbers and names are texts beside them, so they have the
//! same size on a narrow page.

use std::fmt::Write;

use super::profile::{Point, SizeClass};
use crate::draw::escaped;
use crate::print::{grouped, signed};

/// Both sides of the coordinates of a chart.
const SIDE: f64 = 1000.0;
/// The most values on the horizontal axis of a wide page; a narrow page shows every other one.
const TICKS: usize = 8;
/// The width of a bar, in parts of its place; thin bars touch each other.
const BAR: f64 = 0.8;
const THIN: f64 = SIDE / 240.0;

/// Stored states, as a line, and the sizes of layers, as bars, along the progress of the sweep.
pub(super) fn course(points: &[Point]) -> String {
    let greatest = points.iter().map(|point| point.stored.max(point.largest)).max().unwrap_or(0);
    let mut chart = Chart::new(greatest, "stored states and layer sizes along the sweep");
    let step = SIDE / points.len().max(1) as f64;
    let mut line = String::new();
    for (number, point) in points.iter().enumerate() {
        let (x, y) = (step * number as f64, chart.y(point.stored));
        let begin = if number == 0 { 'M' } else { 'L' };
        let _ = write!(line, "{begin}{x:.2} {y:.2}L{:.2} {y:.2}", x + step);
    }
    let _ = writeln!(chart.shapes, "<path class=\"area\" d=\"{line}L{SIDE} {SIDE}L0 {SIDE}Z\"/>");
    for (number, point) in points.iter().enumerate() {
        chart.bar(step, number, point.largest, None);
    }
    let _ = writeln!(chart.shapes, "<path class=\"stored\" d=\"{line}\"/>");
    for (number, point) in points.iter().enumerate() {
        let _ = writeln!(
            chart.shapes,
            "<rect class=\"hover\" x=\"{:.2}\" y=\"0\" width=\"{step:.2}\" height=\"{SIDE}\"><title>{}</title></rect>",
            step * number as f64,
            escaped(&tooltip(point))
        );
    }
    let peak = (0..points.len()).max_by_key(|&number| (points[number].stored, usize::MAX - number));
    if let Some(number) = peak {
        let (x, y) = (step * (number as f64 + 0.5), chart.y(points[number].stored));
        chart.label("dot", (x, y), "");
        chart.label("top strong", (x, y), &format!("peak {}", grouped(points[number].stored)));
    }
    for (number, class) in ticks(points.len()) {
        let x = step * (number as f64 + 0.5);
        chart.label(class, (x, SIDE), &value(&points[number].from));
    }
    chart.finish("states", "progress")
}

/// The places on the horizontal axis that have a value, evenly spread and each at most once.
fn ticks(n: usize) -> Vec<(usize, &'static str)> {
    let n_ticks = n.min(TICKS);
    let number = |tick: usize| tick * (n - 1) / (n_ticks - 1).max(1);
    let class = |tick: usize| if tick % 2 == 1 && n_ticks > 3 { "x minor" } else { "x" };
    (0..n_ticks).map(|tick| (number(tick), class(tick))).collect()
}

fn tooltip(point: &Point) -> String {
    let at = match point.layers {
        1 => format!("progress {}: a layer of", value(&point.from)),
        n => format!(
            "progress {} to {}: {} layers, the largest of",
            value(&point.from),
            value(&point.to),
            grouped(n)
        ),
    };
    let s = if point.largest == 1 { "" } else { "s" };
    format!("{at} {} state{s}; {} stored", grouped(point.largest), grouped(point.stored))
}

/// A progress value, cut after three components.
fn value(components: &[i64]) -> String {
    let shown: Vec<String> = components.iter().take(3).map(|&part| signed(part)).collect();
    let more = if components.len() > 3 { ", …" } else { "" };
    shown.join(", ") + more
}

/// The number of layers by their size.
pub(super) fn sizes(classes: &[SizeClass]) -> String {
    let greatest = classes.iter().map(|class| class.layers).max().unwrap_or(0);
    let mut chart = Chart::new(greatest, "number of layers by their size");
    let step = SIDE / classes.len().max(1) as f64;
    let named = classes.len().div_ceil(TICKS).max(1);
    for (number, class) in classes.iter().enumerate() {
        let range = match class.least == class.most {
            true => grouped(class.least),
            false => format!("{}–{}", short(class.least), short(class.most)),
        };
        let (layers, states) = (grouped(class.layers), grouped(class.states));
        let s = if class.layers == 1 { "" } else { "s" };
        let tooltip = format!("{layers} layer{s} of {range} states, {states} states together");
        chart.bar(step, number, class.layers, Some(&tooltip));
        let x = step * (number as f64 + 0.5);
        if number % named == 0 {
            let is_minor = number / named % 2 == 1 && classes.len() > 3;
            chart.label(if is_minor { "x minor" } else { "x" }, (x, SIDE), &range);
        }
        if class.layers > 0 && classes.len() <= 2 * TICKS {
            chart.label("top strong", (x, chart.y(class.layers)), &short(class.layers));
        }
    }
    chart.finish("layers", "states in a layer")
}

/// `1234` as `1,234`, `1234567` as `1.2M`.
fn short(n: u64) -> String {
    match n {
        0..100_000 => grouped(n),
        100_000..10_000_000 if n < 1_000_000 => format!("{}k", n / 1000),
        100_000..1_000_000_000 => format!("{:.1}M", n as f64 / 1e6),
        _ => format!("{:.1}G", n as f64 / 1e9),
    }
}

/// A part of a whole, as a bar.
pub(super) fn share(part: u64, whole: u64) -> String {
    let percent = 100.0 * (part as f64 / whole.max(1) as f64).min(1.0);
    format!(
        "<div class=\"share\" role=\"img\" aria-label=\"{} of {} states\"><span style=\"width: {percent:.2}%\"></span></div>\n",
        grouped(part),
        grouped(whole)
    )
}

struct Chart {
    name: String,
    shapes: String,
    labels: String,
    top: f64,
}

impl Chart {
    /// Axes for values up to `greatest`, with lines at round values.
    fn new(greatest: u64, name: &str) -> Self {
        let step = round_step(greatest);
        let lines = greatest.div_ceil(step).max(1);
        let (shapes, labels) = (String::new(), String::new());
        let mut chart = Chart { name: name.to_owned(), shapes, labels, top: (step * lines) as f64 };
        for line in 0..=lines {
            let (y, class) = (chart.y(line * step), if line == 0 { "axis" } else { "grid" });
            let _ = writeln!(
                chart.shapes,
                "<line class=\"{class}\" x1=\"0\" y1=\"{y:.2}\" x2=\"{SIDE}\" y2=\"{y:.2}\"/>"
            );
            chart.label("y", (0.0, y), &short(line * step));
        }
        chart
    }

    fn y(&self, value: u64) -> f64 {
        SIDE * (1.0 - value as f64 / self.top.max(1.0))
    }

    /// A bar in a place of the width `step`.
    fn bar(&mut self, step: f64, number: usize, value: u64, tooltip: Option<&str>) {
        let part = if step < THIN { 1.0 } else { BAR };
        let (x, y) = (step * (number as f64 + (1.0 - part) / 2.0), self.y(value));
        let (w, h) = (step * part, SIDE - y);
        let title = tooltip.map(|text| format!("<title>{}</title>", escaped(text)));
        let _ = writeln!(
            self.shapes,
            "<rect class=\"bar\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\">{}</rect>",
            title.unwrap_or_default()
        );
    }

    /// A text at a point. Texts above a point near a border stay inside.
    fn label(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let side = match x / SIDE {
            _ if !class.starts_with("top") => "",
            part if part < 0.08 => " from-left",
            part if part > 0.92 => " from-right",
            _ => "",
        };
        let _ = writeln!(
            self.labels,
            "<span class=\"{class}{side}\" style=\"left: {:.2}%; top: {:.2}%\">{}</span>",
            x / SIDE * 100.0,
            y / SIDE * 100.0,
            escaped(text)
        );
    }

    /// The whole, with the names of both axes.
    fn finish(self, up: &str, along: &str) -> String {
        let Chart { name, shapes, labels, .. } = self;
        format!(
            "<div class=\"chart\" role=\"img\" aria-label=\"{}\">\n<div class=\"unit\">{up}</div>\n<div class=\"plot\">\n\
             <svg viewBox=\"0 0 {SIDE} {SIDE}\" preserveAspectRatio=\"none\">\n{shapes}</svg>\n{labels}</div>\n\
             <div class=\"along\">{along}</div>\n</div>\n",
            escaped(&name)
        )
    }
}

/// A step of 1, 2 or 5 times a power of ten, so that about four of them are `greatest`.
fn round_step(greatest: u64) -> u64 {
    let mut power = 1u64;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if greatest / step <= 4 {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_at_round_values() {
        let steps = [0, 1, 4, 9, 17, 99, 1_000].map(round_step);
        assert_eq!(steps, [1, 1, 1, 2, 5, 20, 500]);
        assert_eq!(round_step(u64::MAX), 5_000_000_000_000_000_000);
    }

    #[test]
    fn large_numbers_are_short() {
        let shown = [99_999, 123_456, 1_234_567, 2_000_000_000].map(short);
        assert_eq!(shown, ["99,999", "123k", "1.2M", "2.0G"]);
    }

    /// A value is below the middle of its bar, however few layers there are, and each is there once.
    #[test]
    fn few_layers_have_correct_axes() {
        for n in 1..=4u64 {
            let point = |layer: u64| Point {
                from: vec![layer as i64],
                to: vec![layer as i64],
                layers: 1,
                states: 5,
                largest: 5,
                stored: 5 + layer,
            };
            let chart = course(&(0..n).map(point).collect::<Vec<_>>());
            for layer in 0..n {
                let left = (layer as f64 + 0.5) / n as f64 * 100.0;
                let wanted = format!("left: {left:.2}%; top: 100.00%\">{layer}</span>");
                assert_eq!(chart.matches(&wanted).count(), 1, "{n} layers: {wanted} in {chart}");
            }
            assert_eq!(chart.matches("class=\"bar\"").count() as u64, n);
            assert!(chart.contains(&format!(">peak {}</span>", 4 + n)), "{chart}");
            assert!(!chart.contains("NaN") && !chart.contains("inf"), "{chart}");
        }
        assert_eq!(ticks(3).len(), 3);
        let all: Vec<usize> = ticks(512).into_iter().map(|(number, _)| number).collect();
        assert_eq!((all[0], all[TICKS - 1]), (0, 511));
    }
}
