//! CPN ML: the language of declarations and inscriptions in CPN Tools, which is the core of Standard
//! ML with colour sets, multi-sets and time.
//!
//! This crate knows no nets.

#![forbid(unsafe_code)]

pub mod core;
mod prim;
mod source;
mod types;

pub use prim::{Arith, Comparison, Operand, Prim};
pub use source::{Source, SourceId, Sources, Span};
pub use types::{DataId, Label, Param, ParamId, Scheme, Symbol, Type, TypeId, Types, UnknownId};
