//! The layout of a page of a net. Nodes are where their author drew them, or in layers. Markings, colour sets and
//! inscriptions are beside their nodes and arcs, and cover no node and no other text.

use std::collections::{HashMap, HashSet};

use super::layers::{self, Line, Point, Size};
use super::net::{ArcShape, Drawn, End, PlaceShape, Sheet, TransitionShape};
use super::room::{Area, Room};
use super::svg::SMALL;
use super::text::{size_of, width};

/// Positions are enlarged by this factor, because CPN Tools draws in smaller fonts.
const SCALE: f64 = 1.3;
/// The largest factor, for pages on which long names would overlap.
const WIDEST_SCALE: f64 = 2.4;
/// The least distance between nodes, if a larger factor gives it.
const BETWEEN_NODES: f64 = 14.0;
/// Between nodes that an arc joins: room for its ends and an inscription.
const BETWEEN_JOINED: f64 = 44.0;
/// Between a node and a text of it.
const ASIDE: f64 = 3.0;
/// Between two arcs that join the same nodes.
const BETWEEN_ARCS: f64 = 30.0;
/// The size of an arrowhead or a circle.
const HEAD: f64 = 11.0;

/// The positions of nodes, arcs and texts. A text has the position of its centre, or none if it is empty.
pub(super) struct Plan {
    pub(super) places: Vec<Area>,
    pub(super) transitions: Vec<Area>,
    /// The points of each arc, from the border of the transition to that of the place.
    pub(super) routes: Vec<Vec<Point>>,
    pub(super) colour_sets: Vec<Option<Point>>,
    pub(super) markings: Vec<Option<Point>>,
    /// The guards, delays and priorities of transitions.
    pub(super) notes: Vec<Option<Point>>,
    /// The inscriptions of arcs.
    pub(super) inscriptions: Vec<Option<Point>>,
    /// The corners of everything.
    pub(super) extent: (Point, Point),
}

/// Nodes and arcs without their texts.
#[derive(Clone)]
pub(crate) struct Frame {
    places: Vec<Area>,
    transitions: Vec<Area>,
    /// The points of each arc, from the border of the transition to that of the place.
    routes: Vec<Vec<Point>>,
    /// The positions that the layers have for the inscriptions of arcs.
    labels: Vec<Option<Point>>,
}

impl Plan {
    pub(super) fn of(sheet: &Sheet) -> Self {
        Frame::of(sheet).plan(sheet)
    }

    /// Moves everything.
    pub(super) fn move_by(&mut self, (dx, dy): Point) {
        let Plan { colour_sets, markings, notes, inscriptions, .. } = self;
        let nodes = self.places.iter_mut().chain(&mut self.transitions).map(|(at, _)| at);
        let texts = [colour_sets, markings, notes, inscriptions];
        let texts = texts.into_iter().flat_map(|texts| texts.iter_mut().flatten());
        let ends = [&mut self.extent.0, &mut self.extent.1];
        for at in nodes.chain(texts).chain(self.routes.iter_mut().flatten()).chain(ends) {
            *at = (at.0 + dx, at.1 + dy);
        }
    }
}

impl Frame {
    /// The positions of the author if all nodes have one.
    pub(super) fn of(sheet: &Sheet) -> Self {
        let is_drawn = sheet.places.iter().all(|place| place.drawn.is_some())
            && sheet.transitions.iter().all(|transition| transition.drawn.is_some());
        if is_drawn { Frame::drawn(sheet) } else { Frame::in_layers(sheet) }
    }

    /// The positions of the author. Nodes are large enough for their names, and do not overlap.
    fn drawn(sheet: &Sheet) -> Self {
        let node = |drawn: &Drawn, own: Size| {
            let (at, size) = drawn.unwrap_or_default();
            let (w, h) = size.unwrap_or_default();
            (at, (own.0.max(w * SCALE), own.1.max(h * SCALE)))
        };
        let places = sheet.places.iter().map(|place| node(&place.drawn, place.size()));
        let transitions = sheet.transitions.iter().map(|t| node(&t.drawn, t.size()));
        let mut nodes: Vec<Area> = places.chain(transitions).collect();
        let n_places = sheet.places.len();
        let joined = sheet.arcs.iter().map(|arc| (n_places + arc.transition, arc.place)).collect();
        let scale = scale(&nodes, &joined);
        let scaled = |(x, y): Point| (x * scale, y * scale);
        let mut room = Room::default();
        for (at, size) in &mut nodes {
            *at = room.place(*size, &[scaled(*at)], None);
        }
        let bends = sheet.arcs.iter().map(|arc| arc.bends.iter().copied().map(scaled).collect());
        let mut bends: Vec<Vec<Point>> = bends.collect();
        let transitions = nodes.split_off(n_places);
        let (routes, labels) = (Vec::new(), vec![None; sheet.arcs.len()]);
        let mut frame = Frame { places: nodes, transitions, routes, labels };
        frame.part_arcs(sheet, &mut bends);
        let arcs = sheet.arcs.iter().zip(&bends);
        frame.routes = arcs.map(|(arc, bends)| frame.route(arc, bends)).collect();
        frame
    }

    /// Moves arcs apart that join the same nodes by the same points.
    fn part_arcs(&self, sheet: &Sheet, all: &mut [Vec<Point>]) {
        let mut groups: HashMap<(usize, usize, String), Vec<usize>> = HashMap::new();
        for (number, arc) in sheet.arcs.iter().enumerate() {
            let key = (arc.place, arc.transition, format!("{:?}", arc.bends));
            groups.entry(key).or_default().push(number);
        }
        for group in groups.into_values().filter(|group| group.len() > 1) {
            let arc = &sheet.arcs[group[0]];
            let (from, to) = (self.transitions[arc.transition], self.places[arc.place]);
            let ((x, y), (x2, y2)) = (at_box(from, to.0), at_oval(to, from.0));
            let length = (x2 - x).hypot(y2 - y).max(1.0);
            let aside = ((y2 - y) / length, (x - x2) / length);
            let middle = (f64::midpoint(x, x2), f64::midpoint(y, y2));
            for (i, &number) in group.iter().enumerate() {
                let by = (i as f64 - (group.len() - 1) as f64 / 2.0) * BETWEEN_ARCS;
                let bends = &mut all[number];
                if bends.is_empty() {
                    bends.push(middle);
                }
                bends.iter_mut().for_each(|at| *at = (at.0 + aside.0 * by, at.1 + aside.1 * by));
            }
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
            let label = arc.label_size();
            match arc.ends {
                [End::Arrow, End::Plain] => Line { source: transition, target: place, label },
                _ => Line { source: place, target: transition, label },
            }
        };
        let lines: Vec<Line> = sheet.arcs.iter().map(line).collect();
        let layout = layers::place(&around, &lines, None);
        let mut nodes: Vec<Area> = layout.nodes.into_iter().zip(sizes).collect();
        let mut routes = Vec::new();
        for (mut route, line) in layout.lines.into_iter().zip(&lines) {
            for (node, is_end) in [(line.source, false), (line.target, true)] {
                join(&mut route, is_end, nodes[node], around[node], node < n_places);
            }
            if line.source < n_places {
                route.reverse();
            }
            routes.push(curved(&route));
        }
        let transitions = nodes.split_off(n_places);
        let labels = layout.labels.into_iter().map(Some).collect();
        Frame { places: nodes, transitions, routes, labels }
    }

    fn route(&self, arc: &ArcShape, bends: &[Point]) -> Vec<Point> {
        let (from, to) = (self.transitions[arc.transition], self.places[arc.place]);
        let first = bends.first().copied().unwrap_or(to.0);
        let last = bends.last().copied().unwrap_or(from.0);
        let (start, end) = (at_box(from, first), at_oval(to, last));
        std::iter::once(start).chain(bends.iter().copied()).chain([end]).collect()
    }

    /// Takes the room of nodes and arcs.
    fn take(&self, room: &mut Room, sheet: &Sheet) {
        self.places.iter().chain(&self.transitions).for_each(|&node| room.take(node));
        for (number, (arc, route)) in sheet.arcs.iter().zip(&self.routes).enumerate() {
            room.take_line(number, route);
            let reversed = [route[route.len() - 1], route[route.len() - 2]];
            for (end, from) in arc.ends.iter().zip([&reversed[..], route]) {
                if *end != End::Plain {
                    room.take((along(from, HEAD / 2.0), (HEAD, HEAD)));
                }
            }
        }
    }

    /// Finds room for the markings, small ones first, because a large one rarely fits beside its place.
    fn place_markings(&self, room: &mut Room, sheet: &Sheet) -> Vec<Option<Point>> {
        let mut markings = vec![None; sheet.places.len()];
        let sizes: Vec<Size> = sheet.places.iter().map(PlaceShape::marking_size).collect();
        let mut order: Vec<usize> = (0..sizes.len()).filter(|&at| sizes[at].0 > 0.0).collect();
        order.sort_by(|&a, &b| (sizes[a].0 * sizes[a].1).total_cmp(&(sizes[b].0 * sizes[b].1)));
        for at in order {
            let wanted = right_first(self.places[at], sizes[at]);
            markings[at] = Some(room.place(sizes[at], &wanted, None));
        }
        markings
    }

    /// Finds room for the texts.
    pub(super) fn plan(self, sheet: &Sheet) -> Plan {
        let mut room = Room::default();
        self.take(&mut room, sheet);
        let mut notes = Vec::new();
        for (transition, &node) in sheet.transitions.iter().zip(&self.transitions) {
            let size = size_of(&transition.notes(), SMALL);
            notes.push((size.0 > 0.0).then(|| room.place(size, &above_first(node, size), None)));
        }
        let mut colour_sets = Vec::new();
        for (place, &node) in sheet.places.iter().zip(&self.places) {
            let size = (width(&place.colour_set, SMALL), SMALL * 1.2);
            colour_sets
                .push((size.0 > 0.0).then(|| room.place(size, &below_first(node, size), None)));
        }
        let markings = self.place_markings(&mut room, sheet);
        let mut inscriptions = Vec::new();
        for (number, (arc, label)) in sheet.arcs.iter().zip(&self.labels).enumerate() {
            let size = arc.label_size();
            let mut wanted = Vec::from_iter(*label);
            wanted.extend(on_and_beside(&self.routes[number], size));
            inscriptions.push((size.0 > 0.0).then(|| room.place(size, &wanted, Some(number))));
        }
        let (Frame { places, transitions, routes, .. }, extent) = (self, room.extent());
        Plan { places, transitions, routes, colour_sets, markings, notes, inscriptions, extent }
    }
}

/// Moves an end of a route of layers from the border of what a node takes in all to that of the node itself.
fn join(route: &mut [Point], is_end: bool, ((x, y), size): Area, whole: Size, is_oval: bool) {
    let n = route.len();
    let (end, next) = if is_end { (n - 1, n - 2) } else { (0, 1) };
    let aside = (route[end].0 - x) * (size.0 / whole.0).min(1.0);
    let part = if is_oval { (1.0 - (2.0 * aside / size.0).powi(2)).max(0.0).sqrt() } else { 1.0 };
    let up = if route[end].1 < y { -1.0 } else { 1.0 };
    route[end] = (x + aside, y + up * size.1 / 2.0 * part);
    route[next].0 = x + aside;
}

/// A line through the same points in short pieces: vertical at each point, as the curves of [`Svg::line`] are.
///
/// [`Svg::line`]: super::svg::Svg::line
fn curved(route: &[Point]) -> Vec<Point> {
    const PIECES: usize = 10;
    let mut points = Vec::from_iter(route.first().copied());
    for pair in route.windows(2) {
        let [(x, y), (x2, y2)] = [pair[0], pair[1]];
        let pieces = if (x - x2).abs() < 0.5 { 1 } else { PIECES };
        points.extend((1..=pieces).map(|piece| {
            let t = piece as f64 / pieces as f64;
            let s = 1.0 - t;
            // The cubic curve whose control points are at half height.
            let across = t * t * (3.0 - 2.0 * t);
            let down = 1.5 * s * t + t * t * t;
            match pieces {
                1 => (x2, y2),
                _ => (x + (x2 - x) * across, y + (y2 - y) * down),
            }
        }));
    }
    points
}

/// By how much positions are enlarged, so that no two nodes of these sizes overlap as far as that can be. An arc joins
/// the nodes of the pairs `joined`, the later node first.
fn scale(nodes: &[Area], joined: &HashSet<(usize, usize)>) -> f64 {
    let mut scale = SCALE;
    for (i, &((x, y), (w, h))) in nodes.iter().enumerate() {
        for (j, &((x2, y2), (w2, h2))) in nodes[..i].iter().enumerate() {
            let gap = if joined.contains(&(i, j)) { BETWEEN_JOINED } else { BETWEEN_NODES };
            let across = ((w + w2) / 2.0 + gap) / (x - x2).abs();
            let down = ((h + h2) / 2.0 + gap) / (y - y2).abs();
            scale = scale.max(across.min(down).min(WIDEST_SCALE));
        }
    }
    scale
}

/// Around a node: above it and below it, flush with its left or right border, then beside it.
fn above_first(((x, y), (w, h)): Area, (tw, th): Size) -> [Point; 6] {
    let (left, right) = (x - w / 2.0 + tw / 2.0, x + w / 2.0 - tw / 2.0);
    let (above, below) = (y - (h + th) / 2.0 - ASIDE, y + (h + th) / 2.0 + ASIDE);
    let (before, behind) = (x - (w + tw) / 2.0 - ASIDE, x + (w + tw) / 2.0 + ASIDE);
    [(left, above), (right, above), (left, below), (right, below), (behind, y), (before, y)]
}

/// Around a node: below it on the right, then the other corners.
fn below_first(((x, y), (w, h)): Area, (tw, th): Size) -> [Point; 6] {
    let (right, left) = (x + w * 0.25 + tw / 2.0, x - w * 0.25 - tw / 2.0);
    let (above, below) = (y - (h + th) / 2.0 - ASIDE, y + (h + th) / 2.0 + ASIDE);
    [(right, below), (right, above), (left, below), (left, above), (x, below), (x, above)]
}

/// Around a node: on its right, above it, on its left, below it.
fn right_first(((x, y), (w, h)): Area, (tw, th): Size) -> Vec<Point> {
    let (right, left) = (x + (w + tw) / 2.0 + ASIDE, x - (w + tw) / 2.0 - ASIDE);
    let (above, below) = (y - (h + th) / 2.0 - ASIDE, y + (h + th) / 2.0 + ASIDE);
    let heights = [y - h * 0.2, y, y + h * 0.2, y - h * 0.45, y + h * 0.45];
    let columns = [x + w * 0.3 + tw / 2.0, x, x - w * 0.3 - tw / 2.0];
    let mut wanted: Vec<Point> = heights[..3].iter().map(|&y| (right, y)).collect();
    wanted.extend(columns[..2].iter().map(|&x| (x, above)));
    wanted.extend(heights[..3].iter().map(|&y| (left, y)));
    wanted.extend(columns.iter().map(|&x| (x, below)));
    wanted.push((columns[2], above));
    wanted.extend(heights[3..].iter().flat_map(|&y| [(right, y), (left, y)]));
    wanted
}

/// Along an arc: on it, the nearest to its middle first, then beside it on either side.
fn on_and_beside(route: &[Point], (w, h): Size) -> Vec<Point> {
    let length: f64 = route.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
    let parts = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74];
    let on: Vec<Point> = parts.iter().map(|part| along(route, length * part)).collect();
    let mut wanted = on.clone();
    for (part, &(x, y)) in parts.iter().zip(&on) {
        let (a, b) = (along(route, length * (part - 0.02)), along(route, length * (part + 0.02)));
        let step = distance(a, b).max(1e-9);
        let (nx, ny) = ((b.1 - a.1) / step, (a.0 - b.0) / step);
        let by = (nx * w / 2.0).abs() + (ny * h / 2.0).abs() + 4.0;
        wanted.extend([(x + nx * by, y + ny * by), (x - nx * by, y - ny * by)]);
    }
    wanted
}

fn distance(a: Point, b: Point) -> f64 {
    (b.0 - a.0).hypot(b.1 - a.1)
}

/// The point of a line that is so far from its start.
pub(super) fn along(points: &[Point], mut far: f64) -> Point {
    for pair in points.windows(2) {
        let here = distance(pair[0], pair[1]);
        if far <= here && here > 0.0 {
            let part = far / here;
            let [(x, y), (x2, y2)] = [pair[0], pair[1]];
            return (x + (x2 - x) * part, y + (y2 - y) * part);
        }
        far -= here;
    }
    points.last().copied().unwrap_or_default()
}

/// Where a line from the centre of a box towards a point leaves the box.
fn at_box(((x, y), (w, h)): Area, (to_x, to_y): Point) -> Point {
    let (dx, dy) = (to_x - x, to_y - y);
    let part = f64::min(
        if dx == 0.0 { f64::INFINITY } else { w / 2.0 / dx.abs() },
        if dy == 0.0 { f64::INFINITY } else { h / 2.0 / dy.abs() },
    );
    if part.is_finite() { (x + dx * part, y + dy * part) } else { (x, y + h / 2.0) }
}

/// Where a line from the centre of an oval towards a point leaves the oval.
pub(super) fn at_oval(((x, y), (w, h)): Area, (to_x, to_y): Point) -> Point {
    let (dx, dy) = (to_x - x, to_y - y);
    let length = ((dx / (w / 2.0)).powi(2) + (dy / (h / 2.0)).powi(2)).sqrt();
    if length > 0.0 { (x + dx / length, y + dy / length) } else { (x, y - h / 2.0) }
}
