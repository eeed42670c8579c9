//! Replaying a recorded path through the model. Every witness is made here.

use crate::identity::Identity;
use crate::model::{self, Model};
use crate::verdict::StopReason;

/// A path of the model from an initial state, replayed step by step through the model.
pub struct Witness<M: Model> {
    /// The initial state of the path.
    pub initial: M::State,
    /// The steps taken, in order.
    pub steps: Vec<Step<M>>,
    /// For a lasso: the number of the state to which the path returns after the last step; the initial state
    /// has number zero. If that is the last state, it is dead, and the path stays there.
    pub back: Option<usize>,
}

/// One step of a witness.
pub struct Step<M: Model> {
    /// The action taken.
    pub action: M::Action,
    /// The state it leads to.
    pub state: M::State,
}

impl<M: Model> Witness<M> {
    /// The last state of the path.
    pub fn last(&self) -> &M::State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether the path has no steps: the witness is an initial state.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// Replaying a recorded path failed: the model broke the law of determinism.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "replaying the path gave another state after step {after}: `successors` must push the same states in the same \
     order for equal states, and `encode` must give equal states equal bytes"
)]
pub struct Broken {
    /// How many steps were replayed correctly.
    pub after: usize,
}

/// Replays `path` (the number of an initial state, then successor numbers) and checks that it ends in the
/// state whose bytes are `target`, if they are given. If representatives were explored, the path consists of
/// representatives, and the witness is a path of the model itself whose states have those representatives.
///
/// # Errors
///
/// If the model does not follow the path; and if the steps would take more than `most` bytes, although they
/// are still replayed.
pub(crate) fn replay<M: Model>(
    model: &M,
    identity: &Identity<'_, M>,
    path: &[u32],
    target: Option<&[u8]>,
    most: Option<u64>,
) -> Result<Witness<M>, StopReason> {
    // The size of a step: its state may own about as many bytes as its encoding, plus the overhead of an
    // allocation.
    let step = size_of::<Step<M>>() + target.map_or(0, <[u8]>::len) + 32;
    let keep = most.is_none_or(|most| (path.len() * step) as u64 <= most);
    let nowhere = Broken { after: 0 };
    let (first, rest) = path.split_first().ok_or(nowhere.clone())?;
    let initial = model::initial(model).into_iter().nth(*first as usize).ok_or(nowhere)?;
    let mut witness = Witness::<M> { initial, steps: Vec::new(), back: None };
    let rule = match identity {
        Identity::Representative(rule) => Some(rule),
        Identity::Exact | Identity::CutOff(_) => None,
    };
    let class = |mut state: M::State| {
        rule.iter().for_each(|rule| rule.represent(&mut state));
        state
    };
    let (mut explored, mut worker) = (class(witness.initial.clone()), model.worker());
    for (after, &number) in rest.iter().enumerate() {
        let broken = || Broken { after };
        let mut successors = |state: &M::State| {
            model::successors_by(model, &mut worker, state).map_err(|_| broken())
        };
        let next = successors(&explored)?.into_iter().nth(number as usize);
        let (mut action, mut state) = next.ok_or_else(broken)?;
        explored = class(state.clone());
        if rule.is_some() {
            let bytes = model::bytes_of(model, &explored);
            let same = |(_, state): &(M::Action, M::State)| {
                model::bytes_of(model, &class(state.clone())) == bytes
            };
            let real = successors(witness.last())?.into_iter().find(same);
            (action, state) = real.ok_or_else(broken)?;
        }
        if !keep {
            witness.steps.clear();
        }
        witness.steps.push(Step { action, state });
    }
    if target.is_some_and(|target| model::bytes_of(model, &explored) != target) {
        return Err(Broken { after: rest.len() }.into());
    }
    if keep { Ok(witness) } else { Err(StopReason::Memory) }
}
