//! What of the state space a run may leave out.

use crate::identity::{CutOff, Identity, Representative};
use crate::model::Model;
use crate::select::{Selection, Sleep};

/// A choice on the axes of [selection](crate::select) and [identity](crate::identity). Without any,
/// every action is fired and every state is itself.
pub struct Reduction<'a, M: Model> {
    /// Which enabled actions are fired.
    pub selection: Option<Box<dyn Selection<M> + 'a>>,
    /// Which of those another order covers.
    pub sleep: Option<Sleep<'a, M>>,
    /// Which states count as the same.
    pub identity: Identity<'a, M>,
    /// The names of the questions asked, for messages.
    pub(crate) questions: Vec<String>,
}

impl<M: Model> Default for Reduction<'_, M> {
    fn default() -> Self {
        Reduction { selection: None, sleep: None, identity: Identity::Exact, questions: Vec::new() }
    }
}

impl<'a, M: Model> Reduction<'a, M> {
    /// Fires only what `selection` chooses.
    #[must_use]
    pub fn select(mut self, selection: impl Selection<M> + 'a) -> Self {
        self.selection = Some(Box::new(selection));
        self
    }

    /// Leaves out what another order covers.
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

    /// Goes no further from states of remembered classes.
    #[must_use]
    pub fn cut_off(mut self, rule: CutOff<'a, M>) -> Self {
        self.identity = Identity::CutOff(rule);
        self
    }

    /// Nothing is left out.
    pub fn is_none(&self) -> bool {
        self.selection.is_none() && self.sleep.is_none() && matches!(self.identity, Identity::Exact)
    }

    /// Why these choices do not go together, where they do not.
    pub(crate) fn conflict(&self) -> Option<&'static str> {
        let delays = self.selection.as_ref().is_some_and(|selection| selection.may_ignore());
        let sleeps = self.sleep.is_some();
        match self.identity {
            // The successor that is to be expanded later may be cut off, and nobody goes on there.
            Identity::CutOff(_) if delays => {
                Some("visible actions are delayed, and may never come beyond a cut-off")
            }
            _ if sleeps && delays => Some(
                "sleep sets need a selection that delays no action: visible actions are delayed",
            ),
            Identity::Representative(_) | Identity::CutOff(_) if sleeps => {
                Some("sleep sets name actions, and equivalent states may name them differently")
            }
            _ => None,
        }
    }
}
