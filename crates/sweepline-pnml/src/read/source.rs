//! The text of an input file, loaded within limits, and positions in it.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use super::problem::Problem;
use crate::symmetric::UnfoldLimits;

/// What a reader accepts before it refuses a file, so that no input can exhaust the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest file that is read, in bytes (`--max-input`).
    pub max_bytes: u64,
    /// The longest single name, number or attribute, in bytes.
    pub max_value_bytes: usize,
    /// The deepest nesting of elements.
    pub max_depth: usize,
    /// How large a symmetric net may become when it is unfolded.
    pub unfold: UnfoldLimits,
}

impl Default for Limits {
    /// 128 MiB, 64 KiB, 256 levels.
    fn default() -> Self {
        let unfold = UnfoldLimits::default();
        Self { max_bytes: 128 << 20, max_value_bytes: 64 << 10, max_depth: 256, unfold }
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

/// A named text; all spans of a reader are byte ranges of [`Source::text`].
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A problem with the bytes of a file, before there is text to point into.
pub(crate) struct Unreadable {
    pub(crate) problem: Problem,
    /// The text up to the problem and the offset of the problem, where there is such text.
    pub(crate) before: Option<Box<(String, usize)>>,
}

impl From<Problem> for Unreadable {
    fn from(problem: Problem) -> Self {
        Self { problem, before: None }
    }
}

impl Source {
    /// Reads and decodes a file. A file over the limit is refused by its size alone.
    pub(crate) fn load(path: &Path, limits: &Limits) -> Result<Self, Unreadable> {
        let name = path.display().to_string();
        let cannot_open = |error: io::Error| Problem::CannotOpen { reason: error.to_string() };
        let file = File::open(path).map_err(cannot_open)?;
        let metadata = file.metadata().map_err(cannot_open)?;
        if metadata.is_dir() {
            return Err(Problem::CannotOpen { reason: "it is a directory".into() }.into());
        }
        check_size(metadata.len(), limits)?;
        // The file may grow while it is read, and a pipe has no size: the limit holds for them too.
        let expected = metadata.len().min(256 << 20) as usize;
        let mut bytes = Vec::with_capacity(expected);
        let mut bounded = file.take(limits.max_bytes.saturating_add(1));
        bounded.read_to_end(&mut bytes).map_err(cannot_open)?;
        check_size(bytes.len() as u64, limits)?;
        Ok(Self { name, text: decode(bytes)? })
    }

    /// Wraps text that is in memory already.
    pub(crate) fn from_text(name: &str, text: &str, limits: &Limits) -> Result<Self, Unreadable> {
        check_size(text.len() as u64, limits)?;
        Ok(Self { name: name.to_owned(), text: decode(text.as_bytes().to_vec())? })
    }
}

/// The line and column of a byte offset. An offset inside a character counts as its start.
pub(crate) fn position_of(text: &str, offset: usize) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    Position { line, column: before[line_start..].chars().count() + 1 }
}

/// The byte range of `part`, which must be a slice of `text`.
pub(crate) fn span_in(text: &str, part: &[u8]) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    start..(start + part.len()).min(text.len())
}

fn check_size(bytes: u64, limits: &Limits) -> Result<(), Problem> {
    match bytes > limits.max_bytes {
        true => Err(Problem::TooLarge { bytes, max_bytes: limits.max_bytes }),
        false => Ok(()),
    }
}

/// Text from bytes: UTF-8, or ISO-8859-1 where the XML declaration says so.
fn decode(bytes: Vec<u8>) -> Result<String, Unreadable> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::EmptyFile.into());
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Problem::NotUtf8 { encoding: "UTF-16".into() }.into());
    }
    if let Some(kind) = binary_kind(&bytes) {
        return Err(Problem::Binary { kind }.into());
    }
    if declared_encoding(&bytes).as_deref().is_some_and(is_latin1) && !bytes.is_ascii() {
        return Ok(bytes.iter().map(|&byte| char::from(byte)).collect());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        }),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let encoding = "another encoding".into();
            Err(Unreadable {
                problem: Problem::NotUtf8 { encoding },
                before: Some(Box::new((text, offset))),
            })
        }
    }
}

/// What kind of binary file this is, if it is one: text holds no NUL.
fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 6] = [
        (b"\x1f\x8b", "a gzip archive"),
        (b"PK\x03\x04", "a zip archive"),
        (b"\xfd7zXZ", "an xz archive"),
        (b"BZh", "a bzip2 archive"),
        (b"\x7fELF", "an executable"),
        (b"%PDF", "a PDF document"),
    ];
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(kind);
    }
    bytes.contains(&0).then_some("a binary file")
}

/// The `encoding` of the XML declaration, if the file starts with one.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declaration = head.trim_start().strip_prefix("<?xml")?.split("?>").next()?.to_owned();
    let value = declaration.split("encoding").nth(1)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next().map(str::to_owned)
}

fn is_latin1(encoding: &str) -> bool {
    ["iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii"]
        .iter()
        .any(|known| encoding.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let text = "ab\n\u{e9}\u{e9}x\n";
        for (offset, line, column) in
            [(0, 1, 1), (2, 1, 3), (3, 2, 1), (7, 2, 3), (8, 2, 4), (99, 3, 1)]
        {
            assert_eq!(position_of(text, offset), Position { line, column }, "{offset}");
        }
    }

    #[test]
    fn latin1_is_decoded_when_declared() {
        let bytes = b"<?xml version='1.0' encoding = 'ISO-8859-1'?><pnml a='\xe9'/>".to_vec();
        assert!(decode(bytes).is_ok_and(|text| text.contains('\u{e9}')));
        let undeclared = decode(b"<pnml a='\xe9'/>".to_vec());
        assert!(undeclared.is_err_and(|e| matches!(e.problem, Problem::NotUtf8 { .. })));
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        assert!(decode("\u{feff}<pnml/>".into()).is_ok_and(|text| text == "<pnml/>"));
    }
}
