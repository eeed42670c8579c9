//! `serve`: a model in the browser.
//!
//! `sweepline-serve` knows HTTP and who may ask. Here is what it serves: the [`Desk`] with the models that are open, the
//! runs of the pages, and the checks.

mod assertion;
mod board;
mod chart;
mod check;
mod desk;
mod game;
mod graph;
mod jobs;
mod page;
mod play;
mod request;
mod sequence;
mod trace;
mod values;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sweepline::{Cause, StopReason};
use sweepline_serve::Server;

use crate::args;
use crate::failure::Failure;
use crate::guard;
use crate::print::{self, warn};
use desk::Desk;

/// How long checks may take to stop when the server ends.
const PATIENCE: Duration = Duration::from_millis(400);

/// Runs the verb.
pub(crate) fn run(args: &args::Serve) -> Result<ExitCode, Failure> {
    guard::phase("serving a model");
    let desk = Arc::new(Desk::open(args)?);
    let server = Server::bind(args.listen, args.port).map_err(|error| Failure::Listen {
        address: format!("{}:{}", args.listen, args.port),
        help: match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "another program has this port: leave out `--port` to use any free one"
            }
            std::io::ErrorKind::PermissionDenied => "use a port above 1023",
            _ => "use an address of this machine, or leave out `--listen`",
        },
        error,
    })?;
    if !args.listen.is_loopback() {
        warn(
            "other machines can connect: who knows the address with its token can use the page, and nothing is encrypted",
        );
    }
    print::some_results(&format!(
        "{}: open {}\nCtrl-C ends the server\n",
        desk.name(),
        server.url()
    ))?;
    let checks = desk.clone();
    let served = server.run(desk.clone(), move || match guard::interrupt().reason() {
        // What takes the memory is a check.
        Some(StopReason::Memory) => {
            checks.stop_all(Cause::Memory);
            false
        }
        reason => reason.is_some(),
    });
    sweepline_guard::dismiss();
    desk.stop_all(Cause::Asked);
    let stopped = Instant::now();
    while desk.is_checking() && stopped.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(10));
    }
    served.map_err(|error| Failure::Listen {
        address: args.listen.to_string(),
        help: "the system has no more threads or connections: raise `ulimit -u` or `ulimit -n`",
        error,
    })?;
    print::results("the server has ended\n")?;
    Ok(ExitCode::SUCCESS)
}
