//! Pages with their drawings.

use std::collections::HashMap;

use sweepline_source::Text;

use super::xml::Xml;
use crate::read::{Arc, ArcKind, File, Layout, Page, Place, PortKind, Transition};

/// The size of a node without layout.
const SIZE: (f64, f64) = (60.0, 40.0);
/// The number of columns and the spacing of the grid for nodes without layout.
const COLUMNS: usize = 5;
const APART: (f64, f64) = (180.0, 120.0);

/// The positions of the nodes of a page.
type Drawing<'f> = HashMap<&'f str, (f64, f64)>;

/// Nodes with a layout stay at their positions. The others are placed on a grid below them, row by row.
fn drawing(page: &Page) -> Drawing<'_> {
    let places = page.places.iter().map(|place| (&*place.id, place.layout));
    let transitions =
        page.transitions.iter().map(|transition| (&*transition.id, transition.layout));
    let nodes: Vec<(&str, Option<Layout>)> = places.chain(transitions).collect();
    let lowest = nodes.iter().filter_map(|(_, layout)| layout.map(|layout| layout.y));
    let top = lowest.fold(APART.1, f64::min) - APART.1;
    let mut at = HashMap::new();
    let mut cell = 0;
    for (id, layout) in nodes {
        let place = layout.map(|layout| (layout.x, layout.y));
        at.insert(
            id,
            place.unwrap_or_else(|| {
                let (column, row) = (cell % COLUMNS, cell / COLUMNS);
                cell += 1;
                (column as f64 * APART.0, top - row as f64 * APART.1)
            }),
        );
    }
    at
}

/// Writes a page. `questions` become an auxiliary text.
pub(super) fn page(xml: &mut Xml, file: &File, page: &Page, questions: &str) {
    let drawing = drawing(page);
    xml.open("page", &[("id", &page.id)]);
    xml.empty("pageattr", &[("name", &page.name)]);
    page.places.iter().for_each(|place| self::place(xml, &drawing, place));
    for transition in &page.transitions {
        self::transition(xml, file, &drawing, transition);
    }
    page.arcs.iter().for_each(|arc| self::arc(xml, &drawing, arc));
    let notes = page.notes.iter().map(Text::as_str).chain([questions]);
    for (number, note) in notes.filter(|note| !note.trim().is_empty()).enumerate() {
        let at = (-APART.0 * 2.0, -(number as f64) * APART.1);
        drawn(xml, "Aux", &[], at, |xml| {
            xml.empty("label", &[]);
            xml.element("text", &[], note);
        });
    }
    xml.close("page");
}

fn number(value: f64) -> String {
    format!("{value:.6}")
}

/// Writes a position, and black as the colour.
fn look(xml: &mut Xml, (x, y): (f64, f64)) {
    xml.empty("posattr", &[("x", &number(x)), ("y", &number(y))]);
    xml.empty("fillattr", &[("colour", "White"), ("pattern", ""), ("filled", "false")]);
    xml.empty("lineattr", &[("colour", "Black"), ("thick", "1"), ("type", "Solid")]);
    xml.empty("textattr", &[("colour", "Black"), ("bold", "false")]);
}

/// A text beside a node.
fn region(xml: &mut Xml, name: &str, at: (f64, f64), text: &Text) {
    drawn(xml, name, &[], at, |xml| {
        xml.element("text", &[("tool", "CPN Tools"), ("version", "4.0.1")], text.trim());
    });
}

/// An element with a new id and a position.
fn drawn(
    xml: &mut Xml,
    name: &str,
    attributes: &[(&str, &str)],
    at: (f64, f64),
    inside: impl FnOnce(&mut Xml),
) {
    let id = xml.fresh();
    let attributes = [&[("id", id.as_str())], attributes].concat();
    xml.within(name, &attributes, |xml| {
        look(xml, at);
        inside(xml);
    });
}

fn shape(xml: &mut Xml, name: &str, layout: Option<Layout>) -> (f64, f64) {
    let (width, height) = layout.and_then(|layout| layout.size).unwrap_or(SIZE);
    xml.empty(name, &[("w", &number(width)), ("h", &number(height))]);
    (width, height)
}

fn place(xml: &mut Xml, drawing: &Drawing<'_>, place: &Place) {
    let (x, y) = drawing[&*place.id];
    xml.open("place", &[("id", &place.id)]);
    look(xml, (x, y));
    xml.element("text", &[], place.name.as_str());
    let (width, height) = shape(xml, "ellipse", place.layout);
    xml.empty("token", &[("x", "-10.000000"), ("y", "0.000000")]);
    xml.empty("marking", &[("x", "0.000000"), ("y", "0.000000"), ("hidden", "false")]);
    let (right, corner) = (x + width * 0.6, (x - width * 0.4, y - height * 0.5));
    region(xml, "type", (right, y - height * 0.6), &place.colour_set);
    region(xml, "initmark", (right, y + height * 0.6), &place.initial);
    if let Some(fusion) = &place.fusion {
        drawn(xml, "fusioninfo", &[("name", fusion)], corner, |_| {});
    }
    if let Some(port) = place.port {
        let kind = match port {
            PortKind::In => "In",
            PortKind::Out => "Out",
            PortKind::InOut => "I/O",
        };
        drawn(xml, "port", &[("type", kind)], corner, |_| {});
    }
    xml.close("place");
}

fn transition(xml: &mut Xml, file: &File, drawing: &Drawing<'_>, transition: &Transition) {
    let (x, y) = drawing[&*transition.id];
    xml.open("trans", &[("id", &transition.id), ("explicit", "false")]);
    look(xml, (x, y));
    xml.element("text", &[], transition.name.as_str());
    let (width, height) = shape(xml, "box", transition.layout);
    if let Some(substitution) = &transition.substitution {
        let pairs = substitution.assignments.iter();
        let pairs: String = pairs.map(|(port, socket)| format!("({port},{socket})")).collect();
        xml.open("subst", &[("subpage", &substitution.subpage), ("portsock", &pairs)]);
        let below = file.pages.iter().find(|page| page.id == substitution.subpage);
        let name = below.map_or("", |page| &page.name);
        drawn(xml, "subpageinfo", &[("name", name)], (x, y - height * 0.5), |_| {});
        xml.close("subst");
    }
    xml.empty("binding", &[("x", "7.200000"), ("y", "-3.000000")]);
    let (left, right) = (x - width * 0.6, x + width * 0.6);
    let (above, below) = (y + height * 0.6, y - height * 0.6);
    region(xml, "cond", (left, above), &transition.guard);
    region(xml, "time", (right, above), &transition.time);
    region(xml, "code", (right, below), &transition.code);
    if !transition.channel.is_blank() {
        region(xml, "channel", (x, above), &transition.channel);
    }
    region(xml, "priority", (left, below), &transition.priority);
    xml.close("trans");
}

fn arc(xml: &mut Xml, drawing: &Drawing<'_>, arc: &Arc) {
    let orientation = match &arc.kind {
        ArcKind::Input => "PtoT",
        ArcKind::Output => "TtoP",
        ArcKind::Both => "BOTHDIR",
        ArcKind::Inhibitor => "Inhibitor",
        ArcKind::Reset => "Reset",
        ArcKind::Unknown(kind) => kind,
    };
    let ends = [&arc.transition, &arc.place].map(|id| drawing.get(&**id).copied());
    let [from, to] = ends.map(|end| end.unwrap_or_default());
    xml.open("arc", &[("id", &arc.id), ("orientation", orientation), ("order", "1")]);
    look(xml, (0.0, 0.0));
    xml.empty("arrowattr", &[("headsize", "1.200000"), ("currentcyckle", "2")]);
    xml.empty("transend", &[("idref", &arc.transition)]);
    xml.empty("placeend", &[("idref", &arc.place)]);
    for (serial, bend) in arc.bends.iter().enumerate() {
        let serial = (serial + 1).to_string();
        drawn(xml, "bendpoint", &[("serial", &serial)], *bend, |_| {});
    }
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    region(xml, "annot", middle, &arc.inscription);
    xml.close("arc");
}
