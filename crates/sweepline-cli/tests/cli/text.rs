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
    assert!(stderr.contains("they become a note"), "{stderr}");
    assert_eq!(run(&["convert", &drawn, &text]).0, 0);
    for model in [&drawn, &text] {
        let (_, report) = json(&["check", model, "--progress=none"]);
        assert_eq!((&report["states"], &report["edges"]), (&2029.into(), &7941.into()));
    }
    assert_eq!(run(&["format", "--check", &text]), (0, String::new(), String::new()));
    let (status, _, stderr) = run(&["convert", &drawn, &path("model.pnml")]);
    assert_eq!(status, 2);
    assert!(stderr.contains("end in .cpn or .cpnt"), "{stderr}");
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
