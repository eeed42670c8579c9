//! `serve`: the server as a client sees it, and the page in a browser.

mod browser;
mod http;
mod pages;
mod refused;
mod requests;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A model of the repository.
fn model(name: &str) -> String {
    format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A model, with the process of a script that has several.
fn args(name: &str) -> Vec<String> {
    let process = name.ends_with(".csp").then_some(["--process", "SAME"]);
    let process = process.into_iter().flatten().map(str::to_owned);
    [model(name)].into_iter().chain(process).collect()
}

/// The command, serving a model until it is dropped.
struct Served {
    process: Child,
    url: String,
    output: BufReader<std::process::ChildStdout>,
}

impl Served {
    fn start(args: &[impl AsRef<std::ffi::OsStr>]) -> Self {
        Served::piped(args, &[])
    }

    /// The same with this input.
    fn piped(args: &[impl AsRef<std::ffi::OsStr>], input: &[u8]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sweepline"));
        command.arg("serve").args(args).env("NO_COLOR", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("the command starts");
        let mut pipe = process.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut pipe, input).expect("the command reads its input");
        drop(pipe);
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("it prints an address");
        let url = line.split("open ").nth(1).unwrap_or_else(|| {
            let _ = process.kill();
            panic!("no address in {line:?}: {:?}", process.wait_with_output_of_error())
        });
        Served { url: url.trim().to_owned(), process, output }
    }

    /// `127.0.0.1:PORT`.
    fn host(&self) -> &str {
        self.url.strip_prefix("http://").and_then(|url| url.split('/').next()).expect("a host")
    }

    /// `/TOKEN/`.
    fn path(&self) -> &str {
        &self.url["http://".len() + self.host().len()..]
    }

    /// Presses Ctrl-C; the status and how long it took to end.
    fn interrupt(mut self) -> (ExitStatus, Duration, String) {
        let started = Instant::now();
        let pid = self.process.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
        assert!(sent.success());
        let status = self.process.wait().expect("it ends");
        let mut rest = String::new();
        while self.output.read_line(&mut rest).is_ok_and(|n| n > 0) {}
        (status, started.elapsed(), rest)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a command that failed said.
trait WithError {
    fn wait_with_output_of_error(&mut self) -> String;
}

impl WithError for Child {
    fn wait_with_output_of_error(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut error) = self.stderr.take() {
            let _ = std::io::Read::read_to_string(&mut error, &mut text);
        }
        text
    }
}

/// A copy of a model that a test may change.
fn copy(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    let to = folder.path().join(PathBuf::from(name).file_name().expect("a name"));
    std::fs::copy(model(name), &to).expect("a model can be copied");
    to
}
