//! Connections that tell when the process at the other end is lost.
//!
//! Timely's network threads panic when a connection breaks. Here a broken connection is noted, and its threads
//! wait until this process ends; the workers look at the note while they wait for messages.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

/// The processes that were lost.
#[derive(Clone, Default)]
pub(crate) struct Losses(Arc<Inner>);

#[derive(Default)]
struct Inner {
    any: AtomicBool,
    first: Mutex<Option<String>>,
    /// Connections may end: the exploration is over.
    ending: AtomicBool,
}

impl Losses {
    /// The process that was lost first, in words.
    pub(crate) fn first(&self) -> Option<String> {
        if !self.0.any.load(Ordering::Acquire) {
            return None;
        }
        self.0.first.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn note(&self, process: &str) {
        let mut first = self.0.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| process.to_owned());
        self.0.any.store(true, Ordering::Release);
    }

    /// From now on connections may end.
    pub(crate) fn expect_ends(&self) {
        self.0.ending.store(true, Ordering::SeqCst);
    }

    fn is_ending(&self) -> bool {
        self.0.ending.load(Ordering::SeqCst)
    }
}

/// A connection to another process.
pub(crate) struct Socket {
    stream: TcpStream,
    /// The process at the other end, in words.
    process: Arc<str>,
    losses: Losses,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, process: &str, losses: Losses) -> Self {
        Socket { stream, process: process.into(), losses }
    }

    /// The connection is broken. Returns only if that was to be expected.
    fn broken(&self) {
        if !self.losses.is_ending() {
            self.losses.note(&self.process);
        }
        while !self.losses.is_ending() {
            std::thread::park_timeout(Duration::from_millis(100));
        }
    }
}

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(bytes) {
                Ok(read) if read > 0 => return Ok(read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => {
                    self.broken();
                    return Ok(0);
                }
            }
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Ok(written) if written > 0 => return Ok(written),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => {
                    self.broken();
                    return Ok(bytes.len());
                }
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Socket {
    fn try_clone(&self) -> io::Result<Self> {
        let (process, losses) = (self.process.clone(), self.losses.clone());
        Ok(Socket { stream: self.stream.try_clone()?, process, losses })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other end may have closed the connection already.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
