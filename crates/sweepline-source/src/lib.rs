//! The code shared by all readers: named texts and positions, loading files within limits, a cursor over XML,
//! and diagnostics that show the position of an error in the text.
//!
//! A language has an enum of all its problems, which implements [`Problem`]. Its reader records problems in
//! [`Findings`], which become [`Diagnostics`]: all errors of a file at once, each with its position.
//!
//! ```
//! use miette::Diagnostic;
//! use sweepline_source::{Finding, Findings, Problem, Source};
//!
//! #[derive(Clone, Debug, thiserror::Error, Diagnostic)]
//! #[error("`{word}` is misspelt")]
//! struct Misspelt {
//!     word: String,
//! }
//! impl Problem for Misspelt {}
//!
//! let source = Source::new("letter.txt", "dear\nfreind");
//! let mut findings = Findings::default();
//! findings.report(Finding::new(&source, 5..11, "", Misspelt { word: "freind".into() }));
//! let errors = findings.finish("letter.txt").unwrap_err();
//! assert_eq!(errors.errors[0].to_string(), "letter.txt:2:1: `freind` is misspelt");
//! ```

#![forbid(unsafe_code)]

mod diagnostics;
mod excerpt;
mod fault;
mod findings;
mod load;
mod mistakes;
mod open;
mod problems;
mod similar;
mod source;
mod text;
mod words;
pub mod xml;

pub use diagnostics::{Diagnostics, Finding, MAX_ERRORS, Problem};
pub use fault::{Fault, Unreadable};
pub use findings::Findings;
pub use load::{Invalid, Rules};
pub use mistakes::{Mistake, Mistakes};
pub use open::{Allowance, names_pipe, open, read_bytes};
pub use similar::{Suggestion, closest};
pub use source::{Position, Source, SourceId, Span, clip, clip_at};
pub use text::Text;
pub use words::WordList;
