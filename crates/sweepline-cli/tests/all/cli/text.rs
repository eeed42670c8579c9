//! Coloured nets in text form: asked by name, converted, formatted.

use std::fs;
use std::path::PathBuf;

use super::{json, run};

fn seed(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/seeds");
    folder.join(name).with_extension("cpnt").to_str().unwrap().to_owned()
}

#[test]
fn properties_and_measures_go_by_their_names() {
    let model = seed("stop-and-wait");
    let (status, report) = json(&["check", &model, "--progress=received", "--property=order"]);
    assert_eq!((status, &report["progress"]), (0, &"received".into()));
    assert_eq!(report["properties"].as_array().unwrap().len(), 1);
    let (status, _, stderr) = run(&["check", &model, "--property=ordr"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("no property `ordr`") && stderr.contains("delivered"), "{stderr}");
}

#[test]
fn conversion_keeps_the_state_space() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (drawn, text) = (path("model.cpn"), path("again.cpnt"));
    let (status, _, stderr) = run(&["convert", &seed("sliding-window"), &drawn]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(run(&["convert", &drawn, &text]).0, 0);
    for model in [&drawn, &text] {
        let (_, report) = json(&["check", model, "--progress=none"]);
        assert_eq!((&report["states"], &report["edges"]), (&2029.into(), &7941.into()));
        // The questions came along.
        let ask = |model: &str| json(&["check", model, "--method=sweep", "--property=all"]).1;
        let (asked, first) = (ask(model), ask(&seed("sliding-window")));
        assert_eq!(asked["progress"], "counter");
        assert_eq!(asked["properties"], first["properties"]);
        let facts = |model: &str| {
            let facts = json(&["info", model]).1;
            [facts["measures"].clone(), facts["properties"].clone(), facts["parameters"].clone()]
        };
        assert_eq!(facts(model), facts(&seed("sliding-window")));
    }
    assert_eq!(run(&["format", "--check", &text]), (0, String::new(), String::new()));
    let (status, _, stderr) = run(&["convert", &drawn, &path("model.pnml")]);
    assert_eq!(status, 2);
    assert!(stderr.contains("end in .cpn or .cpnt"), "{stderr}");
}

#[test]
fn info_lists_what_can_be_asked() {
    let (_, text, _) = run(&["info", &seed("stop-and-wait")]);
    for line in [
        "parameters      packets = 4",
        "measures        received: value Received",
        "properties      order: never value Received > value Sending",
        "                done: deadlock",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let (_, facts) = json(&["info", &seed("stop-and-wait")]);
    assert_eq!(facts["measures"][0]["progress"], "value Received");
    assert_eq!(facts["properties"][3]["kind"], "deadlock");
}

#[test]
fn a_sweep_takes_the_measure_that_the_file_names() {
    let (status, text, _) =
        run(&["check", &seed("stop-and-wait"), "--method=sweep", "--property=order"]);
    assert!(status == 0 && text.contains("the model declares the measure `received`"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.cpnt");
    let two =
        fs::read_to_string(seed("stop-and-wait")).unwrap() + "progress other: value Sending\n";
    fs::write(&file, two).unwrap();
    let name = file.to_str().unwrap();
    let (status, _, errors) = run(&["check", name, "--method=sweep"]);
    assert!(status == 2 && errors.contains("received, other"), "{errors}");
    assert_eq!(json(&["check", name, "--method=sweep", "--progress=other"]).1["progress"], "other");
}

#[test]
fn a_wrong_question_in_a_file_of_cpn_tools_is_shown_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("model.cpn");
    let name = drawn.to_str().unwrap();
    assert_eq!(run(&["convert", &seed("stop-and-wait"), name]).0, 0);
    let text = fs::read_to_string(&drawn).unwrap();
    let line = 1 + text.lines().position(|line| line.contains("property order:")).unwrap();
    for (right, wrong, what) in [
        ("order: never", "order: nevr", "`never`, `reach`, `bound`, `home`"),
        ("order: never value", "order: never valu", "valu"),
        ("property order:", "propety order:", "propety"),
        ("property ahead:", "property order:", "order"),
    ] {
        fs::write(&drawn, text.replacen(right, wrong, 1)).unwrap();
        let (status, _, errors) = run(&["check", name, "--property=all"]);
        assert_eq!(status, 2, "{wrong}: {errors}");
        let lines = [line, line + 1].map(|line| errors.contains(&format!("model.cpn:{line}:")));
        assert!(errors.contains(what) && lines.contains(&true), "{wrong}: {errors}");
    }
}

#[test]
fn files_are_formatted_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.cpnt");
    let name = file.to_str().unwrap();
    fs::write(&file, "colset U=unit;\npage A\n   place P:U=1`()\n").unwrap();
    let (status, stdout, _) = run(&["format", "--check", name]);
    assert_eq!((status, stdout.trim()), (1, name));
    assert_eq!(run(&["format", name]).0, 0);
    let wanted = "colset U=unit;\n\npage A\n  place P : U = 1`()\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), wanted);
    assert_eq!(run(&["format", "--check", name]).0, 0);
}

#[test]
fn mistakes_are_shown_where_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.cpnt");
    let name = file.to_str().unwrap();
    let text = "colset U = unit;\npage A\n  place P : U\nproperty p: never size P > \"a\"\n";
    fs::write(&file, text).unwrap();
    let (status, _, stderr) = run(&["check", name, "--property=p"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("model.cpnt:4:"), "{stderr}");
    fs::write(&file, "page A\n  plase P : U\n").unwrap();
    let (status, _, stderr) = run(&["info", name]);
    assert_eq!(status, 2);
    assert!(
        stderr.contains("SWL-CPN-0041") && stderr.contains("did you mean `place`?"),
        "{stderr}"
    );
}

/// Two that take turns, or not: what is asked of it goes in at the end.
const TURNS: &str = r#"colset U = unit;

page Turns
  place Idle : U = 1`()
  place Busy : U
  place Done : U

  transition "Take up"
    in Idle: ()
    out Busy: ()

  transition Drop
    in Busy: ()
    out Idle: ()

  transition Finish
    guard size_limit > 0
    in Busy: ()
    out Done: ()

  transition Again
    guard size_limit > 1
    in Done: ()
    out Idle: ()
"#;

fn turns(limit: u32, questions: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("turns.cpnt");
    fs::write(&file, format!("val size_limit = {limit};\n{TURNS}\n{questions}")).unwrap();
    let name = file.to_str().unwrap().to_owned();
    (folder, name)
}

/// A property, and the options that ask the same.
const SAME: [(&str, &[&str]); 17] = [
    ("home size Idle = 1", &["--home", "size Idle = 1"]),
    ("home size Done = 1", &["--home", "size Done = 1"]),
    ("reversible", &["--reversible"]),
    ("terminates", &["--terminates"]),
    ("deadlock", &["--deadlock"]),
    ("live \"Take up\"", &["--live", "Take_up"]),
    ("live Again", &["--live", "Again"]),
    ("live \"Turns'Finish 1\"", &["--live", "Finish"]),
    ("fair Drop", &["--fair", "Drop"]),
    ("fair \"Take up\"", &["--fair", "Turns'Take_up"]),
    ("ltl G F {size Idle = 1}", &["--ltl", "G F {size Idle = 1}"]),
    ("ltl\n  G (\"Take up\" ->\n  F Finish)", &["--ltl", "G (Take_up -> F Finish)"]),
    (
        "ltl weak-fair Finish\n  G (\"Take up\" (* begins *) -> F Finish)",
        &["--ltl", "G (Take_up -> F Finish)", "--weak-fair", "Finish"],
    ),
    (
        "ltl strong-fair Finish G (\"Take up\" -> F Finish)",
        &["--ltl", "G (Take_up -> F Finish)", "--strong-fair", "Finish"],
    ),
    (
        "ltl strong-fair \"Take up\" weak-fair Drop F {size Done = 1}",
        &["--ltl", "F {size Done = 1}", "--strong-fair", "Take_up", "--weak-fair", "Drop"],
    ),
    ("ctl AG EF {size Done = 1}", &["--ctl", "AG EF {size Done = 1}"]),
    ("ctl\n  EF (* at last *)\n  EG {size Done = 1}", &["--ctl", "EF EG {size Done = 1}"]),
];

/// What is said of a question, but for the name it goes by.
fn said(row: &serde_json::Value) -> serde_json::Value {
    let mut row = row.clone();
    row.as_object_mut().unwrap().remove("name");
    row
}

#[test]
fn a_property_is_answered_like_the_option_of_its_name() {
    let mut verdicts = std::collections::BTreeSet::new();
    for limit in 0..3 {
        let each = SAME.iter().enumerate();
        let lines: String = each.map(|(n, (text, _))| format!("property p{n}: {text}\n")).collect();
        let (_folder, model) = turns(limit, &lines);
        assert_eq!(run(&["format", &model]).0, 0, "{limit}");
        let (_, all) = json(&["check", &model, "--property=all"]);
        let (_, swept) = json(&["check", &model, "--property=all", "--progress=size Done"]);
        let (_, reported) = json(&["report", &model]);
        for (number, (text, options)) in SAME.iter().enumerate() {
            let name = format!("--property=p{number}");
            let (status, by_name) = json(&["check", &model, &name]);
            let (wanted, by_option) =
                json(&[&["check", &model, "--property=none"][..], options].concat());
            assert_eq!(status, wanted, "{limit}: {text}");
            let row = said(&by_option["properties"][0]);
            assert_eq!(said(&by_name["properties"][0]), row, "{limit}: {text}");
            assert_eq!(said(&all["properties"][number]), row, "{limit}: {text}");
            for other in [&swept, &reported] {
                let row = &other["properties"][number];
                assert_eq!(
                    row["verdict"], by_option["properties"][0]["verdict"],
                    "{limit}: {text}"
                );
            }
            let verdict = row["verdict"].as_str().unwrap().to_owned();
            verdicts.insert((text.split_whitespace().next().unwrap(), verdict));
        }
    }
    // Every kind was answered both ways.
    let kinds = ["home", "reversible", "deadlock", "live", "fair", "ltl", "ctl"];
    for answer in kinds.iter().flat_map(|kind| [(*kind, "holds"), (*kind, "violated")]) {
        assert!(verdicts.contains(&(answer.0, answer.1.to_owned())), "{answer:?}: {verdicts:?}");
    }
}

#[test]
fn all_wrong_properties_are_shown_where_they_stand() {
    let questions = "property a: live Nothing\nproperty b: ltl\n  weak-fair None\n  strong-fair\n\
                     property c: ltl G (Drop -> {size Idl = 1})\nproperty d: ctl AG EF\n\
                     property e: ctl AG Idle\nproperty f: home size Idle\nproperty g: ltl G Drp\n";
    let (_folder, model) = turns(1, questions);
    let first = 1 + fs::read_to_string(&model)
        .unwrap()
        .lines()
        .position(|l| l.starts_with("property a"))
        .unwrap();
    let (status, _, errors) = run(&["check", &model, "--property=all"]);
    assert_eq!(status, 2, "{errors}");
    let errors = errors.replace(['│', '|'], "").split_whitespace().collect::<Vec<_>>().join(" ");
    for (line, column, what) in [
        (0, 18, "there is no transition `Nothing`"),
        (2, 13, "there is no transition `None`"),
        (3, 14, "the name of a transition is missing"),
        (2, 3, "the formula is empty"),
        (4, 34, "`Idl`"),
        (5, 22, "the formula ends where an operand is missing"),
        (6, 20, "`{size Idle > 0}`"),
        (7, 18, "bool"),
        (8, 19, "there is no transition `Drp`"),
    ] {
        let place = format!("turns.cpnt:{}:{column}:", first + line);
        assert!(errors.contains(&place) && errors.contains(what), "{place} {what}\n{errors}");
    }
    // Formats and conversions need not know what a formula means.
    assert_eq!(run(&["format", &model]).0, 0);
    let (_, facts) = json(&["info", &model]);
    assert_eq!(facts["properties"][1]["expression"], "weak-fair None strong-fair");
}

#[test]
fn properties_survive_conversion_and_are_refused_where_their_options_are() {
    let questions = "property h: home size Idle = 1\nproperty l: live \"Take up\"\n\
                     property r: ltl\n  weak-fair \"Take up\"\n  G F Drop\nproperty c: ctl AG EF Drop\n";
    let (folder, model) = turns(2, questions);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (drawn, text) = (path("turns.cpn"), path("again.cpnt"));
    assert_eq!(run(&["convert", &model, &drawn]).0, 0);
    assert_eq!(run(&["convert", &drawn, &text]).0, 0);
    let ask = |model: &str| json(&["check", model, "--property=all"]).1["properties"].clone();
    assert_eq!(ask(&drawn), ask(&model));
    assert_eq!(ask(&text), ask(&model));
    assert!(fs::read_to_string(&text).unwrap().ends_with(questions));
    for (name, options, what) in [
        ("h", &["--method", "cache", "--cache", "10"][..], "strongly connected"),
        ("l", &["--checkpoint", "c"], "liveness and fairness"),
        ("r", &["--checkpoint", "c"], "CTL formulas"),
        ("c", &["--method", "cache", "--cache", "10"], "CTL formulas"),
        ("c", &["--weak-fair", "Drop"], "fairness cannot be used"),
    ] {
        let (status, _, errors) =
            run(&[&["check", &model, "--property", name][..], options].concat());
        assert!(status == 2 && errors.contains(what), "{name}: {errors}");
    }
    // Fairness that is assumed of all formulas is assumed of those of the file, too.
    let (_folder, model) = turns(1, "property f: ltl G (\"Take up\" -> F Finish)\n");
    let ask = |fair: &[&str]| run(&[&["check", &model, "--property=f"][..], fair].concat()).0;
    assert_eq!((ask(&[]), ask(&["--strong-fair", "Finish"])), (1, 0));
    let report = |fair: &[&str]| run(&[&["report", &model][..], fair].concat()).0;
    assert_eq!((report(&[]), report(&["--strong-fair", "Finish"])), (1, 0));
    let svg = path("f.svg");
    let (status, _, errors) = run(&["graph", &model, "--around", "f", "--output", &svg]);
    assert!(status == 2 && errors.contains("describe single"), "{errors}");
}
