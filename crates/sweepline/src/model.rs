//! `Model`: the interface of a system that can be explored.

use std::fmt;

use crate::check::Check;

/// Why the successors, the measure or a condition of a state could not be computed.
///
/// The exploration stops with [`StopReason::Model`](crate::StopReason::Model) and never claims that a
/// property holds.
pub type ModelError = Box<dyn std::error::Error + Send + Sync>;

/// The error of a model that stopped because the run's [`Interrupt`](crate::Interrupt) was raised. The run
/// ends for the reason of the interrupt; the model is not at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// A value computed from a state, or the error of the model.
pub type Computed<T = ()> = Result<T, ModelError>;

/// A function of a state that needs a worker: a condition or an expression.
pub trait Evaluate<M: Model, T>:
    Fn(&M, &mut M::Worker, &M::State) -> Computed<T> + Send + Sync
{
}

impl<M: Model, T, F> Evaluate<M, T> for F where
    F: Fn(&M, &mut M::Worker, &M::State) -> Computed<T> + Send + Sync
{
}

/// A system given by its initial states and its successor relation.
///
/// # Laws
///
/// The exploration relies on these.
///
/// * **Determinism**: the same state pushes the same successors, in the same order, every time.
/// * **Codec**: `decode(encode(s))` equals `s`, and equal states have equal bytes. The bytes are the
///   identity of a state: they are what is hashed, compared, stored and logged.
/// * **Workers**: the result of a call depends neither on the worker nor on earlier calls with it.
///
/// A model is shared by all threads of an exploration. Data that it changes while it computes (machines,
/// caches, buffers) belongs to its [`Worker`](Model::Worker).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "implement `sweepline::System`: its states need `Clone`, serde's `Serialize` and `DeserializeOwned`, `Send` and `Sync`"
)]
pub trait Model: Sync {
    /// A state, in the form that the model computes with.
    type State: Clone + Send + Sync;
    /// The label of an edge: a transition, a message, a step of a process.
    type Action: Clone + fmt::Debug + Send + Sync;
    /// The mutable data that one thread needs: machines, caches, buffers; `()` if it needs none.
    ///
    /// An exploration has two for each thread: one computes successors, the other one measures and inspects
    /// states meanwhile.
    type Worker: Send;

    /// A new worker.
    fn worker(&self) -> Self::Worker;

    /// Pushes the initial states.
    fn initial(&self, push: &mut dyn FnMut(&Self::State));

    /// Pushes every successor of `state` with the action that leads to it.
    ///
    /// Successors are pushed by reference so that a model may reuse one scratch state for all.
    ///
    /// # Errors
    ///
    /// If they cannot be computed. Successors that were pushed before the error are ignored.
    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        sink: &mut impl Sink<Self>,
    ) -> Computed
    where
        Self: Sized;

    /// Appends the canonical byte form of `state` to `bytes`.
    fn encode(&self, state: &Self::State, bytes: &mut Vec<u8>);

    /// The state whose byte form is `bytes`.
    fn decode(&self, bytes: &[u8]) -> Self::State;

    /// The state whose byte form is `bytes`, or `None` if there is none: for bytes that come from a
    /// checkpoint. Override it if [`decode`](Model::decode) panics on foreign bytes; typed models use
    /// [`codec::read`](crate::codec::read).
    fn try_decode(&self, bytes: &[u8]) -> Option<Self::State> {
        Some(self.decode(bytes))
    }

    /// Whether `state`, which has no successor, has terminated. Then it is not a deadlock, and is not counted
    /// as dead.
    fn has_terminated(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Checks the law of the codec on `state`, which was decoded from `bytes`. Explorations call it for the
    /// first states and for a sample of the others. Override it if `encode` is not under your control: a
    /// [`System`](crate::System) has states of any type, and serde writes the items of a `HashSet` in no
    /// fixed order.
    ///
    /// # Errors
    ///
    /// If the law is broken.
    fn check_codec(&self, state: &Self::State, bytes: &[u8]) -> Computed {
        let _ = (state, bytes);
        Ok(())
    }

    /// Adds the model's own properties to a `check`: see [`System::properties`](crate::System::properties).
    fn own_properties<'a>(&'a self, check: Check<'a, Self>) -> Check<'a, Self>
    where
        Self: Sized,
    {
        check
    }

    /// Like [`decode`](Model::decode), into a state that may be overwritten. Override it to save an
    /// allocation per state.
    fn decode_into(&self, bytes: &[u8], state: &mut Self::State) {
        *state = self.decode(bytes);
    }
}

/// The codec is checked on this many states from the start.
const CHECKED: u64 = 1_000;
/// After those, the codec is checked on one in this many states.
const SAMPLED: u64 = 1_024;

/// Checks the codec on the state that is explored as number `explored`, if the sample contains it.
#[inline]
pub(crate) fn sample_codec<M: Model>(
    model: &M,
    explored: u64,
    state: &M::State,
    bytes: &[u8],
) -> Computed {
    if explored <= CHECKED || explored.is_multiple_of(SAMPLED) {
        model.check_codec(state, bytes)?;
    }
    Ok(())
}

/// Receives the successors of one state from the model.
pub trait Sink<M: Model> {
    /// `action` leads to `state`.
    fn push(&mut self, action: M::Action, state: &M::State);
}

/// Collects successors.
impl<M: Model> Sink<M> for Vec<(M::Action, M::State)> {
    fn push(&mut self, action: M::Action, state: &M::State) {
        Vec::push(self, (action, state.clone()));
    }
}

/// Passes each successor to a function.
impl<M: Model, F: FnMut(M::Action, &M::State)> Sink<M> for F {
    #[inline]
    fn push(&mut self, action: M::Action, state: &M::State) {
        self(action, state);
    }
}

/// All successors of `state`, in the model's order.
///
/// # Errors
///
/// The model's own.
pub fn successors<M: Model>(
    model: &M,
    state: &M::State,
) -> Result<Vec<(M::Action, M::State)>, ModelError> {
    successors_by(model, &mut model.worker(), state)
}

/// The same with an existing worker.
///
/// # Errors
///
/// The model's own.
pub fn successors_by<M: Model>(
    model: &M,
    worker: &mut M::Worker,
    state: &M::State,
) -> Result<Vec<(M::Action, M::State)>, ModelError> {
    let mut found = Vec::new();
    model.successors(worker, state, &mut found)?;
    Ok(found)
}

/// The initial states, in the model's order.
pub fn initial<M: Model>(model: &M) -> Vec<M::State> {
    let mut states = Vec::new();
    model.initial(&mut |state| states.push(state.clone()));
    states
}

/// The canonical bytes of `state`.
pub fn bytes_of<M: Model>(model: &M, state: &M::State) -> Vec<u8> {
    let mut bytes = Vec::new();
    model.encode(state, &mut bytes);
    bytes
}
