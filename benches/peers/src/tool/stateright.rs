//! Stateright: this program again, as a child that explores one of its models.

use anyhow::Result;

use super::{Bench, Reading, Ready};
use crate::answer::Answer;
use crate::child::Step;
use crate::system::Instance;

/// The child process `peers stateright SYSTEM SIZE`.
pub fn prepare(instance: Instance, bench: &Bench) -> Result<Ready> {
    let folder = bench.folder(instance, "stateright")?;
    let (size, threads) = (instance.size.to_string(), bench.threads.to_string());
    let args = ["stateright", instance.system.key(), &size, "--threads", &threads];
    Ok(Ready::new(folder, Step::shown_as("peers", std::env::current_exe()?, &args)))
}

/// What the child prints.
pub fn write(answer: Answer) -> String {
    format!("{} states, {} edges", answer.states.unwrap_or(0), answer.edges.unwrap_or(0))
}

/// Reads what the child printed.
pub fn read(stdout: &str) -> Reading {
    let number = |word: &str| word.parse::<u64>().ok();
    match stdout.split_whitespace().collect::<Vec<_>>()[..] {
        [states, "states,", edges, "edges"] => {
            Reading::Complete(Answer { states: number(states), edges: number(edges), dead: None })
        }
        _ => Reading::Failed("no counts".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let answer = Answer { states: Some(288), edges: Some(761), dead: None };
        assert_eq!(read(&write(answer)), Reading::Complete(answer));
        assert!(matches!(read(""), Reading::Failed(_)));
    }
}
