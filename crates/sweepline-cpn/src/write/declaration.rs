//! Declarations as XML elements.

use sweepline_ml::{ColourSetSpec, Declared, Environment};
use sweepline_source::Text;

use super::xml::{Content, Node, Xml};
use crate::read::{Declaration, DeclarationKind};

pub(super) fn all(xml: &mut Xml, declarations: &[Declaration]) {
    let environment = Environment::default();
    xml.open("globbox", &[]);
    let id = xml.fresh();
    xml.within("block", &[("id", &id)], |xml| {
        xml.element("id", &[], "Declarations");
        declarations.iter().for_each(|declaration| one(xml, &environment, &declaration.kind));
    });
    xml.close("globbox");
}

fn one(xml: &mut Xml, environment: &Environment, kind: &DeclarationKind) {
    if let DeclarationKind::Ml(text) = kind
        && let Some(parsed) = environment.declared(text.as_str())
    {
        return declared(xml, &parsed, text.trim(), |word| word);
    }
    declared(xml, kind, "", Text::trim);
}

fn id(name: &str) -> Node<'_> {
    Node("id", Content::Text(name))
}

fn ml(text: &str) -> Node<'_> {
    Node("ml", Content::Text(text))
}

fn node<'t>(name: &'static str, inside: impl IntoIterator<Item = Node<'t>>) -> Node<'t> {
    Node(name, Content::Nodes(inside.into_iter().collect()))
}

/// A declaration, with its text.
fn declared<T>(xml: &mut Xml, declared: &Declared<T>, layout: &str, word: fn(&T) -> &str) {
    let fresh = xml.fresh();
    let layout = (!layout.is_empty()).then_some(Node("layout", Content::Text(layout)));
    let (name, parts): (_, Vec<Node<'_>>) = match declared {
        Declared::ColourSet { name, spec, declares, timed } => {
            let timed = timed.then_some(Node("timed", Content::Nothing));
            let functions = declares.iter().map(|function| id(function));
            let declares = (!declares.is_empty()).then(|| node("declare", functions));
            let kind = [self::spec(spec)].into_iter().chain(declares).chain(layout);
            ("color", [id(word(name))].into_iter().chain(timed).chain(kind).collect())
        }
        Declared::Variables { names, colour_set } => {
            let names = names.iter().map(|name| id(word(name)));
            let ty = node("type", [id(word(colour_set))]);
            ("var", [ty].into_iter().chain(names).chain(layout).collect())
        }
        Declared::Ml(text) => return xml.element("ml", &[("id", &fresh)], word(text)),
        Declared::Reference { name, value } => ("globref", vec![id(word(name)), ml(word(value))]),
        Declared::Use(file) => ("use", vec![ml(word(file))]),
    };
    xml.within(name, &[("id", &fresh)], |xml| parts.iter().for_each(|part| xml.node(part)));
}

fn range<'t>(name: &'static str, range: &'t Option<(String, String)>) -> Option<Node<'t>> {
    range.as_ref().map(|(low, high)| node(name, [ml(low), ml(high)]))
}

/// The definition of a colour set.
fn spec(spec: &ColourSetSpec) -> Node<'_> {
    match spec {
        ColourSetSpec::Unit { token } => {
            node("unit", token.iter().map(|token| node("with", [id(token)])))
        }
        ColourSetSpec::Bool { names } => {
            node("bool", names.iter().map(|(no, yes)| node("with", [id(no), id(yes)])))
        }
        ColourSetSpec::Int { range: bounds } => node("int", range("with", bounds)),
        ColourSetSpec::IntInf { range: bounds } => node("intinf", range("with", bounds)),
        ColourSetSpec::Real { range: bounds } => node("real", range("with", bounds)),
        ColourSetSpec::Time => Node("time", Content::Nothing),
        ColourSetSpec::String { characters: None, length } => node("string", range("and", length)),
        ColourSetSpec::String { characters: Some((low, high)), length } => {
            let both = [ml(low), ml(high)].into_iter().chain(range("and", length));
            node("string", [node("with", both)])
        }
        ColourSetSpec::Enum { values } => node("enum", values.iter().map(|value| id(value))),
        ColourSetSpec::Index { name, low, high } => node("index", [ml(low), ml(high), id(name)]),
        ColourSetSpec::Product { components } => {
            node("product", components.iter().map(|component| id(component)))
        }
        ColourSetSpec::Record { fields } => {
            let fields = fields.iter().map(|(label, of)| node("recordfield", [id(label), id(of)]));
            node("record", fields)
        }
        ColourSetSpec::List { element, length } => {
            node("list", range("with", length).into_iter().chain([id(element)]))
        }
        ColourSetSpec::Union { constructors } => {
            let constructors = constructors.iter().map(|(name, of)| {
                let ty = of.iter().map(|of| node("type", [id(of)]));
                node("unionfield", [id(name)].into_iter().chain(ty))
            });
            node("union", constructors)
        }
        ColourSetSpec::SubsetBy { of, predicate } => {
            node("subset", [id(of), node("by", [ml(predicate)])])
        }
        ColourSetSpec::SubsetWith { of, values } => {
            node("subset", [id(of), node("with", [ml(values)])])
        }
        ColourSetSpec::Alias { of } => node("alias", [id(of)]),
    }
}
