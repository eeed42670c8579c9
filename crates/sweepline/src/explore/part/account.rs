//! What a worker reports after each step.

use serde::{Deserialize, Serialize};

use super::Part;
use crate::model::Model;
use crate::progress::Value;

/// The counters of one worker, or the sums over all of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "they are those of `Statistics`")]
pub struct Tally {
    pub explored: u64,
    pub edges: u64,
    pub dead: u64,
    pub stored: u64,
    pub persistent: u64,
    pub regress_edges: u64,
    /// Bytes of the store.
    pub bytes: u64,
}

impl Tally {
    /// The sum of the two.
    #[must_use]
    pub fn plus(self, other: &Tally) -> Tally {
        Tally {
            explored: self.explored + other.explored,
            edges: self.edges + other.edges,
            dead: self.dead + other.dead,
            stored: self.stored + other.stored,
            persistent: self.persistent + other.persistent,
            regress_edges: self.regress_edges + other.regress_edges,
            bytes: self.bytes + other.bytes,
        }
    }
}

/// What a worker reports after a step. From the accounts of all workers, each of them decides the same next
/// step.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Account {
    /// States of the level that are waiting.
    pub waiting: u64,
    /// Further waiting states of the layer at the line.
    pub beyond: u64,
    /// The progress of the least open layer besides the one at the line.
    pub open: Option<Vec<i64>>,
    /// The least progress of a persistent state that no sweep has expanded yet.
    pub root: Option<Vec<i64>>,
    /// Whether there is such a state in the column being swept.
    pub root_in_column: bool,
    /// The progress of the least layer behind the line that the window keeps.
    pub kept: Option<Vec<i64>>,
    /// The progress of the layers that were dropped since the last account.
    pub gone: Vec<Vec<i64>>,
    /// The progress of the layers that were opened since the last account.
    pub opened: Vec<Vec<i64>>,
    /// The progress of the layers that were pinned since: edges from another column lead to them.
    pub pinned: Vec<Vec<i64>>,
    /// The counters.
    pub tally: Tally,
    /// How many questions the observer has decided.
    pub decided: u64,
}

impl<M: Model> Part<'_, M> {
    /// The account after a step, where the column of `column` is being swept.
    pub fn account(&mut self, column: Option<&Value>) -> Account {
        let gone = std::mem::take(&mut self.gone);
        let (opened, pinned) = self.portion.states.window.take_common();
        let (decided, states) = (self.decided(), &self.portion.states);
        let window = &states.window;
        let line = self.line.as_ref().and_then(|line| window.open_at(line));
        let line = line.map(|id| window.layer(id));
        let listed = |value: &Value| value.components().to_vec();
        let keep = self.options.window;
        let kept = self.line.as_ref().filter(|_| keep > 0);
        let kept = kept.and_then(|line| window.least_kept(line, keep));
        let counted = &self.expander.intake.statistics;
        Account {
            waiting: line.map_or(0, |layer| layer.waiting() as u64),
            beyond: line.map_or(0, |layer| layer.beyond() as u64),
            open: window.least_open_besides(self.line.as_ref()).map(listed),
            root: window.least_root().map(listed),
            root_in_column: column.is_some_and(|column| window.has_root_in(column)),
            kept: kept.map(listed),
            gone,
            opened: opened.iter().map(listed).collect(),
            pinned: pinned.iter().map(listed).collect(),
            tally: Tally {
                explored: counted.explored,
                edges: counted.edges,
                dead: counted.dead,
                stored: window.stored,
                persistent: states.persistent,
                regress_edges: counted.regress_edges,
                bytes: window.budget.used,
            },
            decided,
        }
    }
}
