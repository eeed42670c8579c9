//! Colour set declarations as text.

use sweepline_ml::ColourSetSpec;

/// `colset NAME = ... timed declare ...;`
pub(super) fn declaration(
    name: &str,
    spec: &ColourSetSpec,
    declares: &[String],
    timed: bool,
) -> String {
    let mut text = format!("colset {name} = {}", kind(spec));
    if timed {
        text.push_str(" timed");
    }
    if !declares.is_empty() {
        text.push_str(" declare ");
        text.push_str(&declares.join(", "));
    }
    text.push(';');
    text
}

fn range(word: &str, range: &Option<(String, String)>) -> String {
    match range {
        Some((low, high)) => format!(" {word} {low}..{high}"),
        None => String::new(),
    }
}

fn kind(spec: &ColourSetSpec) -> String {
    let with = |bounds| range("with", bounds);
    match spec {
        ColourSetSpec::Unit { token: None } => "unit".into(),
        ColourSetSpec::Unit { token: Some(token) } => format!("unit with {token}"),
        ColourSetSpec::Bool { names: None } => "bool".into(),
        ColourSetSpec::Bool { names: Some((no, yes)) } => format!("bool with ({no}, {yes})"),
        ColourSetSpec::Int { range } => format!("int{}", with(range)),
        ColourSetSpec::IntInf { range } => format!("intinf{}", with(range)),
        ColourSetSpec::Real { range } => format!("real{}", with(range)),
        ColourSetSpec::String { characters, length } => {
            format!("string{}{}", with(characters), range("and", length))
        }
        ColourSetSpec::Time => "time".into(),
        ColourSetSpec::Enum { values } => format!("with {}", values.join(" | ")),
        ColourSetSpec::Index { name, low, high } => format!("index {name} with {low}..{high}"),
        ColourSetSpec::Product { components } => format!("product {}", components.join(" * ")),
        ColourSetSpec::Record { fields } => {
            let fields: Vec<String> =
                fields.iter().map(|(label, of)| format!("{label} : {of}")).collect();
            format!("record {}", fields.join(" * "))
        }
        ColourSetSpec::List { element, length } => format!("list {element}{}", with(length)),
        ColourSetSpec::Union { constructors } => {
            let constructor = |(name, of): &(String, Option<String>)| match of {
                Some(of) => format!("{name} : {of}"),
                None => name.clone(),
            };
            let constructors: Vec<String> = constructors.iter().map(constructor).collect();
            format!("union {}", constructors.join(" + "))
        }
        ColourSetSpec::SubsetBy { of, predicate } => format!("subset {of} by {predicate}"),
        ColourSetSpec::SubsetWith { of, values } => format!("subset {of} with {values}"),
        ColourSetSpec::Alias { of } => of.clone(),
    }
}
