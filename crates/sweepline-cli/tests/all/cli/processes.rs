//! Processes in CSPm and LTSs from the command line.

use std::path::PathBuf;

use super::{json, run, sweepline};

/// A script with something of everything that can be asserted.
const ASSERTS: &str = "\
channel a, b, c
AB = a -> b -> AB
BAD = (a -> b -> a -> c -> STOP) \\ {b}
CYCLE = a -> b -> c -> CYCLE
HIDDEN = CYCLE \\ {b, c}
LOOP = b -> c -> LOOP
LOST = a -> (LOOP \\ {b, c})
A = a -> A
assert A [T= BAD
assert not A [T= BAD
assert A [T= HIDDEN
assert BAD :[deadlock free]
assert a -> SKIP :[deadlock free]
assert HIDDEN :[divergence free]
assert LOST :[divergence free]
assert A [F= A
assert A :[deterministic]
assert A [R= A
";

/// A file in a folder of its own.
fn file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn seed(name: &str) -> String {
    format!("{}/../../models/seeds/{name}.csp", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_assertion_is_decided_or_said_not_to_be() {
    let (_folder, script) = file("all.csp", ASSERTS);
    for progress in ["none", "components"] {
        let (status, report) = json(&["check", &script, "--progress", progress]);
        let properties = report["properties"].as_array().unwrap();
        let found: Vec<_> = properties
            .iter()
            .map(|p| (p["kind"].as_str().unwrap(), p["verdict"].as_str().unwrap()))
            .collect();
        let expected = [
            ("refines", "violated"),
            ("refines", "holds"),
            ("refines", "holds"),
            ("deadlock", "violated"),
            ("deadlock", "holds"),
            ("divergence", "holds"),
            ("divergence", "violated"),
            ("refines", "holds"),
            ("determinism", "holds"),
            ("refines", "unknown"),
        ];
        assert_eq!(found, expected, "--progress {progress}");
        assert_eq!((status, report["verdict"].as_str()), (1, Some("violated")));
        assert_eq!(properties[0]["trace"], serde_json::json!(["a", "a", "c"]));
        assert_eq!(properties[0]["witness_length"], 4);
        assert_eq!(properties[6]["trace"], serde_json::json!(["a"]));
        assert_eq!(properties[9]["reason"], "unsupported");
    }
}

#[test]
fn assertions_are_chosen_by_number_or_text_and_the_rest_is_not_explored() {
    let (_folder, script) = file("all.csp", ASSERTS);
    let (status, report) =
        json(&["check", &script, "--property", "3", "--property", "HIDDEN  :[divergence free]"]);
    let names: Vec<_> =
        report["properties"].as_array().unwrap().iter().map(|p| &p["name"]).collect();
    assert_eq!(names, ["A [T= HIDDEN", "HIDDEN :[divergence free]"]);
    assert_eq!((status, report["verdict"].as_str()), (0, Some("holds")));
    let (status, report) = json(&["check", &script, "--property", "3", "--property", "10"]);
    assert_eq!((status, report["verdict"].as_str()), (3, Some("unknown")));
    let (status, _, errors) = run(&["check", &script, "--property", "11"]);
    assert_eq!(status, 2);
    assert!(errors.contains("9  A :[deterministic]"), "{errors}");
}

#[test]
fn a_violated_refinement_shows_its_trace_and_its_steps() {
    let (folder, script) = file("all.csp", ASSERTS);
    let trace = folder.path().join("trace.json");
    let trace_option = format!("--trace={}", trace.display());
    let (status, text, _) = run(&["check", &script, "--property=1", &trace_option]);
    assert_eq!(status, 1);
    assert!(text.contains("violated  A [T= BAD  ("), "{text}");
    let shown =
        "steps:\n  after <a, a> the specification allows: a\n  the implementation does: c\n";
    assert!(text.contains(shown), "{text}");
    let (_, report) = json(&["check", &script, "--property=1"]);
    let row = &report["properties"][0];
    assert_eq!(row["allowed_events"], serde_json::json!(["a"]));
    assert_eq!(row["refused_event"], "c");
    assert_eq!(row["trace"], serde_json::json!(["a", "a", "c"]));
    let actions = |text: &str| -> Vec<String> {
        let step = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
        let numbered = |line: &&str| {
            line.starts_with("  ") && line.trim().starts_with(|c: char| c.is_ascii_digit())
        };
        text.lines().filter(numbered).skip(1).filter_map(step).collect()
    };
    assert_eq!(actions(&text), ["a", "τ", "a", "c"]);
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(trace).unwrap()).unwrap();
    assert_eq!(written["witnesses"][0]["length"], 4);
}

#[test]
fn a_specification_that_allows_nothing_says_so() {
    let text = "channel a, b\nS = a -> STOP\nP = a -> b -> P\nassert S [T= P\nassert STOP [T= P\n";
    let (_folder, script) = file("stop.csp", text);
    let (status, text, _) = run(&["check", &script]);
    assert_eq!(status, 1);
    assert!(text.contains("  after <a> the specification allows: nothing\n"), "{text}");
    assert!(text.contains("  the implementation does: b\n"), "{text}");
    assert!(text.contains("  after <> the specification allows: nothing\n"), "{text}");
}

#[test]
fn limits_leave_assertions_open() {
    let (status, report) = json(&["check", &seed("two-phase-commit"), "--state-limit", "10"]);
    assert_eq!((status, report["verdict"].as_str()), (3, Some("unknown")));
    assert_eq!(report["stop"], "state-limit");
    assert_eq!(report["properties"][0]["reason"], "state-limit");
    let (status, _, errors) = run(&["check", &seed("two-phase-commit"), "--checkpoint", "x"]);
    assert_eq!(status, 2);
    assert!(errors.contains("--process"), "{errors}");
}

#[test]
fn divergence_is_found_only_where_it_is_reachable() {
    let text = |start: &str| {
        format!(
            "channel a, b\nL = b -> L\nP = a -> (L \\ {{b}})\nS = {start}\nassert S :[divergence free]\n"
        )
    };
    for (start, expected) in [
        ("P", "violated"),
        ("P [|{a}|] STOP", "holds"),
        ("L", "holds"),
        ("L \\ {b}", "violated"),
        ("P ||| P", "violated"),
    ] {
        let (_folder, script) = file("d.csp", &text(start));
        let (_, report) = json(&["check", &script]);
        assert_eq!(report["properties"][0]["verdict"], expected, "{start}");
    }
}

#[test]
fn mistakes_have_a_place() {
    for (name, text, options, place) in [
        (
            "infinite.csp",
            "channel a : Int\nP = a?x -> P\n",
            &["--process=P"][..],
            "infinite.csp:2:5",
        ),
        ("set.csp", "channel a\nP = a -> P\nQ = P [|{b}|] P\n", &["--process=Q"], "set.csp:3:10"),
        ("cut.aut", "des (0,3,3)\n(0,a,1)\n(1,b", &[], "cut.aut:3:5"),
        (
            "asserts.csp",
            "channel a\nassert P :[deadlock free]\nP = a -> Q\n",
            &[],
            "asserts.csp:3:10",
        ),
        ("unknown.csp", "channel a\nP = a -> P\n", &["--process=NOPE"], "NOPE:1:1"),
        (
            "param.csp",
            "channel a\nP = a -> P\n",
            &["--process=P", "--param=N=3"],
            "the script has no constant `N`",
        ),
    ] {
        let (_folder, path) = file(name, text);
        let (status, stdout, stderr) = run(&[&["check", &path], options].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{name}");
        let flat: String = stderr.split(['\n', '│', ' ']).collect();
        let place: String = place.split(' ').collect();
        assert!(flat.contains(&place), "{name}: {stderr}");
    }
}

#[test]
fn a_component_without_end_is_refused_at_its_place() {
    let (_folder, path) =
        file("grows.csp", "channel a\nP(n) = a -> P(n + 1)\nassert P(0) :[deadlock free]\n");
    let (status, _, stderr) = run(&["check", &path]);
    assert_eq!(status, 2, "{stderr}");
    let flat: String = stderr.split(['\n', '│', ' ']).collect();
    assert!(flat.contains("grows.csp:2:8"), "{stderr}");
}

#[test]
fn components_are_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("parts").to_str().unwrap().to_owned();
    let (status, text, _) =
        run(&["compile", &seed("two-phase-commit"), "--param=N=2", "--output", &out]);
    assert_eq!(status, 0);
    assert_eq!(text.lines().count(), 3, "{text}");
    let voter = format!("{out}/VOTER_2.aut");
    assert!(text.contains(&format!("{voter}: VOTER(2), 9 states")), "{text}");
    assert_eq!(json(&["check", &voter]).1["states"], 9);
    let (status, _, errors) =
        run(&["compile", &seed("two-phase-commit"), "--output", &format!("{out}.aut")]);
    assert_eq!(status, 2);
    assert!(errors.contains("name a folder"), "{errors}");
}

#[test]
fn a_product_that_is_written_and_read_has_the_same_counts() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("product.aut").to_str().unwrap().to_owned();
    let model = seed("two-phase-commit");
    let (status, _, errors) = run(&["graph", &model, "--param=N=4", "--output", &out]);
    assert_eq!(status, 0, "{errors}");
    let (_, read) = json(&["check", &out]);
    let (_, explored) = json(&["check", &model, "--param=N=4", "--process=SYSTEM"]);
    for field in ["states", "edges", "dead"] {
        assert_eq!(read[field], explored[field], "{field}");
    }
    assert_eq!(read["states"], 880);
}

#[test]
fn processes_are_described_and_run() {
    let model = seed("two-phase-commit");
    let (_, info) = json(&["info", &model, "--param=N=3"]);
    let names: Vec<_> = info["components"].as_array().unwrap().iter().map(|c| &c["name"]).collect();
    assert_eq!(names, ["COORDINATOR", "VOTER(1)", "VOTER(2)", "VOTER(3)"]);
    assert_eq!(info["components"][1]["states"], 9);
    let (status, text, _) = run(&["simulate", &model, "--param=N=3", "--seed=1", "--steps=3"]);
    assert_eq!(status, 0);
    assert!(text.contains("1  request"), "{text}");
    let (status, _, errors) = run(&["convert", &model, "x.aut"]);
    assert_eq!(status, 2);
    assert!(errors.contains("graph"), "{errors}");
}

/// Files of the corpus have the counts that are known of them, also when they are swept.
#[test]
fn files_of_the_corpus_have_their_counts() {
    let Some(corpus) = sweepline_testkit::corpus("aut", "MANIFEST.tsv") else { return };
    let manifest = std::fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let known = |answers: &str, key: &str| -> Option<u64> {
        let rest = answers.split_once(&format!("{key}="))?.1;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let mut checked = 0;
    for line in manifest.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let (path, answers): (PathBuf, &str) = (corpus.join(fields[1]), fields[7]);
        let small = fields[6].parse::<u64>().is_ok_and(|bytes| bytes < 300_000);
        // Not all states of a file need be reachable: only what was recounted by its publishers is.
        if !small || fields[0] != "vlts" {
            continue;
        }
        for progress in ["none", "components"] {
            let mut command = sweepline(&["check", path.to_str().unwrap(), "--json"]);
            let output = command.args(["--deadlock", "--progress", progress]).output().unwrap();
            let report: serde_json::Value = serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|error| panic!("{}: {error}: {output:?}", path.display()));
            let dead = known(answers, "deadlock_states").unwrap();
            let verdict = if dead == 0 { "holds" } else { "violated" };
            assert_eq!(report["verdict"], verdict, "{}", path.display());
            if dead == 0 && !report["states"].is_null() {
                assert_eq!(
                    report["states"].as_u64(),
                    known(answers, "states"),
                    "{}",
                    path.display()
                );
                assert_eq!(report["edges"].as_u64(), known(answers, "edges"), "{}", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked >= 6, "only {checked} runs");
}

/// Assertions in the failures models, each with its verdict and what its counterexample shows.
const FAILURES: &str = "\
channel a, b, c
AB = a -> b -> AB
STUCK = a -> (b -> STUCK |~| STOP)
assert AB [F= STUCK
assert AB [FD= AB \\ {b}
assert a -> (b -> STOP |~| c -> STOP) [F= a -> STOP
assert a -> STOP [FD= AB \\ {a, b}
assert a -> STOP [F= DIV
assert STUCK :[deterministic]
assert a -> STOP [] a -> b -> STOP :[deterministic [F]]
assert AB \\ {a, b} :[deterministic]
assert AB \\ {a, b} :[deterministic [F]]
assert AB \\ {a, b} :[deadlock free]
assert AB \\ {a, b} :[deadlock free [F]]
assert STUCK :[has trace]: <a, b, a>
assert not STUCK :[has trace [T]]: <a, a>
assert AB [T= AB :[tau priority]: {a}
";

#[test]
fn failures_and_divergences_are_decided_and_shown() {
    let (_folder, script) = file("failures.csp", FAILURES);
    for options in [&["--progress", "none"][..], &["--progress", "components"], &["--threads", "2"]]
    {
        let (status, report) = json(&[&["check", &script], options].concat());
        assert_eq!(status, 1);
        let rows = report["properties"].as_array().unwrap();
        let verdicts: Vec<_> = rows.iter().map(|row| row["verdict"].as_str().unwrap()).collect();
        let expected = "violated violated violated violated holds violated violated violated unknown violated \
                        holds holds holds unknown";
        assert_eq!(verdicts.join(" "), expected, "{options:?}");
        let fields = |row: usize, names: &[&str]| -> Vec<serde_json::Value> {
            names.iter().map(|name| rows[row][name].clone()).collect()
        };
        let sets = serde_json::json!([["a"], [], ["b"], [["b"]]]);
        assert_eq!(
            serde_json::json!(fields(0, &["trace", "offered", "refusal", "acceptances"])),
            sets
        );
        let sets = serde_json::json!([["a"], [], ["b", "c"], [["b"], ["c"]]]);
        assert_eq!(
            serde_json::json!(fields(2, &["trace", "offered", "refusal", "acceptances"])),
            sets
        );
        assert_eq!(fields(3, &["diverges"]), [true]);
        assert_eq!(fields(5, &["nondeterministic_event"]), ["b"]);
        assert_eq!(fields(7, &["diverges"]), [true]);
        assert_eq!(fields(9, &["diverges"]), [true]);
        assert_eq!(rows[11]["trace"], serde_json::json!(["a", "b", "a"]));
    }
    let (_, text, _) = run(&["check", &script]);
    for line in [
        "  after <a> the implementation accepts: nothing\n  the implementation refuses: {b}\n  \
         the specification requires the events of {b}\n",
        "  the specification requires the events of one of: {b}, {c}\n",
        "  after <> the process diverges\n",
        "  after <a> the process can do b and can refuse b\n",
        "`tau priority` is not decided (line 17)",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Each assertion of the scripts in `models/csp` has the verdict that stands before it, in every way of exploring.
#[test]
fn scripts_of_the_course_have_the_expected_verdicts() {
    let folder = format!("{}/../../models/csp", env!("CARGO_MANIFEST_DIR"));
    let mut n_scripts = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = text.lines().filter_map(|line| line.strip_prefix("-- expect: "));
        let expected: Vec<_> = expected.collect();
        n_scripts += 1;
        for options in [
            &["--progress", "none"][..],
            &["--progress", "components"],
            &["--progress", "components", "--threads", "2"],
            &["--witness", "off"],
        ] {
            let (_, report) = json(&[&["check", path.to_str().unwrap()], options].concat());
            let rows = report["properties"].as_array().unwrap();
            let found: Vec<_> = rows.iter().map(|row| row["verdict"].as_str().unwrap()).collect();
            assert_eq!(found, expected, "{} {options:?}", path.display());
        }
    }
    assert_eq!(n_scripts, 4);
}
