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
    let (status, text, _) = run(&["check", &seed("stop-and-wait"), "--method=sweep"]);
    assert!(
        status == 0 && text.contains("`received` is the measure that the file names"),
        "{text}"
    );
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
        ("order: never", "order: nevr", "`never`, `reach`, `bound` or `deadlock`"),
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
