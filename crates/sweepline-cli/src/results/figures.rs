//! The numbers of a run as text, one line each.

use std::fmt::Write;
use std::time::Duration;

use super::{Resumable, Summary};
use crate::args::Method;
use crate::measure::FoundMeasure;
use crate::print::{BOLD, UNSURE, bytes, grouped, one_line, percent, styled, time};

pub(super) fn line(text: &mut String, name: &str, value: impl std::fmt::Display) {
    let _ = writeln!(text, "{name:<15}{}", one_line(&value.to_string()));
}

/// What was run.
pub(super) fn head(text: &mut String, summary: &Summary, progress: &str) {
    line(text, "model", styled(BOLD, &summary.model));
    line(text, "method", summary.method);
    if summary.method == Method::Hunt {
        return;
    }
    match &summary.cache {
        None => line(text, "progress", progress),
        Some(cache) => {
            let (states, policy) = (grouped(cache.asked.states), cache.asked.policy);
            line(text, "cache", format!("{states} states, replacement policy `{policy}`"));
        }
    }
    if let Some(identity) = &summary.identity {
        identity.head(text);
    }
}

/// How a measure was found, and what was predicted of it.
pub(super) fn found_line(text: &mut String, found: &FoundMeasure) {
    let why = match (found.monotone, found.window) {
        _ if found.anchor > 0 => {
            format!("progress repeats, so the first {} layers are kept (`--anchor`)", found.anchor)
        }
        (true, _) => "monotone: no transition decreases it".into(),
        (false, 0) => "no decrease seen".into(),
        (false, window) => {
            format!("decreases by at most {window} per step, so the window is {window}")
        }
    };
    let peak = 100.0 * found.predicted_peak;
    let took = time(Duration::from_secs_f64(found.seconds));
    line(text, "found", format!("in {took}; {why}; predicted peak {peak:.1}% of the states"));
}

/// What the run can be resumed from, and how.
pub(super) fn checkpoint_lines(text: &mut String, left: &Resumable) {
    line(text, "checkpoint", format!("{}, at {} states", left.file, grouped(left.explored)));
    if let Some(error) = &left.error {
        line(text, "", styled(UNSURE, format!("no later one was written: {error}")));
    }
    line(text, "resume with", &left.command);
}

/// What the hunt did, if it made a trip.
fn hunt_line(text: &mut String, summary: &Summary) {
    let Some(hunt) = &summary.hunt else { return };
    let (trips, states) = (grouped(hunt.trips), grouped(hunt.states));
    let s = if hunt.trips == 1 { "" } else { "s" };
    line(text, "hunt", format!("{trips} trip{s}, {states} states visited"));
}

/// The numbers of a hunt without an exploration.
fn hunt_figures(text: &mut String, summary: &Summary) {
    hunt_line(text, summary);
    line(text, "time", time(Duration::from_secs_f64(summary.seconds)));
    if let Some(rss) = summary.peak_rss {
        line(text, "memory", format!("{} (whole process)", bytes(rss)));
    }
}

pub(super) fn figures(text: &mut String, summary: &Summary) {
    if summary.method == Method::Hunt {
        return hunt_figures(text, summary);
    }
    if summary.is_unexplored() {
        line(text, "explored", "nothing: the structure of the net decides every property");
        line(text, "time", time(Duration::from_secs_f64(summary.seconds)));
        if let Some(rss) = summary.peak_rss {
            line(text, "memory", format!("{} (whole process)", bytes(rss)));
        }
        return;
    }
    match summary.states {
        Some(states) if summary.complete => line(text, "states", grouped(states)),
        Some(states) => line(text, "explored", format!("{} states", grouped(states))),
        None => {
            let visits = format!("{} visits to states", grouped(summary.explored));
            let help = if summary.can_count() { "; `--count` counts distinct states" } else { "" };
            line(text, "explored", format!("{visits}, some visited again{help}"));
        }
    }
    let per_visit = |count: Option<u64>, visits: u64| match count {
        Some(count) => grouped(count),
        None => format!("{} per visit", grouped(visits)),
    };
    line(text, "edges", per_visit(summary.edges, summary.explored_edges));
    line(text, "dead states", per_visit(summary.dead, summary.explored_dead));
    if let Some(reduced) = &summary.reduced {
        let woken = match reduced.woken {
            0 => String::new(),
            n => format!("; {} states visited again (sleep sets)", grouped(n)),
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
            format!(" ({} of {})", percent(summary.peak_states, states), grouped(states))
        }
        _ => String::new(),
    };
    line(text, "peak stored", format!("{} states{share}", grouped(summary.peak_states)));
    if let Some(cache) = &summary.cache {
        line(text, "replaced", grouped(cache.replaced));
        let grown = match cache.deepest > cache.asked.states {
            true => "; the cache grew to store them all",
            false => "",
        };
        line(text, "deepest", format!("{} states on the stack{grown}", grouped(cache.deepest)));
    }
    if let Some(identity) = &summary.identity {
        identity.figures(text);
    }
    if summary.method == Method::Sweep {
        sweep_lines(text, summary);
    }
    let elapsed = time(std::time::Duration::from_secs_f64(summary.seconds));
    let rate = grouped(summary.states_per_second);
    let resumed = match summary.resumed {
        Some(1) => ", resumed once".into(),
        Some(n @ 2..) => format!(", resumed {} times", grouped(n)),
        _ => String::new(),
    };
    if let Some(device) = &summary.device {
        let explored_for = summary.device_seconds.unwrap_or_default();
        let explored_for = time(std::time::Duration::from_secs_f64(explored_for));
        line(text, "device", format!("{device}, exploring for {explored_for}"));
    }
    hunt_line(text, summary);
    if let Some(why) = summary.one_thread {
        line(text, "threads", format!("1: {why}"));
    }
    if let Some(processes) = summary.processes {
        worker_lines(text, processes, summary);
    }
    line(text, "time", format!("{elapsed} ({rate} states/s){resumed}"));
    line(text, "store", bytes(summary.peak_bytes));
    if let Some(disk) = summary.disk_peak_bytes {
        line(text, "disk", bytes(disk));
    }
    if let Some(rss) = summary.peak_rss {
        line(text, "memory", format!("{} (whole process)", bytes(rss)));
    }
}

/// The processes, and how evenly the states were divided among their workers.
fn worker_lines(text: &mut String, processes: usize, summary: &Summary) {
    let workers = &summary.workers;
    let each = workers.len() / processes.max(1);
    line(text, "processes", format!("{processes}, with {each} worker{} each", plural(each)));
    let all: u64 = workers.iter().map(|worker| worker.explored).sum();
    let explored = || workers.iter().map(|worker| worker.explored);
    let (Some(least), Some(most)) = (explored().min(), explored().max()) else { return };
    let waited: f64 = workers.iter().map(|worker| worker.waited).sum();
    let waited = 100.0 * waited / (summary.seconds * workers.len() as f64).max(1e-9);
    let shares = format!("{} to {} of the states each", percent(least, all), percent(most, all));
    line(text, "workers", format!("{shares}, waited {:.0}% of the time", waited.min(100.0)));
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Layers, and what regress edges made necessary, where there are any.
fn sweep_lines(text: &mut String, summary: &Summary) {
    line(text, "layers", grouped(summary.layers));
    if summary.sweeps != 1 {
        line(text, "sweeps", grouped(summary.sweeps));
    }
    if summary.regress_edges > 0 {
        line(text, "regress edges", grouped(summary.regress_edges));
    }
    if summary.persistent > 0 {
        line(text, "persistent", format!("{} states", grouped(summary.persistent)));
    }
}
