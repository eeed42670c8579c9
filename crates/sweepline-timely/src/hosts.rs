//! The processes of a run, and how they find each other.

use std::fs;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};

use crate::control::{Broken, Control};
use crate::handshake::{Caller, Purpose, Secret, answer, call};
use crate::socket::{Losses, Socket};
use crate::terms::Terms;

/// The addresses of all processes, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(Vec<String>);

/// More processes cannot be listed.
const MOST: usize = 1024;
/// How often a process that waits for others looks for them.
const POLL: Duration = Duration::from_millis(20);
/// A connection on which nothing is heard for so long is checked, so often.
const SILENCE: Duration = Duration::from_secs(5);
const PROBES: u32 = 3;

/// Why the processes did not come together.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The list cannot be read.
    #[error("cannot read `{file}`: {message}")]
    Unreadable {
        /// The file.
        file: String,
        /// The message of the system.
        message: String,
    },
    /// A line of the list is not an address.
    #[error("line {line} of `{file}` is not an address: `{text}`")]
    NoAddress {
        /// The file.
        file: String,
        /// The number of the line.
        line: usize,
        /// What it says.
        text: String,
    },
    /// The list has too few or too many processes.
    #[error("`{file}` lists {count} processes; it needs 2 to {MOST}")]
    Count {
        /// The file.
        file: String,
        /// How many it lists.
        count: usize,
    },
    /// The own address cannot be used.
    #[error("cannot listen on {address}: {message}")]
    Listen {
        /// The address.
        address: String,
        /// The message of the system.
        message: String,
    },
    /// Some processes did not come.
    #[error("{missing} did not join within {} s", waited.as_secs())]
    Missing {
        /// Which ones, with the last error.
        missing: String,
        /// How long this process waited.
        waited: Duration,
    },
    /// Two processes do not agree.
    #[error("{process} runs with another {what}: {there} there, {here} here")]
    Differs {
        /// The other process.
        process: String,
        /// What differs.
        what: &'static str,
        /// Its value there.
        there: String,
        /// Its value here.
        here: String,
    },
    /// A process was lost before the run.
    #[error("{0} was lost before the run began")]
    Lost(String),
    /// The wait was ended from here.
    #[error("interrupted")]
    Stopped,
}

impl Hosts {
    /// The list in a file: an address `HOST:PORT` on each line; empty lines and those with `#` are ignored.
    ///
    /// # Errors
    ///
    /// If the file is no such list.
    pub fn read(file: &Path) -> Result<Self, JoinError> {
        let name = file.display().to_string();
        let text = fs::read_to_string(file).map_err(|error| JoinError::Unreadable {
            file: name.clone(),
            message: error.to_string(),
        })?;
        let mut hosts = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let port = line.rsplit_once(':').map(|(host, port)| (host, port.parse::<u16>()));
            if !matches!(port, Some((host, Ok(_))) if !host.is_empty()) {
                let (line, text) = (number + 1, line.to_owned());
                return Err(JoinError::NoAddress { file: name, line, text });
            }
            hosts.push(line.to_owned());
        }
        match hosts.len() {
            2..=MOST => Ok(Hosts(hosts)),
            count => Err(JoinError::Count { file: name, count }),
        }
    }

    /// Processes on this machine, given by the ports on which they listen.
    pub fn local(ports: &[u16]) -> Self {
        Hosts(ports.iter().map(|port| format!("127.0.0.1:{port}")).collect())
    }

    /// The number of processes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A process in words.
    fn name(&self, index: usize) -> String {
        format!("process {index} ({})", self.0[index])
    }

    fn addresses(&self, index: usize) -> io::Result<Vec<SocketAddr>> {
        self.0[index].to_socket_addrs().map(Iterator::collect)
    }
}

/// A process that is about to join the others.
pub struct Gathering<'g> {
    /// All processes.
    pub hosts: &'g Hosts,
    /// Which one this is.
    pub index: usize,
    /// What all of them know.
    pub secret: &'g Secret,
    /// Listens already, if the address was not known before.
    pub listener: Option<TcpListener>,
    /// How long to wait for the others.
    pub wait: Duration,
    /// Whether to wait no longer, for another reason.
    pub is_over: &'g dyn Fn() -> bool,
}

/// The connections to all other processes.
pub struct Joined {
    /// For messages before and after the exploration.
    pub control: Control,
    pub(crate) sockets: Vec<Option<Socket>>,
    pub(crate) losses: Losses,
    pub(crate) hosts: Hosts,
}

/// Connects this process with all others. Connections from other addresses, and from processes that do not know
/// the secret, are closed.
///
/// # Errors
///
/// If the processes did not come together in time.
pub fn join(gathering: Gathering<'_>) -> Result<Joined, JoinError> {
    let Gathering { hosts, index, secret, listener, wait, is_over } = gathering;
    let started = Instant::now();
    let listen = |error: io::Error| JoinError::Listen {
        address: hosts.0[index].clone(),
        message: error.to_string(),
    };
    let listener = match listener {
        Some(listener) => listener,
        None => TcpListener::bind(&*hosts.addresses(index).map_err(listen)?).map_err(listen)?,
    };
    listener.set_nonblocking(true).map_err(listen)?;
    let mut data: Vec<Option<TcpStream>> = (0..hosts.len()).map(|_| None).collect();
    let mut control: Vec<Option<TcpStream>> = (0..hosts.len()).map(|_| None).collect();
    let mut errors: Vec<Option<String>> = vec![None; hosts.len()];
    // A process calls those before it in the list and is called by those after it.
    loop {
        for to in 0..index {
            if let Err(error) =
                call_if_missing(&mut data[to], (hosts, secret), (index, to), Purpose::Data)
            {
                errors[to] = Some(error.to_string());
            }
        }
        if index > 0 {
            let own = &mut control[0];
            if let Err(error) = call_if_missing(own, (hosts, secret), (index, 0), Purpose::Control)
            {
                errors[0] = Some(error.to_string());
            }
        }
        while let Ok((stream, from)) = listener.accept() {
            if let Some((caller, stream)) = admit(stream, from.ip(), (hosts, secret), index) {
                let list = match caller.purpose {
                    Purpose::Data => &mut data,
                    Purpose::Control => &mut control,
                };
                list[caller.index] = Some(stream);
            }
        }
        let missing: Vec<usize> = (0..hosts.len())
            .filter(|&other| other != index)
            .filter(|&other| {
                let controlled = index == 0 || other == 0;
                data[other].is_none() || (controlled && control[other].is_none())
            })
            .collect();
        if missing.is_empty() {
            break;
        }
        if is_over() {
            return Err(JoinError::Stopped);
        }
        if started.elapsed() > wait {
            let name = |&other: &usize| match &errors[other] {
                Some(error) => format!("{} ({error})", hosts.name(other)),
                None => hosts.name(other),
            };
            let missing: Vec<String> = missing.iter().map(name).collect();
            return Err(JoinError::Missing { missing: missing.join(", "), waited: wait });
        }
        std::thread::sleep(POLL);
    }
    let losses = Losses::default();
    let named = |(other, stream): (usize, Option<TcpStream>)| {
        stream.map(|stream| (stream, hosts.name(other)))
    };
    let streams = control.into_iter().enumerate().filter_map(named).collect();
    let socket = |(other, stream): (usize, Option<TcpStream>)| {
        stream.map(|stream| Socket::new(stream, &hosts.name(other), losses.clone()))
    };
    let sockets = data.into_iter().enumerate().map(socket).collect();
    let control = Control::new(index, streams);
    Ok(Joined { control, sockets, losses, hosts: hosts.clone() })
}

fn call_if_missing(
    known: &mut Option<TcpStream>,
    (hosts, secret): (&Hosts, &Secret),
    (from, to): (usize, usize),
    purpose: Purpose,
) -> io::Result<()> {
    if known.is_none() {
        let addresses = hosts.addresses(to)?;
        let mut last = io::Error::other("it has no address");
        for address in addresses {
            match TcpStream::connect_timeout(&address, Duration::from_secs(1)) {
                Ok(mut stream) => {
                    call(&mut stream, secret, (from, to), purpose)?;
                    *known = Some(ready(stream)?);
                    return Ok(());
                }
                Err(error) => last = error,
            }
        }
        return Err(last);
    }
    Ok(())
}

/// The process that calls, if it is one of the list, comes from its address and knows the secret.
fn admit(
    mut stream: TcpStream,
    from: IpAddr,
    (hosts, secret): (&Hosts, &Secret),
    index: usize,
) -> Option<(Caller, TcpStream)> {
    let comes_from = |other: usize| {
        let known = hosts.addresses(other).unwrap_or_default();
        known.iter().any(|address| address.ip().to_canonical() == from.to_canonical())
    };
    // Strangers are not even heard.
    if !(index + 1..hosts.len()).any(comes_from) {
        return None;
    }
    let caller = answer(&mut stream, secret, index).ok()?;
    let is_expected = caller.index > index
        && caller.index < hosts.len()
        && comes_from(caller.index)
        && (caller.purpose == Purpose::Data || index == 0);
    if !is_expected {
        return None;
    }
    Some((caller, ready(stream).ok()?))
}

/// Prepares a connection for the run: keeps it alive, so that a lost machine is noticed, and removes the time limits.
fn ready(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    let keepalive = TcpKeepalive::new().with_time(SILENCE).with_interval(SILENCE);
    #[cfg(target_os = "linux")]
    let keepalive = keepalive.with_retries(PROBES);
    SockRef::from(&stream).set_tcp_keepalive(&keepalive)?;
    #[cfg(target_os = "linux")]
    SockRef::from(&stream).set_tcp_user_timeout(Some(SILENCE * PROBES))?;
    Ok(stream)
}

impl Joined {
    /// The number of processes.
    pub fn processes(&self) -> usize {
        self.hosts.len()
    }

    /// Checks that all processes explore the same with the same options.
    ///
    /// # Errors
    ///
    /// If they do not, or one is gone.
    pub fn agree(&mut self, terms: &Terms, is_over: &dyn Fn() -> bool) -> Result<(), JoinError> {
        let all = self.share(&sweepline::codec::to_bytes(terms), is_over)?;
        let own = self.control.index();
        // Each process compares itself with the first one; that one with all.
        let others = if own == 0 { 1..all.len() } else { 0..1 };
        for other in others {
            let there: Option<Terms> = sweepline::codec::read(&all[other]);
            let there = there.unwrap_or_default();
            if let Some((what, there, here)) = terms.difference(&there) {
                let process = self.hosts.name(other);
                return Err(JoinError::Differs { process, what, there, here });
            }
        }
        // Those that agree with the first one may still see that another one does not.
        let agreed = |bytes: &Vec<u8>| sweepline::codec::read(bytes) == Some(terms.clone());
        match all.iter().position(|bytes| !agreed(bytes)) {
            None => Ok(()),
            Some(other) => Err(JoinError::Lost(self.hosts.name(other))),
        }
    }

    /// Sends `mine` to all processes. Returns what each of them sent.
    ///
    /// # Errors
    ///
    /// If one is gone.
    pub fn share(
        &mut self,
        mine: &[u8],
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<u8>>, JoinError> {
        self.control.share(mine, is_over).map_err(|broken| match broken {
            Broken::Lost(process) => JoinError::Lost(process),
            Broken::Stopped => JoinError::Stopped,
        })
    }
}
