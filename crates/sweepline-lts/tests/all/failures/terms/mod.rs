//! Random process terms, written in CSPm: what the reader and the explorer make of them is compared with an operational
//! semantics and models of its own, written from the rules in Roscoe's books.

mod agree;
mod generate;
mod laws;
mod observed;
mod rules;
mod term;
mod text;
