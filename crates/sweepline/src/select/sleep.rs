//! Sleep sets: actions that need not be fired, for another order of the same actions covers them.

use super::Actions;
use crate::model::{Model, bytes_of, successors_by};

/// The number of an action.
type Number<'a, M> = Box<dyn Fn(&<M as Model>::Action) -> u32 + Send + Sync + 'a>;
/// Two actions are known to be independent.
type Independent<'a> = Box<dyn Fn(u32, u32) -> bool + Send + Sync + 'a>;

/// Leaves out edges that lead where another order of the same actions leads (seed 001, figure 1).
///
/// With every state goes a set of actions that *sleep* there. A state met again with a smaller set is
/// visited again, for the actions that woke up. Where all enabled actions are selected every state is
/// still visited; with a [stubborn](super::Stubborn) set whatever it keeps without delaying
/// ([`Needs::Visible`](super::Needs::Visible) does delay, and is refused).
///
/// Two actions may be exchanged where the model knows that they are
/// [independent](Actions::independent), or, with [`exact`](Sleep::exact), where the successors of the
/// states around show that they commute there: figure 1 to the letter. That finds more, and computes the
/// successors of every successor.
pub struct Sleep<'a, M: Model> {
    number: Number<'a, M>,
    independent: Independent<'a>,
    exact: bool,
}

impl<'a, M: Model> Sleep<'a, M> {
    /// By what the model knows of its actions.
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

    /// By what the successors of states show; `number` tells actions apart.
    pub fn exact(number: impl Fn(&M::Action) -> u32 + Send + Sync + 'a) -> Self {
        Sleep { number: Box::new(number), independent: Box::new(|_, _| false), exact: true }
    }

    /// What the model does not know, the successors of states show.
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

/// The successors of the successors of a state, computed where they are needed.
#[derive(Default)]
pub(crate) struct Lookahead {
    /// For each successor, its own by number of the action and bytes; `None` as long as not asked.
    rows: Vec<Option<Vec<(u32, Vec<u8>)>>>,
}

impl Lookahead {
    /// Nothing is known of another state, which has so many successors.
    pub(crate) fn forget(&mut self, successors: usize) {
        self.rows.clear();
        self.rows.resize_with(successors, || None);
    }

    /// Of the actions that are `covered` those that sleep after successor `taken`.
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

    /// After successor `taken`, which is one by the action `first`, the action `second` leads nowhere
    /// that `second` and then `first` does not; and it is enabled there.
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
            // A state without computable successors is reported when it is expanded.
            let found = successors_by(model, worker, &states[of]).unwrap_or_default();
            found.into_iter().map(|(a, s)| (sleep.number(&a), bytes_of(model, &s))).collect()
        })
    }
}
