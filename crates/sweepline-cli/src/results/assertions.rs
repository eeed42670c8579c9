//! The results for the assertions of a script.

use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;

use serde::Serialize;
use sweepline::{Counts, Statistics, StopReason, Witness};
use sweepline_lts::csp::{Assertion, Claim};
use sweepline_lts::{LabelId, Problem};

use super::figures::{figures, head};
use super::paths::PathText;
use super::reason::as_csp;
use super::text::{title, verdict_word};
use super::trace::{Run, trace_of, write_runs};
use super::witness::lacking_lines;
use super::{Heading, PathFigures, Reason, Row, Summary, TraceFile, steps};
use crate::assertions::go_round;
use crate::failure::Failure;
use crate::front_end::Processes;
use crate::print::{FAINT, folded, grouped, styled, time};

/// An assertion, decided or not.
pub(crate) struct Decided {
    /// As it is written.
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) verdict: &'static str,
    /// Why it is not decided: for scripts, and in words.
    pub(crate) reason: Option<(String, String)>,
    /// A run that shows the verdict.
    pub(crate) witness: Option<Witness<Processes>>,
    /// For a refinement and for determinism, why the end of that run is a violation.
    pub(crate) shown: Option<Reason>,
    /// The process that it is about, if it was composed.
    pub(crate) model: Option<Rc<Processes>>,
    pub(crate) findings: Vec<String>,
    /// The line of the script.
    pub(crate) line: usize,
    /// The exploration, if there was one.
    pub(crate) explored: Option<Explored>,
}

/// An exploration for one assertion.
pub(crate) struct Explored {
    pub(crate) statistics: Statistics,
    pub(crate) stop: Option<StopReason>,
    /// The measure, where there was one.
    pub(crate) measure: Option<String>,
    /// How long it took, with all that led to it.
    pub(crate) elapsed: Duration,
}

impl Explored {
    /// The measure, or `none`.
    fn progress(&self) -> &str {
        self.measure.as_deref().unwrap_or("none")
    }
}

/// The fields of a property that was decided in an exploration of its own.
#[derive(Serialize, Clone, Debug)]
pub(super) struct Own {
    states: Option<u64>,
    explored: u64,
    edges: Option<u64>,
    explored_edges: u64,
    peak_states: u64,
    progress: String,
    seconds: f64,
    /// The visible events of the witness.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<String>>,
    #[serde(flatten)]
    shown: Option<Reason>,
}

impl Decided {
    /// Decided: what is asserted, without a `not`, is so or is not; with a run that shows it.
    pub(crate) fn so(claim: &Assertion, is: bool, witness: Option<Witness<Processes>>) -> Self {
        let verdict = if is == claim.negated { "violated" } else { "holds" };
        Decided { verdict, witness, ..Self::unknown(claim) }
    }

    /// Not decided: the exploration stopped first.
    pub(crate) fn not(claim: &Assertion, stop: &StopReason) -> Self {
        let reason = Some((stop.name().to_owned(), stop.to_string()));
        Decided { reason, ..Self::unknown(claim) }
    }

    /// Not decided: the specification is too large.
    pub(crate) fn too_large(claim: &Assertion, problem: &Problem) -> Self {
        let reason = Some(("specification-limit".to_owned(), problem.to_string()));
        Decided { reason, ..Self::unknown(claim) }
    }

    /// Not decided: assertions of this kind are not supported.
    pub(crate) fn unsupported(claim: &Assertion) -> Self {
        let what = match &claim.claim {
            Claim::Other { what, .. } if what.starts_with('[') => {
                format!("refinement `{what}` is not decided, only `[T=`, `[F=` and `[FD=` are")
            }
            Claim::Other { what, .. } => format!("`{what}` is not decided"),
            _ => "this is not decided".to_owned(),
        };
        let words = format!("{what} (line {})", claim.position.line);
        Decided { reason: Some(("unsupported".to_owned(), words)), ..Self::unknown(claim) }
    }

    /// The row of an assertion in a run that is being stopped.
    pub(crate) fn unfinished(claim: &Assertion, stop: &StopReason) -> Row {
        Row::unfinished(claim.text.clone(), kind(&claim.claim), "unknown", stop)
    }

    fn unknown(claim: &Assertion) -> Self {
        Decided {
            name: claim.text.clone(),
            kind: kind(&claim.claim),
            verdict: "unknown",
            reason: None,
            witness: None,
            shown: None,
            model: None,
            findings: Vec::new(),
            line: claim.position.line,
            explored: None,
        }
    }

    /// Makes a verdict unknown that the exploration gave.
    pub(crate) fn withdraw(&mut self, name: &str, words: &str) {
        self.verdict = "unknown";
        self.reason = Some((name.to_owned(), words.to_owned()));
    }

    /// If the witness ends on a cycle of internal steps, appends that cycle. Returns whether it does.
    pub(crate) fn append_cycle(&mut self) -> bool {
        let (Some(run), Some(model)) = (&mut self.witness, &self.model) else { return false };
        let cycle = go_round(model, run);
        let diverges = cycle.is_some();
        self.findings.extend(cycle);
        diverges
    }

    /// The user interrupted its exploration, or one before it.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.reason.as_ref().is_some_and(|(name, _)| name == StopReason::Interrupted.name())
    }

    /// The measure of its exploration.
    pub(crate) fn progress(&self) -> Option<&str> {
        self.explored.as_ref().map(Explored::progress)
    }

    /// It was decided by a sweep.
    pub(crate) fn is_swept(&self) -> bool {
        self.explored.as_ref().is_some_and(|explored| explored.measure.is_some())
    }

    /// Its witness, and the process that this is a run of.
    fn run(&self) -> Option<(&Witness<Processes>, &Processes)> {
        self.witness.as_ref().zip(self.model.as_deref())
    }

    /// The visible events of its witness.
    fn trace(&self) -> Option<Vec<String>> {
        let (witness, model) = self.run()?;
        let composition = model.composition();
        let labels = witness.steps.iter().map(|step| composition.label(step.action));
        let visible = labels.filter(|&label| label != LabelId::TAU);
        Some(visible.map(|label| composition.labels()[label.index()].clone()).collect())
    }

    /// What its witness shows, line by line.
    pub(crate) fn shows(&self) -> Vec<String> {
        let mut text = String::new();
        if let (Some(reason), Some(trace)) = (&self.shown, self.trace()) {
            reason.lines(&mut text, trace, false);
        }
        let why = self.reason.iter().map(|(_, words)| words.clone());
        why.chain(text.lines().map(|line| line.trim().to_owned())).collect()
    }

    /// Its witness as the text of a trace file.
    pub(crate) fn saved(&self) -> Option<String> {
        let (witness, model) = self.run()?;
        Some(trace_of(model, witness))
    }

    /// Its row in the summary.
    pub(crate) fn row(&self) -> Row {
        let own = self.explored.as_ref().map(|explored| Own {
            states: explored.statistics.states(),
            explored: explored.statistics.explored,
            edges: explored.statistics.counts().map(|counts| counts.edges),
            explored_edges: explored.statistics.edges,
            peak_states: explored.statistics.peak_states,
            progress: explored.progress().to_owned(),
            seconds: explored.elapsed.as_secs_f64(),
            trace: self.trace(),
            shown: self.shown.clone(),
        });
        Row {
            name: self.name.clone(),
            kind: self.kind,
            verdict: self.verdict,
            value: None,
            line: Some(self.line),
            path_text: None,
            run: None,
            loop_start: None,
            path: PathFigures::default(),
            witness_length: self.witness.as_ref().map(Witness::len),
            reason: self.reason.as_ref().map(|(name, _)| name.clone()),
            findings: self.findings.clone(),
            decided_by: None,
            decided_words: None,
            certificate: Vec::new(),
            own,
        }
    }

    fn verdict_lines(&self, text: &mut String) {
        let figures = self.explored.as_ref().map(|explored| {
            let states = grouped(explored.statistics.explored);
            format!("  ({states} states, {})", time(explored.elapsed))
        });
        let (verdict, figures) = (verdict_word(self.verdict), figures.unwrap_or_default());
        let figures = styled(FAINT, figures);
        let _ = writeln!(text, "{verdict}  {}{figures}", folded(&self.name));
        if let Some((_, words)) = &self.reason {
            let _ = writeln!(text, "{:10}{words}", "");
        }
        for finding in &self.findings {
            let _ = writeln!(text, "{:10}{finding}", "");
        }
    }

    fn witness_lines(&self, text: &mut String, full_trace: bool) {
        let (Some((witness, model)), Some(trace)) = (self.run(), self.trace()) else { return };
        let _ = writeln!(text, "\n{}", title(self.verdict, &self.name, witness.len()));
        match &self.shown {
            Some(reason) => reason.lines(text, trace, full_trace),
            None => {
                let _ = writeln!(text, "  trace: {}", as_csp(trace, full_trace));
            }
        }
        text.push_str(&steps(model, witness, full_trace));
        if self.kind == "deadlock" && self.findings.is_empty() {
            let last = witness.steps.last().map_or(&witness.initial, |step| &step.state);
            lacking_lines(text, model, last);
        }
    }
}

/// All assertions that were checked, and the totals of their explorations.
pub(crate) struct Totals {
    pub(crate) summary: Summary,
    decided: Vec<Decided>,
}

impl Totals {
    /// `heading` names the measure if it is the same for all.
    pub(crate) fn new(heading: Heading, decided: Vec<Decided>, elapsed: Duration) -> Self {
        let is = |word: &str| decided.iter().any(|one| one.verdict == word);
        let verdict = match (is("violated"), is("unknown")) {
            (true, _) => "violated",
            (false, true) => "unknown",
            (false, false) => "holds",
        };
        let verdict = (!decided.is_empty()).then_some(verdict);
        let mut total = Statistics::default();
        let mut stop: Option<&StopReason> = None;
        for Explored { statistics, stop: own, .. } in
            decided.iter().filter_map(|d| d.explored.as_ref())
        {
            add(&mut total, statistics);
            // The first limit that stopped an exploration comes before a verdict that ended one early.
            if super::early(stop).is_none() {
                stop = super::early(own.as_ref()).or(stop).or(own.as_ref());
            }
        }
        let rows = decided.iter().map(Decided::row).collect();
        let summary = Summary::of(heading, rows, verdict, &total, stop, elapsed);
        Totals { summary, decided }
    }

    /// Adds the counterexamples to the rows: as text, and as data.
    pub(crate) fn add_paths(&mut self, as_text: bool, as_data: bool) {
        for (row, decided) in self.summary.properties.iter_mut().zip(&self.decided) {
            let Some((run, model)) = decided.run() else { continue };
            if as_text {
                let mut lines = String::new();
                decided.witness_lines(&mut lines, true);
                row.path_text = Some(PathText::of(&lines, model, Some(run)));
            }
            if as_data {
                row.add_run(model, run);
            }
        }
    }

    /// As text.
    pub(crate) fn text(&self, full_trace: bool) -> String {
        let mut text = String::new();
        self.decided.iter().for_each(|decided| decided.verdict_lines(&mut text));
        self.decided.iter().for_each(|decided| decided.witness_lines(&mut text, full_trace));
        if !text.is_empty() {
            text.push('\n');
        }
        head(&mut text, &self.summary, &folded(&self.summary.progress));
        if self.decided.iter().any(|decided| decided.explored.is_some()) {
            figures(&mut text, &self.summary);
        }
        text
    }

    /// Writes the witnesses to a file.
    pub(crate) fn write_trace(&self, model: &str, file: TraceFile) -> Result<(), Failure> {
        let runs = self.decided.iter().filter_map(|decided| {
            let (witness, model) = decided.run()?;
            let Decided { name, kind, verdict, .. } = decided;
            Some(Run::new(model, name, kind, verdict, witness))
        });
        write_runs(model, runs.collect(), file)
    }
}

/// The kind of an assertion.
fn kind(claim: &Claim) -> &'static str {
    match claim {
        Claim::DeadlockFree { .. } => "deadlock",
        Claim::Refinement { .. } => "refines",
        Claim::DivergenceFree { .. } => "divergence",
        Claim::Deterministic { .. } => "determinism",
        Claim::HasTrace { .. } => "trace",
        Claim::Other { what, .. } if what.starts_with('[') => "refines",
        _ => "other",
    }
}

/// Adds figures; of peaks the greater one counts.
fn add(total: &mut Statistics, more: &Statistics) {
    total.counted = total.counts().zip(more.counts()).map(|(total, more)| Counts {
        states: total.states + more.states,
        edges: total.edges + more.edges,
        dead: total.dead + more.dead,
    });
    total.explored += more.explored;
    total.edges += more.edges;
    total.dead += more.dead;
    total.persistent += more.persistent;
    total.sweeps += more.sweeps;
    total.regress_edges += more.regress_edges;
    total.layers += more.layers;
    total.peak_states = total.peak_states.max(more.peak_states);
    total.peak_bytes = total.peak_bytes.max(more.peak_bytes);
}
