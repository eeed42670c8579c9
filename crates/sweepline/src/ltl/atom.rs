//! The atoms of formulas: conditions on single states and actions of a model.

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
/// Atoms are equal if one is a clone of the other. A formula that uses the same condition twice should clone the atom:
/// each different atom makes the automaton larger.
pub enum Atom<'a, M: Model> {
    /// The state satisfies this.
    State(OfState<'a, M>),
    /// In LTL: an action is taken from the state, and satisfies this. In CTL, which has no next action: such an action
    /// is enabled, as with [`Atom::Enabled`].
    Action(OfAction<'a, M>),
    /// An action that satisfies this is enabled in the state.
    Enabled(OfAction<'a, M>),
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

    /// Its number among `atoms`; a new atom is appended.
    pub(crate) fn numbered(self, atoms: &mut Vec<Self>) -> u32 {
        let known = atoms.iter().position(|atom| *atom == self);
        known.unwrap_or_else(|| {
            atoms.push(self);
            atoms.len() - 1
        }) as u32
    }

    /// The action taken satisfies `condition`; in CTL, such an action is enabled.
    pub fn action(condition: impl Fn(&M, &M::Action) -> bool + Send + Sync + 'a) -> Self {
        Atom::Action(Arc::new(condition))
    }

    /// An action that satisfies `condition` is enabled.
    pub fn enabled(condition: impl Fn(&M, &M::Action) -> bool + Send + Sync + 'a) -> Self {
        Atom::Enabled(Arc::new(condition))
    }

    /// The condition on enabled actions that the atom is in CTL.
    pub(crate) fn on_enabled(&self) -> Option<&OfAction<'a, M>> {
        match self {
            Atom::State(_) => None,
            Atom::Action(condition) | Atom::Enabled(condition) => Some(condition),
        }
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

/// The formula that holds when an action that satisfies `condition` is enabled in the first state.
///
/// ```
/// use sweepline::{Check, System, ltl};
///
/// /// Counts to three, or stops earlier.
/// struct Count;
///
/// impl System for Count {
///     type State = (u8, bool);
///     type Action = &'static str;
///     fn initial(&self) -> Vec<Self::State> {
///         vec![(0, false)]
///     }
///     fn successors(&self, &(n, stopped): &Self::State, push: &mut dyn FnMut(&'static str, Self::State)) {
///         if n < 3 && !stopped {
///             push("count", (n + 1, false));
///             push("stop", (n, true));
///         }
///     }
/// }
///
/// // `stop` is enabled at first, and need not be taken.
/// let report = Check::new(&Count)
///     .ltl("enabled", ltl::enabled(|action| *action == "stop"))
///     .ltl("taken", ltl::action(|action| *action == "stop").eventually())
///     .run();
/// let words: Vec<&str> = report.properties.iter().map(|p| p.verdict.word()).collect();
/// assert_eq!(words, ["holds", "violated"]);
/// ```
pub fn enabled<'a, M: Model>(
    condition: impl Fn(&M::Action) -> bool + Send + Sync + 'a,
) -> Formula<Atom<'a, M>> {
    Formula::Atom(Atom::enabled(move |_: &M, action| condition(action)))
}

impl<M: Model> Clone for Atom<'_, M> {
    fn clone(&self) -> Self {
        match self {
            Atom::State(condition) => Atom::State(condition.clone()),
            Atom::Action(condition) => Atom::Action(condition.clone()),
            Atom::Enabled(condition) => Atom::Enabled(condition.clone()),
        }
    }
}

/// The same atom, not another one with the same meaning.
impl<M: Model> PartialEq for Atom<'_, M> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Atom::State(a), Atom::State(b)) => Arc::ptr_eq(a, b),
            (Atom::Action(a), Atom::Action(b)) => Arc::ptr_eq(a, b),
            (Atom::Enabled(a), Atom::Enabled(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl<M: Model> fmt::Debug for Atom<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Atom::State(_) => "state",
            Atom::Action(_) => "action",
            Atom::Enabled(_) => "enabled",
        })
    }
}

/// Fairness assumptions: a formula is checked on fair runs only.
///
/// Weak fairness to a set of actions: it is infinitely often disabled or taken. Strong fairness: if it is enabled
/// infinitely often, it is taken infinitely often.
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
    /// There is no assumption: every run is fair.
    pub fn is_empty(&self) -> bool {
        self.weak.is_empty() && self.strong.is_empty()
    }

    /// Both assumptions.
    pub(crate) fn and(&self, mut other: Self) -> Self {
        other.weak.splice(0..0, self.weak.iter().cloned());
        other.strong.splice(0..0, self.strong.iter().cloned());
        other
    }

    /// Assumes weak fairness to the actions that satisfy `set`.
    pub fn add_weak(&mut self, set: impl Fn(&M, &M::Action) -> bool + Send + Sync + 'a) {
        self.weak.push(Arc::new(set));
    }

    /// Assumes strong fairness to the actions that satisfy `set`.
    pub fn add_strong(&mut self, set: impl Fn(&M, &M::Action) -> bool + Send + Sync + 'a) {
        self.strong.push(Arc::new(set));
    }
}
