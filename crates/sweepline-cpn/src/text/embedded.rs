//! Measures and properties in CPN Tools files. The format has no element for them, so they are stored in an
//! auxiliary text on the first page, in the lines of the text form. CPN Tools shows such texts and does not
//! change them.

use sweepline_query::{Measure, Property};
use sweepline_source::{Source, Text};

use super::parse;
use super::tree::Item;
use crate::problem::{Findings, Problem};
use crate::read::File;

/// The first line of such a text: an ML comment, so that it is not taken for a query.
const MARK: &str = "(* sweepline *)";

/// The auxiliary text for these lines.
pub(crate) fn note(lines: &str) -> String {
    if lines.is_empty() { String::new() } else { format!("{MARK}\n{lines}") }
}

/// Moves the measures and properties of such texts to the fields of the file.
pub(crate) fn take(file: &mut File, findings: &mut Findings) {
    let mut kept = Vec::new();
    for page in &mut file.pages {
        let name = page.name.clone();
        let is_kept = |note: &Text| note.trim().starts_with(MARK);
        kept.extend(
            page.notes.extract_if(.., |note| is_kept(note)).map(|note| (name.clone(), note)),
        );
    }
    for (page, note) in kept {
        read(file, &page, &note, findings);
    }
    super::questions_once(file, findings);
}

/// Reads one such text. Mistakes are shown at their position in the file.
fn read(file: &mut File, page: &str, note: &Text, findings: &mut Findings) {
    // The replacement has the same length, so that offsets stay valid.
    let text = note.as_str().replace("\r\n", " \n").replace('\r', "\n");
    let origin = Source { name: file.origin.name.clone(), text: text.as_str().into() };
    let mut wrong = Findings::default();
    let document = parse::document(&origin, &mut wrong);
    let subject = format!("text on page `{page}`");
    for (offset, problem) in wrong.into_problems() {
        let at = note.offset(offset);
        findings.at(&file.origin, at..at, subject.clone(), problem);
    }
    for entry in document.items {
        match entry.what {
            Item::Progress(name, text) => file.measures.push(Measure {
                name: name.text,
                text: text.within(note),
                offset: note.offset(name.offset),
            }),
            Item::Property(name, kind, text) => file.properties.push(Property {
                name: name.text,
                kind,
                text: text.within(note),
                offset: note.offset(name.offset),
            }),
            _ => {
                let at = note.offset(entry.offset);
                let word = super::scan::word_at(&text, entry.offset).to_owned();
                let help = "write lines that start with `progress` or `property`".to_owned();
                let problem = Problem::UnknownLine { word, of: "questions", help };
                findings.at(&file.origin, at..at, subject.clone(), problem);
            }
        }
    }
}
