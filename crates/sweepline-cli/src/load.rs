//! Opening a model: the one place that knows all formats.

pub(crate) mod coloured;
mod net;
mod piped;
pub(crate) mod processes;

use std::io::Read;
use std::path::Path;

use sweepline_cpn::CpnModel;
use sweepline_pnml::{Limits, NetModel};
use sweepline_source::open;

use crate::args::{Format, Input};
use crate::failure::Failure;
use crate::front_end::Processes;
use crate::print::warn;
pub(crate) use piped::Piped;

/// A model of some kind, ready to be explored.
pub(crate) enum Loaded {
    /// A place/transition net.
    Net(Box<NetModel>),
    /// A coloured net.
    Coloured(Box<CpnModel>),
    /// Processes side by side.
    Processes(Box<Processes>),
}

/// The same for a model of any kind.
macro_rules! on_model {
    ($loaded:expr, |$model:ident| $body:expr) => {
        match $loaded {
            Loaded::Net($model) => $body,
            Loaded::Coloured($model) => $body,
            Loaded::Processes($model) => $body,
        }
    };
}
pub(crate) use on_model;

/// Reads the model that the command line names.
pub(crate) fn load(input: &Input) -> Result<Loaded, Failure> {
    let format = input.model_format()?;
    match format {
        Format::Pnml => match net::load(input) {
            Err(Failure::Read(errors)) if net::is_too_large(&errors) => {
                warn("the net is too large to unfold: sweepline explores it as a coloured net");
                Ok(Loaded::Coloured(Box::new(coloured::load_symmetric(input)?)))
            }
            net => Ok(Loaded::Net(Box::new(net?))),
        },
        Format::Cpn | Format::Cpnt => {
            Ok(Loaded::Coloured(Box::new(coloured::load(input, format)?)))
        }
        Format::Csp | Format::Aut => {
            Ok(Loaded::Processes(Box::new(processes::load(input, format)?)))
        }
    }
}

/// What the readers of PNML and formulas accept.
pub(crate) fn limits(input: &Input) -> Limits {
    Limits { max_bytes: input.max_input, ..Limits::default() }
}

/// The format of `file` by its name, else by how it begins. What is in a pipe is given.
pub(crate) fn guess(file: &Path, piped: Option<&[u8]>) -> Result<Format, Failure> {
    let unknown = |what| Err(Failure::UnknownFormat { file: file.to_owned(), what });
    let named = |wanted| file.extension().is_some_and(|ext| ext.eq_ignore_ascii_case(wanted));
    if named("cpn") {
        return Ok(Format::Cpn);
    }
    if named("cpnt") {
        return Ok(Format::Cpnt);
    }
    if named("csp") || named("cspm") {
        return Ok(Format::Csp);
    }
    if named("aut") {
        return Ok(Format::Aut);
    }
    if named("pnml") {
        return Ok(Format::Pnml);
    }
    let start = match piped {
        Some(bytes) => bytes[..bytes.len().min(START)].to_vec(),
        None => match start_of(file) {
            Some(start) => start,
            // The reader's message for a file that cannot be opened is the best one.
            None => return Ok(Format::Pnml),
        },
    };
    if start.starts_with(&[0x1F, 0x8B]) || start.starts_with(b"PK") || start.starts_with(b"BZh") {
        return unknown("The file is compressed: unpack it first");
    }
    let text = String::from_utf8_lossy(&start);
    let xml = text.trim_start_matches('\u{FEFF}').trim_start().starts_with('<');
    if xml && (text.contains("workspaceElements") || text.contains("CPN Tools")) {
        return Ok(Format::Cpn);
    }
    if xml && text.contains("<property-set") {
        return unknown(
            "The file has formulas, not a model: write `sweepline check MODEL --property-file FILE`",
        );
    }
    if xml {
        return Ok(Format::Pnml);
    }
    if text.lines().any(|line| line.starts_with("colset ") || line.starts_with("page ")) {
        return Ok(Format::Cpnt);
    }
    if text.trim_start().starts_with("des ") || text.trim_start().starts_with("des(") {
        return Ok(Format::Aut);
    }
    if text.lines().any(|line| line.starts_with("channel ") || line.starts_with("assert ")) {
        return Ok(Format::Csp);
    }
    unknown("The file is neither XML nor a model in text form, CSPm or the Aldebaran format")
}

/// The number of bytes from which the format of a file is guessed.
const START: usize = 4096;

fn start_of(file: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    open(file).ok()?.take(START as u64).read_to_end(&mut start).ok()?;
    Some(start)
}

/// Splits `NAME=VALUE` at the first `=` outside quotes, and removes the quotes around the name.
pub(crate) fn assignment(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let at = text.char_indices().find(|&(_, c)| {
        quoted ^= c == '"';
        c == '=' && !quoted
    });
    let (at, _) = at?;
    let (name, value) = (text[..at].trim().trim_matches('"'), text[at + 1..].trim());
    (!name.is_empty()).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::assignment;

    #[test]
    fn names_and_values_are_told_apart() {
        assert_eq!(assignment("Limit = 5`e"), Some(("Limit", "5`e")));
        assert_eq!(assignment("\"a=b\"=1"), Some(("a=b", "1")));
        assert_eq!(assignment("f=fn x => x = 1"), Some(("f", "fn x => x = 1")));
        assert_eq!(assignment("Limit"), None);
    }
}
