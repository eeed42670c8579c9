//! The text form of coloured nets, `.cpnt`: declarations in CPN ML as they stand, then pages, then the
//! questions that a model is to be asked.
//!
//! Lines that are indented below another belong to it, so that inscriptions need no marks around them.
//! [`read_cpnt`] gives the same [`File`] as [`read_cpn`](crate::read_cpn) does, [`to_cpnt`] writes one,
//! and [`format_cpnt`] is what `sweepline format` does. `book/src/text-form.md` has the grammar.

mod describe;
pub(crate) mod kept;
mod lines;
mod parse;
mod print;
mod resolve;
pub(crate) mod scan;
mod tree;
mod words;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;

pub(crate) use describe::questions;
pub use describe::to_cpnt;

use sweepline_source::Source;

use crate::limits::Limits;
use crate::problem::{Findings, LoadErrors, Problem};
use crate::read::File;

/// Reads a model in text form from a file, without looking at what its inscriptions mean.
///
/// # Errors
///
/// Everything that is wrong with its lines.
pub fn read_cpnt(path: &Path, limits: &Limits) -> Result<File, LoadErrors> {
    read_origin(limits.load(path)?)
}

/// Reads a model in text form from bytes in memory; `name` stands for the file in messages.
///
/// # Errors
///
/// Everything that is wrong with its lines.
pub fn read_cpnt_bytes(name: &str, bytes: &[u8], limits: &Limits) -> Result<File, LoadErrors> {
    read_origin(limits.decode(name, bytes)?)
}

fn read_origin(origin: Source) -> Result<File, LoadErrors> {
    let mut findings = Findings::default();
    let document = parse::document(&origin, &mut findings);
    let file = resolve::file(&origin, &document, &mut findings);
    findings.finish(&origin.name)?;
    Ok(file)
}

/// A text in its canonical form: the same lines, comments and inscriptions, spaces as everybody writes
/// them. A text that has this form already comes back as it is.
///
/// # Errors
///
/// Everything that is wrong with its lines; names need not mean anything.
pub fn format_cpnt(name: &str, bytes: &[u8], limits: &Limits) -> Result<String, LoadErrors> {
    let origin = limits.decode(name, bytes)?;
    let mut findings = Findings::default();
    let document = parse::document(&origin, &mut findings);
    findings.finish(&origin.name)?;
    Ok(or_nothing(print::text(&document)))
}

/// A file of nothing is refused: one that says so is not.
fn or_nothing(text: String) -> String {
    if text.is_empty() { "(* nothing *)\n".into() } else { text }
}

/// A name asks for one thing, of measures and of properties.
fn questions_once(file: &File, findings: &mut Findings) {
    let measures = file.measures.iter().map(|m| ("measure", &m.name, m.offset));
    let properties = file.properties.iter().map(|p| ("property", &p.name, p.offset));
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    for (kind, name, offset) in measures.chain(properties) {
        match seen.get(&(kind, name)) {
            Some(&first) => findings.note(&file.origin, offset..offset + name.len(), || {
                let (name, first) = (name.clone(), file.origin.position(first));
                Problem::NamedTwice { kind, name, first }
            }),
            None => _ = seen.insert((kind, name), offset),
        }
    }
}
