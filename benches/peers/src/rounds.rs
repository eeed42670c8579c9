//! Runs the tools in turn on one system, and requires that they agree.

use anyhow::{Result, bail};

use crate::answer::Answer;
use crate::child::{self, Usage};
use crate::system::Instance;
use crate::tool::{Bench, Reading, Ready, Tool};

/// The results for one system.
pub struct Comparison {
    pub instance: Instance,
    pub answer: Answer,
    pub rows: Vec<Row>,
}

/// The results of one tool.
pub struct Row {
    pub tool: Tool,
    pub ready: Ready,
    pub runs: Vec<Usage>,
    pub answer: Answer,
    /// Why there are no figures, or fewer than requested.
    pub note: Option<String>,
}

impl Row {
    /// Whether the tool explored the whole state space every time.
    pub fn is_complete(&self) -> bool {
        self.note.is_none() && !self.runs.is_empty()
    }

    /// The least CPU time: disturbances only increase it.
    pub fn least_cpu(&self) -> f64 {
        self.runs.iter().map(|run| run.cpu_seconds).fold(f64::INFINITY, f64::min)
    }

    /// The same of wall-clock time.
    pub fn least_wall(&self) -> f64 {
        self.runs.iter().map(|run| run.wall_seconds).fold(f64::INFINITY, f64::min)
    }

    pub fn median_cpu(&self) -> f64 {
        median(self.runs.iter().map(|run| run.cpu_seconds).collect())
    }

    pub fn median_wall(&self) -> f64 {
        median(self.runs.iter().map(|run| run.wall_seconds).collect())
    }

    pub fn median_peak_bytes(&self) -> f64 {
        median(self.runs.iter().map(|run| run.peak_rss_bytes as f64).collect())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

/// Runs every tool once, then checks that all agree, then runs the remaining rounds.
pub fn compare(
    instance: Instance,
    tools: &[Tool],
    bench: &Bench,
    repeat: usize,
) -> Result<Comparison> {
    let mut rows = prepare(instance, tools, bench)?;
    let mut answer = instance.known();
    for round in 1..=repeat {
        for row in rows.iter_mut().filter(|row| row.note.is_none()) {
            eprintln!("{instance}: round {round} of {repeat}: {}", row.ready.step.shown);
            measure(row, bench)?;
        }
        answer = agreed(instance, answer, &rows)?;
    }
    Ok(Comparison { instance, answer, rows })
}

fn prepare(instance: Instance, tools: &[Tool], bench: &Bench) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &tool in tools {
        eprintln!("{instance}: preparing {}", tool.name());
        if let Some(ready) = tool.prepare(instance, bench)? {
            let (runs, answer) = (Vec::new(), Answer::default());
            rows.push(Row { tool, ready, runs, answer, note: None });
        }
    }
    Ok(rows)
}

fn measure(row: &mut Row, bench: &Bench) -> Result<()> {
    let finished = child::run(&row.ready.step, &row.ready.folder, bench.limits)?;
    match row.tool.read(&finished) {
        Reading::Complete(answer) => {
            row.answer = answer;
            row.runs.push(finished.usage);
        }
        Reading::Incomplete(reason) => {
            row.note = Some(reason);
            row.runs.push(finished.usage);
        }
        Reading::Failed(reason) => bail!(
            "{} failed: {reason}\n  in {}: {}\n{}",
            row.tool.name(),
            row.ready.folder.display(),
            row.ready.step.shown,
            finished.stderr
        ),
    }
    Ok(())
}

/// The counts on which all tools agree, or an error with the counts of each of them.
fn agreed(instance: Instance, known: Answer, rows: &[Row]) -> Result<Answer> {
    let complete = || rows.iter().filter(|row| row.is_complete());
    let all = complete().fold(known, |all, row| all.or(&row.answer));
    let conflicts: Vec<String> = complete()
        .filter_map(|row| {
            let conflict = all.conflict(&row.answer)?;
            Some(format!("  {} says {conflict}", row.tool.name()))
        })
        .collect();
    if conflicts.is_empty() {
        return Ok(all);
    }
    bail!("{instance}: the answers differ, so nothing is compared\n{}", conflicts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
        assert!(median(vec![]).is_nan());
    }
}
