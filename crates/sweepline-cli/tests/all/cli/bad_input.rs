//! Bad input gets a message that says what and where, and exit status 2.

use std::fs;

use super::{model, run};

/// Runs and gives the message; nothing goes to standard output.
#[track_caller]
fn refused(args: &[&str]) -> String {
    let (status, stdout, stderr) = run(args);
    assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
        .split_whitespace()
        .filter(|word| !["│", "|"].contains(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Writes `text` to a file called `name` and checks it.
#[track_caller]
fn refused_text(name: &str, text: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    refused(&["check", file.to_str().unwrap()])
}

#[track_caller]
fn contains(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no `{part}` in: {message}");
    }
}

#[test]
fn files_that_are_no_models() {
    contains(&refused(&["check", "no/such/file.pnml"]), &["file.pnml", "SWL-PNML"]);
    let folder = tempfile::tempdir().unwrap();
    contains(&refused(&["check", folder.path().to_str().unwrap()]), &["directory"]);
    contains(&refused_text("net.tgz", &[0x1F, 0x8B, 8, 0]), &["SWL-CLI-0001", "unpack"]);
    contains(&refused_text("notes.txt", b"dear diary"), &["SWL-CLI-0001", "neither XML nor"]);
    contains(&refused_text("net.cpn", b"<workspaceElements/>"), &["CPN Tools"]);
    contains(&refused_text("f.xml", b"<property-set/>"), &["--property-file"]);
}

#[test]
fn files_that_are_broken() {
    let text = fs::read_to_string(model("workshop")).unwrap();
    contains(&refused_text("net.pnml", &text.as_bytes()[..text.len() / 2]), &["line", "SWL-PNML"]);
    contains(&refused_text("net.pnml", b""), &["SWL-PNML"]);
    contains(&refused_text("net.pnml", b"\xFF\xFE\x00\xD8"), &["SWL-PNML"]);
    let shop = fs::read_to_string(model("bicycle-shop")).unwrap();
    let negative = shop.replacen("<inscription><text>", "<inscription><text>-", 1);
    assert_ne!(shop, negative);
    contains(&refused_text("net.pnml", negative.as_bytes()), &["line", "-"]);
}

#[test]
fn an_entity_bomb_does_not_go_off() {
    let mut bomb = String::from("<?xml version=\"1.0\"?><!DOCTYPE pnml [<!ENTITY a0 \"boom\">");
    for i in 1..30 {
        let before = i - 1;
        bomb.push_str(&format!("<!ENTITY a{i} \"&a{before};&a{before};\">"));
    }
    bomb.push_str("]><pnml><net id=\"&a29;\"/></pnml>");
    contains(&refused_text("net.pnml", bomb.as_bytes()), &["SWL-PNML"]);
}

#[test]
fn files_over_the_limit() {
    let message = refused(&["check", &model("workshop"), "--max-input", "1K"]);
    contains(&message, &["1024", "--max-input"]);
}

#[test]
fn a_huge_file_is_refused_by_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.pnml");
    // A sparse file: large to read, nothing to write.
    fs::File::create(&file).unwrap().set_len(200 << 20).unwrap();
    contains(&refused(&["check", file.to_str().unwrap()]), &["--max-input"]);
}

#[test]
fn expressions_that_mean_nothing() {
    let mutex = model("mutex-broken");
    let never = |text: &str| refused(&["check", &mutex, "--never", text]);
    contains(&never("tokens(insde_1) > 1"), &["insde_1", "did you mean `inside_1`?"]);
    contains(&never("inside_1 >"), &["SWL-EXPR"]);
    contains(&never("inside_1"), &["expected a condition"]);
    contains(&refused(&["check", &mutex, "--bound", "inside_1 * inside_2"]), &["linear"]);
    contains(&refused(&["check", &mutex, "--progress", "time"]), &["SWL-CLI-0019"]);
    contains(&refused(&["check", &mutex, "--progress", "inside_3"]), &["no place `inside_3`"]);
}

#[test]
fn methods_that_do_not_fit() {
    let mutex = model("mutex-broken");
    let none = ["check", &mutex, "--method", "sweep", "--progress", "none"];
    contains(&refused(&none), &["SWL-CLI-0006", "--progress"]);
    contains(&refused(&["check", &mutex, "--property", "x"]), &["--property-file"]);
    contains(&refused(&["check", &mutex, "--memory-limit", "lots"]), &["8G"]);
    let (status, _, errors) = run(&["check", &mutex, "--method", "full", "--progress", "inside_1"]);
    assert!(status == 0 && errors.contains("`--progress` is ignored"), "{errors}");
}

#[test]
fn formulas_that_are_not_decided_here() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("CTL.xml");
    let text = "<property-set xmlns=\"http://mcc.lip6.fr/\"><property><id>nested</id><formula>\
        <all-paths><globally><finally><exists-path><finally><is-fireable><transition>exit_1</transition>\
        </is-fireable></finally></exists-path></finally></globally></all-paths></formula></property>\
        </property-set>";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let args = ["check", &model("mutex-broken"), "--property-file", file];
    contains(&refused(&args), &["line 1", "SWL-"]);
    let one = refused(&[&args[..], &["--property", "nested"]].concat());
    contains(&one, &["SWL-CLI-0005", "nested"]);
    let unknown = text.replace("exit_1", "exit_9");
    fs::write(file, unknown).unwrap();
    contains(&refused(&args), &["exit_9", "line 1"]);
}
