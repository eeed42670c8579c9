//! What a check says.

use super::plan::Along;
use super::show::RegressEdge;
use crate::checkpoint::Saved;
use crate::model::Model;
use crate::observe::{Fairness, Statistics};
use crate::verdict::{StopReason, Verdict};

/// A question and its answer.
pub struct Property<M: Model> {
    /// The name it was given.
    pub name: String,
    /// What kind of question it is: `never`, `reach`, `deadlock`, `bound`, …
    pub kind: &'static str,
    /// The answer.
    pub verdict: Verdict<M>,
    /// Least and greatest value, where the question asks for them; of the states explored.
    pub range: Option<(i128, i128)>,
    /// How infinite runs treat a transition, where the question asks for that and it is known.
    pub fairness: Option<Fairness>,
    /// What else was found, in the model's words.
    pub findings: Vec<String>,
}

impl<M: Model> Property<M> {
    /// A question that asks for no numbers.
    pub(super) fn new(
        name: String,
        kind: &'static str,
        verdict: Verdict<M>,
        findings: Vec<String>,
    ) -> Self {
        Property { name, kind, verdict, range: None, fairness: None, findings }
    }
}

/// The answers to all questions of a [`Check`](crate::Check), and the figures of its exploration. Print it, or let
/// [`assert_holds`](Report::assert_holds) do that in a test that fails.
pub struct Report<M: Model> {
    /// In the order they were asked.
    pub properties: Vec<Property<M>>,
    /// The figures.
    pub statistics: Statistics,
    /// Why the exploration ended early; `None` when it is complete.
    pub stop: Option<StopReason>,
    /// What became of its checkpoints, where there were to be some.
    pub saved: Option<Saved>,
    /// What was left out, and which reductions asked for were not used and why.
    pub reductions: Vec<String>,
    /// What the exploration of which these are the figures was swept along: less than the measure where that is
    /// not monotone and a question about components is asked.
    pub along: Along,
    /// The [name](crate::Progress::name) of the measure.
    pub measure: String,
    /// The edge that ended a [strict](crate::Check::strict) check.
    pub regress: Option<RegressEdge<M>>,
}

impl<M: Model> Default for Report<M> {
    fn default() -> Self {
        Report {
            properties: Vec::new(),
            statistics: Statistics::default(),
            stop: None,
            saved: None,
            reductions: Vec::new(),
            along: Along::Measure,
            measure: String::new(),
            regress: None,
        }
    }
}

impl<M: Model> Report<M> {
    /// Some property is violated.
    pub fn is_violated(&self) -> bool {
        self.properties.iter().any(|p| matches!(p.verdict, Verdict::Violated(_)))
    }

    /// The exploration is complete, or it ended because every question was answered.
    fn is_enough(&self) -> bool {
        match self.stop {
            None => true,
            Some(StopReason::Decided) => !self.properties.is_empty(),
            Some(_) => false,
        }
    }

    /// Every property holds, and where none was asked the exploration is complete.
    pub fn holds(&self) -> bool {
        let holds = |p: &Property<M>| matches!(p.verdict, Verdict::Holds(_));
        self.is_enough() && self.properties.iter().all(holds)
    }

    /// Nothing is left to do: every state was explored, or every question is answered.
    pub fn is_finished(&self) -> bool {
        let open = |p: &Property<M>| matches!(p.verdict, Verdict::Unknown(_));
        self.stop.is_none() || self.is_enough() && !self.properties.iter().any(open)
    }

    /// The property called `name`.
    pub fn property(&self, name: &str) -> Option<&Property<M>> {
        self.properties.iter().find(|p| p.name == name)
    }
}
