//! A client without a browser.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Served;

impl Served {
    /// Sends a request as it is written; the status and the body.
    pub(super) fn send(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.host()).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let _ = stream.write_all(request.as_bytes());
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        let response = String::from_utf8_lossy(&response).into_owned();
        let status = response.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = response.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.unwrap_or(0), body.to_owned())
    }

    pub(super) fn get(&self, path: &str) -> (u16, String) {
        let host = self.host();
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    }

    /// What a page asks; the status and the answer.
    pub(super) fn try_ask(&self, request: &Value) -> (u16, Value) {
        let (host, path, body) = (self.host(), self.path(), request.to_string());
        let (status, body) = self.send(&format!(
            "POST {path}ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        let answer = serde_json::from_str(&body);
        (status, answer.unwrap_or_else(|error| panic!("{error}: {body}")))
    }

    /// The same for a request that is answered.
    #[track_caller]
    pub(super) fn ask(&self, request: &Value) -> Value {
        let (status, answer) = self.try_ask(request);
        assert_eq!(status, 200, "{request}: {answer}");
        answer
    }

    /// The message of a request that is refused.
    #[track_caller]
    pub(super) fn refused(&self, request: &Value) -> String {
        let (status, answer) = self.try_ask(request);
        assert!((400..500).contains(&status), "{request}: {status} {answer}");
        answer["refused"].as_str().expect("a message").to_owned()
    }

    /// A run from the initial state, with these parameters.
    #[track_caller]
    pub(super) fn open(&self, settings: Value) -> Value {
        self.ask(&json!({"ask": "open", "settings": settings, "choices": [], "at": null}))
    }

    /// What the server tells a page that opens now about a check, once `is_it` is true of it.
    #[track_caller]
    pub(super) fn news_of(&self, check: &Value, is_it: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        let mut stream = TcpStream::connect(self.host()).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(1))).expect("a timeout");
        let (host, path) = (self.host(), self.path());
        let request = format!("GET {path}news HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("the request is sent");
        let (mut text, mut part) = (Vec::new(), [0; 1 << 16]);
        while started.elapsed() < Duration::from_secs(60) {
            let Ok(n) = stream.read(&mut part) else { continue };
            text.extend_from_slice(&part[..n]);
            let read = String::from_utf8_lossy(&text);
            // The last line may not be complete.
            let whole = read.rsplit_once('\n').map_or("", |(whole, _)| whole);
            for line in whole.lines().filter_map(|line| line.strip_prefix("data: ")) {
                let Ok(news) = serde_json::from_str::<Value>(line) else { continue };
                let jobs = news["checks"].as_array().expect("a list");
                let job = jobs.iter().find(|job| job["number"] == *check && is_it(job));
                if let Some(job) = job {
                    return job.clone();
                }
            }
        }
        panic!("no such news: {}", String::from_utf8_lossy(&text));
    }

    /// Runs a check to its end.
    #[track_caller]
    pub(super) fn check(&self, settings: Value, properties: Value, progress: &str) -> Value {
        let request = json!({
            "ask": "check", "settings": settings, "properties": properties, "progress": progress,
        });
        let check = self.ask(&request)["check"].clone();
        self.news_of(&check, |job| job["running"] == false)
    }
}

/// The parameters of the command line.
pub(super) fn plain() -> Value {
    json!({"param": [], "init": [], "process": null})
}
