//! `progress`: the measures found in the structure of a model.

use std::fmt::Write;
use std::process::ExitCode;

use serde::Serialize;
use sweepline::progress::Effort;

use crate::args;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::load::{Loaded, load, on_model};
use crate::measure::MeasureSpec;
use crate::print::{self, BOLD, styled};

/// Runs the verb.
pub(crate) fn run(args: &args::Progress) -> Result<ExitCode, Failure> {
    on_model!(load(&args.input)?, |model| find(args, &*model))
}

fn find<M: FrontEnd>(args: &args::Progress, model: &M) -> Result<ExitCode, Failure> {
    let rows: Vec<Row> = MeasureSpec::find(model, Effort::most(model.successor_steps()))
        .iter()
        .filter_map(|m| Row::new(args, m))
        .collect();
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
    /// No transition lowers it: proved by its steps.
    monotone: bool,
    window: u64,
    anchor: u64,
    values: usize,
    predicted_peak: f64,
    /// The prediction is a count over all states, no guess.
    exact: bool,
    /// States that a sweep of the first states would have to visit again from.
    trial_persistent: u64,
    trial_regress_edges: u64,
    /// The command that uses it.
    command: String,
}

impl Row {
    fn new<M: FrontEnd>(args: &args::Progress, measure: &MeasureSpec<M>) -> Option<Self> {
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
        })
    }

    fn kind(&self) -> String {
        match (self.monotone, self.window, self.trial_regress_edges) {
            (true, ..) => "by proof".into(),
            (false, 0, 0) => "as seen".into(),
            (false, _, edges) => format!("{} back", print::grouped(edges)),
        }
    }

    fn sweeps(&self) -> &'static str {
        if self.trial_persistent > 0 { "several" } else { "one" }
    }

    fn peak(&self) -> String {
        let about = if self.exact { "" } else { "~" };
        format!("{about}{:.1}%", 100.0 * self.predicted_peak)
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

const NONE: &str = "no measure found: whatever adds to a sum is undone in the same way, or the model is too large\n";

fn text(name: &str, rows: &[Row]) -> String {
    let mut text = format!("{name}\n\n");
    if rows.is_empty() {
        text.push_str(NONE);
        return text;
    }
    let head = format!(
        "{:>2}  {:<12} {:<7}  {:>6}  {:>6}  {:>7}  measure",
        "", "monotone", "sweeps", "window", "values", "held"
    );
    let _ = writeln!(text, "{}", styled(BOLD, head));
    for (number, row) in (1..).zip(rows) {
        let _ = writeln!(
            text,
            "{number:>2}  {:<12} {:<7}  {:>6}  {:>6}  {:>7}  {}",
            row.kind(),
            row.sweeps(),
            row.window,
            row.values,
            row.peak(),
            print::cut(&row.progress)
        );
    }
    text.push_str(KEY);
    for (number, row) in (1..).zip(rows) {
        let _ = writeln!(text, "{number:>2}  {}", row.command);
    }
    text
}

const KEY: &str = "
monotone  no transition lowers it, by proof; or edges that led back in a sweep of the first states
held      the part of all states expected to be held at a time; ~ is a guess from random walks

The first is what `--progress auto` uses. As commands:
";

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
