//! A run as numbered steps, each with what it changed.

use std::fmt::Write;

use sweepline::Witness;

use crate::print::{FAINT, grouped, styled};
use crate::subject::{Change, Subject};

/// Of a long run so many steps are shown at the start …
const FIRST: usize = 20;
/// … and so many at the end.
const LAST: usize = 20;

/// The lines of a run; the middle of a long one is left out unless `full`.
pub(crate) fn steps<M: Subject>(model: &M, run: &Witness<M>, full: bool) -> String {
    let mut text = String::new();
    let n_digits = run.len().to_string().len();
    let action_width = run.steps.iter().map(|s| model.action(s.action).chars().count()).max();
    let action_width = action_width.unwrap_or(0).min(30);
    let _ = writeln!(text, "  {:>n_digits$}  {}", 0, model.describe(&run.initial));
    let hidden = match run.len() {
        n if full || n <= FIRST + LAST + 1 => 0..0,
        n => FIRST..n - LAST,
    };
    let mut before = &run.initial;
    for (i, step) in run.steps.iter().enumerate() {
        if i == hidden.start && !hidden.is_empty() {
            let n_hidden = grouped(hidden.len() as u64);
            let note = format!("... {n_hidden} steps left out, shown with --full-trace");
            let _ = writeln!(text, "  {:>n_digits$}  {}", "", styled(FAINT, note));
        }
        if !hidden.contains(&i) {
            let changes = listed(&model.changes(before, &step.state));
            let action = model.action(step.action);
            let padded = format!("{action:<action_width$}");
            let _ = writeln!(text, "  {:>n_digits$}  {padded}  {}", i + 1, styled(FAINT, changes));
        }
        before = &step.state;
    }
    text
}

/// Changes in one line.
pub(super) fn listed(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "nothing changes".into();
    }
    changes.iter().map(Change::to_string).collect::<Vec<_>>().join(", ")
}
