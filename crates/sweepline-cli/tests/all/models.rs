//! Every example model says in its header what is true of it; every method must find the same.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// The facts of a header, in the words of `models/README.md`.
#[derive(Default, Debug)]
struct Facts {
    counts: Vec<(String, u64)>,
    progress: String,
    properties: Vec<Expected>,
    infinite: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Expected {
    Verdict { kind: &'static str, expr: String, verdict: String },
    Bound { expr: String, range: [i64; 2] },
}

impl Facts {
    fn of(text: &str) -> Self {
        let mut facts = Facts::default();
        for line in text.lines().filter_map(|line| line.strip_prefix("expect: ")) {
            facts.add(line.trim());
        }
        facts
    }

    fn add(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "states" | "edges" | "dead" | "max-tokens" => {
                self.counts.push((word.into(), rest.parse().expect("a count")));
            }
            "progress" => self.progress = rest.into(),
            "unknown" => self.infinite = true,
            "deadlock" => self.verdict("deadlock", "deadlock", rest),
            "never" | "reach" => {
                let kind = if word == "never" { "never" } else { "reach" };
                let (expr, verdict) = quoted(rest);
                self.verdict(kind, expr, verdict);
            }
            "bound" => {
                let (expr, range) = quoted(rest);
                let ends: Vec<i64> =
                    range.split(' ').map(|n| n.parse().expect("a bound")).collect();
                let range = ends.try_into().expect("two bounds");
                self.properties.push(Expected::Bound { expr: expr.into(), range });
            }
            other => panic!("no such expectation: `{other}`"),
        }
    }

    fn verdict(&mut self, kind: &'static str, expr: &str, verdict: &str) {
        assert!(["holds", "violated", "unknown"].contains(&verdict), "no verdict: `{verdict}`");
        let (expr, verdict) = (expr.into(), verdict.into());
        self.properties.push(Expected::Verdict { kind, expr, verdict });
    }

    /// The same without the numbers of states and edges: a reduction has others.
    fn without_counts(&self) -> Facts {
        let kept = |what: &&(String, u64)| what.0 == "dead";
        let counts = self.counts.iter().filter(kept).cloned().collect();
        let (progress, properties) = (self.progress.clone(), self.properties.clone());
        Facts { counts, progress, properties, infinite: self.infinite }
    }

    /// The questions as arguments. The contest asks nothing of coloured nets.
    fn questions(&self, model: &Path) -> Vec<String> {
        let mut args = Vec::new();
        if !is_coloured(model) && self.counts.iter().any(|(what, _)| what == "states") {
            args.push("--examination=StateSpace".to_owned());
        }
        for property in &self.properties {
            args.push(match property {
                Expected::Verdict { kind: "deadlock", .. } => "--deadlock".into(),
                Expected::Verdict { kind, expr, .. } => format!("--{kind}={expr}"),
                Expected::Bound { expr, .. } => format!("--bound={expr}"),
            });
        }
        if self.infinite {
            args.push("--state-limit=1000".into());
        }
        args
    }

    /// What a report gets wrong.
    fn mismatches(&self, report: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut expect = |what: &str, expected: Value, found: &Value| {
            if *found != expected {
                wrong.push(format!("{what}: expected {expected}, found {found}"));
            }
        };
        let stop = if self.infinite { Value::from("state-limit") } else { Value::Null };
        expect("stop", stop, &report["stop"]);
        for (what, count) in &self.counts {
            match what.as_str() {
                "max-tokens" => expect(what, (*count).into(), &report["max_tokens_in_place"]),
                // Where states are visited again there is no telling how many there are.
                _ if report["states"].is_null() => {}
                _ => expect(what, (*count).into(), &report[what]),
            }
        }
        for property in &self.properties {
            match property {
                Expected::Verdict { kind, expr, verdict } => {
                    let found = find(report, kind, expr);
                    expect(expr, verdict.as_str().into(), &found["verdict"]);
                    let shown = matches!(
                        (*kind, verdict.as_str()),
                        ("never" | "deadlock", "violated") | ("reach", "holds")
                    );
                    let has_witness = found["witness_length"].is_u64();
                    expect(&format!("witness of {expr}"), shown.into(), &has_witness.into());
                }
                Expected::Bound { expr, range } => {
                    expect(expr, range.to_vec().into(), &find(report, "bound", expr)["value"]);
                }
            }
        }
        wrong
    }
}

fn quoted(text: &str) -> (&str, &str) {
    let inner = text.strip_prefix('"').expect("an expression in quotes");
    let (expr, rest) = inner.split_once('"').expect("an expression in quotes");
    (expr, rest.trim())
}

fn find<'r>(report: &'r Value, kind: &str, name: &str) -> &'r Value {
    let properties = report["properties"].as_array().expect("properties");
    let found = properties.iter().find(|p| p["kind"] == kind && p["name"] == name);
    found.unwrap_or_else(|| panic!("`{kind} {name}` is not in the report"))
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = fs::read_dir(folder).expect("the models").map(|entry| entry.unwrap().path());
    let mut models: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|e| e == "pnml" || e == "cpn")).collect();
    models.sort();
    models
}

fn is_coloured(model: &Path) -> bool {
    model.extension().is_some_and(|extension| extension == "cpn")
}

fn check(model: &Path, facts: &Facts, options: &[&str]) -> Value {
    let mut command = cargo_bin_cmd!("sweepline");
    command.arg("check").arg(model).arg("--json").args(facts.questions(model)).args(options);
    let output = command.output().expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{} {options:?}: {error}\n{errors}", model.display()))
}

#[test]
fn every_method_finds_what_the_models_say() {
    let models = models();
    assert!(models.len() >= 11, "the models are gone");
    let mut wrong = Vec::new();
    for model in &models {
        let facts = Facts::of(&fs::read_to_string(model).unwrap());
        let progress = format!("--progress={}", facts.progress);
        let progress = progress.as_str();
        for options in [
            &["--no-structural"][..],
            &[progress],
            &[progress, "--window=2"],
            &[progress, "--gc=50"],
            &[progress, "--witness=recompute"],
            &["--witness=recompute", "--no-structural"],
            &["--progress=auto"],
            &["--method=cache", "--cache=5000"],
            &["--method=cache", "--cache=5000", "--cache-policy=strata", "--witness=recompute"],
        ] {
            let report = check(model, &facts, options);
            let mismatches = facts.mismatches(&report);
            wrong.extend(mismatches.iter().map(|m| format!("{} {options:?} {m}", model.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_reduction_finds_what_the_models_say() {
    let mut wrong = Vec::new();
    for model in &models() {
        let facts = Facts::of(&fs::read_to_string(model).unwrap()).without_counts();
        if facts.infinite {
            continue;
        }
        let progress = format!("--progress={}", facts.progress);
        let progress = progress.as_str();
        for options in [
            &["--reduce=auto", "--dead-states=9"][..],
            &["--stubborn", progress, "--dead-states=9"],
            &["--sleep", progress, "--window=2", "--dead-states=9"],
            &["--sleep=exact", "--witness=recompute", "--dead-states=9"],
            &["--stubborn", "--sleep=exact", "--progress=auto", "--witness=recompute"],
        ] {
            // `--dead-states` lets no run end before the last of them is found.
            let whole = options.contains(&"--dead-states=9");
            let mut facts = facts.without_counts();
            facts.counts.retain(|_| whole);
            let mismatches = facts.mismatches(&check(model, &facts, options));
            wrong.extend(mismatches.iter().map(|m| format!("{} {options:?} {m}", model.display())));
        }
        // One question at a time leaves more out.
        for property in facts.properties.clone() {
            let one = Facts { properties: vec![property], ..Facts::default() };
            let mismatches = one.mismatches(&check(model, &one, &["--reduce=auto"]));
            wrong.extend(mismatches.iter().map(|m| format!("{} alone {m}", model.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_expectations_are_noticed() {
    let model = models().into_iter().find(|m| m.ends_with("mutex-broken.pnml")).unwrap();
    let text = fs::read_to_string(&model).unwrap();
    for (right, wrong) in [
        ("states 9", "states 10"),
        ("edges 16", "edges 15"),
        ("dead 0", "dead 1"),
        ("max-tokens 1", "max-tokens 2"),
        ("deadlock holds", "deadlock violated"),
        ("> 1\" violated", "> 1\" holds"),
        (">= 2\" holds", ">= 2\" violated"),
        ("\" 0 2", "\" 0 3"),
        ("deadlock holds", "unknown"),
    ] {
        assert!(text.contains(right), "{right}");
        let facts = Facts::of(&text.replacen(right, wrong, 1));
        let report = check(&model, &facts, &[]);
        assert!(!facts.mismatches(&report).is_empty(), "{wrong} was not noticed");
    }
    let facts = Facts::of(&text);
    assert_eq!(facts.mismatches(&check(&model, &facts, &[])), [""; 0]);
}

#[test]
fn wrong_expectations_of_coloured_nets_are_noticed() {
    let model = models().into_iter().find(|m| m.ends_with("timed.cpn")).unwrap();
    let text = fs::read_to_string(&model).unwrap();
    for (right, wrong) in [
        ("states 34", "states 35"),
        ("edges 41", "edges 40"),
        ("dead 3", "dead 2"),
        ("deadlock violated", "deadlock holds"),
        ("> 2\" holds", "> 2\" violated"),
        ("< 8\" violated", "< 8\" holds"),
        ("Done\" 0 4", "Done\" 1 4"),
    ] {
        assert!(text.contains(right), "{right}");
        let facts = Facts::of(&text.replacen(right, wrong, 1));
        let report = check(&model, &facts, &["--progress=none"]);
        assert!(!facts.mismatches(&report).is_empty(), "{wrong} was not noticed");
    }
}

#[test]
fn a_monotone_measure_holds_fewer_states() {
    let model = models().into_iter().find(|m| m.ends_with("stop-and-wait.pnml")).unwrap();
    let facts = Facts::of(&fs::read_to_string(&model).unwrap());
    let peak = |options: &[&str]| check(&model, &facts, options)["peak_states"].as_u64().unwrap();
    let progress = format!("--progress={}", facts.progress);
    let (full, swept, windowed) = (peak(&[]), peak(&[&progress]), peak(&[&progress, "--window=2"]));
    assert_eq!(full, 1080);
    assert!(swept < 50 && swept < windowed && windowed < 150, "{swept} {windowed}");
}
