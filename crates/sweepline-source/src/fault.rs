//! What keeps a file from being read, whatever its format.

use std::fmt;

use miette::Diagnostic;

/// Why a file is no text, or not well-formed XML.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum Fault {
    /// The file system refuses.
    #[error("cannot open the file: {reason}")]
    CannotOpen { reason: String },
    /// Larger than [`Rules::max_bytes`](crate::Rules::max_bytes).
    #[error("the file has {bytes} bytes, more than the limit of {max_bytes}")]
    TooLarge { bytes: u64, max_bytes: u64 },
    /// A pipe, or a file that grows, has more than the limit.
    #[error("the file has more than {max_bytes} bytes, the limit")]
    Endless { max_bytes: u64 },
    /// A model with all that it uses is larger than the limit.
    #[error(
        "the model and the files that it uses have more than {max_bytes} bytes together; raise the limit with \
         `--max-input SIZE`"
    )]
    TooLargeTogether { max_bytes: u64 },
    /// Files use each other too often.
    #[error("more than {max_files} files are read, counting each as often as it is used")]
    TooManyFiles { max_files: usize },
    /// Nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// Not text.
    #[error("the file is not {wanted}: it looks like {kind}")]
    Binary { wanted: &'static str, kind: &'static str },
    /// Text in an encoding that is not read.
    #[error("the text is not UTF-8 but {encoding}")]
    NotUtf8 { encoding: &'static str },
    /// Not well-formed XML.
    #[error("this is not well-formed XML: {reason}")]
    Malformed { reason: String, help: Option<&'static str> },
    /// The text ends inside an element.
    #[error("the file ends before `</{element}>`: it is cut off")]
    Truncated { element: String },
    /// Nested too deeply.
    #[error("elements are nested more than {max_depth} deep")]
    TooDeep { max_depth: usize },
    /// One value is too long.
    #[error("a single value has {bytes} bytes, more than the limit of {max_bytes}")]
    ValueTooLong { bytes: usize, max_bytes: usize },
    /// A document type declaration that defines things.
    #[error("the DOCTYPE declares entities or elements; they are not expanded")]
    Doctype,
    /// `&name;` other than the five of XML.
    #[error("the entity `&{name};` is not known")]
    UnknownEntity { name: String },
}

/// A fault with the code that a format has for it, and advice, if the format has some of its own.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fault}")]
pub struct Unreadable {
    /// What is wrong.
    pub fault: Fault,
    /// The code of the message.
    pub code: &'static str,
    /// What to do, or nothing.
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
    /// What to do about it in any format.
    pub fn advice(&self) -> Option<String> {
        Some(match self {
            Fault::TooLarge { bytes, .. } => format!("raise the limit with `--max-input {bytes}`"),
            Fault::Endless { .. } => "raise the limit with `--max-input SIZE`".into(),
            Fault::Malformed { help, .. } => help.as_ref()?.to_string(),
            Fault::UnknownEntity { .. } => {
                "XML itself knows `&amp;` `&lt;` `&gt;` `&quot;` `&apos;` and `&#number;`".into()
            }
            _ => return None,
        })
    }
}
