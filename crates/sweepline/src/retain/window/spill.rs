//! Layers of the window whose states are kept elsewhere.

use super::{LayerId, LayerStatus, Window};
use crate::progress::Value;

impl Window {
    /// The open layers whose states may be kept elsewhere while the line is at `line`, the furthest ahead first.
    pub(crate) fn movable<'w>(&'w self, line: &'w Value) -> impl Iterator<Item = LayerId> + 'w {
        let ahead = self.open.iter().rev().map(|(_, &id)| id);
        ahead.filter(move |&id| self.may_move(id, line))
    }

    /// Whether the states of the layer `id` may be kept elsewhere.
    ///
    /// Persistent states are looked up at any time, and stay in memory. The origins of states in other columns may
    /// refer to states whose numbers another sweep of this column gives to other states.
    pub(crate) fn may_move(&self, id: LayerId, line: &Value) -> bool {
        let layer = self.layer(id);
        let start = self.beginning.as_ref().filter(|_| self.anchor > 0);
        layer.place == LayerStatus::Open
            && layer.kept() == 0
            && layer.len() > 0
            && !layer.pinned
            && layer.value.same_column(line, self.columns)
            && start.is_none_or(|start| start.distance(&layer.value) >= self.anchor)
    }

    /// Whether all states of the layer `id` are expanded, and it is still in the window.
    pub(crate) fn is_passed(&self, id: LayerId) -> bool {
        self.layer(id).place == LayerStatus::Passed
    }

    /// Frees the states of the layer `id`, which are kept elsewhere from now on.
    pub(crate) fn vacate(&mut self, id: LayerId) {
        self.layers[id.0 as usize].vacate(&mut self.budget);
    }
}
