//! `simulate`: random runs, the same for the same seed, or runs step by step.

mod interactive;
mod statistics;

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use fastrand::Rng;
use serde::Serialize;
use sweepline::{ModelError, Walk, Witness};

use crate::args;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::load::{Loaded, load, on_model};
use crate::print::{self, BOLD, grouped, styled};
use crate::results::{TraceStep, steps, trace_steps};
use crate::written;
use statistics::{Gathered, Questions, Statistics};

/// Runs the verb.
pub(crate) fn run(args: &args::Simulate) -> Result<ExitCode, Failure> {
    // A simulation always has a seed, so that it can be repeated.
    let mut input = args.input.clone();
    input.seed.get_or_insert(1);
    input.keeps_files = args.output_dir.is_some();
    on_model!(load(&input)?, |model| simulate(args, &*model))
}

fn simulate<M: FrontEnd>(args: &args::Simulate, model: &M) -> Result<ExitCode, Failure> {
    if args.interactive {
        interactive::play(model, args.input.seed.unwrap_or(1))?;
        return Ok(ExitCode::SUCCESS);
    }
    let until = args.until.as_deref().map(|text| model.parse_predicate("--until", text));
    let stop = Stop { steps: args.steps, until: until.transpose()? };
    let first = args.input.seed.unwrap_or(1);
    let seeds = (0..args.runs).map(|run| first.wrapping_add(run));
    let is_summed = args.is_summed();
    let mut gathered = Gathered::new(model, Questions::of(args, model)?);
    let mut runs = Vec::new();
    for seed in seeds {
        let run = Run::at_random(model, seed, &stop)?;
        if let Some(folder) = &args.output_dir {
            let folder = match args.runs {
                1 => folder.clone(),
                _ => folder.join(seed.to_string()),
            };
            run.write_files(model, &folder)?;
        }
        if is_summed {
            gathered.add(&run)?;
        }
        if !args.summary {
            runs.push(run);
        }
    }
    let is_violated = gathered.is_violated();
    let statistics = is_summed.then(|| gathered.finish());
    print::results(&match args.json {
        true => json(model, &runs, statistics.as_ref()),
        false => text(model, &runs) + &statistics.map_or_else(String::new, |found| found.text()),
    })?;
    Ok(if is_violated { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// When a run ends before a dead state.
struct Stop<M: FrontEnd> {
    steps: usize,
    until: Option<M::Predicate>,
}

impl<M: FrontEnd> Stop<M> {
    fn here(&self, model: &M, walk: &mut Walk<'_, M>) -> Result<Option<End>, Failure> {
        if let Some(until) = &self.until
            && model.holds(&mut walk.worker, until, walk.run.last()).map_err(failed)?
        {
            return Ok(Some(End::Until));
        }
        Ok((walk.run.len() == self.steps).then_some(End::Steps))
    }
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    /// Its last state has no successor.
    Dead,
    /// Its last state has terminated.
    Terminated,
    /// Its last state satisfies `--until`.
    Until,
    /// It has as many steps as `--steps` allows.
    Steps,
}

struct Run<M: FrontEnd> {
    seed: u64,
    path: Witness<M>,
    end: End,
}

impl<M: FrontEnd> Run<M> {
    fn at_random(model: &M, seed: u64, stop: &Stop<M>) -> Result<Self, Failure> {
        let mut choices = Rng::with_seed(seed);
        let mut walk = begin(model, |n| choices.usize(..n))?;
        loop {
            if let Some(end) = stop.here(model, &mut walk)? {
                return Ok(Run { seed, path: walk.run, end });
            }
            let mut next = walk.successors().map_err(failed)?;
            if next.is_empty() {
                let terminated = model.has_terminated(walk.state());
                let end = if terminated { End::Terminated } else { End::Dead };
                return Ok(Run { seed, path: walk.run, end });
            }
            walk.take(next.swap_remove(choices.usize(..next.len())));
        }
    }
}

impl<M: FrontEnd> Run<M> {
    /// Writes the files that the actions of the run write.
    fn write_files(&self, model: &M, folder: &Path) -> Result<(), Failure> {
        let mut source = &self.path.initial;
        for step in &self.path.steps {
            model.write_files(source, &step.action);
            source = &step.state;
        }
        written::write(folder, &model.take_files())
    }
}

/// A walk from the initial state that `choose` picks.
fn begin<M: FrontEnd>(
    model: &M,
    choose: impl FnOnce(usize) -> usize,
) -> Result<Walk<'_, M>, Failure> {
    Walk::new(model, choose).ok_or_else(|| failed("the model has no initial state".into()))
}

fn failed(error: ModelError) -> Failure {
    Failure::Model { message: error.to_string() }
}

fn text<M: FrontEnd>(model: &M, runs: &[Run<M>]) -> String {
    let mut text = String::new();
    for run in runs {
        let n_steps = run.path.len() as u64;
        let after = match n_steps {
            1 => "after 1 step".to_owned(),
            n => format!("after {} steps", grouped(n)),
        };
        let end = match run.end {
            End::Dead => format!("dead state {after}"),
            End::Terminated => format!("terminated {after}"),
            End::Until => format!("`--until` reached {after}"),
            End::Steps => format!("stopped {after} (`--steps`)"),
        };
        let title = styled(BOLD, format_args!("seed {}", run.seed));
        let _ = writeln!(text, "{title}: {end}");
        text.push_str(&steps(model, &run.path, true));
    }
    text
}

fn json<'m, M: FrontEnd>(
    model: &'m M,
    runs: &'m [Run<M>],
    statistics: Option<&Statistics>,
) -> String {
    #[derive(Serialize)]
    struct Object<'a> {
        schema: u32,
        model: &'a str,
        runs: Vec<Shown<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        statistics: Option<&'a Statistics>,
    }
    #[derive(Serialize)]
    struct Shown<'a> {
        seed: u64,
        length: usize,
        end: End,
        steps: Vec<TraceStep<'a>>,
    }
    let shown = |run: &'m Run<M>| Shown {
        seed: run.seed,
        length: run.path.len(),
        end: run.end,
        steps: trace_steps(model, &run.path),
    };
    let runs = runs.iter().map(shown).collect();
    let object = Object { schema: 1, model: model.name(), runs, statistics };
    print::json(&object)
}
