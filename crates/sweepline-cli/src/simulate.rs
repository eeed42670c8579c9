//! `simulate`: random runs, the same for the same seed.

use std::fmt::Write;
use std::process::ExitCode;

use fastrand::Rng;
use serde::Serialize;
use sweepline::Witness;
use sweepline::model::{initial, successors};
use sweepline::observe::Step;
use sweepline_pnml::{Marking, NetModel, Predicate, parse_predicate};

use crate::args;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::print::{self, BOLD, grouped, styled};
use crate::report::{TraceStep, steps, trace_steps};
use crate::subject::Subject;

/// Runs the verb.
pub(crate) fn run(args: &args::Simulate) -> Result<ExitCode, Failure> {
    let Loaded::Net(model) = load(&args.input)?;
    let until = args.until.as_deref().map(|text| parse_predicate(model.net(), text)).transpose()?;
    let stop = Stop { steps: args.steps, until };
    let seeds = (0..args.runs).map(|run| args.seed.wrapping_add(run));
    let runs =
        seeds.map(|seed| Run::at_random(&model, seed, &stop)).collect::<Result<Vec<_>, _>>()?;
    print::results(&if args.json { json(&model, &runs) } else { text(&model, &runs) })?;
    Ok(ExitCode::SUCCESS)
}

/// When a run ends, dead states apart.
struct Stop {
    steps: usize,
    until: Option<Predicate>,
}

impl Stop {
    fn here(&self, model: &NetModel, state: &Marking, n_steps: usize) -> Option<End> {
        let reached = |until: &Predicate| until.holds(&model.view(state));
        if self.until.as_ref().is_some_and(reached) {
            return Some(End::Until);
        }
        (n_steps == self.steps).then_some(End::Steps)
    }
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    /// Its last state has no successor.
    Dead,
    /// Its last state is what was waited for.
    Until,
    /// It has all its steps.
    Steps,
}

struct Run {
    seed: u64,
    path: Witness<NetModel>,
    end: End,
}

impl Run {
    fn at_random(model: &NetModel, seed: u64, stop: &Stop) -> Result<Self, Failure> {
        let mut choices = Rng::with_seed(seed);
        let mut starts = initial(model);
        let start = starts.swap_remove(choices.usize(..starts.len()));
        let mut path = Witness { initial: start, steps: Vec::new() };
        loop {
            if let Some(end) = stop.here(model, path.last(), path.len()) {
                return Ok(Run { seed, path, end });
            }
            let mut next = successors(model, path.last())
                .map_err(|error| Failure::Model { message: error.to_string() })?;
            if next.is_empty() {
                return Ok(Run { seed, path, end: End::Dead });
            }
            let (action, state) = next.swap_remove(choices.usize(..next.len()));
            path.steps.push(Step { action, state });
        }
    }
}

fn text(model: &NetModel, runs: &[Run]) -> String {
    let mut text = String::new();
    for run in runs {
        let end = match run.end {
            End::Dead => "ends in a dead state",
            End::Until => "reaches what was asked for",
            End::Steps => "has all its steps",
        };
        let n_steps = grouped(run.path.len() as u64);
        let title = styled(BOLD, format_args!("seed {}", run.seed));
        let _ = writeln!(text, "{title}: {n_steps} steps, {end}");
        text.push_str(&steps(model, &run.path, true));
    }
    text
}

fn json<'m>(model: &'m NetModel, runs: &'m [Run]) -> String {
    #[derive(Serialize)]
    struct Object<'a> {
        schema: u32,
        model: &'a str,
        runs: Vec<Shown<'a>>,
    }
    #[derive(Serialize)]
    struct Shown<'a> {
        seed: u64,
        length: usize,
        end: End,
        steps: Vec<TraceStep<'a>>,
    }
    let shown = |run: &'m Run| Shown {
        seed: run.seed,
        length: run.path.len(),
        end: run.end,
        steps: trace_steps(model, &run.path),
    };
    let object = Object { schema: 1, model: model.name(), runs: runs.iter().map(shown).collect() };
    serde_json::to_string_pretty(&object).expect("only string keys") + "\n"
}
