//! CPN ML: the language of declarations and inscriptions in CPN Tools, which is the core of Standard
//! ML with colour sets, multi-sets and time.
//!
//! An [`Environment`] takes the declarations of a model one by one, then the inscriptions that use them, and
//! returns terms of the [`core`] language: small, explicitly typed, with every name and operator resolved.
//! [`core::verify_expr`] checks that the types of a term are consistent.
//!
//! ```
//! use sweepline_ml::{Environment, Typing};
//!
//! let mut environment = Environment::default();
//! environment.declare_ml(
//!     "declarations",
//!     "colset NO = int with 1..9;
//!      colset DATA = string;
//!      colset PACKET = product NO * DATA timed;
//!      var n : NO; var d : DATA;
//!      fun next n = if n = 9 then 1 else n + 1;",
//! )?;
//! let packet = environment.find_colour_set("PACKET").expect("it was declared");
//! let arc = environment.arc("arc", "(next n, d) @+ 5", packet)?;
//! assert_eq!(arc.typing, Typing::TimedToken);
//! assert_eq!(environment.show(arc.expr.ty), "(int * string) timed list");
//! assert_eq!(environment.variables_in(&arc.expr).len(), 2);
//!
//! let wrong = environment.guard("guard", "[n = d]").unwrap_err();
//! assert_eq!(
//!     wrong.to_string(),
//!     "guard:1:6: `d` has type `string` but `int` is needed here"
//! );
//! # Ok::<(), sweepline_ml::MlErrors>(())
//! ```
//!
//! A text passes these steps: `lex` splits it into tokens, `parse` builds a syntax tree (and reports all
//! mistakes with their positions), `elaborate` infers types (Hindley-Milner, with the value restriction,
//! equality types, overloading and records of Standard ML) and produces the term. The library is written in
//! CPN ML, in `prelude/`, on top of the primitives of [`Prim`]. The functions of colour sets are generated as
//! CPN ML text by `colour`. A [`Compiler`] translates terms to [`Code`] for a register machine, and a
//! [`Machine`] runs it; any number of machines can run the same code on any number of threads. Values are
//! untagged [`Word`]s, because their types are known. They live until [`Machine::reset`].
//!
//! This crate knows nothing of nets, and does not trust texts: nesting is bounded, evaluation has limits, and
//! a text that it does not support is an error with a position and a hint.

#![forbid(unsafe_code)]

pub mod core;
mod prim;
mod source;
mod types;

mod ast;
mod lex;
mod parse;
mod token;

mod colour;
mod elaborate;
mod environment;
mod prelude;
mod problem;

mod compile;
mod machine;

pub use colour::{ColourSet, ColourSetForm, ColourSetId, ColourSetKind, ColourSetSpec};
pub use compile::{Compiler, Refusal};
pub use environment::{
    CodeSegment, ColourSetDeclaration, Declared, Delay, Environment, FindFile, Inscription,
    Options, ScriptPart, TimeType, Typing,
};
pub use machine::{
    Cause, Code, Codec, ConLayout, Content, Files, Fold, FunctionId, Halt, Held, Host, Layout,
    LayoutId, Limits, List, Machine, Mark, Memory, Outside, Print, Question, Raised, Word, Wording,
    WrittenFile, tag_bytes,
};
pub use prim::{Arith, Comparison, Operand, Prim};
pub use problem::{MlError, MlErrors, Problem};
pub use source::{Source, SourceId, Sources, Span};
pub use types::{DataId, Label, Param, ParamId, Scheme, Symbol, Type, TypeId, Types, UnknownId};
