//! The results of a run as text: verdicts, then counterexamples, then numbers.

use std::fmt::Write;

use sweepline::model::successors;
use sweepline::{Property, Regress, Report, StopReason, Verdict};

use super::figures::{checkpoint_lines, figures, found_line, head, line};
use super::witness::{lacking_lines, listed, state_lines, steps};
use super::{Figure, Row, Summary, early};
use crate::args::Method;
use crate::front_end::FrontEnd;
use crate::print::{BAD, FAINT, GOOD, UNSURE, folded, grouped, one_line, signed, styled};

/// Findings shown in the table; the rest is in the JSON.
const FINDINGS: usize = 20;

/// The results of a run; `full_trace` shows every step of its counterexamples and witnesses.
pub(crate) fn text<M: FrontEnd>(
    model: &M,
    report: &Report<M>,
    summary: &Summary,
    full_trace: bool,
) -> String {
    let mut text = String::new();
    verdict_lines(&mut text, summary);
    if let Some(reason) = early(report.stop.as_ref()) {
        incomplete_line(&mut text, summary, reason);
    }
    for (property, row) in report.properties.iter().zip(&summary.properties) {
        witness_lines(&mut text, model, property, row, full_trace);
    }
    if let Some(StopReason::Regress(edge)) = &report.stop {
        regress_lines(&mut text, model, edge);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    head(&mut text, summary, &folded(&summary.progress));
    if let Some(found) = &summary.found {
        found_line(&mut text, found);
    }
    for word in &summary.reduction {
        line(&mut text, "reduction", word);
    }
    for note in &summary.notes {
        line(&mut text, "note", note);
    }
    figures(&mut text, summary);
    if let Some(left) = &summary.checkpoint {
        checkpoint_lines(&mut text, left);
    }
    text
}

/// The results of a run that must end now.
pub(super) fn unfinished(summary: &Summary, stop: &StopReason) -> String {
    let mut text = String::new();
    verdict_lines(&mut text, summary);
    incomplete_line(&mut text, summary, stop);
    text.push('\n');
    head(&mut text, summary, &folded(&summary.progress));
    for note in &summary.notes {
        line(&mut text, "note", note);
    }
    figures(&mut text, summary);
    text
}

/// The verdicts alone, and whether the run is incomplete.
pub(super) fn verdicts(summary: &Summary) -> String {
    let mut text = String::new();
    verdict_lines(&mut text, summary);
    if let Some(message) = &summary.stop_message {
        let _ = writeln!(text, "{}: {}", styled(UNSURE, "incomplete"), one_line(message));
    }
    text
}

/// Why not every state was explored. It stands next to the verdicts, for it is why some are unknown.
pub(super) fn incomplete_line(text: &mut String, summary: &Summary, stop: &StopReason) {
    let hunted = summary.hunt.as_ref().filter(|_| summary.method == Method::Hunt);
    let explored = hunted.map_or(summary.explored, |hunt| hunt.states);
    let s = if explored == 1 { "" } else { "s" };
    let after = format!("after {} state{s}", grouped(explored));
    let words = match stop {
        StopReason::Time => format!("stopped at the time limit {after}"),
        StopReason::Memory => format!("stopped at the memory limit {after}"),
        StopReason::States => format!("stopped at the state limit {after}"),
        other => format!("stopped {after}: {}", one_line(&other.to_string())),
    };
    let _ = writeln!(text, "{}: {words}", styled(UNSURE, "incomplete"));
}

/// A verdict, as wide as the widest of them.
pub(crate) fn verdict_word(verdict: &str) -> String {
    let style = match verdict {
        "holds" => GOOD,
        "violated" => BAD,
        _ => UNSURE,
    };
    styled(style, format_args!("{verdict:<8}"))
}

fn verdict_lines(text: &mut String, summary: &Summary) {
    let claims = || summary.properties.iter().map(|row| claim(row.kind, &row.name));
    // A claim without an expression needs no column for it.
    let widths = claims().filter(|(_, of)| !of.is_empty()).map(|(kind, _)| kind.len());
    let widest = widths.max().unwrap_or(0);
    for (row, (kind, of)) in summary.properties.iter().zip(claims()) {
        property_lines(text, row, kind, of, widest);
    }
}

/// What a property claims, in words, and of what. The names of kinds in the JSON are older than this wording.
pub(crate) fn claim<'a>(kind: &'a str, name: &'a str) -> (&'a str, &'a str) {
    let (words, own) = match kind {
        "deadlock" => ("no deadlock", "deadlock"),
        "dead-states" => ("dead states", "dead states"),
        "dead-transitions" => ("no dead transition", "dead transitions"),
        "reach-deadlock" => ("reach deadlock", ""),
        "one-safe" => ("one-safe", "OneSafe"),
        "upper-bound" => ("upper bound", ""),
        kind => (kind, kind),
    };
    (words, if name == own { "" } else { name })
}

fn property_lines(text: &mut String, row: &Row, kind: &str, of: &str, widest: usize) {
    let verdict = verdict_word(row.verdict);
    let value = match row.value {
        Some(Figure::Range(least, greatest)) => {
            format!("  from {} to {}", signed(least), signed(greatest))
        }
        Some(Figure::Greatest(greatest)) => format!("  at most {}", signed(greatest)),
        None => String::new(),
    };
    let so_far = if row.verdict == "unknown" && row.value.is_some() { " so far" } else { "" };
    let of = folded(&one_line(of));
    let claim = if of.is_empty() { kind.to_owned() } else { format!("{kind:<widest$}  {of}") };
    let how = row.decided_words.as_ref().map(|how| styled(FAINT, format_args!("  (by {how})")));
    let _ = writeln!(text, "{verdict}  {claim}{value}{so_far}{}", how.unwrap_or_default());
    for reason in row.certificate.iter().map(|reason| one_line(reason)) {
        let _ = writeln!(text, "{:12}{reason}", "");
    }
    for finding in row.findings.iter().take(FINDINGS).map(|finding| one_line(finding)) {
        let _ = writeln!(text, "{:12}{finding}", "");
    }
    if row.findings.len() > FINDINGS {
        let more = format!("and {} more", grouped((row.findings.len() - FINDINGS) as u64));
        let _ = writeln!(text, "{:12}{}", "", styled(FAINT, more));
    }
}

/// The counterexample or witness of a property, or why there is no verdict.
pub(super) fn witness_lines<M: FrontEnd>(
    text: &mut String,
    model: &M,
    property: &Property<M>,
    row: &Row,
    full_trace: bool,
) {
    if let Some(witness) = property.verdict.witness() {
        let (kind, of) = claim(row.kind, &row.name);
        let claim = if of.is_empty() { kind.to_owned() } else { format!("{kind} {of}") };
        let _ = writeln!(text, "\n{}", title(row.verdict, &claim, witness.len()));
        for how in crate::hunting::how(property) {
            let _ = writeln!(text, "  {}", styled(FAINT, how));
        }
        text.push_str(&steps(model, witness, full_trace));
        if matches!(row.kind, "deadlock" | "reach-deadlock") {
            lacking_lines(text, model, witness.steps.last().map_or(&witness.initial, |s| &s.state));
        }
    }
    if let Verdict::Unknown(
        reason @ (StopReason::Disk(_)
        | StopReason::Spill(_)
        | StopReason::Model(_)
        | StopReason::Components(_)),
    ) = &property.verdict
    {
        let _ = writeln!(text, "  {}", styled(FAINT, reason));
    }
}

/// What the steps below it show.
pub(super) fn title(verdict: &str, claim: &str, length: usize) -> String {
    let what = if verdict == "violated" { "counterexample to" } else { "witness of" };
    let s = if length == 1 { "" } else { "s" };
    format!("{what} `{}`, {} step{s}:", folded(&one_line(claim)), grouped(length as u64))
}

/// The regress edge that a strictly monotone measure does not allow, with what it changed.
fn regress_lines<M: FrontEnd>(text: &mut String, model: &M, edge: &Regress) {
    let (source, target) = (model.decode(&edge.source), model.decode(&edge.target));
    let actions = successors(model, &source).unwrap_or_default();
    let action = actions.get(edge.number as usize);
    let action = action.map_or("?".into(), |(action, _)| model.action(&source, action));
    let changes = listed(&model.changes(&source, &target));
    let _ = writeln!(text, "\n{}", styled(UNSURE, "the measure is not monotone: a regress edge"));
    let _ = writeln!(text, "  state      {}", state_lines(model, &source, 13));
    let _ = writeln!(text, "  action     {action}  {}", styled(FAINT, changes));
    let _ = writeln!(text, "  successor  {}", state_lines(model, &target, 13));
    let _ = writeln!(text, "  progress   {} -> {}", edge.from, edge.to);
}
