//! The table of a comparison.

use std::fmt::Write;
use std::time::Duration;

use super::Row;
use crate::print::{BOLD, bytes, cut, grouped, percent, styled, time};

const TITLES: [&str; 10] = [
    "method", "window", "states", "explored", "peak", "peak %", "store", "of full", "time", "speed",
];

/// The rows under their titles; `of full` (bytes of the store) and `speed` are against the first row where that is full.
pub(super) fn table(model: &str, rows: &[Row]) -> String {
    let full = rows.first().filter(|row| row.method == "full" && row.stop.is_none());
    let mut cells: Vec<Vec<String>> = vec![TITLES.iter().map(|&title| title.into()).collect()];
    cells.extend(rows.iter().map(|row| line(row, full)));
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..TITLES.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = format!("{}\n\n", styled(BOLD, model));
    for row in &cells {
        let _ = write!(text, "{:<width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(text, "  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

fn line(row: &Row, full: Option<&Row>) -> Vec<String> {
    let unknown = || "-".to_owned();
    let method = match row.method {
        "sweep" => format!("sweep {}", cut(&row.progress)),
        method => method.to_owned(),
    };
    let total = row.states.or(full.and_then(|full| full.states)).filter(|_| row.stop.is_none());
    let compared = full.filter(|full| !std::ptr::eq(*full, row) && row.stop.is_none());
    let ratio = |base: f64, here: f64| format!("{:.2}x", here / base.max(1e-9));
    vec![
        method,
        row.window.to_string(),
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
