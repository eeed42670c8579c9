//! `check --ctl`: verdicts, in the order they were asked, and what is refused.

use super::{json, model, run};

fn verdicts(args: &[&str]) -> (i32, Vec<String>) {
    let (status, report) = json(&[&["check"], args].concat());
    let rows = report["properties"].as_array().expect("a list of properties");
    let word = |row: &serde_json::Value| {
        format!("{} {}", row["kind"].as_str().unwrap(), row["verdict"].as_str().unwrap())
    };
    (status, rows.iter().map(word).collect())
}

#[test]
fn formulas_are_answered_in_the_order_they_were_asked() {
    let mutex = model("mutex-broken");
    let possible = ["--ctl", "AG (look_1 -> EF {inside_1 > 0})", "--ctl", "AG AF {inside_1 > 0}"];
    let more = ["--ctl", "EF {inside_1 + inside_2 = 2}", "--ltl", "G F look_1", "--deadlock"];
    let (status, words) = verdicts(&[&[&*mutex], &possible[..], &more[..]].concat());
    assert_eq!(status, 1);
    let expected = ["deadlock holds", "ltl violated", "ctl holds", "ctl violated", "ctl holds"];
    assert_eq!(words, expected);
    let live = ["--ltl", "F {inside_1 > 0}", "--examination", "Liveness", "--progress", "inside_1"];
    let (_, words) = verdicts(&[&[&*mutex], &live[..], &possible[..]].concat());
    assert_eq!(words, ["ltl violated", "ctl holds", "ctl violated", "live holds"]);
}

#[test]
fn sweeps_decide_formulas_as_full_exploration_does() {
    let commit = model("two-phase-commit");
    let formulas = [
        "A[!{committed_1 = 1} W decide_commit]",
        "EF ({committed_1 = 1} && EX AG !{committed_2 = 1})",
        "AG (decide_commit -> AF {committed_1 = 1})",
        "E[!decide_abort U {committed_3 = 1}]",
        "AG EF deadlock",
        "EG !deadlock",
        "AF deadlock && EX EX EX true",
    ];
    let asked: Vec<&str> = formulas.iter().flat_map(|formula| ["--ctl", formula]).collect();
    let full = verdicts(&[&[&*commit], &asked[..]].concat());
    assert_eq!(full.1.iter().filter(|word| *word == "ctl holds").count(), 3);
    let measure = ["--progress", "heard_1 + heard_2 + heard_3 - undecided"];
    assert_eq!(verdicts(&[&[&*commit], &asked[..], &measure[..]].concat()), full);
    assert_eq!(verdicts(&[&[&*commit], &asked[..], &["--progress", "auto"]].concat()), full);
}

#[test]
fn a_measure_that_falls_is_given_up_or_refused() {
    let lift = model("lift");
    let lift = ["check", &lift, "--progress", "floors_below", "--ctl", "AG (call -> EF answer)"];
    let (status, text, _) = run(&lift);
    assert!(
        status == 0 && text.contains("the progress measure is not monotone: explored in full"),
        "{text}"
    );
    let (status, text, _) = run(&[&lift[..], &["--monotone", "strict"]].concat());
    assert!(status == 3 && text.contains("action     go_down"), "{text}");
}

#[test]
fn coloured_nets_and_processes_have_formulas_too() {
    let file = |name: &str| format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
    let (cpn, csp) = (&file("stop-and-wait.cpn"), &file("seeds/stop-and-wait.csp"));
    let formula = "AG (Send -> EF {length (ms_to_list Received) > 0})";
    assert_eq!(run(&["check", cpn, "--ctl", formula]).0, 0);
    let process = ["check", csp, "--process", "SYSTEM"];
    assert_eq!(run(&[&process[..], &["--ctl", "AG (send -> EF rec)"]].concat()).0, 0);
    assert_eq!(run(&[&process[..], &["--ctl", "AG (send -> AF rec)"]].concat()).0, 1);
}

#[test]
fn mistakes_are_explained() {
    let mutex = model("mutex-broken");
    for (args, message) in [
        (&["--ctl", "AG (look_1"][..], "the parenthesis is not closed"),
        (&["--ctl", "G look_1"], "it is not said of which"),
        (&["--ctl", "E[look_1]"], "`U`, `R`, `W` or `M` is missing here"),
        (&["--ctl", "AG nope"], "there is no transition `nope`"),
        (&["--ctl", "AG inside_1"], "`{inside_1 > 0}`"),
        (&["--ctl", "AG {inside_1 > }"], "found the end"),
        (
            &["--ctl", "AG look_1", "--method", "cache", "--cache", "10"],
            "cannot be used with formulas",
        ),
        (&["--ctl", "AG look_1", "--checkpoint", "c"], "cannot be used with formulas"),
    ] {
        let (status, _, stderr) = run(&[&["check", &mutex], args].concat());
        assert_eq!(status, 2, "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
}
