//! The report as text.

use std::fmt::Write;
use std::time::Duration;

use sweepline::model::successors;
use sweepline::{Property, Regress, Report, StopReason, Verdict};

use super::witness::{listed, state_lines, steps};
use super::{Figure, Resumable, Row, Summary, early};
use crate::args::Method;
use crate::front_end::FrontEnd;
use crate::print::{
    BAD, BOLD, FAINT, GOOD, UNSURE, bytes, grouped, one_line, percent, signed, styled, time,
};

/// Findings shown in the table; the rest is in the JSON.
const FINDINGS: usize = 20;

/// The report of a run; `full_trace` shows every step of its witnesses.
pub(crate) fn text<M: FrontEnd>(
    model: &M,
    report: &Report<M>,
    summary: &Summary,
    full_trace: bool,
) -> String {
    let mut text = head(summary, &summary.progress);
    if let Some(found) = &summary.found {
        let why = match (found.monotone, found.window) {
            _ if found.anchor > 0 => {
                format!("it comes round again: the first {} of it are kept", found.anchor)
            }
            (true, _) => "no transition lowers it".into(),
            (false, 0) => "no step was seen to lower it".into(),
            (false, window) => format!("steps back by at most {window}, the window"),
        };
        let peak = 100.0 * found.predicted_peak;
        let took = time(Duration::from_secs_f64(found.seconds));
        let note = format!("in {took}; {why}; expected to hold {peak:.1}% of the states");
        line(&mut text, "found", note);
    }
    for word in &summary.reduction {
        line(&mut text, "reduction", word);
    }
    for note in &summary.notes {
        line(&mut text, "note", note);
    }
    if !report.properties.is_empty() {
        text.push('\n');
    }
    let widest = summary.properties.iter().map(|row| row.kind.len()).max().unwrap_or(0);
    for (property, row) in report.properties.iter().zip(&summary.properties) {
        property_lines(&mut text, row, widest);
        witness_lines(&mut text, model, property, full_trace);
    }
    if let Some(StopReason::Regress(edge)) = &report.stop {
        regress_lines(&mut text, model, edge);
    }
    text.push('\n');
    figures(&mut text, summary);
    if let Some(reason) = early(report.stop.as_ref()) {
        stopped(&mut text, summary, reason);
    }
    if let Some(left) = &summary.checkpoint {
        checkpoint_lines(&mut text, left);
    }
    text
}

/// The report of a run that must end now.
pub(super) fn unfinished(summary: &Summary, stop: &StopReason) -> String {
    let mut text = head(summary, &summary.progress);
    for note in &summary.notes {
        line(&mut text, "note", note);
    }
    text.push('\n');
    let widest = summary.properties.iter().map(|row| row.kind.len()).max().unwrap_or(0);
    for row in &summary.properties {
        property_lines(&mut text, row, widest);
    }
    text.push('\n');
    figures(&mut text, summary);
    stopped(&mut text, summary, stop);
    text
}

fn stopped(text: &mut String, summary: &Summary, stop: &StopReason) {
    let explored = grouped(summary.explored);
    let s = if summary.explored == 1 { "" } else { "s" };
    line(text, "stopped", styled(UNSURE, format!("{stop}, after {explored} state{s}")));
}

/// What was run.
pub(super) fn head(summary: &Summary, progress: &str) -> String {
    let mut text = String::new();
    line(&mut text, "model", styled(BOLD, &summary.model));
    line(&mut text, "method", summary.method);
    match &summary.cache {
        None => line(&mut text, "progress", progress),
        Some(cache) => {
            let (states, policy) = (grouped(cache.asked.states), cache.asked.policy);
            line(&mut text, "cache", format!("{states} states, policy `{policy}`"));
        }
    }
    if let Some(identity) = &summary.identity {
        identity.head(&mut text);
    }
    text
}

pub(super) fn line(text: &mut String, name: &str, value: impl std::fmt::Display) {
    let _ = writeln!(text, "{name:<15}{}", one_line(&value.to_string()));
}

/// What was left to go on from, and how.
fn checkpoint_lines(text: &mut String, left: &Resumable) {
    line(text, "checkpoint", format!("{}, at {} states", left.file, grouped(left.explored)));
    if let Some(error) = &left.error {
        line(text, "", styled(UNSURE, format!("no later one was written: {error}")));
    }
    line(text, "go on with", &left.command);
}

/// A verdict, as wide as the widest of them.
pub(super) fn verdict_word(verdict: &str) -> String {
    let style = match verdict {
        "holds" => GOOD,
        "violated" => BAD,
        _ => UNSURE,
    };
    styled(style, format_args!("{verdict:<8}"))
}

fn property_lines(text: &mut String, row: &Row, widest: usize) {
    let verdict = verdict_word(row.verdict);
    let value = match row.value {
        Some(Figure::Range(least, greatest)) => {
            format!("  from {} to {}", signed(least), signed(greatest))
        }
        Some(Figure::Greatest(greatest)) => format!("  at most {}", signed(greatest)),
        None => String::new(),
    };
    let so_far = if row.verdict == "unknown" && row.value.is_some() { " so far" } else { "" };
    let name = one_line(&row.name);
    let _ = writeln!(text, "{verdict}  {:<widest$}  {name}{value}{so_far}", row.kind);
    for finding in row.findings.iter().take(FINDINGS).map(|finding| one_line(finding)) {
        let _ = writeln!(text, "{:8}  {:<widest$}    {finding}", "", "");
    }
    if row.findings.len() > FINDINGS {
        let more = format!("and {} more", grouped((row.findings.len() - FINDINGS) as u64));
        let _ = writeln!(text, "{:8}  {:<widest$}    {}", "", "", styled(FAINT, more));
    }
}

fn witness_lines<M: FrontEnd>(
    text: &mut String,
    model: &M,
    property: &Property<M>,
    full_trace: bool,
) {
    if let Some(witness) = property.verdict.witness() {
        text.push_str(&steps(model, witness, full_trace));
    }
    if let Verdict::Unknown(
        reason @ (StopReason::Disk(_) | StopReason::Model(_) | StopReason::Components(_)),
    ) = &property.verdict
    {
        let _ = writeln!(text, "  {}", styled(FAINT, reason));
    }
}

/// The edge that a strictly monotone measure does not allow, with what it changed.
fn regress_lines<M: FrontEnd>(text: &mut String, model: &M, edge: &Regress) {
    let (source, target) = (model.decode(&edge.source), model.decode(&edge.target));
    let actions = successors(model, &source).unwrap_or_default();
    let action = actions.get(edge.number as usize);
    let action = action.map_or("?".into(), |(action, _)| model.action(&source, action));
    let changes = listed(&model.changes(&source, &target));
    let _ = writeln!(text, "\n{}", styled(UNSURE, "the measure is not monotone"));
    let _ = writeln!(text, "  state      {}", state_lines(model, &source, 13));
    let _ = writeln!(text, "  action     {action}  {}", styled(FAINT, changes));
    let _ = writeln!(text, "  successor  {}", state_lines(model, &target, 13));
    let _ = writeln!(text, "  progress   {} -> {}", edge.from, edge.to);
}

pub(super) fn figures(text: &mut String, summary: &Summary) {
    match summary.states {
        Some(states) if summary.complete => line(text, "states", grouped(states)),
        Some(states) => line(text, "explored", format!("{} states", grouped(states))),
        None => {
            let visits = format!("{} visits to states", grouped(summary.explored));
            let help = if summary.can_count() { "; `--count` counts distinct states" } else { "" };
            line(text, "explored", format!("{visits}, some more than once{help}"));
        }
    }
    let per_visit = |count: Option<u64>, visits: u64| match count {
        Some(count) => grouped(count),
        None => format!("{} per visit", grouped(visits)),
    };
    line(text, "edges", per_visit(summary.edges, summary.explored_edges));
    line(text, "dead", per_visit(summary.dead, summary.explored_dead));
    if let Some(reduced) = &summary.reduced {
        let woken = match reduced.woken {
            0 => String::new(),
            n => format!(", {} visits to states where actions woke up", grouped(n)),
        };
        line(text, "left out", format!("{} edges{woken}", grouped(reduced.skipped_edges)));
    }
    if let (Some(place), Some(marking)) =
        (summary.max_tokens_in_place, summary.max_tokens_per_marking)
    {
        let most = format!("{} in a place, {} in a state", grouped(place), grouped(marking));
        line(text, "most tokens", most);
    }
    let share = match summary.states {
        Some(states) if summary.complete => {
            format!(" ({})", percent(summary.peak_states, states))
        }
        _ => String::new(),
    };
    line(text, "peak held", format!("{} states{share}", grouped(summary.peak_states)));
    if let Some(cache) = &summary.cache {
        line(text, "replaced", grouped(cache.replaced));
        let grown = match cache.deepest > cache.asked.states {
            true => ", more than the cache was to hold: it grew with them",
            false => "",
        };
        line(text, "deepest", format!("{} states on the stack{grown}", grouped(cache.deepest)));
    }
    if let Some(identity) = &summary.identity {
        identity.figures(text);
    }
    if summary.method == Method::Sweep {
        line(text, "layers", grouped(summary.layers));
        line(text, "sweeps", grouped(summary.sweeps));
        line(text, "persistent", grouped(summary.persistent));
        line(text, "regress edges", grouped(summary.regress_edges));
    }
    let elapsed = time(std::time::Duration::from_secs_f64(summary.seconds));
    let rate = grouped(summary.states_per_second);
    let resumed = match summary.resumed {
        Some(1) => ", resumed once".into(),
        Some(n @ 2..) => format!(", resumed {} times", grouped(n)),
        _ => String::new(),
    };
    line(text, "time", format!("{elapsed} ({rate} states/s){resumed}"));
    line(text, "store", bytes(summary.peak_bytes));
    if let Some(rss) = summary.peak_rss {
        line(text, "memory", format!("{} (whole process)", bytes(rss)));
    }
}
