//! CPN ML: the language of declarations and inscriptions in CPN Tools, which is the core of Standard
//! ML with colour sets, multi-sets and time.
//!
//! This crate knows no nets.

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

pub use colour::{ColourSet, ColourSetId, ColourSetKind, ColourSetSpec, Range};
pub use environment::{
    CodeSegment, ColourSetDeclaration, Delay, Environment, Inscription, Options, TimeType, Typing,
};
pub use prim::{Arith, Comparison, Operand, Prim};
pub use problem::{MlError, MlErrors, Problem};
pub use source::{Source, SourceId, Sources, Span};
pub use types::{DataId, Label, Param, ParamId, Scheme, Symbol, Type, TypeId, Types, UnknownId};
