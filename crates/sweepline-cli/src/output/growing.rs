//! Logs, which are read while they grow. The old file stays until the first line of the new one is written.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::NewFile;

/// A line is flushed after this time at the latest, when the next line is written.
const DELAY: Duration = Duration::from_millis(500);

/// A file that gets its name with its first line, and its further lines under that name.
pub(crate) struct Growing {
    path: PathBuf,
    head: String,
    /// Once it has its first line.
    out: Option<BufWriter<File>>,
    written: Instant,
}

impl Growing {
    /// A file that begins with the line `head`, if that is not empty. Fails if `path` cannot be written, and does not
    /// change it.
    pub(crate) fn new(path: &Path, head: &str) -> io::Result<Self> {
        NewFile::check(path)?;
        let (path, head) = (path.to_owned(), head.to_owned());
        Ok(Growing { path, head, out: None, written: Instant::now() })
    }

    /// Like `new`, but appends to an existing file whose first line is `head`.
    pub(crate) fn go_on(path: &Path, head: &str) -> io::Result<Self> {
        let mut growing = Growing::new(path, head)?;
        let is_file = path.metadata().is_ok_and(|found| found.is_file());
        if is_file && first_line(path)? == head {
            growing.out = Some(BufWriter::new(File::options().append(true).open(path)?));
        }
        Ok(growing)
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        let Some(out) = &mut self.out else { return self.begin(&format!("{line}\n")) };
        writeln!(out, "{line}")?;
        if self.written.elapsed() >= DELAY {
            out.flush()?;
            self.written = Instant::now();
        }
        Ok(())
    }

    /// Completes the file.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.out.is_none() {
            self.begin("")?;
        }
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }

    /// Gives the file its name, with its first lines in it.
    fn begin(&mut self, text: &str) -> io::Result<()> {
        let mut file = NewFile::create(&self.path)?;
        if !self.head.is_empty() {
            writeln!(file, "{}", self.head)?;
        }
        file.write_all(text.as_bytes())?;
        self.out = Some(BufWriter::new(file.publish()?));
        self.written = Instant::now();
        Ok(())
    }
}

fn first_line(path: &Path) -> io::Result<String> {
    let mut line = Vec::new();
    io::Read::take(BufReader::new(File::open(path)?), 1 << 10).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_was_there_stays_until_the_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, "old\n").unwrap();
        let read = || fs::read_to_string(&path).unwrap();
        drop(Growing::new(&path, "head").unwrap());
        let mut log = Growing::new(&path, "head").unwrap();
        assert_eq!(read(), "old\n");
        log.line("1").unwrap();
        assert_eq!(read(), "head\n1\n");
        log.line("2").unwrap();
        log.finish().unwrap();
        let mut log = Growing::go_on(&path, "head").unwrap();
        log.line("3").unwrap();
        log.finish().unwrap();
        assert_eq!(read(), "head\n1\n2\n3\n");
        Growing::go_on(&path, "other").unwrap().finish().unwrap();
        assert_eq!(read(), "other\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
