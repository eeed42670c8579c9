//! Reductions: which part of the state space a run may leave out.

use crate::identity::{CutOff, Identity, Representative};
use crate::model::Model;
use crate::select::{Selection, Sleep};

/// A choice on the axes of [selection](crate::select) and [identity](crate::identity). The default fires
/// every enabled action, and no two states are equivalent.
pub struct Reduction<'a, M: Model> {
    /// Which enabled actions are fired.
    pub selection: Option<Box<dyn Selection<M> + 'a>>,
    /// Which of those are covered by another order of actions.
    pub sleep: Option<Sleep<'a, M>>,
    /// Which states are equivalent.
    pub identity: Identity<'a, M>,
    /// The names of the properties, for messages.
    pub(crate) questions: Vec<String>,
}

impl<M: Model> Default for Reduction<'_, M> {
    fn default() -> Self {
        Reduction { selection: None, sleep: None, identity: Identity::Exact, questions: Vec::new() }
    }
}

impl<'a, M: Model> Reduction<'a, M> {
    /// Fires only the actions that `selection` chooses.
    #[must_use]
    pub fn select(mut self, selection: impl Selection<M> + 'a) -> Self {
        self.selection = Some(Box::new(selection));
        self
    }

    /// Leaves out edges that another order of actions covers.
    #[must_use]
    pub fn sleep(mut self, sleep: Sleep<'a, M>) -> Self {
        self.sleep = Some(sleep);
        self
    }

    /// Explores representatives only.
    #[must_use]
    pub fn represent(mut self, rule: impl Representative<M> + 'a) -> Self {
        self.identity = Identity::Representative(Box::new(rule));
        self
    }

    /// Does not expand states of remembered classes.
    #[must_use]
    pub fn cut_off(mut self, rule: CutOff<'a, M>) -> Self {
        self.identity = Identity::CutOff(rule);
        self
    }

    /// Whether nothing is left out.
    pub fn is_none(&self) -> bool {
        self.selection.is_none() && self.sleep.is_none() && matches!(self.identity, Identity::Exact)
    }

    /// Why only one thread can explore under this reduction, or `None` if several can: what it leaves out
    /// depends on the states expanded before.
    pub(crate) fn one_thread(&self) -> Option<&'static str> {
        match &self.identity {
            _ if self.sleep.is_some() => Some("sleep sets need one thread"),
            Identity::CutOff(_) => Some("cut-offs need one thread"),
            Identity::Representative(rule) if !rule.is_proven() => {
                Some("checking the equivalence needs one thread")
            }
            Identity::Representative(_) | Identity::Exact => None,
        }
    }

    /// Why these choices cannot be combined, or `None` if they can.
    pub(crate) fn conflict(&self) -> Option<&'static str> {
        let delays = self.selection.as_ref().is_some_and(|selection| selection.may_ignore());
        let sleeps = self.sleep.is_some();
        match self.identity {
            // The successor whose expansion would fire the delayed actions may be cut off, and is then never
            // expanded.
            Identity::CutOff(_) if delays => Some(
                "stubborn sets that delay visible actions cannot be combined with cut-offs: a delayed action may never be explored",
            ),
            _ if sleeps && delays => {
                Some("sleep sets cannot be combined with stubborn sets that delay visible actions")
            }
            Identity::Representative(_) | Identity::CutOff(_) if sleeps => Some(
                "sleep sets cannot be combined with an equivalence: equivalent states may name actions differently",
            ),
            _ => None,
        }
    }
}
