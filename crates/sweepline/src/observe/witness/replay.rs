//! Walking a recorded path through the model: the only way a witness comes into being.

use crate::identity::Identity;
use crate::model::{self, Model};
use crate::verdict::StopReason;

/// A run of the model from an initial state, checked step by step against the model itself.
pub struct Witness<M: Model> {
    /// The initial state the run starts from.
    pub initial: M::State,
    /// The steps taken, in order.
    pub steps: Vec<Step<M>>,
    /// For a run that goes on for ever: after the last step it goes on as from this state, by number;
    /// the initial state has number zero. Where that is the last state, the state is dead and stayed in.
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
    /// The state the run ends in.
    pub fn last(&self) -> &M::State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The run has no steps: an initial state is the witness.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// A recorded path that the model does not follow: the model broke the law of determinism.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the model does not repeat its own run after step {after}: `successors` must push the same states in the same \
     order for equal states, and `encode` must give equal states equal bytes"
)]
pub struct Broken {
    /// How many steps went well.
    pub after: usize,
}

/// Walks `path` (an initial state's number, then successor numbers) and checks that it ends in the
/// state whose bytes are `target`, where they are known. Where representatives were explored, the path leads through
/// them, and the witness is a run of the model itself whose states have those representatives.
///
/// # Errors
///
/// When the model does not follow; and when the steps would take more than `most` bytes, though they are walked all
/// the same.
pub(crate) fn replay<M: Model>(
    model: &M,
    identity: &Identity<'_, M>,
    path: &[u32],
    target: Option<&[u8]>,
    most: Option<u64>,
) -> Result<Witness<M>, StopReason> {
    // A step holds its state, which may own about as much as its bytes and an allocation's overhead.
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
