//! Writing for people: numbers, sizes, times, styles, and streams that may be closed.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use crate::failure::Failure;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const BOLD: Style = Style::new().bold();

/// `text` in a style; taken out again where the stream is no terminal.
pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Prints results. A reader that has seen enough is no error; a full disk is one, or a script would
/// take an empty file for an answer.
pub(crate) fn results(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::writing(Path::new("standard output"))(error))
        }
        _ => Ok(()),
    }
}

/// A file for results, opened before the run: a run is too long to find out after it.
pub(crate) struct ResultFile {
    path: PathBuf,
    file: File,
}

impl ResultFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(Failure::writing(path))?;
        Ok(ResultFile { path: path.to_owned(), file })
    }

    /// Writes the text, without styles.
    pub(crate) fn write(mut self, text: &str) -> Result<(), Failure> {
        let text = anstream::adapter::strip_str(text).to_string();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(Failure::writing(&self.path))
    }
}

/// An expression, cut where it is too long for a table.
pub(crate) fn cut(expression: &str) -> String {
    const MOST: usize = 72;
    match expression.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &expression[..end]),
        None => expression.to_owned(),
    }
}

/// Prints a warning.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}: {text}", styled(UNSURE, "warning"));
}

/// `1,234,567`
pub(crate) fn grouped(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `-1,234`
pub(crate) fn signed(n: impl Into<i128>) -> String {
    let n = n.into();
    let sign = if n < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(n.unsigned_abs()))
}

/// `1.5 GiB`
pub(crate) fn bytes(n: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} bytes");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}

/// `0.123 s`, `12.3 s`, `4 min 05 s`, `2 h 03 min`
pub(crate) fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match duration.as_secs() {
        0..10 => format!("{seconds:.3} s"),
        10..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {:02} s", duration.as_secs() / 60, duration.as_secs() % 60),
        whole => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// `part` of `whole`: `5.4%`
pub(crate) fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0u64), "0");
        assert_eq!(grouped(999u64), "999");
        assert_eq!(grouped(1000u64), "1,000");
        assert_eq!(grouped(1234567u64), "1,234,567");
        assert_eq!(signed(-1234), "-1,234");
    }

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!(bytes(1023), "1023 bytes");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes((1 << 20) - 1), "1.0 MiB");
        assert_eq!(bytes(8 << 30), "8.0 GiB");
        assert_eq!(time(Duration::from_millis(1234)), "1.234 s");
        assert_eq!(time(Duration::from_secs(245)), "4 min 05 s");
        assert_eq!(time(Duration::from_secs(7380)), "2 h 03 min");
    }
}
