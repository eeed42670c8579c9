//! `Model`: what a system must tell us to be explored.

use std::fmt;

use crate::check::Check;

/// Why the successors, the measure or a condition of a state could not be computed.
///
/// The exploration stops with [`StopReason::Model`](crate::StopReason::Model) and never claims that a
/// property holds.
pub type ModelError = Box<dyn std::error::Error + Send + Sync>;

/// The error of a model that gave up because the run's [`Interrupt`](crate::Interrupt) was raised. It ends the run for the
/// reason of the interrupt, and is no fault of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// What was computed of a state, or why it could not be.
pub type Computed<T = ()> = Result<T, ModelError>;

/// What computes something of a state with a worker: a condition, an expression.
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
/// * **Workers**: what a call gives does not depend on the worker, nor on earlier calls with it.
///
/// A model is shared by all threads of an exploration. What it must change to compute (machines, caches,
/// buffers) belongs to its [`Worker`](Model::Worker).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "not a model",
    note = "implement `sweepline::System`: its states need `Clone`, serde's `Serialize` and `DeserializeOwned`, `Send` and `Sync`"
)]
pub trait Model: Sync {
    /// A state, in the form the model computes with.
    type State: Clone + Send + Sync;
    /// What labels an edge: a transition, a message, a step of a process.
    type Action: Clone + fmt::Debug + Send + Sync;
    /// What one thread needs to compute with: machines, caches, buffers; `()` where nothing is needed.
    ///
    /// An exploration has two for each thread: one computes successors, the other measures and looks at
    /// states meanwhile.
    type Worker: Send;

    /// A worker that has done nothing yet.
    fn worker(&self) -> Self::Worker;

    /// Pushes the initial states.
    fn initial(&self, push: &mut dyn FnMut(&Self::State));

    /// Pushes every successor of `state` with the action that leads to it.
    ///
    /// Successors are pushed by reference so that a model may reuse one scratch state for all.
    ///
    /// # Errors
    ///
    /// When they cannot be computed. Those pushed before do not count.
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

    /// The state whose byte form is `bytes`, or `None` where there is none: for bytes that come from
    /// a checkpoint. Override it where [`decode`](Model::decode) panics on foreign bytes, for typed
    /// models with [`codec::read`](crate::codec::read).
    fn try_decode(&self, bytes: &[u8]) -> Option<Self::State> {
        Some(self.decode(bytes))
    }

    /// Whether `state`, which has no successor, has terminated: then it is no deadlock, and does not count as dead.
    fn has_terminated(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Checks the law of the codec on `state`, which was decoded from `bytes`. Explorations call it for the first
    /// states and for a sample of the others. Override it where `encode` is not under your control: a
    /// [`System`](crate::System) has states of any type, and serde writes a `HashSet` in any order.
    ///
    /// # Errors
    ///
    /// When the law is broken.
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

    /// Like [`decode`](Model::decode), into a state that may be overwritten; saves an allocation
    /// per state where a model cares to override it.
    fn decode_into(&self, bytes: &[u8], state: &mut Self::State) {
        *state = self.decode(bytes);
    }
}

/// States whose codec is always checked.
const CHECKED: u64 = 1_000;
/// Of the states after those, one in so many is checked.
const SAMPLED: u64 = 1_024;

/// Checks the codec on the state that is explored as number `explored`, or leaves it to others.
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

/// Where a model pushes the successors of one state.
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

/// Hands each successor to a function.
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

/// The same by a worker that is there already.
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
