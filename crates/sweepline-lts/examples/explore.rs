//! `explore SCRIPT PROCESS [NAME=VALUE]...`: the states and edges of a process in CSPm.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use sweepline::Check;
use sweepline_lts::csp::{Limits, Script};
use sweepline_lts::{Composition, LoadErrors};

fn compose(file: &str, process: &str, params: &[String]) -> Result<Composition, LoadErrors> {
    let mut script = Script::load(Path::new(file), &Limits::default())?;
    for param in params {
        let (name, value) = param.split_once('=').unwrap_or((param, ""));
        script.set_constant(name, value)?;
    }
    script.compose(process)
}

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [file, process, params @ ..] = args.as_slice() else {
        eprintln!("explore SCRIPT PROCESS [NAME=VALUE]...");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let composition = match compose(file, process, params) {
        Ok(composition) => composition,
        Err(errors) => {
            eprintln!("{:?}", miette::Report::new(errors));
            return ExitCode::from(2);
        }
    };
    let (components, composed) = (composition.component_count(), start.elapsed());
    println!("{components} components, {} rules, {composed:?}", composition.rules().len());
    let report = Check::new(&composition).run();
    let figures = &report.statistics;
    println!("{:?} states, {} edges, {:?}", figures.states(), figures.edges, start.elapsed());
    ExitCode::SUCCESS
}
