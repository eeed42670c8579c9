//! Follows a path through the model: the only way that it becomes a witness.

use super::path::{Path, Taken};
use crate::ltl::Atom;
use crate::model::{Computed, Model, bytes_of, initial, successors_by};
use crate::observe::{Broken, Step, Witness};
use crate::progress::{Progress, Value};
use crate::verdict::StopReason;

/// The witness with the edges of `path`, found along `progress`. Each state must have the values of `atoms` that were
/// found there, a cycle must close, and a path that ends must end in a dead state.
///
/// # Errors
///
/// When the model does not follow, and when the states would take more than `most` bytes.
pub(crate) fn follow<M: Model>(
    model: &M,
    progress: &dyn Progress<M>,
    atoms: &[Atom<'_, M>],
    path: &Path,
    most: Option<u64>,
) -> Result<Witness<M>, StopReason> {
    let mut worker = model.worker();
    let start = initial(model).into_iter().find(|state| bytes_of(model, state) == path.start);
    let start = start.ok_or(Broken { after: 0 })?;
    let mut witness = Witness { initial: start, steps: Vec::new(), back: path.back };
    let mut bytes = 0;
    for after in 0..=path.steps.len() {
        let broken = Broken { after };
        let state = witness.last();
        bytes += bytes_of(model, state).len() as u64;
        if most.is_some_and(|most| bytes > most) {
            return Err(StopReason::Memory);
        }
        let next = successors_by(model, &mut worker, state)?;
        for &(atom, value) in path.atoms.get(after).into_iter().flatten() {
            let found = match &atoms[atom as usize] {
                Atom::State(condition) => condition(model, &mut worker, state)?,
                Atom::Action(condition) | Atom::Enabled(condition) => {
                    next.iter().any(|(action, _)| condition(model, action))
                }
            };
            if found != value {
                return Err(broken.into());
            }
        }
        let Some(taken) = path.steps.get(after) else {
            let is_dead = next.is_empty();
            if path.back == Some(after) && !is_dead {
                return Err(broken.into());
            }
            break;
        };
        let (action, state) = nth(progress, &mut worker, state, next, *taken)?.ok_or(broken)?;
        witness.steps.push(Step { action, state });
    }
    if let Some(back) = path.back.filter(|back| *back < witness.len()) {
        let first = back.checked_sub(1).map_or(&witness.initial, |last| &witness.steps[last].state);
        if bytes_of(model, first) != bytes_of(model, witness.last()) {
            return Err(Broken { after: witness.len() }.into());
        }
    }
    Ok(witness)
}

/// An action and the state it leads to.
type Successor<M> = (<M as Model>::Action, <M as Model>::State);

/// The edge that `taken` names among the successors of a state.
fn nth<M: Model>(
    progress: &dyn Progress<M>,
    worker: &mut M::Worker,
    state: &M::State,
    next: Vec<Successor<M>>,
    taken: Taken,
) -> Computed<Option<Successor<M>>> {
    let (mut from, mut left) = (Value::default(), taken.nth);
    progress.measure(worker, state, &mut from)?;
    for (action, target) in next {
        let mut value = Value::default();
        progress.measure(worker, &target, &mut value)?;
        if (value == from) != taken.is_inside {
            continue;
        }
        if left == 0 {
            return Ok(Some((action, target)));
        }
        left -= 1;
    }
    Ok(None)
}
