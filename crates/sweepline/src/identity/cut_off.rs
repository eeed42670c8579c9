//! The cut-off method: classes remembered for some states, and no exploration beyond them.

use super::Class;
use crate::model::Model;
use crate::retain::{Budget, Hint, Layer, Stored, hash};

/// Layers after the last new class, when nothing else is asked for.
const PATIENCE: u64 = 10_000;

/// Decides whether the class of a state is remembered.
type Remember<'a, M> = Box<dyn Fn(&<M as Model>::State) -> bool + 'a>;

/// Remembers the classes of some states for good, and goes no further from a state of such a class
/// (seed 004, figure 3).
///
/// The exploration ends when every infinite run passes through remembered states again and again and
/// these fall into finitely many classes. No tool can know that beforehand. So a run counts the layers
/// since a class was last added, and stops after so many.
pub struct CutOff<'a, M: Model> {
    pub(crate) class: Box<dyn Class<M> + 'a>,
    pub(crate) remember: Remember<'a, M>,
    pub(crate) patience: u64,
}

impl<'a, M: Model> CutOff<'a, M> {
    /// Remembers the classes of all states: the equivalence reduction of seed 004, figure 2.
    pub fn new(class: impl Class<M> + 'a) -> Self {
        CutOff { class: Box::new(class), remember: Box::new(|_| true), patience: PATIENCE }
    }

    /// Remembers only the classes of states that satisfy `predicate`.
    #[must_use]
    pub fn at(mut self, predicate: impl Fn(&M::State) -> bool + 'a) -> Self {
        self.remember = Box::new(predicate);
        self
    }

    /// Stops after so many layers since the last new class.
    #[must_use]
    pub fn patience(mut self, layers: u64) -> Self {
        self.patience = layers;
        self
    }
}

/// What the class of a new state means for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Met {
    /// It is remembered: go no further.
    Known,
    /// It is not.
    New,
    /// There is no memory to remember it.
    Full,
}

/// The classes remembered.
pub(crate) struct Classes {
    layer: Layer,
    name: Vec<u8>,
}

impl Default for Classes {
    fn default() -> Self {
        Classes { layer: Layer::new(true), name: Vec::new() }
    }
}

impl Classes {
    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.layer.len() as u64
    }

    /// Looks up the class of `state`, which is new, and remembers it where it is to be.
    pub(crate) fn meet<M: Model>(
        &mut self,
        rule: &CutOff<'_, M>,
        state: &M::State,
        budget: &mut Budget,
    ) -> Met {
        self.name.clear();
        rule.class.name(state, &mut self.name);
        let hash = hash(&self.name);
        if self.layer.find(hash, &self.name).is_some() {
            return Met::Known;
        }
        if !(rule.remember)(state) {
            return Met::New;
        }
        match self.layer.insert(hash, Hint::default(), &self.name, budget) {
            Stored::Full => Met::Full,
            Stored::New(_) | Stored::Seen(..) => Met::New,
        }
    }
}
