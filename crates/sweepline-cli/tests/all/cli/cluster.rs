//! Several processes print what one prints.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

use super::{json, model, philosophers, run, seed};

/// Runs a command; its error is in one line, without the frame, which depends on the locale.
fn told(args: &[&str]) -> (i32, String, String) {
    let (status, output, error) = run(args);
    let words: Vec<&str> =
        error.split_whitespace().filter(|word| !matches!(*word, "│" | "|")).collect();
    (status, output, words.join(" "))
}

/// Removes what is about time, and about the number of processes and threads.
fn common(mut value: Value) -> Value {
    let fields = value.as_object_mut().expect("an object");
    for name in ["seconds", "states_per_second", "peak_rss", "peak_bytes", "threads", "processes"] {
        fields.remove(name);
    }
    fields.remove("workers");
    value
}

/// Compares one thread with several processes, for properties that no single state decides.
fn alike(args: &[&str]) {
    let (status, one) = json(&[args, &["--threads", "1"]].concat());
    for (processes, threads) in [("1", "2"), ("2", "1"), ("3", "2")] {
        let several = ["--processes", processes, "--threads", threads];
        let (code, value) = json(&[args, &several].concat());
        let workers = value["workers"].as_array().expect("workers").len().to_string();
        let expected = processes.parse::<usize>().unwrap() * threads.parse::<usize>().unwrap();
        assert_eq!(workers, expected.to_string());
        assert_eq!((code, common(value)), (status, common(one.clone())), "{processes}: {args:?}");
    }
}

#[test]
fn counts_and_verdicts_are_those_of_one_thread() {
    let (kanban, workshop) = (model("kanban"), model("workshop"));
    alike(&["check", &kanban, "--method", "full"]);
    alike(&["check", &kanban, "--method", "full", "--deadlock", "--dead-transitions"]);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("philosophers.pnml");
    fs::write(&file, philosophers(6)).unwrap();
    let net = file.to_str().unwrap();
    alike(&["check", net, "--progress", "eat0", "--never", "eat0 + eat1 > 1"]);
    alike(&["check", net, "--progress", "eat0", "--window", "1", "--bound", "eat0 + eat3"]);
    alike(&[
        "check",
        net,
        "--progress",
        "monotone(eat0 + think0), eat1",
        "--count",
        "--bound",
        "eat3",
    ]);
    alike(&["check", &workshop, "--method", "full", "--dead-states", "3"]);
}

#[test]
fn coloured_nets_and_processes() {
    for net in ["lock-management", "stop-and-wait"] {
        alike(&["check", &seed(net), "--property", "none", "--method", "full"]);
    }
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("ring.csp");
    let text = "channel step : {0..3}.{0..4}\n\
        P(i, n) = n < 4 & step.i.n -> P(i, n + 1)\n\
        SYSTEM = ||| i : {0..3} @ P(i, 0)\n";
    fs::write(&script, text).unwrap();
    let args = ["check", script.to_str().unwrap(), "--process", "SYSTEM", "--method", "full"];
    alike(&args);
    alike(&[&args[..], &["--dead-states", "4"]].concat());
}

/// The counterexample is a path of the model, although its states were stored by different processes.
#[test]
fn a_violation_has_a_counterexample() {
    let broken = model("mutex-broken");
    let args = ["check", &broken, "--deadlock", "--processes", "3", "--threads", "1"];
    let (one, expected) = json(&["check", &broken, "--deadlock", "--threads", "1"]);
    let (several, found) = json(&args);
    assert_eq!(several, one);
    assert_eq!(found["properties"][0]["verdict"], expected["properties"][0]["verdict"]);
    let lengths = [&found, &expected].map(|value| value["properties"][0]["witness_length"].clone());
    assert_eq!(lengths[0], lengths[1], "the shortest path in a full exploration");
    let (_, text, _) = run(&args);
    assert!(text.contains("processes      3, with 1 worker each"), "{text}");
}

/// Two commands, as they would be typed on two machines.
#[test]
fn hosts_join_by_a_list_and_a_secret() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (hosts, secret) = (path("hosts"), path("secret"));
    // The ports are free now; another program could take them before the commands start.
    let ports = [0, 0].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let lines = ports.each_ref().map(|port| format!("{}\n", port.local_addr().unwrap()));
    drop(ports);
    fs::write(&hosts, lines.concat()).unwrap();
    fs::write(&secret, "a secret of more than sixteen bytes\n").unwrap();
    let kanban = model("kanban");
    let command = |host: &'static str, more: &[&'static str]| {
        let args = ["check", &kanban, "--threads", "1", "--hosts", &hosts, "--host", host];
        let args = [&args[..], &["--secret", &secret], more].concat();
        args.into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let both = |first: Vec<String>, second: Vec<String>| {
        let start = |args: Vec<String>| {
            thread::spawn(move || told(&args.iter().map(String::as_str).collect::<Vec<_>>()))
        };
        let (first, second) = (start(first), start(second));
        (first.join().unwrap(), second.join().unwrap())
    };
    let (status, _, error) =
        told(&["check", &kanban, "--hosts", &hosts, "--host", "0", "--secret", &secret]);
    assert_eq!(status, 2, "{error}");
    assert!(
        error.contains("other users can read the file") && error.contains("umask 077"),
        "{error}"
    );
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();

    let full = ["--method", "full", "--deadlock"];
    let (first, second) = both(command("0", &full), command("1", &full));
    assert_eq!((first.0, second.0), (0, 0), "{}{}", first.2, second.2);
    assert!(first.1.contains("holds     no deadlock"), "{}", first.1);
    assert_eq!(second.1, "process 0 prints the results\n");

    let (first, second) = both(command("0", &full), command("1", &["--method", "full"]));
    for (status, _, error) in [first, second] {
        assert_eq!(status, 2);
        assert!(error.contains("runs with another list of properties"), "{error}");
    }
    let listed = ["check", &kanban, "--hosts", &hosts, "--secret", &secret];
    for option in ["--host", "--process"] {
        let (status, _, error) = told(&[&listed[..], &[option, "2"]].concat());
        assert_eq!(status, 2);
        assert!(error.contains("there is no host 2") && error.contains("from 0 to 1"), "{error}");
    }
    let (status, _, error) = told(&listed);
    assert_eq!(status, 2);
    assert!(error.contains("add `--host K`"), "{error}");
}

#[test]
fn what_one_process_must_do_is_rejected() {
    let kanban = model("kanban");
    for (options, what) in [
        (&["--gc", "100", "--progress", "P1"][..], "`--gc`"),
        (&["--method", "cache", "--cache", "100"], "`--method cache`"),
        (&["--stubborn"], "a reduction"),
        (&["--terminates"], "strongly connected components"),
        (&["--ltl", "G F true"], "a formula"),
        (&["--log", "layers.csv"], "`--log`"),
    ] {
        let (status, _, error) = told(&[&["check", &kanban, "--processes", "2"], options].concat());
        assert_eq!(status, 2, "{options:?}");
        assert!(error.contains(what) && error.contains("several processes"), "{error}");
    }
    for options in [&["--host", "1"][..], &["--processes", "0"], &["--hosts", "list"]] {
        let (status, _, error) = told(&[&["check", &kanban], options].concat());
        assert_eq!(status, 2, "{options:?}: {error}");
    }
}

#[test]
fn a_limit_leaves_a_checkpoint_for_any_number_of_processes() {
    let folder = TempDir::new().unwrap();
    let saved = folder.path().join("saved");
    let (kanban, saved) = (model("kanban"), saved.to_str().unwrap());
    let args = ["check", &kanban, "--method", "full", "--bound", "machine_1", "--threads", "1"];
    let (_, one) = json(&args);
    let first = ["--processes", "3", "--checkpoint", saved, "--checkpoint-every", "0s"];
    let (status, value) = json(&[&args[..], &first[..], &["--state-limit", "2000"]].concat());
    assert_eq!((status, &value["stop"]), (3, &Value::from("state-limit")));
    let command = value["checkpoint"]["command"].as_str().unwrap();
    assert!(command.contains("--resume") && command.contains("--processes 3"), "{command}");
    let (status, _, error) =
        told(&[&args[..], &["--processes", "2", "--checkpoint", saved]].concat());
    assert_eq!(status, 2);
    assert!(error.contains("already exists"), "{error}");
    let other = ["check", &kanban, "--method", "full", "--deadlock", "--processes", "2"];
    let (status, _, error) = told(&[&other[..], &["--resume", saved]].concat());
    assert_eq!(status, 2);
    assert!(error.contains("different list of properties"), "{error}");
    let (status, mut value) = json(&[&args[..], &["--processes", "2", "--resume", saved]].concat());
    assert_eq!(status, 0);
    assert_eq!(value["resumed"].take(), Value::from(1));
    let mut found = common(value);
    found.as_object_mut().unwrap().remove("resumed");
    assert_eq!(found, common(one));
    assert!(!Path::new(saved).exists());
}
