//! Drawings of a net with its tokens: pages as their author drew them, or in layers if they have no positions.

use super::layers::{Point, Size};
use super::plan::{Frame, Plan, along, at_oval};
use super::room::{Area, gap};
use super::svg::{FONT, LINE, SMALL, Svg};
use super::text::{columns, size_of, width, wrap};

/// The most columns of an inscription or a marking.
const COLUMNS: usize = 30;
/// The most lines of an inscription or a marking.
const LINES: usize = 6;
/// The columns of a short name; a long one has more.
const NAME_COLUMNS: usize = 20;
/// The height of the oval with the number of tokens.
const COUNT: f64 = 17.0;
/// The radius of the circle of an inhibitor arc.
const CIRCLE: f64 = 4.5;
/// A dotted line joins a text with its node or arc if they are farther apart.
const FAR: f64 = 16.0;
/// Between pages.
const BETWEEN: f64 = 40.0;

/// A page to draw.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// Its name; none if it is the only page.
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
    /// Its name.
    pub(crate) name: String,
    /// Its colour set; empty for tokens without colour.
    pub(crate) colour_set: String,
    /// Its number of tokens.
    pub(crate) n_tokens: u64,
    /// Its tokens; empty if they have no colour.
    pub(crate) tokens: String,
    /// Where it was drawn.
    pub(crate) drawn: Drawn,
}

/// A transition.
#[derive(Debug)]
pub(crate) struct TransitionShape {
    /// Its name.
    pub(crate) name: String,
    /// Its guard, its delay and so on.
    pub(crate) inscriptions: Vec<String>,
    /// Its number among those that occur; none for a substitution transition.
    pub(crate) number: Option<usize>,
    /// It is enabled.
    pub(crate) enabled: bool,
    /// It is a substitution transition.
    pub(crate) substitution: bool,
    /// The page that it stands for, by its number among those drawn.
    pub(crate) subpage: Option<usize>,
    /// Where it was drawn.
    pub(crate) drawn: Drawn,
}

/// The end of an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Nothing.
    Plain,
    /// An arrowhead.
    Arrow,
    /// The circle of an inhibitor arc.
    Circle,
}

/// An arc.
#[derive(Debug)]
pub(crate) struct ArcShape {
    /// The number of its place.
    pub(crate) place: usize,
    /// The number of its transition.
    pub(crate) transition: usize,
    /// Its ends at the place and at the transition.
    pub(crate) ends: [End; 2],
    /// Its inscription.
    pub(crate) inscription: String,
    /// Its bends, from the transition on.
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
        let mut plan = Plan::of(sheet);
        let (low, high) = plan.extent;
        plan.move_by((-low.0, top - low.1));
        plan.draw(sheet, &mut svg);
        top += high.1 - low.1 + BETWEEN;
        right = right.max(high.0 - low.0);
    }
    svg.finish(title, notes, (right, (top - BETWEEN).max(0.0)))
}

/// A page of a net in a page for a browser. Nodes stay where they are while tokens move.
pub(crate) struct Stage {
    frame: Frame,
    /// The corners of all that was drawn so far.
    extent: Option<(Point, Point)>,
}

impl Stage {
    /// Lays out a page as if there were a token in each place, so that there is room for one.
    pub(crate) fn new(mut sheet: Sheet) -> Self {
        sheet.places.iter_mut().for_each(|place| place.n_tokens = place.n_tokens.max(1));
        Stage { frame: Frame::of(&sheet), extent: None }
    }

    /// The page with its tokens. Enabled transitions are buttons.
    pub(crate) fn draw(&mut self, sheet: &Sheet, name: &str) -> String {
        let plan = self.frame.clone().plan(sheet);
        let (low, high) = plan.extent;
        let (low, high) = match self.extent {
            None => (low, high),
            Some((l, h)) => ((l.0.min(low.0), l.1.min(low.1)), (h.0.max(high.0), h.1.max(high.1))),
        };
        self.extent = Some((low, high));
        let mut svg = Svg::live();
        plan.draw(sheet, &mut svg);
        svg.inline(name, low, high)
    }
}

impl Plan {
    fn draw(&self, sheet: &Sheet, svg: &mut Svg) {
        for (arc, route) in sheet.arcs.iter().zip(&self.routes) {
            arc.draw(svg, route);
        }
        for ((arc, route), at) in sheet.arcs.iter().zip(&self.routes).zip(&self.inscriptions) {
            at.iter().for_each(|&at| arc.draw_inscription(svg, route, at));
        }
        for (number, transition) in sheet.transitions.iter().enumerate() {
            transition.draw(svg, self.transitions[number], self.notes[number]);
        }
        for (number, place) in sheet.places.iter().enumerate() {
            let texts = [self.colour_sets[number], self.markings[number]];
            place.draw(svg, self.places[number], texts);
        }
    }
}

impl Sheet {
    /// The number of texts that are cut.
    pub(crate) fn n_cut(&self) -> usize {
        let tokens = self.places.iter().map(|place| &place.tokens);
        let notes = self.transitions.iter().flat_map(|transition| &transition.inscriptions);
        let texts = tokens.chain(notes).chain(self.arcs.iter().map(|arc| &arc.inscription));
        texts.filter(|text| wrap(text, COLUMNS, LINES + 1).len() > LINES).count()
    }
}

impl PlaceShape {
    /// The oval. The corners of a text of many lines need more room in it than a single line.
    pub(super) fn size(&self) -> Size {
        let lines = name_lines(&self.name);
        let (w, h) = size_of(&lines, FONT);
        if lines.len() < 3 {
            (w * 1.15 + 22.0, h * 1.3 + 18.0)
        } else {
            (w * 1.42 + 8.0, h * 1.42 + 8.0)
        }
    }

    fn token_lines(&self) -> Vec<String> {
        wrap(&self.tokens, COLUMNS, LINES)
    }

    /// How wide the oval with the number of tokens is.
    fn count_width(&self) -> f64 {
        width(&self.n_tokens.to_string(), SMALL) + 10.0
    }

    /// The size of the box with the tokens, if they have colours.
    fn box_size(&self) -> Option<Size> {
        let (w, h) = size_of(&self.token_lines(), SMALL);
        (w > 0.0).then_some((w + 8.0, h + 4.0))
    }

    /// The size of the number of tokens and the box beside it; zero without tokens.
    pub(super) fn marking_size(&self) -> Size {
        match (self.n_tokens, self.box_size()) {
            (0, _) => (0.0, 0.0),
            (_, None) => (self.count_width(), COUNT),
            (_, Some((w, h))) => (self.count_width() + 2.0 + w, h.max(COUNT)),
        }
    }

    /// With its tokens, which are on the right, and its colour set, which is below.
    pub(super) fn whole(&self) -> Size {
        let ((w, h), marking) = (self.size(), self.marking_size());
        let aside = if self.n_tokens > 0 { marking.0 + 12.0 } else { 0.0 };
        let aside = aside.max(width(&self.colour_set, SMALL) - w * 0.25 + 6.0);
        let below = if self.colour_set.is_empty() { 0.0 } else { SMALL * LINE + 6.0 };
        (w + 2.0 * aside, (h + 2.0 * below).max(marking.1 + h * 0.4 + 4.0))
    }

    fn draw(&self, svg: &mut Svg, area: Area, [colour_set, marking]: [Option<Point>; 2]) {
        let ((x, y), size) = area;
        svg.begin("place", &format!("{}: {}", self.name, self.tokens));
        svg.ellipse("node", (x, y), size);
        draw_name(svg, &self.name, (x, y));
        if let Some(at) = colour_set {
            leader(svg, area, (at, (width(&self.colour_set, SMALL), SMALL)));
            svg.text("small", "middle", (at.0, at.1 + SMALL * 0.36), &self.colour_set);
        }
        if let Some(at) = marking {
            leader(svg, area, (at, self.marking_size()));
            self.draw_marking(svg, at, at.0 < x - size.0 / 2.0);
        }
        svg.end();
    }

    /// The number of tokens is on the side of the place.
    fn draw_marking(&self, svg: &mut Svg, (x, y): Point, is_left: bool) {
        let (whole, wide) = (self.marking_size().0, self.count_width());
        let side = if is_left { -1.0 } else { 1.0 };
        if let Some((w, h)) = self.box_size() {
            let middle = x + side * (whole - w) / 2.0;
            svg.rectangle("tokens", (middle, y), (w, h), 2.0);
            let first = (middle - w / 2.0 + 4.0, y - h / 2.0 + 2.0 + SMALL);
            svg.lines("small", "start", first, SMALL, &self.token_lines());
        }
        let middle = x - side * (whole - wide) / 2.0;
        svg.ellipse("count", (middle, y), (wide, COUNT));
        let count = self.n_tokens.to_string();
        svg.text("small countnumber", "middle", (middle, y + SMALL * 0.36), &count);
    }
}

impl TransitionShape {
    pub(super) fn size(&self) -> Size {
        let (w, h) = size_of(&name_lines(&self.name), FONT);
        (w + 18.0, h + 12.0)
    }

    pub(super) fn notes(&self) -> Vec<String> {
        self.inscriptions.iter().flat_map(|text| wrap(text, COLUMNS, LINES)).collect()
    }

    pub(super) fn whole(&self) -> Size {
        let ((w, h), notes) = (self.size(), size_of(&self.notes(), SMALL));
        let beyond = (notes.0 - w).max(0.0);
        (w + 2.0 * beyond, h + 2.0 * notes.1 + if notes.1 > 0.0 { 8.0 } else { 0.0 })
    }

    fn draw(&self, svg: &mut Svg, area: Area, notes: Option<Point>) {
        let ((x, y), (w, h)) = area;
        let tooltip = std::iter::once(&self.name).chain(&self.inscriptions);
        let tooltip = tooltip.cloned().collect::<Vec<_>>().join("\n");
        let mark = match self.subpage {
            None => ("transition", self.number.filter(|_| self.enabled)),
            subpage => ("page", subpage),
        };
        svg.begin_button("transition", mark, &tooltip);
        svg.rectangle(if self.enabled { "node enabled" } else { "node" }, (x, y), (w, h), 0.0);
        if self.substitution {
            svg.rectangle("ring", (x, y), (w - 6.0, h - 6.0), 0.0);
        }
        draw_name(svg, &self.name, (x, y));
        if let Some(at) = notes {
            let lines = self.notes();
            let size = size_of(&lines, SMALL);
            leader(svg, area, (at, size));
            let first = (at.0 - size.0 / 2.0, at.1 - size.1 / 2.0 + SMALL);
            svg.lines("small", "start", first, SMALL, &lines);
        }
        svg.end();
    }
}

impl ArcShape {
    fn lines(&self) -> Vec<String> {
        wrap(&self.inscription, COLUMNS, LINES)
    }

    /// The size of its inscription; zero without one.
    pub(super) fn label_size(&self) -> Size {
        let (w, h) = size_of(&self.lines(), SMALL);
        if w > 0.0 { (w + 4.0, h) } else { (0.0, 0.0) }
    }

    fn draw(&self, svg: &mut Svg, route: &[Point]) {
        let [at_place, at_transition] = self.ends;
        let mut points = route.to_vec();
        if at_transition == End::Circle {
            svg.circle("inhibitor", along(route, CIRCLE), CIRCLE);
            points[0] = along(route, 2.0 * CIRCLE);
        }
        svg.line("edge", &points, false, [at_transition, at_place].map(|end| end == End::Arrow));
    }

    fn draw_inscription(&self, svg: &mut Svg, route: &[Point], at: Point) {
        let size = self.label_size();
        svg.begin("inscription", &self.inscription);
        let pieces = route.windows(2).map(|pair| around(pair[0], pair[1]));
        let nearest = pieces.min_by(|a, b| gap(*a, (at, size)).total_cmp(&gap(*b, (at, size))));
        if let Some(piece) = nearest
            && gap(piece, (at, size)) > FAR
        {
            svg.line("leader", &[at, piece.0], false, [false; 2]);
        }
        svg.rectangle("page", at, size, 2.0);
        let first = (at.0, at.1 - size.1 / 2.0 + SMALL);
        svg.lines("small", "middle", first, SMALL, &self.lines());
        svg.end();
    }
}

/// Joins a text with its node if they are far apart.
fn leader(svg: &mut Svg, node: Area, text: Area) {
    if gap(node, text) > FAR {
        svg.line("leader", &[text.0, at_oval(node, text.0)], false, [false; 2]);
    }
}

/// The area around a piece of a line.
fn around(a: Point, b: Point) -> Area {
    let middle = (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
    (middle, ((a.0 - b.0).abs(), (a.1 - b.1).abs()))
}

/// Writes a name around a point.
fn draw_name(svg: &mut Svg, name: &str, (x, y): Point) {
    let lines = name_lines(name);
    let first = y - lines.len() as f64 * FONT * LINE / 2.0 + FONT;
    svg.lines("", "middle", (x, first), FONT, &lines);
}

/// A whole name, in the middle of its node.
fn name_lines(name: &str) -> Vec<String> {
    let most = NAME_COLUMNS.max((columns(name) as f64 * 4.0).sqrt() as usize);
    wrap(name, most, usize::MAX).iter().map(|line| line.trim().to_owned()).collect()
}
