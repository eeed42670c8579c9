//! Identity: which states are equivalent.
//!
//! By default, only states with equal bytes. With a [`Representative`], every state is replaced by the
//! representative of its equivalence class, as in symmetry reduction. With a [`CutOff`], states are explored
//! by their own progress, but a state that is equivalent to a remembered one is not expanded. So systems
//! whose progress never ends can be explored completely (Mailund 2003).

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
/// **Consistency** (Jensen): a state and its representative have successors in the same classes. A run checks
/// this on a sample of states and stops if it fails. That is not a proof: an equivalence that is not
/// consistent may hide states.
pub trait Representative<M: Model>: Send + Sync {
    /// Replaces `state` by the representative of its class. The representative of a representative is itself.
    fn represent(&self, state: &mut M::State);

    /// Whether it is proven that the equivalence is consistent and that the properties have equal values on
    /// equivalent states. Then nothing is checked.
    fn is_proven(&self) -> bool {
        false
    }

    /// Whether every class had one representative so far. Several representatives of a class are sound, but
    /// make the checks of consistency meaningless.
    fn is_exact(&self) -> bool {
        true
    }
}

impl<M: Model, F: Fn(&mut M::State) + Send + Sync> Representative<M> for F {
    fn represent(&self, state: &mut M::State) {
        self(state);
    }
}

/// An equivalence of states given by names of classes: states are equivalent if their names are equal.
pub trait Class<M: Model>: Send + Sync {
    /// Appends the name of the class of `state` to `name`.
    ///
    /// # Errors
    ///
    /// If it cannot be computed.
    fn name(&self, worker: &mut M::Worker, state: &M::State, name: &mut Vec<u8>) -> Computed;
}

impl<M: Model, F: Fn(&M::State, &mut Vec<u8>) + Send + Sync> Class<M> for F {
    fn name(&self, _worker: &mut M::Worker, state: &M::State, name: &mut Vec<u8>) -> Computed {
        self(state, name);
        Ok(())
    }
}

/// Which states are equivalent.
#[derive(Default)]
pub enum Identity<'a, M: Model> {
    /// Those with equal bytes.
    #[default]
    Exact,
    /// Those with the same representative, which is explored instead of them.
    Representative(Box<dyn Representative<M> + 'a>),
    /// Those with equal bytes; states of remembered classes are not expanded.
    CutOff(CutOff<'a, M>),
}
