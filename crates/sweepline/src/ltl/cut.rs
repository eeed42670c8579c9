//! A product cut at its regress edges, so that one pass in the order of progress visits all of it.
//!
//! Under a measure that is not monotone, the target of a regress edge is a persistent state. When all of these are known,
//! they are the *entries*: an exploration from them and from the initial states visits every reachable state in the first
//! sweep, each layer complete.

use std::collections::HashMap;

use super::product::{Product, ProductAction, ProductState};
use crate::model::{Computed, Model, Sink};
use crate::progress::{Progress, Value};

/// The targets of regress edges, numbered.
#[derive(Default)]
pub(crate) struct Entries {
    bytes: Vec<Box<[u8]>>,
    numbers: HashMap<Box<[u8]>, u32>,
}

impl Entries {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.numbers.insert(bytes.into(), self.bytes.len() as u32);
        self.bytes.push(bytes.into());
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn bytes(&self, number: u32) -> &[u8] {
        &self.bytes[number as usize]
    }

    pub(crate) fn number(&self, bytes: &[u8]) -> Option<u32> {
        self.numbers.get(bytes).copied()
    }
}

/// An edge of a [`Cut`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CutEdge {
    /// The marks of the edge in the product.
    pub(crate) marks: u32,
    /// For a regress edge, the entry it leads to. The cut has it as an edge from its source to itself.
    pub(crate) back: Option<u32>,
}

/// A product without regress edges, from its initial states and all entries.
pub(crate) struct Cut<'c, 'a, M: Model, Q> {
    pub(crate) product: &'c Product<'a, M>,
    pub(crate) progress: &'c Q,
    pub(crate) entries: &'c Entries,
}

impl<'a, M: Model, Q: Progress<Product<'a, M>>> Model for Cut<'_, 'a, M, Q> {
    type State = ProductState<M::State>;
    type Action = CutEdge;
    /// The first worker computes successors, the second one measures them.
    type Worker = (M::Worker, M::Worker);

    fn worker(&self) -> Self::Worker {
        (self.product.worker(), self.product.worker())
    }

    fn initial(&self, push: &mut dyn FnMut(&Self::State)) {
        self.product.initial(push);
        for entry in &self.entries.bytes {
            push(&self.product.decode(entry));
        }
    }

    fn successors(
        &self,
        (worker, reader): &mut Self::Worker,
        at: &Self::State,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        let mut from = Value::default();
        self.progress.measure(reader, at, &mut from)?;
        let (mut value, mut bytes, mut failed) = (Value::default(), Vec::new(), None);
        let mut onward = |action: ProductAction<M::Action>, state: &Self::State| {
            let marks = action.marks;
            value.clear();
            let measured = self.progress.measure_step(reader, &from, &action, state, &mut value);
            if let Err(error) = measured {
                failed.get_or_insert(error);
                return;
            }
            if value >= from {
                return sink.push(CutEdge { marks, back: None }, state);
            }
            bytes.clear();
            self.product.encode(state, &mut bytes);
            match self.entries.number(&bytes) {
                Some(entry) => sink.push(CutEdge { marks, back: Some(entry) }, at),
                None => {
                    let unreached = "a regress edge leads to a state not reached before";
                    failed.get_or_insert(unreached.into());
                }
            }
        };
        self.product.successors(worker, at, &mut onward)?;
        failed.map_or(Ok(()), Err)
    }

    fn encode(&self, at: &Self::State, bytes: &mut Vec<u8>) {
        self.product.encode(at, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> Self::State {
        self.product.decode(bytes)
    }

    fn check_codec(&self, at: &Self::State, bytes: &[u8]) -> Computed {
        self.product.check_codec(at, bytes)
    }

    fn decode_into(&self, bytes: &[u8], at: &mut Self::State) {
        self.product.decode_into(bytes, at);
    }
}

/// The measure of a product as one of its cut.
pub(crate) struct OfCut<'q, Q>(pub(crate) &'q Q);

impl<'a, M: Model, Q: Progress<Product<'a, M>>> Progress<Cut<'_, 'a, M, Q>> for OfCut<'_, Q> {
    fn measure(
        &self,
        (worker, _): &mut (M::Worker, M::Worker),
        at: &ProductState<M::State>,
        value: &mut Value,
    ) -> Computed {
        self.0.measure(worker, at, value)
    }
}

/// A measure without its columns: persistent states stay to the end.
pub(crate) struct Flat<Q>(pub(crate) Q);

impl<M: Model, Q: Progress<M>> Progress<M> for Flat<Q> {
    fn measure(&self, worker: &mut M::Worker, at: &M::State, value: &mut Value) -> Computed {
        self.0.measure(worker, at, value)
    }

    fn measure_step(
        &self,
        worker: &mut M::Worker,
        from: &Value,
        action: &M::Action,
        target: &M::State,
        value: &mut Value,
    ) -> Computed {
        self.0.measure_step(worker, from, action, target, value)
    }

    fn is_trivial(&self) -> bool {
        self.0.is_trivial()
    }
}
