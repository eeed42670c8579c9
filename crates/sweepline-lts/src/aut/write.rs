//! Writes an `.aut` file.

use std::io::{self, Write};

use crate::lts::{LabelId, Lts};

/// Writes `lts` as an `.aut` file.
///
/// # Errors
///
/// If `out` fails, or if an event is called `i`, `tau` or `✓` or contains a line break, which would be read
/// as something else.
pub fn write_aut(lts: &Lts, mut out: impl Write) -> io::Result<()> {
    let mut labels = Vec::with_capacity(lts.n_labels());
    for label in lts.labels() {
        labels.push(written(label, lts.label(label))?);
    }
    writeln!(out, "des ({},{},{})", lts.initial().0, lts.n_edges(), lts.n_states())?;
    for state in lts.states() {
        for edge in lts.edges(state) {
            writeln!(out, "({},{},{})", state.0, labels[edge.label.index()], edge.target.0)?;
        }
    }
    out.flush()
}

fn written(label: LabelId, name: &str) -> io::Result<String> {
    match label {
        LabelId::TAU => Ok("i".to_owned()),
        LabelId::TICK => Ok("\"✓\"".to_owned()),
        _ if matches!(name, "i" | "tau" | "✓") || name.contains(['\n', '\r']) => {
            let what = format!("an event named {name:?} cannot be written to an `.aut` file");
            Err(io::Error::new(io::ErrorKind::InvalidInput, what))
        }
        _ => Ok(format!("\"{}\"", name.replace('"', "\\\""))),
    }
}
