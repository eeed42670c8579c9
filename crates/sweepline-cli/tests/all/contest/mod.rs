//! Contest nets with known answers, symmetric nets among them: every answer, by full exploration, by
//! sweeps, and by what reductions leave.
//!
//! Needs the corpus `mcc`. By default the instances of up to 12,000 states; `SWEEPLINE_CONTEST=5000000` sets another size.

mod answers;
mod depth;
mod examinations;
mod runs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use answers::{Answers, Instance};
use examinations::Examinations;
use serde_json::Value;
use sweepline_testkit::corpus;

/// Instances up to this size run by default; about a minute of two cores.
const DEFAULT_SIZE: u64 = 12_000;

/// How a reduced run is called.
const REDUCED: &str = "reduced";

const FILES: [&str; 3] = ["ReachabilityCardinality", "ReachabilityFireability", "UpperBounds"];
const EXAMINATIONS: [&str; 5] =
    ["StateSpace", "ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "StableMarking"];
/// Asked by itself: where the measure is not monotone, all that is said then is of a full exploration.
const LIVENESS: &str = "Liveness -";

#[test]
fn contest_answers() {
    let Some(corpus) = corpus("mcc", "ANSWERS.tsv") else { return };
    let size = std::env::var("SWEEPLINE_CONTEST").map_or(DEFAULT_SIZE, |size| {
        size.parse().expect("SWEEPLINE_CONTEST is a number of states")
    });
    let answers = Answers::read(&corpus);
    let instances = answers.instances(size);
    assert!(instances.len() > 10, "only {} instances up to {size} states", instances.len());
    let mut tally = run_all(&corpus, &answers, &instances);
    tally.print(instances.len());
    assert_eq!(tally.wrong, Vec::<String>::new());
    tally.check_twins();
    let right = tally.full.right() + tally.others.right();
    assert!(right > 50 * instances.len(), "{right} right answers");
    assert_eq!(tally.full.unknown(), 0, "no limit was set for these sizes in full exploration");
    tally.others.check();
}

/// What became of all questions.
#[derive(Default, Debug)]
struct Tally {
    /// By full exploration.
    full: Examinations,
    /// By sweeps and reductions, which have a time limit.
    others: Examinations,
    wrong: Vec<String>,
    /// For each instance with a measure that was found: the part of the states held, and the time as
    /// a part of full exploration's.
    found: Vec<(String, f64, f64)>,
    /// The states of each instance, by full exploration.
    states: BTreeMap<String, u64>,
}

impl Tally {
    /// A symmetric net and the P/T net that its author made of it have equally many states.
    fn check_twins(&self) {
        let mut n_twins = 0;
        for (name, states) in &self.states {
            if let Some(twin) = self.states.get(&name.replace("-COL-", "-PT-"))
                && name.contains("-COL-")
            {
                assert_eq!(states, twin, "{name} and its twin");
                n_twins += 1;
            }
        }
        println!("{n_twins} symmetric nets have as many states as their P/T twins");
        assert!(n_twins > 5, "only {n_twins} pairs of twins");
    }

    fn print(&mut self, n_instances: usize) {
        let Tally { full, others, wrong, found, .. } = self;
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        for (name, peak, time) in &*found {
            println!("{name:<40} peak {:>5.1}%  time {time:>5.2}x", 100.0 * peak);
        }
        let median = |mut figures: Vec<f64>| {
            figures.sort_by(f64::total_cmp);
            figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
        };
        let peak = 100.0 * median(found.iter().map(|f| f.1).collect());
        let time = median(found.iter().map(|f| f.2).collect());
        println!(
            "{} of {n_instances} instances have a measure: median peak {peak:.1}%, time {time:.2}x",
            found.len()
        );
        full.print("full exploration");
        others.print("sweeps and reductions");
        println!("{} wrong", wrong.len());
    }
}

/// Takes down how a found measure did.
fn note(instance: &Instance, full: &Value, found: &Value, tally: &Mutex<Tally>) {
    if found["method"] == "sweep" {
        let figure = |run: &Value, field: &str| run[field].as_f64().expect("a figure");
        let peak = figure(found, "peak_states") / figure(full, "states");
        // Without the time to find it, which the report names by itself.
        let time = figure(found, "seconds") / figure(full, "seconds").max(1e-3);
        tally.lock().expect("a thread panicked").found.push((instance.name.clone(), peak, time));
    }
}

/// Runs the instances on two threads, large ones first.
fn run_all(corpus: &Path, answers: &Answers, instances: &[Instance]) -> Tally {
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(instance) = instances.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let folder = unpack(corpus, instance, "contest");
                    let measure = depth::measure(&folder.join("model.pnml"));
                    let full = check(&folder, &["--method", "full", "--witness", "off"]);
                    compare(instance, answers, &full, "full", &tally);
                    if let Some(states) = full["states"].as_u64() {
                        let mut tally = tally.lock().expect("a thread panicked");
                        tally.states.insert(instance.name.clone(), states);
                    }
                    let sweep = ["--progress", &measure, "--window", "4", "--time-limit", "120s"];
                    compare(instance, answers, &check(&folder, &sweep), "sweep", &tally);
                    let auto = ["--progress", "auto", "--witness", "off", "--time-limit", "120s"];
                    let found = check(&folder, &auto);
                    note(instance, &full, &found, &tally);
                    compare(instance, answers, &found, "auto", &tally);
                    for method in [&["--method", "full"], &sweep[..2]] {
                        let run = liveness(&folder, method);
                        compare(instance, answers, &run, method[1], &tally);
                    }
                    for run in reduced(&folder) {
                        compare(instance, answers, &run, REDUCED, &tally);
                    }
                }
            });
        }
    });
    tally.into_inner().expect("a thread panicked")
}

/// Each test has a folder of its own: they run side by side.
fn unpack(corpus: &Path, instance: &Instance, folder: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&target).expect("a folder for the corpus");
    let archive = corpus.join("INPUTS").join(format!("{}.tgz", instance.name));
    let done = Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(&target).status();
    assert!(done.expect("tar is installed").success(), "cannot unpack {}", archive.display());
    target.join(&instance.name)
}

/// Asks everything in one exploration.
fn check(folder: &Path, method: &[&str]) -> Value {
    ask(folder, &FILES, &EXAMINATIONS, method)
}

/// Asks what reductions help with, each kind of question by itself.
fn reduced(folder: &Path) -> Vec<Value> {
    let limits = ["--witness", "off", "--time-limit", "120s"];
    let all = ["--stubborn", "--sleep", "--progress", "auto"];
    let auto = ["--reduce", "auto", "--progress", "none"];
    let smaller = ["--reduce", "auto", "--time-limit", "120s"];
    let [all, auto] = [all, auto].map(|options| [options, limits].concat());
    vec![
        ask(folder, &[], &["ReachabilityDeadlock"], &all),
        ask(folder, &["ReachabilityCardinality"], &["OneSafe"], &auto),
        ask(folder, &["ReachabilityFireability"], &[], &auto),
        ask(folder, &["UpperBounds"], &[], &auto),
        // Without an option that says how to explore, the structure of the net decides what it can.
        ask(folder, &FILES, &EXAMINATIONS[1..], &limits[2..]),
        // Smaller nets, and counterexamples lifted to the original one.
        ask(folder, &[], &["ReachabilityDeadlock"], &smaller),
        ask(folder, &["ReachabilityCardinality"], &[], &smaller),
        ask(folder, &["ReachabilityFireability"], &[], &smaller),
        ask(folder, &["UpperBounds"], &[], &smaller),
    ]
}

fn ask(folder: &Path, files: &[&str], examinations: &[&str], method: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweepline"));
    command.arg("check").arg(folder.join("model.pnml")).arg("--json").args(method);
    for file in files {
        command.arg("--property-file").arg(folder.join(format!("{file}.xml")));
    }
    for examination in examinations {
        command.args(["--examination", examination]);
    }
    report_of(command, folder)
}

/// Asks for liveness alone.
fn liveness(folder: &Path, method: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweepline"));
    command.arg("check").arg(folder.join("model.pnml")).arg("--json").args(method);
    command.args(["--examination", "Liveness", "--time-limit", "120s"]);
    report_of(command, folder)
}

fn report_of(mut command: Command, folder: &Path) -> Value {
    let output = command.output().expect("the binary runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error} in {}: {}", folder.display(), String::from_utf8_lossy(&output.stderr))
    })
}

/// Compares all answers of a run with the known ones.
fn compare(
    instance: &Instance,
    answers: &Answers,
    run: &Value,
    method: &str,
    tally: &Mutex<Tally>,
) {
    let mut tally = tally.lock().expect("a thread panicked");
    let mut given = given(instance, run);
    // A reduced run is asked a part of the questions, and counts nothing.
    let partial = method == REDUCED;
    given.retain(|question, _| !partial || !question.starts_with("StateSpace"));
    let by_itself = given.contains_key(LIVENESS);
    for (question, expected) in answers.of(&instance.name) {
        let asked = match partial {
            true => given.contains_key(question),
            false => by_itself == (question == LIVENESS),
        };
        if expected == "?" || !asked {
            continue;
        }
        match given.get(question).map(String::as_str) {
            Some(answer) if answer == expected || answer == "unknown" => {
                let kind = if method == "full" { &mut tally.full } else { &mut tally.others };
                kind.count(question, answer == expected);
            }
            answer => tally.wrong.push(format!(
                "{} {question} by {method}: {answer:?}, known {expected}",
                instance.name
            )),
        }
    }
}

/// The answers of a run by question: `UpperBounds 03`, `StateSpace STATES`, `OneSafe -`.
fn given(instance: &Instance, run: &Value) -> BTreeMap<String, String> {
    let mut given = BTreeMap::new();
    let complete = run["complete"] == true;
    for property in run["properties"].as_array().expect("a list of properties") {
        let name = property["name"].as_str().expect("a name");
        let question = match name.strip_prefix(&format!("{}-", instance.name)) {
            Some(formula) => formula.replace('-', " "),
            None => format!("{name} -"),
        };
        let answer = match (property["verdict"].as_str(), &property["value"]) {
            (Some("unknown"), _) => "unknown".to_string(),
            (_, Value::Number(value)) => value.to_string(),
            (Some("holds"), _) => "TRUE".to_string(),
            _ => "FALSE".to_string(),
        };
        given.insert(question, answer);
    }
    for (item, field) in [
        ("STATES", "states"),
        ("TRANSITIONS", "edges"),
        ("MAX_TOKEN_IN_PLACE", "max_tokens_in_place"),
        ("MAX_TOKEN_PER_MARKING", "max_tokens_per_marking"),
    ] {
        // Counts of a run that visited states twice say nothing.
        let counts = run["states"].is_number() || item.starts_with("MAX");
        let known = complete && counts && run[field].is_number();
        let answer = if known { run[field].to_string() } else { "unknown".into() };
        given.insert(format!("StateSpace {item}"), answer);
    }
    given
}
