//! `info`: the contents of a model.

mod coloured;
mod processes;
mod symmetric;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::ExitCode;

use serde::Serialize;
use sweepline_pnml::{Net, NetModel};

use crate::args;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::print::{self, BOLD, grouped, styled};

use coloured::Coloured;
use processes::Composed;
use symmetric::Symmetric;

/// Runs the verb.
pub(crate) fn run(args: &args::Info) -> Result<ExitCode, Failure> {
    // A model with random distributions needs a seed; any will do.
    let mut input = args.input.clone();
    input.seed.get_or_insert(1);
    match load(&input)? {
        Loaded::Net(model) => {
            let contents = Contents::new(&model, args);
            show(args, &contents, Contents::text)?;
        }
        Loaded::Processes(model) => {
            let contents = Composed::new(&model);
            show(args, &contents, Composed::text)?;
        }
        Loaded::Coloured(model) => {
            let contents = Coloured::new(&model, args);
            show(args, &contents, Coloured::text)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show<T: Serialize>(
    args: &args::Info,
    contents: &T,
    text: impl Fn(&T) -> String,
) -> Result<(), Failure> {
    print::results(&match args.json {
        true => print::json(contents),
        false => text(contents),
    })
}

/// The contents of a net; the fields of the JSON object, in its order.
#[derive(Serialize)]
struct Contents {
    schema: u32,
    model: String,
    format: &'static str,
    places: usize,
    transitions: usize,
    arcs: usize,
    initial_tokens: u128,
    max_weight: u64,
    /// Every arc has weight 1.
    ordinary: bool,
    /// Places that are bounded by an invariant.
    bounded_places: usize,
    /// Bytes of a stored marking.
    marking_bytes: usize,
    /// Nodes without arcs.
    isolated_nodes: usize,
    /// The symmetric net that the net was unfolded from.
    #[serde(skip_serializing_if = "Option::is_none")]
    coloured: Option<Symmetric>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place_list: Option<Vec<PlaceRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transition_list: Option<Vec<TransitionRow>>,
}

#[derive(Serialize)]
struct PlaceRow {
    id: String,
    name: String,
    initial: u64,
    /// The most tokens, if an invariant implies a bound.
    bound: Option<u64>,
}

#[derive(Serialize)]
struct TransitionRow {
    id: String,
    name: String,
    inputs: usize,
    outputs: usize,
}

impl Contents {
    fn new(model: &NetModel, args: &args::Info) -> Self {
        let net = model.net();
        Contents {
            schema: 1,
            model: net.name.clone(),
            format: "pnml",
            places: net.n_places(),
            transitions: net.n_transitions(),
            arcs: net.n_arcs(),
            initial_tokens: net.n_initial_tokens(),
            max_weight: net.max_weight(),
            ordinary: net.max_weight() <= 1,
            bounded_places: model.bounds().iter().flatten().count(),
            marking_bytes: model.marking_bytes(),
            isolated_nodes: isolated(net),
            coloured: net.folded.as_deref().map(Symmetric::new),
            place_list: args.places.then(|| place_rows(model)),
            transition_list: args.transitions.then(|| transition_rows(net)),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<16}{value}");
        };
        line("model", styled(BOLD, &self.model));
        line("places", grouped(self.places as u64));
        line("transitions", grouped(self.transitions as u64));
        let weights = match self.ordinary {
            true => "all of weight 1".to_owned(),
            false => format!("of weight up to {}", grouped(self.max_weight)),
        };
        line("arcs", format!("{}, {weights}", grouped(self.arcs as u64)));
        line("initial tokens", grouped(self.initial_tokens));
        let bounded = grouped(self.bounded_places as u64);
        line("bounded places", format!("{bounded} of {}, by invariants", self.places));
        line("marking", format!("{} bytes", grouped(self.marking_bytes as u64)));
        line("isolated nodes", grouped(self.isolated_nodes as u64));
        if let Some(coloured) = &self.coloured {
            text.push_str(&coloured.text());
        }
        if let Some(places) = &self.place_list {
            text.push_str(&place_table(places));
        }
        if let Some(transitions) = &self.transition_list {
            text.push_str(&transition_table(transitions));
        }
        text
    }
}

fn isolated(net: &Net) -> usize {
    let arcs = net.transitions.iter().flat_map(|t| t.inputs.iter().chain(&t.outputs));
    let connected: BTreeSet<_> = arcs.map(|&(place, _)| place).collect();
    let lonely = net.transitions.iter().filter(|t| t.inputs.is_empty() && t.outputs.is_empty());
    net.n_places() - connected.len() + lonely.count()
}

fn place_rows(model: &NetModel) -> Vec<PlaceRow> {
    let places = model.net().places.iter().zip(model.bounds());
    let row = |(place, &bound): (&sweepline_pnml::Place, _)| PlaceRow {
        id: place.id.clone(),
        name: place.name.clone(),
        initial: place.initial,
        bound,
    };
    places.map(row).collect()
}

fn transition_rows(net: &Net) -> Vec<TransitionRow> {
    let row = |transition: &sweepline_pnml::Transition| TransitionRow {
        id: transition.id.clone(),
        name: transition.name.clone(),
        inputs: transition.inputs.len(),
        outputs: transition.outputs.len(),
    };
    net.transitions.iter().map(row).collect()
}

fn width<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0).clamp(4, 40)
}

fn place_table(places: &[PlaceRow]) -> String {
    let ids = width(places.iter().map(|place| place.id.as_str()));
    let names = width(places.iter().map(|place| place.name.as_str()));
    let mut text =
        format!("\n{:<ids$}  {:<names$}  {:>7}  {:>5}\n", "place", "name", "initial", "bound");
    for place in places {
        let bound = place.bound.map_or_else(|| "-".into(), grouped);
        let initial = grouped(place.initial);
        let (id, name) = (&place.id, &place.name);
        let _ = writeln!(text, "{id:<ids$}  {name:<names$}  {initial:>7}  {bound:>5}");
    }
    text
}

fn transition_table(transitions: &[TransitionRow]) -> String {
    let ids = width(transitions.iter().map(|t| t.id.as_str())).max("transition".len());
    let names = width(transitions.iter().map(|t| t.name.as_str()));
    let mut text =
        format!("\n{:<ids$}  {:<names$}  {:>3}  {:>3}\n", "transition", "name", "in", "out");
    for TransitionRow { id, name, inputs, outputs } in transitions {
        let _ = writeln!(text, "{id:<ids$}  {name:<names$}  {inputs:>3}  {outputs:>3}");
    }
    text
}
