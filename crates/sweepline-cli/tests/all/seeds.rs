//! Every model says in its header what is true of it; every method must find the same.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// A fact of a header, perhaps of other parameters than those of the file.
#[derive(Debug, PartialEq)]
struct Fact {
    params: Vec<String>,
    what: Expected,
}

#[derive(Debug, PartialEq)]
enum Expected {
    Count(&'static str, u64),
    Verdict(String, String),
    Bound(String, [i64; 2]),
}

/// The name of the measure, or the process, and the facts, in the words of `models/README.md`.
fn header(text: &str) -> (String, Vec<Fact>) {
    let (mut progress, mut facts) = (String::new(), Vec::new());
    for line in text.lines().filter_map(|line| line.strip_prefix("expect: ")) {
        if endless(line).is_some() {
            continue;
        }
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let mut params = Vec::new();
        if words[0] == "with" {
            params = words[1].split(',').map(|param| format!("--param={param}")).collect();
            words.drain(..2);
        }
        let number = |word: &str| word.parse::<u64>().expect("a count");
        let what = match words[..] {
            ["progress" | "process", name] => {
                progress = name.to_owned();
                continue;
            }
            ["states", count] => Expected::Count("states", number(count)),
            ["edges", count] => Expected::Count("edges", number(count)),
            ["dead", count] => Expected::Count("dead", number(count)),
            ["orbits", count] => Expected::Count("orbits", number(count)),
            ["property", name, verdict @ ("holds" | "violated")] => {
                Expected::Verdict(name.to_owned(), verdict.to_owned())
            }
            ["property", name, least, most] => {
                let ends = [least, most].map(|end| end.parse().expect("a bound"));
                Expected::Bound(name.to_owned(), ends)
            }
            _ => panic!("no such expectation: `{line}`"),
        };
        facts.push(Fact { params, what });
    }
    (progress, facts)
}

/// What is said of a model without end.
fn endless(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.split_once(' ')?;
    ["equivalence", "cut-off", "not-cut-off"].contains(&word).then_some((word, rest))
}

/// What the header of a model says of it under `word`.
fn said<'t>(text: &'t str, word: &str) -> &'t str {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("expect: "));
    let found = lines.find_map(|line| endless(line).filter(|(known, _)| *known == word));
    found.unwrap_or_else(|| panic!("no `expect: {word}`")).1
}

impl Fact {
    /// What a report says instead.
    fn mismatch(&self, report: &Value) -> Option<String> {
        // Where states are visited again there is no telling how many there are.
        let uncounted = matches!(self.what, Expected::Count(..)) && report["states"].is_null();
        if uncounted { None } else { self.in_words(report) }
    }

    /// The same, whatever the report can count.
    fn in_words(&self, report: &Value) -> Option<String> {
        let property = |name: &str| {
            let properties = report["properties"].as_array().expect("properties");
            properties.iter().find(|property| property["name"] == name).cloned().unwrap_or_default()
        };
        let (wanted, found) = match &self.what {
            Expected::Count(what, count) => ((*count).into(), report[what].clone()),
            Expected::Verdict(name, verdict) => {
                (Value::from(verdict.as_str()), property(name)["verdict"].clone())
            }
            Expected::Bound(name, range) => {
                (Value::from(range.to_vec()), property(name)["value"].clone())
            }
        };
        (found != wanted).then(|| format!("{self:?}: found {found}"))
    }
}

fn models(extension: &str) -> Vec<PathBuf> {
    models_in("seeds", extension)
}

fn models_in(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(folder);
    let files = fs::read_dir(folder).expect("the models").map(|entry| entry.unwrap().path());
    let mut models: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|e| e == extension)).collect();
    models.sort();
    models
}

fn check(model: &Path, options: &[String]) -> Value {
    let mut command = cargo_bin_cmd!("sweepline");
    command.arg("check").arg(model).arg("--json").args(options);
    let output = command.output().expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{} {options:?}: {error}\n{errors}", model.display()))
}

/// The sets of parameters that facts are about.
fn parameters(facts: &[Fact]) -> Vec<&Vec<String>> {
    let mut sets: Vec<&Vec<String>> = facts.iter().map(|fact| &fact.params).collect();
    sets.dedup();
    sets
}

fn options(method: &[&str], params: &[String]) -> Vec<String> {
    method.iter().map(|option| option.to_string()).chain(params.iter().cloned()).collect()
}

/// Larger systems of processes are for the tests of their own crate.
const MOST_STATES: u64 = 70_000;

#[test]
fn every_method_finds_what_the_processes_say() {
    let models = models("csp");
    assert!(models.len() >= 3, "the models are gone");
    let methods: [&[&str]; 5] = [
        &["--progress=none"],
        &["--progress=components"],
        &["--progress=auto"],
        &["--progress=components", "--gc=50"],
        &["--progress=components", "--window=1"],
    ];
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for model in &models {
        let (process, facts) = header(&fs::read_to_string(model).unwrap());
        let is_large =
            |fact: &Fact| matches!(fact.what, Expected::Count("states", n) if n > MOST_STATES);
        let mut searched = false;
        for params in parameters(&facts) {
            let facts = || facts.iter().filter(|fact| fact.params == *params);
            if facts().any(is_large) {
                continue;
            }
            for method in methods {
                // To look for a measure takes seconds: once for each model.
                if method == ["--progress=auto"] && std::mem::replace(&mut searched, true) {
                    continue;
                }
                let process = format!("--process={process}");
                let report = check(model, &options(&[method, &[&*process]].concat(), params));
                let found = facts().filter_map(|fact| fact.mismatch(&report));
                let name = model.display();
                wrong.extend(found.map(|found| format!("{name} {method:?} {found}")));
                let report = check(model, &options(method, params));
                if report["verdict"] != "holds" || report["properties"] == Value::Array(vec![]) {
                    wrong.push(format!("{name} {method:?} {params:?}: {report}"));
                }
                checked += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked >= 30, "only {checked} runs");
}

#[test]
fn every_method_finds_what_the_models_say() {
    let models = models("cpnt");
    assert!(models.len() >= 3, "the models are gone");
    let mut wrong = Vec::new();
    for model in &models {
        let (progress, facts) = header(&fs::read_to_string(model).unwrap());
        let progress = format!("--progress={progress}");
        let methods: [&[&str]; 4] = [
            &["--progress=none"],
            &[&progress],
            &[&progress, "--gc=50"],
            &[&progress, "--window=1"],
        ];
        for method in methods {
            for params in parameters(&facts) {
                let options = options(&[method, &["--property=all"]].concat(), params);
                let report = check(model, &options);
                let facts = facts.iter().filter(|fact| fact.params == *params);
                let found = facts.filter_map(|fact| fact.mismatch(&report));
                wrong.extend(found.map(|found| format!("{} {method:?} {found}", model.display())));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn models_without_end_are_explored_to_the_end_by_cutting_off() {
    let models = models_in("endless", "cpnt");
    assert!(models.len() >= 2, "the models are gone");
    let mut wrong = Vec::new();
    for model in &models {
        let text = fs::read_to_string(model).unwrap();
        let (progress, facts) = header(&text);
        let said = |word: &str| said(&text, word);
        let progress = format!("--progress={progress}");
        let equivalence = format!("--equivalence={}", said("equivalence"));
        let cut_off = format!("--cut-off={}", said("cut-off"));
        for params in parameters(&facts) {
            let facts = facts.iter().filter(|fact| fact.params == *params);
            // With parameters there is an end, and the same is found by looking at everything.
            let method: &[&str] = match params.is_empty() {
                true => &[&progress, &equivalence, &cut_off, "--property=all"],
                false => &["--progress=none", "--property=all"],
            };
            let report = check(model, &options(method, params));
            assert_eq!(report["complete"], true, "{report}");
            let found = facts.filter_map(|fact| fact.mismatch(&report));
            wrong.extend(found.map(|found| format!("{} {method:?} {found}", model.display())));
        }
        // What is no predicate to cut off at is given up, and nothing is said to hold.
        let cut_off = format!("--cut-off={}", said("not-cut-off"));
        let method = [&*progress, &equivalence, &cut_off, "--patience=20", "--deadlock"];
        let report = check(model, &options(&method, &[]));
        assert_eq!((&report["stop"], &report["verdict"]), (&"patience".into(), &"unknown".into()));
        assert_eq!(report["classes"], 0, "{report}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn symmetric_models_have_the_same_answers_with_fewer_states() {
    let models = models_in("symmetric", "cpnt");
    assert!(models.len() >= 2, "the models are gone");
    let is_orbits = |fact: &&Fact| matches!(fact.what, Expected::Count("orbits", _));
    let mut wrong = Vec::new();
    for model in &models {
        let text = fs::read_to_string(model).unwrap();
        let (progress, facts) = header(&text);
        let equivalence = format!("--equivalence={}", said(&text, "equivalence"));
        let progress = if progress.is_empty() { "none".into() } else { progress };
        for params in parameters(&facts) {
            let facts = || facts.iter().filter(|fact| fact.params == *params);
            let progress = format!("--progress={progress}");
            let method = [&*equivalence, &progress, "--property=all"];
            let mut reduced = check(model, &options(&method, params));
            assert_eq!(reduced["complete"], true, "{reduced}");
            reduced["orbits"] = reduced["states"].take();
            let is_count = |fact: &&Fact| matches!(fact.what, Expected::Count(..));
            let found = facts().filter(|fact| is_orbits(fact) || !is_count(fact));
            let found = found.filter_map(|fact| fact.in_words(&reduced));
            wrong.extend(found.map(|found| format!("{} {method:?} {found}", model.display())));
            let is_large = |fact: &Fact| matches!(fact.what, Expected::Count("states", _));
            if facts().any(is_large) {
                let full = check(model, &options(&["--property=all"], params));
                let found = facts().filter(|fact| !is_orbits(fact));
                let found = found.filter_map(|fact| fact.in_words(&full));
                wrong.extend(found.map(|found| format!("{} {found}", model.display())));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_models_are_in_canonical_form() {
    let mut command = cargo_bin_cmd!("sweepline");
    command.args(["format", "--check"]).args(models("cpnt")).args(models_in("endless", "cpnt"));
    command.args(models_in("symmetric", "cpnt"));
    command.assert().success();
}

#[test]
fn the_window_does_not_grow_with_the_packets() {
    let model = models("cpnt").into_iter().find(|m| m.ends_with("stop-and-wait.cpnt")).unwrap();
    let peak = |packets: u32| {
        let param = format!("--param=packets={packets}");
        check(&model, &["--progress=received".into(), "--property=all".into(), param])["peak_states"].as_u64().unwrap()
    };
    assert_eq!(peak(20), peak(200));
}
