//! `compare`: several methods on one model, side by side, as in the papers' tables.

mod figure;
mod table;
mod timeline;
mod vary;

use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use serde::Serialize;
use sweepline::{Cache, Check, StopReason};

use self::timeline::{Moment, Recorder};
use self::vary::Vary;
use crate::args::{self, CachePolicy, Method, Share, Variant};
use crate::failure::Failure;
use crate::front_end::{Describe, FrontEnd};
use crate::guard;
use crate::load::{Loaded, load, on_model};
use crate::measure::{MeasureSpec, along};
use crate::output::NewFile;
use crate::plan;
use crate::print::{self, BAD, UNSURE, styled};
use crate::results::{CacheFigures, CacheSummary, ReductionFigures};
use crate::watch::{Line, Watcher};

/// Runs the verb.
pub(crate) fn run(args: &args::Compare) -> Result<ExitCode, Failure> {
    let vary = args.vary.as_deref().map(Vary::parse).transpose()?;
    let (mut name, mut rows) = (String::new(), Vec::new());
    match &vary {
        None => on_model!(load(&args.input)?, |model| {
            name = model.name().to_owned();
            compare(args, &*model, None, &mut rows)?;
        }),
        Some(vary) => {
            for value in &vary.values {
                on_model!(load(&vary.with(&args.input, value)?)?, |model| {
                    name = model.name().to_owned();
                    compare(args, &*model, Some(value), &mut rows)?;
                });
                if is_interrupted(&rows) {
                    break;
                }
            }
        }
    }
    let disagreement = rows.chunk_by(|a, b| a.value == b.value).find_map(disagreement);
    let vary = vary.as_ref().map(|vary| vary.name.as_str());
    if let Some(file) = &args.figure {
        let with_cache = rows.iter().any(|row| row.cache.is_some());
        let figure = if with_cache { figure::figure } else { timeline::timeline };
        NewFile::save(file, figure(&name, &rows)).map_err(Failure::writing(file))?;
    }
    print::results(&match (args.json, vary) {
        (true, _) => json(&name, vary, &rows, disagreement.is_none()),
        (false, None) => table::table(&name, &rows) + &notes(&rows, disagreement.as_deref()),
        (false, Some(vary)) => {
            table::varied(&name, vary, &rows) + &notes(&rows, disagreement.as_deref())
        }
    })?;
    Ok(ExitCode::from(if disagreement.is_some() { 1 } else { status(&rows) }))
}

fn is_interrupted(rows: &[Row]) -> bool {
    rows.last().is_some_and(|row| row.stop == Some(StopReason::Interrupted.name()))
}

/// Adds the rows of one model.
fn compare<M: FrontEnd>(
    args: &args::Compare,
    model: &M,
    value: Option<&String>,
    rows: &mut Vec<Row>,
) -> Result<(), Failure> {
    let first = rows.len();
    for (contender, reduce) in reduced(args, &contenders(args, model)?) {
        let full = rows[first..].iter().find(|row| row.is_full() && row.stop.is_none());
        let states = full.and_then(|row| row.states);
        let Some(row) = contender.run(args, model, reduce, states)? else { continue };
        rows.push(Row { value: value.cloned(), ..row });
        if is_interrupted(rows) {
            break;
        }
    }
    Ok(())
}

/// Notes below the table.
fn notes(rows: &[Row], disagreement: Option<&str>) -> String {
    let mut text = String::new();
    let why = |row: &Row| match row.stop {
        Some("model") => row.stop_message.clone(),
        stop => stop.map(str::to_owned),
    };
    if let Some(stop) = rows.iter().find_map(why) {
        let note = format!("incomplete runs ({stop}): their numbers cover a part of the states");
        text.push_str(&format!("\n{}\n", styled(UNSURE, note)));
    }
    if let Some(what) = disagreement {
        let note = format!("the methods disagree on {what}: this is a bug, please report it");
        text.push_str(&format!("\n{}\n", styled(BAD, note)));
    }
    text
}

/// Each run with each reduction; a cache is run without.
fn reduced<'c, M: FrontEnd>(
    args: &args::Compare,
    contenders: &'c [Contender<M>],
) -> Vec<(&'c Contender<M>, Variant)> {
    let each = |contender: &'c Contender<M>| {
        let variants = match contender {
            Contender::Cache { .. } => &[Variant::None],
            Contender::Full | Contender::Sweep { .. } => &*args.reduce,
        };
        variants.iter().map(move |&variant| (contender, variant)).collect::<Vec<_>>()
    };
    contenders.iter().flat_map(each).collect()
}

/// A run.
enum Contender<M: FrontEnd> {
    Full,
    Sweep { measure: Rc<MeasureSpec<M>>, window: u64, gc: Option<u64> },
    Cache { size: Share, policy: CachePolicy },
}

/// Full exploration, then sweeps, then searches with a cache: every size with every replacement policy.
fn contenders<M: FrontEnd>(args: &args::Compare, model: &M) -> Result<Vec<Contender<M>>, Failure> {
    let mut contenders = Vec::new();
    if args.methods.contains(&Method::Full) {
        contenders.push(Contender::Full);
    }
    if args.methods.contains(&Method::Sweep) {
        let sweeps = sweeps(args, model)?;
        if sweeps.is_empty() {
            return Err(Failure::NoMeasure);
        }
        contenders.extend(sweeps);
    }
    let policies =
        if args.cache_policy.is_empty() { &[CachePolicy::Random] } else { &*args.cache_policy };
    let with = |policy: &CachePolicy| {
        let policy = *policy;
        args.cache.iter().map(move |&size| Contender::Cache { size, policy })
    };
    match args.methods.contains(&Method::Cache) {
        true if args.cache.is_empty() => {
            Err(Failure::NoCacheSize { or: ", or `--cache 50%` of all states" })
        }
        false if !args.cache.is_empty() || !args.cache_policy.is_empty() => {
            Err(plan::NO_OTHER_METHOD)
        }
        false => Ok(contenders),
        true => {
            let is_part = |size: &Share| matches!(size, Share::Percent(_));
            if args.cache.iter().any(is_part) && !args.methods.contains(&Method::Full) {
                return Err(Failure::NoShare);
            }
            contenders.extend(policies.iter().flat_map(with));
            Ok(contenders)
        }
    }
}

/// For each measure and window a sweep for each threshold of `--gc`, and one that drops each layer at once.
fn sweeps<M: FrontEnd>(args: &args::Compare, model: &M) -> Result<Vec<Contender<M>>, Failure> {
    let mut sweeps = Vec::new();
    let named: Vec<String> = model.measures().iter().map(|measure| measure.name.clone()).collect();
    let own: Vec<String> = model.own_measure().into_iter().map(str::to_owned).collect();
    let own = [named, own].into_iter().find(|own| !own.is_empty());
    let own = own.unwrap_or_else(|| vec!["auto".to_owned()]);
    for text in if args.progress.is_empty() { &own } else { &args.progress } {
        if let Some(measure) = MeasureSpec::parse(model, text)?.map(Rc::new) {
            let with = |window, gc| Contender::Sweep { measure: measure.clone(), window, gc };
            let own = [measure.found.map_or(0, |found| found.window)];
            let windows = if args.window.is_empty() { &own[..] } else { &args.window };
            for &window in windows {
                sweeps.extend(args.gc.iter().map(|&gc| with(window, Some(gc))));
                sweeps.push(with(window, None));
            }
        }
    }
    Ok(sweeps)
}

/// The results of a run; the fields of an entry of the JSON object, in its order.
#[derive(Serialize, Debug)]
struct Row {
    /// The value of the parameter that varies.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    method: Method,
    progress: String,
    window: u64,
    gc: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reduction: Option<&'static str>,
    #[serde(flatten)]
    cache: Option<CacheFigures>,
    states: Option<u64>,
    explored: u64,
    edges: Option<u64>,
    dead: Option<u64>,
    #[serde(skip)]
    deadlock: bool,
    #[serde(flatten)]
    reduced: Option<ReductionFigures>,
    peak_states: u64,
    sweeps: u64,
    seconds: f64,
    peak_bytes: u64,
    stop: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_message: Option<String>,
    /// The states stored during the run, if a figure is asked for.
    #[serde(skip)]
    curve: Vec<Moment>,
}

impl Row {
    /// It is a full exploration without reductions.
    fn is_full(&self) -> bool {
        self.method == Method::Full && self.reduction.is_none()
    }
}

impl<M: FrontEnd> Contender<M> {
    /// Runs it; `all` is the number of states, if it is known. `None` if a cache needs it and it is unknown.
    fn run(
        &self,
        args: &args::Compare,
        model: &M,
        reduce: Variant,
        all: Option<u64>,
    ) -> Result<Option<Row>, Failure> {
        let (window, gc, cache) = match self {
            Contender::Full => (0, None, None),
            Contender::Sweep { window, gc, .. } => (*window, *gc, None),
            Contender::Cache { size, policy } => match (*size, all) {
                (Share::States(states), _) => (0, None, Some((states.max(1), *policy))),
                (Share::Percent(part), Some(all)) => {
                    let states = (all as f64 * part / 100.0).round().max(1.0) as u64;
                    (0, None, Some((states, *policy)))
                }
                (Share::Percent(part), None) => {
                    print::warn(&format!(
                        "`--cache {part}%` is left out: the number of states is unknown"
                    ));
                    return Ok(None);
                }
            },
        };
        let retention = args::Retention { window: Some(window), anchor: None, gc };
        let measure = match self {
            Contender::Sweep { measure, .. } => Some(&**measure),
            Contender::Full | Contender::Cache { .. } => None,
        };
        let mut options = plan::options(None, &retention, &args.limits, measure);
        // Each method has the whole time limit.
        (options.limits.time, options.limits.deadline) = (args.limits.budget.time_limit, None);
        options.cache =
            cache.map(|(states, policy)| Cache::new(states).replacing(plan::replacement(policy)));
        let mut unoffered = Vec::new();
        let check = model.reduce(Check::new(model), reduce.into(), &mut unoffered).options(options);
        if let Some(word) = unoffered.first() {
            print::warn(word);
            return Ok(None);
        }
        let started = Instant::now();
        guard::restart_time(args.limits.budget.time_limit);
        let extent = measure.filter(|_| reduce == Variant::None);
        let line = Line::new(&[]).estimating(extent.map(|measure| || measure.extent(model)));
        let mut watcher = Watcher::new(line, None);
        let check = check.progress(along(model, measure));
        let (run, curve) = match args.figure.is_some() && cache.is_none() {
            true => {
                let mut recorder = Recorder::new();
                let run = check.run_watched(&mut (&mut watcher, &mut recorder));
                let curve = recorder.finish();
                (run, curve)
            }
            false => (check.run_watched(&mut watcher), Vec::new()),
        };
        watcher.finish();
        let seconds = started.elapsed().as_secs_f64();
        let (method, progress) = match self {
            Contender::Full => (Method::Full, "none".into()),
            Contender::Sweep { measure, .. } => (Method::Sweep, measure.text.clone()),
            Contender::Cache { .. } => (Method::Cache, "none".into()),
        };
        let statistics = run.statistics;
        Ok(Some(Row {
            value: None,
            method,
            progress,
            window,
            gc,
            reduction: reduce.name(),
            cache: cache.map(|(states, policy)| {
                let asked = CacheSummary { states, policy: policy.name() };
                CacheFigures::new(asked, &statistics)
            }),
            states: statistics.states(),
            explored: statistics.explored,
            edges: statistics.counts().map(|counts| counts.edges),
            dead: statistics.counts().map(|counts| counts.dead),
            deadlock: statistics.dead > 0,
            reduced: reduce.name().map(|_| ReductionFigures::new(&statistics)),
            peak_states: statistics.peak_states,
            sweeps: statistics.sweeps,
            seconds,
            peak_bytes: statistics.peak_bytes,
            stop: run.stop.as_ref().map(StopReason::name),
            stop_message: run.stop.as_ref().map(ToString::to_string),
            curve,
        }))
    }
}

/// What two complete runs disagree on; that is always a bug.
fn disagreement(rows: &[Row]) -> Option<String> {
    let complete = || rows.iter().filter(|row| row.stop.is_none());
    let exact = || complete().filter(|row| row.states.is_some());
    // Sleep sets omit edges only, and stubborn sets keep the dead states.
    let whole = || exact().filter(|row| row.reduction.is_none());
    let all = || exact().filter(|row| row.reduction.is_none_or(|name| name == "sleep"));
    let differ = |mut figures: Box<dyn Iterator<Item = u64> + '_>| {
        figures.next().is_some_and(|first| figures.any(|other| other != first))
    };
    let found = [
        ("the number of states", differ(Box::new(all().filter_map(|row| row.states)))),
        ("the number of edges", differ(Box::new(whole().filter_map(|row| row.edges)))),
        ("the number of dead states", differ(Box::new(exact().filter_map(|row| row.dead)))),
        ("deadlock", differ(Box::new(complete().map(|row| u64::from(row.deadlock))))),
    ];
    found.into_iter().find(|(_, differ)| *differ).map(|(what, _)| what.into())
}

fn status(rows: &[Row]) -> u8 {
    let stopped = |stop: &str| rows.iter().any(|row| row.stop == Some(stop));
    match rows.iter().any(|row| row.stop.is_some()) {
        _ if stopped("interrupted") => 130,
        _ if stopped("model") => 2,
        true => 3,
        false => 0,
    }
}

fn json(model: &str, vary: Option<&str>, rows: &[Row], agree: bool) -> String {
    #[derive(Serialize)]
    struct Object<'a> {
        schema: u32,
        model: &'a str,
        agree: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        vary: Option<&'a str>,
        runs: &'a [Row],
    }
    let object = Object { schema: 1, model, agree, vary, runs: rows };
    print::json(&object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(states: Option<u64>, dead: u64, stop: Option<&'static str>) -> Row {
        Row {
            value: None,
            method: Method::Sweep,
            progress: "p".into(),
            window: 0,
            gc: None,
            reduction: None,
            cache: None,
            states,
            explored: states.unwrap_or(99),
            edges: states.map(|_| 7),
            dead: states.map(|_| dead),
            deadlock: dead > 0,
            reduced: None,
            peak_states: 3,
            sweeps: 1,
            seconds: 0.1,
            peak_bytes: 10,
            stop,
            stop_message: None,
            curve: Vec::new(),
        }
    }

    #[test]
    fn only_complete_and_exact_runs_are_compared() {
        let all = |rows: &[Row]| disagreement(rows);
        assert_eq!(all(&[row(Some(5), 1, None), row(Some(5), 1, None)]), None);
        assert_eq!(all(&[row(Some(5), 1, None), row(None, 3, None)]), None);
        assert_eq!(all(&[row(Some(5), 1, None), row(Some(2), 0, Some("time-limit"))]), None);
        let states = all(&[row(Some(5), 1, None), row(Some(6), 1, None)]);
        assert_eq!(states.as_deref(), Some("the number of states"));
        let deadlock = all(&[row(Some(5), 1, None), row(None, 0, None)]);
        assert_eq!(deadlock.as_deref(), Some("deadlock"));
    }
}
