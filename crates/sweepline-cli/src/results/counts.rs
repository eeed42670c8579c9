//! What a cache and reductions did.

use serde::Serialize;
use sweepline::Statistics;

/// A cache, as it was asked for.
#[derive(Serialize, Clone, Copy, Debug)]
pub(crate) struct CacheSummary {
    /// Its size in states.
    #[serde(rename = "cache")]
    pub(crate) states: u64,
    /// The replacement policy.
    #[serde(rename = "cache_policy")]
    pub(crate) policy: &'static str,
}

/// What became of it.
#[derive(Serialize, Clone, Copy, Debug)]
pub(crate) struct CacheFigures {
    #[serde(flatten)]
    pub(crate) asked: CacheSummary,
    /// States that were replaced.
    pub(super) replaced: u64,
    /// Most states on the stack.
    pub(super) deepest: u64,
}

impl CacheFigures {
    /// The figures of a run.
    pub(crate) fn new(asked: CacheSummary, statistics: &Statistics) -> Self {
        CacheFigures { asked, replaced: statistics.replaced, deepest: statistics.deepest }
    }
}

/// What reductions did.
#[derive(Serialize, Clone, Copy, Debug)]
pub(crate) struct ReductionFigures {
    /// Edges left out.
    pub(crate) skipped_edges: u64,
    /// States visited again for actions that woke up.
    pub(crate) woken: u64,
}

impl ReductionFigures {
    /// The figures of a run.
    pub(crate) fn new(statistics: &Statistics) -> Self {
        ReductionFigures { skipped_edges: statistics.skipped, woken: statistics.woken }
    }
}
