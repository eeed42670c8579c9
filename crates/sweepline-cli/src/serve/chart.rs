//! Charts in a page: the course of a run, and values along a trace.

use crate::draw::{SMALL, Svg, width};
use crate::print::signed;
use crate::report::Point;
use crate::watch::Stored;

/// The size of the plot of a run, and of values along a trace.
const RUN: (f64, f64) = (640.0, 200.0);
const TRACE: (f64, f64) = (900.0, 110.0);
/// Thinner bars touch each other.
const THIN: f64 = 4.0;
/// The classes of curves, in their order.
const CLASSES: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

/// A chart: its name, and those of its axes.
pub(super) struct Chart {
    pub(super) name: &'static str,
    pub(super) along: &'static str,
    pub(super) up: &'static str,
    /// The width and height of the plot.
    size: (f64, f64),
}

/// Points that are joined by steps.
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// A range of numbers on an axis, not empty.
#[derive(Clone, Copy)]
struct Span {
    least: f64,
    most: f64,
}

impl Span {
    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let (least, most) = numbers
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(n), high.max(n)));
        match least <= most {
            true if most > least => Span { least, most },
            true => Span { least, most: least + 1.0 },
            false => Span { least: 0.0, most: 1.0 },
        }
    }

    /// The same with zero in it.
    fn with_zero(self) -> Self {
        Span { least: self.least.min(0.0), most: self.most.max(0.0) }
    }

    fn part(self, number: f64) -> f64 {
        (number - self.least) / (self.most - self.least)
    }

    /// Round numbers in it, about four.
    fn ticks(self) -> Vec<f64> {
        let rough = (self.most - self.least) / 4.0;
        let power = 10f64.powf(rough.log10().floor()).max(1e-9);
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power);
        let step = step.clone().find(|step| *step >= rough * 0.999).unwrap_or(power).max(1.0);
        let first = (self.least / step).ceil() as i64;
        let last = (self.most / step).floor() as i64;
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

impl Chart {
    /// The chart of values along a trace.
    pub(super) fn of_trace() -> Self {
        Chart { name: "values along the trace", along: "step", up: "value", size: TRACE }
    }

    fn of_run(name: &'static str, along: &'static str) -> Self {
        Chart { name, along, up: "states", size: RUN }
    }

    /// Curves by steps, with a mark at a position.
    pub(super) fn curves(&self, curves: &[Curve], mark: Option<f64>) -> String {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let along = Span::of(points().map(|point| point.0));
        let up = Span::of(points().map(|point| point.1)).with_zero();
        let (mut svg, at) = self.begin(along, up);
        if let Some(mark) = mark {
            let x = at((mark, 0.0)).0;
            svg.line("here", &[(x, 0.0), (x, self.size.1)], false, [false; 2]);
        }
        for (curve, class) in curves.iter().zip(CLASSES) {
            svg.line(&format!("curve {class}"), &steps(&curve.points, at), false, [false; 2]);
        }
        let names = curves.iter().zip(CLASSES);
        self.finish(svg, names.map(|(curve, class)| (curve.name.as_str(), class, false)))
    }

    /// The axes, and where a point is.
    fn begin(&self, along: Span, up: Span) -> (Svg, impl Fn((f64, f64)) -> (f64, f64) + Copy) {
        let (width, height) = self.size;
        let at = move |(x, y)| (along.part(x) * width, (1.0 - up.part(y)) * height);
        let mut svg = Svg::live();
        for tick in up.ticks() {
            let y = at((along.least, tick)).1;
            svg.line("grid", &[(0.0, y), (self.size.0, y)], false, [false; 2]);
            svg.text("small", "end", (-6.0, y + SMALL * 0.36), &number(tick));
        }
        for tick in along.ticks() {
            let x = at((tick, 0.0)).0;
            svg.text("small", "middle", (x, self.size.1 + 16.0), &number(tick));
        }
        svg.line("axis", &[(0.0, self.size.1), (self.size.0, self.size.1)], false, [false; 2]);
        (svg, at)
    }

    /// The names of the axes and of what is drawn.
    fn finish<'a>(
        &self,
        mut svg: Svg,
        names: impl Iterator<Item = (&'a str, &'a str, bool)>,
    ) -> String {
        svg.text("small", "start", (-64.0, -12.0), self.up);
        svg.text("small", "middle", (self.size.0 / 2.0, self.size.1 + 34.0), self.along);
        let mut x = 40.0;
        for (name, class, is_bar) in names {
            let name: String = name.chars().take(40).collect();
            match is_bar {
                true => svg.rectangle("bar", (x + 9.0, -16.0), (10.0, 10.0), 1.0),
                false => {
                    let class = format!("curve {class}");
                    svg.line(&class, &[(x, -16.0), (x + 18.0, -16.0)], false, [false; 2]);
                }
            }
            svg.text("small", "start", (x + 24.0, -12.0), &name);
            x += 24.0 + width(&name, SMALL) + 20.0;
        }
        svg.inline(self.name, (-64.0, -26.0), (self.size.0.max(x), self.size.1 + 38.0))
    }
}

/// A number on an axis.
fn number(n: f64) -> String {
    match n.abs() {
        ..1e6 => signed(n.round() as i64),
        ..1e9 => format!("{:.1}M", n / 1e6),
        _ => format!("{:.1}G", n / 1e9),
    }
}

/// Points joined by steps.
fn steps(points: &[(f64, f64)], at: impl Fn((f64, f64)) -> (f64, f64)) -> Vec<(f64, f64)> {
    let mut line = Vec::new();
    let mut before: Option<f64> = None;
    for &point in points {
        let (x, y) = at(point);
        line.extend(before.map(|y| (x, y)));
        line.push((x, y));
        before = Some(y);
    }
    line
}

/// The course of a sweep: the sizes of layers as bars and the stored states as a line, along the progress.
pub(super) fn sweep(points: &[Point]) -> String {
    let chart = Chart::of_run("stored states and layer sizes", "progress");
    let first = |values: &[i64]| values.first().copied().unwrap_or(0) as f64;
    // Layers of several components may have the same first one: then they are numbered.
    let is_rising = points.windows(2).all(|two| first(&two[0].to) < first(&two[1].from));
    let x = |number: usize| if is_rising { first(&points[number].from) } else { number as f64 };
    let end = match points.last() {
        Some(last) if is_rising => first(&last.to) + 1.0,
        _ => points.len() as f64,
    };
    let along = Span::of((0..points.len()).map(x).chain([end]));
    let greatest = points.iter().map(|point| point.stored.max(point.largest)).max().unwrap_or(1);
    let (mut svg, at) = chart.begin(along, Span { least: 0.0, most: greatest.max(1) as f64 });
    let mut line = Vec::new();
    for (number, point) in points.iter().enumerate() {
        let next = if number + 1 < points.len() { x(number + 1) } else { end };
        let ((left, top), (right, bottom)) =
            (at((x(number), point.largest as f64)), at((next, 0.0)));
        let part = if right - left < THIN { 1.0 } else { 0.85 };
        let size = ((right - left).max(1.0) * part, bottom - top);
        let middle = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        svg.rectangle("bar", middle, size, 0.0);
        line.push((x(number), point.stored as f64));
    }
    line.extend(points.last().map(|last| (end, last.stored as f64)));
    svg.line("curve one", &steps(&line, at), false, [false; 2]);
    chart.finish(svg, [("stored states", "one", false), ("layer size", "", true)].into_iter())
}

/// The course of a run without layers: explored and stored states over time.
pub(super) fn course(moments: &[Stored]) -> String {
    let chart = Chart::of_run("explored and stored states", "seconds");
    let curve = |name: &str, value: fn(&Stored) -> u64| Curve {
        name: name.into(),
        points: moments.iter().map(|one| (one.seconds, value(one) as f64)).collect(),
    };
    chart.curves(&[curve("stored", |one| one.stored), curve("explored", |one| one.explored)], None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_of_nothing_and_of_one_point_have_axes() {
        let point =
            Point { from: vec![3], to: vec![3], layers: 1, states: 5, largest: 5, stored: 7 };
        for svg in [sweep(&[]), sweep(&[point]), course(&[])] {
            assert!(svg.contains("class=\"axis\""), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        for most in [1.0, 7.0, 99.0, 1e6, 3e12] {
            let ticks = Span { least: 0.0, most }.ticks();
            assert!((2..=6).contains(&ticks.len()), "{most}: {ticks:?}");
        }
        assert_eq!(Span { least: 0.0, most: 100.0 }.ticks(), [0.0, 50.0, 100.0]);
    }

    #[test]
    fn names_of_curves_are_escaped() {
        let curve = Curve { name: "<script>".into(), points: vec![(0.0, 1.0), (1.0, 2.0)] };
        let svg = Chart::of_trace().curves(&[curve], Some(1.0));
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script>"), "{svg}");
    }
}
