//! Counting distinct states after several sweeps.
//!
//! If regress edges leave the window, later sweeps visit states again, and sums over visits count these
//! states twice. One more sweep gives the distinct counts. It starts at the initial states and at all
//! persistent states together:
//!
//! * It visits every reachable state. On a path to a state, take the last edge that left the window
//!   backwards: its target is persistent, and the rest of the path stays within the window.
//! * It visits no state twice. A layer that was dropped is not opened again in the same sweep, and an edge
//!   that leaves the window backwards ends in a persistent state, which is stored.
//!
//! The second point is checked: where the window ends depends on which layers exist, so an edge may leave it
//! now that did not before. Its target then becomes persistent, and counting starts again.

use std::mem;

use super::{OriginStore, Run, Step};
use crate::model::Model;
use crate::observe::Counts;

/// After this many attempts, the counts are left unknown.
const ATTEMPTS: usize = 4;

impl<M: Model> Run<'_, M> {
    /// Counts distinct states, edges and dead states, if that was requested and the numbers of visits differ
    /// from them. A limit reached meanwhile leaves them unknown; every property is decided by then.
    ///
    /// Columns drop their persistent states when they are finished, and reductions expand a state by more
    /// than its bytes: neither is supported.
    pub(super) fn count_distinct(&mut self) {
        let possible = self.progress.columns() == 0 && self.reduction.is_none();
        if !self.options.count || !possible || self.expander.intake.statistics.is_exact() {
            return;
        }
        let origins = mem::replace(&mut self.states.origins, OriginStore::Off);
        let keeper = self.keeper.take();
        // Counting may store further states, which are not part of the result.
        let mut statistics = self.expander.intake.statistics.clone();
        let persistent = self.states.persistent;
        self.expander.intake.counting = true;
        let counts = (0..ATTEMPTS).find_map(|_| self.count_once().transpose());
        self.expander.intake.counting = false;
        self.refresh();
        statistics.peak_states = self.expander.intake.statistics.peak_states;
        statistics.peak_bytes = self.expander.intake.statistics.peak_bytes;
        statistics.counted = counts.and_then(Step::ok);
        self.states.persistent = persistent;
        (self.expander.intake.statistics, self.states.origins, self.keeper) =
            (statistics, origins, keeper);
        self.expander.intake.batch.clear();
    }

    /// One sweep from all known roots; `None` if it found further ones.
    fn count_once(&mut self) -> Step<Option<Counts>> {
        let before = self.expander.intake.statistics.clone();
        self.states.window.rewind();
        self.store_initial()?;
        while let Some(layer) = self.next_layer()? {
            self.expand(layer)?;
        }
        let after = &self.expander.intake.statistics;
        let once = (after.persistent, after.sweeps) == (before.persistent, before.sweeps);
        Ok(once.then(|| Counts {
            states: after.explored - before.explored,
            edges: after.edges - before.edges,
            dead: after.dead - before.dead,
        }))
    }
}
