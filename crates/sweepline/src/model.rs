//! `Model`: what a system must tell us to be explored.

use std::fmt;

/// Why a model could not compute the successors of a state.
///
/// Produced through [`Sink::fail`]; the exploration stops with
/// [`StopReason::Model`](crate::StopReason::Model) and never claims that a property holds.
pub type ModelError = Box<dyn std::error::Error + Send + Sync>;

/// A system given by its initial states and its successor relation.
///
/// # Laws
///
/// The exploration relies on these.
///
/// * **Determinism**: the same state pushes the same successors, in the same order, every time.
/// * **Codec**: `decode(encode(s))` equals `s`, and equal states have equal bytes. The bytes are the
///   identity of a state: they are what is hashed, compared, stored and logged.
pub trait Model {
    /// A state, in the form the model computes with.
    type State: Clone;
    /// What labels an edge: a transition, a message, a step of a process.
    type Action: Copy + fmt::Debug;

    /// Pushes the initial states.
    fn initial(&self, push: &mut dyn FnMut(&Self::State));

    /// Pushes every successor of `state` with the action that leads to it.
    ///
    /// Successors are pushed by reference so that a model may reuse one scratch state for all.
    fn successors(&self, state: &Self::State, sink: &mut impl Sink<Self>)
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

    /// Like [`decode`](Model::decode), into a state that may be overwritten; saves an allocation
    /// per state where a model cares to override it.
    fn decode_into(&self, bytes: &[u8], state: &mut Self::State) {
        *state = self.decode(bytes);
    }
}

/// Where a model pushes the successors of one state.
pub trait Sink<M: Model> {
    /// `action` leads to `state`.
    fn push(&mut self, action: M::Action, state: &M::State);

    /// The successors cannot be computed; the exploration stops and reports `error`.
    fn fail(&mut self, error: ModelError);
}

/// A sink that collects successors, for replaying and for tests.
pub(crate) struct Collect<M: Model> {
    pub(crate) successors: Vec<(M::Action, M::State)>,
    pub(crate) error: Option<ModelError>,
}

impl<M: Model> Default for Collect<M> {
    fn default() -> Self {
        Collect { successors: Vec::new(), error: None }
    }
}

impl<M: Model> Sink<M> for Collect<M> {
    fn push(&mut self, action: M::Action, state: &M::State) {
        self.successors.push((action, state.clone()));
    }

    fn fail(&mut self, error: ModelError) {
        self.error.get_or_insert(error);
    }
}

/// All successors of `state`, in the model's order.
///
/// # Errors
///
/// The model's own error, where it pushed one.
pub fn successors<M: Model>(
    model: &M,
    state: &M::State,
) -> Result<Vec<(M::Action, M::State)>, ModelError> {
    let mut sink = Collect::<M>::default();
    model.successors(state, &mut sink);
    match sink.error {
        Some(error) => Err(error),
        None => Ok(sink.successors),
    }
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
