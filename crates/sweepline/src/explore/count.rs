//! Counting distinct states after several sweeps.
//!
//! Where regress edges left the window, later sweeps visit states again, and sums over visits count such
//! states twice. One more sweep gives the distinct counts. It begins at the initial states and at all
//! persistent states together:
//!
//! * It visits every reachable state. On a path to a state, take the last edge that left the window
//!   backwards: its target is persistent, and the rest of the path stays within the window.
//! * It visits none twice. A layer that was dropped is not opened again in the same sweep, and an edge that
//!   leaves the window backwards ends in a persistent state, which is stored.
//!
//! The second point is checked: which layers exist decides where the window ends, so an edge may leave
//! it now that did not before. Its target is then persistent as well, and counting starts again.

use std::mem;

use super::{OriginStore, Run, Step};
use crate::model::Model;
use crate::observe::Counts;

/// So often counting starts again before the counts are given up.
const ATTEMPTS: usize = 4;

impl<M: Model> Run<'_, M> {
    /// Counts distinct states, edges and dead states, where that was asked for and visits do not tell. A
    /// limit reached meanwhile leaves them unknown; every question has its answer by now.
    ///
    /// Columns drop their persistent states when they are done, and reductions expand a state by more than
    /// its bytes: neither is counted.
    pub(super) fn count_distinct(&mut self) {
        let possible = self.intake.progress.columns() == 0 && self.reduction.is_none();
        if !self.options.count || !possible || self.intake.statistics.is_exact() {
            return;
        }
        let origins = mem::replace(&mut self.intake.origins, OriginStore::Off);
        let keeper = self.keeper.take();
        let mut statistics = self.intake.statistics.clone();
        self.intake.counting = true;
        let counts = (0..ATTEMPTS).find_map(|_| self.count_once().transpose());
        self.intake.counting = false;
        self.intake.refresh();
        statistics.peak_states = self.intake.statistics.peak_states;
        statistics.peak_bytes = self.intake.statistics.peak_bytes;
        statistics.counted = counts.and_then(Step::ok);
        (self.intake.statistics, self.intake.origins, self.keeper) = (statistics, origins, keeper);
        self.intake.batch.clear();
    }

    /// One sweep from all that is known to be a root; `None` if it found that there are more.
    fn count_once(&mut self) -> Step<Option<Counts>> {
        let before = self.intake.statistics.clone();
        self.intake.window.rewind();
        self.store_initial()?;
        while let Some(layer) = self.next_layer()? {
            self.expand(layer)?;
        }
        let after = &self.intake.statistics;
        let once = (after.persistent, after.sweeps) == (before.persistent, before.sweeps);
        Ok(once.then(|| Counts {
            states: after.explored - before.explored,
            edges: after.edges - before.edges,
            dead: after.dead - before.dead,
        }))
    }
}
