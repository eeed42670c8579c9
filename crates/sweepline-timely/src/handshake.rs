//! Both ends of a connection prove that they know the secret, before anything else is read from it.
//!
//! ```text
//! client -> server   magic, number of the client, number of the server, purpose, a random number
//! server -> client   a random number, HMAC of "server" and all of the above
//! client -> server   HMAC of "client" and all of the above
//! server -> client   one byte: welcome
//! ```
//!
//! The secret is never sent. What follows is neither encrypted nor signed: see SECURITY.md.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use hmac::{Hmac, Mac};
use sha2::Sha256;

const MAGIC: &[u8; 8] = b"SWLHOST\x01";
const WELCOME: u8 = 0x57;
/// Bytes of a random number, and of an HMAC.
const SIZE: usize = 32;
/// Bytes of the first message.
const HELLO: usize = 8 + 4 + 4 + 1 + SIZE;
/// How long the other end may take for its part.
const PATIENCE: Duration = Duration::from_secs(5);
/// Shorter secrets could be guessed.
const SHORTEST: usize = 16;

/// What only the processes of a run know.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Why a file is no secret.
#[derive(Debug, thiserror::Error)]
pub enum NoSecret {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It is too short.
    #[error("the secret has {0} bytes; it needs {SHORTEST} or more")]
    Short(usize),
    /// Others can read it.
    #[error("other users can read the file")]
    Open,
}

impl Secret {
    /// A random secret.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        Ok(Secret(random()?.to_vec()))
    }

    /// The secret in a file, without white space around it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is too short, or other users can read it.
    pub fn read(file: &Path) -> Result<Self, NoSecret> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            if std::fs::metadata(file)?.permissions().mode() & 0o077 != 0 {
                return Err(NoSecret::Open);
            }
        }
        let bytes = std::fs::read(file)?.trim_ascii().to_vec();
        match bytes.len() {
            short if short < SHORTEST => Err(NoSecret::Short(short)),
            _ => Ok(Secret(bytes)),
        }
    }

    /// The secret as text, for the standard input of another process.
    pub fn to_text(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The secret that [`to_text`](Secret::to_text) wrote.
    pub fn of_text(text: &str) -> Option<Self> {
        let pairs = text.as_bytes().chunks(2);
        let bytes: Option<Vec<u8>> = pairs
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        bytes.filter(|bytes| bytes.len() >= SHORTEST).map(Secret)
    }

    fn proof(&self, role: &[u8], said: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length will do");
        mac.update(role);
        mac.update(said);
        mac
    }
}

fn random() -> io::Result<[u8; SIZE]> {
    let mut bytes = [0; SIZE];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// Timely's messages.
    Data,
    /// Messages before and after the exploration.
    Control,
}

/// Who is at the other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Caller {
    pub(crate) index: usize,
    pub(crate) purpose: Purpose,
}

/// Calls process `to`; this is process `from`.
pub(crate) fn call(
    stream: &mut TcpStream,
    secret: &Secret,
    (from, to): (usize, usize),
    purpose: Purpose,
) -> io::Result<()> {
    prepare(stream)?;
    let mut said = Vec::with_capacity(HELLO + SIZE);
    said.extend_from_slice(MAGIC);
    said.extend_from_slice(&(from as u32).to_le_bytes());
    said.extend_from_slice(&(to as u32).to_le_bytes());
    said.push(purpose as u8);
    said.extend_from_slice(&random()?);
    stream.write_all(&said)?;
    let (mut number, mut proof) = ([0; SIZE], [0; SIZE]);
    stream.read_exact(&mut number)?;
    stream.read_exact(&mut proof)?;
    said.extend_from_slice(&number);
    secret.proof(b"server", &said).verify_slice(&proof).map_err(|_| refused())?;
    stream.write_all(&secret.proof(b"client", &said).finalize().into_bytes())?;
    let mut welcome = [0];
    stream.read_exact(&mut welcome)?;
    if welcome != [WELCOME] { Err(refused()) } else { Ok(()) }
}

/// Answers a call to process `to`.
pub(crate) fn answer(stream: &mut TcpStream, secret: &Secret, to: usize) -> io::Result<Caller> {
    prepare(stream)?;
    let mut said = vec![0; HELLO];
    stream.read_exact(&mut said)?;
    let number = |at: usize| u32::from_le_bytes(said[at..at + 4].try_into().expect("four bytes"));
    let (from, called) = (number(8) as usize, number(12) as usize);
    let purpose = match said[16] {
        0 => Purpose::Data,
        1 => Purpose::Control,
        _ => return Err(refused()),
    };
    if said[..8] != *MAGIC || called != to {
        return Err(refused());
    }
    let number = random()?;
    said.extend_from_slice(&number);
    stream.write_all(&number)?;
    stream.write_all(&secret.proof(b"server", &said).finalize().into_bytes())?;
    let mut proof = [0; SIZE];
    stream.read_exact(&mut proof)?;
    secret.proof(b"client", &said).verify_slice(&proof).map_err(|_| refused())?;
    stream.write_all(&[WELCOME])?;
    Ok(Caller { index: from, purpose })
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "it does not know the secret of this run")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn secret(byte: u8) -> Secret {
        Secret(vec![byte; 20])
    }

    /// The results of both ends.
    fn meet(
        caller: Secret,
        answerer: Secret,
        called: usize,
    ) -> (io::Result<()>, io::Result<Caller>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            call(&mut stream, &caller, (2, called), Purpose::Control)
        });
        let (mut stream, _) = listener.accept().unwrap();
        let answered = answer(&mut stream, &answerer, 1);
        drop(stream);
        (client.join().unwrap(), answered)
    }

    #[test]
    fn both_ends_must_know_the_secret() {
        let (called, answered) = meet(secret(1), secret(1), 1);
        called.unwrap();
        assert_eq!(answered.unwrap(), Caller { index: 2, purpose: Purpose::Control });
        let (called, answered) = meet(secret(1), secret(2), 1);
        assert!(called.is_err() && answered.is_err());
    }

    #[test]
    fn a_call_to_another_process_is_rejected() {
        let (called, answered) = meet(secret(1), secret(1), 3);
        assert!(called.is_err() && answered.is_err());
    }

    #[test]
    fn bytes_of_a_stranger_are_rejected() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(&[b'x'; 4096]).unwrap();
            let mut all = Vec::new();
            let _ = stream.read_to_end(&mut all);
            all
        });
        let (mut stream, _) = listener.accept().unwrap();
        assert!(answer(&mut stream, &secret(1), 1).is_err());
        drop(stream);
        assert!(client.join().unwrap().is_empty(), "nothing is said to a stranger");
    }

    #[test]
    fn a_secret_survives_as_text() {
        let secret = Secret::random().unwrap();
        assert_eq!(Secret::of_text(&secret.to_text()).unwrap().0, secret.0);
        assert!(Secret::of_text("12").is_none());
    }
}
