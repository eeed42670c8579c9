//! Checks on a sample of states whether an equivalence is consistent.

use std::collections::HashMap;

use super::{Class, Representative};
use crate::model::{Model, bytes_of, successors_by};

/// The first states that are all checked.
const FIRST: u64 = 256;
/// After those, one in this many states is checked.
const LATER: u64 = 1024;

/// Checks of consistency (seed 004, definition 3).
#[derive(Default)]
pub(crate) struct Trials {
    /// Number of states that could be checked.
    met: u64,
    /// Number of states that were checked.
    pub(crate) tried: u64,
    /// The classes of the successors, for the first classes that were remembered.
    after: HashMap<Vec<u8>, Option<Vec<Vec<u8>>>>,
}

impl Trials {
    /// Counts a state that could be checked. Returns whether it is part of the sample.
    fn is_due(&mut self) -> bool {
        self.met += 1;
        self.met <= FIRST || self.met.is_multiple_of(LATER)
    }

    /// Checks `state`, whose representative is `representative`, if it is part of the sample. `false` if
    /// their successors are in different classes, or the representative has another representative.
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

    /// Notes that the class `name` of `state` is remembered from now on.
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

    /// Checks `state`, which is of the class `name` and cut off there. `false` if its successors are in other
    /// classes than those of the state for which the class was remembered.
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

/// One worker that computes successors, and one that inspects states.
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

/// The classes of the successors of `state`. A state that cannot be expanded has no classes of successors.
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
