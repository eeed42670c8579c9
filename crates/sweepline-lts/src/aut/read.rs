//! Reads an `.aut` file line by line; its whole text is never in memory.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;

use sweepline_source::{Fault, Finding, Findings, MAX_ERRORS, Source, open};

use crate::LoadErrors;
use crate::lts::{LabelId, Lts, LtsBuilder, StateNo};
use crate::problem::Problem;

/// The maximal length of a line.
const MAX_LINE: u64 = 1 << 20;

/// A header may declare at most this many states more than the edges can connect.
const MAX_LONELY: u64 = 1_000_000;

/// Reads the file at `path`, at most `max_bytes` of it.
///
/// # Errors
///
/// If it cannot be opened, is larger, or is not an `.aut` file: all errors at once.
pub fn read_aut(path: &Path, max_bytes: u64) -> Result<Lts, LoadErrors> {
    let name = path.display().to_string();
    let unreadable = |fault: Fault| LoadErrors::whole_file(&name, fault.into());
    let file = open(path).map_err(unreadable)?;
    let bytes = file.metadata().map_err(|error| unreadable(error.into()))?.len();
    if bytes > max_bytes {
        return Err(unreadable(Fault::TooLarge { bytes, max_bytes }));
    }
    read_bounded(&name, BufReader::with_capacity(1 << 16, file), max_bytes)
}

/// Reads an `.aut` file from any source; `name` is its name in messages.
///
/// # Errors
///
/// If it is not an `.aut` file: all errors at once.
pub fn read_aut_from(name: &str, input: impl BufRead) -> Result<Lts, LoadErrors> {
    read_bounded(name, input, u64::MAX)
}

fn read_bounded(name: &str, input: impl BufRead, max_bytes: u64) -> Result<Lts, LoadErrors> {
    let mut lines = Lines { input, bytes: Vec::new(), number: 0, max_bytes, left: max_bytes };
    let header = read_header(name, &mut lines)?;
    let mut reader = Reader { name, errors: Findings::keeping(MAX_ERRORS), header };
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let mut lts = LtsBuilder::new(stem);
    loop {
        match lines.next() {
            Ok(None) => break,
            Ok(Some((_, line))) if line.trim().is_empty() => {}
            Ok(Some((number, line))) => match edge(&line, &reader.header) {
                Ok((source, label, target)) => {
                    let label = label_of(label, &mut lts);
                    lts.edge(source, label, target);
                }
                Err((span, problem)) => reader.report(number, &line, span, problem),
            },
            Err(problem) => {
                reader.report(lines.number, "", 0..0, problem);
                break;
            }
        }
    }
    reader.finish(lts, lines.number)
}

/// The first line.
struct Header {
    initial: StateNo,
    n_edges: u64,
    n_states: u32,
}

/// An error in a line.
type Mistake = (Range<usize>, Problem);

struct Reader<'a> {
    name: &'a str,
    errors: Findings<Problem>,
    header: Header,
}

impl Reader<'_> {
    fn report(&mut self, number: usize, line: &str, span: Range<usize>, problem: Problem) {
        if !self.errors.count_unless_shown() {
            self.errors.report(in_line(self.name, number, line, span, problem));
        }
    }

    /// The LTS, unless there were errors or edges are missing.
    fn finish(mut self, lts: LtsBuilder, last_line: usize) -> Result<Lts, LoadErrors> {
        let Header { initial, n_edges: expected, n_states } = self.header;
        let found = lts.n_edges() as u64;
        if !self.errors.has_errors() && found != expected {
            self.report(last_line, "", 0..0, Problem::EdgeCount { found, expected });
        } else if !self.errors.has_errors() && u64::from(n_states) > 2 * found + MAX_LONELY {
            self.report(1, "", 0..0, Problem::LonelyStates { n_states, n_edges: found });
        }
        if !self.errors.has_errors() {
            match lts.build(n_states, initial) {
                Ok(lts) => return Ok(lts),
                Err(error) => self.report(1, "", 0..0, error.into()),
            }
        }
        Err(self.errors.finish(self.name).expect_err("an error was reported"))
    }
}

fn read_header(name: &str, lines: &mut Lines<impl BufRead>) -> Result<Header, LoadErrors> {
    loop {
        let (line, (span, problem)) = match lines.next() {
            Ok(None) => {
                let found = "nothing at all".to_owned();
                return Err(LoadErrors::whole_file(name, Problem::NoHeader { found }));
            }
            Ok(Some((_, line))) if line.trim().is_empty() => continue,
            Ok(Some((_, line))) => match header(&line) {
                Ok(header) => return Ok(header),
                Err(mistake) => (line.into_owned(), mistake),
            },
            Err(problem) => (String::new(), (0..0, problem)),
        };
        let finding = in_line(name, lines.number, &line, span, problem);
        return Err(LoadErrors::one(name, finding));
    }
}

/// An error at a range of bytes in a line.
fn in_line(
    name: &str,
    number: usize,
    line: &str,
    span: Range<usize>,
    problem: Problem,
) -> Finding<Problem> {
    Finding::new(&Source::new(name, line), span, "", problem).below(number.max(1) - 1)
}

/// `des (initial, edges, states)`.
fn header(line: &str) -> Result<Header, Mistake> {
    let no_header = |at: usize| {
        let found: String = line.trim().chars().take(20).collect();
        (at..line.trim_end().len(), Problem::NoHeader { found: format!("`{found}`") })
    };
    let start = line.len() - line.trim_start().len();
    let rest = line[start..].strip_prefix("des").ok_or_else(|| no_header(start))?;
    let open = line.len() - rest.trim_start().len();
    let (open, close) = brackets(line, open).map_err(|_| no_header(open))?;
    let first = line[open..close].find(',').ok_or_else(|| no_header(open))? + open;
    let second = line[first + 1..close].find(',').ok_or_else(|| no_header(first))? + first + 1;
    let n_edges = number(line, first + 1..second)?;
    let n_states = number(line, second + 1..close)?;
    let initial = state(line, open..first, n_states)?;
    Ok(Header { initial, n_edges: n_edges.into(), n_states })
}

/// `(source, label, target)`.
fn edge<'a>(line: &'a str, header: &Header) -> Result<(StateNo, &'a str, StateNo), Mistake> {
    let start = line.len() - line.trim_start().len();
    let (open, close) = brackets(line, start)?;
    let expected = |at: usize, expected| (at..at + 1, Problem::NoEdge { expected });
    let first = line[open..close].find(',').ok_or_else(|| expected(close, "`,`"))? + open;
    let last = line[..close].rfind(',').expect("there is a first one");
    if last == first {
        return Err(expected(close, "`,` and a target"));
    }
    let source = state(line, open..first, header.n_states)?;
    let target = state(line, last + 1..close, header.n_states)?;
    Ok((source, line[first + 1..last].trim(), target))
}

/// The range between the bracket at `open` and the one that ends the line.
fn brackets(line: &str, open: usize) -> Result<(usize, usize), Mistake> {
    let expected = |at: usize, expected| (at..at + 1, Problem::NoEdge { expected });
    if !line[open..].starts_with('(') {
        return Err(expected(open, "`(`"));
    }
    let end = line.trim_end().len();
    match line[..end].ends_with(')') && end > open + 1 {
        true => Ok((open + 1, end - 1)),
        false => Err(expected(end, "`)` at the end of the line")),
    }
}

fn state(line: &str, span: Range<usize>, n_states: u32) -> Result<StateNo, Mistake> {
    let state = number(line, span.clone())?;
    match state < n_states {
        true => Ok(StateNo(state)),
        false => Err((trimmed(line, span), Problem::NoSuchState { state, n_states })),
    }
}

fn number(line: &str, span: Range<usize>) -> Result<u32, Mistake> {
    let span = trimmed(line, span);
    let text = &line[span.clone()];
    match text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse()) {
        Some(Ok(number)) if number < u32::MAX => Ok(number),
        _ if text.contains('/') && text.contains(' ') => {
            Err((span, Problem::Probabilistic { found: text.to_owned() }))
        }
        _ => Err((span, Problem::BadNumber { found: text.chars().take(40).collect() })),
    }
}

fn trimmed(line: &str, span: Range<usize>) -> Range<usize> {
    let text = &line[span.clone()];
    let start = span.start + (text.len() - text.trim_start().len());
    start..(start + text.trim().len())
}

/// The label without its quotes.
fn label_of(text: &str, lts: &mut LtsBuilder) -> LabelId {
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match quoted.unwrap_or(text) {
        "i" | "tau" => LabelId::TAU,
        label if quoted.is_some() && label.contains("\\\"") => {
            lts.label(&label.replace("\\\"", "\""))
        }
        label => lts.label(label),
    }
}

/// The lines of a file, one at a time.
struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
    number: usize,
    max_bytes: u64,
    /// The remaining bytes of `max_bytes`.
    left: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line with its number and without its end. A line that is not UTF-8 is read as ISO 8859-1.
    fn next(&mut self) -> Result<Option<(usize, Cow<'_, str>)>, Problem> {
        self.bytes.clear();
        let mut bounded = self.input.by_ref().take(MAX_LINE + 1);
        let n = bounded.read_until(b'\n', &mut self.bytes).map_err(Fault::from)?;
        if n == 0 {
            return Ok(None);
        }
        self.number += 1;
        if n as u64 > MAX_LINE {
            return Err(Problem::LongLine { limit: MAX_LINE });
        }
        let Some(left) = self.left.checked_sub(n as u64) else {
            return Err(Fault::Endless { max_bytes: self.max_bytes }.into());
        };
        self.left = left;
        let line = self.bytes.trim_ascii_end();
        let line = match std::str::from_utf8(line) {
            Ok(line) => line.into(),
            Err(_) => line.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
        };
        Ok(Some((self.number, line)))
    }
}
