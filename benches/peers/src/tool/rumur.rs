//! Rumur: Murphi compiled to a verifier in C, without symmetry reduction.

use std::fs;

use anyhow::Result;

use super::{Bench, Reading, Ready};
use crate::answer::Answer;
use crate::child::Step;
use crate::system::{Instance, System};

/// Generates and compiles the verifier.
pub fn prepare(instance: Instance, bench: &Bench) -> Result<Ready> {
    let folder = bench.folder(instance, "rumur")?;
    fs::write(folder.join("model.m"), model(instance))?;
    let threads = bench.threads.to_string();
    let generate = "--symmetry-reduction off --deadlock-detection off --colour off --output model.c \
                    model.m";
    let compile = "-std=c11 -O3 -w -march=native -mcx16 -o model model.c -lpthread -latomic";
    let words = |line: &'static str| line.split_whitespace().collect::<Vec<_>>();
    let generate = [&["--threads", threads.as_str()], &words(generate)[..]].concat();
    let steps = [Step::new("rumur", &generate), Step::new("gcc", &words(compile))];
    let run = Step::new("./model", &[]);
    Ready::new(folder, run).prepared_by(&steps, bench.limits)
}

/// The model with its size written in: Murphi has no parameters on the command line.
fn model(instance: Instance) -> String {
    let text = match instance.system {
        System::Tpc => include_str!("../../models/tpc.m"),
        System::Phil => include_str!("../../models/phil.m"),
        System::Kanban => include_str!("../../models/kanban.m"),
        System::Saw => include_str!("../../models/saw.m"),
    };
    let constant = format!("const {}: ", instance.system.parameter());
    let with_size = |line: &str| match line.starts_with(&constant) {
        true => format!("{constant}{};\n", instance.size),
        false => format!("{line}\n"),
    };
    text.lines().map(with_size).collect()
}

/// Reads `8832 states, 37345 rules fired in 0s.`
pub fn read(stdout: &str) -> Reading {
    if !stdout.contains("No error found") {
        return Reading::Failed("did not say `No error found`".into());
    }
    let summary = stdout.lines().rev().find(|line| line.contains(" rules fired"));
    let number = |word: &str| word.parse::<u64>().ok();
    match summary.unwrap_or("").split_whitespace().collect::<Vec<_>>()[..] {
        [states, "states,", fired, "rules", "fired", ..] => {
            Reading::Complete(Answer { states: number(states), edges: number(fired), dead: None })
        }
        _ => Reading::Failed("no `states, rules fired`".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_PHASE_5: &str = "Progress Report:

\t 10000 states explored in 0s, with 123 rules fired

==========================================================================

Status:

\tNo error found.

State Space Explored:

\t8832 states, 37345 rules fired in 0s.
";

    #[test]
    fn reads_a_summary() {
        let answer = Answer { states: Some(8_832), edges: Some(37_345), dead: None };
        assert_eq!(read(TWO_PHASE_5), Reading::Complete(answer));
    }

    #[test]
    fn an_error_is_not_an_answer() {
        let output = TWO_PHASE_5.replace("No error found", "1 error(s) found");
        assert!(matches!(read(&output), Reading::Failed(_)));
    }

    #[test]
    fn writes_the_size_into_the_model() {
        assert!(model("tpc=5".parse().unwrap()).contains("const N: 5;\n"));
        assert!(model("saw=77".parse().unwrap()).contains("const P: 77;\n"));
    }
}
