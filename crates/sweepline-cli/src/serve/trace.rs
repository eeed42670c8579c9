//! Traces: files of `--trace` as runs, and changes as data for a page.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use sweepline::model::initial;
use sweepline_serve::Refusal;

use super::game::Player;
use super::play::Play;
use crate::front_end::{Change, FrontEnd};
use crate::print::grouped;

/// A file of `--trace`.
#[derive(Deserialize)]
struct File {
    witnesses: Vec<Recorded>,
}

/// A run of such a file.
#[derive(Deserialize)]
pub(super) struct Recorded {
    initial: BTreeMap<String, Value>,
    steps: Vec<RecordedStep>,
    #[serde(default)]
    loop_start: Option<usize>,
}

#[derive(Deserialize)]
struct RecordedStep {
    action: String,
    #[serde(default)]
    changes: Value,
}

impl Recorded {
    /// The first run of a file.
    pub(super) fn read(text: &str) -> Result<Self, Refusal> {
        let file: File = serde_json::from_str(text).map_err(|error| {
            Refusal::new(format!("this is no file of `sweepline check --trace`: {error}"))
        })?;
        let first = file.witnesses.into_iter().next();
        first.ok_or_else(|| Refusal::new("the file has no counterexample or witness"))
    }

    /// The same run from any initial state.
    pub(super) fn anywhere(mut self) -> Self {
        self.initial.clear();
        self
    }
}

impl<M: FrontEnd + Send + 'static> Play<M> {
    /// Takes the steps of a trace. Where several enabled steps have the same name, what they change tells them apart.
    pub(super) fn replay(&mut self, recorded: &Recorded) -> Result<(), Refusal> {
        self.start(recorded)?;
        for (number, step) in (1..).zip(&recorded.steps) {
            let names = self.names()?;
            let mut all: Vec<usize> =
                (0..names.len()).filter(|&choice| names[choice] == step.action).collect();
            if all.len() > 1 && !step.changes.is_null() {
                let mut same = Vec::new();
                for &choice in &all {
                    if json!(self.changes_of(choice)?) == step.changes {
                        same.push(choice);
                    }
                }
                all = if same.is_empty() { all } else { same };
            }
            let Some(&choice) = all.first() else {
                return Err(Refusal::new(format!(
                    "step {} of the trace, `{}`, is not enabled: the model or its parameters differ",
                    grouped(number as u64),
                    step.action
                )));
            };
            self.step(choice)?;
        }
        self.path.back = recorded.loop_start;
        Ok(())
    }

    /// Begins in the initial state of a trace.
    fn start(&mut self, recorded: &Recorded) -> Result<(), Refusal> {
        let model = &self.game.model;
        let parts_of = |state: &M::State| -> BTreeMap<String, Value> {
            let parts = model.parts(state).into_iter();
            parts.map(|(name, content)| (name, json!(content))).collect()
        };
        let start = initial(model)
            .into_iter()
            .find(|state| recorded.initial.is_empty() || parts_of(state) == recorded.initial);
        let start = start.ok_or_else(|| {
            Refusal::new(
                "the trace begins in another state: set the parameters that it was made with",
            )
        })?;
        self.path.initial = start;
        Ok(())
    }
}

/// A change as data: the place with its values before and after, or with the tokens taken and put.
pub(super) fn change(change: &Change) -> Value {
    match &change.difference {
        None => json!([change.place, change.before.to_string(), change.after.to_string()]),
        Some(difference) => json!([change.place, difference.taken, difference.put, true]),
    }
}
