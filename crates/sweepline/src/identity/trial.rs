//! Trying whether an equivalence is consistent, on states as they are met.

use super::Representative;
use crate::model::{Model, bytes_of, successors};

/// So many states are tried at the beginning, one after the other.
const FIRST: u64 = 256;
/// After that one in so many.
const LATER: u64 = 1024;

/// Tries of consistency (seed 004, definition 3).
#[derive(Default)]
pub(crate) struct Trials {
    /// States that are not their own representatives.
    met: u64,
    /// Those of them that were tried.
    pub(crate) tried: u64,
}

impl Trials {
    /// Tries `state`, whose representative is `representative`, if its turn has come. `false` when
    /// their successors are in different classes, or the representative has another one itself.
    pub(crate) fn try_state<M: Model>(
        &mut self,
        model: &M,
        rule: &dyn Representative<M>,
        state: &M::State,
        representative: &M::State,
    ) -> bool {
        self.met += 1;
        if self.met > FIRST && !self.met.is_multiple_of(LATER) {
            return true;
        }
        self.tried += 1;
        let mut again = representative.clone();
        rule.represent(&mut again);
        bytes_of(model, &again) == bytes_of(model, representative)
            && classes(model, rule, state) == classes(model, rule, representative)
    }
}

/// The classes of the successors of `state`. A state that cannot be expanded has none of its own.
fn classes<M: Model>(
    model: &M,
    rule: &dyn Representative<M>,
    state: &M::State,
) -> Option<Vec<Vec<u8>>> {
    let mut classes: Vec<Vec<u8>> = successors(model, state)
        .ok()?
        .into_iter()
        .map(|(_, mut successor)| {
            rule.represent(&mut successor);
            bytes_of(model, &successor)
        })
        .collect();
    classes.sort_unstable();
    classes.dedup();
    Some(classes)
}
