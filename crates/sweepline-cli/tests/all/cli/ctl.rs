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
fn names_mean_enabled_and_taken_is_accepted_where_states_decide_it() {
    let mutex = model("mutex-broken");
    let ask = |formula: &str| json(&["check", &mutex, "--ctl", formula]);
    let (status, report) = ask("AG (look_1 -> EF enter_1)");
    assert_eq!(status, 0);
    let note = "in CTL `look_1` means `enabled(look_1)`, `enter_1` means `enabled(enter_1)`";
    assert_eq!(report["notes"], serde_json::json!([note]));
    let (status, report) = ask("AG (enabled(look_1) -> EF enabled(enter_1))");
    assert_eq!((status, report.get("notes")), (0, None));
    // The step into the state with both inside is an `enter`.
    assert_eq!(ask("EF ({inside_1 + looked_2 = 2} && EX {inside_2 = 1})").0, 0);
    assert_eq!(ask("EF (taken(enter_2) && {inside_1 = 1})").0, 0);
    assert_eq!(ask("AG (taken(enter_1) -> {looked_1 = 1})").0, 0);
    assert_eq!(ask("AG (taken(enter_1) || {looked_1 = 0})").0, 1);
    assert_eq!(ask("E[!{inside_2 = 1} U taken(exit_1)]").0, 0);
    assert_eq!(ask("AX !(taken(look_1) && taken(look_2))").0, 0);
}

#[test]
fn a_verdict_has_a_witness_or_says_why_not() {
    let mutex = model("mutex-broken");
    let formulas = [
        "AG AF {inside_1 > 0}",
        "EX EX {inside_1 > 0}",
        "AG EF {inside_1 > 0}",
        "E[{inside_1 = 0} U {inside_2 = 1}]",
    ];
    let asked: Vec<&str> = formulas.iter().flat_map(|formula| ["--ctl", formula]).collect();
    let (status, text, _) = run(&[&["check", &*mutex], &asked[..]].concat());
    let (report, _) = text.split_once("\n\nmodel").expect("figures follow");
    assert_eq!(status, 1);
    insta::assert_snapshot!(report, @r"
    violated  ctl  AG AF {inside_1 > 0}
    holds     ctl  EX EX {inside_1 > 0}
    holds     ctl  AG EF {inside_1 > 0}
                the formula is about every run: no single path shows it
    holds     ctl  E[{inside_1 = 0} U {inside_2 = 1}]

    counterexample to `ctl AG AF {inside_1 > 0}`, 4 steps:
      0  outside_1, flag_down_1, outside_2, flag_down_2
      1  look_1   outside_1 1 -> 0, looked_1 0 -> 1
      2  look_2   outside_2 1 -> 0, looked_2 0 -> 1
      3  enter_2  looked_2 1 -> 0, inside_2 0 -> 1, flag_down_2 1 -> 0, flag_up_2 0 -> 1
      4  exit_2   outside_2 0 -> 1, inside_2 1 -> 0, flag_down_2 0 -> 1, flag_up_2 1 -> 0
         steps 2 to 4 repeat for ever

    witness of `ctl EX EX {inside_1 > 0}`, 2 steps:
      0  outside_1, flag_down_1, outside_2, flag_down_2
      1  look_1   outside_1 1 -> 0, looked_1 0 -> 1
      2  enter_1  looked_1 1 -> 0, inside_1 0 -> 1, flag_down_1 1 -> 0, flag_up_1 0 -> 1

    witness of `ctl E[{inside_1 = 0} U {inside_2 = 1}]`, 2 steps:
      0  outside_1, flag_down_1, outside_2, flag_down_2
      1  look_2   outside_2 1 -> 0, looked_2 0 -> 1
      2  enter_2  looked_2 1 -> 0, inside_2 0 -> 1, flag_down_2 1 -> 0, flag_up_2 0 -> 1
    ");
}

#[test]
fn sweeps_find_the_same_kind_of_witness_and_write_it() {
    let commit = model("two-phase-commit");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let trace = folder.path().join("trace.json");
    let trace = trace.to_str().expect("a name");
    let formula = "EF (enabled(decide_commit) && EX EG !{committed_1 = 1})";
    for measure in ["none", "heard_1 + heard_2 + heard_3 - undecided"] {
        let args = ["check", &commit, "--progress", measure, "--ctl", formula, "--trace", trace];
        let (status, report) = json(&args);
        let row = &report["properties"][0];
        assert_eq!((status, row["verdict"].as_str()), (0, Some("holds")), "{report}");
        let length = row["witness_length"].as_u64().expect("a witness");
        assert_eq!(row["loop_start"].as_u64(), Some(length), "the run ends in a dead state");
        let written: serde_json::Value =
            serde_json::from_slice(&std::fs::read(trace).expect("written")).expect("JSON");
        assert_eq!(written["witnesses"][0]["length"].as_u64(), Some(length));
        assert_eq!(
            written["witnesses"][0]["steps"].as_array().map(Vec::len),
            Some(length as usize)
        );
        let (_, silent) = json(&[&args[..6], &["--witness", "off"]].concat());
        assert!(silent["properties"][0]["witness_length"].is_null(), "{silent}");
    }
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
        (&["--ctl", "G look_1"], "needs a quantifier"),
        (&["--ctl", "E[look_1]"], "`U`, `R`, `W` or `M` is missing here"),
        (&["--ctl", "AG nope"], "there is no transition `nope`"),
        (&["--ctl", "taken(look_1)"], "is about the next step of a run"),
        (&["--ctl", "AF taken(look_1)"], "write `enabled(look_1)`"),
        (&["--ctl", "EG !taken(look_1)"], "cannot stand here"),
        (&["--ctl", "AG inside_1"], "`{inside_1 > 0}`"),
        (&["--ctl", "AG {inside_1 > }"], "found the end"),
        (
            &["--ctl", "AG look_1", "--method", "cache", "--cache", "10"],
            "cannot be used with LTL and CTL",
        ),
        (&["--ctl", "AG look_1", "--checkpoint", "c"], "cannot be used with LTL and CTL"),
    ] {
        let (status, _, stderr) = run(&[&["check", &mutex], args].concat());
        assert_eq!(status, 2, "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
}
