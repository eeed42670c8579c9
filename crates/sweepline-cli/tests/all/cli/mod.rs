//! The command line from outside: what it prints, where, and with which exit status.

mod bad_input;
mod cache;
mod check;
mod checkpoint;
mod cluster;
mod coloured;
mod components;
mod ctl;
mod draw;
mod draw_net;
mod endless;
mod faults;
mod files;
mod gpu;
mod graph;
mod guard;
mod hunt;
mod input;
mod limits;
mod ltl;
mod mistakes;
mod ml;
mod processes;
mod publish;
mod reductions;
mod report;
mod simulate;
mod spill;
mod structural;
mod text;
mod threads;
mod verbs;
mod verdicts;

use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// The command, without the colours and widths of whoever runs the tests.
fn sweepline(args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("sweepline");
    command.env("NO_COLOR", "1").env("COLUMNS", "100").args(args);
    command
}

/// An example model.
fn model(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    path.with_extension("pnml").to_str().unwrap().to_owned()
}

/// One of the seeds' models.
fn seed(name: &str) -> String {
    format!("{}/../../models/seeds/{name}.cpnt", env!("CARGO_MANIFEST_DIR"))
}

/// Runs the command and gives its exit status, standard output and standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = sweepline(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// Runs the command with `--json`. What `check` prints must follow the schema in the book.
fn json(args: &[&str]) -> (i32, Value) {
    let (status, stdout, stderr) = run(&[args, &["--json"]].concat());
    let value = serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}\n{stdout}\n{stderr}"));
    if args.contains(&"check") {
        publish::follows_schema(&value);
    }
    (status, value)
}

/// A net of `n` dining philosophers, with 3^n states.
fn philosophers(n: usize) -> String {
    let mut net = sweepline_pnml::Net::builder("philosophers");
    for i in 0..n {
        for (place, tokens) in [("think", 1), ("fork", 1), ("left", 0), ("right", 0), ("eat", 0)] {
            net = net.place(&format!("{place}{i}"), tokens);
        }
    }
    for i in 0..n {
        let own = |place: &str| format!("{place}{i}");
        let (left, right) = (own("fork"), format!("fork{}", (i + 1) % n));
        let (think, eat) = (own("think"), own("eat"));
        for (first, second, waits) in [(&left, &right, own("left")), (&right, &left, own("right"))]
        {
            net = net
                .transition(&format!("take_{waits}"), &[(&think, 1), (first, 1)], &[(&waits, 1)])
                .transition(&format!("eat_{waits}"), &[(&waits, 1), (second, 1)], &[(&eat, 1)]);
        }
        net = net.transition(&own("leave"), &[(&eat, 1)], &[(&think, 1), (&left, 1), (&right, 1)]);
    }
    net.build().unwrap().to_pnml()
}
