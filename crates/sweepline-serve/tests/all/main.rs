//! The server as a client sees it. The subject repeats what it is asked.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sweepline_serve::{Asset, News, Refusal, Server, Subject};

struct Echo;

impl Subject for Echo {
    type Request = Value;

    fn page(&self) -> String {
        "<!DOCTYPE html><title>echo</title>".into()
    }

    fn asset(&self, name: &str) -> Option<Asset> {
        (name == "page.js").then_some(Asset { media_type: "text/javascript", text: "1;\n".into() })
    }

    fn answer(&self, request: Value) -> Result<String, Refusal> {
        match request["say"].as_str() {
            Some("panic") => panic!("a subject that fails"),
            Some("sleep") => thread::sleep(Duration::from_secs(300)),
            Some("no") => return Err(Refusal::new("not that")),
            Some("gone") => return Err(Refusal::gone("it was there")),
            _ => {}
        }
        Ok(request.to_string())
    }

    fn news(&self, seen: u64) -> Option<News> {
        (seen < 2).then(|| News { number: seen + 1, text: format!("{{\"news\":{}}}", seen + 1) })
    }
}

/// A server on a port of its own, until it is dropped.
struct Running {
    host: String,
    path: String,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start() -> Self {
        let server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0).expect("a port is free");
        let url = server.url();
        let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let (host, path) = (host.to_owned(), format!("/{path}"));
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        let run = move || server.run(Arc::new(Echo), || over.load(Ordering::SeqCst)).unwrap();
        Running { host, path, is_over, thread: Some(thread::spawn(run)) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// Sends a request as it is written, and returns the status with the whole response.
    fn send(&self, request: &str) -> (u16, String) {
        let mut stream = self.connect();
        let _ = stream.write_all(request.as_bytes());
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        let response = String::from_utf8_lossy(&response).into_owned();
        let status = response.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or(0), response)
    }

    fn get(&self, path: &str) -> (u16, String) {
        let host = &self.host;
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    }

    fn ask(&self, body: &str) -> (u16, String) {
        let (host, path, length) = (&self.host, &self.path, body.len());
        self.send(&format!(
            "POST {path}ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn body(response: &str) -> &str {
    response.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

#[test]
fn a_page_is_served_with_a_strict_policy() {
    let server = Running::start();
    let (status, response) = server.get(&server.path);
    assert_eq!(status, 200, "{response}");
    assert!(body(&response).contains("<title>echo</title>"), "{response}");
    let headers = response.to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(headers.contains(header), "{header}: {response}");
    }
    assert!(
        !headers.contains("unsafe-inline") && !headers.contains("access-control"),
        "{response}"
    );
    let (status, response) = server.get(&format!("{}page.js", server.path));
    assert_eq!((status, body(&response)), (200, "1;\n"));
    assert_eq!(server.ask(&json!({"say": "yes"}).to_string()).0, 200);
}

#[test]
fn requests_without_the_token_are_refused() {
    let server = Running::start();
    let wrong = format!("/{}/", "0".repeat(32));
    for path in ["/", "/ask", "/page.js", wrong.as_str()] {
        let (status, response) = server.get(path);
        assert_eq!(status, 403, "{path}: {response}");
        assert!(!response.contains("echo"), "{response}");
        assert!(response.to_lowercase().contains("content-security-policy"), "{response}");
    }
    let other = Running::start();
    assert_ne!(other.path, server.path, "each server has a token of its own");
    assert_eq!(server.get(&other.path).0, 403);
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Running::start();
    let (path, host) = (&server.path, &server.host);
    let get = |headers: &str| {
        server.send(&format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n")).0
    };
    assert_eq!(get(&format!("Host: {host}\r\n")), 200);
    assert_eq!(get("Host: evil.example\r\n"), 403);
    assert_eq!(get(&format!("Host: evil.example:{}\r\n", host.rsplit(':').next().unwrap())), 403);
    assert_eq!(get(""), 403);
    assert_eq!(get(&format!("Host: {host}\r\nOrigin: http://evil.example\r\n")), 403);
    let post = |origin: &str, media: &str| {
        server
            .send(&format!(
                "POST {path}ask HTTP/1.1\r\nHost: {host}\r\n{origin}Content-Type: {media}\r\n\
                 Connection: close\r\nContent-Length: 2\r\n\r\n{{}}"
            ))
            .0
    };
    let own = format!("Origin: http://{host}\r\n");
    assert_eq!(post(&own, "application/json"), 200);
    assert_eq!(post("", "application/json"), 403);
    assert_eq!(post("Origin: null\r\n", "application/json"), 403);
    assert_eq!(post("Origin: http://evil.example\r\n", "application/json"), 403);
    assert_eq!(post(&own, "text/plain"), 415);
}

#[test]
fn no_path_leads_to_a_file() {
    let server = Running::start();
    for way in [
        "../../../../etc/passwd",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "Cargo.toml",
        "page.js/../../Cargo.toml",
        "page.js%00",
        "..\\..\\Cargo.toml",
    ] {
        let (status, response) = server.get(&format!("{}{way}", server.path));
        assert!((400..500).contains(&status), "{way}: {status}");
        assert!(!response.contains("root:") && !response.contains("[package]"), "{response}");
    }
}

#[test]
fn wrong_requests_are_answered_in_words() {
    let server = Running::start();
    let (status, response) = server.ask("{");
    assert_eq!(status, 400);
    assert!(response.contains("the request is not understood"), "{response}");
    let (status, response) = server.ask(r#"{"say": "no"}"#);
    assert_eq!((status, body(&response)), (422, r#"{"refused":"not that"}"#));
    let (status, response) = server.ask(r#"{"say": "gone"}"#);
    assert_eq!((status, body(&response)), (410, r#"{"refused":"it was there"}"#));
    let (status, response) = server.ask(r#"{"say": "panic"}"#);
    assert_eq!(status, 500);
    assert!(body(&response).contains("internal error"), "{response}");
    assert_eq!(server.ask("{}").0, 200, "the server lives");
}

#[test]
fn a_large_request_is_taken_and_a_huge_one_refused() {
    let server = Running::start();
    let (status, response) = server.ask(&json!({ "say": "x".repeat(1 << 20) }).to_string());
    assert_eq!(status, 200);
    assert!(response.len() > 1 << 20);
    let (path, host) = (&server.path, &server.host);
    let mut stream = server.connect();
    let head = format!(
        "POST {path}ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        1u64 << 40
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 413");
}

/// Connections that send nothing, or only half a request, do not keep a page from being served.
#[test]
fn a_thousand_connections_are_harmless() {
    let server = Running::start();
    let mut page = server.connect();
    let (path, host) = (&server.path, &server.host);
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let answered = |stream: &mut TcpStream| {
        stream.write_all(request.as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
    };
    answered(&mut page);
    let mut idle = Vec::new();
    for number in 0..1000 {
        let Ok(mut stream) = TcpStream::connect(&server.host) else { continue };
        if number % 2 == 0 {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
        }
        idle.push(stream);
    }
    assert!(idle.len() > 500, "only {} connections", idle.len());
    assert_eq!(server.get(path).0, 200, "a new connection is served");
    // The connection of the page is still there, though it is older than all of those.
    let mut rest = [0; 4096];
    page.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let _ = page.read(&mut rest);
    page.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    answered(&mut page);
}

#[test]
fn news_come_as_events() {
    let server = Running::start();
    let mut stream = server.connect();
    let (path, host) = (&server.path, &server.host);
    stream
        .write_all(format!("GET {path}news HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
        .unwrap();
    let (mut text, mut part) = (String::new(), [0; 1024]);
    while !text.contains("data: {\"news\":2}") {
        let n = stream.read(&mut part).expect("news come within ten seconds");
        assert!(n > 0, "the stream ended: {text}");
        text.push_str(&String::from_utf8_lossy(&part[..n]));
    }
    assert!(text.contains("text/event-stream") && text.contains("data: {\"news\":1}"), "{text}");
}

#[test]
fn the_server_ends_at_once_whatever_is_open() {
    let server = Running::start();
    let (path, host) = (server.path.clone(), server.host.clone());
    let mut news = server.connect();
    news.write_all(format!("GET {path}news HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
    let mut busy = server.connect();
    let body = r#"{"say": "sleep"}"#;
    let request = format!(
        "POST {path}ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    busy.write_all(request.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(300));
    let started = Instant::now();
    drop(server);
    // The busy one would take five minutes.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    assert!(TcpStream::connect(&host).is_err(), "the port is free again");
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let first = Server::bind(Ipv4Addr::LOCALHOST.into(), 0).unwrap();
    let port = first.url().rsplit(':').next().unwrap().split('/').next().unwrap().parse().unwrap();
    let second = Server::bind(Ipv4Addr::LOCALHOST.into(), port);
    assert_eq!(second.unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
}
