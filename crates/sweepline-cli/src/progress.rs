//! `progress`: the measures found in the structure of a model.

use std::fmt::Write;
use std::process::ExitCode;

use serde::Serialize;
use sweepline_pnml::Net;

use crate::args;
use crate::failure::Failure;
use crate::load::{Loaded, load};
use crate::measure::MeasureSpec;
use crate::print::{self, BOLD, styled};

/// Runs the verb.
pub(crate) fn run(args: &args::Progress) -> Result<ExitCode, Failure> {
    let Loaded::Net(model) = load(&args.input)?;
    let net = model.net();
    let rows: Vec<Row> = MeasureSpec::find(&model).iter().filter_map(Row::new).collect();
    print::results(&match args.json {
        true => serde_json::to_string_pretty(&rows).expect("only string keys") + "\n",
        false => text(net, &rows),
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
    values: usize,
    predicted_peak: f64,
    /// States that a sweep of the first states had to visit again from.
    trial_persistent: u64,
    trial_regress_edges: u64,
}

impl Row {
    fn new(measure: &MeasureSpec) -> Option<Self> {
        let found = measure.found?;
        Some(Row {
            progress: measure.text.clone(),
            monotone: found.monotone,
            window: found.window,
            values: found.values,
            predicted_peak: found.predicted_peak,
            trial_persistent: found.persistent,
            trial_regress_edges: found.regress_edges,
        })
    }

    fn kind(&self) -> &'static str {
        match (self.monotone, self.trial_persistent) {
            (true, _) => "by proof",
            (false, 0) => "no, window",
            (false, _) => "no, sweeps",
        }
    }
}

fn text(net: &Net, rows: &[Row]) -> String {
    let mut text = format!("{}\n\n", net.name);
    if rows.is_empty() {
        text.push_str(
            "no measure found: every transition lies on a cycle, or the net is too large\n",
        );
        return text;
    }
    let head = format!(
        "{:<10}  {:>6}  {:>6}  {:>9}  measure",
        "monotone", "window", "values", "predicted"
    );
    let _ = writeln!(text, "{}", styled(BOLD, head));
    for row in rows {
        let _ = writeln!(
            text,
            "{:<10}  {:>6}  {:>6}  {:>8.1}%  {}",
            row.kind(),
            row.window,
            row.values,
            100.0 * row.predicted_peak,
            print::cut(&row.progress)
        );
    }
    let best = &rows[0];
    let window =
        if best.window == 0 { String::new() } else { format!(" --window {}", best.window) };
    let _ = writeln!(text, "\nUse the first with `--progress auto`, or write");
    let _ = writeln!(text, "  sweepline check FILE --progress '{}'{window}", best.progress);
    text
}
