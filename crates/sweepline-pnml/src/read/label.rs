//! The labels that matter: names, markings, weights, arc types, capacities.

use sweepline_source::clip;
use sweepline_source::xml::Element;

use super::draft::{ArcDraft, NodeDraft, Span};
use super::problem::Problem;

/// The kind of a label.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum LabelKind {
    Name,
    InitialMarking,
    Inscription,
    ArcType,
    Capacity,
}

/// A label while it is read.
pub(crate) struct Label {
    pub(crate) kind: LabelKind,
    pub(crate) text: String,
    /// The range of the text, or of the tag if there is no text yet.
    pub(crate) span: Span,
}

impl Label {
    pub(crate) fn new(kind: LabelKind, element: &Element<'_>) -> Self {
        Self { kind, text: String::new(), span: element.span.clone() }
    }

    /// Whether a child element with this name contains the text of the label.
    pub(crate) fn has_text(&self, element: &str) -> bool {
        matches!(element, "text" | "value")
    }

    pub(crate) fn push(&mut self, piece: &str, span: &Span) {
        let trimmed = piece.trim_start();
        if self.text.trim().is_empty() && !trimmed.is_empty() {
            let start = (span.start + piece.len() - trimmed.len()).min(span.end);
            self.span = start..(start + trimmed.trim_end().len()).min(span.end);
        }
        self.text.push_str(piece);
    }

    pub(crate) fn apply_to_node(&self, node: &mut NodeDraft<'_>) -> Result<(), Problem> {
        let of = || format!("{} `{}`", node.kind.noun(), clip(&node.id));
        match self.kind {
            LabelKind::Name => {
                let name = one_line(&self.text);
                node.name = (!name.is_empty()).then_some(name);
                Ok(())
            }
            LabelKind::InitialMarking => {
                let count = parse_count("initial marking", of, &self.text)?;
                match node.initial.replace(count) {
                    Some(_) => Err(duplicate(of(), "initialMarking")),
                    None => Ok(()),
                }
            }
            LabelKind::Capacity => match self.text.trim() {
                "" | "0" | "-1" => Ok(()),
                text if text.to_ascii_lowercase().starts_with("inf") => Ok(()),
                text => Err(Problem::Capacity { place: clip(&node.id), capacity: clip(text) }),
            },
            LabelKind::Inscription | LabelKind::ArcType => Ok(()),
        }
    }

    pub(crate) fn apply_to_arc(&self, arc: &mut ArcDraft<'_>) -> Result<(), Problem> {
        let of = || format!("arc `{}`", clip(&arc.id));
        match self.kind {
            LabelKind::Inscription => {
                let weight = parse_count("weight", of, &self.text)?;
                if weight == 0 {
                    return Err(Problem::ZeroWeight { of: of() });
                }
                match arc.weight.replace(weight) {
                    Some(_) => Err(duplicate(of(), "inscription")),
                    None => Ok(()),
                }
            }
            LabelKind::ArcType => check_arc_type(&arc.id, &self.text),
            LabelKind::Name | LabelKind::InitialMarking | LabelKind::Capacity => Ok(()),
        }
    }
}

/// Rejects arc types other than ordinary arcs.
pub(crate) fn check_arc_type(arc: &str, found: &str) -> Result<(), Problem> {
    match found.trim() {
        "" | "normal" | "ordinary" => Ok(()),
        other => Err(Problem::UnsupportedArc { arc: clip(arc), kind: clip(other) }),
    }
}

fn duplicate(of: String, label: &str) -> Problem {
    Problem::DuplicateLabel { of, label: label.to_owned() }
}

/// A number of tokens. PIPE writes `Default,3` for three tokens of its only colour.
fn parse_count(what: &'static str, of: impl Fn() -> String, text: &str) -> Result<u64, Problem> {
    let digits = text.trim();
    let digits = digits.strip_prefix("Default,").unwrap_or(digits);
    if let Ok(count) = digits.parse() {
        return Ok(count);
    }
    let found = clip(digits);
    let unsigned = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    let is_integer = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    Err(match is_integer {
        true if digits.starts_with('-') => Problem::Negative { what, of: of(), found },
        true => Problem::NumberTooLarge { what, of: of(), found },
        false => Problem::NotANumber { what, of: of(), found },
    })
}

/// A name on one line: editors break names anywhere, and expressions write them on one line.
pub(crate) fn one_line(name: &str) -> String {
    match name.contains(['\n', '\r']) {
        true => name.split_whitespace().collect::<Vec<_>>().join(" "),
        false => name.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_and_fit() {
        let parse = |text| parse_count("weight", || "arc `a`".into(), text);
        for (text, expected) in [(" 3\n", 3), ("0", 0), ("+7", 7), ("Default,2", 2)] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
        assert_eq!(parse("18446744073709551615"), Ok(u64::MAX));
        for text in ["", "1.0", "x", "1 2", "0x10", "-", "1e3", "\u{664}"] {
            assert!(matches!(parse(text), Err(Problem::NotANumber { .. })), "{text}");
        }
        assert!(matches!(parse("-1"), Err(Problem::Negative { .. })));
        assert!(matches!(parse("18446744073709551616"), Err(Problem::NumberTooLarge { .. })));
    }
}
