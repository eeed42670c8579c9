//! The results of a run: one summary, printed as JSON or as text.

mod assertions;
mod counts;
mod figures;
mod hunted;
mod identity;
mod paths;
mod reason;
mod resumable;
mod text;
mod trace;
mod witness;

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use sweepline::check::WorkerShare;
use sweepline::{Property, Report, Statistics, StopReason, Verdict};

use crate::args::Method;
use crate::front_end::{FrontEnd, UPPER_BOUND};
use crate::guard::{self, Known};
use crate::measure::FoundMeasure;
use crate::system;
use hunted::{HuntFigures, PathFigures};
use identity::IdentityFigures;
use paths::PathText;

pub(crate) use assertions::{Decided, Explored, Totals};
pub(crate) use counts::{CacheFigures, CacheSummary, ReductionFigures};
pub(crate) use identity::IdentitySummary;
pub(crate) use reason::Reason;
use resumable::Resumable;
pub(crate) use text::{claim, text, verdict_word};
pub(crate) use trace::{TraceFile, TraceStep, trace_of, trace_steps, write_trace};
pub(crate) use witness::steps;

/// The names a report carries: what was run.
#[derive(Clone)]
pub(crate) struct Heading {
    /// The file of the model.
    pub(crate) file: PathBuf,
    /// The model.
    pub(crate) model: String,
    /// `full`, `sweep` or `cache`.
    pub(crate) method: Method,
    /// The cache, where there is one.
    pub(crate) cache: Option<CacheSummary>,
    /// The equivalence of states, if there is one.
    pub(crate) identity: Option<IdentitySummary>,
    /// The measure, or `none`.
    pub(crate) progress: String,
    /// What is known of a measure that was found.
    pub(crate) found: Option<FoundMeasure>,
    /// Notes for the reader.
    pub(crate) notes: Vec<String>,
}

/// The report as data. The fields are those of the JSON object, in its order; fields may be added
/// but are never renamed.
#[derive(Serialize, Debug)]
pub(crate) struct Summary {
    schema: u32,
    /// The file of the model.
    #[serde(skip)]
    pub(crate) file: PathBuf,
    model: String,
    method: Method,
    progress: String,
    #[serde(flatten)]
    pub(crate) cache: Option<CacheFigures>,
    #[serde(flatten)]
    identity: Option<IdentityFigures>,
    /// What is known of a measure that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) found: Option<FoundMeasure>,
    /// Reductions that were used, and those that were disabled, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) reduction: Vec<String>,
    /// What must be known to read it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// `None` where no property was checked.
    pub(crate) verdict: Option<&'static str>,
    pub(crate) stop: Option<&'static str>,
    /// Why it stopped, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop_message: Option<String>,
    /// Every reachable state was explored.
    pub(crate) complete: bool,
    pub(crate) properties: Vec<Row>,
    pub(crate) states: Option<u64>,
    pub(crate) explored: u64,
    pub(crate) edges: Option<u64>,
    pub(crate) dead: Option<u64>,
    /// Edges and dead states, counted at each visit.
    pub(crate) explored_edges: u64,
    pub(crate) explored_dead: u64,
    /// What reductions did, where there are some.
    #[serde(flatten)]
    pub(crate) reduced: Option<ReductionFigures>,
    pub(crate) peak_states: u64,
    persistent: u64,
    sweeps: u64,
    regress_edges: u64,
    layers: u64,
    pub(crate) seconds: f64,
    states_per_second: u64,
    /// The device that explored, if it was not this processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device: Option<String>,
    /// Seconds of the exploration alone, without opening the device and compiling for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device_seconds: Option<f64>,
    /// What the hunt did, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hunt: Option<HuntFigures>,
    /// Threads that the run could use, and the reason if that is one whatever `--threads` says.
    pub(crate) threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) one_thread: Option<&'static str>,
    /// How many processes explored, if several did, and what each of their workers did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) processes: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) workers: Vec<WorkerShare>,
    pub(crate) peak_bytes: u64,
    /// Bytes written to the folder for states, and the most that were there at a time, if it was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    spilled_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) disk_peak_bytes: Option<u64>,
    peak_rss: Option<u64>,
    /// How often the run was resumed, where it can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<u64>,
    /// What it can be resumed from.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<Resumable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens_in_place: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens_per_marking: Option<u128>,
}

/// One property of the summary.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) verdict: &'static str,
    pub(crate) value: Option<Figure>,
    pub(crate) witness_length: Option<usize>,
    /// The line of the file that declares it.
    #[serde(skip)]
    pub(crate) line: Option<usize>,
    #[serde(flatten)]
    path: PathFigures,
    /// The number of the state at which the cycle of a lasso begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) loop_start: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) findings: Vec<String>,
    /// What decided it, if no exploration did, and the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decided_by: Option<&'static str>,
    #[serde(skip)]
    pub(crate) decided_words: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) certificate: Vec<String>,
    /// Its counterexample or witness, where a file shows it.
    #[serde(skip)]
    path_text: Option<PathText>,
    /// The same as data, with `--json --full-trace`: the initial state and the steps.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    run: Option<serde_json::Value>,
    /// For a property that was decided in a separate exploration.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    own: Option<assertions::Own>,
}

/// What a property computed.
#[derive(Serialize, Clone, Copy, Debug)]
#[serde(untagged)]
pub(crate) enum Figure {
    /// The least and the greatest.
    Range(i128, i128),
    /// The greatest.
    Greatest(i128),
}

impl Row {
    /// The steps of the counterexample or witness, if there is one.
    pub(crate) fn length(&self) -> Option<usize> {
        self.witness_length
    }

    /// The row of a property in a run that must end now.
    pub(crate) fn unfinished(
        name: String,
        kind: &'static str,
        verdict: &'static str,
        stop: &StopReason,
    ) -> Self {
        let reason = (verdict == "unknown").then(|| stop.name().to_owned());
        Row {
            name,
            kind,
            verdict,
            value: None,
            witness_length: None,
            line: None,
            path_text: None,
            run: None,
            path: PathFigures::default(),
            loop_start: None,
            reason,
            findings: Vec::new(),
            decided_by: None,
            decided_words: None,
            certificate: Vec::new(),
            own: None,
        }
    }

    pub(crate) fn new<M: FrontEnd>(property: &Property<M>) -> Self {
        let figure = |(least, greatest)| match property.kind {
            UPPER_BOUND => Figure::Greatest(greatest),
            _ => Figure::Range(least, greatest),
        };
        let decision = property.decision.as_ref();
        Row {
            name: property.name.clone(),
            kind: property.kind,
            verdict: property.verdict.word(),
            value: property.range.map(figure),
            witness_length: property.verdict.witness().map(|witness| witness.len()),
            line: None,
            path_text: None,
            run: None,
            path: PathFigures::of(property),
            loop_start: property.verdict.witness().and_then(|witness| witness.back),
            reason: match &property.verdict {
                Verdict::Unknown(reason) => Some(reason.name().to_owned()),
                _ => None,
            },
            findings: property.findings.clone(),
            decided_by: decision.map(|decision| decision.by),
            decided_words: decision.map(|decision| decision.words.clone()),
            certificate: decision.map_or_else(Vec::new, |decision| decision.certificate.clone()),
            own: None,
        }
    }
}

impl Summary {
    /// The summary of a report. `most` is the most tokens in a place and in a marking.
    pub(crate) fn new<M: FrontEnd>(
        heading: Heading,
        report: &Report<M>,
        elapsed: Duration,
        most: Option<(u64, u128)>,
    ) -> Self {
        let Report { properties, statistics, stop, saved, reductions, one_thread, .. } = report;
        let left = saved.as_ref().filter(|_| !report.is_finished());
        let file = heading.file.clone();
        let rows = properties.iter().map(Row::new).collect();
        let verdict = verdict(report);
        let summary = Summary {
            threads: if one_thread.is_some() { 1 } else { guard::threads().count() },
            one_thread: *one_thread,
            workers: report.workers.clone(),
            hunt: report.hunted.and_then(HuntFigures::of),
            reduction: reductions.clone(),
            reduced: (!reductions.is_empty()).then(|| ReductionFigures::new(statistics)),
            resumed: saved.as_ref().map(|saved| saved.resumed),
            checkpoint: left.map(|saved| Resumable::new(saved, &file)),
            max_tokens_in_place: most.map(|(place, _)| place),
            max_tokens_per_marking: most.map(|(_, marking)| marking),
            ..Summary::of(heading, rows, verdict, statistics, stop.as_ref(), elapsed)
        };
        match summary.is_unexplored() {
            true => Summary { states: None, edges: None, dead: None, ..summary },
            false => summary,
        }
    }

    /// Nothing was explored, because nothing had to be.
    pub(crate) fn is_unexplored(&self) -> bool {
        let decided = |row: &Row| row.decided_by.is_some();
        self.explored == 0 && !self.properties.is_empty() && self.properties.iter().all(decided)
    }

    /// Leaves out the reasons of decisions.
    pub(crate) fn hide_certificates(&mut self) {
        self.properties.iter_mut().for_each(|row| row.certificate.clear());
    }

    /// The same for a run on a device, which explored for so long.
    pub(crate) fn on_device(self, name: String, explored_for: Duration) -> Self {
        let seconds = explored_for.as_secs_f64();
        let states_per_second = rate(self.explored, seconds);
        Summary {
            device: Some(name),
            device_seconds: Some(seconds),
            states_per_second,
            threads: 1,
            ..self
        }
    }

    /// The summary of what was found by one exploration or several.
    fn of(
        heading: Heading,
        properties: Vec<Row>,
        verdict: Option<&'static str>,
        statistics: &Statistics,
        stop: Option<&StopReason>,
        elapsed: Duration,
    ) -> Self {
        let (seconds, spilled) = (elapsed.as_secs_f64(), statistics.spilled_bytes > 0);
        Summary {
            schema: 1,
            file: heading.file,
            model: heading.model,
            method: heading.method,
            progress: heading.progress,
            cache: heading.cache.map(|asked| CacheFigures::new(asked, statistics)),
            identity: heading.identity.map(|asked| IdentityFigures::new(asked, statistics)),
            found: heading.found,
            reduction: Vec::new(),
            notes: heading.notes,
            verdict,
            stop: early(stop).map(StopReason::name),
            stop_message: early(stop).map(ToString::to_string),
            complete: stop.is_none(),
            properties,
            states: statistics.states(),
            explored: statistics.explored,
            edges: statistics.counts().map(|counts| counts.edges),
            dead: statistics.counts().map(|counts| counts.dead),
            explored_edges: statistics.edges,
            explored_dead: statistics.dead,
            reduced: None,
            peak_states: statistics.peak_states,
            persistent: statistics.persistent,
            sweeps: statistics.sweeps,
            regress_edges: statistics.regress_edges,
            layers: statistics.layers,
            seconds,
            states_per_second: rate(statistics.explored, seconds),
            device: None,
            device_seconds: None,
            hunt: None,
            threads: guard::threads().count(),
            one_thread: None,
            processes: None,
            workers: Vec::new(),
            peak_bytes: statistics.peak_bytes,
            spilled_bytes: spilled.then_some(statistics.spilled_bytes),
            disk_peak_bytes: spilled.then_some(statistics.disk_peak_bytes),
            peak_rss: system::peak_resident(),
            resumed: None,
            checkpoint: None,
            max_tokens_in_place: None,
            max_tokens_per_marking: None,
        }
    }

    /// The summary of a run that must end now, of which so much is known.
    pub(crate) fn unfinished(
        heading: Heading,
        asked: &[(String, &'static str)],
        known: &Known,
        stop: &StopReason,
    ) -> Self {
        let verdict_of = |name: &str| {
            let found = known.answered.iter().rev().find(|(answered, _)| answered == name);
            found.map_or("unknown", |(_, verdict)| verdict)
        };
        let row = |(name, kind): &(String, &'static str)| {
            Row::unfinished(name.clone(), kind, verdict_of(name), stop)
        };
        let rows = asked.iter().map(row).collect();
        Self::of_rows(heading, rows, &known.statistics, stop)
    }

    /// The summary of a run that must end now, with what became of its properties.
    pub(crate) fn of_rows(
        heading: Heading,
        rows: Vec<Row>,
        statistics: &Statistics,
        stop: &StopReason,
    ) -> Self {
        let is = |word: &str| rows.iter().any(|row| row.verdict == word);
        let verdict = if is("violated") { "violated" } else { "unknown" };
        let elapsed = system::started().elapsed();
        Summary::of(heading, rows, Some(verdict), statistics, Some(stop), elapsed)
    }

    /// The results of a run that must end now, as text.
    pub(crate) fn unfinished_text(&self, stop: &StopReason) -> String {
        text::unfinished(self, stop)
    }

    /// The verdicts alone, as text.
    pub(crate) fn verdicts(&self) -> String {
        text::verdicts(self)
    }

    /// Adds that so many processes explored, and the `command` that continues the run.
    pub(crate) fn of_processes(&mut self, count: usize, command: Option<String>) {
        self.processes = Some(count);
        if let (Some(left), Some(command)) = (&mut self.checkpoint, command) {
            left.command = command;
        }
    }

    /// Another sweep would have counted distinct states.
    fn can_count(&self) -> bool {
        let formulas = self.properties.iter().any(|row| ["ltl", "ctl"].contains(&row.kind));
        self.complete && self.sweeps > 1 && self.reduced.is_none() && !formulas
    }

    /// The exit status that goes with it.
    pub(crate) fn exit_status(&self) -> u8 {
        match (self.stop, self.verdict) {
            (Some("interrupted"), _) => 130,
            (Some("model"), _) => 2,
            (_, Some("violated")) => 1,
            (_, Some("holds")) | (None, None) => 0,
            _ => 3,
        }
    }
}

/// States per second.
fn rate(explored: u64, seconds: f64) -> u64 {
    (explored as f64 / seconds.max(1e-9)) as u64
}

/// Why a run stopped early; `None` if it stopped because everything was decided.
pub(crate) fn early(stop: Option<&StopReason>) -> Option<&StopReason> {
    stop.filter(|reason| **reason != StopReason::Decided)
}

/// The verdict on all properties together; `None` if there are none.
fn verdict<M: FrontEnd>(report: &Report<M>) -> Option<&'static str> {
    match (report.is_violated(), report.holds()) {
        _ if report.properties.is_empty() => None,
        (true, _) => Some("violated"),
        (_, true) => Some("holds"),
        _ => Some("unknown"),
    }
}
