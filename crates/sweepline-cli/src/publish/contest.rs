//! Answers in the output format of the Model Checking Contest.

use std::fmt::Write;

use crate::results::{Figure, Row, Summary};

/// One line for each answer; properties that are unknown have none.
pub(super) fn answers(summary: &Summary) -> String {
    let mut text = String::new();
    for row in &summary.properties {
        if let Some(line) = answer(summary, row) {
            text.push_str(&line);
        }
    }
    if text.is_empty() { "CANNOT_COMPUTE\n".into() } else { text }
}

fn answer(summary: &Summary, row: &Row) -> Option<String> {
    let techniques = techniques(summary, row);
    let Row { name, kind, verdict, value, .. } = row;
    if *kind == "state-space" {
        return state_space(summary, &techniques);
    }
    let value = match (value, *verdict) {
        (_, "unknown") => return None,
        (Some(Figure::Greatest(greatest)), _) => greatest.to_string(),
        (Some(Figure::Range(..)), _) => return None,
        (None, "holds") => "TRUE".into(),
        (None, _) => "FALSE".into(),
    };
    Some(format!("FORMULA {name} {value} TECHNIQUES {techniques}\n"))
}

fn state_space(summary: &Summary, techniques: &str) -> Option<String> {
    if !summary.complete {
        return None;
    }
    let figures = [
        ("STATES", summary.states.map(u128::from)),
        ("TRANSITIONS", summary.edges.map(u128::from)),
        ("MAX_TOKEN_PER_MARKING", summary.max_tokens_per_marking),
        ("MAX_TOKEN_IN_PLACE", summary.max_tokens_in_place.map(u128::from)),
    ];
    let mut text = String::new();
    for (name, figure) in figures {
        let _ = writeln!(text, "STATE_SPACE {name} {} TECHNIQUES {techniques}", figure?);
    }
    Some(text)
}

/// What was used, in the words of the contest.
fn techniques(summary: &Summary, row: &Row) -> String {
    let mut words = Vec::new();
    match row.decided_by {
        Some(_) => words.push("TOPOLOGICAL"),
        None => {
            words.push("EXPLICIT");
            words.push(if summary.threads > 1 {
                "PARALLEL_PROCESSING"
            } else {
                "SEQUENTIAL_PROCESSING"
            });
        }
    }
    if summary.reduction.iter().any(|word| word.contains("stubborn")) {
        words.push("STUBBORN_SETS");
    }
    words.join(" ")
}
