//! What `check` writes for CI systems, several models in one command, and the forms of its output.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use boon::{Compiler, SchemaIndex, Schemas};
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use tempfile::TempDir;

use super::{json, model, philosophers, run};

static SCHEMA: LazyLock<(Schemas, SchemaIndex)> = LazyLock::new(|| {
    let text = include_str!("../../../../../book/src/check.schema.json");
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("check.json", serde_json::from_str(text).unwrap()).unwrap();
    let index = compiler.compile("check.json", &mut schemas).unwrap();
    (schemas, index)
});

/// The object follows the schema in the book.
#[track_caller]
pub(super) fn follows_schema(object: &Value) {
    let (schemas, index) = &*SCHEMA;
    if let Err(error) = schemas.validate(object, *index) {
        panic!("{error:#}\n{object:#}");
    }
}

#[test]
fn the_schema_rejects_what_it_does_not_list() {
    let (_, mut report) = json(&["check", &model("mutex-broken"), "--deadlock"]);
    report["properties"][0]["verdict"] = "perhaps".into();
    let (schemas, index) = &*SCHEMA;
    assert!(schemas.validate(&report, *index).is_err());
    report["properties"][0]["verdict"] = "holds".into();
    assert!(schemas.validate(&report, *index).is_ok());
    report["colour"] = "green".into();
    assert!(schemas.validate(&report, *index).is_err());
}

/// A folder for files, and the names of files in it.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Files(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}

/// The rules of SARIF 2.1.0 for what the file has; its results.
fn sarif(file: &str) -> Vec<Value> {
    let log: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "sweepline");
    let ids = |list: &Value, key: &str| -> Vec<String> {
        let all = list.as_array().unwrap().iter();
        all.map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    let rules: BTreeSet<String> = ids(&run["tool"]["driver"]["rules"], "id").into_iter().collect();
    let used: BTreeSet<String> = ids(&run["results"], "ruleId").into_iter().collect();
    assert_eq!(rules, used);
    let results = run["results"].as_array().unwrap().clone();
    for result in &results {
        assert!(["error", "warning"].contains(&result["level"].as_str().unwrap()), "{result}");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.is_ascii() && !uri.contains(' '), "{uri}");
        assert!(place["region"].is_null() || place["region"]["startLine"].as_u64() >= Some(1));
    }
    results
}

/// The test suites of a file in JUnit's XML: their names, and of each test case its name and what became of it. The
/// counts of each suite must be those of its cases.
fn junit(file: &str) -> Vec<(String, Vec<(String, String)>)> {
    let text = fs::read_to_string(file).unwrap();
    let mut reader = Reader::from_str(&text);
    let mut suites: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let mut said: Vec<[usize; 3]> = Vec::new();
    loop {
        let event = reader.read_event().unwrap();
        let (Event::Start(element) | Event::Empty(element)) = &event else {
            if event == Event::Eof {
                break;
            } else {
                continue;
            };
        };
        let attribute = |name: &str| {
            let found = element.try_get_attribute(name).unwrap();
            let found = found.unwrap_or_else(|| panic!("{name} in {text}"));
            found.unescape_value().unwrap().into_owned()
        };
        match element.name().as_ref() {
            b"testsuites" => assert_eq!(attribute("name"), "sweepline"),
            b"testsuite" => {
                let number = |name: &str| attribute(name).parse().unwrap();
                said.push(["tests", "failures", "errors"].map(number));
                suites.push((attribute("name"), Vec::new()));
            }
            b"testcase" => {
                assert!(!attribute("classname").is_empty());
                suites.last_mut().unwrap().1.push((attribute("name"), "passed".into()));
            }
            kind @ (b"failure" | b"error") => {
                assert!(!attribute("message").is_empty() && !attribute("type").is_empty());
                let became = String::from_utf8(kind.to_vec()).unwrap();
                suites.last_mut().unwrap().1.last_mut().unwrap().1 = became;
            }
            other => panic!("{other:?}"),
        }
    }
    for ((_, cases), said) in suites.iter().zip(said) {
        let count = |what: &str| cases.iter().filter(|(_, became)| became == what).count();
        assert_eq!(said, [cases.len(), count("failure"), count("error")]);
    }
    suites
}

#[test]
fn violated_properties_are_in_both_files_with_their_counterexamples() {
    let files = Files::new();
    let (tests, findings) = (files.path("tests.xml"), files.path("findings.sarif"));
    let net = model("mutex-broken");
    let both = "inside_1 + inside_2 >= 2";
    let check = ["check", &net, "--never", both, "--deadlock", "--reach", "inside_1 = 1"];
    let (status, quiet, _) =
        run(&[&check[..], &["--junit", &tests, "--sarif", &findings, "-q"]].concat());
    assert_eq!(status, 1);
    assert_eq!(quiet.lines().count(), 3, "{quiet}");
    let cases = &junit(&tests)[0].1;
    let became: Vec<&str> = cases.iter().map(|(_, became)| became.as_str()).collect();
    assert_eq!(became, ["passed", "failure", "passed"]);
    assert_eq!(cases[1].0, format!("never {both}"));
    let text = fs::read_to_string(&tests).unwrap();
    assert!(text.contains("  4  enter_2  looked_2 1 -&gt; 0"), "{text}");
    let results = sarif(&findings);
    assert_eq!((results.len(), &results[0]["ruleId"]), (1, &"never".into()));
    let steps = results[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let (_, report) = json(&[&check[..], &["--full-trace"]].concat());
    let run = &report["properties"][1];
    assert_eq!(steps.len() as u64, run["witness_length"].as_u64().unwrap());
    for (step, data) in steps.iter().zip(run["steps"].as_array().unwrap()) {
        let text = step["location"]["message"]["text"].as_str().unwrap();
        assert!(text.starts_with(data["action"].as_str().unwrap()), "{text}");
    }
}

#[test]
fn counterexamples_are_in_the_json_on_request() {
    let files = Files::new();
    let trace = files.path("trace.json");
    for check in [
        vec!["check".to_owned(), model("philosophers"), "--deadlock".into()],
        vec!["check".to_owned(), super::seed("stop-and-wait"), "--never=hd Received > 2".into()],
        vec!["check".to_owned(), csp("philosophers")],
    ] {
        let check: Vec<&str> = check.iter().map(String::as_str).collect();
        let (_, report) = json(&[&check[..], &["--full-trace", "--trace", &trace]].concat());
        let written: Value = serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap();
        let properties = report["properties"].as_array().unwrap();
        let shown: Vec<&Value> =
            properties.iter().filter(|row| row.get("steps").is_some()).collect();
        let witnesses = written["witnesses"].as_array().unwrap();
        assert!(!shown.is_empty() && shown.len() == witnesses.len(), "{check:?}");
        for (row, witness) in shown.iter().zip(witnesses) {
            assert_eq!((&row["steps"], &row["initial"]), (&witness["steps"], &witness["initial"]));
        }
        let (_, short) = json(&check);
        assert!(short["properties"][0].get("steps").is_none());
    }
}

fn csp(name: &str) -> String {
    format!("{}/../../models/csp/{name}.csp", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn places_in_files_are_those_of_the_author() {
    let files = Files::new();
    let findings = files.path("findings.sarif");
    let line = |result: &Value| {
        result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap() as usize
    };
    // A declared property, and an assertion.
    let text = fs::read_to_string(super::seed("stop-and-wait")).unwrap();
    let text = format!("{text}\nproperty early: never hd Received > 2\n");
    let broken = files.write("early.cpnt", &text);
    assert_eq!(run(&["check", &broken, "--sarif", &findings]).0, 1);
    let results = sarif(&findings);
    let declared = text.lines().position(|line| line.starts_with("property early")).unwrap() + 1;
    let found = results.iter().find(|r| r["partialFingerprints"]["property/v1"] == "never:early");
    assert_eq!(line(found.unwrap()), declared);
    let script = "channel a\nP = a -> STOP\n\nassert P :[deadlock free]\n";
    let script = files.write("script.csp", script);
    assert_eq!(run(&["check", &script, "--sarif", &findings]).0, 1);
    assert_eq!(line(&sarif(&findings)[0]), 4);
    // Errors in a model: all of them, each with its line.
    let script = files
        .write("wrong.csp", "channel a\nP = 1 + true\nQ = a -> R\nassert P :[deadlock free]\n");
    let tests = files.path("tests.xml");
    assert_eq!(run(&["check", &script, "--sarif", &findings, "--junit", &tests]).0, 2);
    let results = sarif(&findings);
    let lines: Vec<usize> = results.iter().map(line).collect();
    assert!(lines.contains(&2) || lines.contains(&3), "{results:?}");
    assert_eq!(junit(&tests)[0].1, [("check".to_owned(), "error".to_owned())]);
}

#[test]
fn a_limit_leaves_files_that_say_so() {
    let files = Files::new();
    let (tests, findings) = (files.path("tests.xml"), files.path("findings.sarif"));
    let net = files.write("net.pnml", &philosophers(20));
    let write = ["--junit", &tests, "--sarif", &findings];
    let check = ["check", &net, "--never", "eat0 + eat1 = 2", "--hunt", "off", "--no-structural"];
    for limit in ["--state-limit=100", "--time-limit=0.2s"] {
        assert_eq!(run(&[&check[..], &write, &[limit]].concat()).0, 3);
        assert_eq!(sarif(&findings)[0]["level"], "warning");
        assert_eq!(junit(&tests)[0].1[0].1, "error");
    }
}

#[test]
fn several_models_have_a_table_and_one_status() {
    let files = Files::new();
    let (tests, findings) = (files.path("tests.xml"), files.path("findings.sarif"));
    let missing = files.path("missing.pnml");
    let large = files.write("a <large> net.pnml", &philosophers(12));
    let (good, bad) = (model("kanban"), model("philosophers"));
    let limit = ["--state-limit", "5000", "--hunt", "off", "--no-structural"];
    let check = |models: &[&str]| {
        let write = ["--deadlock", "--junit", &tests, "--sarif", &findings];
        run(&[&["check"], models, &write, &limit].concat())
    };
    let statuses = [
        (vec![&*good, &good], 0),
        (vec![&*good, &large], 3),
        (vec![&*large, &bad, &good], 1),
        (vec![&*bad, &missing, &large], 2),
    ];
    for (models, status) in statuses {
        let (found, text, _) = check(&models);
        assert_eq!(found, status, "{text}");
        let table: Vec<&str> = text.lines().rev().take(models.len()).collect();
        for (row, model) in table.iter().rev().zip(&models) {
            assert!(row.contains(*model), "{text}");
        }
        let suites = junit(&tests);
        let names: Vec<&str> = suites.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, models);
        let open = suites.iter().flat_map(|(_, cases)| cases).filter(|(_, b)| b != "passed");
        assert_eq!(sarif(&findings).len(), open.count());
    }
    let (status, report) =
        json(&[&["check", &bad, &missing, &good, "--deadlock"], &limit[..]].concat());
    assert_eq!((status, &report["verdict"]), (2, &"error".into()));
    let models = report["models"].as_array().unwrap();
    let statuses: Vec<i64> = models.iter().map(|one| one["status"].as_i64().unwrap()).collect();
    assert_eq!(statuses, [1, 2, 0]);
    // What a model has on its own is the same.
    let (_, alone) = json(&[&["check", &good, "--deadlock"], &limit[..]].concat());
    assert_eq!(models[2]["result"]["properties"], alone["properties"]);
    assert_eq!(models[2]["result"]["states"], alone["states"]);
    let (status, _, message) = run(&["check", &good, &bad, "--trace", &tests]);
    assert!(status == 2 && message.contains("several models"), "{message}");
}

#[test]
fn none_of_the_properties_of_a_file_are_checked_on_request() {
    let ask = ["check", &model("mutex-broken"), "--deadlock", "--property", "none"];
    let (status, report) = json(&ask);
    assert_eq!((status, report["properties"].as_array().unwrap().len()), (0, 1));
}

#[test]
fn the_contest_reads_answers() {
    let net = model("kanban");
    let ask = ["--examination=StateSpace", "--examination=OneSafe"];
    let (status, text, _) = run(&[&["check", &net, "--mcc", "--threads=1"], &ask[..]].concat());
    assert_eq!(status, 1, "{text}");
    let lines: BTreeSet<&str> = text.lines().collect();
    for line in [
        "STATE_SPACE STATES 4600 TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING",
        "FORMULA OneSafe FALSE TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING",
    ] {
        assert!(lines.contains(line), "{line}: {text}");
    }
    let (status, text, _) =
        run(&["check", &net, "--mcc", "--examination=StateSpace", "--state-limit=5"]);
    assert_eq!((status, text.as_str()), (3, "CANNOT_COMPUTE\n"));
}

#[test]
fn colours_are_a_choice() {
    let coloured = |args: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("sweepline"));
        let output = command.env_remove("NO_COLOR").args(args).output().unwrap();
        [output.stdout, output.stderr].map(|text| text.contains(&0x1b))
    };
    let net = model("mutex-broken");
    for (colour, is) in [("always", true), ("never", false), ("auto", false)] {
        assert_eq!(coloured(&["--color", colour, "check", &net, "--deadlock"])[0], is, "{colour}");
        let wrong = ["check", &net, "--never", "inside_3 > 1", "--color", colour];
        assert_eq!(coloured(&wrong)[1], is, "{colour}");
    }
}

/// The command of the action's step that checks, run as the action runs it.
#[test]
fn the_action_checks_models_and_leaves_both_files() {
    let action = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action.yml"));
    let action = action.unwrap();
    let step = action.split("- name: Check").nth(1).unwrap();
    let command = step.lines().find_map(|line| line.trim().strip_prefix("run: ")).unwrap();
    let files = Files::new();
    let binary = assert_cmd::cargo::cargo_bin!("sweepline");
    let folders =
        format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let run = |options: &str| {
        Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", command])
            .env("PATH", &folders)
            .env("MODELS", format!("{} {}", model("mutex-broken"), model("kanban")))
            .env("OPTIONS", options)
            .env("TIME_LIMIT", "10m")
            .env("MEMORY_LIMIT", "4G")
            .env("SARIF", files.path("out.sarif"))
            .env("JUNIT", files.path("out.xml"))
            .output()
            .unwrap()
    };
    assert!(run("--deadlock").status.success());
    assert_eq!(junit(&files.path("out.xml")).len(), 2);
    let violated = run("--deadlock --reach 'free_1 > 3 and $(touch x) = 1'");
    assert!(!violated.status.success());
    let violated = run("--reach 'deadlock'");
    assert!(!violated.status.success(), "{violated:?}");
    assert_eq!(sarif(&files.path("out.sarif")).len(), 2);
}
