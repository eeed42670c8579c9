//! The trace of a counterexample or witness on the page: a drawing of its states, and a table of its steps.
//!
//! A browser is slow with tables of many thousand rows. So the page has the rows as data, in which every action, change
//! and row occurs once, and its script shows one page of the table at a time. Without scripts the first page is shown.

use std::collections::HashMap;
use std::fmt::Write;
use std::hash::Hash;

use serde_json::json;

use super::overview::Path;
use crate::draw::escaped;
use crate::front_end::{Change, Difference};
use crate::print::grouped;
use crate::results::Row;

/// Rows on a page of the table.
const PAGE: usize = 200;
/// The most steps of a trace; without `--full-trace`, the middle of a longer one is left out.
const MOST: usize = 200_000;
/// The most states in the drawing.
const DRAWN: usize = 60;

/// `counterexample, 12 steps`.
pub(super) fn title(verdict: &str, path: &Path) -> String {
    let what = if verdict == "violated" { "counterexample" } else { "witness" };
    match path.steps.len() {
        1 => format!("{what}, 1 step"),
        n => format!("{what}, {} steps", grouped(n as u64)),
    }
}

/// The trace of the property with this number.
pub(super) fn trace(page: &mut String, number: usize, row: &Row, path: &Path, full: bool) {
    let rows = Rows::new(path, if full { usize::MAX } else { MOST });
    let title = title(row.verdict, path);
    let title = title[..1].to_uppercase() + &title[1..];
    let cycle = match row.loop_start {
        Some(start) => format!(": from step {} on the steps repeat", grouped(start as u64)),
        None => String::new(),
    };
    let _ = writeln!(page, "<div class=\"trace\" id=\"t{number}\">\n<h4>{title}{cycle}</h4>");
    states(page, number, row, path, &rows);
    page.push_str(
        "<div class=\"pages\" hidden=\"hidden\"><button type=\"button\">First</button>\
         <button type=\"button\">Previous</button> <span></span> <button type=\"button\">Next</button>\
         <button type=\"button\">Last</button> <label>Go to step <input type=\"number\" min=\"0\"/></label></div>\n\
         <div class=\"steps\"><table class=\"path\">\n\
         <thead><tr><th class=\"number\">Step</th><th>Action</th><th>Changes</th></tr></thead>\n<tbody>\n",
    );
    for at in 0..rows.rows.len().min(PAGE) {
        let step = rows.step(at).map_or_else(String::new, |step| grouped(step as u64));
        let cells = rows.cells(at);
        let _ =
            writeln!(page, "<tr data-row=\"{at}\"><td class=\"number\">{step}</td>{cells}</tr>");
    }
    let _ = writeln!(
        page,
        "</tbody>\n</table></div>\n<script type=\"application/json\">{}</script>\n</div>",
        rows.data()
    );
}

/// The rows of the table: the initial state, then a row for each step.
#[derive(Default)]
struct Rows {
    actions: Once<String>,
    changes: Once<String>,
    /// The number of an action, then the numbers of changes.
    kinds: Once<Vec<usize>>,
    /// The kind of each row.
    rows: Vec<usize>,
    /// The row that stands for steps that are left out, and their number.
    gap: Option<(usize, usize)>,
}

/// Values in the order of their first occurrence, each once.
struct Once<T> {
    values: Vec<T>,
    numbers: HashMap<T, usize>,
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Once { values: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Once<T> {
    fn number(&mut self, value: T) -> usize {
        let next = self.values.len();
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            next
        })
    }
}

impl Rows {
    fn new(path: &Path, most: usize) -> Self {
        let n = path.steps.len();
        let hidden = if n > most { most / 2..n - most / 2 } else { 0..0 };
        let mut rows = Rows::default();
        let initial = path.initial.iter();
        let initial = initial.map(|(place, content)| field(&format!("{place}: {content}")));
        rows.add("<span class=\"soft\">initial state</span>".into(), initial.collect());
        for (at, step) in path.steps.iter().enumerate() {
            if !hidden.contains(&at) {
                rows.add(escaped(&step.action), step.changes.iter().map(change).collect());
            } else if at == hidden.start {
                rows.gap = Some((rows.rows.len(), hidden.len()));
                let n_hidden = grouped(hidden.len() as u64);
                let note = format!("{n_hidden} steps left out: --full-trace shows them");
                rows.add(format!("<span class=\"soft\">{note}</span>"), Vec::new());
            }
        }
        rows
    }

    fn add(&mut self, action: String, changes: Vec<String>) {
        let mut kind = vec![self.actions.number(action)];
        kind.extend(changes.into_iter().map(|change| self.changes.number(change)));
        self.rows.push(self.kinds.number(kind));
    }

    /// The cells of a row behind its number.
    fn cells(&self, row: usize) -> String {
        let kind = &self.kinds.values[self.rows[row]];
        let changes: Vec<String> =
            kind[1..].iter().map(|&change| marked_up(&self.changes.values[change])).collect();
        let action = &self.actions.values[kind[0]];
        format!("<td>{action}</td><td>{}</td>", changes.join("<br/>"))
    }

    /// The number of the step in a row.
    fn step(&self, row: usize) -> Option<usize> {
        match self.gap {
            Some((gap, _)) if gap == row => None,
            Some((gap, steps)) if row > gap => Some(row + steps - 1),
            _ => Some(row),
        }
    }

    /// The data for the script, without characters that would end it.
    fn data(&self) -> String {
        let gap = self.gap.map(|(row, steps)| json!({"row": row, "steps": steps}));
        let Rows { actions, changes, kinds, rows, .. } = self;
        let data = json!({
            "size": PAGE, "actions": actions.values, "changes": changes.values, "kinds": kinds.values, "rows": rows,
            "gap": gap,
        });
        data.to_string().replace('<', "\\u003c").replace('&', "\\u0026")
    }
}

/// A drawing of the states in a row, each with a link to its step; a long trace shows some of its states.
fn states(page: &mut String, number: usize, row: &Row, path: &Path, rows: &Rows) {
    let n = rows.rows.len();
    let drawn = n.min(DRAWN);
    let _ = write!(page, "<div class=\"states {}\">", row.verdict);
    for dot in 0..drawn {
        let at = dot * (n - 1) / (drawn - 1).max(1);
        let Some(step) = rows.step(at) else { continue };
        let name = match step {
            0 => "initial state",
            step => &path.steps[step - 1].action,
        };
        let mut class = String::new();
        for (is, word) in [
            (step == 0, "initial "),
            (row.loop_start.is_some_and(|start| step >= start), "cycle "),
            (at + 1 == n && step > 0, "last"),
        ] {
            class.push_str(if is { word } else { "" });
        }
        let _ = write!(
            page,
            "<a href=\"#t{number}\" class=\"{}\" data-row=\"{at}\" title=\"{}: {}\"></a>",
            class.trim(),
            grouped(step as u64),
            escaped(name)
        );
    }
    page.push_str("</div>\n");
}

/// A change as fields between tabs: the place with its values before and after; for multi-sets of tokens, the place,
/// the tokens taken, the tokens put, and an empty field.
fn change(change: &Change) -> String {
    let place = field(&change.place);
    match &change.difference {
        None => {
            let (was, is) = (change.before.to_string(), change.after.to_string());
            format!("{place}\t{}\t{}", field(&was), field(&is))
        }
        Some(Difference { taken, put }) => {
            format!("{place}\t{}\t{}\t", field(taken), field(put))
        }
    }
}

fn field(text: &str) -> String {
    escaped(&text.replace('\t', " "))
}

/// A change for the page; the script does the same.
fn marked_up(change: &str) -> String {
    let fields: Vec<&str> = change.split('\t').collect();
    match fields[..] {
        [place, was, is] => {
            format!("{place} <del class=\"was\">{was}</del> \u{2192} <ins class=\"is\">{is}</ins>")
        }
        [place, taken, put, _] => {
            let mut text = place.to_owned();
            for (tag, tokens) in [("del", taken), ("ins", put)] {
                if !tokens.is_empty() {
                    let _ = write!(text, " <{tag}>{tokens}</{tag}>");
                }
            }
            text
        }
        _ => change.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::results::TraceStep;

    fn path(n: usize) -> Path {
        let step =
            |at: usize| TraceStep { action: format!("a{}", at % 3).into(), changes: Vec::new() };
        Path { initial: BTreeMap::new(), steps: (0..n).map(step).collect() }
    }

    #[test]
    fn a_text_is_stored_once() {
        let rows = Rows::new(&path(1000), usize::MAX);
        assert_eq!((rows.actions.values.len(), rows.kinds.values.len()), (4, 4));
        assert_eq!(rows.rows.len(), 1001);
        assert_eq!((rows.step(0), rows.step(1000)), (Some(0), Some(1000)));
    }

    #[test]
    fn the_middle_of_a_long_trace_is_one_row() {
        let rows = Rows::new(&path(1000), 10);
        assert_eq!((rows.rows.len(), rows.gap), (12, Some((6, 990))));
        let steps: Vec<_> = (0..12).map(|row| rows.step(row)).collect();
        assert_eq!(
            (steps[5], steps[6], steps[7], steps[11]),
            (Some(5), None, Some(996), Some(1000))
        );
        assert!(rows.cells(6).contains("990 steps left out"));
        assert_eq!(rows.cells(7), "<td>a2</td><td></td>");
    }

    #[test]
    fn changes_have_their_marks() {
        assert_eq!(
            marked_up("p\t1\t0"),
            "p <del class=\"was\">1</del> \u{2192} <ins class=\"is\">0</ins>"
        );
        assert_eq!(marked_up("p\t1`a\t\t"), "p <del>1`a</del>");
        assert_eq!(marked_up("p: 3"), "p: 3");
    }

    #[test]
    fn data_cannot_end_the_script() {
        let mut path = path(1);
        path.steps[0].action = "</script>&\"".into();
        let data = Rows::new(&path, usize::MAX).data();
        assert!(!data.contains('<') && !data.contains('&'), "{data}");
        let read: serde_json::Value = serde_json::from_str(&data).unwrap();
        assert_eq!(read["actions"][1], "&lt;/script&gt;&amp;&quot;");
    }
}
