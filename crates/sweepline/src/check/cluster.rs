//! Explorations by several workers, in this process or in several. `sweepline-timely` makes them.

use super::Check;
use crate::checkpoint::Saved;
use crate::explore::{Options, Paths};
use crate::model::Model;
use crate::observe::{Fork, Observer, Queries, Statistics, WitnessMode};
use crate::progress::Progress;
use crate::reduction::Reduction;
use crate::verdict::StopReason;

/// Several workers that explore together, in this process or in several. Each process makes the same check.
pub trait Cluster<M: Model> {
    /// Explores, shows states to `observers`, and the pulse and the levels to `watcher`.
    fn explore(
        &self,
        task: &Task<'_, M>,
        observers: &Observers<'_, M>,
        watcher: &mut dyn Observer<M>,
    ) -> Explored;
}

/// What a cluster explores.
pub struct Task<'t, M: Model> {
    /// The model.
    pub model: &'t M,
    /// The measure.
    pub progress: &'t dyn Progress<M>,
    /// No reduction: it only has the lifetime that workers need.
    pub reduction: &'t Reduction<'t, M>,
    /// The options.
    pub options: &'t Options,
    pub(super) questions: usize,
}

impl<M: Model> Task<'_, M> {
    /// Whether the facts that observers have gathered decide every property.
    pub fn are_decided(&self, facts: &[Vec<u8>]) -> bool {
        Queries::<M>::are_decided(self.questions, facts)
    }
}

/// Makes the observers of the workers.
pub struct Observers<'t, M: Model>(pub(super) &'t Queries<'t, M>);

impl<'t, M: Model> Observers<'t, M> {
    /// An observer for each of `count` workers. `None` if some property needs to see states in order.
    pub fn each(&self, model: &'t M, count: usize) -> Option<Vec<Fork<'t, M>>> {
        (0..count).map(|_| self.0.fork(model)).collect()
    }
}

/// The result of an exploration by a cluster; the same in each process.
pub struct Explored {
    /// The statistics of all workers together.
    pub statistics: Statistics,
    /// Why it stopped early.
    pub stop: Option<StopReason>,
    /// What happened to its checkpoints.
    pub saved: Option<Saved>,
    /// The facts that the observers of all workers have gathered.
    pub facts: Vec<Vec<u8>>,
    /// Finds paths, unless no origins were recorded.
    pub paths: Option<Box<dyn Paths>>,
    /// What each worker did.
    pub workers: Vec<WorkerShare>,
}

impl Explored {
    /// The result of an exploration that did not begin.
    pub fn refused(stop: StopReason) -> Self {
        Explored {
            statistics: Statistics::default(),
            stop: Some(stop),
            saved: None,
            facts: Vec::new(),
            paths: None,
            workers: Vec::new(),
        }
    }
}

/// What one worker of a cluster did.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct WorkerShare {
    /// The number of its process.
    pub process: usize,
    /// Its number in its process.
    pub worker: usize,
    /// States that it expanded.
    pub explored: u64,
    /// The most states that it stored.
    pub peak_states: u64,
    /// Bytes that it sent to other workers.
    pub sent_bytes: u64,
    /// Seconds that it waited for other workers.
    pub waited: f64,
}

pub(super) const FORMULAS: &str = "a formula of LTL or CTL";

/// The error for something that one process must explore.
pub(super) fn no(what: &str) -> StopReason {
    StopReason::Cluster(format!("{what} is checked by one process only"))
}

impl<'a, M: Model> Check<'a, M> {
    /// Explores with the workers of `cluster`. They decide the properties whose results can be gathered in any
    /// order: not those about components or formulas. Without reductions, [caches](Check::cache) and recomputed
    /// witnesses.
    #[must_use]
    pub fn cluster(mut self, cluster: &'a dyn Cluster<M>) -> Self {
        self.cluster = Some(cluster);
        self
    }

    /// Why a cluster cannot make this exploration.
    pub(super) fn beyond_cluster(
        &self,
        options: &Options,
        reduction: &Reduction<'_, M>,
    ) -> Option<StopReason> {
        self.cluster?;
        let foreign = [
            ("a reduction or an equivalence", !reduction.is_none()),
            ("a depth-first search with a cache", options.cache.is_some()),
            ("garbage collection after a number of states", options.gc.is_some()),
            ("an exploration with states on disk", options.spill.is_some()),
            ("a recomputed witness", options.witness == WitnessMode::Recompute),
        ];
        foreign.iter().find(|(_, given)| *given).map(|(what, _)| no(what))
    }
}
