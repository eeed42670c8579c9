//! The command line of sweepline. It is a library so that it compiles while the crates below it are still optimised.

#![forbid(unsafe_code)]

mod args;
mod failure;

mod front_end;
mod guard;
mod hunting;
mod load;
mod measure;
mod temporal;

mod ask;
mod cluster;
mod plan;
mod progress;
mod reduce;
mod resume;
mod spill;
mod system;
mod watch;
mod written;

mod output;
mod print;
mod publish;
mod results;
mod shown;

mod assertions;
mod check;
mod compare;
mod compile;
mod convert;
mod draw;
mod graph;
mod identity;
mod info;
mod manual;
mod ml;
mod report;
mod serve;
mod simulate;

use std::process::ExitCode;

use args::Verb;
use failure::Failure;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    system::started();
    let mut cli = match manual::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    if let Some(colour) = cli.color {
        print::choose_colours(colour);
    }
    let mut budget = cli.verb.budget();
    if let Verb::Check(args) = &mut cli.verb {
        args.cluster.take_number(&mut args.input.process);
        publish::select(args);
        if !args.more.is_empty() {
            // Each model has a process with these limits.
            budget = args::Budget::default();
        }
        if args.output.quiet {
            print::hide_progress();
        }
    }
    guard::start(&budget, cli.verb.threads());
    match (run(&cli.verb), guard::asked()) {
        (Ok(code), _) => code,
        // What failed after the command was asked to stop failed for that.
        (Err(failure), Some(cause)) if failure.exit_status() == 2 => {
            ExitCode::from(guard::end(cause))
        }
        (Err(failure), _) => {
            let status = failure.exit_status();
            if let Verb::Check(args) = &cli.verb {
                publish::failed(args, &failure);
            }
            failure.show();
            ExitCode::from(status)
        }
    }
}

fn run(verb: &Verb) -> Result<ExitCode, Failure> {
    match verb {
        Verb::Check(args) if !args.more.is_empty() => publish::check_several(args),
        Verb::Check(args) => check::run(args),
        Verb::Report(args) => report::run(args),
        Verb::Progress(args) => progress::run(args),
        Verb::Info(args) => info::run(args),
        Verb::Graph(args) => graph::run(args),
        Verb::Simulate(args) => simulate::run(args),
        Verb::Serve(args) => serve::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Compile(args) => compile::run(args),
        Verb::Convert(args) => convert::run(args),
        Verb::Format(args) => convert::format(args),
        Verb::Ml(args) => ml::run(args),
        Verb::Completions { shell } => manual::completions(*shell),
        Verb::Help { topic } => manual::help(topic.as_deref()),
        Verb::Man { verb } => manual::page(verb.as_deref()),
    }
}
