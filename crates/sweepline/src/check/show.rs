//! Showing reports of typed models to a programmer: what failed, and step by step how.

use std::fmt::{self, Write};

use super::Report;
use crate::model::Model;
use crate::observe::Witness;
use crate::verdict::Verdict;

impl<M: Model> Report<M>
where
    M::State: fmt::Debug,
{
    /// Does nothing when every property holds.
    ///
    /// # Panics
    ///
    /// With each property that does not, and the run that shows it, when some does not.
    #[track_caller]
    pub fn assert_holds(&self) {
        assert!(self.holds(), "\n{}", self.failures());
    }

    fn failures(&self) -> String {
        let mut text = String::new();
        for property in &self.properties {
            match &property.verdict {
                Verdict::Holds(_) => continue,
                Verdict::Unknown(reason) => {
                    let _ = writeln!(text, "`{}` is unknown: {reason}", property.name);
                }
                Verdict::Violated(witness) => {
                    let _ = writeln!(text, "`{}` is violated", property.name);
                    if let Some(witness) = witness {
                        let _ = write!(text, "{witness}");
                    }
                }
            }
        }
        if text.is_empty()
            && let Some(stop) = &self.stop
        {
            let _ = writeln!(text, "the exploration is not complete: {stop}");
        }
        text
    }
}

/// The numbered steps of the run, each with what it changed.
impl<M: Model> fmt::Display for Witness<M>
where
    M::State: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.len().to_string().len();
        writeln!(f, "  {:>width$}  {:?}", 0, self.initial)?;
        let mut before = format!("{:#?}", self.initial);
        for (i, step) in self.steps.iter().enumerate() {
            let after = format!("{:#?}", step.state);
            writeln!(f, "  {:>width$}  {:?}", i + 1, step.action)?;
            for line in changes(&before, &after) {
                writeln!(f, "  {:>width$}      {line}", "")?;
            }
            before = after;
        }
        match self.back {
            Some(back) if back < self.len() => writeln!(f, "  and so on from {back}"),
            Some(_) => writeln!(f, "  and stays there"),
            None => Ok(()),
        }
    }
}

/// What differs between two pretty-printed values: `field[2].part: old -> new`.
fn changes(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if old.len() != new.len() {
        let compact = |lines: &[&str]| lines.iter().map(|line| line.trim()).collect::<String>();
        return vec![compact(&new)];
    }
    let mut outer: Vec<Outer> = Vec::new();
    let mut changed = Vec::new();
    for (old, new) in old.iter().zip(&new) {
        let line = new.trim();
        if line.starts_with([']', '}', ')']) {
            continue;
        }
        outer.truncate((new.len() - new.trim_start().len()) / 4);
        let (name, value) = line.split_once(": ").unwrap_or(("", line));
        let label = outer.last_mut().map_or(String::new(), |outer| outer.label(name));
        if old != new {
            let path: String = outer.iter().map(|outer| outer.label.as_str()).collect();
            let old = old.trim().split_once(": ").map_or(old.trim(), |(_, value)| value);
            let (old, value) = (old.trim_end_matches(','), value.trim_end_matches(','));
            let path = format!("{path}{label}");
            let path = path.trim_start_matches('.');
            let colon = if path.is_empty() { "" } else { ": " };
            changed.push(format!("{path}{colon}{old} -> {value}"));
        }
        outer.push(Outer { label, is_list: line.ends_with('['), next: 0 });
    }
    changed
}

/// A value that encloses the line being looked at.
struct Outer {
    label: String,
    is_list: bool,
    next: usize,
}

impl Outer {
    /// How the next part of this value is called.
    fn label(&mut self, name: &str) -> String {
        let number = self.next;
        self.next += 1;
        match (self.is_list, name) {
            (true, _) => format!("[{number}]"),
            (false, "") => format!(".{number}"),
            (false, name) => format!(".{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[derive(Debug)]
    #[allow(dead_code, reason = "only its debug form is read")]
    struct State {
        queue: Vec<(u8, u8)>,
        phase: Option<u8>,
        done: bool,
    }

    #[test]
    fn changes_are_named_by_their_path() {
        let before = State { queue: vec![(1, 2), (3, 4)], phase: Some(1), done: false };
        let after = State { queue: vec![(1, 2), (3, 5)], phase: Some(2), done: true };
        let changes = changes(&format!("{before:#?}"), &format!("{after:#?}"));
        assert_eq!(changes, ["queue[1].1: 4 -> 5", "phase.0: 1 -> 2", "done: false -> true"]);
    }
}
