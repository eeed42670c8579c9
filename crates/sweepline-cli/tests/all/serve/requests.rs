//! What a page asks, and what the server answers.

use std::process::Command;

use serde_json::{Value, json};

use super::http::plain;
use super::{Served, args, copy, model};

/// The number of the enabled step with this name.
#[track_caller]
fn choice(view: &Value, name: &str) -> usize {
    let steps = view["enabled"]["steps"].as_array().expect("a list");
    let at =
        steps.iter().position(|step| step[0].as_str().is_some_and(|step| step.starts_with(name)));
    at.unwrap_or_else(|| panic!("{name} in {}", view["enabled"]))
}

/// The parameters of a model that needs some.
fn given(name: &str) -> Value {
    let process = name.ends_with(".csp").then_some("SAME");
    json!({"param": [], "init": [], "process": process})
}

#[test]
fn every_kind_of_model_can_be_stepped_through() {
    for (name, drawn) in [
        ("mutex-broken.pnml", true),
        ("protocol.cpn", true),
        ("timed.cpn", true),
        ("seeds/stop-and-wait.cpnt", true),
        ("csp/philosophers.csp", false),
    ] {
        let server = Served::start(&args(name));
        let mut view = server.open(given(name));
        let run = view["run"].clone();
        assert_eq!(view["at"], 0, "{name}");
        assert_eq!(
            view["sheets"].as_array().map(|sheets| !sheets.is_empty()),
            Some(drawn),
            "{name}"
        );
        assert!(!view["state"]["parts"].as_array().unwrap().is_empty(), "{name}");
        for step in 1..=5 {
            view = server.ask(&json!({"ask": "step", "run": run, "choice": 0}));
            assert_eq!((&view["at"], &view["length"]), (&json!(step), &json!(step)), "{name}");
        }
        let link = view["link"].as_str().unwrap().to_owned();
        assert_eq!(link, "0.0.0.0.0", "{name}");
        let state = view["state"].clone();
        let back = server.ask(&json!({"ask": "go", "run": run, "to": 3}));
        assert_eq!((&back["at"], &back["length"]), (&json!(3), &json!(5)), "{name}");
        let again = server.ask(&json!({"ask": "go", "run": run, "to": 5}));
        assert_eq!(
            again["state"]["parts"].as_array().unwrap().len(),
            state["parts"].as_array().unwrap().len()
        );
        // Another page opens the same address.
        let settings = view["settings"].clone();
        let open =
            json!({"ask": "open", "settings": settings, "choices": [0, 0, 0, 0, 0], "at": 5});
        assert_eq!(server.ask(&open)["state"], state, "{name}");
    }
}

#[test]
fn a_lts_is_a_list_of_one_component() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.aut");
    std::fs::write(&file, "des (0, 2, 2)\n(0, \"on\", 1)\n(1, \"off\", 0)\n").unwrap();
    let server = Served::start(&[file.to_str().unwrap()]);
    let view = server.open(plain());
    assert_eq!(view["enabled"]["steps"], json!([["on", null]]));
    let view = server.ask(&json!({"ask": "step", "run": view["run"], "choice": 0}));
    assert_eq!(view["enabled"]["steps"], json!([["off", null]]));
    assert_eq!(view["state"]["parts"][0][2], true, "the component changed: {view}");
}

#[test]
fn a_model_from_a_pipe_is_read_once() {
    let server =
        Served::piped(&["/dev/stdin"], &std::fs::read(model("mutex-broken.pnml")).unwrap());
    assert_eq!(server.open(plain())["at"], 0);
    let more = json!({"param": [], "init": ["outside_1=2"], "process": null});
    assert_eq!(server.open(more)["state"]["parts"][0], json!(["outside_1", "2", false]));
}

#[test]
fn the_net_is_drawn_with_its_tokens_and_enabled_transitions() {
    let server = Served::start(&[&model("mutex-broken.pnml")]);
    let view = server.open(plain());
    let svg = view["sheets"][0]["svg"].as_str().unwrap();
    assert_eq!(svg.matches("data-transition=").count(), 2, "two are enabled: {svg}");
    assert!(svg.contains("countnumber") && svg.contains("outside_1"), "{svg}");
    let look = choice(&view, "look_1");
    let number = view["enabled"]["steps"][look][1].clone();
    assert!(svg.contains(&format!("data-transition=\"{number}\"")), "{svg}");
    let view = server.ask(&json!({"ask": "step", "run": view["run"], "choice": look}));
    assert_eq!(view["last"], "look_1");
    assert_eq!(view["changes"], json!([["outside_1", "1", "0"], ["looked_1", "0", "1"]]));
    assert_eq!(
        server.refused(&json!({"ask": "step", "run": view["run"], "choice": 99})),
        "there is no step 100: 2 are enabled here"
    );
}

#[test]
fn steps_that_were_taken_back_stay_until_another_one_is_taken() {
    let server = Served::start(&[&model("mutex-broken.pnml")]);
    let run = server.open(plain())["run"].clone();
    let ask = |request: &str, more: Value| {
        let mut all = json!({"ask": request, "run": run});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.ask(&all)
    };
    for _ in 0..3 {
        ask("step", json!({"choice": 0}));
    }
    let view = ask("go", json!({"to": 1}));
    assert_eq!(view["length"], 3);
    assert_eq!(ask("step", json!({"choice": 0}))["length"], 3, "the same step again");
    let view = ask("go", json!({"to": 1}));
    assert!(view["enabled"]["steps"].as_array().unwrap().len() > 1, "{view}");
    assert_eq!(ask("step", json!({"choice": 1}))["length"], 2, "another step");
}

#[test]
fn random_runs_reach_conditions_and_deadlocks() {
    let server = Served::start(&[&model("philosophers.pnml")]);
    let run = server.open(plain())["run"].clone();
    let mut view = server.ask(&json!({"ask": "random", "run": run, "steps": 1}));
    assert_eq!(view["at"], 1);
    for _ in 0..1000 {
        view = server.ask(&json!({"ask": "until", "run": run, "condition": "deadlock"}));
        if view["until"] != "more" {
            break;
        }
    }
    assert_eq!(view["until"], "found");
    assert_eq!(view["ended"]["word"], "dead");
    assert_eq!(view["enabled"], json!({"steps": [], "more": 0}));
    let wrong = server.refused(&json!({"ask": "until", "run": run, "condition": "nonsense >"}));
    assert!(wrong.contains("nonsense"), "{wrong}");
}

#[test]
fn rows_have_changes_and_values_of_expressions() {
    let server = Served::start(&[&model("stop-and-wait.pnml")]);
    let run = server.open(plain())["run"].clone();
    server.ask(&json!({"ask": "random", "run": run, "steps": 50}));
    let rows = server.ask(
        &json!({"ask": "rows", "run": run, "from": 0, "to": 1000, "watch": ["sent + received", "sent > 0"]}),
    );
    assert_eq!(rows["length"], 50);
    let rows = rows["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 51);
    assert_eq!(
        (&rows[0]["action"], &rows[0]["values"]),
        (&json!("initial state"), &json!(["0", "false"]))
    );
    assert_eq!(rows[50]["values"][1], "true");
    let progress: Vec<i64> =
        rows.iter().map(|row| row["values"][0].as_str().unwrap().parse().unwrap()).collect();
    assert!(progress.windows(2).all(|two| two[0] <= two[1]) && progress[50] > 0, "{progress:?}");
    let plot = server.ask(&json!({"ask": "plot", "run": run, "watch": ["sent + received"]}));
    assert!(plot["svg"].as_str().unwrap().contains("class=\"curve one\""), "{plot}");
    let chart = server.ask(&json!({"ask": "sequence", "run": run, "from": 0}));
    assert_eq!(chart["svg"].as_str().unwrap().matches("data-step=").count(), 50);
}

#[test]
fn traces_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.json");
    for name in ["philosophers.pnml", "protocol.cpn", "csp/philosophers.csp"] {
        let server = Served::start(&args(name));
        let run = server.open(given(name))["run"].clone();
        let view = server.ask(&json!({"ask": "random", "run": run, "steps": 12}));
        let text = server.ask(&json!({"ask": "save", "run": run}))["text"].clone();
        let settings = view["settings"].clone();
        let loaded = server.ask(&json!({"ask": "load", "settings": settings, "text": text}));
        assert_ne!(loaded["run"], run);
        assert_eq!((&loaded["state"], &loaded["at"]), (&view["state"], &view["at"]), "{name}");
        assert_eq!(loaded["link"], view["link"], "{name}");
    }
    // A file of `check --trace`.
    let mut check = Command::new(env!("CARGO_BIN_EXE_sweepline"));
    check.args([
        "check",
        &model("philosophers.pnml"),
        "--deadlock",
        "--trace",
        file.to_str().unwrap(),
    ]);
    assert_eq!(check.output().unwrap().status.code(), Some(1));
    let server = Served::start(&[&model("philosophers.pnml")]);
    let text = std::fs::read_to_string(&file).unwrap();
    let view = server.ask(&json!({"ask": "load", "settings": plain(), "text": text}));
    assert_eq!(view["ended"]["word"], "dead");
    let refused =
        |text: &str| server.refused(&json!({"ask": "load", "settings": plain(), "text": text}));
    assert!(refused("{}").contains("no file of `sweepline check --trace`"));
    let other = text.replace("\"action\": \"", "\"action\": \"x");
    assert!(refused(&other).contains("step 1 of the trace"), "{}", refused(&other));
}

#[test]
fn checks_run_in_the_background_and_their_counterexamples_open() {
    let server = Served::start(&[&model("philosophers.pnml")]);
    let job = server.check(plain(), json!([{"kind": "deadlock"}]), "");
    let row = &job["results"]["rows"][0];
    assert_eq!((&row["verdict"], &row["claim"]), (&json!("violated"), &json!("no deadlock")));
    let length = row["length"].as_u64().unwrap();
    assert!(length > 2, "{row}");
    let show = |at: u64| {
        server.ask(&json!({"ask": "show", "check": job["number"], "property": 0, "at": at}))
    };
    assert_eq!(show(2)["at"], 2);
    let end = show(length);
    assert_eq!((&end["at"], &end["ended"]["word"]), (&json!(length), &json!("dead")));
    assert!(end["link"].is_string(), "the address has the steps of the counterexample");
    assert!(
        server
            .refused(&json!({"ask": "show", "check": job["number"], "property": 7, "at": 0}))
            .contains("no trace")
    );
    assert!(
        server
            .refused(&json!({"ask": "show", "check": 99, "property": 0, "at": 0}))
            .contains("not there")
    );
}

#[test]
fn all_kinds_of_properties_are_checked_as_by_the_verb() {
    let server = Served::start(&[&model("philosophers.pnml")]);
    let verdicts = |properties: Value| {
        let job = server.check(plain(), properties, "");
        assert_eq!(job["failed"], Value::Null, "{job}");
        let rows = job["results"]["rows"].as_array().unwrap().clone();
        rows.iter().map(|row| row["verdict"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let kinds = json!([
        {"kind": "never", "text": "deadlock"}, {"kind": "reach", "text": "deadlock"},
        {"kind": "terminates"}, {"kind": "reversible"},
    ]);
    assert_eq!(verdicts(kinds), ["violated", "holds", "violated", "violated"]);
    let formulas = json!([{"kind": "ltl", "text": "G F {deadlock}"}, {"kind": "ctl", "text": "EF {deadlock}"}]);
    assert_eq!(verdicts(formulas), ["violated", "holds"]);
    let all = server.check(plain(), json!([]), "");
    assert_eq!(all["results"]["states"], 243, "{all}");
    let wrong = server.check(plain(), json!([{"kind": "never", "text": "no such place"}]), "");
    assert!(wrong["failed"].as_str().unwrap().contains("no"), "{wrong}");
    let request = json!({"ask": "check", "settings": plain(), "properties": [{"kind": "never", "text": " "}], "progress": ""});
    assert!(server.refused(&request).contains("write what `never` is about"));
    let options = json!({"ask": "check", "settings": plain(), "properties": [{"kind": "trace", "text": "/tmp/x"}], "progress": ""});
    assert!(
        server.refused(&options).contains("not understood"),
        "options that name files are no properties"
    );
}

#[test]
fn declared_properties_are_known_and_checked() {
    let server = Served::start(&[&model("seeds/stop-and-wait.cpnt")]);
    let about = server.open(plain())["about"].clone();
    let first = about["properties"][0]["name"].as_str().expect("it declares one").to_owned();
    assert!(!about["measures"].as_array().unwrap().is_empty(), "{about}");
    let job = server.check(plain(), json!([{"kind": "property", "text": first}]), "");
    assert_eq!(job["results"]["rows"].as_array().map(Vec::len), Some(1), "{job}");
    assert_ne!(job["results"]["rows"][0]["verdict"], "unknown", "{job}");
}

#[test]
fn assertions_of_a_script_are_decided_and_their_traces_opened() {
    let server = Served::start(&args("csp/philosophers.csp"));
    let about = server.open(given(".csp"))["about"].clone();
    let texts = about["assertions"].as_array().unwrap();
    assert!(texts.len() > 2 && texts[0] == "SAME :[deadlock free [F]]", "{about}");
    let numbers = json!([{"kind": "assertion", "text": "1"}, {"kind": "assertion", "text": "2"}]);
    let job = server.check(given(".csp"), numbers, "");
    let rows = job["results"]["rows"].as_array().unwrap();
    assert_eq!((&rows[0]["verdict"], &rows[1]["verdict"]), (&json!("violated"), &json!("holds")));
    assert_eq!(rows[0]["of"], texts[0]);
    let length = rows[0]["length"].as_u64().unwrap();
    // The trace is one of the process that the assertion is about, whichever is open.
    let show = json!({"ask": "show", "check": job["number"], "property": 0, "at": length});
    let view = server.ask(&show);
    assert_eq!((&view["at"], &view["ended"]["word"]), (&json!(length), &json!("dead")));
    assert_eq!(view["settings"]["process"], "SAME");
    let show = json!({"ask": "show", "check": job["number"], "property": 1, "at": 0});
    assert_eq!(server.refused(&show), "this assertion has no trace");
    let wrong = json!([{"kind": "assertion", "text": "99"}]);
    assert!(
        server.check(given(".csp"), wrong, "")["failed"]
            .as_str()
            .unwrap()
            .contains("no property `99`")
    );
}

#[test]
fn the_sweep_is_told_while_it_runs_and_can_be_stopped() {
    let server = Served::start(&[&model("stop-and-wait.pnml")]);
    let settings = json!({"param": [], "init": ["to_send=5000000"], "process": null});
    let request = json!({
        "ask": "check", "settings": settings, "properties": [{"kind": "never", "text": "received > sent + 1"}],
        "progress": "sent + received",
    });
    let check = server.ask(&request)["check"].clone();
    let is_moving = |job: &Value| job["running"] == true && job["chart"].is_string();
    let job = server.news_of(&check, is_moving);
    assert!(job["layers"].as_u64() > Some(0) && job["explored"].as_u64() > Some(0), "{job}");
    assert!(job["stored"].as_u64() < job["explored"].as_u64(), "{job}");
    assert!(!job["progress"].as_str().unwrap().is_empty(), "{job}");
    let later =
        server.news_of(&check, |later| later["explored"].as_u64() > job["explored"].as_u64());
    assert_ne!(later["chart"], job["chart"], "the chart moves");
    // The page answers meanwhile.
    server.open(plain());
    server.news_of(&check, |job| job["running"] == true);
    server.ask(&json!({"ask": "stop", "check": check}));
    let job = server.news_of(&check, |job| job["running"] == false);
    assert_eq!(job["results"]["rows"][0]["verdict"], "unknown", "{job}");
    assert!(job["results"]["stop"].is_string(), "{job}");
}

#[test]
fn the_states_around_the_current_one_are_drawn_and_reached() {
    let server = Served::start(&[&model("philosophers.pnml")]);
    let run = server.open(plain())["run"].clone();
    let around = server.ask(&json!({"ask": "around", "run": run, "expand": null, "merge": null}));
    let n = around["hidden"].as_array().unwrap().len();
    assert!(n > 2 && around["here"] == 0, "{around}");
    let open =
        around["hidden"].as_array().unwrap().iter().position(|n| n.as_u64() > Some(0)).unwrap();
    assert!(
        around["svg"].as_str().unwrap().contains("more successor"),
        "the mark of what is left out"
    );
    let grown = server.ask(&json!({"ask": "around", "run": run, "expand": open, "merge": null}));
    assert!(grown["hidden"].as_array().unwrap().len() > n, "{grown}");
    assert_eq!(grown["hidden"][open], 0, "its successors are drawn");
    let last = grown["hidden"].as_array().unwrap().len() - 1;
    let check = server.ask(&json!({"ask": "way", "run": run, "state": last}))["check"].clone();
    let job = server.news_of(&check, |job| job["running"] == false);
    assert_eq!(job["results"]["rows"][0]["verdict"], "holds", "{job}");
    assert_eq!(job["results"]["rows"][0]["length"], 2, "a shortest path");
    assert!(
        server.refused(&json!({"ask": "way", "run": run, "state": 9999})).contains("draw it again")
    );
}

#[test]
fn states_with_the_same_value_are_merged() {
    let server = Served::start(&[&model("mutex-broken.pnml")]);
    let run = server.open(plain())["run"].clone();
    let around = |expand: Value, merge: &str| {
        server.ask(&json!({"ask": "around", "run": run, "expand": expand, "merge": merge}))
    };
    let mut drawn = around(Value::Null, "inside_1 + inside_2");
    for _ in 0..6 {
        let hidden = drawn["hidden"].as_array().unwrap();
        let Some(open) = hidden.iter().position(|n| n.as_u64() > Some(0)) else { break };
        drawn = around(json!(open), "inside_1 + inside_2");
    }
    // None, one or both are inside: three nodes, with all nine states.
    assert_eq!(drawn["hidden"], json!([0, 0, 0]), "{drawn}");
    let svg = drawn["svg"].as_str().unwrap();
    for (value, states) in [("0", 4), ("1", 4), ("2", 1)] {
        assert!(svg.contains(&format!("inside_1 + inside_2: {value}\nstates: {states}")), "{svg}");
    }
    let both = (0..3).find(|node| {
        let part = svg.split(&format!("data-state=\"{node}\"")).nth(1).unwrap();
        part.starts_with(" role=\"button\" tabindex=\"0\" aria-label=\"inside_1 + inside_2: 2")
    });
    let check =
        server.ask(&json!({"ask": "way", "run": run, "state": both.unwrap()}))["check"].clone();
    let job = server.news_of(&check, |job| job["running"] == false);
    assert_eq!(job["results"]["rows"][0]["length"], 4, "{job}");
    // Each state by itself again.
    assert_eq!(
        server.ask(&json!({"ask": "around", "run": run, "expand": null, "merge": null}))["hidden"]
            .as_array()
            .unwrap()
            .len(),
        9
    );
    assert!(
        server
            .refused(&json!({"ask": "around", "run": run, "expand": null, "merge": "nonsense"}))
            .contains("nonsense")
    );
}

#[test]
fn parameters_make_another_model() {
    let server = Served::start(&[&model("stop-and-wait.pnml")]);
    let two = json!({"param": [], "init": ["to_send=2"], "process": null});
    let states = |settings: Value| {
        let job = server.check(settings.clone(), json!([]), "");
        let init = settings["init"].as_array().unwrap();
        let words: Vec<String> =
            init.iter().map(|text| format!("--init {}", text.as_str().unwrap())).collect();
        assert_eq!(job["settings"], words.join(", "));
        job["results"]["states"].clone()
    };
    assert_eq!(states(plain()), 1080);
    assert!(states(two.clone()).as_u64() < Some(1080));
    assert_eq!(server.open(two)["settings"]["init"], json!(["to_send=2"]));
    let wrong =
        json!({"ask": "open", "settings": {"init": ["nothing=2"]}, "choices": [], "at": null});
    assert!(server.refused(&wrong).contains("there is no place `nothing`"));
}

#[test]
fn a_changed_model_is_noticed_and_reloaded_with_the_same_steps() {
    let folder = tempfile::tempdir().unwrap();
    let file = copy(&folder, "mutex-broken.pnml");
    let server = Served::start(&[file.to_str().unwrap()]);
    let run = server.open(plain())["run"].clone();
    let view = server.ask(&json!({"ask": "step", "run": run, "choice": 0}));
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("enter_1", "enter_again_1")).unwrap();
    assert_eq!(
        server.ask(&json!({"ask": "view", "run": run}))["state"],
        view["state"],
        "the run stays"
    );
    let reloaded = server.ask(&json!({"ask": "reload", "run": run, "settings": plain()}));
    assert_ne!(reloaded["stamp"], view["stamp"]);
    assert_eq!((&reloaded["at"], &reloaded["note"]), (&json!(1), &Value::Null));
    assert!(reloaded.to_string().contains("enter_again_1"), "{reloaded}");
    // Where a step is not there any more, the trace ends before it.
    let run = reloaded["run"].clone();
    let last = reloaded["last"].as_str().unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(last, "renamed")).unwrap();
    let reloaded = server.ask(&json!({"ask": "reload", "run": run, "settings": plain()}));
    assert_eq!(reloaded["at"], 0);
    assert!(reloaded["note"].as_str().unwrap().contains("step 1 of the trace"), "{reloaded}");
    // A counterexample is one of the model that was checked.
    let job = server.check(plain(), json!([{"kind": "never", "text": "inside_1 = 1"}]), "");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, before.replace("inside_1", "within_1")).unwrap();
    let shown =
        server.ask(&json!({"ask": "show", "check": job["number"], "property": 0, "at": null}));
    assert!(
        shown.to_string().contains("inside_1") && !shown.to_string().contains("within_1"),
        "{shown}"
    );
    assert_eq!(shown["stamp"], job["stamp"]);
    assert_ne!(server.open(plain())["stamp"], job["stamp"]);
    // What cannot be read is refused, and the run goes on.
    std::fs::write(&file, "<pnml").unwrap();
    server.refused(&json!({"ask": "reload", "run": run, "settings": plain()}));
    server.ask(&json!({"ask": "view", "run": run}));
}
