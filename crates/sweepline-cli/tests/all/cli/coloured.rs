//! Coloured nets from outside: what is asked wrongly gets a message that says what to write instead.

use std::fs;
use std::path::PathBuf;

use super::{json, run};

/// An example model of CPN Tools.
fn coloured(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    path.with_extension("cpn").to_str().unwrap().to_owned()
}

/// Checks a model with these options, which do not fit it: the message in one line.
#[track_caller]
fn refused(model: &str, options: &[&str]) -> String {
    let model = coloured(model);
    let (status, stdout, stderr) = run(&[&["check", model.as_str()], options].concat());
    assert_eq!((status, stdout.as_str()), (2, ""), "{options:?}: {stderr}");
    in_one_line(&stderr)
}

fn in_one_line(text: &str) -> String {
    assert!(!text.contains("panicked"), "{text}");
    text.split_whitespace().filter(|word| !["│", "|"].contains(word)).collect::<Vec<_>>().join(" ")
}

/// The run stops at a marking for which there is no answer: what is said of it.
#[track_caller]
fn stopped(model: &str, options: &[&str]) -> String {
    let model = coloured(model);
    let (status, stdout, stderr) = run(&[&["check", model.as_str()], options].concat());
    assert_eq!(status, 2, "{options:?}: {stdout}{stderr}");
    assert!(!stdout.contains("holds "), "{stdout}");
    in_one_line(&stdout)
}

#[track_caller]
fn contains(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no `{part}` in: {message}");
    }
}

#[test]
fn parameters_that_do_not_fit() {
    for (option, parts) in [
        ("--param=lost=4", ["`val lost = ...`", "did you mean `last`?"]),
        ("--param=last=true", ["guard of transition `Send`", "`bool` but `int` is needed"]),
        ("--param=last", ["`--param last`", "--param NAME=VALUE"]),
        ("--param=last=)", ["val last = 3", "expected an expression, found `)`"]),
        ("--param==3", ["`--param =3`", "NAME=VALUE"]),
    ] {
        contains(&refused("protocol", &[option]), &parts);
    }
}

#[test]
fn initial_markings_that_do_not_fit() {
    for (option, parts) in [
        ("--init=NextSent=1`1", ["there is no place `NextSent`", "NextSend"]),
        ("--init=NextSend=1`true", ["--init NextSend", "the colour set of the place is `NO`"]),
        ("--init=NextSend=1`", ["--init NextSend", "expected an expression"]),
        ("--init=NextSend=1`n", ["--init NextSend", "`n`"]),
        ("--init=NextSend", ["NextSend", "--init PLACE="]),
    ] {
        contains(&refused("protocol", &[option]), &parts);
    }
    contains(&refused("timed", &["--init=Machines=1`3"]), &["Machines 1", "3", "initial marking"]);
}

#[test]
fn questions_that_do_not_fit() {
    for (option, parts) in [
        ("--never=size NextSend", ["--never", "`int` but `bool` is needed"]),
        ("--never=Nextsend == empty", ["`Nextsend` is not declared", "did you mean `NextSend`?"]),
        ("--never=Mark.Protocol'Nextsend 1 == empty", ["Protocol'Nextsend", "Protocol'NextSend"]),
        ("--never=", ["--never", "expected an expression"]),
        ("--never=n = 1", ["--never", "`n`"]),
        ("--reach=fn", ["--reach", "expected a pattern"]),
        ("--bound=1.5", ["`real` but `int` is needed", "`round 1.5`, `floor 1.5` or `trunc 1.5`"]),
        ("--bound=\"a\"", ["--bound", "`string` but `int` is needed"]),
        ("--progress=time", ["a net without timed places", "`auto`"]),
        ("--progress=true", ["--progress", "`bool` but `int` is needed"]),
        ("--progress=", ["--progress", "expected an expression"]),
        ("--equivalence=time", ["no place is timed", "leave out"]),
        ("--equivalence=space", ["--equivalence", "`space`"]),
        ("--equivalence=fn x => x", ["--equivalence", "functions"]),
        ("--cut-off=size Sent = 1", ["without `--equivalence`", "`--equivalence time`"]),
        ("--assume-symmetric", ["without `--equivalence symmetry`", "symmetry:COLSET"]),
        ("--equivalence=symmetry:NUMBER", ["NUMBER", "colour set"]),
        ("--seed=abc", ["abc", "--seed"]),
        ("--examination=StateSpace", ["coloured nets", "--deadlock"]),
    ] {
        contains(&refused("protocol", &[option]), &parts);
    }
}

#[test]
fn questions_about_time_do_not_go_with_time_equivalence() {
    for question in [
        "--never=IntInf.toInt (time ()) > 5",
        "--bound=IntInf.toInt (time ())",
        "--reach=List.exists (fn _ @ t => t > 5) Busy",
    ] {
        for more in [&[][..], &["--cut-off=size Busy = 0"]] {
            let (status, _, stderr) =
                run(&[&["check", &coloured("timed"), "--equivalence=time", question], more]
                    .concat());
            assert_eq!(status, 2, "{question}: {stderr}");
            contains(&in_one_line(&stderr), &["depends on model time"]);
        }
    }
    let fine = "--reach=List.exists (fn _ @ _ => true) Busy";
    let (status, _, stderr) = run(&["check", &coloured("timed"), "--equivalence=time", fine]);
    assert_eq!(status, 0, "{stderr}");
}

#[test]
fn exceptions_of_questions_stop_the_run() {
    for (option, parts) in [
        ("--never=hd Sent = 1", ["--never:1:1", "exception Empty in `hd Sent`"]),
        ("--reach=length (hd Sent) = 1", ["--reach", "needed"]),
        ("--bound=1 div size Sent", ["--bound:1:1", "exception Div"]),
        ("--progress=hd Sent", ["--progress:1:1", "exception Empty in `hd Sent`"]),
        ("--never=Mark.Protocol'NextSend 2 == empty", ["Protocol'NextSend", "no such instance"]),
    ] {
        if option.contains("length (hd Sent)") {
            contains(&refused("protocol", &[option]), &parts);
        } else {
            contains(&stopped("protocol", &[option]), &parts);
        }
    }
    // Not in the first marking: some were measured before.
    let late = "--progress=1 div (3 - length (hd Received))";
    contains(
        &stopped("protocol", &["--deadlock", late]),
        &["exception Div", "unknown no deadlock"],
    );
    let late = "--never=1 div (3 - length (hd Received)) = 7";
    contains(&stopped("protocol", &[late]), &["exception Div", "unknown never"]);
}

#[test]
fn what_fits_changes_the_answers() {
    let states = |options: &[&str]| {
        let model = coloured("protocol");
        let (_, report) = json(&[&["check", model.as_str()], options].concat());
        report["states"].as_u64()
    };
    assert_eq!(states(&[]), Some(1045));
    assert_eq!(states(&["--param=last=0"]), Some(1));
    assert!(states(&["--param=last=2"]) < Some(1045));
    assert!(states(&["--init=Send limit=1`e"]) < Some(1045));
    assert_eq!(states(&["--init=Send limit=empty"]), Some(1));
    // All instances of a page start alike.
    assert!(states(&["--init=In=1`1"]) > Some(1045));
}

#[test]
fn a_timed_net_is_swept_by_its_time() {
    let model = coloured("timed");
    let (status, swept) = json(&["check", &model, "--deadlock", "--bounds"]);
    let (_, full) = json(&["check", &model, "--deadlock", "--bounds", "--progress=none"]);
    assert_eq!(status, 1);
    for what in ["states", "edges", "dead"] {
        assert_eq!(swept[what], full[what], "{what}");
    }
    assert_eq!(swept["properties"][1], full["properties"][1], "bounds");
    assert!(swept["peak_states"].as_u64() < full["peak_states"].as_u64());
}

#[test]
fn files_that_the_model_uses_stay_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(coloured("protocol")).unwrap();
    let secret = "secret-words-of-the-user";
    fs::write(folder.path().join("secret.sml"), format!("val x = {secret}")).unwrap();
    fs::create_dir(folder.path().join("model")).unwrap();
    fs::write(folder.path().join("model/one.sml"), "use \"two.sml\";").unwrap();
    fs::write(folder.path().join("model/two.sml"), "use \"one.sml\";").unwrap();
    for name in ["../secret.sml", "/etc/passwd", "one.sml", ".", "/dev/zero", "", "missing.sml"] {
        let using = format!("<ml id=\"used\">use \"{name}\"; val last = 3;</ml>");
        let changed = text.replace("<ml id=\"last\">val last = 3;</ml>", &using);
        assert_ne!(changed, text);
        let file = folder.path().join("model/model.cpn");
        fs::write(&file, changed).unwrap();
        let (status, stdout, stderr) = run(&["check", file.to_str().unwrap()]);
        // What is not needed is forgiven, with a warning.
        assert!(status == 0 || status == 2, "{name}: {status}");
        assert!(stderr.contains("use"), "{name}: {stderr}");
        assert!(!stdout.contains(secret) && !stderr.contains(secret), "{name}: {stderr}");
        assert!(!stderr.contains("root:"), "{name}: {stderr}");
    }
}

#[test]
fn a_deadlock_is_a_condition_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.cpnt");
    let text = "colset NO = int;\nvar n : NO;\n\npage Top\n  place Next : NO = 1`0\n\n  transition Count\n    guard n < 3\n    \
                in Next: n\n    out Next: n + 1\n\n  transition Stay\n    guard n < 2\n    both Next: n\n";
    fs::write(&path, text).unwrap();
    let model = path.to_str().unwrap();
    for (options, expected) in [
        (["--never", "deadlock"], 1),
        (["--never", "deadlock andalso hd Next < 3"], 0),
        (["--reach", "deadlock andalso hd Next = 3"], 0),
        (["--reach", "not deadlock andalso hd Next = 3"], 1),
        (["--ltl", "F deadlock"], 1),
        (["--ltl", "G ({deadlock} -> {hd Next = 3})"], 0),
        (["--ctl", "EF deadlock"], 0),
        (["--ctl", "AG ({hd Next = 2} -> AX deadlock)"], 0),
        (["--ctl", "AG !deadlock"], 1),
    ] {
        for progress in [&[][..], &["--progress", "hd Next"]] {
            let args = [&["check", model][..], &options, progress].concat();
            let (status, stdout, stderr) = run(&args);
            assert_eq!(status, expected, "{options:?}: {stdout}{stderr}");
        }
    }
    // Exchanging colours makes no marking dead.
    let database =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/symmetric/database.cpnt");
    let database = database.to_str().unwrap();
    let symmetric = ["check", database, "--equivalence", "symmetry:MANAGER", "--never", "deadlock"];
    assert_eq!(run(&symmetric).0, 0);
    // What the model calls so is what it means.
    fs::write(&path, format!("val deadlock = false;\n{text}")).unwrap();
    assert_eq!(run(&["check", model, "--never", "deadlock"]).0, 0);
    assert_eq!(run(&["check", model, "--deadlock"]).0, 1);
}

/// Each site counts to three: nothing tells the sites apart, and something the colours of `SIDE`.
const SITES: &str = "\
colset INT = int;
colset SITE = index s with 1..4;
colset SIDE = with left | right;
colset COUNT = product SITE * INT;
var x: SITE;
var n: INT;

page Main
  place Count: COUNT = 1`(s 1, 0) ++ 1`(s 2, 0) ++ 1`(s 3, 0) ++ 1`(s 4, 0)
  place Side: SIDE = 1`left

  transition Step
    guard n < 3
    in Count: (x, n)
    out Count: (x, n + 1)

  transition Turn
    in Side: left
    out Side: right

property few: never size Count > 4
";

#[test]
fn symmetry_without_a_list_takes_every_set_for_which_it_is_proven() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sites.cpnt");
    fs::write(&file, SITES).unwrap();
    let net = file.to_str().unwrap();
    let (status, full) = json(&["check", net]);
    assert_eq!((status, &full["states"]), (0, &512.into()));
    let (status, report) = json(&["check", net, "--equivalence=symmetry"]);
    assert_eq!((status, &report["states"]), (0, &70.into()), "{report}");
    assert_eq!(report["equivalence"], "symmetry:SITE");
    assert!(
        report["notes"][0].as_str().unwrap().contains("`SIDE` is not proven symmetric"),
        "{report}"
    );
    // The measure is the same for sites that are exchanged.
    for options in [&["--progress=auto"][..], &["--method=sweep"]] {
        let args = ["check", net, "--equivalence=symmetry"];
        let (status, report) = json(&[&args[..], options].concat());
        assert_eq!(
            (status, &report["states"], &report["stop"]),
            (0, &70.into(), &serde_json::Value::Null),
            "{report}"
        );
        assert!(report["peak_states"].as_u64() < Some(30), "{report}");
    }
    // A question may tell the colours apart, in a function of its own, too.
    let asked = "--never=List.exists (fn (x, n) => SITE.ord x = 2 andalso n > 3) Count";
    for equivalence in ["--equivalence=symmetry", "--equivalence=symmetry:SITE"] {
        let (status, _, stderr) = run(&["check", net, equivalence, asked]);
        let message = in_one_line(&stderr);
        assert!(status == 2 && message.contains("may distinguish colours"), "{message}");
    }
    let assumed = ["check", net, "--equivalence=symmetry", "--assume-symmetric"];
    assert!(run(&assumed).2.contains("symmetry:COLSET"));
}
