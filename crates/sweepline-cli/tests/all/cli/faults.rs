//! What must not go wrong outside: full disks, closed streams, and models whose texts act on a terminal.

use std::fs;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::{json, model, run, seed};

/// Goes up, clears the line, turns the direction of writing, and deletes.
const ACTS: &str = "\u{1b}[2K\u{1b}[1A\u{9b}2J\u{202e}\u{2066}\u{7f}";

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// Runs a line of a shell, in which `$0` is the command.
fn shell(line: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", line]).arg(assert_cmd::cargo::cargo_bin!("sweepline"));
    command.env("NO_COLOR", "1").stdin(Stdio::null()).output().unwrap()
}

/// A model of each format whose names act on a terminal, and one that cannot be read.
fn hostile() -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let entity = ACTS.replace('\u{1b}', "&#27;");
    let pnml = |nodes: &str| {
        let kind = "http://www.pnml.org/version-2009/grammar/ptnet";
        format!("<pnml><net id=\"n\" type=\"{kind}\">{nodes}</net></pnml>")
    };
    let net = format!(
        "<place id=\"p\"><name><text>p{entity}</text></name><initialMarking><text>1</text></initialMarking></place>\
         <transition id=\"t\"><name><text>t{entity}</text></name></transition><arc id=\"a\" source=\"p\" target=\"t\"/>"
    );
    let wrong = format!("<arc id=\"a{entity}\" source=\"p{entity}\" target=\"t\"/>");
    let text = |set: &str| {
        format!(
            "colset U = unit;\n\npage P\n  place \"x{ACTS}\": {set} = 1`()\n\n  transition \"t{ACTS}\"\n    in \"x{ACTS}\": ()\n"
        )
    };
    let warned = format!("colset U = unit;\nval a = b{ACTS};\n\npage P\n  place A: U = 1`()\n");
    let files = [
        ("n.pnml", pnml(&net)),
        ("wrong.pnml", pnml(&wrong)),
        ("n.aut", format!("des (0,1,2)\n(0,\"a{ACTS}\",1)\n")),
        ("wrong.aut", format!("des (0,1,2)\n(0,\"a{ACTS}\",1\n")),
        ("n.cpnt", text("U")),
        ("wrong.cpnt", text("Unknown")),
        ("warned.cpnt", warned),
        ("n.csp", format!("channel a\n-- {ACTS}\nP = a -> P\nassert P :[deadlock free]\n")),
        ("wrong.csp", format!("channel a\nP = a -> \"{ACTS}\" -> P\nassert P :[deadlock free]\n")),
        ("name\u{1b}[2K\u{202e}.pnml", "no net".to_owned()),
    ];
    let names = files.iter().map(|(name, text)| {
        fs::write(folder.path().join(name), text).unwrap();
        path(&folder, name)
    });
    let mut names: Vec<String> = names.collect();
    let drawn = path(&folder, "n.cpn");
    assert_eq!(run(&["convert", &path(&folder, "n.cpnt"), &drawn]).0, 0);
    names.push(drawn);
    (folder, names)
}

#[track_caller]
fn assert_harmless(text: &str, of: &str) {
    let acts = |c: char| {
        let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        turns || (c.is_control() && c != '\n' && c != '\t')
    };
    assert!(!text.contains(acts), "{of}: {text:?}");
}

#[test]
fn no_verb_lets_a_model_act_on_the_terminal() {
    let (folder, models) = hostile();
    let [page, text, picture, dot] =
        ["o.html", "o.txt", "o.svg", "o.dot"].map(|name| path(&folder, name));
    let figure = path(&folder, "figure.svg");
    for model in &models {
        for verb in [
            &["check", model, "--deadlock", "--dead-transitions"][..],
            &["check", model, "--deadlock", "--json"],
            &["check", model, "--never", "nowhere = 1"],
            &["check", model, "--ltl", "F {nowhere}"],
            &["check", model, "--live", "nowhere"],
            &["info", model],
            &["report", model],
            &["report", model, "--html", &page, "--output", &text],
            &["progress", model],
            &["simulate", model],
            &["compare", model, "--methods", "full", "--figure", &figure],
            &["graph", model, "--output", &dot],
            &["graph", model, "--output", &picture],
            &["format", "--check", model],
            &["compile", model, "--output", &text],
            &["ml", model, "/dev/null"],
        ] {
            let Output { status, stdout, stderr } = super::sweepline(verb).output().unwrap();
            assert!(matches!(status.code(), Some(0..=3)), "{verb:?} {status:?}");
            for printed in [stdout, stderr] {
                assert_harmless(&String::from_utf8(printed).unwrap(), &format!("{verb:?}"));
            }
            for file in [&page, &text, &picture, &dot, &figure] {
                if let Ok(written) = fs::read_to_string(file) {
                    assert_harmless(&written, &format!("{file} by {verb:?}"));
                    fs::remove_file(file).unwrap();
                }
            }
        }
        let mut chosen = super::sweepline(&["simulate", model, "--interactive"]);
        let output = chosen.write_stdin("1\nm\nq\n").output().unwrap();
        assert_harmless(&String::from_utf8(output.stdout).unwrap(), "simulate");
    }
    let (status, _, stderr) = run(&["check", &format!("--no{ACTS}")]);
    assert_eq!(status, 2);
    assert_harmless(&stderr, "an unknown option");
}

#[test]
fn messages_are_short_whatever_a_file_holds() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(1 << 20);
    let page = "\npage P\n  place A: U = 1`()\n";
    let values: String = (0..3000).map(|i| format!("val a{i} = b{i};\n")).collect();
    let names: String = (0..3000).map(|i| format!("P{i} = q{i} -> STOP\n")).collect();
    for (name, text) in [
        ("n.csp", format!("channel a\nP = {long} -> P\n")),
        ("n.cpnt", format!("colset U = unit;\nval a = {long};\n{page}")),
        ("n.aut", format!("des (0,1,2)\n(0,\"{long}\",1\n")),
        ("n.pnml", format!("<pnml><net id=\"n\" type=\"{long}\"/></pnml>")),
        ("many.cpnt", format!("colset U = unit;\n{values}{page}")),
        ("many.csp", format!("channel a\n{names}")),
    ] {
        let file = path(&folder, name);
        fs::write(&file, text).unwrap();
        let (_, _, stderr) = run(&["check", &file]);
        assert!(!stderr.is_empty() && stderr.len() < 50_000, "{name}: {} bytes", stderr.len());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn full_and_closed_streams_change_no_status() {
    let (lift, kanban) = (model("lift"), model("kanban"));
    for (line, status) in [
        ("$0 --help >/dev/full".to_owned(), 2),
        ("$0 --version >/dev/full".to_owned(), 2),
        ("$0 check --help >/dev/full".to_owned(), 2),
        ("$0 completions bash >/dev/full".to_owned(), 2),
        (format!("$0 check {lift} >/dev/full"), 2),
        (format!("$0 check {lift} >/dev/full 2>/dev/full"), 2),
        ("$0 check no-such-file 2>/dev/full".to_owned(), 2),
        ("$0 check --no-such-option 2>/dev/full".to_owned(), 2),
        (format!("$0 check {lift} --method full --progress none --deadlock 2>/dev/full"), 0),
        (format!("$0 check {kanban} --state-limit 10 --deadlock --no-structural 2>/dev/full"), 3),
        (format!("$0 check {} 2>/dev/full", seed("stop-and-wait")), 1),
        (format!("$0 check {lift} --deadlock >&-"), 0),
        (format!("$0 check {lift} --deadlock 2>&-"), 0),
    ] {
        let output = shell(&line);
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
    }
    // Nobody reads what is printed.
    for verb in ["--help", "--version", "completions zsh", "man", &format!("check {lift}")] {
        let output = shell(&format!("{{ $0 {verb}; echo $? >&2; }} | true"));
        assert_eq!(String::from_utf8(output.stderr).unwrap().trim(), "0", "{verb}");
    }
}

#[test]
fn a_limit_on_a_drawing_is_told_by_the_status() {
    let folder = tempfile::tempdir().unwrap();
    let picture = path(&folder, "around.svg");
    let around = ["graph", &model("kanban"), "--output", &picture, "--around", "done_4 = 3"];
    assert_eq!(run(&[&around[..], &["--state-limit", "5"]].concat()).0, 3);
    assert_eq!(run(&around[..4]).0, 0);
    let never = ["graph", &model("kanban"), "--output", &picture, "--around", "done_4 = 9"];
    assert_eq!(run(&never).0, 2);
}

#[test]
fn a_log_is_replaced_by_a_run_and_not_by_an_attempt() {
    let folder = tempfile::tempdir().unwrap();
    let [log, file] = ["log.csv", "run"].map(|name| path(&folder, name));
    let net = model("stop-and-wait");
    let check = ["check", &net, "--progress", "sent + received", "--log", &log];
    fs::write(&log, "old").unwrap();
    for wrong in [["--never", "nowhere > 1"], ["--resume", "/no/such/file"]] {
        assert_eq!(run(&[&check[..], &wrong].concat()).0, 2);
        assert_eq!(fs::read_to_string(&log).unwrap(), "old", "{wrong:?}");
    }
    let exists = ["--checkpoint", &net];
    assert_eq!(run(&[&check[..], &exists].concat()).0, 2);
    assert_eq!(fs::read_to_string(&log).unwrap(), "old");
    let saved = ["--checkpoint", &file, "--state-limit", "500"];
    assert_eq!(run(&[&check[..], &saved].concat()).0, 3);
    let first = fs::read_to_string(&log).unwrap();
    assert!(first.starts_with("progress,states,") && first.lines().count() > 3, "{first}");
    assert_eq!(run(&["check", &net, "--resume", &file, "--log", &log]).0, 0);
    let whole = fs::read_to_string(&log).unwrap();
    assert!(whole.starts_with(&first) && whole.len() > first.len(), "{whole}");
    assert_eq!(whole.matches("progress").count(), 1);
}

#[test]
#[cfg(unix)]
fn files_of_models_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let [net, out] = ["n.cpnt", "out"].map(|name| path(&folder, name));
    let text = "colset U = unit;\nfun save () = let val f = TextIO.openOut \"told.txt\" in (TextIO.output (f, \"new\"); TextIO.closeOut f) end;\n\n\
        page P\n  place A: U = 1`()\n\n  transition T\n    code\n      input ();\n      action\n        save ();\n    in A: ()\n";
    fs::write(&net, text).unwrap();
    fs::create_dir(&out).unwrap();
    let told = path(&folder, "out/told.txt");
    fs::write(&told, "old").unwrap();
    let line = format!("simulate {net} --output-dir {out}");
    let output = shell(&format!("trap '' XFSZ; ulimit -f 0; $0 {line}"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_to_string(&told).unwrap(), "old");
    assert_eq!(shell(&format!("$0 {line}")).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&told).unwrap(), "new");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
}

#[test]
#[cfg(unix)]
fn a_checkpoint_that_cannot_be_written_leaves_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "run");
    let net = model("kanban");
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    for witness in ["disk", "recompute", "off"] {
        let begin = format!("$0 check {net} --witness {witness} --never 'free_1 > 9'");
        let full = "trap '' XFSZ; ulimit -f 0;";
        let output = shell(&format!("{full} {begin} --checkpoint {file}"));
        assert_eq!((output.status.code(), names().len()), (Some(2), 0), "{:?}", names());
        let begun = shell(&format!("{begin} --checkpoint {file} --state-limit 900"));
        assert_eq!(begun.status.code(), Some(3), "{begun:?}");
        let (before, left) = (fs::read(&file).unwrap(), names());
        // What is appended to the log of the witness is on a full disk, too.
        let size = if witness == "disk" { 40 } else { 0 };
        let output = shell(&format!(
            "trap '' XFSZ; ulimit -f {size}; $0 check {net} --resume {file} --state-limit 3000 --checkpoint-every 1ms"
        ));
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        assert!(witness == "disk" || fs::read(&file).unwrap() == before, "{witness}");
        assert_eq!(names(), left, "{witness}");
        let (status, report) = json(&["check", &net, "--resume", &file]);
        assert_eq!((status, &report["verdict"]), (0, &"holds".into()), "{report}");
        assert!(names().is_empty(), "{:?}", names());
    }
}
