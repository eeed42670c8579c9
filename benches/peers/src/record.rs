//! Writes a run into `benches/runs/<date>-<host kind>/`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::host;
use crate::rounds::Comparison;
use crate::table::{Table, grouped};

/// The circumstances of a run.
pub struct Setting<'a> {
    pub command: String,
    pub sweepline: &'a Path,
    pub threads: usize,
    /// The peak memory of a process that does nothing: a lower bound for all figures.
    pub floor_bytes: u64,
}

/// Writes the three files and returns their folder.
pub fn write(runs: &Path, setting: &Setting<'_>, all: &[Comparison]) -> Result<PathBuf> {
    let threads = match setting.threads {
        1 => String::new(),
        n => format!("-{n}-threads"),
    };
    let folder = runs.join(format!("{}-{}{threads}", host::date()?, host::kind()));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("README.md"), readme(setting, all)?)?;
    fs::write(folder.join("raw.csv"), raw(all))?;
    fs::write(folder.join("summary.md"), summary(all, setting.threads))?;
    Ok(folder)
}

fn readme(setting: &Setting<'_>, all: &[Comparison]) -> Result<String> {
    let memory = host::memory_bytes() >> 30;
    let floor = setting.floor_bytes as f64 / f64::from(1 << 20);
    let mut text = format!(
        "# Comparison of {} on a {} machine\n\n\
         Made with `{}`. Figures: [summary.md](summary.md); every single run: [raw.csv](raw.csv).\n\n\
         - processor: {}\n- memory: {memory} GiB\n",
        host::date()?,
        host::kind(),
        setting.command,
        host::processor(),
    );
    for (name, version) in host::versions(setting.sweepline) {
        text += &format!("- {name}: {version}\n");
    }
    text += &format!(
        "\nA process that does nothing peaks at {floor:.1} MiB here; no figure can be lower.\n"
    );
    text += "\n## Commands\n\nOnly the last command of each block is measured.\n";
    for comparison in all {
        text += &format!("\n### {}\n", comparison.instance);
        for row in &comparison.rows {
            let before: String =
                row.ready.preparation.iter().map(|line| format!("{line}\n")).collect();
            let shown = &row.ready.step.shown;
            text += &format!("\n{}\n\n```sh\n{before}{shown}\n```\n", row.tool.name());
        }
    }
    Ok(text)
}

fn raw(all: &[Comparison]) -> String {
    let mut text = String::from(
        "system,size,tool,round,states,edges,dead,cpu_s,wall_s,peak_rss_bytes,preparation_cpu_s,note\n",
    );
    let count = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
    for Comparison { instance, rows, .. } in all {
        for row in rows {
            for (index, run) in row.runs.iter().enumerate() {
                text += &format!(
                    "{},{},\"{}\",{},{},{},{},{:.3},{:.3},{},{:.3},{}\n",
                    instance.system.key(),
                    instance.size,
                    row.tool.name(),
                    index + 1,
                    count(row.answer.states),
                    count(row.answer.edges),
                    count(row.answer.dead),
                    run.cpu_seconds,
                    run.wall_seconds,
                    run.peak_rss_bytes,
                    row.ready.preparation_cpu_seconds,
                    row.note.as_deref().unwrap_or(""),
                );
            }
        }
    }
    text
}

fn summary(all: &[Comparison], threads: usize) -> String {
    let (used, seconds) = match threads {
        1 => ("One thread".to_owned(), "CPU"),
        n => (format!("{n} threads"), "wall-clock"),
    };
    let mut text = format!(
        "# Summary\n\n\
         {used}, no reductions, the whole state space. `CPU s` is the least of the rounds, \
         user and system time of the search alone (generating and compiling a verifier is in \
         `raw.csv`); `states/s` is by {seconds} time; `B/state` is the peak resident size divided by the states; `time` ({seconds} time) \
         and `memory` are multiples of sweepline's full exploration.\n",
    );
    for comparison in all {
        text += &format!("\n## {}\n\n", heading(comparison));
        text += &Table::new(comparison, threads).markdown();
    }
    text
}

/// The system and the counts all tools agree on.
pub fn heading(comparison: &Comparison) -> String {
    let count = |name: &str, count: Option<u64>| match count {
        Some(count) => format!(", {} {name}", grouped(count)),
        None => String::new(),
    };
    let answer = comparison.answer;
    format!(
        "{}: {} states{}{}",
        comparison.instance,
        grouped(answer.states.unwrap_or(0)),
        count("edges", answer.edges),
        count("dead", answer.dead),
    )
}
