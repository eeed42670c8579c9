//! Writes CPN Tools files, with nodes at their positions or on a grid.

mod declaration;
mod instances;
mod page;
mod xml;

use std::collections::HashSet;

use crate::read::File;
use crate::text::{embedded, questions};
use xml::{Content, Node, Xml};

/// A model as a CPN Tools file. The format has no element for measures and properties, so they become a text
/// on the first page, where [`read_cpn`](crate::read_cpn) finds them.
pub fn to_cpn(file: &File) -> String {
    let mut xml = Xml::new(taken(file));
    xml.raw("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n");
    xml.raw("<!DOCTYPE workspaceElements PUBLIC \"-//CPN//DTD CPNXML 1.0//EN\" ");
    xml.raw("\"http://cpntools.org/DTD/6/cpn.dtd\">\n\n");
    xml.open("workspaceElements", &[]);
    let version = env!("CARGO_PKG_VERSION");
    xml.empty("generator", &[("tool", "sweepline"), ("version", version), ("format", "6")]);
    xml.open("cpnet", &[]);
    declaration::all(&mut xml, &file.declarations);
    for (number, page) in file.pages.iter().enumerate() {
        let questions = if number == 0 { embedded::note(&questions(file)) } else { String::new() };
        page::page(&mut xml, file, page, &questions);
    }
    for fusion in &file.fusions {
        let id = xml.fresh();
        xml.within("fusion", &[("id", &id), ("name", &fusion.name)], |xml| {
            fusion.members.iter().for_each(|member| xml.empty("fusion_elm", &[("idref", member)]));
        });
    }
    instances::all(&mut xml, file);
    xml.within("options", &[], |xml| {
        xml.within("option", &[("name", "realtimestamp")], |xml| {
            let boolean = Content::Text(if file.real_time { "true" } else { "false" });
            xml.node(&Node("value", Content::Nodes(vec![Node("boolean", boolean)])));
        });
    });
    xml.empty("binders", &[]);
    xml.empty("monitorblock", &[("name", "Monitors")]);
    xml.close("cpnet");
    xml.close("workspaceElements");
    xml.finish()
}

/// The ids in the file.
fn taken(file: &File) -> HashSet<String> {
    let mut taken = HashSet::new();
    for page in &file.pages {
        taken.insert(page.id.clone());
        taken.extend(page.places.iter().map(|place| place.id.clone()));
        taken.extend(page.transitions.iter().map(|transition| transition.id.clone()));
        taken.extend(page.arcs.iter().map(|arc| arc.id.clone()));
    }
    taken
}
