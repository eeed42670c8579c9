//! `check`: exit statuses, the report as text and as JSON, witnesses, logs.

use std::fs;

use super::{json, model, run};

#[test]
fn exit_statuses_tell_the_verdict() {
    let mutex = model("mutex-broken");
    let never = "tokens(inside_1) + tokens(inside_2) > 1";
    assert_eq!(run(&["check", &mutex]).0, 0);
    assert_eq!(run(&["check", &mutex, "--deadlock"]).0, 0);
    assert_eq!(run(&["check", &mutex, "--deadlock", "--never", never]).0, 1);
    assert_eq!(run(&["check", &model("producer"), "--state-limit", "100"]).0, 3);
    let both = ["--never", "buffer >= 3", "--never", "buffer > 1000000", "--state-limit", "100"];
    assert_eq!(run(&[&["check", &model("producer")], &both[..]].concat()).0, 1);
    assert_eq!(run(&["check"]).0, 2);
    assert_eq!(run(&[]).0, 2);
}

/// Random walks see only the first of 3000 packets.
#[test]
fn a_measure_is_found_for_a_long_system() {
    let text = fs::read_to_string(model("stop-and-wait")).unwrap();
    let text = text.replace("<text>20</text>", "<text>3000</text>");
    // Without the place that counts what was received.
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("\"received\"")).collect();
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("long.pnml");
    fs::write(&file, lines.join("\n")).unwrap();
    let (status, found) = json(&["check", file.to_str().unwrap(), "--progress", "auto"]);
    assert_eq!((status, &found["states"]), (0, &164_980.into()));
    assert!(found["peak_states"].as_u64().unwrap() < 200, "{found}");
}

#[test]
fn the_witness_of_the_broken_mutex() {
    let never = "inside_1 + inside_2 > 1";
    let (status, text, _) = run(&["check", &model("mutex-broken"), "--never", never]);
    let (report, _) = text.split_once("\n\nmodel").expect("figures follow");
    assert_eq!(status, 1);
    insta::assert_snapshot!(report, @r"
    violated  never  inside_1 + inside_2 > 1

    counterexample to `never inside_1 + inside_2 > 1`, 4 steps:
      0  outside_1, flag_down_1, outside_2, flag_down_2
      1  look_1   outside_1 1 -> 0, looked_1 0 -> 1
      2  look_2   outside_2 1 -> 0, looked_2 0 -> 1
      3  enter_1  looked_1 1 -> 0, inside_1 0 -> 1, flag_down_1 1 -> 0, flag_up_1 0 -> 1
      4  enter_2  looked_2 1 -> 0, inside_2 0 -> 1, flag_down_2 1 -> 0, flag_up_2 0 -> 1
    ");
}

#[test]
fn long_witnesses_are_cut_in_the_middle() {
    let args = ["check", &model("stop-and-wait"), "--reach", "received >= 20"];
    let (_, short, _) = run(&args);
    let (_, long, _) = run(&[&args[..], &["--full-trace"]].concat());
    assert!(short.contains("steps left out, shown with --full-trace"), "{short}");
    assert!(!long.contains("left out") && long.lines().count() > short.lines().count() + 20);
}

#[test]
fn json_has_the_fields_it_promises() {
    let args = ["check", &model("stop-and-wait"), "--progress", "sent + received"];
    let (status, report) = json(&[&args[..], &["--bound", "received"]].concat());
    assert_eq!(status, 0);
    let fields: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    for field in [
        "schema",
        "model",
        "method",
        "progress",
        "verdict",
        "stop",
        "properties",
        "states",
        "explored",
        "edges",
        "dead",
        "peak_states",
        "persistent",
        "sweeps",
        "regress_edges",
        "seconds",
        "states_per_second",
        "peak_bytes",
        "peak_rss",
        "layers",
        "complete",
    ] {
        assert!(fields.contains(&field), "{field}");
    }
    insta::assert_json_snapshot!(report["properties"], @r#"
    [
      {
        "name": "received",
        "kind": "bound",
        "verdict": "holds",
        "value": [
          0,
          20
        ],
        "witness_length": null
      }
    ]
    "#);
    assert_eq!((&report["schema"], &report["method"]), (&1.into(), &"sweep".into()));
    assert_eq!((&report["states"], &report["stop"]), (&1080.into(), &serde_json::Value::Null));
}

#[test]
fn several_sweeps_give_no_counts_unless_they_are_asked_for() {
    let counts =
        |report: &serde_json::Value| ["states", "edges", "dead"].map(|f| report[f].as_u64());
    let (_, full) = json(&["check", &model("lift"), "--progress", "none"]);
    let swept = ["check", &model("lift"), "--progress", "floors_below"];
    let with = |more: &[&str]| json(&[&swept[..], more].concat()).1;
    let asked = with(&["--deadlock"]);
    assert_eq!(counts(&asked), [None; 3]);
    assert!(asked["explored"].as_u64() > full["states"].as_u64());
    assert!(asked["explored_edges"].as_u64() > full["edges"].as_u64());
    assert!(asked["regress_edges"].as_u64() > Some(0) && asked["sweeps"].as_u64() > Some(1));
    let (_, text, _) = run(&[&swept[..], &["--deadlock"]].concat());
    assert!(text.contains("`--count` counts distinct states") && text.contains(" per visit\n"));
    // Counts are what is asked for.
    for more in [&["--deadlock", "--count"][..], &["--examination", "StateSpace"], &[]] {
        let counted = with(more);
        assert_eq!(counts(&counted), counts(&full), "{more:?}");
        assert_eq!(counted["explored"], asked["explored"]);
    }
}

#[test]
fn answering_everything_early_is_no_stop() {
    let (status, report) = json(&["check", &model("stop-and-wait"), "--reach", "received >= 1"]);
    assert_eq!(
        (status, &report["stop"], &report["complete"]),
        (0, &None::<()>.into(), &false.into())
    );
}

#[test]
fn under_strict_a_regress_edge_is_shown() {
    let args = ["check", &model("lift"), "--progress", "floors_below", "--monotone", "strict"];
    let (status, text, _) = run(&args);
    assert_eq!(status, 3);
    let shown = text.split("\n\n").find(|part| part.contains("a regress edge")).unwrap();
    insta::assert_snapshot!(shown, @r"
    the measure is not monotone: a regress edge
      state      floors_below, 6 floors_above, door_closed, quiet
      action     go_down  floors_below 1 -> 0, floors_above 6 -> 7
      successor  7 floors_above, door_closed, quiet
      progress   1 -> 0
    ");
    assert_eq!(json(&args).1["stop"], "regress");
}

#[test]
fn columns_are_swept_one_after_the_other() {
    let progress = "sent - received, monotone(sent + received)";
    let (_, report) = json(&["check", &model("stop-and-wait"), "--progress", progress]);
    assert_eq!(report["complete"], true);
    assert!(report["peak_states"].as_u64() < Some(60));
}

#[test]
fn findings_are_listed() {
    let questions = ["--dead-states", "3", "--dead-transitions", "--examination", "StableMarking"];
    let (status, report) = json(&[&["check", &model("philosophers")], &questions[..]].concat());
    assert_eq!(status, 1);
    let found = |i: usize| report["properties"][i]["findings"].as_array().map(Vec::len);
    assert_eq!((found(0), found(1), found(2)), (Some(2), None, None));
    assert_eq!(report["properties"][1]["verdict"], "holds");
    assert_eq!(report["properties"][2]["verdict"], "violated");
}

#[test]
fn a_deadlock_violates_and_answers_the_contest() {
    let args = ["check", &model("philosophers"), "--deadlock"];
    let (_, report) = json(&[&args[..], &["--examination", "ReachabilityDeadlock"]].concat());
    assert_eq!(report["properties"][0]["verdict"], "violated");
    assert_eq!(report["properties"][1]["verdict"], "holds");
    assert_eq!(report["properties"][1]["kind"], "reach-deadlock");
}

#[test]
fn an_initial_marking_can_be_set() {
    let (_, report) = json(&["check", &model("kanban"), "--init", "free_1=1"]);
    assert!(report["states"].as_u64() < Some(4600));
    let (status, _, errors) = run(&["check", &model("kanban"), "--init", "fre_1=1"]);
    assert!(status == 2 && errors.contains("did you mean `free_1`?"), "{errors}");
    assert_eq!(run(&["check", &model("kanban"), "--init", "free_1=-1"]).0, 2);
}

#[test]
fn traces_and_logs_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (trace, log) = (path("trace.json"), path("log.csv"));
    let args = ["check", &model("stop-and-wait"), "--progress", "sent + received"];
    let more = ["--never", "received >= 3", "--bound", "sent", "--trace", &trace, "--log", &log];
    assert_eq!(run(&[&args[..], &more[..]].concat()).0, 1);
    let trace: serde_json::Value = serde_json::from_slice(&fs::read(trace).unwrap()).unwrap();
    let witness = &trace["witnesses"][0];
    let n_steps = witness["steps"].as_array().unwrap().len();
    assert!(n_steps > 0 && witness["length"] == n_steps && witness["verdict"] == "violated");
    let log = fs::read_to_string(log).unwrap();
    assert!(
        log.starts_with(
            "progress,states,held,peak,explored,seconds,done,left,done_most,left_least\n0,4,"
        ),
        "{log}"
    );
    assert_eq!(log.lines().count(), 1 + 41);
}

#[test]
fn logs_estimate_what_remains() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.csv");
    let log = log.to_str().unwrap();
    // Explored states, and the share of all states that this is, at least and at most.
    let estimates = |args: &[&str]| -> Vec<(u64, f64, f64)> {
        assert_eq!(run(&[&["check"], args, &["--log", log]].concat()).0, 0);
        let text = fs::read_to_string(log).unwrap();
        let column = |line: &str, n: usize| line.rsplit(',').nth(n).map(str::to_owned);
        let number = |line: &str, n: usize| column(line, n)?.parse::<f64>().ok();
        let row = |line| Some((number(line, 5)? as u64, number(line, 3)?, number(line, 1)?));
        text.lines().skip(1).filter_map(row).collect()
    };
    // The search has counted all states.
    let found = estimates(&[&model("stop-and-wait"), "--progress", "auto"]);
    assert!(found.len() > 30, "{found:?}");
    for (explored, least, most) in found {
        assert!((least - explored as f64 / 1_080.0).abs() < 0.001 && least == most);
    }
    // No invariant bounds `received`, so random walks find the end.
    let own = estimates(&[&model("stop-and-wait"), "--progress", "sent + received"]);
    // Invariants bound this one. It is not monotone: layers are visited before they are complete.
    let free = [1, 2, 3, 4].map(|cell| format!("--init=free_{cell}=4"));
    let kanban = model("kanban");
    let mut args = vec![kanban.as_str(), "--progress", "auto"];
    args.extend(free.iter().map(String::as_str));
    for (all, found) in [(1_080, own), (454_475, estimates(&args))] {
        assert!(found.len() >= 5, "{found:?}");
        for (explored, least, most) in found {
            let share = explored as f64 / f64::from(all);
            let is_near = least - 0.05 <= share && share <= most + 0.05;
            assert!(is_near && most - least <= 0.51, "{share} is not in {least}..{most}");
        }
    }
}

#[test]
fn formulas_of_a_file_are_asked_together() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formulas.xml");
    let formula = |id: &str, path: &str, least: u32| {
        format!(
            "<property><id>{id}</id><description/><formula>{path}<integer-le>\
             <integer-constant>{least}</integer-constant>\
             <tokens-count><place>sold</place></tokens-count></integer-le>{}</formula></property>",
            path.split('>')
                .rev()
                .skip(1)
                .map(|tag| tag.replace('<', "</") + ">")
                .collect::<String>()
        )
    };
    let formulas = [
        formula("some-4", "<exists-path><finally>", 4),
        formula("all-1", "<all-paths><globally>", 1),
        "<property><id>most</id><description/><formula><place-bound><place>sold</place>\
         </place-bound></formula></property>"
            .to_owned(),
    ];
    let space = "http://mcc.lip6.fr/";
    let text = format!("<property-set xmlns=\"{space}\">{}</property-set>", formulas.concat());
    fs::write(&file, text).unwrap();
    let args = ["check", &model("bicycle-shop"), "--property-file", file.to_str().unwrap()];
    let (status, report) = json(&args);
    let rows = report["properties"].as_array().unwrap();
    let verdicts: Vec<_> = rows.iter().map(|p| p["verdict"].as_str().unwrap()).collect();
    assert_eq!((status, verdicts), (1, vec!["holds", "violated", "holds"]));
    assert_eq!(rows[2]["value"], 6);
    let (status, report) = json(&[&args[..], &["--property", "most"]].concat());
    assert_eq!((status, report["properties"].as_array().unwrap().len()), (0, 1));
    let (status, _, errors) = run(&[&args[..], &["--property", "least"]].concat());
    assert!(status == 2 && errors.contains("some-4, all-1, most"), "{errors}");
}

#[test]
fn expressions_may_start_with_a_minus() {
    let net = model("mutex-broken");
    for option in ["--never", "--reach", "--bound"] {
        let text = if option == "--bound" { "-inside_1" } else { "-inside_1 < 0" };
        let (status, _, errors) = run(&["check", &net, option, text]);
        assert!(status < 2, "{errors}");
    }
    let (status, _, errors) = run(&["simulate", &net, "--until", "-inside_1 < 0"]);
    assert_eq!(status, 0, "{errors}");
}

#[test]
fn a_trace_that_cannot_be_written_is_no_surprise_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("no such folder/trace.json");
    let log = folder.path().join("log.csv");
    let args = ["check", &model("mutex-broken"), "--log", log.to_str().unwrap()];
    let (status, text, errors) = run(&[&args[..], &["--trace", trace.to_str().unwrap()]].concat());
    assert!(status == 2 && errors.contains("SWL-CLI-0002"), "{errors}");
    assert!(text.is_empty() && !log.exists(), "refused before the run");
}

#[test]
#[cfg(target_os = "linux")]
fn results_are_printed_though_the_trace_is_lost() {
    let args = ["check", &model("mutex-broken"), "--never", "inside_1 > 0"];
    let (status, text, errors) = run(&[&args[..], &["--trace", "/dev/full"]].concat());
    assert!(status == 2 && errors.contains("SWL-CLI-0002"), "{errors}");
    assert!(text.contains("violated  never  inside_1 > 0"), "{text}");
}
