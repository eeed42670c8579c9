//! The hunt of a check: which properties are hunted, and what is known of each.

use super::{Check, Options};
use crate::hunt::{Distance, Hunt, Hunter, Target};
use crate::identity::Identity;
use crate::model::Model;
use crate::observe::{Queries, Query};
use crate::reduction::Reduction;
use crate::select::{Actions, Needs, Selection, Stubborn};

/// Makes the stubborn sets for what a property needs.
type Select<'a, M> = Box<dyn Fn(Needs<M>) -> Option<Box<dyn Selection<M> + 'a>> + 'a>;

/// How a check hunts.
pub(super) struct Hunting<'a, M: Model> {
    hunt: Option<Hunt>,
    select: Option<Select<'a, M>>,
    /// The distances of queries, by number.
    distances: Vec<(usize, Distance<'a, M>)>,
    /// What each query needs of a reduced exploration.
    needs: Vec<Needs<M>>,
}

impl<M: Model> Default for Hunting<'_, M> {
    fn default() -> Self {
        Hunting { hunt: None, select: None, distances: Vec::new(), needs: Vec::new() }
    }
}

impl<'a, M: Model> Hunting<'a, M> {
    pub(super) fn is_only(&self) -> bool {
        self.hunt.is_some_and(|hunt| hunt.is_only())
    }

    /// Takes note of what the queries need.
    pub(super) fn note(&mut self, needs: &[Needs<M>]) {
        if self.hunt.is_some() {
            self.needs = needs.to_vec();
        }
    }
}

impl<'a, M: Model> Check<'a, M> {
    /// Hunts for states that decide properties, beside the exploration: a violated property is then often decided long
    /// before the exploration comes to such a state. A hunt can only find states. Its counterexamples are longer, and
    /// are shortened.
    ///
    /// There is no hunt along a progress measure, and none with a cluster, a cache or an equivalence.
    ///
    /// ```
    /// use sweepline::{Check, Hunt, System};
    ///
    /// /// Twelve counters; each goes up to nine.
    /// struct Counters;
    ///
    /// impl System for Counters {
    ///     type State = [u8; 12];
    ///     type Action = usize;
    ///     fn initial(&self) -> Vec<[u8; 12]> {
    ///         vec![[0; 12]]
    ///     }
    ///     fn successors(&self, counters: &[u8; 12], push: &mut dyn FnMut(usize, [u8; 12])) {
    ///         for i in 0..12 {
    ///             let mut next = *counters;
    ///             next[i] += 1;
    ///             if next[i] < 10 {
    ///                 push(i, next);
    ///             }
    ///         }
    ///     }
    /// }
    ///
    /// // There are 10^12 states, and the last one is the only deadlock.
    /// let report = Check::new(&Counters).deadlock().hunt(Hunt::new()).run();
    /// assert!(report.is_violated());
    /// ```
    #[must_use]
    pub fn hunt(mut self, hunt: Hunt) -> Self {
        self.hunting.hunt = Some(hunt);
        self
    }

    /// Lets the hunt use stubborn sets.
    #[must_use]
    pub fn hunt_stubborn(mut self) -> Self
    where
        M: Actions,
    {
        let model = self.model;
        self.hunting.select = Some(Box::new(move |needs| {
            let stubborn = Stubborn::new(model, [needs])?;
            Some(Box::new(stubborn) as Box<dyn Selection<M> + 'a>)
        }));
        self
    }

    /// Declares how far a state is from one that decides the property added last, for the hunt.
    #[must_use]
    pub fn nearing(mut self, distance: Distance<'a, M>) -> Self {
        if let Some(last) = self.names.len().checked_sub(1) {
            self.hunting.distances.push((last, distance));
        }
        self
    }

    /// The hunter of a check, if it hunts.
    pub(super) fn hunter(
        &mut self,
        options: &Options,
        reduction: &Reduction<'_, M>,
        queries: &Queries<'a, M>,
    ) -> Option<Hunter<'a, M>> {
        let hunt = self.hunting.hunt?;
        let is_exact = matches!(reduction.identity, Identity::Exact);
        // A sweep is chosen for its memory, and a hunt takes some megabytes.
        let sweeps = !self.progress.is_trivial() && !hunt.hunts_always();
        if !is_exact || sweeps || options.cache.is_some() || self.cluster.is_some() {
            return None;
        }
        let numbered = queries.iter().enumerate().zip(&self.hunting.needs);
        let targets =
            numbered.filter(|((_, query), _)| is_hunted(*query)).map(|((n, _), needs)| {
                let is_end = matches!(needs, Needs::Ends);
                let select = self.hunting.select.as_ref();
                let select = select.filter(|_| is_end || matches!(needs, Needs::Goal(_)));
                let selection = select.and_then(|select| select(needs.clone()));
                let mut known = self.hunting.distances.iter();
                let distance = known.find(|(query, _)| *query == n).map(|(_, d)| d.clone());
                Target { query: n, selection, distance, is_end }
            });
        let targets: Vec<Target<'a, M>> = targets.collect();
        let is_needed = !targets.is_empty() || hunt.is_only();
        is_needed.then(|| Hunter::new(self.model, targets, hunt, options))
    }
}

/// Whether a single state may decide a query.
fn is_hunted<M: Model>(query: &dyn Query<M>) -> bool {
    query.has_witness() && !query.watches_arcs() && !query.watches_components()
}
