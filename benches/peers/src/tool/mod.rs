//! The compared tools: how each is built for a system and run, and how its output is read.

mod rumur;
mod spin;
pub mod stateright;
mod sweepline;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::answer::Answer;
use crate::child::{self, Ending, Finished, Limits, Step};
use crate::system::Instance;

/// One row of the comparison: a tool with its search order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    SweeplineFull,
    SweeplineSweep,
    SpinDepthFirst,
    SpinBreadthFirst,
    Rumur,
    Stateright,
}

impl Tool {
    pub const ALL: [Tool; 6] = [
        Tool::SweeplineFull,
        Tool::SweeplineSweep,
        Tool::SpinDepthFirst,
        Tool::SpinBreadthFirst,
        Tool::Rumur,
        Tool::Stateright,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Tool::SweeplineFull => "sweepline, full",
            Tool::SweeplineSweep => "sweepline, sweep",
            Tool::SpinDepthFirst => "Spin, depth first",
            Tool::SpinBreadthFirst => "Spin, breadth first",
            Tool::Rumur => "Rumur",
            Tool::Stateright => "Stateright, bfs",
        }
    }

    /// The name of the program, by which `--without` leaves it out.
    pub fn program(self) -> &'static str {
        match self {
            Tool::SweeplineFull | Tool::SweeplineSweep => "sweepline",
            Tool::SpinDepthFirst | Tool::SpinBreadthFirst => "spin",
            Tool::Rumur => "rumur",
            Tool::Stateright => "stateright",
        }
    }

    /// The programs that must be installed to run it.
    pub fn needs(self) -> &'static [&'static str] {
        match self {
            Tool::SweeplineFull | Tool::SweeplineSweep | Tool::Stateright => &[],
            Tool::SpinDepthFirst | Tool::SpinBreadthFirst => &["spin", "gcc"],
            Tool::Rumur => &["rumur", "gcc"],
        }
    }

    /// Builds the program to run; `None` if the tool does not apply to this system.
    pub fn prepare(self, instance: Instance, bench: &Bench) -> Result<Option<Ready>> {
        match self {
            Tool::SweeplineFull => sweepline::full(instance, bench).map(Some),
            Tool::SweeplineSweep => sweepline::sweep(instance, bench),
            // Its depth-first search on several cores has a bound on the depth that loses states.
            Tool::SpinDepthFirst if bench.threads > 1 => Ok(None),
            Tool::SpinDepthFirst => spin::depth_first(instance, bench).map(Some),
            Tool::SpinBreadthFirst => spin::breadth_first(instance, bench).map(Some),
            Tool::Rumur => rumur::prepare(instance, bench).map(Some),
            Tool::Stateright => stateright::prepare(instance, bench).map(Some),
        }
    }

    /// Reads the output of a finished run.
    pub fn read(self, finished: &Finished) -> Reading {
        match finished.ending {
            Ending::OverTime => return Reading::Incomplete("over the time limit".into()),
            Ending::OverMemory => return Reading::Incomplete("over the memory limit".into()),
            Ending::Signal(signal) => return Reading::Failed(format!("signal {signal}")),
            Ending::Exit(_) => {}
        }
        let reading = match self {
            Tool::SweeplineFull | Tool::SweeplineSweep => sweepline::read(&finished.stdout),
            Tool::SpinDepthFirst | Tool::SpinBreadthFirst => spin::read(&finished.stdout),
            Tool::Rumur => rumur::read(&finished.stdout),
            Tool::Stateright => stateright::read(&finished.stdout),
        };
        match (reading, finished.ending) {
            (Reading::Complete(_), Ending::Exit(code)) if code != 0 => {
                Reading::Failed(format!("exit status {code}"))
            }
            (reading, _) => reading,
        }
    }
}

/// The meaning of a run's output.
#[derive(Debug, PartialEq, Eq)]
pub enum Reading {
    /// The whole state space was explored.
    Complete(Answer),
    /// The search was not complete, whatever the tool says about errors.
    Incomplete(String),
    /// The tool did not work.
    Failed(String),
}

/// The data that every tool gets.
pub struct Bench {
    pub sweepline: PathBuf,
    /// Where nets, generated code and output go; one folder per system and tool.
    pub work: PathBuf,
    pub limits: Limits,
    /// Threads of each tool.
    pub threads: usize,
}

impl Bench {
    fn folder(&self, instance: Instance, tool: &str) -> Result<PathBuf> {
        let folder = self.work.join(instance.file_stem()).join(tool);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

/// A tool ready to be measured.
pub struct Ready {
    pub folder: PathBuf,
    /// The commands of the preparation, and their CPU time (not part of the comparison).
    pub preparation: Vec<String>,
    pub preparation_cpu_seconds: f64,
    pub step: Step,
}

impl Ready {
    fn new(folder: PathBuf, step: Step) -> Ready {
        Ready { folder, preparation: Vec::new(), preparation_cpu_seconds: 0.0, step }
    }

    /// Runs the commands that build the step.
    fn prepared_by(mut self, steps: &[Step], limits: Limits) -> Result<Ready> {
        for step in steps {
            self.preparation_cpu_seconds += build(step, &self.folder, limits)?;
            self.preparation.push(step.shown.clone());
        }
        Ok(self)
    }
}

fn build(step: &Step, folder: &Path, limits: Limits) -> Result<f64> {
    let finished = child::run(step, folder, limits)?;
    if finished.ending != Ending::Exit(0) {
        let output = finished.stdout + &finished.stderr;
        bail!("`{}` failed ({:?}):\n{output}", step.shown, finished.ending);
    }
    Ok(finished.usage.cpu_seconds)
}
