//! The layer of one of several workers: how much of it waits, and its states in a checkpoint of all workers.

use super::{Layer, LayerStatus};

/// What is known of a stored state in a checkpoint. The states of a layer are saved and restored in this
/// order, so that persistent and expanded states come first wherever they are restored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Class {
    /// Persistent and expanded.
    Both,
    /// Persistent only.
    Kept,
    /// Expanded only.
    Expanded,
    /// Neither.
    Waiting,
}

impl Layer {
    /// Number of waiting states that do not belong to the level being expanded.
    pub(crate) fn beyond(&self) -> usize {
        self.len() - self.level.max(self.expanded)
    }

    /// Calls `show` for the states of one class.
    pub(crate) fn each_of(&self, class: Class, show: &mut dyn FnMut(&[u8])) {
        let (kept, expanded) = (self.kept, self.expanded);
        let range = match class {
            Class::Both => 0..kept.min(expanded),
            Class::Kept => expanded.min(kept)..kept,
            Class::Expanded => kept.min(expanded)..expanded,
            Class::Waiting => kept.max(expanded)..self.len(),
        };
        self.arena.records().skip(range.start).take(range.len()).for_each(show);
    }

    /// Completes a layer whose states were stored in the order of their classes: `kept` persistent and
    /// `expanded` expanded ones. No level is being expanded.
    pub(crate) fn complete(
        &mut self,
        place: LayerStatus,
        pinned: bool,
        kept: usize,
        expanded: usize,
    ) {
        (self.kept, self.expanded, self.level) = (kept, expanded, expanded);
        (self.next, self.kept_end) = (self.handle(expanded), self.handle(kept));
        (self.place, self.pinned) = (place, pinned);
    }
}
