//! The graph formats. States and edges go to temporary files first, because a header may need their numbers. The
//! file appears under its name when it is complete.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use crate::draw::{DOT_DEAD, DOT_INITIAL, dot_first, dot_head, dot_lines};
use crate::output::NewFile;
use crate::print::harmless;

/// A graph format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Aldebaran.
    Aut,
    /// Graphviz.
    Dot,
    /// JSON.
    Json,
    /// A picture.
    Svg,
}

impl Format {
    /// The format that the name of a file asks for.
    pub(crate) fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "aut" => Some(Format::Aut),
            "dot" | "gv" => Some(Format::Dot),
            "json" => Some(Format::Json),
            "svg" => Some(Format::Svg),
            _ => None,
        }
    }
}

/// A graph being written.
pub(super) struct Draft {
    format: Format,
    /// Where it is put together, beside where it will be.
    made: NewFile,
    states: Option<BufWriter<File>>,
    n_labels: u64,
    edges: BufWriter<File>,
    n_edges: u64,
}

impl Draft {
    /// Starts a graph that will be `file`, which must be in a folder where files can be made.
    pub(super) fn new(format: Format, labels: bool, file: &Path) -> io::Result<Self> {
        let labels = labels && format != Format::Aut;
        Ok(Draft {
            format,
            made: NewFile::create(file)?,
            states: labels.then(temporary).transpose()?,
            n_labels: 0,
            edges: temporary()?,
            n_edges: 0,
        })
    }

    /// States are written, with labels.
    pub(super) fn has_labels(&self) -> bool {
        self.states.is_some()
    }

    /// A state and its label; in Graphviz a label has several lines.
    pub(super) fn state(&mut self, number: u64, label: &str) -> io::Result<()> {
        let Some(out) = &mut self.states else { return Ok(()) };
        let comma = if self.n_labels == 0 { "" } else { ",\n" };
        self.n_labels += 1;
        match self.format {
            Format::Aut | Format::Svg => Ok(()),
            Format::Dot => {
                let parts = label.lines().map(str::to_owned);
                let lines: Vec<String> = std::iter::once(number.to_string()).chain(parts).collect();
                writeln!(out, "  {number} [label={}];", dot_lines(&lines, "\\l"))
            }
            Format::Json => write!(out, "{comma}    [{number}, {}]", json(label)),
        }
    }

    /// A dead state; only a drawing marks it.
    pub(super) fn dead(&mut self, number: u64) -> io::Result<()> {
        match self.format {
            Format::Dot => writeln!(self.edges, "  {number} [{DOT_DEAD}];"),
            Format::Aut | Format::Json | Format::Svg => Ok(()),
        }
    }

    /// An edge.
    pub(super) fn edge(&mut self, source: u64, action: &str, target: u64) -> io::Result<()> {
        let comma = if self.n_edges == 0 { "" } else { ",\n" };
        self.n_edges += 1;
        let out = &mut self.edges;
        match self.format {
            Format::Svg => Ok(()),
            Format::Aut => writeln!(out, "({source},{},{target})", quoted(action)),
            Format::Dot => {
                let label = quoted(&harmless(action));
                writeln!(out, "  {source} -> {target} [label={label}];")
            }
            Format::Json => write!(out, "{comma}    [{source}, {}, {target}]", json(action)),
        }
    }

    /// Puts the graph together; the numbers of states and edges.
    pub(super) fn assemble(self, title: &str, n_states: u64) -> io::Result<(u64, u64)> {
        let Draft { format, mut made, states, edges, n_edges, .. } = self;
        let mut out = BufWriter::new(&mut made);
        let (before, between, after) = match format {
            Format::Aut => (format!("des (0,{n_edges},{n_states})\n"), "", ""),
            Format::Dot => {
                let states = if n_states == 1 { "state" } else { "states" };
                let edges = if n_edges == 1 { "edge" } else { "edges" };
                let figures = [format!("{n_states} {states}, {n_edges} {edges}")];
                let start = format!("  0 [{DOT_INITIAL}];\n");
                (dot_head(title, &figures) + &start + &dot_first(0), "", "}\n")
            }
            Format::Json => {
                let (title, first) =
                    (json(title), if states.is_some() { "labels" } else { "arcs" });
                let head = format!(
                    "{{\n  \"schema\": 1,\n  \"model\": {title},\n  \"initial\": 0,\n  \
                     \"states\": {n_states},\n  \"edges\": {n_edges},\n  \"{first}\": [\n"
                );
                (head, "\n  ],\n  \"arcs\": [\n", "\n  ]\n}\n")
            }
            Format::Svg => (String::new(), "", ""),
        };
        out.write_all(before.as_bytes())?;
        if let Some(states) = states {
            append(&mut out, states)?;
            out.write_all(between.as_bytes())?;
        }
        append(&mut out, edges)?;
        out.write_all(after.as_bytes())?;
        out.flush()?;
        drop(out);
        made.finish()?;
        Ok((n_states, n_edges))
    }
}

fn temporary() -> io::Result<BufWriter<File>> {
    Ok(BufWriter::with_capacity(1 << 16, tempfile::tempfile()?))
}

fn append(out: &mut impl Write, part: BufWriter<File>) -> io::Result<()> {
    let mut part = part.into_inner().map_err(io::IntoInnerError::into_error)?;
    part.rewind()?;
    io::copy(&mut part, out).map(|_| ())
}

/// A string of Aldebaran or Graphviz, in double quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' | '\r' => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_quoted() {
        assert_eq!(quoted("say \"hi\" \\ bye\n"), r#""say \"hi\" \\ bye ""#);
    }

    #[test]
    fn the_name_decides_the_format() {
        assert_eq!(Format::of(Path::new("a/b.AUT")), Some(Format::Aut));
        assert_eq!(Format::of(Path::new("b.gv")), Some(Format::Dot));
        assert_eq!(Format::of(Path::new("b.svg")), Some(Format::Svg));
        assert_eq!(Format::of(Path::new("b.png")), None);
        assert_eq!(Format::of(Path::new("aut")), None);
    }
}
