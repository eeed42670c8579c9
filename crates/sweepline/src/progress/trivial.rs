//! The measure under which nothing progresses: the sweep becomes ordinary full exploration.

use super::{Progress, Value};
use crate::model::{Computed, Model};

/// Every state has the same progress, so there is one layer and nothing is ever forgotten.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trivial;

impl<M: Model> Progress<M> for Trivial {
    fn name(&self) -> String {
        "no measure: every state kept".into()
    }

    fn measure(&self, _worker: &mut M::Worker, _state: &M::State, _value: &mut Value) -> Computed {
        Ok(())
    }

    fn is_trivial(&self) -> bool {
        true
    }
}
