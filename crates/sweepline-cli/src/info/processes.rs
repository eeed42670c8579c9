//! What is in a composition of processes.

use std::fmt::Write;

use serde::Serialize;

use crate::front_end::{Describe, Processes};
use crate::print::{BOLD, grouped, styled};

/// Components that are listed.
const LISTED: usize = 40;

/// The fields of the JSON object, in its order.
#[derive(Serialize)]
pub(super) struct Composed {
    schema: u32,
    model: String,
    format: &'static str,
    components: Vec<Component>,
    events: usize,
    rules: usize,
    /// Bytes of a stored state.
    state_bytes: usize,
}

#[derive(Serialize)]
struct Component {
    name: String,
    states: usize,
    edges: usize,
    /// Ranks of its strongly connected components: how far it can go for good.
    ranks: u32,
    /// How far it is around its longest cycle.
    depths: u32,
}

impl Composed {
    pub(super) fn new(model: &Processes) -> Self {
        let composition = model.composition();
        let graded = composition.components().iter().zip(composition.gradings());
        let component =
            |((lts, grading), name): ((&sweepline_lts::Lts, &sweepline_lts::Grading), &String)| {
                Component {
                    name: name.clone(),
                    states: lts.n_states(),
                    edges: lts.n_edges(),
                    ranks: grading.most_ranks() + 1,
                    depths: grading.most_depths() + 1,
                }
            };
        Composed {
            schema: 1,
            model: model.name().to_owned(),
            format: "processes",
            components: graded.zip(model.components()).map(component).collect(),
            events: composition.labels().len() - 2,
            rules: composition.rules().len(),
            state_bytes: composition.state_bytes(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<16}{value}");
        };
        line("model", styled(BOLD, &self.model).to_string());
        line("components", grouped(self.components.len() as u64));
        line("events", grouped(self.events as u64));
        line("rules", grouped(self.rules as u64));
        line("state", format!("{} bytes", self.state_bytes));
        let listed = &self.components[..self.components.len().min(LISTED)];
        let width = listed.iter().map(|c| c.name.chars().count()).max().unwrap_or(0).max(9);
        let _ = writeln!(
            text,
            "\n{:<width$}  {:>9}  {:>9}  {:>6}  {:>6}",
            "component", "states", "edges", "ranks", "depths"
        );
        for Component { name, states, edges, ranks, depths } in listed {
            let (states, edges) = (grouped(*states as u64), grouped(*edges as u64));
            let _ =
                writeln!(text, "{name:<width$}  {states:>9}  {edges:>9}  {ranks:>6}  {depths:>6}");
        }
        if self.components.len() > LISTED {
            let _ = writeln!(text, "… {} more", self.components.len() - LISTED);
        }
        text
    }
}
