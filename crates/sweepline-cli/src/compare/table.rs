//! The table of a comparison.

use std::fmt::Write;
use std::time::Duration;

use super::Row;
use crate::args::Method;
use crate::print::{BOLD, bytes, cut, grouped, percent, styled, time};

const TITLES: [&str; 10] = [
    "method", "window", "states", "explored", "peak", "peak %", "store", "of full", "time", "speed",
];

/// The rows under their titles. `of full` (bytes of the store) and `speed` are relative to the first row if that is full
/// exploration.
pub(super) fn table(model: &str, rows: &[Row]) -> String {
    let full = full(rows);
    let mut cells: Vec<Vec<String>> = vec![TITLES.iter().map(|&title| title.into()).collect()];
    cells.extend(rows.iter().map(|row| line(row, full)));
    let mut text = format!("{}\n\n", styled(BOLD, model));
    for row in aligned(&cells) {
        let _ = writeln!(text, "{}", row.concat());
    }
    text
}

/// The first row, if it is a complete full exploration.
fn full(rows: &[Row]) -> Option<&Row> {
    rows.first().filter(|row| row.is_full() && row.stop.is_none())
}

/// Pads the cells: the first column to the left, the others to the right, two spaces between.
fn aligned(cells: &[Vec<String>]) -> Vec<Vec<String>> {
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let lengths = cells.iter().filter_map(|row| row.get(column));
        lengths.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let align = |(column, cell): (usize, &String)| match (column, widths[column]) {
        (0, width) => format!("{cell:<width$}"),
        (_, width) => format!("  {cell:>width$}"),
    };
    cells.iter().map(|row| row.iter().enumerate().map(align).collect()).collect()
}

/// The name of a run: method, measure, reductions, collection.
pub(super) fn method(row: &Row) -> String {
    match (&row.cache, row.gc) {
        (Some(cache), _) => {
            format!("cache {}, {}", grouped(cache.asked.states), cache.asked.policy)
        }
        (None, Some(gc)) => format!("{}, gc {}", kind(row), grouped(gc)),
        (None, None) => kind(row),
    }
}

/// The same without the collection.
pub(super) fn kind(row: &Row) -> String {
    let reduction = row.reduction.map_or_else(String::new, |name| format!(", {name}"));
    match row.method {
        Method::Sweep => format!("sweep {}{reduction}", cut(&row.progress)),
        method => format!("{method}{reduction}"),
    }
}

/// One row for each value of a parameter and a group of columns for each method, as in the papers' tables. Relative to
/// full exploration: the reduction of the peak, the part explored, and the reduction of time.
pub(super) fn varied(model: &str, parameter: &str, rows: &[Row]) -> String {
    let by_value: Vec<&[Row]> = rows.chunk_by(|a, b| a.value == b.value).collect();
    let first = by_value.first().copied().unwrap_or_default();
    let titles = first.iter().flat_map(|row| match row.is_full() {
        true => &["states", "time"][..],
        false => &["peak", "less", "explored", "time", "less time"],
    });
    let mut cells =
        vec![std::iter::once(parameter).chain(titles.copied()).map(Into::into).collect()];
    for rows in by_value {
        let value = rows.iter().find_map(|row| row.value.clone()).unwrap_or_default();
        let groups = rows.iter().flat_map(|row| group(row, full(rows)));
        cells.push(std::iter::once(value).chain(groups).collect::<Vec<String>>());
    }
    let aligned = aligned(&cells);
    let mut text = format!("{}\n\n{}\n", styled(BOLD, model), heads(first, &aligned));
    for row in aligned {
        let _ = writeln!(text, "{}", row.concat());
    }
    text
}

/// The figures of one run in a table of values.
fn group(row: &Row, full: Option<&Row>) -> Vec<String> {
    let seconds = time(Duration::from_secs_f64(row.seconds));
    if row.is_full() {
        return vec![row.states.map_or_else(|| "-".into(), grouped), seconds];
    }
    let full = full.filter(|_| row.stop.is_none());
    let less = |full: f64, here: f64| format!("{:.1}%", 100.0 * (1.0 - here / full.max(1e-9)));
    let states = full.map(|full| less(full.explored as f64, row.peak_states as f64));
    let shorter = full.map(|full| less(full.seconds, row.seconds));
    let unknown = || "-".to_owned();
    let explored = full.map(|full| percent(row.explored, full.explored));
    vec![
        grouped(row.peak_states),
        states.unwrap_or_else(unknown),
        explored.unwrap_or_else(unknown),
        seconds,
        shorter.unwrap_or_else(unknown),
    ]
}

/// The names of the methods, each over its columns; too long ones are on lines of their own.
fn heads(methods: &[Row], aligned: &[Vec<String>]) -> String {
    let width = |cells: &[String]| cells.iter().map(|cell| cell.chars().count()).sum::<usize>();
    let titles = &aligned[0];
    let (mut line, mut notes) = (" ".repeat(width(&titles[..1])), String::new());
    let mut column = 1;
    for (number, row) in methods.iter().enumerate() {
        let end = (column + if row.is_full() { 2 } else { 5 }).min(titles.len());
        let room = width(&titles[column..end]) - 2;
        let mut name = method(row);
        if name.chars().count() > room {
            let _ = writeln!(notes, "{}: {name}", number + 1);
            name = format!("{}: {}", number + 1, row.method);
        }
        let dashes = "-".repeat(room.saturating_sub(name.chars().count() + 1));
        let space = if dashes.is_empty() { "" } else { " " };
        let _ = write!(line, "  {name:.room$}{space}{dashes}");
        column = end;
    }
    if notes.is_empty() { line } else { format!("{notes}\n{line}") }
}

fn line(row: &Row, full: Option<&Row>) -> Vec<String> {
    let unknown = || "-".to_owned();
    let total = row.states.or(full.and_then(|full| full.states)).filter(|_| row.stop.is_none());
    let compared = full.filter(|full| !std::ptr::eq(*full, row) && row.stop.is_none());
    let ratio = |base: f64, here: f64| format!("{:.2}x", here / base.max(1e-9));
    vec![
        method(row),
        if row.cache.is_some() { unknown() } else { row.window.to_string() },
        row.states.filter(|_| row.stop.is_none()).map_or_else(unknown, grouped),
        grouped(row.explored),
        grouped(row.peak_states),
        total.map_or_else(unknown, |total| percent(row.peak_states, total)),
        bytes(row.peak_bytes),
        compared.map_or_else(unknown, |full| ratio(full.peak_bytes as f64, row.peak_bytes as f64)),
        time(Duration::from_secs_f64(row.seconds)),
        compared.map_or_else(unknown, |full| ratio(row.seconds, full.seconds)),
    ]
}
