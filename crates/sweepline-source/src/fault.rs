//! Errors that prevent reading a file of any format.

use std::fmt;

use miette::Diagnostic;

/// Why a file is not text, or not well-formed XML.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Fault {
    /// The file system returned an error.
    #[error("cannot open the file: {reason}")]
    CannotOpen { reason: String },
    /// Larger than [`Rules::max_bytes`](crate::Rules::max_bytes).
    #[error("the file has {bytes} bytes, more than the limit of {max_bytes}")]
    TooLarge { bytes: u64, max_bytes: u64 },
    /// A pipe, or a file that grows, has more than the limit.
    #[error("the file has more bytes than the limit of {max_bytes}")]
    Endless { max_bytes: u64 },
    /// A model with all files that it uses is larger than the limit.
    #[error(
        "the model and the files that it uses have more than {max_bytes} bytes together; raise the limit with \
         `--max-input SIZE`"
    )]
    TooLargeTogether { max_bytes: u64 },
    /// The model uses too many files.
    #[error("more than {max_files} files are used, counting each use")]
    TooManyFiles { max_files: usize },
    /// Only white space.
    #[error("the file is empty")]
    Empty,
    /// Not text.
    #[error("the file is not {wanted}: it looks like {kind}")]
    Binary { wanted: &'static str, kind: &'static str },
    /// Text in an unsupported encoding.
    #[error("the file is not in UTF-8, but in {encoding}")]
    NotUtf8 { encoding: &'static str },
    /// Not well-formed XML.
    #[error("this is not well-formed XML: {reason}")]
    Malformed { reason: String, help: Option<&'static str> },
    /// The text ends inside an element.
    #[error("the file ends before `</{element}>`: it is cut off")]
    Truncated { element: String },
    /// Nested too deeply.
    #[error("elements are nested more than {max_depth} levels deep")]
    TooDeep { max_depth: usize },
    /// One value is too long.
    #[error("a single value has {bytes} bytes, more than the limit of {max_bytes}")]
    ValueTooLong { bytes: usize, max_bytes: usize },
    /// A document type declaration with declarations in it.
    #[error("the DOCTYPE declares entities or elements; they are not expanded")]
    Doctype,
    /// `&name;` other than the five entities of XML.
    #[error("unknown entity `&{name};`")]
    UnknownEntity { name: String },
}

/// A fault with the code and, if it has one, the advice of a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fault}")]
pub struct Unreadable {
    /// What is wrong.
    pub fault: Fault,
    /// The code of the message.
    pub code: &'static str,
    /// Advice, or empty.
    pub help: &'static str,
}

impl Diagnostic for Unreadable {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let advice = match self.help.is_empty() {
            true => self.fault.advice()?,
            false => self.help.to_owned(),
        };
        Some(Box::new(advice))
    }
}

impl Fault {
    /// The advice that applies to any format.
    pub fn advice(&self) -> Option<String> {
        Some(match self {
            Fault::TooLarge { bytes, .. } => format!("raise the limit with `--max-input {bytes}`"),
            Fault::Endless { .. } => "raise the limit with `--max-input SIZE`".into(),
            Fault::Malformed { help, .. } => help.as_ref()?.to_string(),
            Fault::UnknownEntity { .. } => {
                "the entities of XML are `&amp;` `&lt;` `&gt;` `&quot;` `&apos;` and `&#number;`"
                    .into()
            }
            _ => return None,
        })
    }
}
