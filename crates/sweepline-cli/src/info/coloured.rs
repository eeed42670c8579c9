//! What is in a coloured net.

use std::fmt::Write;

use serde::Serialize;
use sweepline::model::initial;
use sweepline_cpn::{CpnModel, Net, ValueSource};
use sweepline_ml::core::{Bind, ExprKind};
use sweepline_ml::{TimeType, Type};

use super::width;
use sweepline_query::{Measure, Operand, Property};
use sweepline_source::Text;

use crate::args;
use crate::front_end::Describe;
use crate::print::{BOLD, grouped, styled};

/// What is in a net; the fields of the JSON object, in its order.
#[derive(Serialize)]
pub(super) struct Coloured {
    schema: u32,
    model: String,
    format: &'static str,
    pages: Vec<PageRow>,
    places: usize,
    transitions: usize,
    colour_sets: usize,
    /// `none`, `integer` or `real`.
    time: &'static str,
    /// Values that `--param` can change.
    parameters: Vec<Parameter>,
    /// The measures that its file names.
    measures: Vec<MeasureRow>,
    /// The properties that its file names.
    properties: Vec<PropertyRow>,
    /// Transitions with code segments.
    code_segments: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    place_list: Option<Vec<PlaceRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transition_list: Option<Vec<TransitionRow>>,
}

#[derive(Serialize)]
struct PageRow {
    name: String,
    instances: u32,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct MeasureRow {
    name: String,
    progress: String,
}

#[derive(Serialize)]
struct PropertyRow {
    name: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    expression: String,
}

#[derive(Serialize)]
struct PlaceRow {
    name: String,
    colour_set: String,
    initial: String,
}

#[derive(Serialize)]
struct TransitionRow {
    name: String,
    variables: Vec<String>,
    /// Those whose values are not given by tokens or the guard: all of their colour set are tried.
    free: Vec<String>,
}

impl Coloured {
    pub(super) fn new(model: &CpnModel, args: &args::Info) -> Self {
        let net = model.net();
        let page = |page: &sweepline_cpn::Page| PageRow {
            name: page.name.clone(),
            instances: page.n_instances,
        };
        Coloured {
            schema: 1,
            model: model.name().to_owned(),
            format: "cpn",
            pages: net.pages.iter().map(page).collect(),
            places: net.places.len(),
            transitions: net.transitions.len(),
            colour_sets: net.environment.colour_sets().len(),
            time: match (model.is_timed(), net.time) {
                (false, _) => "none",
                (true, TimeType::Real) => "real",
                (true, _) => "integer",
            },
            parameters: parameters(net),
            measures: net.measures.iter().map(measure).collect(),
            properties: net.properties.iter().map(property).collect(),
            code_segments: net.behaviours.iter().filter(|b| b.code.is_some()).count(),
            place_list: args.places.then(|| places(model)),
            transition_list: args.transitions.then(|| transitions(net)),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<16}{value}");
        };
        line("model", styled(BOLD, &self.model));
        let page = |page: &PageRow| match page.instances {
            1 => page.name.clone(),
            several => format!("{} ({several} instances)", page.name),
        };
        line("pages", self.pages.iter().map(page).collect::<Vec<_>>().join(", "));
        line("places", grouped(self.places as u64));
        line("transitions", grouped(self.transitions as u64));
        line("colour sets", grouped(self.colour_sets as u64));
        line("code segments", grouped(self.code_segments as u64));
        line("time", self.time.into());
        let parameter = |p: &Parameter| format!("{} = {}", p.name, p.value);
        let parameters: Vec<String> = self.parameters.iter().map(parameter).collect();
        line(
            "parameters",
            if parameters.is_empty() { "none".into() } else { parameters.join(", ") },
        );
        let measures = self.measures.iter().map(|m| format!("{}: {}", m.name, m.progress));
        let properties = self.properties.iter().map(|property| {
            let PropertyRow { name, kind, expression } = property;
            format!("{name}: {kind} {expression}").trim_end().to_owned()
        });
        text.push_str(&listed("measures", measures));
        text.push_str(&listed("properties", properties));
        if let Some(places) = &self.place_list {
            text.push_str(&place_table(places));
        }
        if let Some(transitions) = &self.transition_list {
            text.push_str(&transition_table(transitions));
        }
        text
    }
}

/// Several things, each on a line of its own; nothing where there are none.
fn listed(name: &str, things: impl Iterator<Item = String>) -> String {
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    names.zip(things).map(|(name, thing)| format!("{name:<16}{thing}\n")).collect()
}

/// A text in one line.
fn one_line(text: &Text) -> String {
    text.as_str().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn measure(measure: &Measure) -> MeasureRow {
    MeasureRow { name: measure.name.clone(), progress: one_line(&measure.text) }
}

fn property(property: &Property) -> PropertyRow {
    let kind = property.kind.word();
    let expression = match one_line(&property.text) {
        name if property.kind.operand() == Operand::Transition && name.contains(' ') => {
            format!("\"{name}\"")
        }
        text => text,
    };
    PropertyRow { name: property.name.clone(), kind, expression }
}

/// Values of simple types that the model itself declares.
fn parameters(net: &Net) -> Vec<Parameter> {
    let program = net.environment.program();
    let mut parameters = Vec::new();
    for bind in &program.binds {
        let Bind::Value { var, value, .. } = bind else { continue };
        let simple = matches!(
            program.types.get(value.ty),
            Type::Int | Type::IntInf | Type::Real | Type::String | Type::Data(..)
        );
        let literal = matches!(value.kind, ExprKind::Literal(_) | ExprKind::Construct { .. });
        let sources = net.environment.sources();
        let name = program.variables[var.0 as usize].name.to_string();
        let visible = net.environment.function(&name) == Some(*var) && !name.contains('\'');
        if simple && literal && visible && !sources.is_library(value.span.source) {
            parameters.push(Parameter { name, value: sources.text(value.span).to_owned() });
        }
    }
    parameters
}

fn places(model: &CpnModel) -> Vec<PlaceRow> {
    let net = model.net();
    let start = initial(model).first().map(|marking| model.show_marking(marking));
    let start = start.unwrap_or_default();
    let row = |place: &sweepline_cpn::Place| PlaceRow {
        name: place.name.clone(),
        colour_set: net.environment.colour_set(place.colour_set).name.to_string(),
        initial: start
            .iter()
            .find(|(name, _)| *name == place.name)
            .map_or_else(|| "empty".into(), |(_, tokens)| tokens.clone()),
    };
    net.places.iter().map(row).collect()
}

fn transitions(net: &Net) -> Vec<TransitionRow> {
    let row = |transition: &sweepline_cpn::Transition| {
        let variables = &net.behaviour(transition).variables;
        let is_free = |v: &&sweepline_cpn::Variable| {
            matches!(v.source, ValueSource::Free | ValueSource::Enumerated)
        };
        TransitionRow {
            name: transition.name.clone(),
            variables: variables.iter().map(|v| v.name.clone()).collect(),
            free: variables.iter().filter(is_free).map(|v| v.name.clone()).collect(),
        }
    };
    net.transitions.iter().map(row).collect()
}

fn place_table(places: &[PlaceRow]) -> String {
    let names = width(places.iter().map(|place| place.name.as_str()));
    let sets = width(places.iter().map(|place| place.colour_set.as_str())).max("colour set".len());
    let mut text = format!("\n{:<names$}  {:<sets$}  initial marking\n", "place", "colour set");
    for PlaceRow { name, colour_set, initial } in places {
        let _ = writeln!(text, "{name:<names$}  {colour_set:<sets$}  {initial}");
    }
    text
}

fn transition_table(transitions: &[TransitionRow]) -> String {
    let names = width(transitions.iter().map(|t| t.name.as_str())).max("transition".len());
    let mut text = format!("\n{:<names$}  variables\n", "transition");
    for TransitionRow { name, variables, free } in transitions {
        let free = match free.is_empty() {
            true => String::new(),
            false => format!("; all values tried of {}", free.join(", ")),
        };
        let _ = writeln!(text, "{name:<names$}  {}{free}", variables.join(", "));
    }
    text
}
