//! Loads files as text, within a limit, and rejects files that are not text.

use std::path::Path;

use crate::open::read_bytes;
use crate::{Diagnostics, Fault, Finding, Problem, Source};

/// How to decode bytes that are not UTF-8 if the file does not declare an encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// The file is rejected.
    Refused,
    /// As ISO 8859-1, in which every byte is a character.
    Latin1,
}

/// What a reader accepts as text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The largest text, in bytes.
    pub max_bytes: u64,
    /// The expected kind of file, for the message about a binary file.
    pub wanted: &'static str,
    /// How to decode bytes that are not UTF-8.
    pub invalid: Invalid,
    /// Whether an empty text is accepted.
    pub may_be_empty: bool,
}

impl Rules {
    /// Rules for a text that is not empty; `wanted` is the expected kind of file, for messages.
    pub fn new(max_bytes: u64, wanted: &'static str, invalid: Invalid) -> Self {
        Self { max_bytes, wanted, invalid, may_be_empty: false }
    }
}

impl Source {
    /// Reads and decodes a file. A file over the limit is rejected by its size alone.
    ///
    /// # Errors
    /// When the file cannot be opened, or is not what `rules` say.
    pub fn load<P>(path: &Path, rules: &Rules) -> Result<Self, Diagnostics<P>>
    where
        P: Problem + From<Fault>,
    {
        let name = path.display().to_string();
        match read_bytes(path, rules.max_bytes) {
            Ok(bytes) => Self::from_bytes(&name, bytes, rules),
            Err(fault) => Err(Diagnostics::whole_file(&name, fault.into())),
        }
    }

    /// Decodes bytes in memory; `name` is the name of the file in messages.
    ///
    /// # Errors
    /// When they are not what `rules` say.
    pub fn from_bytes<P>(name: &str, bytes: Vec<u8>, rules: &Rules) -> Result<Self, Diagnostics<P>>
    where
        P: Problem + From<Fault>,
    {
        let checked = check_size(bytes.len() as u64, rules);
        match checked.and_then(|()| decode(&bytes, rules)) {
            Ok(text) => Ok(Self::new(name, &text)),
            Err(Fault::NotUtf8 { encoding }) if encoding == OTHER => {
                let offset = str::from_utf8(&bytes).map_or_else(|e| e.valid_up_to(), |_| 0);
                let source = Self::new(name, &String::from_utf8_lossy(&bytes));
                let problem = Fault::NotUtf8 { encoding }.into();
                Err(Diagnostics::one(name, Finding::new(&source, offset..offset, "", problem)))
            }
            Err(fault) => Err(Diagnostics::whole_file(name, fault.into())),
        }
    }
}

/// An encoding that is recognised only by invalid bytes.
const OTHER: &str = "another encoding";

fn check_size(bytes: u64, rules: &Rules) -> Result<(), Fault> {
    match bytes > rules.max_bytes {
        true => Err(Fault::TooLarge { bytes, max_bytes: rules.max_bytes }),
        false => Ok(()),
    }
}

/// Decodes bytes: as UTF-8, or as ISO 8859-1 if the XML declaration says so.
pub(crate) fn decode(bytes: &[u8], rules: &Rules) -> Result<String, Fault> {
    if !rules.may_be_empty && bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Fault::Empty);
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let wanted = rules.wanted;
        return Err(match rules.invalid {
            Invalid::Refused => Fault::NotUtf8 { encoding: "UTF-16" },
            Invalid::Latin1 => Fault::Binary { wanted, kind: "text in UTF-16" },
        });
    }
    if let Some(kind) = binary_kind(bytes) {
        return Err(Fault::Binary { wanted: rules.wanted, kind });
    }
    let latin1 = || bytes.iter().map(|&byte| char::from(byte)).collect();
    if !bytes.is_ascii() && declared_encoding(bytes).as_deref().is_some_and(is_latin1) {
        return Ok(latin1());
    }
    match (str::from_utf8(bytes), rules.invalid) {
        (Ok(text), _) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()),
        (Err(_), Invalid::Latin1) => Ok(latin1()),
        (Err(_), Invalid::Refused) => Err(Fault::NotUtf8 { encoding: OTHER }),
    }
}

/// The kind of binary file, if it is one: text contains no NUL.
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

    fn text(bytes: &[u8], invalid: Invalid) -> Result<String, Fault> {
        decode(bytes, &Rules::new(100, "text", invalid))
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
        assert_eq!(refused, Err(Fault::NotUtf8 { encoding: OTHER }));
    }

    #[test]
    fn binary_files_are_rejected() {
        let wanted = "text";
        let kind = |bytes: &[u8]| text(bytes, Invalid::Latin1).unwrap_err();
        assert_eq!(kind(b" \n"), Fault::Empty);
        assert_eq!(kind(b"\x1f\x8b\x08"), Fault::Binary { wanted, kind: "a gzip archive" });
        assert_eq!(kind(b"\xff\xfe<\0"), Fault::Binary { wanted, kind: "text in UTF-16" });
        assert_eq!(kind(b"a\0b"), Fault::Binary { wanted, kind: "a binary file" });
    }
}
