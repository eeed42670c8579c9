//! `Lts`: a labelled transition system in memory.

use std::collections::BTreeSet;
use std::fmt;

use sweepline::lists::Lists;
use sweepline_source::WordList;

/// A state of one [`Lts`], counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateNo(pub u32);

/// A label of one [`Lts`]: an index into its table of labels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

impl StateNo {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LabelId {
    /// The internal step, which is not visible and not synchronised. In every table.
    pub const TAU: LabelId = LabelId(0);
    /// Successful termination. In every table.
    pub const TICK: LabelId = LabelId(1);

    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is an event: neither [`TAU`](Self::TAU) nor [`TICK`](Self::TICK).
    pub fn is_visible(self) -> bool {
        self > Self::TICK
    }
}

/// An edge of an [`Lts`], without its source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Its label.
    pub label: LabelId,
    /// Its target.
    pub target: StateNo,
}

/// A labelled transition system: states, labels, and edges between them.
///
/// The edges of a state are sorted by label, then by target, so that everything derived from an
/// LTS is the same on every run. Equal edges may occur more than once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    name: String,
    initial: StateNo,
    labels: Vec<String>,
    /// By state.
    edges: Lists<Edge>,
    /// Names of states; empty if they have none.
    state_names: Vec<String>,
}

impl Lts {
    /// Its name: a process, or a file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The initial state.
    pub fn initial(&self) -> StateNo {
        self.initial
    }

    /// The number of states. At least one.
    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.edges.items().len()
    }

    /// The number of labels in the table, used or not. At least two.
    pub fn n_labels(&self) -> usize {
        self.labels.len()
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateNo> + use<> {
        (0..self.n_states() as u32).map(StateNo)
    }

    /// All labels of the table.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = LabelId> + use<> {
        (0..self.labels.len() as u32).map(LabelId)
    }

    /// The text of a label: `τ` and `✓` for the first two.
    pub fn label(&self, label: LabelId) -> &str {
        &self.labels[label.index()]
    }

    /// The edges of a state, sorted.
    #[inline]
    pub fn edges(&self, state: StateNo) -> &[Edge] {
        self.edges.get(state.index())
    }

    /// The edges of a state with `label`.
    pub fn edges_with(&self, state: StateNo, label: LabelId) -> &[Edge] {
        let edges = self.edges(state);
        let from = edges.partition_point(|edge| edge.label < label);
        let len = edges[from..].partition_point(|edge| edge.label == label);
        &edges[from..from + len]
    }

    /// For each label, its edges as pairs of source and target, in the order of the sources.
    pub(crate) fn by_label(&self) -> Lists<(StateNo, StateNo)> {
        let edges = (0..self.n_states() as u32).map(StateNo).flat_map(|state| {
            let labelled = move |edge: &Edge| (edge.label.index(), (state, edge.target));
            self.edges(state).iter().map(labelled)
        });
        Lists::grouped(self.n_labels(), edges)
    }

    /// The states reachable from `states` by edges that count, including themselves.
    pub(crate) fn closure(
        &self,
        mut states: BTreeSet<StateNo>,
        counts: impl Fn(&Edge) -> bool,
    ) -> BTreeSet<StateNo> {
        let mut waiting: Vec<StateNo> = states.iter().copied().collect();
        while let Some(state) = waiting.pop() {
            let edges = self.edges(state).iter().filter(|edge| counts(edge));
            waiting.extend(edges.map(|edge| edge.target).filter(|&next| states.insert(next)));
        }
        states
    }

    /// The name of a state; its number if it has no name.
    pub fn state_name(&self, state: StateNo) -> String {
        match self.state_names.get(state.index()) {
            Some(name) => name.clone(),
            None => state.0.to_string(),
        }
    }

    /// Whether its states have names.
    pub(crate) fn has_state_names(&self) -> bool {
        !self.state_names.is_empty()
    }

    /// States without edges, including unreachable ones.
    pub fn deadlocks(&self) -> impl Iterator<Item = StateNo> + '_ {
        self.states().filter(|&state| self.edges(state).is_empty())
    }

    /// For each label of the table, the number of its edges.
    pub fn label_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.labels.len()];
        self.edges.items().iter().for_each(|edge| counts[edge.label.index()] += 1);
        counts
    }
}

/// Why an LTS is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are named by the messages above them")]
pub enum LtsError {
    /// A state beyond the last one.
    #[error("there is no state {state}: the {n_states} states are 0 to {}", n_states - 1)]
    NoSuchState { state: u32, n_states: u32 },
    /// It has no states, so no initial one.
    #[error("an LTS has at least one state")]
    Empty,
    /// More edges than 32 bits can count.
    #[error("an LTS has at most 4,294,967,295 edges")]
    TooManyEdges,
    /// An edge after successful termination.
    #[error("state {state} is reached by `✓` but has edges; a terminated process has no events")]
    AfterTick { state: u32 },
}

/// Builds an [`Lts`] edge by edge, in any order.
#[derive(Clone, Debug, Default)]
pub struct LtsBuilder {
    name: String,
    labels: WordList,
    edges: Vec<(StateNo, Edge)>,
    state_names: Vec<String>,
}

impl LtsBuilder {
    /// A builder without states, with the labels `τ` and `✓`.
    pub fn new(name: impl Into<String>) -> Self {
        let mut builder = LtsBuilder { name: name.into(), ..LtsBuilder::default() };
        builder.label("τ");
        builder.label("✓");
        builder
    }

    /// The label with this text, which is added if it is new.
    pub fn label(&mut self, name: &str) -> LabelId {
        LabelId(self.labels.intern(name))
    }

    /// Adds an edge.
    pub fn edge(&mut self, source: StateNo, label: LabelId, target: StateNo) {
        debug_assert!(label.index() < self.labels.words().len(), "a label of another table");
        self.edges.push((source, Edge { label, target }));
    }

    /// The number of edges so far.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// Names the next state: the first call names state 0. Name all states or none.
    pub fn name_state(&mut self, name: impl Into<String>) {
        self.state_names.push(name.into());
    }

    /// The LTS with `n_states` states.
    ///
    /// # Errors
    ///
    /// If a state does not exist, or an edge follows termination.
    pub fn build(self, n_states: u32, initial: StateNo) -> Result<Lts, LtsError> {
        if n_states == 0 {
            return Err(LtsError::Empty);
        }
        if u32::try_from(self.edges.len()).is_err() {
            return Err(LtsError::TooManyEdges);
        }
        let exists = |state: StateNo| match state.0 < n_states {
            true => Ok(()),
            false => Err(LtsError::NoSuchState { state: state.0, n_states }),
        };
        exists(initial)?;
        for (source, edge) in &self.edges {
            exists(*source)?;
            exists(edge.target)?;
        }
        let by_source = self.edges.iter().map(|&(source, edge)| (source.index(), edge));
        let mut edges = Lists::grouped(n_states as usize, by_source);
        for state in 0..n_states as usize {
            edges.get_mut(state).sort_unstable();
        }
        let state_names = match self.state_names.len() == n_states as usize {
            true => self.state_names,
            false => Vec::new(),
        };
        let (name, labels) = (self.name, self.labels.into_words());
        let lts = Lts { name, initial, labels, edges, state_names };
        let ends = lts.edges.items().iter().filter(|edge| edge.label == LabelId::TICK);
        match ends.map(|edge| edge.target).find(|&state| !lts.edges(state).is_empty()) {
            Some(state) => Err(LtsError::AfterTick { state: state.0 }),
            None => Ok(lts),
        }
    }
}

impl fmt::Display for Lts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} states, {} edges", self.name, self.n_states(), self.n_edges())
    }
}
