//! Sleep sets: actions that need not be explored, because another order of the same actions covers them.

use super::Actions;
use crate::model::{Model, bytes_of, successors_by};

/// The number of an action.
type Number<'a, M> = Box<dyn Fn(&<M as Model>::Action) -> u32 + Send + Sync + 'a>;
/// Whether two actions are known to be independent.
type Independent<'a> = Box<dyn Fn(u32, u32) -> bool + Send + Sync + 'a>;

/// Leaves out edges that lead to a state that another order of the same actions reaches (seed 001, figure 1).
///
/// Every state has a set of actions that *sleep* there. A state that is found again with a smaller set is
/// visited again, for the actions that woke up. If all enabled actions are selected, every state is still
/// visited. With a [stubborn](super::Stubborn) set, everything that it preserves is still preserved, unless
/// it delays actions ([`Needs::Visible`](super::Needs::Visible) does, and cannot be combined with sleep
/// sets).
///
/// Two actions may be exchanged if the model knows that they are [independent](Actions::independent), or,
/// with [`exact`](Sleep::exact), if the successors of the states involved show that they commute there,
/// exactly as in figure 1. That finds more pairs, and computes the successors of every successor.
pub struct Sleep<'a, M: Model> {
    number: Number<'a, M>,
    independent: Independent<'a>,
    exact: bool,
}

impl<'a, M: Model> Sleep<'a, M> {
    /// Uses the independence that the model declares.
    pub fn of(model: &'a M) -> Self
    where
        M: Actions,
    {
        Sleep {
            number: Box::new(|action| model.action_number(action)),
            independent: Box::new(|a, b| model.independent(a, b)),
            exact: false,
        }
    }

    /// Finds independence by computing successors; `number` identifies actions.
    pub fn exact(number: impl Fn(&M::Action) -> u32 + Send + Sync + 'a) -> Self {
        Sleep { number: Box::new(number), independent: Box::new(|_, _| false), exact: true }
    }

    /// Uses the successors of states for pairs that the model does not know to be independent.
    #[must_use]
    pub fn or_exact(mut self) -> Self {
        self.exact = true;
        self
    }

    /// The number of `action`.
    pub(crate) fn number(&self, action: &M::Action) -> u32 {
        (self.number)(action)
    }
}

/// The successors of the successors of a state, computed on demand.
#[derive(Default)]
pub(crate) struct Lookahead {
    /// For each successor, its successors by number of the action and bytes; `None` until they are computed.
    rows: Vec<Option<Vec<(u32, Vec<u8>)>>>,
}

impl Lookahead {
    /// Resets the data for another state, which has `successors` successors.
    pub(crate) fn reset(&mut self, successors: usize) {
        self.rows.clear();
        self.rows.resize_with(successors, || None);
    }

    /// The `covered` actions that sleep after successor `taken`.
    pub(crate) fn sleeping<M: Model>(
        &mut self,
        (model, worker): (&M, &mut M::Worker),
        sleep: &Sleep<'_, M>,
        around: (&[u32], &[M::State]),
        taken: usize,
        covered: impl Iterator<Item = u32>,
        into: &mut Vec<u32>,
    ) {
        for other in covered {
            if self.exchanges((model, worker), sleep, around, taken, other) {
                into.push(other);
            }
        }
    }

    /// Whether the action `second` is enabled after successor `taken`, which is one by the action `first`,
    /// and every state that it reaches from there is also reached by `second` and then `first`.
    ///
    /// `numbers` and `states` are all successors of the state.
    fn exchanges<M: Model>(
        &mut self,
        (model, worker): (&M, &mut M::Worker),
        sleep: &Sleep<'_, M>,
        (numbers, states): (&[u32], &[M::State]),
        taken: usize,
        second: u32,
    ) -> bool {
        let first = numbers[taken];
        if (sleep.independent)(first, second) {
            return true;
        }
        if !sleep.exact {
            return false;
        }
        let here = self.row((model, worker), sleep, states, taken).clone();
        let mut enabled = false;
        for (_, there) in here.iter().filter(|(number, _)| *number == second) {
            enabled = true;
            let mut others = (0..numbers.len()).filter(|&i| numbers[i] == second);
            let other_way = others.any(|other| {
                let row = self.row((model, worker), sleep, states, other);
                row.iter().any(|(number, state)| *number == first && state == there)
            });
            if !other_way {
                return false;
            }
        }
        enabled
    }

    fn row<M: Model>(
        &mut self,
        (model, worker): (&M, &mut M::Worker),
        sleep: &Sleep<'_, M>,
        states: &[M::State],
        of: usize,
    ) -> &Vec<(u32, Vec<u8>)> {
        self.rows[of].get_or_insert_with(|| {
            // If its successors cannot be computed, that is reported when the state is expanded.
            let found = successors_by(model, worker, &states[of]).unwrap_or_default();
            found.into_iter().map(|(a, s)| (sleep.number(&a), bytes_of(model, &s))).collect()
        })
    }
}
