//! Files become texts: within a limit, and only if they are text.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::{Diagnostics, Finding, Problem, Source};

/// What bytes mean that are not UTF-8, where the file does not declare an encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// The file is refused.
    Refused,
    /// They are ISO 8859-1, in which every byte is a character.
    Latin1,
}

/// What a reader accepts as a text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The largest text, in bytes.
    pub max_bytes: u64,
    /// What bytes mean that are not UTF-8.
    pub invalid: Invalid,
    /// Whether nothing but white space is a text too.
    pub may_be_empty: bool,
}

/// Why a file is no text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Unreadable {
    /// The file system refuses.
    #[error("{reason}")]
    CannotOpen { reason: String },
    /// Larger than [`Rules::max_bytes`].
    #[error("it has {bytes} bytes, more than the limit of {max_bytes}")]
    TooLarge { bytes: u64, max_bytes: u64 },
    /// Nothing but white space.
    #[error("it is empty")]
    Empty,
    /// Not text.
    #[error("it looks like {kind}")]
    Binary { kind: &'static str },
    /// Text in an encoding that is not read.
    #[error("it is not UTF-8 but {encoding}")]
    NotUtf8 { encoding: &'static str },
}

impl Source {
    /// Reads and decodes a file. A file over the limit is refused by its size alone.
    ///
    /// # Errors
    /// When the file cannot be opened, or is not what `rules` say.
    pub fn load<P>(path: &Path, rules: &Rules) -> Result<Self, Diagnostics<P>>
    where
        P: Problem + From<Unreadable>,
    {
        let name = path.display().to_string();
        match read(path, rules) {
            Ok(bytes) => Self::from_bytes(&name, bytes, rules),
            Err(unreadable) => Err(Diagnostics::whole_file(&name, unreadable.into())),
        }
    }

    /// Decodes bytes that are in memory; `name` stands for the file in messages.
    ///
    /// # Errors
    /// When they are not what `rules` say.
    pub fn from_bytes<P>(name: &str, bytes: Vec<u8>, rules: &Rules) -> Result<Self, Diagnostics<P>>
    where
        P: Problem + From<Unreadable>,
    {
        let checked = check_size(bytes.len() as u64, rules);
        match checked.and_then(|()| decode(&bytes, rules)) {
            Ok(text) => Ok(Self::new(name, &text)),
            Err(Unreadable::NotUtf8 { encoding }) if encoding == OTHER => {
                let offset = str::from_utf8(&bytes).map_or_else(|e| e.valid_up_to(), |_| 0);
                let source = Self::new(name, &String::from_utf8_lossy(&bytes));
                let problem = Unreadable::NotUtf8 { encoding }.into();
                Err(Diagnostics::one(name, Finding::new(&source, offset..offset, "", problem)))
            }
            Err(unreadable) => Err(Diagnostics::whole_file(name, unreadable.into())),
        }
    }
}

/// An encoding that shows by a byte in the text.
const OTHER: &str = "another encoding";

fn read(path: &Path, rules: &Rules) -> Result<Vec<u8>, Unreadable> {
    let cannot_open = |error: io::Error| Unreadable::CannotOpen { reason: error.to_string() };
    let file = File::open(path).map_err(cannot_open)?;
    let metadata = file.metadata().map_err(cannot_open)?;
    if metadata.is_dir() {
        return Err(Unreadable::CannotOpen { reason: "it is a directory".into() });
    }
    check_size(metadata.len(), rules)?;
    // The file may grow while it is read, and a pipe has no size: the limit holds for them too.
    let mut bytes = Vec::with_capacity(metadata.len().min(256 << 20) as usize);
    let mut bounded = file.take(rules.max_bytes.saturating_add(1));
    bounded.read_to_end(&mut bytes).map_err(cannot_open)?;
    Ok(bytes)
}

fn check_size(bytes: u64, rules: &Rules) -> Result<(), Unreadable> {
    match bytes > rules.max_bytes {
        true => Err(Unreadable::TooLarge { bytes, max_bytes: rules.max_bytes }),
        false => Ok(()),
    }
}

/// Text from bytes: UTF-8, or ISO 8859-1 where the XML declaration says so.
fn decode(bytes: &[u8], rules: &Rules) -> Result<String, Unreadable> {
    if !rules.may_be_empty && bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Unreadable::Empty);
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Unreadable::NotUtf8 { encoding: "UTF-16" });
    }
    if let Some(kind) = binary_kind(bytes) {
        return Err(Unreadable::Binary { kind });
    }
    let latin1 = || bytes.iter().map(|&byte| char::from(byte)).collect();
    if !bytes.is_ascii() && declared_encoding(bytes).as_deref().is_some_and(is_latin1) {
        return Ok(latin1());
    }
    match (str::from_utf8(bytes), rules.invalid) {
        (Ok(text), _) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()),
        (Err(_), Invalid::Latin1) => Ok(latin1()),
        (Err(_), Invalid::Refused) => Err(Unreadable::NotUtf8 { encoding: OTHER }),
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
    let known = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| *kind);
    known.or_else(|| bytes.contains(&0).then_some("a binary file"))
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

    fn text(bytes: &[u8], invalid: Invalid) -> Result<String, Unreadable> {
        decode(bytes, &Rules { max_bytes: 100, invalid, may_be_empty: false })
    }

    #[test]
    fn both_encodings_are_read() {
        for invalid in [Invalid::Refused, Invalid::Latin1] {
            let latin = b"<?xml version='1.0' encoding = 'ISO-8859-1'?><a>\xc3\xa9</a>";
            assert!(text(latin, invalid).unwrap().ends_with("<a>\u{c3}\u{a9}</a>"));
            assert_eq!(text("<a>\u{e9}</a>".as_bytes(), invalid).unwrap(), "<a>\u{e9}</a>");
            assert_eq!(text("\u{feff}<a/>".as_bytes(), invalid).unwrap(), "<a/>");
        }
        assert_eq!(text(b"<a>\xe9</a>", Invalid::Latin1).unwrap(), "<a>\u{e9}</a>");
        let refused = text(b"<a>\xe9</a>", Invalid::Refused);
        assert_eq!(refused, Err(Unreadable::NotUtf8 { encoding: OTHER }));
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let kind = |bytes: &[u8]| text(bytes, Invalid::Latin1).unwrap_err();
        assert_eq!(kind(b" \n"), Unreadable::Empty);
        assert_eq!(kind(b"\x1f\x8b\x08"), Unreadable::Binary { kind: "a gzip archive" });
        assert_eq!(kind(b"\xff\xfe<\0"), Unreadable::NotUtf8 { encoding: "UTF-16" });
        assert_eq!(kind(b"a\0b"), Unreadable::Binary { kind: "a binary file" });
    }
}
