//! The other processes of `--processes`: this process starts them, and tells them on their standard input where all
//! of them listen.

use std::cell::RefCell;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sweepline_timely::Secret;

use crate::failure::Failure;

/// How long the others may take to end after the exploration.
const FAREWELL: Duration = Duration::from_secs(5);

/// Processes that this one has started. They are ended when it drops them.
pub(crate) struct Members(RefCell<Vec<Child>>);

/// What a process needs to join the others.
pub(super) struct Setup {
    /// Where all processes listen.
    pub(super) ports: Vec<u16>,
    pub(super) secret: Secret,
    /// Where this one listens.
    pub(super) listener: TcpListener,
    pub(super) index: usize,
}

fn failed(what: &str) -> impl Fn(io::Error) -> Failure {
    let what = what.to_owned();
    move |error| Failure::Cluster {
        message: format!("cannot {what}: {error}"),
        help: "explore with the threads of one process (`--threads N`)".into(),
    }
}

fn listen() -> io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

impl Members {
    /// Starts all processes of `count` but the first, which is this one.
    pub(super) fn start(count: usize) -> Result<(Option<Self>, Setup), Failure> {
        let (listener, port) = listen().map_err(failed("listen on this machine"))?;
        let secret = Secret::random().map_err(failed("make a secret"))?;
        let start = failed("start a process");
        let program = env::current_exe().map_err(&start)?;
        let (members, mut ports) = (Members(RefCell::default()), vec![port]);
        for member in 1..count {
            let mut command = Command::new(&program);
            command.args(env::args_os().skip(1)).arg("--member").arg(member.to_string());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            members.0.borrow_mut().push(command.spawn().map_err(&start)?);
        }
        for member in members.0.borrow_mut().iter_mut() {
            let output = member.stdout.take().ok_or_else(|| io::Error::other("no pipe"));
            let mut line = String::new();
            BufReader::new(output.map_err(&start)?).read_line(&mut line).map_err(&start)?;
            let port = line.trim().parse().map_err(|_| io::Error::other("it ended at once"));
            ports.push(port.map_err(&start)?);
        }
        for member in members.0.borrow_mut().iter_mut() {
            let input = member.stdin.as_mut().ok_or_else(|| io::Error::other("no pipe"));
            let told: Vec<String> = ports.iter().map(u16::to_string).collect();
            writeln!(input.map_err(&start)?, "{} {}", secret.to_text(), told.join(" "))
                .map_err(&start)?;
        }
        Ok((Some(members), Setup { ports, secret, listener, index: 0 }))
    }

    /// Whether one of them has ended.
    pub(super) fn is_gone(&self) -> bool {
        self.0.borrow_mut().iter_mut().any(|member| !matches!(member.try_wait(), Ok(None)))
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        let until = Instant::now() + FAREWELL;
        let members = self.0.get_mut();
        while members.iter_mut().any(|member| matches!(member.try_wait(), Ok(None))) {
            if Instant::now() >= until {
                members.iter_mut().for_each(|member| _ = member.kill());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Setup {
    /// What the process that started this one tells.
    pub(super) fn receive(index: usize) -> Result<Self, Failure> {
        let told = failed("join the process that started this one");
        let (listener, port) = listen().map_err(&told)?;
        println!("{port}");
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).map_err(&told)?;
        let mut words = line.split_whitespace();
        let secret = words.next().and_then(Secret::of_text);
        let ports: Result<Vec<u16>, _> = words.map(str::parse).collect();
        match (secret, ports) {
            (Some(secret), Ok(ports)) if index < ports.len() => {
                Ok(Setup { ports, secret, listener, index })
            }
            _ => Err(told(io::Error::other("`--member` is for processes that sweepline starts"))),
        }
    }
}

/// The command of this process, continued from its checkpoints. The limits that may have ended it are left out.
pub(super) fn continuing() -> String {
    let mut words = vec!["sweepline".to_owned()];
    let mut args = env::args().skip(1);
    while let Some(word) = args.next() {
        let limits = ["--state-limit", "--time-limit"];
        if limits.iter().any(|limit| word.starts_with(&format!("{limit}="))) {
            continue;
        }
        if limits.contains(&word.as_str()) {
            args.next();
            continue;
        }
        let word = match word.strip_prefix("--checkpoint=") {
            Some(folder) => format!("--resume={folder}"),
            None if word == "--checkpoint" => "--resume".to_owned(),
            None => word,
        };
        let is_plain = |c: char| c.is_alphanumeric() || "/._-+=,@%:".contains(c);
        words.push(match !word.is_empty() && word.chars().all(is_plain) {
            true => word,
            false => format!("'{}'", word.replace('\'', "'\\''")),
        });
    }
    words.join(" ")
}
