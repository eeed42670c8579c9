//! `System`: the short way to write a model.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::codec;
use crate::model::{Model, ModelError, Sink};

/// A model in two methods, for states that are plain Rust types.
///
/// States are stored by serde, so `#[derive(Serialize, Deserialize)]` is all they need; use `BTreeMap` and
/// `BTreeSet` in them, for equal states must serialize alike and a `HashMap` does not. Every system is a
/// [`Model`], which is the longer contract: own byte forms, scratch memory for each thread, errors.
///
/// ```
/// use sweepline::{Check, System};
///
/// /// Two clients and a lock. A client that has it may let go.
/// struct Lock;
///
/// impl System for Lock {
///     type State = Option<u8>; // who has the lock
///     type Action = String;
///
///     fn initial(&self) -> Vec<Self::State> {
///         vec![None]
///     }
///
///     fn successors(&self, holder: &Self::State, push: &mut dyn FnMut(String, Self::State)) {
///         match holder {
///             None => (0..2).for_each(|client| push(format!("{client} locks"), Some(client))),
///             Some(client) => push(format!("{client} unlocks"), None),
///         }
///     }
/// }
///
/// Check::new(&Lock).deadlock().run().assert_holds();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system",
    label = "not a system",
    note = "a system has `type State`, `type Action`, `fn initial` and `fn successors`"
)]
pub trait System: Sync {
    /// A state.
    type State: Clone + Send + Sync + Serialize + DeserializeOwned;
    /// What labels an edge: a text, or an enum of messages and steps.
    type Action: Clone + fmt::Debug + Send + Sync;

    /// The initial states.
    fn initial(&self) -> Vec<Self::State>;

    /// Pushes every successor of `state` with the action that leads to it, the same ones in the same order
    /// for equal states.
    fn successors(&self, state: &Self::State, push: &mut dyn FnMut(Self::Action, Self::State));

    /// Whether `state`, which has no successor, has terminated: then it is no deadlock.
    fn has_terminated(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }
}

impl<T: System> Model for T {
    type State = <T as System>::State;
    type Action = <T as System>::Action;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, push: &mut dyn FnMut(&Self::State)) {
        System::initial(self).iter().for_each(push);
    }

    fn successors(
        &self,
        (): &mut (),
        state: &Self::State,
        sink: &mut impl Sink<Self>,
    ) -> Result<(), ModelError> {
        System::successors(self, state, &mut |action, state| sink.push(action, &state));
        Ok(())
    }

    fn has_terminated(&self, state: &Self::State) -> bool {
        System::has_terminated(self, state)
    }

    fn encode(&self, state: &Self::State, bytes: &mut Vec<u8>) {
        codec::encode(state, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> Self::State {
        codec::decode(bytes)
    }

    fn try_decode(&self, bytes: &[u8]) -> Option<Self::State> {
        codec::read(bytes)
    }
}
