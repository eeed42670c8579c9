//! Reads declarations from XML elements.

use sweepline_ml::ColourSetSpec;
use sweepline_source::Text;
use sweepline_source::xml::tree::Element;

use super::file::{Declaration, DeclarationKind};

/// All declarations of a globbox in order, including those in its blocks.
pub(super) fn collect(parent: &Element, found: &mut Vec<Declaration>) {
    for element in &parent.children {
        let kind = match element.name.as_str() {
            "block" => {
                collect(element, found);
                continue;
            }
            "color" => colour_set(element),
            "var" => Some(variables(element)),
            "ml" => Some(DeclarationKind::Ml(element.own_text())),
            "globref" => Some(DeclarationKind::Reference {
                name: first(element, "id"),
                value: first(element, "ml"),
            }),
            "use" => Some(DeclarationKind::Use(first(element, "ml"))),
            _ => None,
        };
        let offset = element.span.start;
        let mut parts = Vec::new();
        if let Some(DeclarationKind::ColourSet { .. }) = kind {
            colour_set_kind(element).into_iter().for_each(|kind| texts(kind, &mut parts));
        }
        found.extend(kind.map(|kind| Declaration { offset, kind, parts }));
    }
}

fn first(element: &Element, name: &str) -> Text {
    element.child(name).map_or_else(|| Text::none_at(element.span.start), Element::own_text)
}

fn variables(element: &Element) -> DeclarationKind {
    let colour_set = element.child("type").map(|ty| first(ty, "id"));
    DeclarationKind::Variables {
        names: element.texts("id"),
        colour_set: colour_set.unwrap_or_else(|| Text::none_at(element.span.start)),
    }
}

fn colour_set_kind(element: &Element) -> Option<&Element> {
    const NO_KIND: [&str; 4] = ["id", "layout", "timed", "declare"];
    element.children.iter().find(|child| !NO_KIND.contains(&&*child.name))
}

fn colour_set(element: &Element) -> Option<DeclarationKind> {
    Some(DeclarationKind::ColourSet {
        name: first(element, "id"),
        spec: spec(colour_set_kind(element)?),
        declares: element.child("declare").map(|clause| clause.words("id")).unwrap_or_default(),
        timed: element.child("timed").is_some(),
    })
}

fn texts(element: &Element, found: &mut Vec<Text>) {
    for child in &element.children {
        if !child.text.is_blank() {
            found.push(child.own_text());
        }
        texts(child, found);
    }
}

fn pair(words: Vec<String>) -> Option<(String, String)> {
    let mut words = words.into_iter();
    Some((words.next()?, words.next()?))
}

fn bounds(kind: &Element, clause: &str) -> Option<(String, String)> {
    pair(kind.child(clause)?.words("ml"))
}

fn word(element: Option<&Element>, name: &str) -> String {
    element.and_then(|element| element.words(name).into_iter().next()).unwrap_or_default()
}

fn spec(kind: &Element) -> ColourSetSpec {
    let first = word(Some(kind), "id");
    let with = kind.child("with");
    let names = with.map(|with| with.words("id")).unwrap_or_default();
    match kind.name.as_str() {
        "unit" => ColourSetSpec::Unit { token: names.into_iter().next() },
        "bool" => ColourSetSpec::Bool { names: pair(names) },
        "int" => ColourSetSpec::Int { range: bounds(kind, "with") },
        "intinf" => ColourSetSpec::IntInf { range: bounds(kind, "with") },
        "real" => ColourSetSpec::Real { range: bounds(kind, "with") },
        "time" => ColourSetSpec::Time,
        "string" => ColourSetSpec::String {
            characters: bounds(kind, "with"),
            length: with.and_then(|with| bounds(with, "and")).or_else(|| bounds(kind, "and")),
        },
        "enum" => ColourSetSpec::Enum { values: kind.words("id") },
        "index" => {
            let (low, high) = pair(kind.words("ml")).unwrap_or_default();
            ColourSetSpec::Index { name: first, low, high }
        }
        "product" => ColourSetSpec::Product { components: kind.words("id") },
        "record" => {
            let fields = kind.all("recordfield").filter_map(|field| pair(field.words("id")));
            ColourSetSpec::Record { fields: fields.collect() }
        }
        "list" => ColourSetSpec::List { element: first, length: bounds(kind, "with") },
        "union" => {
            ColourSetSpec::Union { constructors: kind.all("unionfield").map(constructor).collect() }
        }
        "subset" => match kind.child("by") {
            Some(by) => ColourSetSpec::SubsetBy { of: first, predicate: word(Some(by), "ml") },
            None => ColourSetSpec::SubsetWith { of: first, values: word(with, "ml") },
        },
        _ => ColourSetSpec::Alias { of: first },
    }
}

fn constructor(field: &Element) -> (String, Option<String>) {
    let of = field.child("type").map(|ty| word(Some(ty), "id"));
    (word(Some(field), "id"), of.filter(|of| !of.is_empty()))
}
