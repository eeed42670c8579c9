//! `graph`: writes the state space to a file in the memory of one window, or draws a part of it.

mod around;
mod format;
mod marking;
mod number;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::Path;
use std::process::ExitCode;

use sweepline::observe::{ClosedLayer, DECIDED, Flow, Observer, StateId, Visit};
use sweepline::progress::Trivial;
use sweepline::{Options, Progress, Statistics, StopReason, Value, explore};

use crate::args;
use crate::draw::part_text;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::load::{Loaded, load, on_model};
use crate::measure::{Need, along};
use crate::plan;
use crate::print::{self, grouped, warn};
use crate::watch::Line;

pub(crate) use format::{Format, quoted};
pub(crate) use marking::{MOST_NODES, coloured, place_transition};

use format::Draft;
use number::Numbers;

/// Graphviz takes minutes to lay out more states than this.
const LARGE_DRAWING: u64 = 10_000;

/// Approximate bytes of the index for each state.
const INDEX_BYTES: u64 = 6;

/// Runs the verb.
pub(crate) fn run(args: &args::Graph) -> Result<ExitCode, Failure> {
    let cache = args.measure.method == Some(args::Method::Cache);
    let help =
        "a cache would number a replaced state again: use `--method sweep` or `--method full`";
    Failure::refuse("graphs", help, &[("`--method cache`", cache)])?;
    let loaded = load(&args.input)?;
    match &args.part.marking {
        Some(what) => marking::draw(args, what, &loaded),
        None => on_model!(loaded, |model| write(args, &*model)),
    }
}

fn write<M: FrontEnd>(args: &args::Graph, model: &M) -> Result<ExitCode, Failure> {
    let format = Format::of(&args.output)
        .ok_or_else(|| Failure::GraphFormat { file: args.output.clone() })?;
    if format == Format::Svg || !args.part.around.is_empty() {
        return around::draw(args, model, format);
    }
    let measure = plan::measure(&args.measure, model, Need::Any, None)?;
    let mut options =
        plan::options(args.measure.monotone, &args.retention, &args.limits, measure.as_ref());
    let for_numbers = split(&mut options, model.state_bytes());
    let labels = args.labels == Some(args::Labels::Markings);
    let work = Work { model, format, labels, output: &args.output, for_numbers };
    let mut written = work.write(&along(model, measure.as_ref()), &options)?;
    if written.is_none() {
        warn("the measure is not monotone, so every state is stored");
        written = work.write(&Trivial, &options)?;
    }
    let (states, edges) = written.unwrap_or_default();
    if format == Format::Dot && states > LARGE_DRAWING {
        warn(
            "Graphviz needs minutes for so many states: write `.aut` or `.json`, or draw a part with `--around`",
        );
    }
    let file = args.output.display();
    print::results(&format!("{file}: {} states, {} edges\n", grouped(states), grouped(edges)))?;
    Ok(ExitCode::SUCCESS)
}

/// Divides the memory limit between the states and their numbers; the bytes for the numbers.
fn split(options: &mut Options, state_bytes: usize) -> Option<u64> {
    let limit = options.limits.memory?;
    let state = state_bytes as u64 + INDEX_BYTES;
    let store = limit / (state + number::BYTES) * state;
    options.limits.memory = Some(store);
    Some(limit - store)
}

/// The graph to write.
struct Work<'a, M> {
    model: &'a M,
    format: Format,
    labels: bool,
    output: &'a Path,
    /// The most bytes for the numbers of states.
    for_numbers: Option<u64>,
}

impl<M: FrontEnd> Work<'_, M> {
    /// Explores and writes; the numbers of states and edges, or `None` if a regress edge leaves the window, because
    /// its target would be numbered twice. No file remains after a failure.
    fn write(
        &self,
        progress: &dyn Progress<M>,
        options: &Options,
    ) -> Result<Option<(u64, u64)>, Failure> {
        let failure = Failure::writing(self.output);
        let draft = Draft::new(self.format, self.labels, self.output).map_err(&failure)?;
        let mut writer = Writer {
            model: self.model,
            format: self.format,
            draft,
            numbers: Numbers::new(self.for_numbers),
            labels: VecDeque::new(),
            not_monotone: false,
            error: None,
            line: Line::default(),
        };
        let run = explore(self.model, progress, options, &mut writer);
        writer.line.clear();
        if let Some(error) = writer.error {
            return Err(failure(error));
        }
        if writer.not_monotone || !run.statistics.is_exact() {
            return Ok(None);
        }
        let full = writer.numbers.is_beyond_limit().then_some(StopReason::Memory);
        if let Some(reason) = full.or(run.stop) {
            return Err(Failure::GraphIncomplete { help: help(&reason), reason: Box::new(reason) });
        }
        let n_states = writer.numbers.given();
        let title = self.model.name();
        writer.draft.assemble(title, n_states).map(Some).map_err(failure)
    }
}

fn help(reason: &StopReason) -> Option<String> {
    let help = match reason {
        StopReason::Time | StopReason::Memory | StopReason::States => "raise the limit",
        StopReason::Regress(_) => "remove `--monotone strict`, or set a `--window`",
        _ => return None,
    };
    Some(help.into())
}

/// Writes edges during the sweep.
struct Writer<'a, M> {
    model: &'a M,
    format: Format,
    draft: Draft,
    numbers: Numbers,
    /// The labels of edges whose targets have no number yet.
    labels: VecDeque<Cow<'a, str>>,
    not_monotone: bool,
    error: Option<std::io::Error>,
    line: Line<'a>,
}

impl<M> Writer<'_, M> {
    fn flow(&mut self, written: std::io::Result<()>) -> Flow {
        match written {
            Ok(()) if self.numbers.is_beyond_limit() => DECIDED,
            Ok(()) => Ok(()),
            Err(error) => {
                self.error = Some(error);
                DECIDED
            }
        }
    }
}

impl<M: FrontEnd> Writer<'_, M> {
    fn label(&self, visit: &Visit<'_, M>) -> String {
        match self.format {
            Format::Dot => {
                let parts: Vec<String> =
                    self.model.parts(visit.state).iter().map(part_text).collect();
                parts.join("\n")
            }
            Format::Aut | Format::Json | Format::Svg => self.model.describe(visit.state),
        }
    }
}

impl<M: FrontEnd> Observer<M> for Writer<'_, M> {
    fn node(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        let number = self.numbers.of(visit.id);
        self.labels.extend(self.model.actions(visit.state));
        let written = match self.draft.has_labels() {
            true => self.draft.state(number, &self.label(visit)),
            false => Ok(()),
        };
        self.flow(written)
    }

    fn dead(&mut self, visit: &Visit<'_, M>, _worker: &mut M::Worker) -> Flow {
        if self.model.has_terminated(visit.state) {
            return Ok(());
        }
        let number = self.numbers.of(visit.id);
        let written = self.draft.dead(number);
        self.flow(written)
    }

    fn link(&mut self, source: StateId, _: &M::Action, target: StateId, _new: bool) -> Flow {
        let (source, target) = (self.numbers.of(source), self.numbers.of(target));
        let label = self.labels.pop_front().unwrap_or_default();
        let written = self.draft.edge(source, &label, target);
        self.flow(written)
    }

    fn layer_closed(&mut self, layer: &ClosedLayer<'_>, statistics: &Statistics) -> Flow {
        self.numbers.drop_layer(layer.serial);
        self.not_monotone = !statistics.is_exact();
        if self.not_monotone { DECIDED } else { Ok(()) }
    }

    fn pulse(&mut self, line: &Value, statistics: &Statistics) {
        self.line.show(line, statistics);
    }

    fn watches_links(&self) -> bool {
        true
    }
}
