//! Walking a recorded path through the model: the only way a witness comes into being.

use std::fmt;

use crate::identity::{Identity, Representative};
use crate::model::{self, Model};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// How many steps went well.
    pub after: usize,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the model does not repeat its own run after step {}: `successors` must push the same \
             states in the same order for equal states, and `encode` must give equal states equal bytes",
            self.after
        )
    }
}

impl std::error::Error for Broken {}

/// Walks `path` (an initial state's number, then successor numbers) and checks that it ends in the
/// state whose bytes are `target`, where they are known. `None` when its steps would take more than `most` bytes; it is
/// walked all the same.
pub(crate) fn replay<M: Model>(
    model: &M,
    identity: &Identity<'_, M>,
    path: &[u32],
    target: Option<&[u8]>,
    most: Option<u64>,
) -> Result<Option<Witness<M>>, Broken> {
    // A step holds its state, which may own about as much as its bytes and an allocation's overhead.
    let step = size_of::<Step<M>>() + target.map_or(0, <[u8]>::len) + 32;
    let keep = most.is_none_or(|most| (path.len() * step) as u64 <= most);
    let (first, rest) = path.split_first().ok_or(Broken { after: 0 })?;
    let mut initial = model::initial(model);
    if *first as usize >= initial.len() {
        return Err(Broken { after: 0 });
    }
    let mut witness = Witness::<M> {
        initial: initial.swap_remove(*first as usize),
        steps: Vec::new(),
        back: None,
    };
    if let Identity::Representative(rule) = identity {
        return follow(model, &**rule, witness, rest, target, keep);
    }
    let mut worker = model.worker();
    for (after, &number) in rest.iter().enumerate() {
        let mut successors = model::successors_by(model, &mut worker, witness.last())
            .map_err(|_| Broken { after })?;
        if number as usize >= successors.len() {
            return Err(Broken { after });
        }
        let (action, state) = successors.swap_remove(number as usize);
        if !keep {
            witness.steps.clear();
        }
        witness.steps.push(Step { action, state });
    }
    if target.is_some_and(|target| model::bytes_of(model, witness.last()) != target) {
        return Err(Broken { after: rest.len() });
    }
    Ok(keep.then_some(witness))
}

/// Walks `path` through representatives, and through `witness` a run of the model itself whose states
/// have those representatives.
fn follow<M: Model>(
    model: &M,
    rule: &dyn Representative<M>,
    mut witness: Witness<M>,
    path: &[u32],
    target: Option<&[u8]>,
    keep: bool,
) -> Result<Option<Witness<M>>, Broken> {
    let class = |state: &M::State| {
        let mut state = state.clone();
        rule.represent(&mut state);
        state
    };
    let (mut representative, mut worker) = (class(&witness.initial), model.worker());
    for (after, &number) in path.iter().enumerate() {
        let broken = || Broken { after };
        let next =
            model::successors_by(model, &mut worker, &representative).map_err(|_| broken())?;
        let (_, next) = next.get(number as usize).ok_or_else(broken)?;
        representative = class(next);
        let bytes = model::bytes_of(model, &representative);
        let real =
            model::successors_by(model, &mut worker, witness.last()).map_err(|_| broken())?;
        let mut same =
            real.into_iter().filter(|(_, state)| model::bytes_of(model, &class(state)) == bytes);
        let (action, state) = same.next().ok_or_else(broken)?;
        if !keep {
            witness.steps.clear();
        }
        witness.steps.push(Step { action, state });
    }
    if target.is_some_and(|target| model::bytes_of(model, &representative) != target) {
        return Err(Broken { after: path.len() });
    }
    Ok(keep.then_some(witness))
}
