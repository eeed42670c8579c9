//! Contest formulas in LTL and CTL with known answers, by full exploration and along a found measure.
//!
//! By default the instances of up to 2,000 states; `SWEEPLINE_CONTEST` sets another size, and instances of
//! more than a million states are left out.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use sweepline_testkit::corpus;

use super::answers::Answers;
use super::examinations::Examinations;
use super::{given, unpack};

const DEFAULT_SIZE: u64 = 2_000;
const LARGEST: u64 = 1_000_000;
const METHODS: [&[&str]; 2] = [&["--method", "full"], &["--progress", "auto"]];

#[test]
fn contest_answers_in_ltl() {
    compare("LTL", ["LTLCardinality", "LTLFireability"]);
}

#[test]
fn contest_answers_in_ctl() {
    compare("CTL", ["CTLCardinality", "CTLFireability"]);
}

/// Compares the answers to the formulas of `files` with the known ones.
fn compare(logic: &str, files: [&str; 2]) {
    let Some(corpus) = corpus("mcc", "ANSWERS.tsv") else { return };
    let size = std::env::var("SWEEPLINE_CONTEST").map_or(DEFAULT_SIZE, |size| {
        size.parse::<u64>().expect("SWEEPLINE_CONTEST is a number of states").min(LARGEST)
    });
    let answers = Answers::read(&corpus);
    let instances = answers.instances(size);
    let (mut examinations, mut wrong) = (Examinations::default(), Vec::new());
    for instance in &instances {
        let folder = unpack(&corpus, instance, &format!("contest-{logic}"));
        for method in METHODS {
            let given = given(instance, &check(&folder, files, method));
            for (question, expected) in answers.of_logic(&instance.name, logic) {
                match given.get(question).map(String::as_str) {
                    _ if expected == "?" => {}
                    Some(answer) if answer == expected || answer == "unknown" => {
                        examinations.count(question, answer == expected);
                    }
                    answer => wrong.push(format!(
                        "{} {question} by {method:?}: {answer:?}, known {expected}",
                        instance.name
                    )),
                }
            }
        }
    }
    examinations.print(logic);
    println!("{logic}: {} instances, {} wrong", instances.len(), wrong.len());
    assert_eq!(wrong, Vec::<String>::new());
    examinations.check();
    let right = examinations.right();
    assert!(right > 50 * instances.len(), "{right} right answers");
}

fn check(folder: &Path, files: [&str; 2], method: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweepline"));
    command.arg("check").arg(folder.join("model.pnml")).args(["--json", "--time-limit", "600s"]);
    for file in files {
        command.arg("--property-file").arg(folder.join(format!("{file}.xml")));
    }
    let output = command.args(method).output().expect("the binary runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error} in {}: {}", folder.display(), String::from_utf8_lossy(&output.stderr))
    })
}
