//! Spin: Promela compiled to a verifier in C, without partial-order reduction.

use std::fs;

use anyhow::{Context, Result, bail};

use super::{Bench, Reading, Ready};
use crate::answer::Answer;
use crate::child::{self, Step};
use crate::system::{Instance, System};

/// Depth first. The stack size comes from an unmeasured run, so that Spin is not charged for more than it
/// needs.
pub fn depth_first(instance: Instance, bench: &Bench) -> Result<Ready> {
    let mut ready = verifier(instance, bench, "spin-depth-first", &[])?;
    let trial = child::run(&ready.step, &ready.folder, bench.limits)?;
    ready.preparation.push(format!("{}   # to learn the depth", ready.step.shown));
    if let Some(depth) = field(&trial.stdout, "depth reached ") {
        ready.step = search(instance, depth + 10, &[]);
    }
    Ok(ready)
}

/// Breadth first, for which the depth bound costs no memory. On several cores it stores whole states only with
/// `-DNO_HC`.
pub fn breadth_first(instance: Instance, bench: &Bench) -> Result<Ready> {
    if bench.threads == 1 {
        return verifier(instance, bench, "spin-breadth-first", &["-DBFS"]);
    }
    let cores = format!("-u{}", bench.threads);
    let mut ready = verifier(instance, bench, "spin-breadth-first", &["-DBFS_PAR", "-DNO_HC"])?;
    ready.step = search(instance, most_states(instance), &[&cores]);
    Ok(ready)
}

fn verifier(instance: Instance, bench: &Bench, folder: &str, defines: &[&str]) -> Result<Ready> {
    let folder = bench.folder(instance, folder)?;
    fs::write(folder.join("model.pml"), model(instance.system))?;
    let size = format!("-D{}={}", instance.system.parameter(), instance.size);
    let memory = format!("-DMEMLIM={}", bench.limits.memory_bytes >> 20);
    let fixed = ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", &memory];
    let flags = [&fixed, defines, &["-o", "pan", "pan.c"]].concat();
    let steps = [Step::new("spin", &["-a", &size, "model.pml"]), Step::new("gcc", &flags)];
    Ready::new(folder, search(instance, most_states(instance), &[]))
        .prepared_by(&steps, bench.limits)
}

fn model(system: System) -> &'static str {
    match system {
        System::Tpc => include_str!("../../models/tpc.pml"),
        System::Phil => include_str!("../../models/phil.pml"),
        System::Kanban => include_str!("../../models/kanban.pml"),
        System::Saw => include_str!("../../models/saw.pml"),
    }
}

/// No path without repetition is longer than the number of states.
fn most_states(instance: Instance) -> u64 {
    instance.known().states.unwrap_or(20_000_000)
}

/// Counts every error instead of stopping at the first (`-c0`), in a hash table of about one
/// slot per state (`-w`; its default takes 128 MiB).
fn search(instance: Instance, depth: u64, options: &[&str]) -> Step {
    let slots = most_states(instance).next_power_of_two().ilog2().max(10);
    let args = [format!("-m{depth}"), format!("-w{slots}"), "-c0".into(), "-n".into()];
    let args: Vec<&str> = args.iter().map(String::as_str).chain(options.iter().copied()).collect();
    Step::shown_as("./pan", "./pan".into(), &args)
}

/// Signs that the search was not complete. Spin prints `errors: 0` nevertheless.
const CUT_SHORT: [&str; 4] = [
    "max search depth too small",
    "reached -DMEMLIM bound",
    "out of memory",
    "Search not completed",
];

/// Reads a verifier's summary.
pub fn read(stdout: &str) -> Reading {
    if let Some(sign) = CUT_SHORT.into_iter().find(|sign| stdout.contains(sign)) {
        return Reading::Incomplete(format!("truncated: {sign}"));
    }
    match counts(stdout) {
        Ok(answer) => Reading::Complete(answer),
        Err(error) => Reading::Failed(format!("{error:#}")),
    }
}

fn counts(stdout: &str) -> Result<Answer> {
    let states = before(stdout, " states, stored").context("no `states, stored`")?;
    let transitions = before(stdout, " transitions (=").context("no `transitions`")?;
    if before(stdout, " atomic steps") != Some(0) {
        bail!("atomic steps are counted as transitions of their own");
    }
    // The initial state is counted as stored, hence as a transition. Invalid end states are
    // counted as errors, and valid ones (a process may stop there) not at all.
    let dead = field(stdout, "errors: ").filter(|&errors| errors > 0);
    // Several cores may expand a state twice: their transitions vary from run to run.
    let edges = Some(transitions - 1).filter(|_| !stdout.contains("+ Multi-Core"));
    Ok(Answer { states: Some(states), edges, dead })
}

/// The number before some words.
fn before(text: &str, words: &str) -> Option<u64> {
    let end = text.find(words)?;
    text[..end].split_whitespace().next_back()?.parse().ok()
}

/// The number after some words.
fn field(text: &str, words: &str) -> Option<u64> {
    let rest = &text[text.find(words)? + words.len()..];
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHILOSOPHERS_6: &str = "pan:1: invalid end state (at depth 104)

(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
\tnever claim         \t- (none specified)
\tinvalid end states\t+

State-vector 68 byte, depth reached 544, errors: 2
      729 states, stored
     2674 states, matched
     3403 transitions (= stored+matched)
        0 atomic steps
hash conflicts:       844 (resolved)
";

    #[test]
    fn reads_a_summary() {
        let answer = Answer { states: Some(729), edges: Some(3_402), dead: Some(2) };
        assert_eq!(read(PHILOSOPHERS_6), Reading::Complete(answer));
        assert_eq!(field(PHILOSOPHERS_6, "depth reached "), Some(544));
    }

    #[test]
    fn progress_lines_of_breadth_first_are_no_counts() {
        let output = "Depth=      10 States=       44 Transitions=       87 Memory=   128.195\n"
            .to_owned()
            + &PHILOSOPHERS_6.replace(" states, matched", " nominal states (stored-atomic)");
        assert!(matches!(read(&output), Reading::Complete(Answer { states: Some(729), .. })));
    }

    #[test]
    fn a_truncated_search_is_not_an_answer() {
        let output = format!("error: max search depth too small\n{PHILOSOPHERS_6}");
        let reason = "truncated: max search depth too small";
        assert_eq!(read(&output), Reading::Incomplete(reason.into()));
    }

    #[test]
    fn split_atomic_steps_and_noise_are_failures() {
        let output = PHILOSOPHERS_6.replace("        0 atomic", "       17 atomic");
        assert!(matches!(read(&output), Reading::Failed(_)));
        assert!(matches!(read("pan: cannot open"), Reading::Failed(_)));
    }
}
