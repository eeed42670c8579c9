//! Runs one child process to its end and measures it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// A command, and its text as a user would type it in the directory it runs in.
#[derive(Clone, Debug)]
pub struct Step {
    pub program: PathBuf,
    pub args: Vec<String>,
    pub shown: String,
}

impl Step {
    /// A command that is shown as it is run.
    pub fn new(program: &str, args: &[&str]) -> Step {
        Step::shown_as(program, PathBuf::from(program), args)
    }

    /// A command whose program is shown under a shorter name.
    pub fn shown_as(name: &str, program: PathBuf, args: &[&str]) -> Step {
        let words = std::iter::once(name).chain(args.iter().copied()).map(quoted);
        let shown = words.collect::<Vec<_>>().join(" ");
        Step { program, args: args.iter().map(|arg| (*arg).to_owned()).collect(), shown }
    }
}

fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("\"{word}\"") } else { word.to_owned() }
}

/// The limits of a child process.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub wall: Duration,
    pub memory_bytes: u64,
}

/// The resources that a child used, including those of its own children.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub peak_rss_bytes: u64,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    Signal(i32),
    OverTime,
    OverMemory,
}

/// A child that ended.
pub struct Finished {
    pub ending: Ending,
    pub usage: Usage,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command in `dir`. Its output goes through files there, so it never waits for a reader.
pub fn run(step: &Step, dir: &Path, limits: Limits) -> Result<Finished> {
    let (out, err) = (dir.join("stdout.txt"), dir.join("stderr.txt"));
    let start = Instant::now();
    let child = Command::new(&step.program)
        .args(&step.args)
        .current_dir(dir)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()
        .with_context(|| format!("could not start `{}`", step.shown))?;
    let (ending, usage) = wait(child.id(), start, limits)?;
    Ok(Finished { ending, usage, stdout: text(&out)?, stderr: text(&err)? })
}

/// The output of a child, without Spin's progress lines. There may be a hundred thousand of them, and the
/// reported peak memory of a child is at least that of its parent, so ours must stay low.
fn text(path: &Path) -> Result<String> {
    let mut kept = String::new();
    for line in BufReader::new(File::open(path)?).split(b'\n') {
        let line = line?;
        if !line.starts_with(b"Depth=") {
            kept += &String::from_utf8_lossy(&line);
            kept.push('\n');
        }
    }
    Ok(kept)
}

/// Waits for a child, and kills it when it exceeds a limit.
fn wait(pid: u32, start: Instant, limits: Limits) -> Result<(Ending, Usage)> {
    let mut stopped = None;
    loop {
        if let Some((status, mut usage)) = try_wait(pid)? {
            usage.wall_seconds = start.elapsed().as_secs_f64();
            return Ok((stopped.unwrap_or_else(|| ending(status)), usage));
        }
        if stopped.is_none() {
            stopped = passed_limit(pid, start, limits);
            if stopped.is_some() {
                kill(pid);
            }
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn ending(status: ExitStatus) -> Ending {
    match status.code() {
        Some(code) => Ending::Exit(code),
        None => Ending::Signal(status.signal().unwrap_or(0)),
    }
}

fn passed_limit(pid: u32, start: Instant, limits: Limits) -> Option<Ending> {
    if start.elapsed() > limits.wall {
        return Some(Ending::OverTime);
    }
    let statm = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    (pages * 4096 > limits.memory_bytes).then_some(Ending::OverMemory)
}

/// The exit status and resource usage of a child that has ended. The standard library's wait
/// gives no usage, hence the system call.
fn try_wait(pid: u32) -> Result<Option<(ExitStatus, Usage)>> {
    let mut status = 0;
    // SAFETY: `rusage` is plain data, for which all zeroes is a value.
    let mut rusage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live locals, and `pid` is a child of ours not yet waited for.
    let waited =
        unsafe { libc::wait4(pid as libc::pid_t, &mut status, libc::WNOHANG, &mut rusage) };
    match waited {
        0 => Ok(None),
        -1 => Err(std::io::Error::last_os_error()).context("could not wait for a child"),
        _ => Ok(Some((ExitStatus::from_raw(status), usage(&rusage)))),
    }
}

fn usage(rusage: &libc::rusage) -> Usage {
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Usage {
        cpu_seconds: seconds(rusage.ru_utime) + seconds(rusage.ru_stime),
        wall_seconds: 0.0,
        peak_rss_bytes: rusage.ru_maxrss as u64 * 1024,
    }
}

fn kill(pid: u32) {
    // SAFETY: `pid` is a child of ours not yet waited for, so the id cannot belong to another.
    unsafe { libc::kill(pid as libc::pid_t, libc::SIGKILL) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, wall: Duration) -> Finished {
        let dir = std::env::temp_dir().join(format!("peers-child-{:x}", script.len()));
        fs::create_dir_all(&dir).unwrap();
        let limits = Limits { wall, memory_bytes: 1 << 30 };
        run(&Step::new("sh", &["-c", script]), &dir, limits).unwrap()
    }

    #[test]
    fn reports_output_exit_status_and_usage() {
        let finished = shell("echo out; echo err >&2; exit 3", Duration::from_secs(20));
        assert_eq!(finished.ending, Ending::Exit(3));
        assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("out\n", "err\n"));
        assert!(finished.usage.peak_rss_bytes > 100_000);
        assert!(finished.usage.cpu_seconds < 5.0);
    }

    #[test]
    fn stops_what_takes_too_long() {
        let finished = shell("exec sleep 60", Duration::from_millis(50));
        assert_eq!(finished.ending, Ending::OverTime);
    }

    #[test]
    fn shows_arguments_with_spaces_in_quotes() {
        let step = Step::shown_as("tool", PathBuf::from("/some/where/tool"), &["-e", "a - b"]);
        assert_eq!(step.shown, "tool -e \"a - b\"");
    }
}
