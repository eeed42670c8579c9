//! Identity: which states count as the same.
//!
//! Exactly those with equal bytes, unless a run is told otherwise. With a [`Representative`] every
//! state is replaced by one that stands for its class, as symmetry reduction does. With a [`CutOff`]
//! states stay what they are and are swept by their own progress, but the exploration goes no further
//! from a state that is equivalent to one remembered: so systems whose progress never ends are
//! explored to the end (Mailund 2003).

mod cut_off;
mod trial;

pub use cut_off::CutOff;
pub(crate) use cut_off::{Classes, Met};
pub(crate) use trial::{Trials, Workers};

use crate::model::{Computed, Model};

/// An equivalence of states given by representatives.
///
/// # Law
///
/// **Consistency** (Jensen): a state and its representative have successors in the same classes. A
/// run tries this on states it meets, and refuses to go on where it fails; but it is not proven by
/// that, and an equivalence that is not consistent may hide states.
pub trait Representative<M: Model>: Send + Sync {
    /// Replaces `state` by the representative of its class. A representative is its own.
    fn represent(&self, state: &mut M::State);

    /// It is proven consistent, and the questions do not tell a state from its representative: nothing
    /// is left to be tried.
    fn is_proven(&self) -> bool {
        false
    }

    /// So far every class had one representative. Where some class has several, which is sound, trials
    /// of consistency say nothing.
    fn is_exact(&self) -> bool {
        true
    }
}

impl<M: Model, F: Fn(&mut M::State) + Send + Sync> Representative<M> for F {
    fn represent(&self, state: &mut M::State) {
        self(state);
    }
}

/// An equivalence of states given by names of classes: equivalent states have equal names.
pub trait Class<M: Model>: Send + Sync {
    /// Appends the name of the class of `state` to `name`.
    ///
    /// # Errors
    ///
    /// When it cannot be computed.
    fn name(&self, worker: &mut M::Worker, state: &M::State, name: &mut Vec<u8>) -> Computed;
}

impl<M: Model, F: Fn(&M::State, &mut Vec<u8>) + Send + Sync> Class<M> for F {
    fn name(&self, _worker: &mut M::Worker, state: &M::State, name: &mut Vec<u8>) -> Computed {
        self(state, name);
        Ok(())
    }
}

/// Which states count as the same.
#[derive(Default)]
pub enum Identity<'a, M: Model> {
    /// Those with equal bytes.
    #[default]
    Exact,
    /// Those with the same representative, which is explored in their place.
    Representative(Box<dyn Representative<M> + 'a>),
    /// Those with equal bytes; and nothing is explored beyond states of remembered classes.
    CutOff(CutOff<'a, M>),
}
