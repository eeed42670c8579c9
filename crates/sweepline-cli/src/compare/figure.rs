//! The figure of a comparison with caches: time against peak stored states, a point for each run, as in the papers.

use super::Row;
use super::table::{kind, method};
use crate::args::Method;
use crate::draw::{SMALL, Svg, width};
use crate::print::grouped;

/// The inside of the axes.
pub(super) const SIZE: (f64, f64) = (560.0, 340.0);
/// Left of the axis, for its numbers and its title.
pub(super) const LEFT: f64 = 84.0;
/// Half the size of a mark.
const MARK: f64 = 5.0;
/// Runs below this many seconds are compared by the states explored, because their times are noise.
pub(super) const NOISE: f64 = 0.1;

/// The point of a run.
struct Point<'a> {
    row: &'a Row,
    x: f64,
    y: f64,
    series: usize,
}

/// Runs of one kind.
struct Series {
    name: String,
    class: &'static str,
    method: Method,
}

/// The whole file.
pub(super) fn figure(model: &str, rows: &[Row]) -> String {
    let full = rows.iter().find(|row| row.is_full() && row.stop.is_none());
    let timed = full.is_none_or(|full| full.seconds >= NOISE);
    let (series, points) = points(rows, full, timed);
    let mut svg = Svg::default();
    let Some((first, rest)) = points.split_first() else {
        return svg.finish(model, &["no run".into()], (0.0, 0.0));
    };
    let spread = |of: fn(&Point<'_>) -> f64| {
        rest.iter().map(of).fold((of(first), of(first)), |(a, b), v| (a.min(v), b.max(v)))
    };
    let x = Axis::new(spread(|point| point.x), SIZE.0, full.is_some());
    let y = Axis::new(spread(|point| point.y), SIZE.1, full.is_some());
    let of_full = |text: &str| match full {
        Some(_) => format!("{text}, relative to full exploration"),
        None => text.to_owned(),
    };
    axes(&mut svg, &x, &y, full.is_some());
    let below = (LEFT + SIZE.0 / 2.0, SIZE.1 + 42.0);
    svg.text("", "middle", below, &of_full("peak stored states"));
    let at = |point: &Point<'_>| (LEFT + x.place(point.x), SIZE.1 - y.place(point.y));
    curves(&mut svg, &series, &points, at);
    marks(&mut svg, &series, &points, at);
    let height = legend(&mut svg, &series);
    let up = of_full(if timed { "time" } else { "states explored" });
    let notes = [
        format!("upwards: {up}{}", if full.is_none() && timed { ", in seconds" } else { "" }),
        "hollow mark: a limit stopped the run".to_owned(),
    ];
    let stopped = rows.iter().any(|row| row.stop.is_some());
    let notes = if stopped { &notes[..] } else { &notes[..1] };
    svg.finish(model, notes, (LEFT + SIZE.0 + 20.0, SIZE.1 + height))
}

/// The runs by kind: full exploration, sweeps by measure, caches by replacement policy.
fn points<'a>(rows: &'a [Row], full: Option<&Row>, timed: bool) -> (Vec<Series>, Vec<Point<'a>>) {
    const CACHES: [&str; 4] = ["one", "two", "three", "four"];
    let (mut series, mut points) = (Vec::<Series>::new(), Vec::new());
    for row in rows {
        let name = match &row.cache {
            Some(cache) => format!("cache, {}", cache.asked.policy),
            None if row.is_full() => "full exploration".into(),
            None => kind(row),
        };
        let number = series.iter().position(|known| known.name == name).unwrap_or_else(|| {
            let caches = series.iter().filter(|known| known.method == Method::Cache).count();
            let class = match row.method {
                Method::Cache => CACHES[caches % CACHES.len()],
                Method::Sweep => "five",
                Method::Full | Method::Hunt => "six",
            };
            series.push(Series { name, class, method: row.method });
            series.len() - 1
        });
        let up = |row: &Row| if timed { row.seconds.max(1e-6) } else { row.explored.max(1) as f64 };
        let (x, y) = (row.peak_states.max(1) as f64, up(row));
        let (x, y) = match full {
            Some(full) => (x / full.peak_states.max(1) as f64, y / up(full)),
            None => (x, y),
        };
        points.push(Point { row, x, y, series: number });
    }
    (series, points)
}

/// An axis: its least and greatest value, and its length.
pub(super) struct Axis {
    least: f64,
    most: f64,
    log: bool,
    length: f64,
}

impl Axis {
    /// An axis from 0 to `most`.
    pub(super) fn linear(most: f64, length: f64) -> Self {
        Axis { least: 0.0, most, log: false, length }
    }

    /// An axis for values in a range; logarithmic if they differ by more than a factor of 20. A `relative` axis includes 1.
    fn new((least, most): (f64, f64), length: f64, relative: bool) -> Self {
        let most = if relative { most.max(1.0) } else { most };
        if most > 20.0 * least {
            let (least, most) = (least.log10().floor(), (most * 1.05).log10().ceil());
            return Axis { least, most, log: true, length };
        }
        Axis::linear(most * 1.08, length)
    }

    pub(super) fn place(&self, value: f64) -> f64 {
        let value = if self.log { value.log10() } else { value };
        (value - self.least) / (self.most - self.least).max(1e-9) * self.length
    }

    /// Round values along the axis.
    fn ticks(&self) -> Vec<f64> {
        if self.log {
            let powers = self.least as i32..=self.most as i32;
            let every = (powers.clone().count() / 7).max(1);
            return powers.step_by(every).map(|power| 10f64.powi(power)).collect();
        }
        let rough = self.most / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|n| n * power).into_iter().find(|&n| n >= rough);
        let step = step.unwrap_or(rough);
        (0..).map(|n| f64::from(n) * step).take_while(|&value| value <= self.most).collect()
    }
}

/// A number on an axis.
fn tick(value: f64, relative: bool, percent: bool) -> String {
    match (relative, percent) {
        (true, true) => format!("{}%", (value * 1e8).round() / 1e6),
        (true, false) => format!("{}x", (value * 1e6).round() / 1e6),
        (false, _) if value >= 10.0 => grouped(value.round() as u64),
        (false, _) => format!("{}", (value * 1e6).round() / 1e6),
    }
}

pub(super) fn axes(svg: &mut Svg, x: &Axis, y: &Axis, relative: bool) {
    let (right, bottom) = (LEFT + SIZE.0, SIZE.1);
    for value in x.ticks() {
        let at = LEFT + x.place(value);
        svg.line("grid", &[(at, 0.0), (at, bottom)], false, [false; 2]);
        svg.text("small", "middle", (at, bottom + 18.0), &tick(value, relative, true));
    }
    for value in y.ticks() {
        let at = bottom - y.place(value);
        svg.line("grid", &[(LEFT, at), (right, at)], false, [false; 2]);
        svg.text("small", "end", (LEFT - 8.0, at + 4.0), &tick(value, relative, false));
    }
    svg.line("axis", &[(LEFT, 0.0), (LEFT, bottom), (right, bottom)], false, [false; 2]);
}

/// A line through the caches of one replacement policy, by their peaks.
fn curves(
    svg: &mut Svg,
    series: &[Series],
    points: &[Point<'_>],
    at: impl Fn(&Point<'_>) -> (f64, f64),
) {
    for (number, kind) in series.iter().enumerate().filter(|(_, kind)| kind.method == Method::Cache)
    {
        let mut own: Vec<&Point<'_>> = points.iter().filter(|p| p.series == number).collect();
        own.sort_by(|a, b| a.x.total_cmp(&b.x));
        let line: Vec<(f64, f64)> = own.into_iter().map(&at).collect();
        svg.line(&format!("curve {}", kind.class), &line, false, [false; 2]);
    }
}

/// The points with their names; no name covers another.
fn marks(
    svg: &mut Svg,
    series: &[Series],
    points: &[Point<'_>],
    at: impl Fn(&Point<'_>) -> (f64, f64),
) {
    let boxed = |(x, y): (f64, f64), w: f64| [x, y - 10.0, x + w, y + 3.0];
    let apart = |a: [f64; 4], b: [f64; 4]| a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
    let mut taken: Vec<[f64; 4]> =
        points.iter().map(&at).map(|(x, y)| [x - MARK, y - MARK, x + MARK, y + MARK]).collect();
    let mut named = Vec::new();
    for point in points {
        let ((x, y), kind) = (at(point), &series[point.series]);
        let hollow = if point.row.stop.is_some() { " hollow" } else { "" };
        svg.begin("", &tooltip(point.row));
        mark(svg, kind, hollow, (x, y));
        svg.end();
        let name = match &point.row.cache {
            Some(cache) => grouped(cache.asked.states),
            None => point.row.method.to_string(),
        };
        // Caches of one size are above each other and share a name.
        if named.contains(&name) {
            continue;
        }
        let w = width(&name, SMALL);
        let places = [
            (x + 10.0, y - 6.0),
            (x + 10.0, y + 14.0),
            (x - w - 10.0, y - 6.0),
            (x - w - 10.0, y + 14.0),
            (x - w / 2.0, y - 12.0),
            (x - w / 2.0, y + 20.0),
        ];
        let fits = |&(px, py): &(f64, f64)| {
            let inside = px > LEFT && px + w < LEFT + SIZE.0 + 20.0 && py > 0.0 && py < SIZE.1;
            inside && taken.iter().all(|other| apart(boxed((px, py), w), *other))
        };
        // A name without room is in the tooltip only.
        if let Some(place) = places.into_iter().find(fits) {
            taken.push(boxed(place, w));
            svg.text("small", "start", place, &name);
            named.extend(point.row.cache.is_some().then_some(name));
        }
    }
}

fn tooltip(row: &Row) -> String {
    let stop = row.stop.map_or_else(String::new, |stop| format!(", stopped: {stop}"));
    format!(
        "{}: peak {} stored states, {} explored, {:.3} s{stop}",
        method(row),
        grouped(row.peak_states),
        grouped(row.explored),
        row.seconds
    )
}

/// Full exploration is a square, a sweep a diamond, a cache a dot.
fn mark(svg: &mut Svg, kind: &Series, hollow: &str, (x, y): (f64, f64)) {
    let class = format!("mark {}{hollow}", kind.class);
    let m = MARK + 2.0;
    match kind.method {
        Method::Cache => svg.ellipse(&class, (x, y), (2.0 * MARK, 2.0 * MARK)),
        Method::Sweep => {
            let diamond = [(x, y - m), (x + m, y), (x, y + m), (x - m, y), (x, y - m)];
            svg.line(&class, &diamond, false, [false; 2]);
        }
        Method::Full | Method::Hunt => svg.rectangle(&class, (x, y), (2.0 * MARK, 2.0 * MARK), 0.0),
    }
}

/// Explains the marks below the axes; the height of both.
fn legend(svg: &mut Svg, series: &[Series]) -> f64 {
    let top = SIZE.1 + 72.0;
    for (i, kind) in series.iter().enumerate() {
        let y = top + i as f64 * 18.0;
        mark(svg, kind, "", (LEFT + MARK, y - 4.0));
        svg.text("small", "start", (LEFT + 20.0, y), &kind.name);
    }
    72.0 + series.len() as f64 * 18.0
}
