//! What formulas say of single states and actions of a model.

use std::fmt;
use std::sync::Arc;

use super::formula::Formula;
use crate::model::{Evaluate, Model};

/// A condition on states.
type OfState<'a, M> = Arc<dyn Evaluate<M, bool> + 'a>;
/// A condition on actions.
pub(crate) type OfAction<'a, M> = Arc<dyn Fn(&M, &<M as Model>::Action) -> bool + Send + Sync + 'a>;

/// A condition on a letter of a run: on the state, or on the action taken from it.
///
/// A clone is the same atom, so a formula that says a thing twice should clone it.
pub enum Atom<'a, M: Model> {
    /// The state satisfies this.
    State(OfState<'a, M>),
    /// An action is taken from the state, and satisfies this.
    Action(OfAction<'a, M>),
}

impl<'a, M: Model> Atom<'a, M> {
    /// A condition on states.
    pub fn state(condition: impl Fn(&M, &M::State) -> bool + Send + Sync + 'a) -> Self {
        Atom::evaluated(move |model, _, state| Ok(condition(model, state)))
    }

    /// A condition on states that needs a worker, or may fail.
    pub fn evaluated(condition: impl Evaluate<M, bool> + 'a) -> Self {
        Atom::State(Arc::new(condition))
    }

    /// Its number among `atoms`, to which it is added where it is not there.
    pub(crate) fn numbered(self, atoms: &mut Vec<Self>) -> u32 {
        let known = atoms.iter().position(|atom| *atom == self);
        known.unwrap_or_else(|| {
            atoms.push(self);
            atoms.len() - 1
        }) as u32
    }

    /// A condition on actions.
    pub fn action(condition: impl Fn(&M, &M::Action) -> bool + Send + Sync + 'a) -> Self {
        Atom::Action(Arc::new(condition))
    }
}

/// The formula that holds when the first state satisfies `condition`.
pub fn state<'a, M: Model>(
    condition: impl Fn(&M::State) -> bool + Send + Sync + 'a,
) -> Formula<Atom<'a, M>> {
    Formula::Atom(Atom::state(move |_: &M, state: &M::State| condition(state)))
}

/// The formula that holds when the first action satisfies `condition`.
pub fn action<'a, M: Model>(
    condition: impl Fn(&M::Action) -> bool + Send + Sync + 'a,
) -> Formula<Atom<'a, M>> {
    Formula::Atom(Atom::action(move |_: &M, action| condition(action)))
}

impl<M: Model> Clone for Atom<'_, M> {
    fn clone(&self) -> Self {
        match self {
            Atom::State(condition) => Atom::State(condition.clone()),
            Atom::Action(condition) => Atom::Action(condition.clone()),
        }
    }
}

/// The same atom, not another one with the same meaning.
impl<M: Model> PartialEq for Atom<'_, M> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Atom::State(a), Atom::State(b)) => Arc::ptr_eq(a, b),
            (Atom::Action(a), Atom::Action(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl<M: Model> fmt::Debug for Atom<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Atom::State(_) => "state",
            Atom::Action(_) => "action",
        })
    }
}

/// Sets of actions that must not be neglected.
///
/// A run on which a set is neglected is not considered: weak fairness asks that the set is infinitely
/// often disabled or taken, strong fairness that it is taken infinitely often if it is enabled
/// infinitely often.
pub struct Fairness<'a, M: Model> {
    pub(crate) weak: Vec<OfAction<'a, M>>,
    pub(crate) strong: Vec<OfAction<'a, M>>,
}

impl<M: Model> Default for Fairness<'_, M> {
    fn default() -> Self {
        Fairness { weak: Vec::new(), strong: Vec::new() }
    }
}

impl<M: Model> Clone for Fairness<'_, M> {
    fn clone(&self) -> Self {
        Fairness { weak: self.weak.clone(), strong: self.strong.clone() }
    }
}

impl<'a, M: Model> Fairness<'a, M> {
    /// Nothing is assumed.
    pub fn is_empty(&self) -> bool {
        self.weak.is_empty() && self.strong.is_empty()
    }

    /// This and something else.
    pub(crate) fn and(&self, mut other: Self) -> Self {
        other.weak.splice(0..0, self.weak.iter().cloned());
        other.strong.splice(0..0, self.strong.iter().cloned());
        other
    }

    /// The actions that satisfy `set` are weakly fair.
    pub fn add_weak(&mut self, set: impl Fn(&M, &M::Action) -> bool + Send + Sync + 'a) {
        self.weak.push(Arc::new(set));
    }

    /// The actions that satisfy `set` are strongly fair.
    pub fn add_strong(&mut self, set: impl Fn(&M, &M::Action) -> bool + Send + Sync + 'a) {
        self.strong.push(Arc::new(set));
    }
}
