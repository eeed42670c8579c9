//! The text of an input file, loaded within limits, and positions in it.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::problem::Problem;

/// What is accepted before a file is refused, so that no input can exhaust the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest file that is read, in bytes (`--max-input`).
    pub max_bytes: u64,
    /// The deepest nesting of elements.
    pub max_depth: usize,
    /// The most page instances of a net.
    pub max_instances: usize,
}

impl Default for Limits {
    /// 64 MiB, 200 levels, 100,000 page instances.
    fn default() -> Self {
        Self { max_bytes: 64 << 20, max_depth: 200, max_instances: 100_000 }
    }
}

/// A line and a column, both counted from 1, columns in characters.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A named text: a model, or a file that it uses. Offsets are bytes of its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file, as the user named it.
    pub name: Arc<str>,
    /// All of its text.
    pub text: Arc<str>,
}

impl Origin {
    /// Text that is in memory already.
    ///
    /// # Errors
    ///
    /// When it is too large, empty or no text.
    pub(crate) fn from_bytes(name: &str, bytes: Vec<u8>, limits: &Limits) -> Result<Self, Problem> {
        check_size(bytes.len() as u64, limits)?;
        Ok(Self { name: name.into(), text: decode(bytes)?.into() })
    }

    /// Reads and decodes a file. A file over the limit is refused by its size alone.
    pub(crate) fn load(path: &Path, limits: &Limits) -> Result<Self, Problem> {
        let cannot_open = |error: io::Error| Problem::CannotOpen { reason: error.to_string() };
        let file = File::open(path).map_err(cannot_open)?;
        let metadata = file.metadata().map_err(cannot_open)?;
        if metadata.is_dir() {
            return Err(Problem::CannotOpen { reason: "it is a directory".into() });
        }
        check_size(metadata.len(), limits)?;
        // The file may grow while it is read, and a pipe has no size: the limit holds for them too.
        let mut bytes = Vec::new();
        let mut bounded = file.take(limits.max_bytes.saturating_add(1));
        bounded.read_to_end(&mut bytes).map_err(cannot_open)?;
        Self::from_bytes(&path.display().to_string(), bytes, limits)
    }

    /// The line and column of an offset. One inside a character counts as its start.
    pub fn position(&self, offset: usize) -> Position {
        let before = &self.text[..self.floor(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        Position { line, column: before[line_start..].chars().count() + 1 }
    }

    /// The start of the character at an offset.
    pub(crate) fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

fn check_size(bytes: u64, limits: &Limits) -> Result<(), Problem> {
    match bytes > limits.max_bytes {
        true => Err(Problem::TooLarge { bytes, max_bytes: limits.max_bytes }),
        false => Ok(()),
    }
}

/// Text from bytes. CPN Tools writes ISO 8859-1 and says so; other programs write UTF-8, and some say
/// nothing: what is no UTF-8 is taken for ISO 8859-1, in which every byte is a character.
fn decode(bytes: Vec<u8>) -> Result<String, Problem> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::EmptyFile);
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Problem::Binary { kind: "text in UTF-16" });
    }
    if let Some(kind) = binary_kind(&bytes) {
        return Err(Problem::Binary { kind });
    }
    let latin1 = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect();
    if is_latin1(&bytes) && !bytes.is_ascii() {
        return Ok(latin1(&bytes));
    }
    match String::from_utf8(bytes) {
        Ok(text) => match text.strip_prefix('\u{feff}') {
            Some(rest) => Ok(rest.to_owned()),
            None => Ok(text),
        },
        Err(error) => Ok(latin1(error.as_bytes())),
    }
}

/// What kind of binary file this is, if it is one: text holds no NUL.
fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 4] = [
        (b"\x1f\x8b", "a gzip archive"),
        (b"PK\x03\x04", "a zip archive"),
        (b"\x7fELF", "an executable"),
        (b"%PDF", "a PDF document"),
    ];
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(kind);
    }
    bytes.contains(&0).then_some("a binary file")
}

/// Whether the XML declaration says ISO 8859-1.
fn is_latin1(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let declaration =
        head.trim_start().strip_prefix("<?xml").and_then(|rest| rest.split("?>").next());
    declaration.is_some_and(|text| {
        ["iso-8859-1", "iso8859-1", "latin1"].iter().any(|name| text.contains(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Result<String, Problem> {
        decode(bytes.to_vec())
    }

    #[test]
    fn both_encodings_are_read() {
        let latin = text(b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xc3\xa9</a>");
        assert!(latin.unwrap().ends_with("<a>\u{c3}\u{a9}</a>"));
        assert_eq!(text("<a>\u{e9}</a>".as_bytes()).unwrap(), "<a>\u{e9}</a>");
        assert_eq!(text(b"<a>\xe9</a>").unwrap(), "<a>\u{e9}</a>");
        assert_eq!(text("\u{feff}<a/>".as_bytes()).unwrap(), "<a/>");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert!(matches!(text(b" \n"), Err(Problem::EmptyFile)));
        assert!(matches!(text(b"\x1f\x8b\x08"), Err(Problem::Binary { .. })));
        assert!(matches!(text(b"\xff\xfe<\0"), Err(Problem::Binary { .. })));
        assert!(matches!(text(b"a\0b"), Err(Problem::Binary { .. })));
    }

    #[test]
    fn positions_count_lines_and_characters() {
        let origin = Origin { name: "x".into(), text: "ab\n\u{e9}\u{e9}x\n".into() };
        for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (3, 2, 1), (7, 2, 3), (99, 3, 1)] {
            assert_eq!(origin.position(offset), Position { line, column }, "{offset}");
        }
    }
}
