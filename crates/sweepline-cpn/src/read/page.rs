//! Reads pages and their instances from XML elements.

use sweepline_source::xml::tree::Element;

use super::file::{
    Arc, ArcKind, Instance, Layout, Page, Place, PortKind, Substitution, Transition,
};

pub(super) fn page(element: &Element) -> Page {
    let name = element.child("pageattr").map_or("", |attributes| attributes.attribute("name"));
    Page {
        id: element.attribute("id").to_owned(),
        name: name.to_owned(),
        offset: element.span.start,
        places: element.all("place").map(place).collect(),
        transitions: element.all("trans").map(transition).collect(),
        arcs: element.all("arc").map(arc).collect(),
        notes: element.all("Aux").flat_map(|note| note.texts("text")).collect(),
    }
}

/// The name of a node. Line ends are normalised as in XML, whatever system wrote the file.
fn own_text(element: &Element) -> sweepline_source::Text {
    let text = element.child("text").map(Element::own_text);
    let text = text.unwrap_or_else(|| sweepline_source::Text::none_at(element.span.start));
    let returns: Vec<_> = text.as_str().match_indices("\r\n").map(|(at, _)| at..at + 1).collect();
    if returns.is_empty() { text } else { text.replaced(&returns, "") }
}

fn place(element: &Element) -> Place {
    let fusion = element.child("fusioninfo").map(|info| info.attribute("name").to_owned());
    Place {
        id: element.attribute("id").to_owned(),
        name: own_text(element),
        offset: element.span.start,
        colour_set: element.region("type"),
        initial: element.region("initmark"),
        fusion,
        port: element.child("port").map(|port| port_kind(port.attribute("type"))),
        layout: layout(element, "ellipse"),
    }
}

/// A pair of numbers, if both are finite.
fn pair(element: &Element, names: [&str; 2]) -> Option<(f64, f64)> {
    let [first, second] = names.map(|name| element.attribute(name).trim().parse::<f64>().ok());
    Some((first?, second?)).filter(|(x, y)| x.is_finite() && y.is_finite())
}

/// The position of a node, and the size of its shape.
fn layout(element: &Element, shape: &str) -> Option<Layout> {
    let (x, y) = pair(element.child("posattr")?, ["x", "y"])?;
    let size = element.child(shape).and_then(|shape| pair(shape, ["w", "h"]));
    Some(Layout { x, y, size })
}

/// The bends of an arc in the order of their serial numbers, which start at the transition.
fn bends(element: &Element) -> Vec<(f64, f64)> {
    let number = |bend: &Element| bend.attribute("serial").trim().parse::<i64>().unwrap_or(0);
    let mut bends: Vec<(i64, (f64, f64))> = element
        .all("bendpoint")
        .filter_map(|bend| Some((number(bend), pair(bend.child("posattr")?, ["x", "y"])?)))
        .collect();
    bends.sort_by_key(|(number, _)| *number);
    bends.into_iter().map(|(_, at)| at).collect()
}

fn port_kind(text: &str) -> PortKind {
    match text.trim().to_ascii_lowercase().as_str() {
        "in" => PortKind::In,
        "out" => PortKind::Out,
        _ => PortKind::InOut,
    }
}

fn transition(element: &Element) -> Transition {
    let substitution = element.child("subst").map(|subst| Substitution {
        subpage: subst.attribute("subpage").to_owned(),
        assignments: assignments(subst.attribute("portsock")),
    });
    Transition {
        id: element.attribute("id").to_owned(),
        name: own_text(element),
        offset: element.span.start,
        substitution,
        guard: element.region("cond"),
        time: element.region("time"),
        code: element.region("code"),
        channel: element.region("channel"),
        priority: element.region("priority"),
        layout: layout(element, "box"),
    }
}

/// `(port,socket)(port,socket)`.
fn assignments(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    let pairs = pairs.filter_map(|pair| pair.split_once(','));
    pairs.map(|(port, socket)| (port.trim().to_owned(), socket.trim().to_owned())).collect()
}

fn arc(element: &Element) -> Arc {
    let end = |name| element.child(name).map_or("", |end| end.attribute("idref")).to_owned();
    Arc {
        id: element.attribute("id").to_owned(),
        offset: element.span.start,
        place: end("placeend"),
        transition: end("transend"),
        kind: arc_kind(element.attribute("orientation")),
        inscription: element.region("annot"),
        bends: bends(element),
    }
}

fn arc_kind(text: &str) -> ArcKind {
    match text.trim().to_ascii_lowercase().as_str() {
        "ptot" => ArcKind::Input,
        "ttop" => ArcKind::Output,
        "bothdir" => ArcKind::Both,
        "inhibitor" => ArcKind::Inhibitor,
        "reset" => ArcKind::Reset,
        _ => ArcKind::Unknown(text.to_owned()),
    }
}

pub(super) fn instances(element: &Element) -> Vec<Instance> {
    let instance = |element: &Element| Instance {
        page: element.attribute("page").to_owned(),
        transition: element.attribute("trans").to_owned(),
        children: instances(element),
    };
    element.all("instance").map(instance).collect()
}
