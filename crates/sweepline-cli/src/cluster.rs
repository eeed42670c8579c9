//! `--processes` and `--hosts`: several processes make one exploration.
//!
//! Each process runs the same command. They join after the model is read; the first one chooses the measure, and
//! prints the results.

mod members;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sweepline::{Report, StopReason};
use sweepline_timely::{Folder, Gathering, Hosts, JoinError, Joined, Secret, Terms, Workers, join};

use crate::args;
use crate::ask::{Asked, Asks};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::guard;
use crate::measure::{FoundMeasure, MeasureSpec, Need};
use crate::plan;
use crate::print::warn;
use members::{Members, Setup};

/// How long the processes of one machine wait for each other.
const WAIT_HERE: Duration = Duration::from_secs(60);
/// The same for several machines, on which people type commands.
const WAIT: Duration = Duration::from_secs(600);
/// The default of `--checkpoint-every`.
const EVERY: Duration = Duration::from_secs(600);

/// This process as one of several.
pub(crate) struct Processes {
    pub(crate) workers: Workers,
    /// Which one it is; the first one prints.
    pub(crate) index: usize,
    pub(crate) count: usize,
    /// The command that continues the run, if it has checkpoints.
    pub(crate) command: Option<String>,
    /// The others, if this process started them.
    _members: Option<Members>,
}

/// Rejects options that several processes cannot have.
pub(crate) fn refuse(args: &args::Check, asks: Asks) -> Result<(), Failure> {
    if !args.cluster.is_given() {
        return Ok(());
    }
    if args.cluster.hosts.is_some() && args.cluster.host.is_none() {
        return Err(Failure::Cluster {
            message: "`--hosts` does not say which process this is".into(),
            help: "add `--host K`: the process on line K of the list, from 0".into(),
        });
    }
    let what = "several processes (`--processes`, `--hosts`)";
    let help = "leave it out, or explore with the threads of one process (`--threads N`)";
    let foreign = [
        ("`--method cache`", args.measure.method == Some(args::Method::Cache)),
        ("`--gc`", args.retention.gc.is_some()),
        ("a reduction (`--stubborn`, `--sleep`, `--reduce`)", !args.reductions.is_none()),
        ("`--equivalence`", args.input.equivalence.is_some()),
        ("`--log`", args.output.log.is_some()),
        ("`--witness recompute`", args.output.witness == Some(args::Witness::Recompute)),
        ("a property about strongly connected components", asks.components),
        ("a formula (`--ltl`, `--ctl`)", asks.formulas),
    ];
    Failure::refuse(what, help, &foreign)?;
    if args.input.piped()?.is_some() {
        let help = "write the model to a file: every process reads it";
        Failure::refuse(what, help, &[("a model from a pipe", true)])?;
    }
    Ok(())
}

/// Rejects the assertions of a CSPm script.
pub(crate) fn refuse_assertions(args: &args::Check) -> Result<(), Failure> {
    let help = "name the process to explore: `--process PROCESS`";
    let given = [("`--processes` or `--hosts`", args.cluster.is_given())];
    Failure::refuse("the assertions of a script", help, &given)
}

/// An exploration that several processes cannot make is an error of the command.
pub(crate) fn refused<M: FrontEnd>(report: &mut Report<M>) -> Result<(), Failure> {
    match report.stop.take() {
        Some(StopReason::Cluster(message)) => Err(Failure::Cluster {
            message,
            help: "explore with the threads of one process (`--threads N`)".into(),
        }),
        stop => {
            report.stop = stop;
            Ok(())
        }
    }
}

/// Removes the checkpoints of a complete run.
pub(crate) fn tidy(args: &args::Checkpoints) {
    let folder = args.resume.as_ref().or(args.checkpoint.as_ref());
    if let Some(Err(error)) = folder.map(|folder| sweepline_timely::remove(folder)) {
        warn(&format!("cannot remove the checkpoints: {error}"));
    }
}

/// `args` without checkpoints: those of several processes are written by the workers.
pub(crate) fn without_checkpoints(args: &args::Check) -> args::Check {
    let mut args = args.clone();
    (args.checkpoints.checkpoint, args.checkpoints.resume) = (None, None);
    args
}

/// The folder for checkpoints.
fn folder(args: &args::Checkpoints) -> Result<Option<Folder>, Failure> {
    let every = args.checkpoint_every.unwrap_or(EVERY);
    Ok(match (&args.checkpoint, &args.resume) {
        (None, None) => None,
        (Some(path), None) => Some(Folder { path: path.clone(), every, resume: false }),
        (saved, Some(path)) => {
            if saved.as_ref().is_some_and(|saved| saved != path) {
                return Err(Failure::NotFor {
                    option: "`--checkpoint`",
                    what: "`--resume` and another folder",
                    help: "several processes go on saving in the folder of `--resume`: leave out `--checkpoint`",
                });
            }
            Some(Folder { path: path.clone(), every, resume: true })
        }
    })
}

/// The measure, as the first process tells it to the others.
#[derive(Serialize, Deserialize)]
struct Chosen(Option<(String, Option<FoundMeasure>)>);

/// Joins the other processes, and agrees with them on the measure.
#[allow(clippy::type_complexity)]
pub(crate) fn join_others<M: FrontEnd>(
    args: &args::Check,
    model: &M,
    asked: &[Asked<M>],
    need: Need,
) -> Result<Option<(Processes, Option<MeasureSpec<M>>)>, Failure> {
    if !args.cluster.is_given() {
        return Ok(None);
    }
    guard::phase("waiting for the other processes");
    let (folder, threads) = (folder(&args.checkpoints)?, guard::threads().count());
    let (mut joined, members, index) = connect(args)?;
    let is_over =
        || guard::interrupt().is_raised() || members.as_ref().is_some_and(Members::is_gone);
    let failed = |error| failure(error, members.as_ref());
    let common = common(args, model, asked);
    let place = folder
        .as_ref()
        .map_or("none", |folder| if folder.resume { "--resume" } else { "--checkpoint" });
    let own = common.clone().with("number of threads", threads).with("checkpoint option", place);
    joined.agree(&own, &is_over).map_err(failed)?;
    let measure = agree_on_measure(args, model, need, (&mut joined, index), &is_over)?;
    let count = joined.processes();
    let mut workers = Workers::connected(joined, threads);
    let mut command = None;
    let mut advice =
        "run the command again; with `--checkpoint DIR`, a run can be continued".to_owned();
    if let Some(folder) = folder {
        let measure = measure.as_ref().map_or("none", |measure| measure.text.as_str());
        workers = workers.checkpoints(folder, common.with("progress measure", measure));
        let continues = members::continuing();
        advice = format!("continue on any number of processes: {continues}");
        command = Some(continues);
    }
    let workers = workers.advice(advice);
    Ok(Some((Processes { workers, index, count, command, _members: members }, measure)))
}

/// Connects this process with the others, and starts those of this machine.
fn connect(args: &args::Check) -> Result<(Joined, Option<Members>, usize), Failure> {
    let is_asked = || guard::interrupt().is_raised();
    if let (Some(file), Some(index), Some(secret)) =
        (&args.cluster.hosts, args.cluster.host, &args.cluster.secret)
    {
        let hosts = Hosts::read(file).map_err(|error| failure(error, None))?;
        if index >= hosts.len() {
            return Err(Failure::Cluster {
                message: format!("there is no host {index} in `{}`", file.display()),
                help: format!("write a number from 0 to {}", hosts.len() - 1),
            });
        }
        let secret = Secret::read(secret).map_err(|error| Failure::Cluster {
            message: format!("cannot use the secret in `{}`: {error}", secret.display()),
            help: "make one that only you can read: `(umask 077; head -c 32 /dev/urandom | base64 > secret)`, and copy it to every machine".into(),
        })?;
        let (hosts, secret) = (&hosts, &secret);
        let gathering =
            Gathering { hosts, index, secret, listener: None, wait: WAIT, is_over: &is_asked };
        let joined = join(gathering).map_err(|error| failure(error, None))?;
        return Ok((joined, None, index));
    }
    let count = args.cluster.processes.unwrap_or(1);
    let (members, setup) = match args.cluster.member {
        Some(member) => (None, Setup::receive(member)?),
        None => Members::start(count)?,
    };
    let Setup { ports, secret, listener, index } = setup;
    let hosts = Hosts::local(&ports);
    let is_over = || is_asked() || members.as_ref().is_some_and(Members::is_gone);
    let (hosts, secret, listener) = (&hosts, &secret, Some(listener));
    let gathering =
        Gathering { hosts, index, secret, listener, wait: WAIT_HERE, is_over: &is_over };
    let joined = join(gathering).map_err(|error| failure(error, members.as_ref()))?;
    Ok((joined, members, index))
}

/// What all processes, and a run and its checkpoint, must agree on.
fn common<M: FrontEnd>(args: &args::Check, model: &M, asked: &[Asked<M>]) -> Terms {
    let names: Vec<String> = asked
        .iter()
        .map(|asked| asked.fingerprint())
        .map(|(name, print)| format!("`{name}` ({print:016x})"))
        .collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let number = |number: Option<u64>| number.map_or("default".into(), |n| n.to_string());
    let version = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    Terms::default()
        .with("version", format!("{} for {}", version.0, version.1))
        .with("model", format!("{} ({:016x})", model.in_words(), model.fingerprint()))
        .with("list of properties", names)
        .with("option --progress", args.measure.progress.as_deref().unwrap_or("none"))
        .with("option --method", args.measure.method.map_or("none".into(), |m| m.to_string()))
        .with("window", number(args.retention.window))
        .with("anchor", number(args.retention.anchor))
        .with("treatment of regress edges", args.measure.monotone.unwrap_or_default())
        .with("witness mode", args.output.witness.unwrap_or_default())
        .with("option --count", args.output.count)
}

/// The first process parses or searches the measure, and tells the others.
fn agree_on_measure<M: FrontEnd>(
    args: &args::Check,
    model: &M,
    need: Need,
    (joined, index): (&mut Joined, usize),
    is_over: &dyn Fn() -> bool,
) -> Result<Option<MeasureSpec<M>>, Failure> {
    guard::phase("looking for a progress measure");
    let mut share =
        |bytes: &[u8]| joined.share(bytes, is_over).map_err(|error| failure(error, None));
    if index == 0 {
        let measure = plan::measure(&args.measure, model, need, None)?;
        let chosen = Chosen(measure.as_ref().map(|measure| (measure.text.clone(), measure.found)));
        share(&serde_json::to_vec(&chosen).unwrap_or_default())?;
        return Ok(measure);
    }
    let all = share(&[])?;
    let chosen = all.first().and_then(|bytes| serde_json::from_slice::<Chosen>(bytes).ok());
    match chosen {
        Some(Chosen(Some((text, found)))) => MeasureSpec::restore(model, &text, found).map(Some),
        Some(Chosen(None)) => Ok(None),
        None => Err(Failure::Cluster {
            message: "process 0 sent no measure".into(),
            help: "run the same version of sweepline everywhere".into(),
        }),
    }
}

/// The failure to join.
fn failure(error: JoinError, members: Option<&Members>) -> Failure {
    let message = match (&error, members) {
        (JoinError::Stopped, Some(members)) if members.is_gone() => {
            "a process that was started on this machine has ended".to_owned()
        }
        _ => error.to_string(),
    };
    match error {
        JoinError::Missing { .. } | JoinError::Lost(_) | JoinError::Stopped => Failure::NotJoined {
            message,
            help: "start the same command for every process, with the same `--secret`, and let their ports through firewalls".into(),
        },
        JoinError::Differs { .. } => Failure::Cluster {
            message,
            help: "give every process the same model, options and version of sweepline".into(),
        },
        JoinError::Listen { .. } => Failure::Cluster {
            message,
            help: "line K of the list is the address on which the process with `--host K` listens".into(),
        },
        JoinError::Unreadable { .. } | JoinError::NoAddress { .. } | JoinError::Count { .. } => {
            Failure::Cluster {
                message,
                help: "write one `HOST:PORT` in each line, for example `10.0.0.1:4000`".into(),
            }
        }
    }
}
