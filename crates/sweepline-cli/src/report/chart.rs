//! The charts of the page: what was held along the way, and how large layers are.

use std::fmt::Write;

use super::profile::{Point, SizeClass};
use crate::draw::escaped;
use crate::print::{grouped, signed};

/// The whole, and the inside of the axes.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 78.0;
const TOP: f64 = 22.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 40.0;
/// Values of progress below the chart.
const TICKS: usize = 6;

/// States held, as a line, and the sizes of layers, as bars, along the progress of the sweep.
pub(super) fn course(points: &[Point]) -> String {
    let greatest = points.iter().map(|point| point.held.max(point.largest)).max().unwrap_or(0);
    let mut chart = Chart::new(greatest, "states held and layer sizes along the sweep");
    let n_points = points.len().max(1) as f64;
    let step = chart.width() / n_points;
    for (number, point) in points.iter().enumerate() {
        let (x, y) = (LEFT + step * number as f64, chart.y(point.largest));
        let (w, h) = (if step < 4.0 { step } else { step * 0.8 }, chart.floor() - y);
        let _ = writeln!(
            chart.svg,
            "<rect class=\"bar\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\"/>"
        );
    }
    let middle = |number: usize| LEFT + step * (number as f64 + 0.5);
    let mut curve = String::new();
    for (number, point) in points.iter().enumerate() {
        let begin = if number == 0 { 'M' } else { 'L' };
        let _ = write!(curve, "{begin}{:.2} {:.2} ", middle(number), chart.y(point.held));
    }
    if let Some(last) = points.len().checked_sub(1) {
        let (floor, from, to) = (chart.floor(), middle(0), middle(last));
        let _ = writeln!(
            chart.svg,
            "<path class=\"area\" d=\"{curve}L{to:.2} {floor:.2} L{from:.2} {floor:.2} Z\"/>\
             <path class=\"held\" d=\"{curve}\"/>"
        );
    }
    let peak = (0..points.len()).max_by_key(|&number| (points[number].held, usize::MAX - number));
    if let Some(number) = peak {
        let (x, y) = (middle(number), chart.y(points[number].held));
        let _ =
            writeln!(chart.svg, "<circle class=\"peak\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"3.5\"/>");
        let anchor = if x > WIDTH / 2.0 { "end" } else { "start" };
        let to = if x > WIDTH / 2.0 { x - 8.0 } else { x + 8.0 };
        chart.text("strong", anchor, (to, y - 7.0), &grouped(points[number].held));
    }
    for tick in 0..TICKS.min(points.len()) {
        let number = tick * (points.len() - 1) / (TICKS.min(points.len()) - 1).max(1);
        let anchor = match tick {
            0 => "start",
            tick if tick + 1 == TICKS.min(points.len()) => "end",
            _ => "middle",
        };
        let x = match anchor {
            "start" => LEFT,
            "end" => WIDTH - RIGHT,
            _ => middle(number),
        };
        chart.text("", anchor, (x, chart.floor() + 16.0), &value(&points[number].from));
    }
    chart.text("", "middle", (LEFT + chart.width() / 2.0, HEIGHT - 6.0), "progress");
    for (number, point) in points.iter().enumerate() {
        let (x, h) = (LEFT + step * number as f64, chart.floor() - TOP);
        let _ = writeln!(
            chart.svg,
            "<rect class=\"hover\" x=\"{x:.2}\" y=\"{TOP}\" width=\"{step:.2}\" height=\"{h:.2}\"><title>{}</title></rect>",
            escaped(&tooltip(point))
        );
    }
    chart.finish()
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
    format!("{at} {} states; {} states held", grouped(point.largest), grouped(point.held))
}

/// A value of progress, short.
fn value(components: &[i64]) -> String {
    let shown: Vec<String> = components.iter().take(3).map(|&part| signed(part)).collect();
    let more = if components.len() > 3 { ", …" } else { "" };
    shown.join(", ") + more
}

/// How many layers have so many states.
pub(super) fn sizes(classes: &[SizeClass]) -> String {
    let greatest = classes.iter().map(|class| class.layers).max().unwrap_or(0);
    let mut chart = Chart::new(greatest, "how many layers have so many states");
    let step = chart.width() / classes.len().max(1) as f64;
    for (number, class) in classes.iter().enumerate() {
        let (x, y) = (LEFT + step * (number as f64 + 0.1), chart.y(class.layers));
        let (w, h) = (step * 0.8, chart.floor() - y);
        let range = match class.least == class.most {
            true => grouped(class.least),
            false => format!("{}–{}", short(class.least), short(class.most)),
        };
        let (layers, states) = (grouped(class.layers), grouped(class.states));
        let _ = writeln!(
            chart.svg,
            "<rect class=\"bar\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{w:.2}\" height=\"{h:.2}\"><title>{range} \
             states: {layers} layers, {states} states together</title></rect>"
        );
        let middle = x + w / 2.0;
        // Where there are many, every other is named.
        if classes.len() <= 14 || number % 2 == 0 {
            chart.text("", "middle", (middle, chart.floor() + 16.0), &range);
        }
        if class.layers > 0 {
            chart.text("strong", "middle", (middle, y - 5.0), &short(class.layers));
        }
    }
    chart.text("", "middle", (LEFT + chart.width() / 2.0, HEIGHT - 6.0), "states in a layer");
    chart.finish()
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
    let filled = (WIDTH - 2.0) * (part as f64 / whole.max(1) as f64).min(1.0);
    format!(
        "<svg viewBox=\"0 0 {WIDTH} 14\" role=\"img\" aria-label=\"{} of {} states\">\
         <rect class=\"all\" x=\"1\" y=\"1\" width=\"{:.2}\" height=\"12\" rx=\"3\"/>\
         <rect class=\"peak\" x=\"1\" y=\"1\" width=\"{:.2}\" height=\"12\" rx=\"3\"/></svg>\n",
        grouped(part),
        grouped(whole),
        WIDTH - 2.0,
        filled.max(1.5)
    )
}

struct Chart {
    svg: String,
    top: f64,
}

impl Chart {
    /// Axes for values up to `greatest`, with lines at round values.
    fn new(greatest: u64, label: &str) -> Self {
        let step = round_step(greatest);
        let lines = greatest.div_ceil(step).max(1);
        let mut chart = Chart { svg: String::new(), top: (step * lines) as f64 };
        let _ = writeln!(
            chart.svg,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            escaped(label)
        );
        for line in 0..=lines {
            let (y, class) = (chart.y(line * step), if line == 0 { "axis" } else { "grid" });
            let to = WIDTH - RIGHT;
            let _ = writeln!(
                chart.svg,
                "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{y:.2}\" x2=\"{to}\" y2=\"{y:.2}\"/>"
            );
            chart.text("", "end", (LEFT - 8.0, y + 4.0), &short(line * step));
        }
        chart
    }

    fn width(&self) -> f64 {
        WIDTH - LEFT - RIGHT
    }

    fn floor(&self) -> f64 {
        HEIGHT - BOTTOM
    }

    fn y(&self, value: u64) -> f64 {
        self.floor() - (self.floor() - TOP) * value as f64 / self.top.max(1.0)
    }

    fn text(&mut self, class: &str, anchor: &str, (x, y): (f64, f64), text: &str) {
        let _ = writeln!(
            self.svg,
            "<text class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(text)
        );
    }

    fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
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
}
