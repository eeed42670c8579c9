//! Sequence charts: a line for each process or place, and what changes them step by step.

use serde_json::{Value, json};

use super::play::Play;
use crate::draw::{SMALL, Svg, width};
use crate::front_end::FrontEnd;

/// The most steps of a chart.
const MOST_STEPS: usize = 60;
/// The most lines.
const MOST_LINES: usize = 14;
/// Between steps, and from the names to the first one.
const STEP: f64 = 30.0;
const HEAD: f64 = 36.0;
/// The most characters of a text at a line.
const MOST_CHARACTERS: usize = 18;

/// The chart of the steps from a position on. A line joins what changes in the same step.
pub(super) fn chart<M: FrontEnd>(play: &Play<M>, from: usize) -> Value {
    let n = play.path.len();
    let from = from.min(n.saturating_sub(1));
    let to = n.min(from + MOST_STEPS);
    let steps: Vec<(String, Vec<(String, String)>)> = (from + 1..=to)
        .map(|at| {
            let changes = play.changes(at).into_iter();
            (
                play.action(at),
                changes.map(|change| (change.place, change.after.to_string())).collect(),
            )
        })
        .collect();
    let mut names: Vec<String> = Vec::new();
    let mut n_hidden = 0;
    for (name, _) in steps.iter().flat_map(|(_, changes)| changes) {
        if !names.contains(name) {
            match names.len() < MOST_LINES {
                true => names.push(name.clone()),
                false => n_hidden += 1,
            }
        }
    }
    let order: Vec<String> =
        play.game.model.parts(&play.path.initial).into_iter().map(|(name, _)| name).collect();
    names.sort_by_key(|name| order.iter().position(|known| known == name).unwrap_or(usize::MAX));
    let mut notes = Vec::new();
    if to < n || from > 0 {
        notes.push(format!("steps {} to {to} of {n}", from + 1));
    }
    if n_hidden > 0 {
        notes.push(format!("only the first {MOST_LINES} that change have a line"));
    }
    let svg = draw(&names, &steps, from, play.at);
    json!({ "svg": svg, "notes": notes, "from": from, "to": to, "length": n })
}

fn short(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_CHARACTERS).collect();
    if text.chars().count() > MOST_CHARACTERS {
        short.pop();
        short.push('…');
    }
    short
}

fn draw(
    names: &[String],
    steps: &[(String, Vec<(String, String)>)],
    from: usize,
    at: usize,
) -> String {
    let mut svg = Svg::live();
    let widest = steps.iter().map(|(action, _)| width(&label(from, action), SMALL));
    let gutter = widest.fold(80.0, f64::max).min(360.0) + 24.0;
    let texts = steps.iter().flat_map(|(_, changes)| changes).map(|(_, after)| after);
    let column = names.iter().chain(texts).map(|text| width(&short(text), SMALL));
    let column = column.fold(60.0, f64::max) + 26.0;
    let x = |number: usize| gutter + column * (number as f64 + 0.5);
    let bottom = HEAD + STEP * steps.len() as f64;
    for (number, name) in names.iter().enumerate() {
        svg.text("small label", "middle", (x(number), 14.0), &short(name));
        svg.line("grid", &[(x(number), 22.0), (x(number), bottom)], false, [false; 2]);
    }
    for (number, (action, changes)) in steps.iter().enumerate() {
        let y = HEAD + STEP * (number as f64 + 0.4);
        let step = from + number + 1;
        svg.begin_button("message", ("step", Some(step)), action);
        let class = if step == at { "asked" } else { "page" };
        svg.rectangle(class, (gutter / 2.0 - 6.0, y), (gutter - 14.0, 20.0), 3.0);
        let text: String = label(from + number, action).chars().take(52).collect();
        svg.text("small", "start", (4.0, y + SMALL * 0.36), &text);
        svg.end();
        let mut columns: Vec<usize> = changes
            .iter()
            .filter_map(|(name, _)| names.iter().position(|known| known == name))
            .collect();
        columns.sort_unstable();
        if let (Some(&first), Some(&last)) = (columns.first(), columns.last()) {
            svg.line("edge path", &[(x(first), y), (x(last), y)], false, [false; 2]);
        }
        for (name, after) in changes {
            if let Some(column) = names.iter().position(|known| known == name) {
                svg.circle("mark one", (x(column), y), 3.5);
                svg.text("small", "start", (x(column) + 7.0, y - 4.0), &short(after));
            }
        }
    }
    svg.inline("sequence chart", (0.0, 0.0), (gutter + column * names.len() as f64, bottom + 6.0))
}

/// The number and the name of a step.
fn label(before: usize, action: &str) -> String {
    format!("{:>3}  {action}", before + 1)
}
