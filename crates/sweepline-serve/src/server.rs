//! A server: an address with a token.

use std::fmt::Write;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Builder;

use crate::connections;
use crate::gate::Gate;
use crate::routes::router;
use crate::subject::Subject;

/// Bytes of a token.
const TOKEN: usize = 16;
/// The most requests that are answered at the same time; others wait.
const MOST_ANSWERS: usize = 32;
/// How often the server looks whether it should end.
const TICK: Duration = Duration::from_millis(50);

/// A server that has its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
}

impl Server {
    /// Takes a port of an address of this machine; port 0 is any free one.
    ///
    /// # Errors
    ///
    /// If the port is not free, or the system has no random numbers.
    pub fn bind(address: IpAddr, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((address, port))?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        Ok(Server { listener, address, token: token()? })
    }

    /// The address to open.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            let own = if address.is_ipv6() { "::1" } else { "127.0.0.1" };
            address.set_ip(own.parse().unwrap_or(address.ip()));
        }
        format!("http://{address}/{}/", self.token)
    }

    /// Serves until `is_over`, which is asked often. Requests that are still being answered then are not waited for.
    ///
    /// # Errors
    ///
    /// If the system gives no threads.
    pub fn run<S: Subject>(self, subject: Arc<S>, is_over: impl Fn() -> bool) -> io::Result<()> {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(2).max_blocking_threads(MOST_ANSWERS).enable_all();
        let runtime = builder.thread_name("serve").build()?;
        let router = router(subject, Gate::new(self.token, self.address.ip()));
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let accepting = tokio::spawn(connections::accept(listener, router));
            while !is_over() {
                tokio::time::sleep(TICK).await;
            }
            accepting.abort();
            io::Result::Ok(())
        })?;
        runtime.shutdown_background();
        Ok(())
    }
}

/// A random token.
fn token() -> io::Result<String> {
    let mut bytes = [0; TOKEN];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    let mut token = String::new();
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}
