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
        Ok(())
    }
}

/// The lines of `after` that differ from `before`, with the fields they stand in.
fn changes(before: &str, after: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if old.len() != new.len() {
        let compact = |lines: &[&str]| lines.iter().map(|line| line.trim()).collect::<String>();
        return vec![compact(&new)];
    }
    let mut path: Vec<&str> = Vec::new();
    let mut changed = Vec::new();
    for (old, new) in old.iter().zip(&new) {
        let depth = (new.len() - new.trim_start().len()) / 4;
        path.truncate(depth);
        path.push(new.trim().trim_end_matches(" {").trim_end_matches(" ["));
        if old != new {
            let within = path[..depth].iter().skip(1).map(|p| format!("{p} ")).collect::<String>();
            let (old, new) = (old.trim().trim_end_matches(','), new.trim().trim_end_matches(','));
            let old_value = old.split_once(": ").map_or(old, |(_, value)| value);
            let (name, value) = new.split_once(": ").map_or(("", new), |(n, v)| (n, v));
            let colon = if name.is_empty() { "" } else { ": " };
            changed.push(format!("{within}{name}{colon}{old_value} -> {value}"));
        }
    }
    changed
}
