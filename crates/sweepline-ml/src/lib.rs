//! CPN ML: the language of declarations and inscriptions in CPN Tools, which is the core of Standard
//! ML with colour sets, multi-sets and time.
//!
//! An [`Environment`] takes the declarations of a model one after another, then the inscriptions that
//! use them, and gives back terms of the [`core`] language: small, explicitly typed, with every name
//! and operator resolved. It is made for programs that compile it, and [`core::verify_expr`] checks
//! that a term is what its types say.
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
//! The way of a text: `lex` makes words of it, `parse` a syntax tree (with all mistakes, each with
//! its place), `elaborate` infers types (Hindley and Milner's way, with the value restriction, equality
//! types, overloading and records of Standard ML) and writes the term. The library is written in CPN
//! ML itself, in `prelude/`, on top of the primitives of [`Prim`]; so are the functions of colour sets,
//! which `colour` writes as text for each one. A [`Compiler`] takes terms and makes [`Code`] of them,
//! for a register machine; a [`Machine`] runs it, any number of them on any number of threads. Values
//! are [`Word`]s without tags, since their types are known; they live until [`Machine::reset`].
//!
//! This crate knows no nets, and trusts no text: nesting is bounded, evaluation has limits, and what it
//! does not understand is an error that says where and what to write instead.

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
