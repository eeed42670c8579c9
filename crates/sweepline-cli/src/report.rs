//! `report`: the usual questions about a state space, answered in one exploration.

mod bounds;
mod chart;
mod overview;
mod page;
mod profile;
mod text;
mod trace;

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use sweepline::observe::{Home, Structure, Survey};
use sweepline::{Check, Options, Report};

use crate::args;
use crate::ask::{self, Asked, Faults};
use crate::check::endless;
use crate::failure::Failure;
use crate::front_end::{FrontEnd, MostTokens};
use crate::load::{Loaded, load};
use crate::measure::{Ladder, MeasureSpec, Need, along, is_open};
use crate::plan;
use crate::print;
use crate::temporal::Fair;
use crate::watch::{Line, Watcher};
use bounds::Bounds;
use overview::{Overview, Stated};
pub(crate) use profile::{Point, Profile};

/// Runs the verb.
pub(crate) fn run(args: &args::Report) -> Result<ExitCode, Failure> {
    let cache = args.measure.method == Some(args::Method::Cache);
    let help =
        "a report needs the strongly connected components: use `--method sweep` or `--method full`";
    Failure::refuse("reports", help, &[("`--method cache`", cache)])?;
    match load(&args.input)? {
        Loaded::Net(model) => run_model(args, &*model, OTHER_TITLE),
        Loaded::Coloured(model) => match modulo_time(args, &*model) {
            Some(merged) => run_model(args, &merged, CPN_TITLE),
            None => run_model(args, &*model, CPN_TITLE),
        },
        Loaded::Processes(model) => run_model(args, &*model, OTHER_TITLE),
    }
}

/// `model` with states merged that differ only by a shift of model time, if it has infinitely many states otherwise,
/// the user did not choose how to explore, and no property depends on the time.
fn modulo_time<M: FrontEnd>(args: &args::Report, model: &M) -> Option<M> {
    if args.measure.progress.is_some() || args.measure.method.is_some() {
        return None;
    }
    let merged = model.modulo_time(&args.input)?;
    let asked = ask::questions(&args.questions, &args.input, &merged).is_ok();
    if !asked || !endless::is_endless(model, &merged) {
        return None;
    }
    print::warn(endless::MERGED);
    Some(merged)
}

/// The first line of the text. Scripts that read reports of CPN Tools look for it.
const CPN_TITLE: &str = "CPN Tools state space report for:";
const OTHER_TITLE: &str = "State space report for:";

fn run_model<M: FrontEnd>(
    args: &args::Report,
    model: &M,
    title: &'static str,
) -> Result<ExitCode, Failure> {
    let output = args.output.as_deref().map(print::ResultFile::create).transpose()?;
    let page = args.html.as_deref().map(print::ResultFile::create).transpose()?;
    let started = Instant::now();
    let measure = plan::measure(&args.measure, model, Need::Rising, None)?;
    let attempt = Attempt { args, model };
    let open = is_open(&args.measure, &args.retention);
    let mut ladder = Ladder::new(model, measure, open, Need::Rising);
    ladder.falls = args.measure.monotone != Some(args::Monotone::Strict);
    let mut found = attempt.explore(&mut ladder)?;
    while ladder.goes_on(found.report.stop.as_ref()) {
        found = attempt.explore(&mut ladder)?;
    }
    let properties = stated(&attempt, &mut found);
    let heading = attempt.heading(ladder.measure.as_ref());
    for note in &heading.notes {
        print::warn(note);
    }
    let overview = Overview::new(model, heading, found, properties, started.elapsed());
    if let Some(stop) = &overview.stop {
        print::warn(&format!("the report is incomplete: {stop}"));
    }
    let printed = if args.json { print::json(&overview) } else { text::text(title, &overview) };
    match output {
        None => print::results(&printed)?,
        Some(sheet) => sheet.write(&printed)?,
    }
    if let Some(file) = page {
        file.write(&page::page(&overview))?;
    }
    Ok(ExitCode::from(overview.exit_status()))
}

/// What is explored, and how.
struct Heading {
    file: String,
    method: args::Method,
    progress: String,
    notes: Vec<String>,
    full_trace: bool,
}

/// The results of an exploration.
struct Surveyed<M: FrontEnd> {
    report: Report<M>,
    structure: Structure,
    /// The number of properties at the start that the report itself needs.
    own: usize,
    extents: M::Extents,
    profile: Profile,
    faults: Faults,
}

/// An exploration to run.
struct Attempt<'a, M: FrontEnd> {
    args: &'a args::Report,
    model: &'a M,
}

impl<M: FrontEnd> Attempt<'_, M> {
    /// The properties asked for; those with an error have it.
    fn asked(&self) -> Vec<Result<Asked<M>, (String, Failure)>> {
        ask::each_question(&self.args.questions, &self.args.input, self.model)
    }

    fn options(&self, measure: Option<&MeasureSpec<M>>) -> Result<Options, Failure> {
        let args::Report { retention, limits, witness, .. } = self.args;
        let strict = Some(args::Monotone::Strict);
        let mut options = plan::options(strict, retention, limits, measure);
        options.witness = plan::witness(*witness);
        Ok(options)
    }

    fn explore(&self, ladder: &mut Ladder<'_, M>) -> Result<Surveyed<M>, Failure> {
        let Ladder { measure, search, .. } = ladder;
        let (model, measure) = (self.model, measure.as_ref());
        let (survey, structure) = Survey::new(model.transitions().len(), model.transition_of());
        let extents = Arc::new(Mutex::new(M::Extents::default()));
        let fair = Fair::new(&self.args.questions, model)?;
        let check =
            Check::new(model).assuming(fair.about(model)).query("structure", "structure", survey);
        let mut check = check.query("bounds", "bounds", Bounds::new(extents.clone()));
        let mut own = 2;
        if let Some(start) = model.initial_untimed() {
            let is_start = move |model: &M, _: &mut M::Worker, state: &M::State| {
                Ok(model.is_same_untimed(&start, state))
            };
            check = check.query("home", "home", Home::new(is_start));
            own += 1;
        }
        let (faults, most) = (Faults::default(), Arc::new(MostTokens::default()));
        let asked: Vec<Asked<M>> = self.asked().into_iter().filter_map(Result::ok).collect();
        let mut options = self.options(measure)?;
        if asked.is_empty() {
            options.witness = sweepline::WitnessMode::Off;
        }
        let check = ask::put(check, model, asked, &most, Some(&faults), &[]).options(options);
        let line = Line::new(&check.names()[own..])
            .estimating(measure.map(|measure| || measure.extent(model)));
        let (mut watcher, mut profile) = (Watcher::new(line, None), Profile::default());
        let mut watching = (&mut watcher, search);
        let mut observers = (&mut watching, &mut profile);
        let report = check.progress(along(model, measure)).run_watched(&mut observers);
        watcher.finish();
        let structure = taken(&structure);
        let extents = taken(&extents);
        Ok(Surveyed { report, structure, own, extents, profile, faults })
    }

    fn heading(&self, measure: Option<&MeasureSpec<M>>) -> Heading {
        Heading {
            file: self.args.input.file.display().to_string(),
            method: args::Method::along(measure),
            progress: measure.map_or_else(|| "none".into(), |measure| measure.text.clone()),
            notes: self.model.notes(&self.args.input),
            full_trace: self.args.full_trace,
        }
    }
}

/// Takes the results of a query that is done.
fn taken<T: Default>(found: &Mutex<T>) -> T {
    std::mem::take(&mut found.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The properties asked for, in order. Errors are printed.
fn stated<M: FrontEnd>(attempt: &Attempt<'_, M>, found: &mut Surveyed<M>) -> Vec<Stated> {
    let mut answered = found.report.properties.split_off(found.own).into_iter();
    let mut stated = Vec::new();
    for asked in attempt.asked() {
        stated.extend(match asked {
            Err((name, failure)) => {
                let message = failure.to_string();
                failure.show();
                Some(Stated::wrong(name, message))
            }
            Ok(_) => answered.next().map(|property| match found.faults.of(&property.name) {
                Some(fault) => {
                    print::warn(&format!("`{}`: {fault}", property.name));
                    Stated::wrong(property.name, fault)
                }
                None => Stated::new(attempt.model, &property, attempt.args.full_trace),
            }),
        });
    }
    stated
}
