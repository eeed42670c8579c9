//! Declarations as elements.

use sweepline_ml::{ColourSetSpec, Declared, Environment};
use sweepline_source::Text;

use super::xml::Xml;
use crate::read::{Declaration, DeclarationKind};

pub(super) fn all(xml: &mut Xml, declarations: &[Declaration]) {
    let environment = Environment::default();
    xml.open("globbox", &[]);
    let id = xml.fresh();
    xml.open("block", &[("id", &id)]);
    xml.element("id", &[], "Declarations");
    for declaration in declarations {
        one(xml, &environment, &declaration.kind);
    }
    xml.close("block");
    xml.close("globbox");
}

fn one(xml: &mut Xml, environment: &Environment, kind: &DeclarationKind) {
    match kind {
        DeclarationKind::Ml(text) => match environment.declared(text.as_str()) {
            Some(declared) => self::declared(xml, &declared, text.trim()),
            None => {
                let id = xml.fresh();
                xml.element("ml", &[("id", &id)], text.trim());
            }
        },
        DeclarationKind::ColourSet { name, spec, declares, timed, .. } => {
            let (name, spec) = (name.trim().to_owned(), spec.clone());
            let declares = declares.clone();
            declared(xml, &Declared::ColourSet { name, spec, declares, timed: *timed }, "");
        }
        DeclarationKind::Variables { names, colour_set } => {
            let names = names.iter().map(|name| Text::trim(name).to_owned()).collect();
            let colour_set = colour_set.trim().to_owned();
            declared(xml, &Declared::Variables { names, colour_set }, "");
        }
        DeclarationKind::Reference { name, value } => {
            let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
            declared(xml, &Declared::Reference { name, value }, "");
        }
        DeclarationKind::Use(file) => declared(xml, &Declared::Use(file.trim().to_owned()), ""),
    }
}

/// What is no ML, with the text it was made of.
fn declared(xml: &mut Xml, declared: &Declared, layout: &str) {
    let id = xml.fresh();
    let id = [("id", id.as_str())];
    match declared {
        Declared::ColourSet { name, spec, declares, timed } => {
            xml.open("color", &id);
            xml.element("id", &[], name);
            if *timed {
                xml.empty("timed", &[]);
            }
            self::spec(xml, spec);
            if !declares.is_empty() {
                xml.open("declare", &[]);
                declares.iter().for_each(|function| xml.element("id", &[], function));
                xml.close("declare");
            }
            if !layout.is_empty() {
                xml.element("layout", &[], layout);
            }
            xml.close("color");
        }
        Declared::Variables { names, colour_set } => {
            xml.open("var", &id);
            xml.open("type", &[]);
            xml.element("id", &[], colour_set);
            xml.close("type");
            names.iter().for_each(|name| xml.element("id", &[], name));
            if !layout.is_empty() {
                xml.element("layout", &[], layout);
            }
            xml.close("var");
        }
        Declared::Reference { name, value } => {
            xml.open("globref", &id);
            xml.element("id", &[], name);
            xml.element("ml", &[], value);
            xml.close("globref");
        }
        Declared::Use(file) => {
            xml.open("use", &id);
            xml.element("ml", &[], file);
            xml.close("use");
        }
    }
}

fn pair(xml: &mut Xml, name: &str, part: &str, range: Option<&(String, String)>) {
    if let Some((low, high)) = range {
        xml.open(name, &[]);
        xml.element(part, &[], low);
        xml.element(part, &[], high);
        xml.close(name);
    }
}

/// A kind of colour set with its parts.
fn spec(xml: &mut Xml, spec: &ColourSetSpec) {
    let with_range = |xml: &mut Xml, name: &str, range: &Option<(String, String)>| {
        xml.open(name, &[]);
        pair(xml, "with", "ml", range.as_ref());
        xml.close(name);
    };
    let ids = |xml: &mut Xml, name: &str, ids: &[String]| {
        xml.open(name, &[]);
        ids.iter().for_each(|id| xml.element("id", &[], id));
        xml.close(name);
    };
    match spec {
        ColourSetSpec::Unit { token } => {
            xml.open("unit", &[]);
            token.iter().for_each(|token| {
                xml.open("with", &[]);
                xml.element("id", &[], token);
                xml.close("with");
            });
            xml.close("unit");
        }
        ColourSetSpec::Bool { names } => {
            xml.open("bool", &[]);
            pair(xml, "with", "id", names.as_ref());
            xml.close("bool");
        }
        ColourSetSpec::Int { range } => with_range(xml, "int", range),
        ColourSetSpec::IntInf { range } => with_range(xml, "intinf", range),
        ColourSetSpec::Real { range } => with_range(xml, "real", range),
        ColourSetSpec::Time => xml.empty("time", &[]),
        ColourSetSpec::String { characters, length } => string(xml, characters, length),
        ColourSetSpec::Enum { values } => ids(xml, "enum", values),
        ColourSetSpec::Index { name, low, high } => {
            xml.open("index", &[]);
            xml.element("ml", &[], low);
            xml.element("ml", &[], high);
            xml.element("id", &[], name);
            xml.close("index");
        }
        ColourSetSpec::Product { components } => ids(xml, "product", components),
        ColourSetSpec::Record { fields } => {
            xml.open("record", &[]);
            fields.iter().for_each(|field| pair(xml, "recordfield", "id", Some(field)));
            xml.close("record");
        }
        ColourSetSpec::List { element, length } => {
            xml.open("list", &[]);
            pair(xml, "with", "ml", length.as_ref());
            xml.element("id", &[], element);
            xml.close("list");
        }
        ColourSetSpec::Union { constructors } => {
            xml.open("union", &[]);
            constructors.iter().for_each(|(name, of)| constructor(xml, name, of.as_deref()));
            xml.close("union");
        }
        ColourSetSpec::SubsetBy { of, predicate } => subset(xml, of, "by", predicate),
        ColourSetSpec::SubsetWith { of, values } => subset(xml, of, "with", values),
        ColourSetSpec::Alias { of } => ids(xml, "alias", std::slice::from_ref(of)),
    }
}

fn string(xml: &mut Xml, characters: &Option<(String, String)>, length: &Option<(String, String)>) {
    xml.open("string", &[]);
    match characters {
        Some((low, high)) => {
            xml.open("with", &[]);
            xml.element("ml", &[], low);
            xml.element("ml", &[], high);
            pair(xml, "and", "ml", length.as_ref());
            xml.close("with");
        }
        None => pair(xml, "and", "ml", length.as_ref()),
    }
    xml.close("string");
}

fn constructor(xml: &mut Xml, name: &str, of: Option<&str>) {
    xml.open("unionfield", &[]);
    xml.element("id", &[], name);
    if let Some(of) = of {
        xml.open("type", &[]);
        xml.element("id", &[], of);
        xml.close("type");
    }
    xml.close("unionfield");
}

fn subset(xml: &mut Xml, of: &str, clause: &str, ml: &str) {
    xml.open("subset", &[]);
    xml.element("id", &[], of);
    xml.open(clause, &[]);
    xml.element("ml", &[], ml);
    xml.close(clause);
    xml.close("subset");
}
