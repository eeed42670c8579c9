//! Why an evaluation ended without a value.

use std::fmt;

use crate::core::ExnId;
use crate::problem::{MlError, Problem, without_place};
use crate::source::{Sources, Span};
use crate::types::Symbol;

use super::layout::Word;

/// An evaluation that ended without a value: by an exception that is not handled, or at a limit.
#[derive(Clone, PartialEq, Debug)]
pub struct Raised {
    /// The cause.
    pub cause: Cause,
    /// Its position.
    pub span: Option<Span>,
    /// The calls that led there, innermost first, at most [`Raised::MOST_CALLS`].
    pub calls: Vec<Span>,
}

/// Why there is no value.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Cause {
    /// An exception of the program.
    Exception {
        /// The exception.
        exn: ExnId,
        /// Its name, with the value that it carries.
        shown: String,
        /// The bits of `int`.
        int_bits: u32,
    },
    /// More calls and loops than this limit.
    Fuel(u64),
    /// It was [stopped](crate::Limits::stop).
    Stopped,
    /// Values need more memory than this limit, in bytes.
    Heap(usize),
    /// Calls need more stack than this limit, in bytes.
    Stack(usize),
    /// An `IntInf.int` has more bits than this limit.
    Number(usize),
    /// An operation that the machine does not support.
    Refused {
        /// The operation.
        what: &'static str,
        /// Why not, and what to do.
        why: &'static str,
    },
    /// Bytes that encode no value.
    Malformed,
    /// The [`Outside`](crate::Outside) gave no answer, and keeps the reason.
    Outside,
}

impl Raised {
    /// The most calls that are kept.
    pub const MOST_CALLS: usize = 16;

    /// The error to show, at the innermost position outside of the library.
    pub fn explain(&self, sources: &Sources) -> MlError {
        let places = self.span.iter().chain(&self.calls);
        let own = places.clone().find(|span| !sources.is_library(span.source));
        let Some(&span) = own.or(self.span.as_ref()) else {
            return without_place(Problem::Evaluation {
                message: self.to_string(),
                help: self.help(),
            });
        };
        let words: String = sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut shown: String = words.chars().take(60).collect();
        if shown.len() < words.len() {
            shown.push('…');
        }
        let (what, note) = self.cause.parts();
        let message = format!("{what} in `{shown}`{note}");
        let problem = Problem::Evaluation { message, help: self.help() };
        MlError { problem, span, source: sources.get(span.source).clone() }
    }

    fn help(&self) -> String {
        match &self.cause {
            Cause::Exception { exn: ExnId::OVERFLOW, int_bits, .. } => {
                let like = if *int_bits == 31 { ", as in CPN Tools" } else { "" };
                format!("`int` has {int_bits} bits{like}; `IntInf.int` has no bounds")
            }
            Cause::Exception { exn: ExnId::MATCH, .. } => {
                "add a rule for the missing case, such as `| _ => ...`".to_owned()
            }
            Cause::Exception { .. } => {
                "handle the exception: `... handle EXCEPTION => ...`".to_owned()
            }
            Cause::Fuel(_) => "check that the loop or recursion ends".to_owned(),
            Cause::Stopped => "raise the limit that ended it".to_owned(),
            Cause::Stack(_) => "check that the recursion ends".to_owned(),
            Cause::Heap(_) | Cause::Number(_) => {
                "check that the value does not grow without bound".to_owned()
            }
            Cause::Refused { why, .. } => (*why).to_owned(),
            Cause::Malformed => "this is a bug in sweepline: please report it".to_owned(),
            Cause::Outside => String::new(),
        }
    }
}

impl Cause {
    /// What happened, and a note in parentheses.
    fn parts(&self) -> (String, String) {
        let what = match self {
            Cause::Exception { exn: ExnId::OVERFLOW, int_bits, .. } => {
                let like = if *int_bits == 31 { ", as in CPN Tools" } else { "" };
                return ("Overflow".to_owned(), format!(" (int has {int_bits} bits{like})"));
            }
            Cause::Exception { shown, .. } => format!("exception {shown}"),
            Cause::Fuel(limit) => format!("evaluation has not ended after {limit} calls and loops"),
            Cause::Stopped => "evaluation was stopped at a limit or by the user".to_owned(),
            Cause::Heap(limit) => format!("values need more than {} MiB", limit >> 20),
            Cause::Stack(limit) => format!("recursion needs more than {} MiB", limit >> 20),
            Cause::Number(bits) => format!("a number has more than {bits} bits"),
            Cause::Refused { what, .. } => format!("{what} cannot be evaluated"),
            Cause::Malformed => "an encoded value is malformed".to_owned(),
            Cause::Outside => "no answer".to_owned(),
        };
        (what, String::new())
    }
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, note) = self.cause.parts();
        write!(f, "{what}{note}")
    }
}

impl std::error::Error for Raised {}

/// Why the machine stops, without the position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stop {
    /// The value of the outermost call.
    Done(Word),
    /// An exception: its word.
    Exn(Word),
    Fuel,
    /// The evaluation was stopped from outside.
    Stopped,
    Heap,
    Stack,
    Number,
    Refused(&'static str, &'static str),
    Malformed,
    /// The outside gave no answer, and keeps the reason.
    Outside,
    /// A question to the outside: where the answer goes, the first argument, which primitive.
    Ask(u8, u8, u32),
}

impl From<ExnId> for Stop {
    fn from(exn: ExnId) -> Self {
        Stop::Exn(exn.0.into())
    }
}

/// An exception of the program, for messages.
#[derive(Clone, Debug)]
pub(crate) struct ExnLayout {
    pub(crate) name: Symbol,
    pub(crate) content: Option<super::layout::Content>,
}
