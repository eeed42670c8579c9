//! The statistics of an exploration.

use std::time::Duration;

/// The numbers of distinct states, edges and dead states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States.
    pub states: u64,
    /// Edges.
    pub edges: u64,
    /// States without successors.
    pub dead: u64,
}

/// The statistics of an exploration, complete or so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Statistics {
    /// States expanded. More than the distinct states if several sweeps visited some again, or a cache had
    /// replaced them.
    pub explored: u64,
    /// Edges computed, counted at each visit.
    pub edges: u64,
    /// Dead states, counted at each visit.
    pub dead: u64,
    /// States stored now.
    pub stored: u64,
    /// Peak stored states.
    pub peak_states: u64,
    /// Persistent states: targets of regress edges that left the window.
    pub persistent: u64,
    /// Sweeps, including the additional sweeps of columns.
    pub sweeps: u64,
    /// Regress edges.
    pub regress_edges: u64,
    /// Layers dropped.
    pub layers: u64,
    /// Peak bytes of the store.
    pub peak_bytes: u64,
    /// Distinct states, edges and dead states, if they were [counted](crate::Options::count).
    #[serde(skip)]
    pub counted: Option<Counts>,
    /// Bytes written to the [folder for states](crate::Options::spill).
    #[serde(skip)]
    pub spilled_bytes: u64,
    /// The most bytes that were in this folder at a time.
    #[serde(skip)]
    pub disk_peak_bytes: u64,
    /// States that a [cache](crate::Options::cache) replaced.
    #[serde(skip)]
    pub replaced: u64,
    /// Maximal number of states on the stack of a depth-first search.
    #[serde(skip)]
    pub deepest: u64,
    /// Edges that a [selection](crate::select) or sleep sets left out.
    #[serde(skip)]
    pub skipped: u64,
    /// States visited again because sleeping actions woke up.
    #[serde(skip)]
    pub woken: u64,
    /// Edges that led to a new state of a class remembered by a [cut-off](crate::identity::CutOff).
    #[serde(skip)]
    pub cut: u64,
    /// Remembered classes.
    #[serde(skip)]
    pub classes: u64,
    /// Layers that added no new class and in which nothing was cut off.
    #[serde(skip)]
    pub uncut_layers: u64,
    /// States on which the consistency of an equivalence was checked.
    #[serde(skip)]
    pub tried: u64,
    /// Properties decided so far. It is set only during a [pulse](crate::Observer::pulse): when the clock ticks must not
    /// change the results.
    #[serde(skip)]
    pub decided: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Statistics {
    /// Whether every state was expanded only once, so that the sums over visits count distinct states and
    /// edges.
    ///
    /// A state can only be visited again in a later sweep, or after a cache replaced it. A later sweep
    /// begins at persistent states, or at states of the anchor whose sleeping actions woke up.
    pub fn is_exact(&self) -> bool {
        self.persistent == 0 && self.sweeps <= 1 && self.replaced == 0
    }

    /// The numbers of distinct states, edges and dead states found so far, if they are known.
    pub fn counts(&self) -> Option<Counts> {
        let visits = Counts { states: self.explored, edges: self.edges, dead: self.dead };
        self.counted.or(self.is_exact().then_some(visits))
    }

    /// The number of distinct states found so far, if it is known.
    pub fn states(&self) -> Option<u64> {
        self.counts().map(|counts| counts.states)
    }
}
