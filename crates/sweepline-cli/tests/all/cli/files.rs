//! Files that are written and read, and what they may do to a terminal.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{json, run, seed};

/// A folder with these files in it.
pub(super) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

pub(super) fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
#[cfg(unix)]
fn files_are_replaced_whole_or_not_at_all() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let text = fs::read_to_string(seed("stop-and-wait")).unwrap();
    let loose = text.replace("\n\npage ", "\n\n\npage ");
    let folder = folder(&[("model.cpnt", &loose)]);
    let (model, link) = (path(&folder, "model.cpnt"), path(&folder, "link.cpnt"));
    symlink(&model, &link).unwrap();
    fs::set_permissions(&model, fs::Permissions::from_mode(0o640)).unwrap();
    // A limit on the size of files is what a full disk looks like.
    let full = |command: &str| {
        let binary = assert_cmd::cargo::cargo_bin!("sweepline").display().to_string();
        let script = format!("trap '' XFSZ; ulimit -f 0; exec {binary} {command}");
        std::process::Command::new("sh").args(["-c", &script]).output().unwrap()
    };
    let trace = path(&folder, "trace.json");
    fs::write(&trace, "old").unwrap();
    for command in [
        format!("format {link}"),
        format!("check {model} --trace {trace}"),
        format!("report {model} --output {trace}"),
        format!("report {model} --html {trace} --output /dev/null"),
        format!("graph {model} --output {trace}.dot"),
        format!("compare {model} --figure {trace}"),
    ] {
        let output = full(&command);
        assert!(!output.status.success(), "{command}");
        assert_eq!(fs::read_to_string(&model).unwrap(), loose, "{command}");
        assert_eq!(fs::read_to_string(&trace).unwrap(), "old", "{command}");
        assert_eq!(names(folder.path()), ["link.cpnt", "model.cpnt", "trace.json"], "{command}");
    }
    assert_eq!(run(&["format", &link]).0, 0);
    assert_eq!(fs::read_to_string(&model).unwrap(), text);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&model).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(names(folder.path()), ["link.cpnt", "model.cpnt", "trace.json"]);
}

#[test]
fn scripts_include_files_of_their_folder_only() {
    let folder = folder(&[
        ("in/main.csp", "include \"parts/one.csp\"\nassert P :[deadlock free]\n"),
        ("in/parts/one.csp", "include \"two.csp\"\nP = a -> P\n"),
        ("in/parts/two.csp", "channel a\n"),
        ("in/up.csp", "include \"../out/private.csp\"\nassert P :[deadlock free]\n"),
        ("in/lib.csp", "include \"private.csp\"\nassert P :[deadlock free]\n"),
        ("in/text.csp", "include \"key.txt\"\nP = STOP\n"),
        ("in/names.csp", "include \"name.txt\"\nP = STOP\n"),
        ("in/folder.csp", "include \"parts\"\nP = STOP\n"),
        ("in/key.txt", "user: sesame!\n"),
        ("in/name.txt", "password = sesame\n"),
        ("out/private.csp", "channel a\nP = a -> P\n"),
    ]);
    let [main, up, lib, out] =
        ["in/main.csp", "in/up.csp", "in/lib.csp", "out"].map(|name| path(&folder, name));
    assert_eq!(run(&["check", &main]).0, 0);
    for script in [&up, &lib] {
        let (status, _, stderr) = run(&["check", script]);
        assert!(status == 2 && stderr.contains("cannot include"), "{stderr}");
        assert_eq!(run(&["check", script, "--include", &out]).0, 0);
    }
    assert!(run(&["check", &up]).2.contains("--include DIR"));
    let absolute = path(&folder, "in/absolute.csp");
    fs::write(&absolute, format!("include \"{out}/private.csp\"\nP = STOP\n")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(format!("{out}/private.csp"), path(&folder, "in/private.csp"))
        .unwrap();
    for script in [&absolute, &lib] {
        let (status, _, stderr) = run(&["check", script]);
        assert!(status == 2 && stderr.contains("outside the folder"), "{stderr}");
    }
    for script in ["in/text.csp", "in/names.csp", "in/folder.csp"] {
        let (status, stdout, stderr) = run(&["check", &path(&folder, script)]);
        assert_eq!(status, 2, "{script}");
        assert!(
            stderr.contains("cannot include") && !format!("{stdout}{stderr}").contains("sesame"),
            "{stderr}"
        );
    }
}

/// A net whose names clear the line, go up, turn the direction of writing, and forge a verdict.
fn hostile() -> TempDir {
    let name = "x\u{1b}[2K\u{1b}[1A\u{9b}2J\u{202e}\u{8}\rholds";
    let text = format!("des (0,1,2)\n(0,\"{}\",1)\n", name.replace('\r', ""));
    let pnml = format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\
         <place id=\"p\"><name><text>{name}</text></name><initialMarking><text>1</text></initialMarking></place>\
         <transition id=\"t\"><name><text>a&#10;holds     deadlock</text></name></transition>\
         <arc id=\"a\" source=\"p\" target=\"t\"/></net></pnml>"
    );
    let pnml = pnml.replace('\u{1b}', "&#27;").replace('\u{8}', "");
    folder(&[("names.aut", &text), ("names.pnml", &pnml)])
}

#[test]
fn names_do_nothing_to_a_terminal() {
    let folder = hostile();
    for file in ["names.aut", "names.pnml"] {
        let model = path(&folder, file);
        for args in [
            &["check", &model, "--deadlock", "--dead-transitions"][..],
            &["check", &model, "--deadlock", "--json"],
            &["check", &model, "--never", "nowhere = 1"],
            &["check", &model, "--live", "x"],
            &["report", &model],
            &["info", &model],
            &["simulate", &model],
            &["progress", &model],
            &["compare", &model, "--methods", "full"],
        ] {
            let (_, stdout, stderr) = run(args);
            for text in [&stdout, &stderr] {
                let acts = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
                assert!(!text.contains(acts), "{args:?} {text:?}");
            }
            let forged = stdout.lines().any(|line| line.starts_with("holds     deadlock"));
            assert!(!forged, "{stdout}");
        }
        let (_, report) = json(&["check", &model, "--deadlock"]);
        assert_eq!(report["verdict"], "violated");
    }
    let (_, report) = json(&[
        "check",
        &path(&folder, "names.aut"),
        "--dead-transitions",
        "--never=fireable(\"x\u{1b}[2K\u{1b}[1A\u{9b}2J\u{202e}\u{8}holds\")",
    ]);
    let name = report["properties"][0]["name"].as_str().unwrap();
    assert!(
        name.contains("\u{1b}[2K") && name.contains('\u{202e}'),
        "JSON has the name itself: {name:?}"
    );
}

#[test]
fn names_of_several_lines_go_by_one() {
    let pnml = "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\
         <place id=\"p\"><name><text>my\r\nplace</text></name><initialMarking><text>1</text></initialMarking></place>\
         </net></pnml>";
    let net = "colset U = unit;\n\npage P\n  place \"my\\nplace\": U = 1`()\n";
    let folder = folder(&[("n.pnml", pnml), ("n.cpnt", net)]);
    let pnml = path(&folder, "n.pnml");
    assert_eq!(json(&["check", &pnml, "--reach=\"my place\" = 1"]).0, 0);
    let [text, drawn, again] = ["n.cpnt", "n.cpn", "again.cpnt"].map(|name| path(&folder, name));
    assert_eq!(run(&["convert", &text, &drawn]).0, 0);
    let xml = fs::read_to_string(&drawn).unwrap();
    fs::write(&drawn, xml.replace('\n', "\r\n")).unwrap();
    assert_eq!(run(&["convert", &drawn, &again]).0, 0);
    assert!(fs::read_to_string(&again).unwrap().contains("place \"my\\nplace\""));
    assert_eq!(json(&["check", &drawn, "--reach=size my_place = 1"]).0, 0);
}

#[test]
fn comments_between_declarations_survive_conversion() {
    let text = "(* first *)\ncolset U = unit;\n(* between,\n   in two lines *)\nval a = 1;\n\n(* last *)\n\npage P\n  place A: U = 1`()\n";
    let folder = folder(&[("n.cpnt", text)]);
    let [text, drawn, again] = ["n.cpnt", "n.cpn", "again.cpnt"].map(|name| path(&folder, name));
    assert_eq!(run(&["convert", &text, &drawn]).0, 0);
    assert_eq!(run(&["convert", &drawn, &again]).0, 0);
    let written = fs::read_to_string(&again).unwrap();
    for comment in ["(* first *)\ncolset", "(* between,\n   in two lines *)\nval a", "(* last *)"] {
        assert!(written.contains(comment), "{comment}: {written}");
    }
    assert_eq!(json(&["check", &drawn, "--reach=size A = 1"]).0, 0);
}

#[test]
fn a_name_of_several_is_said_to_be_ambiguous() {
    let page = |name: &str| {
        format!("\npage {name}\n  place A: U = 1`()\n\n  transition T\n    in A: ()\n")
    };
    let net = format!("colset U = unit;\n{}{}", page("One"), page("Two"));
    let folder =
        folder(&[("n.cpnt", &net), ("p.cpnt", &format!("{net}\nproperty p: never size A > 1\n"))]);
    let net = path(&folder, "n.cpnt");
    for option in ["--never=size A > 1", "--bound=A", "--progress=size A", "--ltl=F {size A = 0}"] {
        let (status, _, stderr) = run(&["check", &net, option]);
        assert!(status == 2 && stderr.contains("`A` is ambiguous"), "{stderr}");
        assert!(stderr.contains("Mark.One'A 1") && stderr.contains("Mark.Two'A 1"), "{stderr}");
    }
    let (status, _, stderr) = run(&["check", &path(&folder, "p.cpnt")]);
    assert!(status == 2 && stderr.contains("`A` is ambiguous"), "{stderr}");
    for option in ["--live=T", "--fair=T"] {
        let (status, _, stderr) = run(&["check", &net, option]);
        assert!(
            status == 2 && stderr.contains("are called `T`") && stderr.contains("Two'T 1"),
            "{stderr}"
        );
    }
    assert_eq!(json(&["check", &net, "--never=size (Mark.One'A 1) > 1"]).0, 0);
}

#[test]
fn states_that_are_not_there_are_told_from_those_that_cannot_be_reached() {
    let folder = folder(&[("x.aut", "des (0,2,4)\n(0,\"a\",1)\n(2,\"b\",3)\n")]);
    let lts = path(&folder, "x.aut");
    for option in ["--never", "--bound"] {
        let ask = |state: &str| {
            let expr = if option == "--bound" {
                format!("\"x@{state}\"")
            } else {
                format!("\"x@{state}\" = 1")
            };
            run(&["check", &lts, option, &expr])
        };
        let (status, _, stderr) = ask("7");
        assert!(status == 2 && stderr.contains("`x` has no state `7`"), "{stderr}");
        assert!(stderr.contains("x@3"), "{stderr}");
        let (status, text, _) = ask("2");
        assert!(status == 0 && text.contains("`x@2` is unreachable"), "{text}");
        assert!(!ask("1").1.contains("unreachable"));
    }
}

#[test]
fn json_tells_why_a_model_stops_the_run() {
    let net = "colset INT = int;\nvar n: INT;\n\npage P\n  place A: INT = 1`0\n\n  transition T\n    in A: n\n    out A: if n < 5 then n + 1 else hd []\n";
    let folder = folder(&[("n.cpnt", net)]);
    let net = path(&folder, "n.cpnt");
    let (status, report) = json(&["check", &net, "--never=false"]);
    assert_eq!(
        (status, &report["stop"], &report["verdict"]),
        (2, &"model".into(), &"unknown".into())
    );
    let message = report["stop_message"].as_str().unwrap();
    assert!(message.contains("Empty"), "{message}");
    let (_, report) = json(&["compare", &net, "--methods=full"]);
    assert!(report["runs"][0]["stop_message"].as_str().unwrap().contains("Empty"));
    let (_, report) = json(&["check", &net, "--state-limit=2"]);
    assert!(report["stop_message"].is_string());
    let (_, report) = json(&["check", &super::model("philosophers")]);
    assert_eq!(report["stop_message"], Value::Null);
}
