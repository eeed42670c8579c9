//! Trying whether an equivalence is consistent, on states as they are met.

use std::collections::HashMap;

use super::{Class, Representative};
use crate::model::{Model, bytes_of, successors_by};

/// So many states are tried at the beginning, one after the other.
const FIRST: u64 = 256;
/// After that one in so many.
const LATER: u64 = 1024;

/// Tries of consistency (seed 004, definition 3).
#[derive(Default)]
pub(crate) struct Trials {
    /// States that could be tried.
    met: u64,
    /// Those of them that were.
    pub(crate) tried: u64,
    /// Of the first classes that were remembered, the classes of the successors.
    after: HashMap<Vec<u8>, Option<Vec<Vec<u8>>>>,
}

impl Trials {
    /// A state to try was met, and its turn has come.
    fn is_due(&mut self) -> bool {
        self.met += 1;
        self.met <= FIRST || self.met.is_multiple_of(LATER)
    }

    /// Tries `state`, whose representative is `representative`, if its turn has come. `false` when
    /// their successors are in different classes, or the representative has another one itself.
    pub(crate) fn try_state<M: Model>(
        &mut self,
        (model, worker): (&M, &mut M::Worker),
        rule: &dyn Representative<M>,
        state: &M::State,
        representative: &M::State,
    ) -> bool {
        if !self.is_due() {
            return true;
        }
        let mut again = representative.clone();
        rule.represent(&mut again);
        let class = |mut state: M::State| {
            rule.represent(&mut state);
            Some(bytes_of(model, &state))
        };
        let agree = bytes_of(model, &again) == bytes_of(model, representative)
            && classes((model, worker), class, state)
                == classes((model, worker), class, representative);
        if !rule.is_exact() {
            return true;
        }
        self.tried += 1;
        agree
    }

    /// The class `name` of `state` is remembered from now on.
    pub(crate) fn remember<M: Model>(
        &mut self,
        model: &M,
        workers: Workers<'_, M>,
        class: &dyn Class<M>,
        name: &[u8],
        state: &M::State,
    ) {
        if (self.after.len() as u64) < FIRST {
            let after = after(model, workers, class, state);
            self.after.insert(name.to_vec(), after);
        }
    }

    /// Tries `state`, which is of the class `name` and cut off there. `false` when its successors are
    /// in other classes than those of the state for which the class was remembered.
    pub(crate) fn try_class<M: Model>(
        &mut self,
        model: &M,
        workers: Workers<'_, M>,
        class: &dyn Class<M>,
        name: &[u8],
        state: &M::State,
    ) -> bool {
        if !self.after.contains_key(name) || !self.is_due() {
            return true;
        }
        self.tried += 1;
        self.after.get(name) == Some(&after(model, workers, class, state))
    }
}

/// One worker that computes successors, and one that looks at states.
pub(crate) type Workers<'w, M> = (&'w mut <M as Model>::Worker, &'w mut <M as Model>::Worker);

/// The classes of the successors of `state`.
fn after<M: Model>(
    model: &M,
    (worker, reader): Workers<'_, M>,
    class: &dyn Class<M>,
    state: &M::State,
) -> Option<Vec<Vec<u8>>> {
    let named = |state: M::State| {
        let mut name = Vec::new();
        class.name(reader, &state, &mut name).ok().map(|()| name)
    };
    classes((model, worker), named, state)
}

/// The classes of the successors of `state`. A state that cannot be expanded has none of its own.
fn classes<M: Model>(
    (model, worker): (&M, &mut M::Worker),
    class: impl FnMut(M::State) -> Option<Vec<u8>>,
    state: &M::State,
) -> Option<Vec<Vec<u8>>> {
    let successors = successors_by(model, worker, state).ok()?.into_iter();
    let mut classes: Vec<Vec<u8>> =
        successors.map(|(_, successor)| successor).map(class).collect::<Option<_>>()?;
    classes.sort_unstable();
    classes.dedup();
    Some(classes)
}
