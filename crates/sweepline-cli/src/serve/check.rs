//! A check in the background: the same exploration as that of the verb, watched by pages.

use std::collections::HashSet;
use std::ffi::OsString;
use std::sync::Arc;

use clap::Parser;
use serde_json::{Value, json};
use sweepline::model::bytes_of;
use sweepline::observe::{Never, Step};
use sweepline::{Check, Interrupt, Options, Report, Verdict, Witness, WitnessMode};
use sweepline_serve::Refusal;

use super::game::{Opened, Player, refusal};
use super::play::Play;
use super::request::{Asked, Kind};
use super::values::short;
use crate::args::{self, Cli, Input, Limits, Verb};
use crate::check::{Explored, watched};
use crate::front_end::FrontEnd;
use crate::guard;
use crate::report::{Point, Profile};
use crate::results::{Figure, Row, claim, early};
use crate::watch::{Line, Live, Moment, Stored};

/// What a running check tells.
pub(super) struct Progress {
    /// Raised to stop it.
    pub(super) interrupt: Interrupt,
    /// Told at each pulse.
    pub(super) tell: Box<dyn Fn(Told) + Send + Sync>,
}

/// What a check tells while it runs.
pub(super) enum Told {
    /// What it is doing, if it does not explore.
    Phase(&'static str),
    /// How far it is: the figures, and the course by layers or by time.
    Moment(Box<Moment>, Vec<Point>, Vec<Stored>),
}

/// What a check found.
pub(super) trait Answers: Send + Sync {
    /// The verdicts and the notes, as data.
    fn results(&self) -> &Value;

    /// A run along the counterexample or witness of a property.
    fn show(&self, property: usize, at: Option<usize>) -> Result<Box<dyn Player>, Refusal>;

    /// The same where it is a run of another process: that process, and the text of a trace file.
    fn trace(&self, property: usize) -> Option<(&str, &str)> {
        let _ = property;
        None
    }
}

struct Found<M: FrontEnd> {
    game: Arc<Opened<M>>,
    results: Value,
    witnesses: Vec<Option<Witness<M>>>,
}

impl<M: FrontEnd + Send + 'static> Answers for Found<M> {
    fn results(&self) -> &Value {
        &self.results
    }

    fn show(&self, property: usize, at: Option<usize>) -> Result<Box<dyn Player>, Refusal> {
        let witness = self.witnesses.get(property).and_then(Option::as_ref);
        let witness = witness.ok_or_else(|| Refusal::new("this property has no trace"))?;
        let step = |step: &Step<M>| Step { action: step.action.clone(), state: step.state.clone() };
        let steps = witness.steps.iter().map(step).collect();
        let path = Witness { initial: witness.initial.clone(), steps, back: witness.back };
        let mut play = Play::along(self.game.clone(), path);
        play.go(at.unwrap_or(usize::MAX));
        Ok(Box::new(play))
    }
}

/// The arguments of `check` that mean what a page asks.
pub(super) fn arguments(
    input: &Input,
    limits: &Limits,
    properties: &[Asked],
    progress: &str,
) -> Result<args::Check, Refusal> {
    let mut words: Vec<OsString> = vec!["sweepline".into(), "check".into()];
    for Asked { kind, text } in properties {
        let takes_text = Kind::ALL.iter().all(|(one, _, text)| one != kind || text.is_some());
        let option = kind.option();
        words.push(match takes_text {
            true if text.trim().is_empty() => {
                return Err(Refusal::new(format!("write what `{option}` is about")));
            }
            true => format!("--{option}={}", short(text)?).into(),
            false => format!("--{option}").into(),
        });
    }
    if !progress.trim().is_empty() {
        words.push(format!("--progress={}", short(progress)?).into());
    }
    words.push("--".into());
    words.push(input.file.clone().into());
    let cli = Cli::try_parse_from(words).map_err(|error| Refusal::new(error.to_string()))?;
    match cli.verb {
        Verb::Check(args) => {
            Ok(args::Check { input: input.clone(), limits: limits.clone(), ..*args })
        }
        _ => Err(Refusal::new("the check is not understood")),
    }
}

/// Decides properties of a model.
pub(super) fn run<M: FrontEnd + Send + 'static>(
    game: Arc<Opened<M>>,
    args: &args::Check,
    progress: &Progress,
) -> Result<Box<dyn Answers>, Refusal> {
    let mut args = args::Check { input: game.input.clone(), ..args.clone() };
    // By default all of them are checked; a page names those it wants.
    if args.questions.property.is_empty() && !game.model.declared().is_empty() {
        args.questions.property.push("none".into());
    }
    let told = |moment: Moment, profile: &Profile, course: &[Stored]| {
        tell(progress, moment, profile, course);
    };
    let phase = |phase| (progress.tell)(Told::Phase(phase));
    let explored = watched(&args, &game.model, &progress.interrupt, &phase, told);
    let Explored { report, progress, notes } = explored.map_err(refusal)?;
    Ok(found(game, report, &progress, &notes))
}

/// Tells how far a check is.
pub(super) fn tell(progress: &Progress, moment: Moment, profile: &Profile, course: &[Stored]) {
    let points = profile.points().to_vec();
    (progress.tell)(Told::Moment(Box::new(moment), points, course.to_vec()));
}

/// Looks for a shortest path to one of the states with these bytes.
pub(super) fn way<M: FrontEnd + Send + 'static>(
    game: Arc<Opened<M>>,
    goals: HashSet<Vec<u8>>,
    progress: &Progress,
) -> Result<Box<dyn Answers>, Refusal> {
    let is_goal = move |model: &M, _: &mut M::Worker, state: &M::State| {
        Ok(goals.contains(&bytes_of(model, state)))
    };
    let options = Options {
        witness: WitnessMode::Disk,
        interrupt: progress.interrupt.clone(),
        threads: sweepline::Threads::new(guard::threads().count()),
        ..guard::options()
    };
    let check = Check::new(&game.model).query("the state", "reach", Never::reached(is_goal));
    let check = check.options(options).shortest();
    let told = |moment: Moment, profile: &Profile, course: &[Stored]| {
        tell(progress, moment, profile, course);
    };
    let mut live = Live::new(Line::new(&check.names()), told);
    let report = check.run_watched(&mut live);
    live.finish(&report.statistics);
    Ok(found(game.clone(), report, "none", &[]))
}

/// The results of a report, and its witnesses.
fn found<M: FrontEnd + Send + 'static>(
    game: Arc<Opened<M>>,
    report: Report<M>,
    progress: &str,
    notes: &[String],
) -> Box<dyn Answers> {
    let rows: Vec<Value> =
        report.properties.iter().map(|property| row(&Row::new(property))).collect();
    let results = json!({
        "rows": rows, "progress": progress, "notes": notes,
        "stop": early(report.stop.as_ref()).map(ToString::to_string),
        "states": report.statistics.states(), "explored": report.statistics.explored,
        "complete": report.stop.is_none(),
    });
    let witness = |verdict: Verdict<M>| match verdict {
        Verdict::Holds(witness) | Verdict::Violated(witness) => witness,
        Verdict::Unknown(_) => None,
    };
    let witnesses = report.properties.into_iter().map(|property| witness(property.verdict));
    Box::new(Found { game, results, witnesses: witnesses.collect() })
}

/// A verdict as data.
pub(super) fn row(row: &Row) -> Value {
    let (words, of) = claim(row.kind, &row.name);
    let value = match row.value {
        Some(Figure::Range(least, most)) => Some(format!("from {least} to {most}")),
        Some(Figure::Greatest(most)) => Some(format!("at most {most}")),
        None => None,
    };
    json!({
        "verdict": row.verdict, "claim": words, "of": of, "value": value, "length": row.length(),
        "loop_start": row.loop_start, "reason": row.reason, "findings": row.findings,
        "decided_by": row.decided_words,
    })
}
