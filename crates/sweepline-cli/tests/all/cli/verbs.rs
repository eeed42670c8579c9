//! `info`, `simulate`, `compare`, and what is printed from the definition of the command line.

use serde_json::Value;

use super::{json, model, run, seed};

#[test]
fn info_counts_and_lists() {
    let (status, text, _) = run(&["info", &model("bicycle-shop"), "--places"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!(text);
    let (_, info) = json(&["info", &model("bicycle-shop"), "--transitions"]);
    assert_eq!((&info["ordinary"], &info["max_weight"]), (&false.into(), &4.into()));
    assert_eq!(info["transition_list"][0]["id"], "buy_wheels");
    assert!(info["place_list"].is_null());
}

#[test]
fn simulations_repeat() {
    let args = ["simulate", &model("bicycle-shop"), "--seed", "3", "--steps", "30"];
    let (status, text, _) = run(&args);
    assert_eq!((status, &text), (0, &run(&args).1));
    insta::assert_snapshot!(text);
    let others = ["4", "5", "6", "7"]
        .map(|seed| run(&["simulate", &model("bicycle-shop"), "--seed", seed, "--steps", "30"]).1);
    assert!(others.iter().any(|other| other.lines().skip(1).ne(text.lines().skip(1))));
}

#[test]
fn simulations_end_where_they_should() {
    let philosophers = model("philosophers");
    let until = ["--until", "eating_1 > 0", "--steps", "1000", "--runs", "3"];
    let (_, runs) = json(&[&["simulate", &philosophers], &until[..]].concat());
    let ends: Vec<_> = runs["runs"].as_array().unwrap().iter().map(|run| &run["end"]).collect();
    assert!(
        ends.len() == 3 && ends.iter().all(|end| *end == "until" || *end == "dead"),
        "{ends:?}"
    );
    assert_eq!((&runs["runs"][0]["seed"], &runs["runs"][2]["seed"]), (&1.into(), &3.into()));
    let (_, runs) = json(&["simulate", &philosophers, "--steps", "0"]);
    assert_eq!((&runs["runs"][0]["end"], &runs["runs"][0]["length"]), (&"steps".into(), &0.into()));
    let (_, runs) = json(&["simulate", &model("bicycle-shop"), "--steps", "1000"]);
    assert_eq!(runs["runs"][0]["end"], "dead");
}

#[test]
fn comparisons_agree() {
    let progress = ["--progress", "sent + received", "--progress", "sent"];
    let windows = ["--window", "0", "--window", "3"];
    let stop_and_wait = model("stop-and-wait");
    let args = [&["compare", &stop_and_wait], &progress[..], &windows[..]].concat();
    let (status, comparison) = json(&args);
    assert_eq!((status, &comparison["agree"]), (0, &true.into()));
    let runs = comparison["runs"].as_array().unwrap();
    let methods: Vec<_> = runs.iter().map(|run| run["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["full", "sweep", "sweep", "sweep", "sweep"]);
    assert!(runs.iter().all(|run| run["states"] == 1080));
    let (_, text, _) = run(&args);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("Stop-and-wait: 20 packets over a channel that loses"));
    let widths: Vec<usize> = lines.skip(1).map(|line| line.chars().count()).collect();
    assert!(widths.len() == 6 && widths.iter().all(|&width| width == widths[0]), "{text}");
}

/// The published table has the peaks 2,001, 2,280, 2,280, 2,280 and 2,287 for these; between 2,275 and 2,287
/// the order within a layer decides.
#[test]
fn comparisons_show_the_papers_tables() {
    let vary = ["--vary", "packets=10,50,100,200,500", "--progress", "received", "--gc", "2000"];
    let stop_and_wait = seed("stop-and-wait");
    let args = [&["compare", &stop_and_wait], &vary[..]].concat();
    let (status, comparison) = json(&args);
    assert_eq!((status, &comparison["vary"]), (0, &"packets".into()));
    let runs = comparison["runs"].as_array().unwrap();
    let of = |gc: Value, method: &str| {
        let same = move |run: &&Value| run["gc"] == gc && run["method"] == method;
        let peaks = runs.iter().filter(same).map(|run| run["peak_states"].as_u64().unwrap());
        peaks.collect::<Vec<u64>>()
    };
    assert_eq!(of(Value::Null, "full"), [2_576, 13_416, 26_966, 54_066, 135_366]);
    assert_eq!(of(Value::Null, "sweep"), [287; 5]);
    let collected = of(2000.into(), "sweep");
    assert!(collected[0] == 2_001 && collected[1..].iter().all(|p| (2_275..=2_287).contains(p)));
    let (_, text, _) = run(&args);
    let table: Vec<&str> = text.lines().skip(3).collect();
    assert!(table[0].starts_with("packets   states") && table.len() == 6, "{text}");
    assert!(table.iter().all(|line| line.len() == table[0].len()), "{text}");
    assert!(table[3].starts_with("100       26,966") && table[3].contains(" 98.9% "), "{text}");
    // Of a place/transition net, the tokens of a place.
    let net = model("stop-and-wait");
    let tokens = ["compare", &net, "--progress", "sent"];
    let (status, comparison) = json(&[&tokens[..], &["--vary", "to_send=20,40"]].concat());
    let states: Vec<_> =
        comparison["runs"].as_array().unwrap().iter().map(|r| &r["states"]).collect();
    assert_eq!((status, states), (0, vec![&1080.into(), &1080.into(), &2180.into(), &2180.into()]));
    let (status, _, errors) = run(&[&tokens[..], &["--vary", "to_send"]].concat());
    assert!(status == 2 && errors.contains("to_send=10,100"), "{errors}");
}

#[test]
fn comparisons_find_a_measure_and_admit_limits() {
    let (status, comparison) = json(&["compare", &model("stop-and-wait")]);
    let peaks: Vec<_> =
        comparison["runs"].as_array().unwrap().iter().map(|r| &r["peak_states"]).collect();
    assert_eq!((status, peaks), (0, vec![&1080.into(), &35.into()]), "{comparison}");
    let producer = model("producer");
    let limited = ["compare", &producer, "--progress", "buffer", "--state-limit", "500"];
    let (status, text, _) = run(&limited);
    assert!(status == 3 && text.contains("incomplete runs (state-limit)"), "{text}");
}

#[test]
fn measures_are_found_and_used() {
    let (status, text, _) = run(&["progress", &model("stop-and-wait")]);
    let first = "\n 1  -tokens(to_send) + tokens(received)\n    Monotone: no transition decreases it. \
                 Predicted peak: 3.2% of the states.\n    sweepline check ";
    assert!(status == 0 && text.contains(first), "{text}");
    assert!(text.contains(" --progress auto:1\n"), "{text}");
    let (status, list) = json(&["progress", &model("stop-and-wait")]);
    assert_eq!((status, &list[0]["monotone"], &list[0]["window"]), (0, &true.into(), &0.into()));
    assert!(list[0]["command"].as_str().unwrap().contains(" --progress='-tokens(to_send) + "));
    let (status, report) = json(&["check", &model("stop-and-wait"), "--progress", "auto"]);
    assert_eq!((status, &report["states"], &report["peak_states"]), (0, &1080.into(), &35.into()));
    assert_eq!(report["found"]["monotone"], true);
    // A measure that steps back brings its window along.
    let (status, report) = json(&["check", &model("kanban"), "--progress", "auto"]);
    assert_eq!((status, &report["states"], &report["sweeps"]), (0, &4600.into(), &1.into()));
    assert!(report["found"]["window"].as_u64() > Some(0) && report["regress_edges"] != 0);
}

#[test]
fn a_number_picks_a_measure_of_the_list() {
    for name in ["kanban", "two-phase-commit"] {
        let (_, list) = json(&["progress", &model(name)]);
        let list = list.as_array().unwrap();
        assert!((2..=5).contains(&list.len()), "{list:?}");
        for (number, measure) in (1..).zip(list) {
            let (_, report) =
                json(&["check", &model(name), "--progress", &format!("auto:{number}")]);
            assert_eq!(report["progress"], measure["progress"]);
            assert_eq!((&measure["number"], &report["complete"]), (&number.into(), &true.into()));
        }
        let (status, _, errors) = run(&["check", &model(name), "--progress", "auto:9"]);
        let known = format!("found {}: `auto:1` to `auto:{0}`", list.len());
        assert!(status == 2 && errors.contains("`sweepline progress FILE`"), "{errors}");
        let flat = errors.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>();
        assert!(flat.join(" ").contains(&known), "{known}: {errors}");
    }
}

#[test]
fn a_measure_is_looked_for_when_there_are_many_states() {
    let many = ["check", &model("stop-and-wait"), "--init", "to_send=100000"];
    let (status, report) = json(&[&many[..], &["--never", "received > sent + 1"]].concat());
    assert_eq!((status, &report["method"]), (0, &"sweep".into()));
    assert_eq!(report["states"], 5_499_980);
    assert!(report["peak_states"].as_u64().unwrap() < 100, "{report}");
    assert_eq!(report["found"]["monotone"], true);
    let (_, report) = json(&[&many[..], &["--progress", "none", "--state-limit", "5000"]].concat());
    assert_eq!((&report["method"], &report["found"]), (&"full".into(), &Value::Null));
}

#[test]
fn completions_and_manual_pages_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let (status, script, _) = run(&["completions", shell]);
        assert!(status == 0 && script.contains("memory-limit"), "{shell}");
    }
    let (status, page, _) = run(&["man"]);
    assert!(status == 0 && page.contains(".TH sweepline 1"), "{page}");
    let (status, page, _) = run(&["man", "check"]);
    assert!(status == 0 && page.contains("memory\\-limit"), "{page}");
    assert_eq!(run(&["man", "chekc"]).0, 2);
}

#[test]
fn help_shows_examples() {
    for verb in ["check", "progress", "info", "graph", "simulate", "compare"] {
        let (status, help, _) = run(&[verb, "--help"]);
        assert!(status == 0 && help.contains("Examples:"), "{verb}");
    }
    let (status, version, _) = run(&["--version"]);
    assert_eq!((status, version), (0, format!("sweepline {}\n", env!("CARGO_PKG_VERSION"))));
}
