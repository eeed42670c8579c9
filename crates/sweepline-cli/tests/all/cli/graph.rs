//! `graph`: the three formats, and the same graph whatever the method.

use std::collections::BTreeMap;
use std::fs;

use super::{model, run};

/// Writes a graph and gives its text.
fn graph(name: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    let (status, _, errors) = run(&[args, &["--output", file.to_str().unwrap()]].concat());
    assert_eq!(status, 0, "{errors}");
    fs::read_to_string(file).unwrap()
}

#[test]
fn aldebaran() {
    insta::assert_snapshot!(graph("g.aut", &["graph", &model("mutex-broken")]));
}

#[test]
fn graphviz() {
    insta::assert_snapshot!(graph("g.dot", &["graph", &model("mutex-broken"), "--labels"]));
}

#[test]
fn json() {
    let text = graph("g.json", &["graph", &model("producer"), "--init", "resting=0", "--labels"]);
    insta::assert_snapshot!(text);
    let text = graph("g.json", &["graph", &model("mutex-broken")]);
    let graph: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&graph["states"], &graph["edges"]), (&9.into(), &16.into()));
    assert_eq!(graph["arcs"].as_array().unwrap().len(), 16);
}

/// The header, and how often each label occurs.
fn shape(aut: &str) -> (&str, BTreeMap<&str, usize>) {
    let (header, edges) = aut.split_once('\n').unwrap();
    let mut labels = BTreeMap::new();
    for edge in edges.lines() {
        *labels.entry(edge.split('"').nth(1).unwrap()).or_default() += 1;
    }
    (header, labels)
}

#[test]
fn methods_write_the_same_graph_up_to_numbers() {
    for (name, progress) in [
        ("stop-and-wait", "sent + received"),
        ("workshop", "made + shipped"),
        ("bicycle-shop", "sold"),
    ] {
        let full = graph("g.aut", &["graph", &model(name)]);
        let swept = graph("g.aut", &["graph", &model(name), "--progress", progress]);
        assert_eq!(shape(&full), shape(&swept), "{name}");
        let again = graph("g.aut", &["graph", &model(name), "--progress", progress]);
        assert_eq!(swept, again, "{name}");
    }
    let full = graph("g.aut", &["graph", &model("lift")]);
    let args = ["graph", &model("lift"), "--progress", "floors_below", "--window", "1"];
    assert_eq!(shape(&full), shape(&graph("g.aut", &args)));
    // Without a window edges lead behind it, so every state is kept.
    assert_eq!(full, graph("g.aut", &args[..4]));
}

#[test]
fn a_graph_that_would_be_wrong_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.aut");
    let output = ["--output", file.to_str().unwrap()];
    let lift = model("lift");
    let strict = ["graph", &lift, "--progress", "floors_below", "--monotone", "strict"];
    let (status, _, errors) = run(&[&strict, &output[..]].concat());
    assert!(status == 3 && errors.contains("SWL-CLI-0009"), "{errors}");
    let producer = model("producer");
    let (status, _, errors) =
        run(&[&["graph", &producer, "--state-limit", "100"], &output[..]].concat());
    assert!(status == 3 && errors.contains("SWL-CLI-0009"), "{errors}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_eq!(run(&["graph", &lift, "--output", "lift.png"]).0, 2);
    assert_eq!(run(&["graph", &lift, "--output", "no/such/folder/lift.aut"]).0, 2);
}

#[test]
fn a_folder_that_is_not_there_is_found_out_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no such folder/g.aut");
    // A net without end: a run would end at the limit, with another status.
    let args = ["graph", &model("producer"), "--state-limit", "1000", "--output"];
    let (status, _, errors) = run(&[&args[..], &[file.to_str().unwrap()]].concat());
    assert!(status == 2 && errors.contains("SWL-CLI-0002"), "{errors}");
}

/// Graphviz reads the files, if it is installed: names that are not easy to write, dead states, the initial state.
#[test]
fn graphviz_reads_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("hostile.cpnt");
    let text = "colset S = string;\nvar s : S;\n\npage P\n  place \"a<&\\\">b\" : S = 1`\"\\\\n<&\\\">\"\n  place B : S\n\n  transition \"t<&>\"\n    in \"a<&\\\">b\": s\n    out B: s\n";
    fs::write(&net, text).unwrap();
    let net = net.to_str().unwrap();
    for args in [&["--labels"][..], &["--around", "dead", "--path"]] {
        let dot = graph("g.dot", &[&["graph", net], args].concat());
        assert!(dot.contains("fillcolor=mistyrose") && dot.contains("rank=source; "), "{dot}");
        assert!(dot.contains("peripheries=2"), "{dot}");
        let file = folder.path().join("g.dot");
        fs::write(&file, &dot).unwrap();
        let mut graphviz = std::process::Command::new("dot");
        let Ok(output) = graphviz.arg("-Tplain").arg(&file).output() else {
            return println!("skipped: no Graphviz");
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{errors}\n{dot}");
        let plain = String::from_utf8_lossy(&output.stdout);
        let count = |start: &str| plain.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!((count("node "), count("edge ")), (2, 1), "{plain}");
    }
}
