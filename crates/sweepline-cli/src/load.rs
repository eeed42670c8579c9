//! Opening a model: the one place that knows all formats.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sweepline_pnml::{Limits, NameError, Net, NetModel, read_pnml};

use crate::args::{Format, Input};
use crate::failure::Failure;

/// A model of some kind, ready to be explored.
pub(crate) enum Loaded {
    /// A place/transition net.
    Net(NetModel),
}

/// Reads the model that the command line names.
pub(crate) fn load(input: &Input) -> Result<Loaded, Failure> {
    let format = match input.format {
        Some(format) => format,
        None => guess(&input.file)?,
    };
    match format {
        Format::Pnml => {
            let mut net = read_pnml(&input.file, &limits(input))?;
            initialize(&mut net, &input.init)?;
            Ok(Loaded::Net(NetModel::new(net)))
        }
    }
}

/// What the readers accept.
pub(crate) fn limits(input: &Input) -> Limits {
    Limits { max_bytes: input.max_input, ..Limits::default() }
}

/// The format of `file` by its name, else by how it begins.
fn guess(file: &Path) -> Result<Format, Failure> {
    let unknown = |what| Err(Failure::UnknownFormat { file: file.to_owned(), what });
    let mut start = Vec::new();
    let opened = File::open(file).and_then(|f| f.take(4096).read_to_end(&mut start));
    let named = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pnml"));
    if named || opened.is_err() {
        // The reader says best what is wrong with a file that cannot be opened.
        return Ok(Format::Pnml);
    }
    if start.starts_with(&[0x1F, 0x8B]) || start.starts_with(b"PK") || start.starts_with(b"BZh") {
        return unknown("it is compressed: unpack it and name the model inside");
    }
    let text = String::from_utf8_lossy(&start);
    let xml = text.trim_start_matches('\u{FEFF}').trim_start().starts_with('<');
    if xml && (text.contains("workspaceElements") || text.contains("CPN Tools")) {
        return unknown("it looks like a CPN Tools file, which is not read yet");
    }
    if xml && text.contains("<property-set") {
        return unknown("it is a file of formulas: give it with `--property-file`");
    }
    if xml {
        return Ok(Format::Pnml);
    }
    unknown("it is not XML")
}

/// Applies `PLACE=N` to the initial marking.
fn initialize(net: &mut Net, changes: &[String]) -> Result<(), Failure> {
    let mut tokens = Vec::new();
    let names = net.names();
    for text in changes {
        let failure = |help: String| Failure::Init { text: text.clone(), help };
        let form = || failure("write `--init PLACE=N`, N being a number of tokens".into());
        let (place, number) = text.rsplit_once('=').ok_or_else(form)?;
        let number: u64 = number.trim().parse().map_err(|_| form())?;
        let place = place.trim().trim_matches('"');
        let id = names.place(place).map_err(|error| {
            failure(match error {
                NameError::Unknown { suggestion: Some(close) } => {
                    format!("there is no place `{place}`: {close}")
                }
                NameError::Unknown { suggestion: None } => format!("there is no place `{place}`"),
                NameError::Ambiguous { ids } => {
                    format!("several places are called `{place}`: write {}", ids.join(" or "))
                }
            })
        })?;
        tokens.push((id, number));
    }
    for (id, number) in tokens {
        net.places[id.index()].initial = number;
    }
    Ok(())
}
