//! Messages between processes besides the exploration: before it starts, and after it has ended.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How often a process that waits looks at its interrupt.
const POLL: Duration = Duration::from_millis(50);
/// Longer messages are not read: they cannot come from another process of the run.
const LONGEST: usize = 1 << 30;

/// The connections between the first process and all others.
///
/// A process that shares something waits for all others, so all must share the same number of times.
#[derive(Default)]
pub struct Control {
    index: usize,
    /// In the first process those to all others, in the others that to the first; with the names of processes.
    streams: Vec<(TcpStream, String)>,
}

/// Why sharing failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Broken {
    /// A process is gone.
    #[error("{0} was lost")]
    Lost(String),
    /// The wait was ended from here.
    #[error("interrupted")]
    Stopped,
}

impl Control {
    /// The connections of process `index`.
    pub(crate) fn new(index: usize, streams: Vec<(TcpStream, String)>) -> Self {
        Control { index, streams }
    }

    /// The number of this process.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Sends `mine` to all processes. Returns what each of them sent. Ends the wait when `is_over`.
    ///
    /// # Errors
    ///
    /// If another process is gone, or the wait was ended.
    pub fn share(
        &mut self,
        mine: &[u8],
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<u8>>, Broken> {
        if self.index == 0 {
            let mut all = vec![mine.to_vec()];
            for (stream, process) in &mut self.streams {
                all.push(receive(stream, process, is_over)?);
            }
            let bytes = sweepline::codec::to_bytes(&all);
            for (stream, process) in &mut self.streams {
                send(stream, process, &bytes)?;
            }
            return Ok(all);
        }
        let (stream, process) = &mut self.streams[0];
        send(stream, process, mine)?;
        let all = receive(stream, process, is_over)?;
        let lost = || Broken::Lost(process.clone());
        sweepline::codec::read(&all).ok_or_else(lost)
    }
}

fn send(stream: &mut TcpStream, process: &str, bytes: &[u8]) -> Result<(), Broken> {
    let lost = |_: io::Error| Broken::Lost(process.to_owned());
    stream.write_all(&(bytes.len() as u64).to_le_bytes()).map_err(lost)?;
    stream.write_all(bytes).map_err(lost)
}

fn receive(
    stream: &mut TcpStream,
    process: &str,
    is_over: &dyn Fn() -> bool,
) -> Result<Vec<u8>, Broken> {
    let lost = || Broken::Lost(process.to_owned());
    stream.set_read_timeout(Some(POLL)).map_err(|_| lost())?;
    let mut length = [0; 8];
    fill(stream, &mut length, &lost, is_over)?;
    let length = usize::try_from(u64::from_le_bytes(length)).ok().filter(|&n| n <= LONGEST);
    let mut bytes = vec![0; length.ok_or_else(lost)?];
    fill(stream, &mut bytes, &lost, is_over)?;
    Ok(bytes)
}

/// Fills `bytes` from the stream.
fn fill(
    stream: &mut TcpStream,
    mut bytes: &mut [u8],
    lost: &dyn Fn() -> Broken,
    is_over: &dyn Fn() -> bool,
) -> Result<(), Broken> {
    let mut asked: Option<Instant> = None;
    while !bytes.is_empty() {
        match stream.read(bytes) {
            Ok(0) => return Err(lost()),
            Ok(read) => bytes = &mut bytes[read..],
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted => {}
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                    if is_over() && asked.get_or_insert_with(Instant::now).elapsed() > 4 * POLL {
                        return Err(Broken::Stopped);
                    }
                }
                _ => return Err(lost()),
            },
        }
    }
    Ok(())
}
