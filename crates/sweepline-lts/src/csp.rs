//! Processes in CSPm, the machine-readable CSP that FDR reads.
//!
//! A [`Script`] is read from a file. A process of it becomes a [`Composition`](crate::Composition): parallel
//! operators, hiding and renaming at the top stay operators. Every process below them is explored alone, by
//! the operational semantics of CSP, into an [`Lts`](crate::Lts).
//!
//! ```
//! use sweepline_lts::csp::{Limits, Script};
//!
//! let text = "
//!   channel left, mid, right : {0..1}
//!   COPY(in, out) = in?x -> out!x -> COPY(in, out)
//!   BUFFER = (COPY(left, mid) [|{|mid|}|] COPY(mid, right)) \\ {|mid|}
//!   assert BUFFER :[deadlock free]
//! ";
//! let mut script = Script::read("buffer.csp", text, &Limits::default())?;
//! let buffer = script.compose("BUFFER")?;
//! assert_eq!(buffer.component_count(), 2);
//! assert_eq!(sweepline::Check::new(&buffer).run().statistics.states(), Some(9));
//! # Ok::<(), sweepline_lts::LoadErrors>(())
//! ```

mod assertion;
mod ast;
mod component;
mod eval;
mod lex;
mod load;
mod parse;
mod process;
mod scope;
mod show;
mod step;
mod types;
mod value;

pub use assertion::{Assertion, Claim};
pub use load::{Limits, Script};
