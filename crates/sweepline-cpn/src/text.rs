//! The text form of coloured nets, `.cpnt`: declarations in CPN ML, then pages, then progress measures
//! and properties.
//!
//! An indented line belongs to the line above it, so that inscriptions need no brackets.
//! [`read_cpnt`] returns the same [`File`] type as [`read_cpn`](crate::read_cpn), [`to_cpnt`] writes a
//! file, and [`format_cpnt`] implements `sweepline format`. `book/src/text-form.md` has the grammar.

mod describe;
pub(crate) mod embedded;
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
pub(crate) use words::written;

use sweepline_source::Source;

use crate::limits::Limits;
use crate::problem::{Findings, LoadErrors, Problem};
use crate::read::File;

/// Reads a model in text form from a file. Inscriptions are not checked.
///
/// # Errors
///
/// All mistakes in its lines.
pub fn read_cpnt(path: &Path, limits: &Limits) -> Result<File, LoadErrors> {
    read_origin(limits.load(path)?)
}

/// Reads a model in text form from bytes in memory. Messages use `name` as the name of the file.
///
/// # Errors
///
/// All mistakes in its lines.
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

/// Formats a text: the lines, comments and inscriptions stay the same, only white space changes.
/// Formatting a formatted text changes nothing.
///
/// # Errors
///
/// All mistakes in its lines. Names are not checked.
pub fn format_cpnt(name: &str, bytes: &[u8], limits: &Limits) -> Result<String, LoadErrors> {
    let origin = limits.decode(name, bytes)?;
    let mut findings = Findings::default();
    let document = parse::document(&origin, &mut findings);
    findings.finish(&origin.name)?;
    Ok(or_nothing(print::text(&document)))
}

/// The readers reject an empty file, so a model without content is written as a comment.
fn or_nothing(text: String) -> String {
    if text.is_empty() { "(* nothing *)\n".into() } else { text }
}

/// Reports two measures, or two properties, with the same name.
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
