//! Runs sweepline and its peers on the same systems, on the same machine, in the same run.
//!
//! `benches/run` builds and starts this program; `benches/README.md` explains the figures.

mod answer;
mod child;
mod host;
mod model;
mod net;
mod nets;
mod record;
mod rounds;
mod system;
mod table;
mod tool;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};

use child::{Limits, Step};
use rounds::Comparison;
use system::{Instance, System};
use table::Table;
use tool::{Bench, Tool};

#[derive(Parser)]
#[command(about = "Compares sweepline with its peers")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run the comparison
    Run(RunOptions),
    /// Write a system as a PNML net
    Gen { system: System, size: u64, out: PathBuf },
    /// Explore a system with stateright and print the counts
    Stateright {
        system: System,
        size: u64,
        #[arg(long, default_value_t = 1)]
        threads: usize,
    },
}

#[derive(Args)]
struct RunOptions {
    /// Systems, such as tpc=8 or saw=20000; all of them when none is named
    systems: Vec<Instance>,
    /// Small sizes, to see that everything works
    #[arg(long)]
    quick: bool,
    /// How often each tool runs
    #[arg(long, value_name = "K", default_value_t = 3)]
    repeat: usize,
    /// Threads of each tool; on several threads, tools are compared by wall-clock time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Leave a program out: sweepline, spin, rumur or stateright
    #[arg(long, value_name = "PROGRAM")]
    without: Vec<String>,
    /// Write benches/runs/<date>-<host kind>/
    #[arg(long)]
    record: bool,
    /// The sweepline binary
    #[arg(long, value_name = "PATH", default_value = "target/release/sweepline")]
    sweepline: PathBuf,
    /// Where nets and generated code go
    #[arg(long, value_name = "DIR", default_value = "target/peers/work")]
    work: PathBuf,
    /// Seconds after which a single run is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    time_limit: u64,
    /// MiB at which a single run is stopped; three quarters of the machine's by default
    #[arg(long, value_name = "MIB")]
    memory_limit: Option<u64>,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().verb {
        Verb::Run(options) => run(&options),
        Verb::Gen { system, size, out } => generate(Instance { system, size }, &out),
        Verb::Stateright { system, size, threads } => {
            let answer = model::explore(Instance { system, size }, threads);
            println!("{}", tool::stateright::write(answer));
            Ok(())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn generate(instance: Instance, out: &Path) -> Result<()> {
    std::fs::write(out, nets::net(instance).pnml())
        .with_context(|| format!("could not write {}", out.display()))
}

fn run(options: &RunOptions) -> Result<()> {
    let tools = tools_taking_part(options)?;
    let bench = bench(options)?;
    let systems = match options.systems[..] {
        [] => Instance::all(options.quick),
        ref named => named.to_vec(),
    };
    let mut all: Vec<Comparison> = Vec::new();
    for instance in systems {
        let comparison = rounds::compare(instance, &tools, &bench, options.repeat.max(1))?;
        println!("\n{}", record::heading(&comparison));
        print!("{}", Table::new(&comparison, bench.threads).lined_up());
        all.push(comparison);
    }
    if options.record {
        write_record(options, &bench, &all)?;
    }
    own_results_are_complete(&all)
}

/// Every selected tool that is installed. A missing peer is skipped; a missing sweepline is an error.
fn tools_taking_part(options: &RunOptions) -> Result<Vec<Tool>> {
    let known = |name: &String| Tool::ALL.iter().any(|tool| tool.program() == name);
    if let Some(name) = options.without.iter().find(|name| !known(name)) {
        bail!("unknown program `{name}`: write sweepline, spin, rumur or stateright");
    }
    let mut tools = Vec::new();
    for tool in Tool::ALL {
        let missing = tool.needs().iter().find(|program| !host::has_program(program));
        if options.without.iter().any(|name| name == tool.program()) {
            continue;
        } else if let Some(program) = missing {
            eprintln!("{}: skipped, `{program}` is not installed", tool.name());
        } else {
            tools.push(tool);
        }
    }
    let own = tools.contains(&Tool::SweeplineFull);
    if own && !options.sweepline.is_file() {
        bail!("{} does not exist: build it first", options.sweepline.display());
    }
    Ok(tools)
}

fn bench(options: &RunOptions) -> Result<Bench> {
    std::fs::create_dir_all(&options.work)?;
    let mebibytes = options.memory_limit.unwrap_or((host::memory_bytes() >> 20) / 4 * 3);
    let limits =
        Limits { wall: Duration::from_secs(options.time_limit), memory_bytes: mebibytes << 20 };
    // Children run in their own folders, so the path must be absolute.
    let sweepline = std::path::absolute(&options.sweepline)?;
    let work = std::path::absolute(&options.work)?;
    Ok(Bench { sweepline, work, limits, threads: options.threads.max(1) })
}

fn write_record(options: &RunOptions, bench: &Bench, all: &[Comparison]) -> Result<()> {
    let idle = child::run(&Step::new("true", &[]), &bench.work, bench.limits)?;
    let setting = record::Setting {
        command: command_line(options),
        sweepline: &bench.sweepline,
        threads: bench.threads,
        floor_bytes: idle.usage.peak_rss_bytes,
    };
    let folder = record::write(Path::new("benches/runs"), &setting, all)?;
    println!("\nrecorded in {}", folder.display());
    Ok(())
}

/// The command that makes the same run, without the paths of this machine.
fn command_line(options: &RunOptions) -> String {
    let mut words = vec!["benches/run".to_owned()];
    words.extend(options.systems.iter().map(|of| format!("{}={}", of.system.key(), of.size)));
    words.extend(options.quick.then(|| "--quick".to_owned()));
    words.push(format!("--repeat {}", options.repeat));
    words.extend((options.threads > 1).then(|| format!("--threads {}", options.threads)));
    words.extend(options.without.iter().map(|name| format!("--without {name}")));
    words.push(format!("--time-limit {}", options.time_limit));
    words.push("--record".to_owned());
    words.join(" ")
}

/// A peer may exceed its time or memory; sweepline may not.
fn own_results_are_complete(all: &[Comparison]) -> Result<()> {
    let own = all
        .iter()
        .flat_map(|comparison| comparison.rows.iter().map(move |row| (comparison.instance, row)));
    for (instance, row) in own {
        if let Some(note) = row.note.as_ref().filter(|_| row.tool.program() == "sweepline") {
            bail!("{instance}: {}: {note}", row.tool.name());
        }
    }
    Ok(())
}
