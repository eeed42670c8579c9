//! A run as numbered steps, each with what it changed.

use std::fmt::Write;

use sweepline::Witness;

use crate::front_end::{Change, Content, FrontEnd, Lacking, Nearest};
use crate::print::{FAINT, grouped, one_line, styled};

/// Of a long run so many steps are shown at the start …
const FIRST: usize = 10;
/// … and so many at the end.
const LAST: usize = 10;

/// From here on a line is broken into parts.
const LONG: usize = 160;

/// Changes line up behind actions of at most this width.
const MOST_WIDTH: usize = 40;

/// The lines of a run; the middle of a long one is left out unless `full`.
pub(crate) fn steps<M: FrontEnd>(model: &M, run: &Witness<M>, full: bool) -> String {
    let mut text = String::new();
    let n_digits = run.len().to_string().len();
    let states = std::iter::once(&run.initial).chain(run.steps.iter().map(|step| &step.state));
    let actions: Vec<_> = states
        .zip(&run.steps)
        .map(|(source, step)| one_line(&model.action(source, &step.action)))
        .collect();
    let action_width = actions.iter().map(|action| action.chars().count()).max();
    let action_width = action_width.unwrap_or(0).min(MOST_WIDTH);
    let _ =
        writeln!(text, "  {:>n_digits$}  {}", 0, state_lines(model, &run.initial, n_digits + 4));
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
            let changes = model.changes(before, &step.state);
            let (listed, action) = (listed(&changes), &actions[i]);
            let (number, indent) = (i + 1, n_digits + 8);
            if listed.chars().count() <= LONG {
                let padded = format!("{action:<action_width$}");
                let changes = styled(FAINT, listed);
                let _ = writeln!(text, "  {number:>n_digits$}  {padded}  {changes}");
            } else {
                let _ = writeln!(text, "  {number:>n_digits$}  {action}");
                for change in &changes {
                    let change = one_line(&change.to_string());
                    let _ = writeln!(text, "{:indent$}{}", "", styled(FAINT, change));
                }
            }
        }
        before = &step.state;
    }
    if let Some(back) = run.back {
        let note = match run.len() - back {
            0 => "the last state is dead: it stays as it is for ever".to_owned(),
            1 => format!("step {} repeats for ever", run.len()),
            _ => format!("steps {} to {} repeat for ever", back + 1, run.len()),
        };
        let _ = writeln!(text, "  {:>n_digits$}  {}", "", styled(FAINT, note));
    }
    text
}

/// Why nothing is enabled in `state`.
pub(super) fn lacking_lines<M: FrontEnd>(text: &mut String, model: &M, state: &M::State) {
    let Nearest { listed, n_more } = model.nearest(state);
    if listed.is_empty() {
        return;
    }
    let _ = writeln!(text, "no transition is enabled; nearest to being enabled:");
    let width = listed.iter().map(|lacking| lacking.transition.chars().count()).max();
    let width = width.unwrap_or(0).min(MOST_WIDTH);
    for Lacking { transition, lacks } in &listed {
        let (transition, lacks) = (one_line(transition), one_line(&lacks.join(", ")));
        let _ = writeln!(text, "  {transition:<width$}  needs {lacks}");
    }
    if n_more > 0 {
        let more = format!("and {} more", grouped(n_more as u64));
        let _ = writeln!(text, "  {}", styled(FAINT, more));
    }
}

/// A state in one line, or a line for each part where that would be long.
pub(super) fn state_lines<M: FrontEnd>(model: &M, state: &M::State, indent: usize) -> String {
    let line = one_line(&model.describe(state));
    if line.chars().count() <= LONG {
        return line;
    }
    let parts = model.parts(state);
    let width = parts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(40);
    let part = |(name, content): (String, Content)| one_line(&format!("{name:<width$}  {content}"));
    parts.into_iter().map(part).collect::<Vec<_>>().join(&format!("\n{:indent$}", ""))
}

/// Changes in one line.
pub(super) fn listed(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "nothing changes".into();
    }
    one_line(&changes.iter().map(Change::to_string).collect::<Vec<_>>().join(", "))
}
