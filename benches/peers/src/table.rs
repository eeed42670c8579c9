//! The comparison of one system as a table, aligned for a terminal or as Markdown.

use crate::rounds::{Comparison, Row};
use crate::tool::Tool;

const HEADINGS: [&str; 10] = [
    "tool", "states", "CPU s", "median", "wall s", "states/s", "RSS MiB", "B/state", "time",
    "memory",
];

/// The cells of a table, headings first; the first column is text, the others are numbers.
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Tools without figures, and the reasons.
    notes: Vec<String>,
}

impl Table {
    /// One row per tool. `time` and `memory` are multiples of sweepline's full exploration.
    /// On several `threads`, time is wall-clock time.
    pub fn new(comparison: &Comparison, threads: usize) -> Table {
        let base =
            comparison.rows.iter().find(|row| row.tool == Tool::SweeplineFull && row.is_complete());
        let states = comparison.answer.states.unwrap_or(0);
        let time = if threads == 1 { Row::least_cpu } else { Row::least_wall };
        let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
        let mut notes = Vec::new();
        for row in &comparison.rows {
            match &row.note {
                None => rows.push(cells(row, states, base, time)),
                Some(note) => notes.push(incomplete(row, note)),
            }
        }
        Table { rows, notes }
    }

    /// For a terminal.
    pub fn lined_up(&self) -> String {
        let widths: Vec<usize> = (0..HEADINGS.len())
            .map(|column| self.rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
            .collect();
        let line = |row: &Vec<String>| {
            let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            padded.collect::<Vec<_>>().join("  ")
        };
        let notes = self.notes.iter().cloned();
        self.rows.iter().map(line).chain(notes).map(|line| line + "\n").collect()
    }

    /// For a page.
    pub fn markdown(&self) -> String {
        let line = |row: &Vec<String>| format!("| {} |\n", row.join(" | "));
        let rule = format!("|---|{}\n", "---:|".repeat(HEADINGS.len() - 1));
        let body: String = self.rows[1..].iter().map(line).collect();
        let notes: String = self.notes.iter().map(|note| format!("\n{note}\n")).collect();
        line(&self.rows[0]) + &rule + &body + &notes
    }
}

fn cells(row: &Row, states: u64, base: Option<&Row>, time: fn(&Row) -> f64) -> Vec<String> {
    let (cpu, bytes) = (row.least_cpu(), row.median_peak_bytes());
    let ratio = |own: f64, of: fn(&Row) -> f64| match base {
        Some(base) => format!("{:.1}x", own / of(base)),
        None => "-".to_owned(),
    };
    vec![
        row.tool.name().to_owned(),
        grouped(states),
        format!("{cpu:.2}"),
        format!("{:.2}", row.median_cpu()),
        format!("{:.2}", row.median_wall()),
        grouped((states as f64 / time(row).max(1e-3)) as u64),
        format!("{:.1}", bytes / f64::from(1 << 20)),
        format!("{:.0}", bytes / states as f64),
        ratio(time(row), time),
        ratio(bytes, Row::median_peak_bytes),
    ]
}

fn incomplete(row: &Row, note: &str) -> String {
    let used = row.runs.last().map(|run| {
        let mebibytes = run.peak_rss_bytes >> 20;
        format!(" after {:.1} CPU s and {mebibytes} MiB", run.cpu_seconds)
    });
    format!("{}: no result, {note}{}", row.tool.name(), used.unwrap_or_default())
}

/// Digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_digits() {
        assert_eq!(["0", "999", "1,000", "1,745,408"], [0, 999, 1_000, 1_745_408].map(grouped)[..]);
    }

    #[test]
    fn lines_up_words_left_and_numbers_right() {
        let mut short = vec![String::from("1"); HEADINGS.len()];
        short[0] = "a tool".into();
        let rows = vec![HEADINGS.map(str::to_owned).to_vec(), short];
        let table = Table { rows, notes: vec!["b: no result".into()] };
        let text = table.lined_up();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("tool    states  CPU s"));
        assert!(lines[1].starts_with("a tool       1      1"));
        assert_eq!(lines[2], "b: no result");
        assert!(table.markdown().starts_with("| tool | states |"));
    }
}
