//! Several processes.

use std::path::PathBuf;

use clap::Args;

/// Which processes explore.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Several machines")]
pub(crate) struct Cluster {
    /// Explore with N processes on this machine
    ///
    /// Each process has as many workers as `--threads` says (default: the cores of the machine, divided by N). Every
    /// state is stored by one process.
    #[arg(long, value_name = "N", value_parser = processes, conflicts_with = "hosts")]
    pub(crate) processes: Option<usize>,
    /// Explore with a process on each machine that FILE lists, one `HOST:PORT` in each line
    ///
    /// Start the same command on every machine, with its own `--host K`. The first one prints the results.
    #[arg(long, value_name = "FILE", requires = "secret")]
    pub(crate) hosts: Option<PathBuf>,
    /// This process is line K of the list in `--hosts`; the first line is 0. `--process K` does the same
    #[arg(long, value_name = "K", requires = "hosts")]
    pub(crate) host: Option<usize>,
    /// A file with the same 16 bytes or more on every machine, which only you can read
    ///
    /// A process that does not know the secret cannot join.
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub(crate) secret: Option<PathBuf>,
    /// This process was started by another one, which tells the rest on standard input
    #[arg(long, value_name = "K", hide = true, requires = "processes")]
    pub(crate) member: Option<usize>,
}

impl Cluster {
    /// Reads `--process K` beside `--hosts` as `--host K`. It is no process of a script: a name does not begin with a
    /// digit.
    pub(crate) fn take_number(&mut self, process: &mut Option<String>) {
        if self.hosts.is_some()
            && self.host.is_none()
            && let Some(number) = process.as_ref().and_then(|process| process.parse().ok())
        {
            (self.host, *process) = (Some(number), None);
        }
    }

    /// Several processes explore.
    pub(crate) fn is_given(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }
}

/// The most processes on one machine.
const MOST: usize = 64;

fn processes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (1..=MOST).contains(&count) => Ok(count),
        _ => Err(format!("write a number from 1 to {MOST}")),
    }
}
