//! What is read: regular files and pipes, within a limit, nothing outside of the folders, and in time that grows with
//! the text.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::files::{folder, path};
use super::{json, model, run, sweepline};

const NET: &str =
    "colset E = int;\nvar x : E;\n\npage P\n  place A : E = 1`0\n  transition T\n    in A: x\n";
const SCRIPT: &str = "channel a\nP = a -> P\nassert P :[deadlock free]\n";
const LTS: &str = "des (0,1,2)\n(0,\"a\",1)\n";

/// Runs and gives the message, on one line.
#[track_caller]
fn rejected(args: &[&str]) -> String {
    let (status, _, stderr) = run(args);
    assert_eq!(status, 2, "{args:?}: {stderr}");
    let words = stderr.split_whitespace().filter(|word| *word != "│");
    words.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn contains(message: &str, part: &str) {
    assert!(message.contains(part), "no `{part}` in: {message}");
}

#[test]
#[cfg(target_os = "linux")]
fn devices_are_not_opened() {
    let folder = folder(&[("net.cpnt", NET)]);
    let [net, new] = ["net.cpnt", "new.cpnt"].map(|name| path(&folder, name));
    for format in ["pnml", "cpn", "cpnt", "csp", "aut"] {
        let message = rejected(&["check", "/dev/zero", "--format", format]);
        contains(&message, "it is not a regular file");
    }
    for args in [
        &["check", "/dev/zero"] as &[&str],
        &["info", "/dev/zero"],
        &["format", "/dev/zero"],
        &["ml", &net, "/dev/zero"],
        &["check", &model("workshop"), "--property-file", "/dev/zero"],
    ] {
        contains(&rejected(args), "it is not a regular file");
    }
    rejected(&["convert", "/dev/zero", &new]);
}

#[test]
#[cfg(unix)]
fn models_use_and_include_regular_files_only() {
    let used = |name: &str| NET.replace("var x", &format!("use \"{name}\";\nvar x"));
    let included = |name: &str| format!("include \"{name}\"\n{SCRIPT}");
    let folder = folder(&[("sub/x.csp", "")]);
    let pipe = path(&folder, "pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", path(&folder, "zero")).unwrap();
    let outside = ["/dev/zero", "/etc/passwd", "/proc/self/environ", "../../../etc/passwd", "zero"];
    let (net, script) = (path(&folder, "net.cpnt"), path(&folder, "script.csp"));
    for name in outside.into_iter().chain(["pipe", "sub"]) {
        fs::write(&script, included(name)).unwrap();
        contains(&rejected(&["check", &script]), "SWL-LTS-0128");
        fs::write(&net, used(name)).unwrap();
        let (status, _, stderr) = run(&["check", &net]);
        assert!(status == 0 && stderr.contains("SWL-CPN-0028"), "{name}: {stderr}");
    }
}

#[test]
fn a_file_is_included_once_however_its_path_is_written() {
    let folder = folder(&[("sub/part.csp", "include \"../main.csp\"\n")]);
    let main = path(&folder, "main.csp");
    let includes =
        "include \"sub/../main.csp\"\ninclude \"sub/../sub/part.csp\"\ninclude \"sub/part.csp\"\n";
    fs::write(&main, format!("{includes}{SCRIPT}")).unwrap();
    assert_eq!(run(&["check", &main]).0, 0);
}

/// Twice as many readings with each level.
#[test]
fn files_that_use_each_other_twice_do_not_explode() {
    let folder = folder(&[
        ("net.cpnt", &NET.replace("var x", "use \"f0.sml\";\nvar x")),
        ("f19.sml", "val v = 1;"),
    ]);
    for level in 0..19 {
        let text = format!("use \"f{0}.sml\";\nuse \"f{0}.sml\";\n", level + 1);
        fs::write(folder.path().join(format!("f{level}.sml")), text).unwrap();
    }
    let (status, _, stderr) = run(&["check", &path(&folder, "net.cpnt")]);
    assert!(status == 0 && stderr.contains("more than 1000 files"), "{stderr}");
    fs::write(folder.path().join("script.sml"), "use \"f0.sml\";\n").unwrap();
    fs::write(folder.path().join("net.cpnt"), NET).unwrap();
    let message = rejected(&["ml", &path(&folder, "net.cpnt"), &path(&folder, "script.sml")]);
    contains(&message, "more than 1000 files");
}

#[test]
fn the_limit_holds_for_all_that_is_read() {
    let text = fs::read_to_string(model("workshop")).unwrap();
    let formulas = format!("<property-set>{}</property-set>", " ".repeat(500));
    let script = format!("(* {} *)\n", "x".repeat(500));
    let part = format!("-- {}\n", "x".repeat(300));
    let [lts, net, csp] = [LTS, NET, SCRIPT].map(|text| format!("{text}{}", "\n".repeat(500)));
    let folder = folder(&[
        ("net.pnml", &text),
        ("net.cpnt", &net),
        ("a.aut", &lts),
        ("p.csp", &csp),
        (
            "net.cpn",
            &fs::read_to_string(Path::new(&model("workshop")).with_file_name("protocol.cpn"))
                .unwrap(),
        ),
        ("small.cpnt", NET),
        ("f.xml", &formulas),
        ("s.sml", &script),
        ("whole.csp", &format!("include \"one.csp\"\ninclude \"two.csp\"\n{SCRIPT}")),
        ("one.csp", &part),
        ("two.csp", &part),
        ("whole.cpnt", &NET.replace("var x", "use \"one.sml\";\nuse \"two.sml\";\nvar x")),
        ("one.sml", &script[..400].replace('x', "  ").replace("(*", "")),
        ("two.sml", &script),
    ]);
    let limited = |args: &[&str]| rejected(&[args, &["--max-input", "500"]].concat());
    for name in ["net.pnml", "net.cpn", "net.cpnt", "a.aut", "p.csp", "whole.csp"] {
        contains(&limited(&["check", &path(&folder, name)]), "--max-input");
    }
    let small = path(&folder, "small.cpnt");
    contains(&limited(&["ml", &small, &path(&folder, "s.sml")]), "--max-input");
    contains(&limited(&["format", &path(&folder, "net.cpnt")]), "--max-input");
    contains(
        &limited(&["convert", &path(&folder, "net.cpnt"), &path(&folder, "new.cpn")]),
        "--max-input",
    );
    let property_file = path(&folder, "f.xml");
    let tiny = "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><place id=\"p\"/></net></pnml>";
    fs::write(folder.path().join("tiny.pnml"), tiny).unwrap();
    let tiny = path(&folder, "tiny.pnml");
    contains(&limited(&["check", &tiny, "--property-file", &property_file]), "--max-input");
    let whole = path(&folder, "whole.cpnt");
    let (_, _, stderr) = run(&["check", &whole, "--max-input", "500"]);
    let stderr = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    contains(&stderr, "more than 500 bytes together");
}

/// A pipe is read once, whatever looks at the model.
#[test]
#[cfg(target_os = "linux")]
fn models_come_through_pipes() {
    let read = |name: &str| {
        fs::read_to_string(Path::new(&model("workshop")).with_file_name(name)).unwrap()
    };
    let formats = [
        ("pnml", read("workshop.pnml")),
        ("cpn", read("protocol.cpn")),
        ("cpnt", NET.to_owned()),
        ("csp", SCRIPT.to_owned()),
        ("aut", LTS.to_owned()),
    ];
    let folder = folder(&[("s.sml", "1 + 1;")]);
    for (format, text) in formats {
        for args in
            [&["info", "/dev/stdin"] as &[&str], &["check", "/dev/stdin", "--state-limit", "100"]]
        {
            let told = sweepline(&[args, &["--format", format]].concat())
                .write_stdin(text.clone())
                .output();
            let guessed = sweepline(args).write_stdin(text.clone()).output().unwrap();
            assert!(guessed.status.code().is_some_and(|code| code != 2), "{format}: {guessed:?}");
            assert_eq!(told.unwrap().status, guessed.status, "{format}");
        }
        let endless = sweepline(&["info", "/dev/stdin", "--max-input", "20"])
            .write_stdin(text)
            .output()
            .unwrap();
        let stderr = String::from_utf8(endless.stderr).unwrap();
        assert!(stderr.contains("the limit of 20"), "{format}: {stderr}");
    }
    let script = path(&folder, "s.sml");
    let notes =
        sweepline(&["ml", "/dev/stdin", &script, "--aux"]).write_stdin(NET).output().unwrap();
    assert_eq!(notes.status.code(), Some(0), "{notes:?}");
    let [new, old] = ["new.cpn", "old.cpnt"].map(|name| path(&folder, name));
    fs::write(&old, NET).unwrap();
    assert!(
        sweepline(&["convert", "/dev/stdin", &new])
            .write_stdin(NET)
            .output()
            .unwrap()
            .status
            .success()
    );
    assert!(run(&["info", &new]).0 == 0);
}

/// Texts of a size at which anything quadratic would take minutes or all memory.
mod large {
    use super::*;

    fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
        (0..count).fold(String::new(), |mut text, number| {
            _ = writeln!(text, "{}", line(number));
            text
        })
    }

    #[track_caller]
    fn checked(name: &str, text: &str) -> (i32, String) {
        let folder = folder(&[(name, text)]);
        let (status, _, stderr) = run(&["check", &path(&folder, name), "--state-limit", "100"]);
        (status, stderr)
    }

    #[test]
    fn labels() {
        let count = 200_000;
        let edges = lines(count, |n| format!("({n},\"label{n}\",{})", n + 1));
        assert_eq!(checked("a.aut", &format!("des (0,{count},{})\n{edges}", count + 1)).0, 3);
    }

    #[test]
    fn enumerations() {
        let net = |count: usize| {
            let values: Vec<String> = (0..count).map(|n| format!("a{n}")).collect();
            let net = NET.replace("int", &format!("with {}", values.join(" | ")));
            // The numbers of these differ by 2^16.
            net.replace("1`0", "1`a70000 ++ 1`a4464")
        };
        let folder = folder(&[("net.cpnt", &net(100_000))]);
        let (status, report) = json(&["check", &path(&folder, "net.cpnt")]);
        assert_eq!((status, report["states"].as_u64()), (0, Some(4)), "{report}");
        let (status, message) = checked("net.cpnt", &net(400_000));
        assert!(status == 2 && message.contains("declare fewer colour sets"), "{message}");
    }

    /// All constructors but one carry nothing: their values are numbers, the others are not.
    #[test]
    fn unions() {
        let constructors: Vec<String> = (0..40_000).map(|n| format!("a{n}")).collect();
        let colours = format!("union {} + v:I", constructors.join(" + "));
        let net = NET.replace(
            "colset E = int;",
            &format!("colset I = int;\ncolset E = {colours};\nfun f (v n) = n | f _ = 0;"),
        );
        let net = net
            .replace("1`0", "1`a39999 ++ 1`(v 7)")
            .replace("  transition", "  place B : I\n  transition");
        let folder = folder(&[("net.cpnt", &format!("{net}    out B: f x\n"))]);
        let (status, report) =
            json(&["check", &path(&folder, "net.cpnt"), "--never", "total (fn n => n) B > 7"]);
        assert_eq!((status, report["states"].as_u64()), (0, Some(4)), "{report}");
    }

    #[test]
    fn patterns() {
        let count = 20_000;
        let clause = |n: usize| format!("  | f ({n}, {n}) = {n}\n  | f (_, {n}) = {n}");
        let function = format!("fun f (0, 0) = 0\n{}  | f _ = 1;\nvar x", lines(count, clause));
        assert_eq!(
            checked(
                "net.cpnt",
                &NET.replace("var x", &function).replace("in A: x", "in A: x\n    out A: f (x, 1)")
            )
            .0,
            0
        );
    }

    #[test]
    fn colour_sets() {
        let sets = lines(150_000, |n| format!("colset C{n} = int;"));
        let (status, message) = checked("net.cpnt", &NET.replace("var x", &format!("{sets}var x")));
        assert!(status == 0 && message.contains("all after it are ignored"), "{message}");
    }

    #[test]
    fn places_and_transitions() {
        let count = 30_000;
        let places = lines(count, |n| format!("  place B{n} : E"));
        let ring = lines(count, |n| {
            format!("  transition S{n}\n    in B{n}: x\n    out B{}: x", (n + 1) % count)
        });
        let hub = lines(count, |n| format!("  transition S{n}\n    in A: x\n    out B{n}: x"));
        for arcs in [ring, hub] {
            let (status, message) = checked("net.cpnt", &format!("{NET}{places}{arcs}"));
            assert!(status == 0 || status == 3, "{message}");
        }
    }

    #[test]
    fn mistakes() {
        let wrong = lines(100_000, |n| format!("val v{n} = unknown{n};"));
        let (status, message) =
            checked("net.cpnt", &NET.replace("var x", &format!("{wrong}var x")));
        assert!(status == 0 && message.contains("more warnings are not shown"), "{status}");
        assert!(message.lines().count() < 500);
        let places = lines(100_000, |n| format!("  place B{n} : D{n}"));
        let (status, message) = checked("net.cpnt", &format!("{NET}{places}"));
        assert!(status == 2 && message.lines().count() < 500, "{status}");
    }
}
