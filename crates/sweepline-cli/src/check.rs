//! `check`: explores a model and decides properties.

pub(crate) mod endless;
mod gpu;
mod heading;
mod structure;
mod watched;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sweepline::identity::Identity;
use sweepline::{Along, Cache, Check, Options, Report, StopReason, checkpoint};

use crate::args;
use crate::ask::{self, Asked, Asks};
use crate::assertions;
use crate::cluster::{self, Processes};
use crate::failure::Failure;
use crate::front_end::{FrontEnd, MostTokens};
use crate::guard;
use crate::hunting;
use crate::identity::{self, Wanted};
use crate::load::{Loaded, load, on_model};
use crate::measure::{self, Ladder, MeasureSpec, Need};
use crate::plan;
use crate::print;
use crate::publish;
use crate::results::{self, Heading, Summary, TraceFile};
use crate::resume::{self, Resumed, Settings};
use crate::spill;
use crate::temporal::{self, Fair};
use crate::watch::{Extent, Growth, Line, Log, Watcher};
pub(crate) use heading::blank;
use heading::heading;
use structure::Structural;
pub(crate) use watched::{Explored, watched};

/// Runs the verb.
pub(crate) fn run(args: &args::Check) -> Result<ExitCode, Failure> {
    unfinished(args, blank(args), Vec::new());
    publish::check(&args.output)?;
    guard::phase("reading the model");
    refuse(args, Asks::of(&args.questions, &[]))?;
    let wanted = Wanted::of(args)?;
    plan::reductions(args)?;
    // Before the model is read, which may take long.
    spill::folder(&args.on_disk)?;
    let resumed = args.checkpoints.resume.as_deref().filter(|_| !args.cluster.is_given());
    let resumed = resumed.map(Resumed::read).transpose()?;
    let Some(resumed) = &resumed else {
        if wanted.is_none()
            && let Some(script) = assertions::of(args)?
        {
            cluster::refuse_assertions(args)?;
            spill::refuse_assertions(args)?;
            hunting::refuse_assertions(args)?;
            return assertions::run(args, script);
        }
        let loaded = load(&identity::input(args, wanted.as_ref()))?;
        return on_model!(loaded, |model| run_model(args, &*model, wanted, None, Vec::new()));
    };
    let completed = resumed.complete(args.clone());
    let loaded = load(&completed.input).map_err(|failure| match failure {
        Failure::Init { text, .. } if args.input.init.is_empty() => resumed.no_place(&text),
        other => other,
    })?;
    on_model!(loaded, |model| run_model(&completed, &*model, None, Some(resumed), Vec::new()))
}

/// Rejects options that cannot be used with the properties; returns the cache of `--method cache`.
fn refuse(args: &args::Check, asks: Asks) -> Result<Option<Cache>, Failure> {
    let cache = plan::cache(args, asks)?;
    plan::saved(args, asks)?;
    temporal::refuse(args, asks)?;
    cluster::refuse(args, asks)?;
    spill::refuse(args, asks)?;
    hunting::refuse(args, asks)?;
    Ok(cache)
}

fn run_model<M: FrontEnd>(
    args: &args::Check,
    model: &M,
    mut wanted: Option<Wanted<'_>>,
    resumed: Option<&Resumed>,
    notes: Vec<String>,
) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    // Declared properties are known only now.
    let asks = Asks::of(&args.questions, model.declared());
    refuse(args, Asks::of(&args.questions, &[]))?;
    let cache = refuse(args, asks).map_err(|failure| of_declared(failure, args, model))?;
    if let Some(gpu) = args.device.gpu
        && let Some(code) = gpu::run(args, model, gpu)?
    {
        return Ok(code);
    }
    let need = if asks.components { Need::Rising } else { Need::Any };
    if let Some(wanted) = &mut wanted {
        let asked = ask::questions(&args.questions, &args.input, model)?;
        let settled = model.settle(wanted, &ask::terms(&asked));
        settled.map_err(|failure| of_declared(failure, args, model))?;
    }
    let sums = wanted.as_ref().and_then(|wanted| model.common_features(wanted));
    if resumed.is_none() {
        plan::refuse_without_measure(&args.measure, &args.retention, model)?;
    }
    let joined = match args.cluster.is_given() {
        true => {
            let asked = ask::questions(&args.questions, &args.input, model)?;
            cluster::join_others(args, model, &asked, need)?
        }
        false => None,
    };
    guard::phase("looking for a progress measure");
    let (processes, measure) = match (joined, resumed) {
        (Some((processes, measure)), _) => (Some(processes), measure),
        (None, Some(resumed)) => (None, resumed.restore(&args.measure, model)?),
        (None, None) => (None, plan::measure(&args.measure, model, need, sums.as_deref())?),
    };
    let quiet = processes.as_ref().map(|_| cluster::without_checkpoints(args));
    let (args, given) = (quiet.as_ref().unwrap_or(args), args);
    let processes = processes.as_ref();
    let prints = processes.is_none_or(|processes| processes.index == 0);
    if let Some(wanted) = &wanted {
        wanted.fits(measure.as_ref())?;
    }
    let trace = args.output.trace.as_deref().filter(|_| prints);
    let trace = trace.map(TraceFile::create).transpose()?;
    let merged = endless::modulo_time(args, model, resumed, wanted.as_ref());
    let merged = merged.as_ref();
    let structural = Structural::new(args, model)?;
    // Processes would have to agree on when to begin again.
    let said = processes.is_some() || structural.is_smaller();
    let open = wanted.is_none()
        && !structural.is_smaller()
        && processes.is_none()
        && args.on_disk.spill.is_none()
        && measure::is_open(&args.measure, &args.retention)
        && resumed.is_none_or(Resumed::is_open);
    let mut attempt = Attempt {
        args,
        model,
        resumed,
        cache,
        wanted,
        merged,
        said,
        open,
        processes,
        has_glanced: false,
        structural,
    };
    let mut ladder = Ladder::new(model, measure, open, need);
    let mut found = attempt.first(&mut ladder)?;
    if let Some(merged) = merged.filter(|_| found.repeats) {
        if let Some(args) = endless::merging(args, merged) {
            drop(trace);
            let notes = vec![endless::MERGED.to_owned()];
            return run_model(&args, merged, None, None, notes);
        }
        endless::stop(&mut found.report);
    }
    let Outcome { mut report, mut tokens, mut note, bare, .. } = found;
    // A checkpoint that does not fit into memory is kept: no new run begins.
    let restored = resumed.is_none() || report.saved.is_some();
    if ladder.goes_on(report.stop.as_ref().filter(|_| restored)) {
        tidy(&report);
        attempt.resumed = None;
        attempt.said = note.is_some();
        let again = attempt.explore(&mut ladder)?;
        note = again.note.or(note.filter(|_| !again.report.is_finished()));
        (report, tokens) = (again.report, again.tokens);
    }
    let mut measure = ladder.measure;
    let scattered = scattered(&mut measure, report.along);
    refused(&mut report, attempt.resumed.and(args.checkpoints.resume.as_ref()))?;
    cluster::refused(&mut report)?;
    spill::refused(&mut report)?;
    let before = report.saved.as_ref().map(|saved| saved.before).unwrap_or_default();
    let search = measure.as_ref().and_then(|measure| measure.found);
    let search = search.filter(|_| attempt.resumed.is_none());
    let searching = Duration::from_secs_f64(search.map_or(0.0, |found| found.seconds));
    let elapsed = before + started.elapsed().saturating_sub(searching);
    let mut heading = heading(&attempt, measure.as_ref());
    heading.notes.extend(bare);
    if report.properties.is_empty() {
        heading.notes.push(model.unasked());
    }
    heading.notes.extend(notes.into_iter().chain(note));
    heading.notes.extend(scattered);
    let mut summary = Summary::new(heading, &report, elapsed, tokens);
    if let Some(processes) = processes {
        summary.of_processes(processes.count, processes.command.clone());
    }
    if prints {
        attempt.publish(&mut summary, &report)?;
    } else if given.cluster.hosts.is_some() && !args.output.json {
        print::results("process 0 prints the results\n")?;
    }
    // After the results, so that they are printed even if the trace cannot be written.
    if let Some(file) = trace {
        results::write_trace(model, &report, file)?;
    }
    if report.is_finished() {
        match processes {
            Some(_) => cluster::tidy(&given.checkpoints),
            None => tidy(&report),
        }
    }
    Ok(ExitCode::from(summary.exit_status()))
}

/// The most tokens in a place and in a marking, if they were counted.
type Tokens = Option<(u64, u128)>;

/// A run that is about to be made.
struct Attempt<'a, M: FrontEnd> {
    args: &'a args::Check,
    model: &'a M,
    resumed: Option<&'a Resumed>,
    cache: Option<Cache>,
    /// Which states are equivalent.
    wanted: Option<Wanted<'a>>,
    /// The model with states merged that differ by a shift of time, where it may be explored instead.
    merged: Option<&'a M>,
    /// No warning about places that grow: options say how to explore.
    said: bool,
    /// No option says how to explore, and there is memory for a measure search.
    open: bool,
    /// Several processes explore.
    processes: Option<&'a Processes>,
    /// A glance was not enough.
    has_glanced: bool,
    /// What needs no exploration, and what is explored instead of the model.
    structural: Structural<M>,
}

/// The result of an attempt.
struct Outcome<M: FrontEnd> {
    report: Report<M>,
    tokens: Tokens,
    /// What a reader must know.
    note: Option<String>,
    /// What the bare names in formulas mean.
    bare: Vec<String>,
    /// It was abandoned because states repeat up to a shift of time.
    repeats: bool,
}

impl<'a, M: FrontEnd> Attempt<'a, M> {
    /// A run on a GPU: nothing is left open.
    fn on_gpu(args: &'a args::Check, model: &'a M) -> Self {
        let (resumed, cache, wanted, merged, processes) = (None, None, None, None, None);
        let structural = Structural::none();
        Attempt {
            args,
            model,
            resumed,
            cache,
            wanted,
            merged,
            said: true,
            open: false,
            processes,
            has_glanced: false,
            structural,
        }
    }

    /// The first exploration: a glance, where proofs would take longer than that, and then the whole one, if the
    /// glance is not enough.
    fn first(&mut self, ladder: &mut Ladder<'_, M>) -> Result<Outcome<M>, Failure> {
        let glances = self.structural.glance.is_some();
        let found = self.explore(ladder)?;
        if !glances || found.report.is_finished() || found.report.stop != Some(StopReason::States) {
            return Ok(found);
        }
        self.structural.deepen(self.args, self.model)?;
        self.has_glanced = true;
        self.explore(ladder)
    }

    /// Explores, and counts the most tokens where that was asked.
    fn explore(&self, ladder: &mut Ladder<'_, M>) -> Result<Outcome<M>, Failure> {
        let Attempt { args, model, .. } = self;
        let Ladder { measure, search, .. } = ladder;
        let measure = measure.as_ref();
        let (asked, options) = self.prepare(measure)?;
        let (model, asked) = self.structural.explored(model, asked)?;
        let bare = ask::notes(&asked);
        let log = args.output.log.as_deref();
        let log = log.map(|file| Log::create(file, self.resumed.is_some())).transpose()?;
        let most = Arc::new(MostTokens::default());
        let identity = match &self.wanted {
            Some(wanted) => model
                .identity(wanted, &ask::terms(&asked))
                .map_err(|failure| of_declared(failure, args, model))?,
            None => Identity::Exact,
        };
        let fair = Fair::new(&args.questions, model)?;
        let check = Check::new(model).assuming(fair.about(model));
        let check = ask::put(check, model, asked, &most, None, &self.structural.decided);
        let check = check.progress(measure::along(model, measure));
        let check = check.options(options).identity(identity);
        let check = match self.processes {
            Some(processes) => check.cluster(&processes.workers),
            None => check,
        };
        let mut unoffered = Vec::new();
        let check = model.reduce(check, args.reductions.chosen(), &mut unoffered);
        let check = hunting::hunting(args.hunting, check, self.has_glanced);
        let asked = check.names();
        let mut watcher = Watcher::new(self.line(measure, &asked), log);
        unfinished(args, heading(self, measure), asked);
        let saved = args.checkpoints.checkpoint.as_ref().or(args.checkpoints.resume.as_ref());
        let _part = saved.map(|file| guard::Unfinished::new(&checkpoint::unfinished(file)));
        guard::phase("exploring");
        let mut growth = self.growth();
        let mut watching = (&mut watcher, search);
        let mut observers = (&mut watching, &mut growth);
        let mut report = check.run_watched(&mut observers);
        match report.stop {
            Some(StopReason::Checkpoint(_)) => watcher.dismiss(),
            _ => watcher.finish(),
        }
        if !self.structural.lift(self.model, &mut report) {
            return self.explore(ladder);
        }
        report.reductions.extend(unoffered);
        let (repeats, note) = (growth.is_repeating(), growth.note(report.is_finished()));
        Ok(Outcome { report, tokens: most.found(), note, bare, repeats })
    }

    /// The progress line of a run along `measure`.
    fn line<'l>(
        &'l self,
        measure: Option<&'l MeasureSpec<M>>,
        asked: &[(String, &'static str)],
    ) -> Line<'l> {
        // Trial sweeps count all states, without reductions and equivalences.
        let is_whole = self.args.reductions.is_none() && self.wanted.is_none();
        let extent = measure.map(|measure| {
            move || {
                let Extent { end, states } = measure.extent(self.model);
                Extent { end, states: states.filter(|_| is_whole) }
            }
        });
        Line::new(asked).estimating(extent)
    }

    /// Watches for places that grow; off if options say how to explore.
    fn growth(&self) -> Growth<'_, M> {
        let Attempt { args, model, merged, .. } = self;
        let chosen = args.measure.progress.is_some() || args.input.equivalence.is_some();
        match merged {
            _ if chosen || self.said => Growth::silent(*model),
            None => Growth::new(*model),
            Some(merged) => Growth::new(*model).until(|states| endless::repeats(*merged, states)),
        }
    }

    /// Prints the results, and writes them to files.
    fn publish(&self, summary: &mut Summary, report: &Report<M>) -> Result<(), Failure> {
        let Attempt { args: args::Check { output, input, .. }, model, .. } = *self;
        if !output.explain && !output.json {
            summary.hide_certificates();
        }
        if publish::shows_paths(output) {
            summary.add_texts(model, report);
        }
        if output.shows_runs() {
            summary.add_runs(model, &report.properties);
        }
        let declared: Vec<_> = model.declared().iter().map(|p| (&*p.name, p.offset)).collect();
        if !declared.is_empty() && input.model_format()? == args::Format::Cpnt {
            // Without the file there are no lines.
            summary.locate(&std::fs::read(&input.file).unwrap_or_default(), &declared);
        }
        publish::results(output, summary, || {
            results::text(model, report, summary, output.full_trace)
        })
    }

    /// Prepares a run; fails if an option is wrong.
    fn prepare(
        &self,
        measure: Option<&MeasureSpec<M>>,
    ) -> Result<(Vec<Asked<M>>, Options), Failure> {
        let Attempt { args, model, resumed, cache, .. } = self;
        let asked = ask::questions(&args.questions, &args.input, *model)?;
        let monotone = args.measure.monotone;
        let mut options = plan::options(monotone, &args.retention, &args.limits, measure);
        options.witness = plan::witness(args.output.witness);
        options.cache = *cache;
        options.spill = spill::folder(&args.on_disk)?;
        options.limits.states = self.structural.glance.or(options.limits.states);
        options.count = args.output.count || args.questions.need_counts() || asked.is_empty();
        let open = self.open && measure.is_none();
        let settings = Settings::new(args, *model, &asked, measure, &options, open)?;
        if let Some(resumed) = resumed {
            resumed.compare(&settings)?;
        }
        resume::plan(&args.checkpoints, *model, &settings, &mut options)?;
        if let (None, Some(checkpoint)) = (resumed, &mut options.checkpoint) {
            checkpoint.resume = None;
        }
        Ok((asked, options))
    }
}

/// Adds to `failure` how to leave out declared properties, if no option selects them.
fn of_declared<M: FrontEnd>(failure: Failure, args: &args::Check, model: &M) -> Failure {
    match args.questions.property.is_empty() {
        true => failure.of_declared(model.declared()),
        false => failure,
    }
}

/// The note for component properties that needed more than a sweep along the measure. If every state was stored, the
/// figures are not those of the measure any more.
fn scattered<M: FrontEnd>(measure: &mut Option<MeasureSpec<M>>, along: Along) -> Option<String> {
    let how = match along {
        Along::Measure | Along::Cut => return None,
        Along::Columns => "only its columns were swept",
        Along::Nothing => "every state was stored",
    };
    let text = &measure.as_ref()?.text;
    let note = format!(
        "the measure `{text}` is not monotone, so {how} to find the strongly connected components"
    );
    if along == Along::Nothing {
        *measure = None;
    }
    Some(note)
}

/// An unusable checkpoint is an error of the command, not a result.
fn refused<M: FrontEnd>(report: &mut Report<M>, resumed: Option<&PathBuf>) -> Result<(), Failure> {
    match (report.stop.take(), resumed) {
        (Some(StopReason::Checkpoint(error)), _) => Err(error.into()),
        (Some(StopReason::Memory), Some(file)) if report.saved.is_none() => {
            Err(Failure::CheckpointTooLarge { file: file.clone() })
        }
        (stop, _) => {
            report.stop = stop;
            Ok(())
        }
    }
}

/// Removes the checkpoint of a complete run.
fn tidy<M: FrontEnd>(report: &Report<M>) {
    if let Some(saved) = &report.saved
        && let Err(error) = checkpoint::remove(&saved.file)
    {
        print::warn(&format!("cannot remove the checkpoint: {error}"));
    }
}

/// Sets the last output, for a run that must end now.
fn unfinished(args: &args::Check, heading: Heading, asked: Vec<(String, &'static str)>) {
    let output = args.output.clone();
    guard::last_words(Box::new(move |stop, known| {
        let summary = Summary::unfinished(heading.clone(), &asked, known, stop);
        publish::last_words(&output, &summary, stop)
    }));
}
