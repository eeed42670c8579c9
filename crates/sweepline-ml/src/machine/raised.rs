//! Why an evaluation ended without a value.

use std::fmt;

use crate::core::ExnId;
use crate::problem::{MlError, Problem, without_place};
use crate::source::{Sources, Span};
use crate::types::Symbol;

use super::layout::Word;

/// An evaluation without a value: an exception that nobody handled, or a limit.
#[derive(Clone, PartialEq, Debug)]
pub struct Raised {
    /// Why.
    pub cause: Cause,
    /// Where it happened.
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
        /// Which.
        exn: ExnId,
        /// Its name, with what it carries.
        shown: String,
        /// The bits of `int`.
        int_bits: u32,
    },
    /// Too many calls and loops: the limit.
    Fuel(u64),
    /// It was [asked to end](crate::Limits::stop).
    Stopped,
    /// Too much memory for values: the limit in bytes.
    Heap(usize),
    /// Calls too deep: the limit in bytes.
    Stack(usize),
    /// An `IntInf.int` of too many digits: the limit in bits.
    Number(usize),
    /// Something outside of the model.
    Refused {
        /// The operation.
        what: &'static str,
        /// Why not, and what to do.
        why: &'static str,
    },
    /// Bytes that no value is encoded by.
    Malformed,
    /// What was [asked](crate::Outside) has no answer; whoever was asked knows why.
    Outside,
}

impl Raised {
    /// The calls that are kept.
    pub const MOST_CALLS: usize = 16;

    /// With the text, to be shown: at the innermost place outside of the library.
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
            Cause::Exception { .. } => "`... handle ... => ...` catches an exception".to_owned(),
            Cause::Fuel(_) => "does it end? A loop or recursion may miss its end".to_owned(),
            Cause::Stopped => "raise the limit".to_owned(),
            Cause::Stack(_) => "does the recursion end?".to_owned(),
            Cause::Heap(_) | Cause::Number(_) => "does the value grow without end?".to_owned(),
            Cause::Refused { why, .. } => (*why).to_owned(),
            Cause::Malformed => "please report this".to_owned(),
            Cause::Outside => String::new(),
        }
    }
}

impl Cause {
    /// What happened, and what to know about it.
    fn parts(&self) -> (String, String) {
        let what = match self {
            Cause::Exception { exn: ExnId::OVERFLOW, int_bits, .. } => {
                let like = if *int_bits == 31 { ", as in CPN Tools" } else { "" };
                return ("Overflow".to_owned(), format!(" (int has {int_bits} bits{like})"));
            }
            Cause::Exception { shown, .. } => format!("exception {shown}"),
            Cause::Fuel(limit) => format!("no end after {limit} calls and loops"),
            Cause::Stopped => "evaluation was stopped at a limit or by the user".to_owned(),
            Cause::Heap(limit) => format!("values need more than {} MiB", limit >> 20),
            Cause::Stack(limit) => format!("recursion needs more than {} MiB", limit >> 20),
            Cause::Number(bits) => format!("a number has more than {bits} bits"),
            Cause::Refused { what, .. } => format!("{what} cannot be evaluated"),
            Cause::Malformed => "bytes are no value".to_owned(),
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

/// Why the machine stops, before anyone asks where.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stop {
    /// The value of the outermost call.
    Done(Word),
    /// An exception: its word.
    Exn(Word),
    Fuel,
    /// Evaluations are to end.
    Stopped,
    Heap,
    Stack,
    Number,
    Refused(&'static str, &'static str),
    Malformed,
    /// The outside cannot go on, and knows why.
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
