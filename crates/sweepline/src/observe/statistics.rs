//! The figures of an exploration.

use std::time::Duration;

/// What an exploration did, whole or so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Statistics {
    /// States expanded; more than there are where several sweeps visited some again, or a
    /// cache had replaced them.
    pub explored: u64,
    /// Edges computed from them.
    pub edges: u64,
    /// Dead states among those expanded.
    pub dead: u64,
    /// States held now.
    pub held: u64,
    /// Most states held at a time.
    pub peak_states: u64,
    /// States that an edge reached behind the window and that were kept for it.
    pub persistent: u64,
    /// Sweeps, counting those that columns needed for themselves.
    pub sweeps: u64,
    /// Edges that led to a state of less progress.
    pub regress_edges: u64,
    /// Layers dropped.
    pub layers: u64,
    /// Most bytes the store took at a time.
    pub peak_bytes: u64,
    /// States that a [cache](crate::Options::cache) replaced.
    #[serde(skip)]
    pub replaced: u64,
    /// Most states on the stack of a depth-first search.
    #[serde(skip)]
    pub deepest: u64,
    /// Edges that a [selection](crate::select) or sleep sets left out.
    #[serde(skip)]
    pub skipped: u64,
    /// States visited again because actions that slept there woke up.
    #[serde(skip)]
    pub woken: u64,
    /// Edges that led to a new state of a class remembered by a [cut-off](crate::identity::CutOff).
    #[serde(skip)]
    pub cut: u64,
    /// Classes remembered.
    #[serde(skip)]
    pub classes: u64,
    /// Layers that brought no new class and where nothing was cut off.
    #[serde(skip)]
    pub uncut_layers: u64,
    /// States on which the consistency of an equivalence was tried.
    #[serde(skip)]
    pub tried: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Statistics {
    /// Every state was expanded once only, so counts of states and edges are exact.
    ///
    /// A state can only be visited again after an edge led behind the window, and then its target
    /// became persistent, or after a cache replaced it.
    pub fn is_exact(&self) -> bool {
        self.persistent == 0 && self.replaced == 0
    }

    /// The number of distinct states found so far, where it is known.
    pub fn states(&self) -> Option<u64> {
        self.is_exact().then_some(self.explored)
    }
}
