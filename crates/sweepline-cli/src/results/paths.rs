//! The counterexamples of a run in the rows of its summary, for JSON and for the files of CI systems.

use serde_json::{Value, json};
use sweepline::{Property, Report, Witness};

use super::witness::listed;
use super::{Row, Summary, trace_steps};
use crate::front_end::FrontEnd;

/// A counterexample or witness as text.
#[derive(Clone, Debug, Default)]
pub(super) struct PathText {
    /// The lines that are printed for it, with every step.
    pub(super) lines: String,
    /// A line for each step: its action, and what it changed.
    pub(super) steps: Vec<String>,
}

impl PathText {
    pub(super) fn of<M: FrontEnd>(lines: &str, model: &M, run: Option<&Witness<M>>) -> Self {
        let lines = anstream::adapter::strip_str(lines).to_string();
        let steps = run.map_or_else(Vec::new, |run| trace_steps(model, run));
        let line = |step: super::TraceStep<'_>| match listed(&step.changes) {
            changes if changes.is_empty() => step.action.into_owned(),
            changes => format!("{}  {changes}", step.action),
        };
        PathText { lines, steps: steps.into_iter().map(line).collect() }
    }
}

impl Row {
    /// Everything that is printed for it below its verdict.
    pub(crate) fn details(&self) -> String {
        let mut lines: Vec<&str> = self.certificate.iter().map(String::as_str).collect();
        lines.extend(self.findings.iter().map(String::as_str));
        lines.extend(self.path_text.iter().map(|path| path.lines.trim_matches('\n')));
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }

    /// The steps of its counterexample.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &str> {
        self.path_text.iter().flat_map(|path| &path.steps).map(String::as_str)
    }

    /// Adds a run as data.
    pub(super) fn add_run<M: FrontEnd>(&mut self, model: &M, run: &Witness<M>) {
        let initial: serde_json::Map<String, Value> =
            model.parts(&run.initial).into_iter().map(|(name, c)| (name, json!(c))).collect();
        self.run = Some(json!({ "initial": initial, "steps": trace_steps(model, run) }));
    }
}

impl Summary {
    /// Adds the counterexamples to the rows, as text.
    pub(crate) fn add_texts<M: FrontEnd>(&mut self, model: &M, report: &Report<M>) {
        for (row, property) in self.properties.iter_mut().zip(&report.properties) {
            let mut lines = String::new();
            super::text::witness_lines(&mut lines, model, property, row, true);
            row.path_text = Some(PathText::of(&lines, model, property.verdict.witness()));
        }
    }

    /// Adds the counterexamples to the rows, as data.
    pub(crate) fn add_runs<M: FrontEnd>(&mut self, model: &M, properties: &[Property<M>]) {
        for (row, property) in self.properties.iter_mut().zip(properties) {
            if let Some(run) = property.verdict.witness() {
                row.add_run(model, run);
            }
        }
    }

    /// Says where properties are declared. `text` is the file, and `declared` are names and offsets.
    pub(crate) fn locate(&mut self, text: &[u8], declared: &[(&str, usize)]) {
        for row in &mut self.properties {
            let offset = declared.iter().find(|(name, _)| *name == row.name);
            let before = offset.and_then(|(_, offset)| text.get(..*offset));
            row.line = before.map(|text| text.iter().filter(|byte| **byte == b'\n').count() + 1);
        }
    }
}
