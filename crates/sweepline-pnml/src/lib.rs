//! Place/transition nets for sweepline: PNML files, expressions over markings, contest formulas.
//!
//! A [`Net`] is read from PNML by [`read_pnml`] or written in Rust with [`Net::builder`]; both check it, so
//! every `Net` is valid. Properties of it are [`Predicate`]s (conditions on a marking) and [`Expr`]s
//! (numbers, such as its progress), parsed from text by [`parse_predicate`] and [`parse_expr`]; or
//! [`Property`]s from a formula file of the Model Checking Contest, read by [`read_properties`].
//!
//! This crate trusts no input. Files are rejected by size before they are read, nesting is bounded, entities
//! are never expanded, arithmetic is exact, and anything that is not supported is an error with a line, a
//! column and a suggestion: [`ReadErrors`] for files, [`ExpressionErrors`] for expressions.
//!
//! ```
//! use sweepline_pnml::{Net, parse_expr, parse_predicate};
//!
//! let net = Net::builder("stop and wait")
//!     .place("ready", 3)
//!     .place("sent", 0)
//!     .place("acked", 0)
//!     .transition("send", &[("ready", 1)], &[("sent", 1)])
//!     .transition("acknowledge", &[("sent", 1)], &[("acked", 1)])
//!     .build()?;
//! let progress = parse_expr(&net, "sent + 2*acked")?;
//! let bad = parse_predicate(&net, "deadlock and acked < 3")?;
//! assert_eq!(progress.display(&net).to_string(), "tokens(sent) + 2 * tokens(acked)");
//! assert_eq!(bad.display(&net).to_string(), "deadlock and tokens(acked) <= 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod net;

mod builder;
mod names;

mod read;
mod write;

mod symmetric;

mod query;

mod invariant;

mod implied;
mod packed;

mod compiled;
mod form;
mod measure;
mod model;

mod automatic;

mod dependence;
mod goal;

mod structure;

mod reduced;

pub use builder::{BuildError, NetBuilder};
pub use form::NetForm;
pub use invariant::{Semiflow, bounds, semiflows, subflows, upper_bound};
pub use measure::NetMeasure;
pub use model::{Marking, NetModel, TooManyTokens, View};
pub use names::{Names, Nodes};
pub use net::{Net, Place, PlaceId, Transition, TransitionId};
pub use query::{
    Combination, Comparison, Expr, ExpressionErrors, ExpressionProblem, Linear, MarkingView, Node,
    Predicate, ProductError, Property, Question, TooLarge, parse_expr, parse_predicate,
    read_properties, read_properties_str, read_supported_properties, read_supported_properties_str,
};
pub use read::{
    Limits, Problem, ReadErrors, read_pnml, read_pnml_bytes, read_pnml_str, read_symmetric,
    read_symmetric_bytes, read_symmetric_str,
};
pub use reduced::Reduced;
pub use structure::{Certificate, Proof, Reason, Row, Structure, StructureEffort};
pub use sweepline_query::NameError;
pub use symmetric::{
    Bag, Colour, ColouredPlace, ColouredTransition, Folded, FoldedNode, Guard, Sort, SortId, Sorts,
    SymmetricNet, Term, Tokens, TooMany, UNBOUND, UnfoldError, UnfoldLimits, UnfoldProblem,
    Variable, VariableId,
};
