//! `System`: a short interface for models whose states serde can store.

use std::any::type_name;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::check::Check;
use crate::codec;
use crate::model::{Computed, Model, Sink, bytes_of};

/// A model in two methods, for states that are plain Rust types.
///
/// States are stored by serde, so they only need `#[derive(Serialize, Deserialize)]`. Equal states must
/// serialize to equal bytes: use `BTreeMap` and `BTreeSet` in them, not `HashMap` and `HashSet`. Explorations
/// check that on the first 1,000 states and on one in 1,024 of the others. Every system is a [`Model`], which
/// is the full interface: own byte forms, scratch memory for each thread, errors.
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
    /// The label of an edge: a text, or an enum of messages and steps.
    type Action: Clone + fmt::Debug + Send + Sync;

    /// The initial states.
    fn initial(&self) -> Vec<Self::State>;

    /// Pushes every successor of `state` with its action. Equal states must have the same successors in the
    /// same order.
    fn successors(&self, state: &Self::State, push: &mut dyn FnMut(Self::Action, Self::State));

    /// Whether `state`, which has no successor, has terminated. Then it is not a deadlock.
    fn has_terminated(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Adds the system's own properties to a `check`. Every [`Check::new`] of the system begins with them.
    ///
    /// ```
    /// # use sweepline::{Check, System};
    /// # struct Lock;
    /// impl System for Lock {
    /// #     type State = Vec<u8>;
    /// #     type Action = ();
    /// #     fn initial(&self) -> Vec<Self::State> { vec![vec![]] }
    /// #     fn successors(&self, _: &Self::State, push: &mut dyn FnMut((), Self::State)) { push((), vec![1]) }
    ///     // …
    ///     fn properties<'a>(&'a self, check: Check<'a, Self>) -> Check<'a, Self> {
    ///         check.never("two clients hold the lock", |holders| holders.len() > 1).deadlock()
    ///     }
    /// }
    ///
    /// Check::new(&Lock).run().assert_holds();
    /// ```
    fn properties<'a>(&'a self, check: Check<'a, Self>) -> Check<'a, Self>
    where
        Self: Sized,
    {
        check
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

    fn successors(&self, (): &mut (), state: &Self::State, sink: &mut impl Sink<Self>) -> Computed {
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

    fn check_codec(&self, state: &Self::State, bytes: &[u8]) -> Computed {
        let again = bytes_of(self, &self.decode(bytes));
        if bytes_of(self, state) == bytes && again == bytes {
            return Ok(());
        }
        let name = type_name::<Self::State>();
        Err(format!(
            "encoding a decoded state of type `{name}` gave different bytes, so equal \
             states would count as different ones. Use `BTreeSet` and `BTreeMap` in it, not `HashSet` and \
             `HashMap`, and check serde attributes and implementations written by hand"
        )
        .into())
    }

    fn own_properties<'a>(&'a self, check: Check<'a, Self>) -> Check<'a, Self> {
        System::properties(self, check)
    }
}
