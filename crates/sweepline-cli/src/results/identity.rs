//! The part of the results about equivalent states.

use serde::Serialize;
use sweepline::Statistics;

use super::figures::line;
use crate::print::grouped;

/// An equivalence, as it was asked for.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct IdentitySummary {
    pub(crate) equivalence: String,
    /// States whose classes are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_off: Option<String>,
    /// States are replaced by representatives, so no classes are stored.
    #[serde(skip)]
    pub(crate) by_representatives: bool,
}

/// The figures of an equivalence.
#[derive(Serialize, Clone, Debug)]
pub(super) struct IdentityFigures {
    #[serde(flatten)]
    asked: IdentitySummary,
    /// Stored classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<u64>,
    /// Edges to states beyond which nothing was explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<u64>,
    /// Layers without a new class and without such an edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    uncut_layers: Option<u64>,
    /// States on which consistency was tested.
    tried: u64,
}

impl IdentityFigures {
    pub(super) fn new(asked: IdentitySummary, statistics: &Statistics) -> Self {
        let figure = |figure: u64| (!asked.by_representatives).then_some(figure);
        IdentityFigures {
            classes: figure(statistics.classes),
            cut: figure(statistics.cut),
            uncut_layers: figure(statistics.uncut_layers),
            tried: statistics.tried,
            asked,
        }
    }

    /// What was asked for.
    pub(super) fn head(&self, text: &mut String) {
        let IdentitySummary { equivalence, cut_off, .. } = &self.asked;
        match cut_off {
            Some(cut_off) => {
                line(text, "equivalence", format!("{equivalence}, cut off at {cut_off}"))
            }
            None => line(text, "equivalence", equivalence),
        }
    }

    /// The figures of an equivalence.
    pub(super) fn figures(&self, text: &mut String) {
        if let (Some(classes), Some(cut), Some(uncut)) = (self.classes, self.cut, self.uncut_layers)
        {
            line(text, "classes", format!("{} stored", grouped(classes)));
            line(text, "cut off", format!("{} edges", grouped(cut)));
            line(text, "uncut layers", grouped(uncut));
        }
        if self.tried > 0 {
            let checked =
                format!("{} states: their successors are equivalent", grouped(self.tried));
            line(text, "checked", checked);
        }
    }
}
