//! Reading PNML as the Model Checking Contest distributes it: within limits, all errors at once.

mod collect;
mod draft;
mod errors;
mod label;
mod limits;
mod link;
mod problem;
mod structure;

#[cfg(test)]
mod error_tests;
#[cfg(test)]
mod tests;

use std::path::Path;

use sweepline_source::{Source, clip};

pub use errors::ReadErrors;
pub use limits::Limits;
pub use problem::Problem;

pub(crate) use draft::{NetDraft, NodeDraft, Tree};
#[cfg(test)]
pub(crate) use error_tests::render;
pub(crate) use errors::{Collector, Fatal};
pub(crate) use link::link_arcs;
#[cfg(test)]
pub(crate) use tests::{Noise, mutate};

use crate::net::Net;
use crate::symmetric::{SymmetricNet, UnfoldError, UnfoldProblem, assemble};

/// Reads a place/transition net from a PNML file; a symmetric net is unfolded to one.
///
/// Pages are flattened, references are resolved, parallel arcs are merged; graphics and tool-specific
/// information is ignored. An unsupported element that would change the behaviour of the net (an inhibitor
/// arc, a capacity, a sort of lists) is an error.
///
/// # Errors
/// All errors of the file, each with its line and column.
pub fn read_pnml(path: &Path, limits: &Limits) -> Result<Net, ReadErrors> {
    let source = load(path, limits)?;
    read_net(&source, limits)
}

/// Reads a place/transition net from PNML text; `name` is the name of the file in messages.
///
/// ```
/// let text = r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
///   <page id="page">
///     <place id="p"><initialMarking><text>1</text></initialMarking></place>
///     <transition id="t"/>
///     <arc id="a" source="p" target="t"/>
///   </page></net></pnml>"#;
/// let net = sweepline_pnml::read_pnml_str("example.pnml", text)?;
/// assert_eq!((net.n_places(), net.n_transitions(), net.n_arcs()), (1, 1, 1));
///
/// let broken = text.replace("source=\"p\"", "source=\"q\"");
/// let errors = sweepline_pnml::read_pnml_str("example.pnml", &broken).unwrap_err();
/// assert!(errors.to_string().contains("line 5, column 25"));
/// # Ok::<(), sweepline_pnml::ReadErrors>(())
/// ```
///
/// # Errors
/// All errors of the text, each with its line and column.
pub fn read_pnml_str(name: &str, text: &str) -> Result<Net, ReadErrors> {
    let limits = Limits::default();
    let source = from_text(name, text, &limits)?;
    read_net(&source, &limits)
}

/// Reads a net from the bytes of a PNML file in memory; `name` is the name of the file in messages.
///
/// # Errors
/// All errors of the file, each with its line and column.
pub fn read_pnml_bytes(name: &str, bytes: &[u8], limits: &Limits) -> Result<Net, ReadErrors> {
    read_net(&Source::from_bytes(name, bytes.to_vec(), &limits.rules())?, limits)
}

/// The text of a file, or the reason why it cannot be read.
pub(crate) fn load(path: &Path, limits: &Limits) -> Result<Source, ReadErrors> {
    Source::load(path, &limits.rules())
}

/// Text in memory, or the reason why it is rejected.
pub(crate) fn from_text(name: &str, text: &str, limits: &Limits) -> Result<Source, ReadErrors> {
    Source::from_bytes(name, text.as_bytes().to_vec(), &limits.rules())
}

/// Reads a symmetric net from a PNML file, without unfolding it.
///
/// # Errors
/// All errors of the file, each with its line and column.
pub fn read_symmetric(path: &Path, limits: &Limits) -> Result<SymmetricNet, ReadErrors> {
    read_folded(&load(path, limits)?, limits)
}

/// Reads a symmetric net from the bytes of a PNML file in memory, without unfolding it; `name` is the name of
/// the file in messages.
///
/// # Errors
/// All errors of the file, each with its line and column.
pub fn read_symmetric_bytes(
    name: &str,
    bytes: &[u8],
    limits: &Limits,
) -> Result<SymmetricNet, ReadErrors> {
    read_folded(&Source::from_bytes(name, bytes.to_vec(), &limits.rules())?, limits)
}

/// Reads a symmetric net from PNML text; `name` is the name of the file in messages.
///
/// # Errors
/// All errors of the text, each with its line and column.
pub fn read_symmetric_str(name: &str, text: &str) -> Result<SymmetricNet, ReadErrors> {
    let limits = Limits::default();
    read_folded(&from_text(name, text, &limits)?, &limits)
}

fn read_folded(source: &Source, limits: &Limits) -> Result<SymmetricNet, ReadErrors> {
    let mut errors = Collector::new(source);
    let draft = collect::collect(&source.text, limits, &mut errors);
    let net = draft.and_then(|draft| match draft.symmetric {
        true => assemble(&draft, &mut errors),
        false => {
            errors.report(0..0, || Problem::PlainNet);
            None
        }
    });
    errors.finish(net)
}

fn read_net(source: &Source, limits: &Limits) -> Result<Net, ReadErrors> {
    let mut errors = Collector::new(source);
    let draft = collect::collect(&source.text, limits, &mut errors);
    let net = draft.and_then(|draft| match draft.symmetric {
        true => unfolded(&draft, limits, &mut errors),
        false => link::link(draft, &mut errors),
    });
    errors.finish(net)
}

/// The net that a symmetric net unfolds to.
fn unfolded(draft: &NetDraft<'_>, limits: &Limits, errors: &mut Collector<'_>) -> Option<Net> {
    let net = assemble(draft, errors)?;
    errors.is_empty().then_some(())?;
    match net.unfold(&limits.unfold) {
        Ok(net) => Some(net),
        Err(UnfoldError { is_place, position, node, problem }) => {
            let nodes = if is_place { &draft.places } else { &draft.transitions };
            errors.report(nodes[position].span.clone(), || match problem {
                UnfoldProblem::TooLarge { limit } => Problem::UnfoldingTooLarge { limit },
                UnfoldProblem::TooLong { limit } => Problem::UnfoldingTooLong { limit },
                UnfoldProblem::TooManyTokens => {
                    let kind = if is_place { "place" } else { "transition" };
                    Problem::TooManyTokens { of: format!("{kind} `{}`", clip(&node)) }
                }
            });
            None
        }
    }
}
