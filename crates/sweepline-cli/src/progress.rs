//! `progress`: lists the measures that are found for a model.

use std::fmt::Write;
use std::process::ExitCode;

use serde::Serialize;

use crate::args;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::load::{Loaded, load, on_model};
use crate::measure::MeasureSpec;
use crate::print::{self, BOLD, folded, styled};

/// Runs the verb.
pub(crate) fn run(args: &args::Progress) -> Result<ExitCode, Failure> {
    on_model!(load(&args.input)?, |model| find(args, &*model))
}

fn find<M: FrontEnd>(args: &args::Progress, model: &M) -> Result<ExitCode, Failure> {
    let list = MeasureSpec::list(model);
    let rows: Vec<Row> =
        (1..).zip(&list).filter_map(|(number, measure)| Row::new(args, number, measure)).collect();
    print::results(&match args.json {
        true => print::json(&rows),
        false => text(model.name(), &rows),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A measure; the fields of an entry of the JSON list, in its order.
#[derive(Serialize)]
struct Row {
    progress: String,
    /// No transition decreases it.
    monotone: bool,
    window: u64,
    anchor: u64,
    values: usize,
    predicted_peak: f64,
    /// The peak was counted in a sweep of all states, not predicted from random walks.
    exact: bool,
    /// Persistent states in a sweep of the first states: with any, more than one sweep is needed.
    trial_persistent: u64,
    trial_regress_edges: u64,
    /// The command that sweeps along it.
    command: String,
    /// `--progress auto:NUMBER` picks it.
    number: usize,
    #[serde(skip)]
    short_command: String,
}

impl Row {
    fn new<M: FrontEnd>(
        args: &args::Progress,
        number: usize,
        measure: &MeasureSpec<M>,
    ) -> Option<Self> {
        let found = measure.found.as_ref()?;
        let option = |name: &str, n: u64| match n {
            0 => String::new(),
            n => format!(" --{name} {n}"),
        };
        let kept = option("window", found.window) + &option("anchor", found.anchor);
        let mut model = shell(&args.input.file.display().to_string());
        let init = args.input.init.iter().map(|text| ("--init", text));
        if let Some(process) = &args.input.process {
            model.push_str(&format!(" --process {}", shell(process)));
        }
        for (option, text) in args.input.param.iter().map(|text| ("--param", text)).chain(init) {
            model.push_str(&format!(" {option} {}", shell(text)));
        }
        Some(Row {
            progress: measure.text.clone(),
            monotone: found.monotone,
            window: found.window,
            anchor: found.anchor,
            values: found.values,
            predicted_peak: found.predicted_peak,
            exact: found.whole,
            trial_persistent: found.persistent,
            trial_regress_edges: found.regress_edges,
            command: format!("sweepline check {model} --progress={}{kept}", shell(&measure.text)),
            number,
            short_command: format!("sweepline check {model} --progress auto:{number}"),
        })
    }

    /// Whether it is monotone, and what it needs if it is not.
    fn kind(&self) -> String {
        let Row { window, anchor, .. } = self;
        match (self.monotone, self.trial_persistent > 0) {
            (true, _) => "Monotone: no transition decreases it.".into(),
            (false, true) if *anchor > 0 => format!(
                "Progress repeats, so the first {anchor} layers are kept (`--anchor`). Needs several sweeps."
            ),
            (false, true) if *window > 0 => {
                format!(
                    "Decreases by more than the window of {window}, so it needs several sweeps."
                )
            }
            (false, true) => "Decreases, so it needs several sweeps.".into(),
            (false, false) if *window > 0 => {
                format!("Decreases by at most {window} per step, so the window is {window}.")
            }
            (false, false) => "No decrease seen in the first states.".into(),
        }
    }

    fn peak(&self) -> String {
        let about = if self.exact { "" } else { "about " };
        format!("Predicted peak: {about}{:.1}% of the states.", 100.0 * self.predicted_peak)
    }
}

/// `text` as one word of a shell.
fn shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

const NONE: &str =
    "No measure found. Write one: `--progress EXPR`; `sweepline help progress` tells how.\n";

fn text(name: &str, rows: &[Row]) -> String {
    let mut text = format!("{name}\n");
    if rows.is_empty() {
        text.push_str(&format!("\n{NONE}"));
    }
    for row in rows {
        let measure = styled(BOLD, folded(&row.progress));
        let _ = writeln!(text, "\n{:>2}  {measure}", row.number);
        let _ = writeln!(text, "    {} {}", row.kind(), row.peak());
        let _ = writeln!(text, "    {}", row.short_command);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_the_shell() {
        assert_eq!(shell("nets/a-b.pnml"), "nets/a-b.pnml");
        assert_eq!(shell("2 * tokens(p)"), "'2 * tokens(p)'");
        assert_eq!(shell("it's"), r"'it'\''s'");
        assert_eq!(shell(""), "''");
    }
}
