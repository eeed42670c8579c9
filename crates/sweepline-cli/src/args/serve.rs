//! The options of `serve`.

use std::net::{IpAddr, Ipv4Addr};

use clap::Args;

use super::Limits;
use super::input::Input;

const EXAMPLES: &str = "\
The page shows the net with its tokens or the states of the processes, and the enabled steps. Step forwards and
backwards, run until a condition holds, check properties and watch the sweep, open a counterexample at any step, and
see the states around the current one. `sweepline help serve` describes the page.

The address that is printed contains a random token: without it, the server answers nothing. Ctrl-C ends the server.

Examples:
  sweepline serve net.pnml
  sweepline serve model.cpn --param n=5 --port 8000
  sweepline serve protocol.csp --process 'SYSTEM \\ {tick}'

Exit status: 0 after Ctrl-C";

/// What is served, and where.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Accept connections at ADDR, an address of this machine; `0.0.0.0` is every one (default: only from this machine)
    ///
    /// Who can reach ADDR and knows the token can use the page. Requests are not encrypted. Use an encrypted tunnel
    /// instead where you can.
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), hide_default_value = true)]
    pub(crate) listen: IpAddr,
    /// Use port N (default: any free port)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    #[command(flatten)]
    pub(crate) limits: Limits,
}
