//! The witnesses of a report as a JSON file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sweepline::{Property, Report, Witness};

use crate::failure::Failure;
use crate::front_end::{Change, Content, FrontEnd};
use crate::output::NewFile;

#[derive(Serialize)]
struct Trace<'a> {
    schema: u32,
    model: &'a str,
    witnesses: Vec<Run<'a>>,
}

#[derive(Serialize)]
pub(super) struct Run<'a> {
    property: &'a str,
    kind: &'static str,
    verdict: &'static str,
    length: usize,
    /// The number of the state at which the cycle of a lasso begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_start: Option<usize>,
    /// The tokens of the marked places at the start.
    initial: BTreeMap<String, Content>,
    steps: Vec<TraceStep<'a>>,
}

/// One step of a run, as data.
#[derive(Serialize)]
pub(crate) struct TraceStep<'a> {
    pub(crate) action: Cow<'a, str>,
    pub(crate) changes: Vec<Change>,
}

/// The file of `--trace`, which was found to be writable.
pub(crate) struct TraceFile {
    path: PathBuf,
}

impl TraceFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        NewFile::check(path).map_err(Failure::writing(path))?;
        Ok(TraceFile { path: path.to_owned() })
    }
}

/// Writes the witnesses of `report`.
pub(crate) fn write_trace<M: FrontEnd>(
    model: &M,
    report: &Report<M>,
    trace_file: TraceFile,
) -> Result<(), Failure> {
    let witnesses = report.properties.iter().filter_map(|p| as_run(model, p)).collect();
    write_runs(model.name(), witnesses, trace_file)
}

/// Writes runs of models.
pub(super) fn write_runs(
    model: &str,
    witnesses: Vec<Run<'_>>,
    trace_file: TraceFile,
) -> Result<(), Failure> {
    let trace = Trace { schema: 1, model, witnesses };
    let failure = Failure::writing(&trace_file.path);
    let mut file = NewFile::create(&trace_file.path).map_err(&failure)?;
    let mut out = BufWriter::new(&mut file);
    serde_json::to_writer_pretty(&mut out, &trace).map_err(|error| failure(error.into()))?;
    writeln!(out).and_then(|()| out.flush()).map_err(&failure)?;
    drop(out);
    file.finish().map_err(failure)
}

/// A run as the text of a file of `--trace`.
pub(crate) fn trace_of<M: FrontEnd>(model: &M, run: &Witness<M>) -> String {
    let run = Run::new(model, "run", "run", "none", run);
    crate::print::json(&Trace { schema: 1, model: model.name(), witnesses: vec![run] })
}

fn as_run<'a, M: FrontEnd>(model: &'a M, property: &'a Property<M>) -> Option<Run<'a>> {
    let run = property.verdict.witness()?;
    Some(Run::new(model, &property.name, property.kind, property.verdict.word(), run))
}

impl<'a> Run<'a> {
    pub(super) fn new<M: FrontEnd>(
        model: &'a M,
        property: &'a str,
        kind: &'static str,
        verdict: &'static str,
        run: &'a Witness<M>,
    ) -> Self {
        Run {
            property,
            kind,
            verdict,
            length: run.len(),
            loop_start: run.back,
            initial: model.parts(&run.initial).into_iter().collect(),
            steps: trace_steps(model, run),
        }
    }
}

/// The steps of a run, as data.
pub(crate) fn trace_steps<'a, M: FrontEnd>(
    model: &'a M,
    run: &'a Witness<M>,
) -> Vec<TraceStep<'a>> {
    let mut before = &run.initial;
    let step = |step: &'a sweepline::observe::Step<M>| {
        let changes = model.changes(before, &step.state);
        let action = model.action(before, &step.action);
        before = &step.state;
        TraceStep { action, changes }
    };
    run.steps.iter().map(step).collect()
}
