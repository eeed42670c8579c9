//! Reads CPN Tools files of every version, tolerantly, and within limits.

mod declaration;
mod file;
mod page;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;

pub use file::{
    Arc, ArcKind, Declaration, DeclarationKind, File, FusionSet, Generator, Instance, Layout, Page,
    Place, PortKind, Substitution, Transition,
};

pub(crate) use file::Ids;
use sweepline_source::Source;
use sweepline_source::xml::tree::{self, Element};

use crate::limits::Limits;
use crate::problem::{Findings, LoadErrors, Problem};

/// Reads a model from a file. Inscriptions are not checked.
///
/// # Errors
///
/// All errors in the XML.
pub fn read_cpn(path: &Path, limits: &Limits) -> Result<File, LoadErrors> {
    read_origin(limits.load(path)?, limits)
}

/// Reads a model from bytes in memory. Messages use `name` as the name of the file.
///
/// # Errors
///
/// All errors in the XML.
pub fn read_cpn_bytes(name: &str, bytes: &[u8], limits: &Limits) -> Result<File, LoadErrors> {
    read_origin(limits.decode(name, bytes)?, limits)
}

fn read_origin(origin: Source, limits: &Limits) -> Result<File, LoadErrors> {
    let mut findings = Findings::default();
    let file = match tree::read(&origin.text, limits.max_depth) {
        Ok(root) => file(&origin, &root, &mut findings),
        Err(fatal) => {
            findings.at(&origin, fatal.span, "", fatal.fault.into());
            None
        }
    };
    findings.finish(&origin.name)?;
    file.ok_or_else(|| LoadErrors::whole_file(&origin.name, Problem::NoNet))
}

fn file(origin: &Source, root: &Element, findings: &mut Findings) -> Option<File> {
    let workspace = root.children.first()?;
    let net = if workspace.name == "cpnet" { workspace } else { workspace.child("cpnet")? };
    let generator = workspace.child("generator").map(|generator| Generator {
        tool: generator.attribute("tool").to_owned(),
        version: generator.attribute("version").to_owned(),
        format: generator.attribute("format").to_owned(),
    });
    let mut declarations = Vec::new();
    net.all("globbox").for_each(|globals| declaration::collect(globals, &mut declarations));
    let pages: Vec<Page> = net.all("page").map(page::page).collect();
    refuse_duplicates(origin, &pages, findings);
    let fusions = net.all("fusion").map(|fusion| FusionSet {
        name: fusion.attribute("name").to_owned(),
        members: fusion
            .all("fusion_elm")
            .map(|member| member.attribute("idref").to_owned())
            .collect(),
        offset: fusion.span.start,
    });
    let mut file = File {
        origin: origin.clone(),
        generator: generator.unwrap_or_default(),
        declarations,
        fusions: fusions.collect(),
        pages,
        instances: net.child("instances").map(page::instances).unwrap_or_default(),
        real_time: is_real_time(net),
        measures: Vec::new(),
        properties: Vec::new(),
    };
    crate::text::embedded::take(&mut file, findings);
    Some(file)
}

/// The option `realtimestamp`.
fn is_real_time(net: &Element) -> bool {
    let mut options = net.all("options").flat_map(|options| options.all("option"));
    let option = options.find(|option| option.attribute("name") == "realtimestamp");
    let value = option.and_then(|option| option.child("value")?.child("boolean"));
    value.is_some_and(|value| value.text.trim() == "true")
}

/// Reports duplicate ids, because the elements of a file refer to each other by ids.
fn refuse_duplicates(origin: &Source, pages: &[Page], findings: &mut Findings) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for page in pages {
        let places = page.places.iter().map(|place| (&place.id, place.offset));
        let transitions = page.transitions.iter().map(|trans| (&trans.id, trans.offset));
        for (id, offset) in [(&page.id, page.offset)].into_iter().chain(places).chain(transitions) {
            match seen.get(id.as_str()) {
                Some(&first) => {
                    let (id, first) = (id.clone(), origin.position(first));
                    findings.at(origin, offset..offset, "", Problem::DuplicateId { id, first });
                }
                None => _ = seen.insert(id, offset),
            }
        }
    }
}
