//! What is refused, and how the server ends.

use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::http::plain;
use super::{Served, model};

#[test]
fn foreign_requests_are_refused() {
    let server = Served::start(&[&model("mutex-broken.pnml")]);
    assert_eq!(server.get(server.path()).0, 200);
    assert_eq!(server.get("/").0, 403);
    let (path, port) = (server.path(), server.host().rsplit(':').next().unwrap());
    let foreign =
        format!("GET {path} HTTP/1.1\r\nHost: evil.example:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(server.send(&foreign).0, 403);
    for name in ["..%2f..%2fCargo.toml", "%2e%2e/mutex-broken.pnml", "mutex-broken.pnml", "page.rs"]
    {
        let (status, body) = server.get(&format!("{path}{name}"));
        assert!((400..500).contains(&status) && body.len() < 200, "{name}: {status} {body}");
    }
}

#[test]
fn names_that_look_like_scripts_stay_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.pnml");
    let text = std::fs::read_to_string(model("mutex-broken.pnml")).unwrap();
    let odd = "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;";
    let text = text.replace("<text>outside_1</text>", &format!("<text>{odd}</text>"));
    let text = text.replace("<text>look_1</text>", &format!("<text>&quot;{odd}</text>"));
    assert!(text.contains("alert(2)"), "the names are in the file");
    std::fs::write(&file, text).unwrap();
    let server = Served::start(&[file.to_str().unwrap()]);
    let view = server.open(plain());
    let svg = view["sheets"][0]["svg"].as_str().unwrap();
    assert!(svg.contains("&lt;script&gt;"), "{svg}");
    for drawing in
        [
            svg.to_owned(),
            server
                .ask(&json!({"ask": "around", "run": view["run"], "expand": null, "merge": null}))
                ["svg"]
                .as_str()
                .unwrap()
                .to_owned(),
        ]
    {
        assert!(!drawing.contains("<script") && !drawing.contains("<img"), "{drawing}");
    }
}

#[test]
fn an_expression_of_a_megabyte_is_refused() {
    let server = Served::start(&[&model("mutex-broken.pnml")]);
    let run = server.open(plain())["run"].clone();
    let long = format!("{}0", "0 + ".repeat(1 << 18));
    let started = Instant::now();
    for request in [
        json!({"ask": "until", "run": run, "condition": long}),
        json!({"ask": "rows", "run": run, "from": 0, "to": 1, "watch": [long]}),
        json!({"ask": "check", "settings": plain(), "properties": [{"kind": "never", "text": long}], "progress": ""}),
        json!({"ask": "check", "settings": plain(), "properties": [], "progress": long}),
        json!({"ask": "open", "settings": {"param": [long]}, "choices": [], "at": null}),
    ] {
        assert!(server.refused(&request).contains("longer than 64 KiB"));
    }
    let deep = format!("{}1{} > 0", "(".repeat(30_000), ")".repeat(30_000));
    server.refused(&json!({"ask": "until", "run": run, "condition": deep}));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    server.ask(&json!({"ask": "view", "run": run}));
}

#[test]
fn a_port_that_is_taken_is_a_clear_error() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweepline"));
    let output =
        command.args(["serve", &model("mutex-broken.pnml"), "--port", &port]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(&format!("cannot listen at 127.0.0.1:{port}")), "{error}");
    assert!(error.contains("leave out `--port`"), "{error}");
}

#[test]
fn ctrl_c_ends_the_server_while_it_checks() {
    let server = Served::start(&[&model("stop-and-wait.pnml")]);
    let settings = json!({"param": [], "init": ["to_send=5000000"], "process": null});
    server.ask(&json!({"ask": "check", "settings": settings, "properties": [], "progress": ""}));
    std::thread::sleep(Duration::from_millis(300));
    let (status, took, rest) = server.interrupt();
    assert_eq!(status.code(), Some(0), "{rest}");
    // The check would take minutes.
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert!(rest.contains("the server has ended"), "{rest}");
}
