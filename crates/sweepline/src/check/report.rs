//! The report of a check.

use super::cluster::WorkerShare;
use super::decided::Decision;
use super::plan::Along;
use super::shorten::Shortest;
use super::show::RegressEdge;
use crate::checkpoint::Saved;
use crate::hunt::Hunted;
use crate::model::Model;
use crate::observe::{Fairness, Statistics};
use crate::verdict::{StopReason, Verdict};

/// A property and its verdict.
pub struct Property<M: Model> {
    /// Its name.
    pub name: String,
    /// Its kind: `never`, `reach`, `deadlock`, `bound`, …
    pub kind: &'static str,
    /// Its verdict.
    pub verdict: Verdict<M>,
    /// Least and greatest value over the explored states, for a property of kind `bound`.
    pub range: Option<(i128, i128)>,
    /// The fairness of infinite paths to a transition, if the property asks for it and it is known.
    pub fairness: Option<Fairness>,
    /// Further results, in the terms of the model.
    pub findings: Vec<String>,
    /// For a verdict that a [hunt](super::Check::hunt) found: by which search.
    pub found_by: Option<String>,
    /// How many steps its path had before it was shortened.
    pub shortened_from: Option<usize>,
    /// What is known of the length of its path: see [`Check::shortest`](super::Check::shortest).
    pub shortest: Option<Shortest>,
    /// What decided it, if no exploration did.
    pub decision: Option<Decision>,
}

impl<M: Model> Property<M> {
    /// A property without numbers.
    pub(super) fn new(
        name: String,
        kind: &'static str,
        verdict: Verdict<M>,
        findings: Vec<String>,
    ) -> Self {
        Property {
            name,
            kind,
            verdict,
            range: None,
            fairness: None,
            findings,
            found_by: None,
            shortened_from: None,
            shortest: None,
            decision: None,
        }
    }
}

/// The verdicts on all properties of a [`Check`](crate::Check), and the statistics of its exploration. Print
/// it, or call [`assert_holds`](Report::assert_holds) in a test.
pub struct Report<M: Model> {
    /// In the order in which they were added.
    pub properties: Vec<Property<M>>,
    /// The statistics.
    pub statistics: Statistics,
    /// Why the exploration ended early; `None` if it is complete.
    pub stop: Option<StopReason>,
    /// What happened to its checkpoints, if it was to write some.
    pub saved: Option<Saved>,
    /// The reductions used, and those that were requested but disabled, with the reason.
    pub reductions: Vec<String>,
    /// Why one thread explored, although more were allowed; `None` if they could be used.
    pub one_thread: Option<&'static str>,
    /// What each worker of a [cluster](super::Cluster) did; empty without one.
    pub workers: Vec<WorkerShare>,
    /// What the [hunt](super::Check::hunt) did, if there was one.
    pub hunted: Option<Hunted>,
    /// The measure of the exploration that the statistics are about. It is not the given one if that is not
    /// monotone and a property about components is checked.
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
            one_thread: None,
            workers: Vec::new(),
            hunted: None,
            along: Along::Measure,
            measure: String::new(),
            regress: None,
        }
    }
}

impl<M: Model> Report<M> {
    /// Whether some property is violated.
    pub fn is_violated(&self) -> bool {
        self.properties.iter().any(|p| matches!(p.verdict, Verdict::Violated(_)))
    }

    /// Whether the exploration is complete, or ended because every property was decided.
    fn is_enough(&self) -> bool {
        match self.stop {
            None => true,
            Some(StopReason::Decided) => !self.properties.is_empty(),
            Some(_) => false,
        }
    }

    /// Whether every property holds. Without properties: whether the exploration is complete.
    pub fn holds(&self) -> bool {
        let holds = |p: &Property<M>| matches!(p.verdict, Verdict::Holds(_));
        self.is_enough() && self.properties.iter().all(holds)
    }

    /// Whether every state was explored or every property is decided.
    pub fn is_finished(&self) -> bool {
        let open = |p: &Property<M>| matches!(p.verdict, Verdict::Unknown(_));
        self.stop.is_none() || self.is_enough() && !self.properties.iter().any(open)
    }

    /// The property called `name`.
    pub fn property(&self, name: &str) -> Option<&Property<M>> {
        self.properties.iter().find(|p| p.name == name)
    }
}
