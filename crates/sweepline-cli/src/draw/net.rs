//! A net with its tokens: pages as they were drawn, or in layers where nobody drew them.

use super::layers::{self, Line, Point, Size};
use super::svg::{FONT, LINE, SMALL, Svg};
use super::text::{widest, width, wrap};

/// What CPN Tools draws small.
const SCALE: f64 = 1.3;
/// The columns of an inscription at most.
const COLUMNS: usize = 30;
/// The lines of one at most.
const LINES: usize = 6;
/// Between pages.
const BETWEEN: f64 = 40.0;

/// A page to draw.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// What it is called; nothing where there is but one.
    pub(crate) title: Option<String>,
    /// Its places.
    pub(crate) places: Vec<PlaceShape>,
    /// Its transitions.
    pub(crate) transitions: Vec<TransitionShape>,
    /// Its arcs.
    pub(crate) arcs: Vec<ArcShape>,
}

/// Where a node was drawn: its centre, downwards, and its size.
pub(crate) type Drawn = Option<(Point, Option<Size>)>;

/// A place.
#[derive(Debug)]
pub(crate) struct PlaceShape {
    /// What it is called.
    pub(crate) name: String,
    /// Its colour set; empty for tokens without colour.
    pub(crate) colour_set: String,
    /// How many tokens it holds.
    pub(crate) n_tokens: u64,
    /// Which; empty where they have no colour.
    pub(crate) tokens: String,
    /// Where it was drawn.
    pub(crate) drawn: Drawn,
}

/// A transition.
#[derive(Debug)]
pub(crate) struct TransitionShape {
    /// What it is called.
    pub(crate) name: String,
    /// Its guard, its delay and so on.
    pub(crate) inscriptions: Vec<String>,
    /// It can occur.
    pub(crate) enabled: bool,
    /// It stands for a page.
    pub(crate) substitution: bool,
    /// Where it was drawn.
    pub(crate) drawn: Drawn,
}

/// An arc.
#[derive(Debug)]
pub(crate) struct ArcShape {
    /// The number of its place.
    pub(crate) place: usize,
    /// The number of its transition.
    pub(crate) transition: usize,
    /// Whether it has a head at the place, and at the transition.
    pub(crate) heads: [bool; 2],
    /// What it is inscribed with.
    pub(crate) inscription: String,
    /// The points it goes through, from the transition on.
    pub(crate) bends: Vec<Point>,
}

/// The whole file.
pub(crate) fn picture(sheets: &[Sheet], title: &str, notes: &[String]) -> String {
    let mut svg = Svg::default();
    let (mut top, mut right) = (0.0, 0.0f64);
    for sheet in sheets {
        if let Some(title) = &sheet.title {
            svg.text("bold", "start", (0.0, top + FONT), title);
            top += FONT * LINE + 10.0;
            right = right.max(width(title, FONT));
        }
        let plan = Plan::of(sheet);
        let size = plan.draw(sheet, &mut svg, top);
        top += size.1 + BETWEEN;
        right = right.max(size.0);
    }
    svg.finish(title, notes, (right, (top - BETWEEN).max(0.0)))
}

/// Where the nodes and arcs of a page go.
struct Plan {
    places: Vec<(Point, Size)>,
    transitions: Vec<(Point, Size)>,
    /// The points between the ends, from the transition on.
    bends: Vec<Vec<Point>>,
    labels: Vec<Option<Point>>,
}

impl Plan {
    fn of(sheet: &Sheet) -> Self {
        let is_drawn = sheet.places.iter().all(|place| place.drawn.is_some())
            && sheet.transitions.iter().all(|transition| transition.drawn.is_some());
        if is_drawn { Plan::drawn(sheet) } else { Plan::in_layers(sheet) }
    }

    /// As its author drew it; nodes are large enough for their names.
    fn drawn(sheet: &Sheet) -> Self {
        let scaled = |(x, y): Point| (x * SCALE, y * SCALE);
        let node = |drawn: &Drawn, own: Size| {
            let (at, size) = drawn.unwrap_or(((0.0, 0.0), None));
            let (w, h) = size.map_or(own, scaled);
            (scaled(at), (w.max(own.0), h.max(own.1)))
        };
        let places = sheet.places.iter().map(|place| node(&place.drawn, place.size()));
        let transitions = sheet.transitions.iter().map(|t| node(&t.drawn, t.size()));
        let bends = sheet.arcs.iter().map(|arc| arc.bends.iter().copied().map(scaled).collect());
        Plan {
            places: places.collect(),
            transitions: transitions.collect(),
            bends: bends.collect(),
            labels: vec![None; sheet.arcs.len()],
        }
    }

    fn in_layers(sheet: &Sheet) -> Self {
        let n_places = sheet.places.len();
        let mut sizes: Vec<Size> = sheet.places.iter().map(PlaceShape::size).collect();
        sizes.extend(sheet.transitions.iter().map(TransitionShape::size));
        let mut around: Vec<Size> = sheet.places.iter().map(PlaceShape::whole).collect();
        around.extend(sheet.transitions.iter().map(TransitionShape::whole));
        let line = |arc: &ArcShape| {
            let (place, transition) = (arc.place, n_places + arc.transition);
            let text = inscription(&arc.inscription);
            let label = (widest(&text, SMALL) + 6.0, text.len() as f64 * SMALL * LINE);
            match arc.heads {
                [true, false] => Line { source: transition, target: place, label },
                _ => Line { source: place, target: transition, label },
            }
        };
        let lines: Vec<Line> = sheet.arcs.iter().map(line).collect();
        let layout = layers::place(&around, &lines);
        let bends = layout.lines.iter().zip(&lines).map(|(route, line)| {
            let mut inner = route[1..route.len() - 1].to_vec();
            if line.source < n_places {
                inner.reverse();
            }
            inner
        });
        let nodes: Vec<(Point, Size)> = layout.nodes.into_iter().zip(sizes).collect();
        Plan {
            bends: bends.collect(),
            labels: layout.labels.into_iter().map(Some).collect(),
            transitions: nodes[n_places..].to_vec(),
            places: nodes[..n_places].to_vec(),
        }
    }

    /// Draws it below `top`; its size.
    fn draw(&self, sheet: &Sheet, svg: &mut Svg, top: f64) -> Size {
        let (low, high) = self.extent(sheet);
        let moved = |(x, y): Point| (x - low.0, y - low.1 + top);
        let mut labels = Vec::new();
        for (arc, (bends, label)) in sheet.arcs.iter().zip(self.bends.iter().zip(&self.labels)) {
            let (from, box_size) = self.transitions[arc.transition];
            let (to, oval) = self.places[arc.place];
            let first = bends.first().copied().unwrap_or(to);
            let last = bends.last().copied().unwrap_or(from);
            let start = at_box(from, box_size, first);
            let end = at_oval(to, oval, last);
            let points: Vec<Point> =
                std::iter::once(start).chain(bends.iter().copied()).chain([end]).collect();
            let middle = label.unwrap_or_else(|| halfway(&points));
            let points: Vec<Point> = points.into_iter().map(moved).collect();
            let [at_place, at_transition] = arc.heads;
            svg.line("edge", &points, false, [at_transition, at_place]);
            labels.push((moved(middle), inscription(&arc.inscription)));
        }
        for ((x, y), text) in labels.iter().filter(|(_, text)| !text.is_empty()) {
            let height = text.len() as f64 * SMALL * LINE;
            svg.rectangle("page", (*x, *y), (widest(text, SMALL) + 4.0, height), 2.0);
            let first = y - height / 2.0 + SMALL;
            svg.lines("small", "middle", (*x, first), SMALL, text);
        }
        for (transition, &(at, size)) in sheet.transitions.iter().zip(&self.transitions) {
            transition.draw(svg, moved(at), size);
        }
        for (place, &(at, size)) in sheet.places.iter().zip(&self.places) {
            place.draw(svg, moved(at), size);
        }
        (high.0 - low.0, high.1 - low.1)
    }

    /// The corners of everything.
    fn extent(&self, sheet: &Sheet) -> (Point, Point) {
        let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        let mut add = |(x, y): Point, (w, h): Size| {
            low = (low.0.min(x - w / 2.0), low.1.min(y - h / 2.0));
            high = (high.0.max(x + w / 2.0), high.1.max(y + h / 2.0));
        };
        let places = sheet.places.iter().map(PlaceShape::whole).zip(&self.places);
        let transitions =
            sheet.transitions.iter().map(TransitionShape::whole).zip(&self.transitions);
        for (whole, &(at, size)) in places.chain(transitions) {
            add(at, (whole.0 + size.0, whole.1.max(size.1) + 2.0 * FONT));
        }
        self.bends.iter().flatten().for_each(|&bend| add(bend, (2.0, 2.0)));
        if low.0 > high.0 { ((0.0, 0.0), (0.0, 0.0)) } else { (low, high) }
    }
}

impl PlaceShape {
    fn name_lines(&self) -> Vec<String> {
        name_lines(&self.name)
    }

    /// The oval.
    fn size(&self) -> Size {
        let lines = self.name_lines();
        (widest(&lines, FONT) * 1.15 + 22.0, lines.len() as f64 * FONT * LINE * 1.3 + 18.0)
    }

    fn token_lines(&self) -> Vec<String> {
        wrap(&self.tokens, COLUMNS, LINES)
    }

    /// With its tokens, which are on the right.
    fn whole(&self) -> Size {
        let (w, h) = self.size();
        let tokens = self.token_lines();
        let aside = if self.n_tokens > 0 { widest(&tokens, SMALL) + 30.0 } else { 0.0 };
        let aside = aside.max(width(&self.colour_set, SMALL) - 10.0);
        (w + 2.0 * aside, h.max(tokens.len() as f64 * SMALL * LINE + 8.0))
    }

    fn draw(&self, svg: &mut Svg, (x, y): Point, (w, h): Size) {
        svg.begin("place", &format!("{}: {}", self.name, self.tokens));
        svg.ellipse("node", (x, y), (w, h));
        let lines = self.name_lines();
        let first = y - lines.len() as f64 * FONT * LINE / 2.0 + FONT;
        svg.lines("", "middle", (x, first), FONT, &lines);
        svg.text("small", "start", (x + w * 0.28, y + h / 2.0 + SMALL), &self.colour_set);
        if self.n_tokens > 0 {
            let count = self.n_tokens.to_string();
            let (left, radius) = (x + w / 2.0 - 4.0, width(&count, SMALL) / 2.0 + 5.0);
            let tokens = self.token_lines();
            if !tokens.is_empty() {
                let (wide, high) = (widest(&tokens, SMALL), tokens.len() as f64 * SMALL * LINE);
                let middle = left + 2.0 * radius + wide / 2.0 + 6.0;
                svg.rectangle("tokens", (middle, y - h * 0.2), (wide + 8.0, high + 4.0), 2.0);
                let first = y - h * 0.2 - high / 2.0 + SMALL;
                svg.lines("small", "start", (middle - wide / 2.0, first), SMALL, &tokens);
            }
            svg.ellipse("count", (left + radius, y - h * 0.2), (2.0 * radius, 17.0));
            let base = y - h * 0.2 + SMALL * 0.36;
            svg.text("small countnumber", "middle", (left + radius, base), &count);
        }
        svg.end();
    }
}

impl TransitionShape {
    fn name_lines(&self) -> Vec<String> {
        name_lines(&self.name)
    }

    fn size(&self) -> Size {
        let lines = self.name_lines();
        (widest(&lines, FONT) + 18.0, lines.len() as f64 * FONT * LINE + 12.0)
    }

    fn notes(&self) -> Vec<String> {
        self.inscriptions.iter().flat_map(|text| wrap(text, COLUMNS, 4)).collect()
    }

    fn whole(&self) -> Size {
        let (w, h) = self.size();
        let notes = self.notes();
        (w.max(widest(&notes, SMALL)), h + 2.0 * notes.len() as f64 * SMALL * LINE)
    }

    fn draw(&self, svg: &mut Svg, (x, y): Point, (w, h): Size) {
        svg.begin("transition", &self.name);
        svg.rectangle(if self.enabled { "node enabled" } else { "node" }, (x, y), (w, h), 0.0);
        if self.substitution {
            svg.rectangle("ring", (x, y), (w - 6.0, h - 6.0), 0.0);
        }
        let lines = self.name_lines();
        let first = y - lines.len() as f64 * FONT * LINE / 2.0 + FONT;
        svg.lines("", "middle", (x, first), FONT, &lines);
        let notes = self.notes();
        let first = y - h / 2.0 - notes.len() as f64 * SMALL * LINE + SMALL * 0.8;
        svg.lines("small", "start", (x - w / 2.0, first), SMALL, &notes);
        svg.end();
    }
}

/// A name, in the middle of its node.
fn name_lines(name: &str) -> Vec<String> {
    wrap(name, 20, 3).iter().map(|line| line.trim().to_owned()).collect()
}

fn inscription(text: &str) -> Vec<String> {
    wrap(text, COLUMNS, LINES)
}

/// Where a line from the centre of a box towards a point leaves the box.
fn at_box((x, y): Point, (w, h): Size, (to_x, to_y): Point) -> Point {
    let (dx, dy) = (to_x - x, to_y - y);
    let part = f64::min(
        if dx == 0.0 { f64::INFINITY } else { w / 2.0 / dx.abs() },
        if dy == 0.0 { f64::INFINITY } else { h / 2.0 / dy.abs() },
    );
    if part.is_finite() { (x + dx * part, y + dy * part) } else { (x, y + h / 2.0) }
}

/// Where a line from the centre of an oval towards a point leaves the oval.
fn at_oval((x, y): Point, (w, h): Size, (to_x, to_y): Point) -> Point {
    let (dx, dy) = (to_x - x, to_y - y);
    let length = ((dx / (w / 2.0)).powi(2) + (dy / (h / 2.0)).powi(2)).sqrt();
    if length > 0.0 { (x + dx / length, y + dy / length) } else { (x, y - h / 2.0) }
}

/// The point in the middle of a line.
fn halfway(points: &[Point]) -> Point {
    let length = |pair: &[Point]| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
    let mut left = points.windows(2).map(length).sum::<f64>() / 2.0;
    for pair in points.windows(2) {
        let here = length(pair);
        if left <= here && here > 0.0 {
            let part = left / here;
            let [(x, y), (x2, y2)] = [pair[0], pair[1]];
            return (x + (x2 - x) * part, y + (y2 - y) * part);
        }
        left -= here;
    }
    points.first().copied().unwrap_or_default()
}
