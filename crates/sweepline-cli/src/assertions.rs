//! `check` of a CSPm script: decides each assertion in an exploration of its own.

mod claims;
mod decide;

use std::process::ExitCode;
use std::time::Instant;

use sweepline::StopReason;
use sweepline_lts::csp::{Assertion, Script};

use crate::args::{self, Format, Method, Questions};
use crate::failure::Failure;
use crate::guard;
use crate::load::processes;
use crate::publish;
use crate::results::{Decided, Heading, Summary, Totals, TraceFile};
pub(crate) use claims::go_round;
use decide::Decider;
pub(crate) use decide::Watching;

/// The script whose assertions are to be decided; `None` if it has none or if other properties are checked.
pub(crate) fn of(args: &args::Check) -> Result<Option<Script>, Failure> {
    let input = &args.input;
    let format = input.model_format()?;
    let asked = Questions { property: Vec::new(), ..args.questions.clone() };
    if format != Format::Csp || args.questions.property == ["none"] {
        return Ok(None);
    }
    if input.process.is_some() || asked != Questions::default() {
        let names = !args.questions.property.is_empty() && args.questions.property_file.is_empty();
        let (option, what) = ("`--property`", "a process that is asked something else");
        let help = "to check assertions, remove `--process` and the options for other properties";
        return Failure::refuse(what, help, &[(option, names)]).map(|()| None);
    }
    let script = processes::script(input)?;
    Ok(Some(script).filter(|script| !script.assertions().is_empty()))
}

/// Decides the assertions of `script` that `--property` selects.
pub(crate) fn run(args: &args::Check, script: Script) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let foreign = [
        ("`--checkpoint`", args.checkpoints.checkpoint.is_some()),
        ("`--log`", args.output.log.is_some()),
        ("`--gpu`", args.device.gpu.is_some()),
        ("`--method cache`", args.measure.method == Some(args::Method::Cache)),
    ];
    let help = "explore one process: `--process P --deadlock`";
    Failure::refuse("the assertions of a script", help, &foreign)?;
    let asked = selected(&args.questions.property, script.assertions())?;
    let trace = args.output.trace.as_deref().map(TraceFile::create).transpose()?;
    let mut decider = Decider::new(args, script);
    let mut decided: Vec<Decided> = Vec::new();
    guard::phase("deciding an assertion");
    for (number, assertion) in asked.iter().enumerate() {
        unfinished(args, &decided, &asked[number..]);
        let interrupted = decided.last().is_some_and(Decided::is_interrupted);
        decided.push(match interrupted {
            true => Decided::not(assertion, &StopReason::Interrupted),
            false => decider.decide(assertion)?,
        });
    }
    let output = &args.output;
    let mut totals = Totals::new(heading(args, &decided), decided, started.elapsed());
    totals.add_paths(publish::shows_paths(output), output.shows_runs());
    publish::results(output, &totals.summary, || totals.text(output.full_trace))?;
    if let Some(file) = trace {
        totals.write_trace(processes::stem(&args.input), file)?;
    }
    Ok(ExitCode::from(totals.summary.exit_status()))
}

/// Decides the assertions of `script` with these numbers, as `watching` says.
pub(crate) fn watched(
    args: &args::Check,
    script: Script,
    watching: Watching<'_>,
) -> Result<Vec<Decided>, Failure> {
    let asked = selected(&args.questions.property, script.assertions())?;
    let interrupt = watching.interrupt.clone();
    let mut decider = Decider::watched(args, script, watching);
    let decide = |assertion: &Assertion| match interrupt.reason() {
        Some(stop) => Ok(Decided::not(assertion, &stop)),
        None => decider.decide(assertion),
    };
    asked.iter().map(decide).collect()
}

/// Registers what to print if the run must stop: the assertions that are decided, and those that are open.
fn unfinished(args: &args::Check, decided: &[Decided], open: &[Assertion]) {
    let (heading, output) = (heading(args, decided), args.output.clone());
    let (rows, open) = (decided.iter().map(Decided::row).collect::<Vec<_>>(), open.to_vec());
    guard::last_words(Box::new(move |stop, known| {
        let open = open.iter().map(|assertion| Decided::unfinished(assertion, stop));
        let rows = rows.iter().cloned().chain(open).collect();
        let summary = Summary::of_rows(heading.clone(), rows, &known.statistics, stop);
        publish::last_words(&output, &summary, stop)
    }));
}

/// The assertions that `--property` names, by number or by text; all of them by default.
fn selected(names: &[String], all: Vec<Assertion>) -> Result<Vec<Assertion>, Failure> {
    let same = |name: &str, text: &str| {
        name.split_whitespace().eq(text.split_whitespace()) || name == format!("assert {text}")
    };
    let is_named = |name: &str, number: usize, assertion: &Assertion| {
        name == "all" || name.parse() == Ok(number) || same(name, &assertion.text)
    };
    let unknown = names
        .iter()
        .find(|name| !(1..).zip(&all).any(|(number, assertion)| is_named(name, number, assertion)));
    if let Some(name) = unknown {
        let known = (1..).zip(&all).map(|(number, one)| format!("\n{number}  {}", one.text));
        let known = format!("the assertions are:{}", known.collect::<String>());
        return Err(Failure::NoSuchProperty { name: name.clone(), known });
    }
    let is_asked = |number: usize, assertion: &Assertion| {
        names.is_empty() || names.iter().any(|name| is_named(name, number, assertion))
    };
    let asked = (1..).zip(all).filter(|(number, assertion)| is_asked(*number, assertion));
    Ok(asked.map(|(_, assertion)| assertion).collect())
}

fn heading(args: &args::Check, decided: &[Decided]) -> Heading {
    let mut measures: Vec<&str> = decided.iter().filter_map(Decided::progress).collect();
    measures.dedup();
    let progress = match (&measures[..], &args.measure.progress) {
        ([], _) => "none",
        ([only], _) => only,
        (_, Some(asked)) => asked,
        (_, None) => "a different one for each assertion",
    };
    Heading {
        identity: None,
        file: args.input.file.clone(),
        model: processes::stem(&args.input).to_owned(),
        method: Method::along(decided.iter().find(|decided| decided.is_swept())),
        progress: progress.to_owned(),
        cache: None,
        found: None,
        notes: match args.reductions.is_none() {
            true => Vec::new(),
            false => vec!["reductions are disabled: assertions need every state".into()],
        },
    }
}
