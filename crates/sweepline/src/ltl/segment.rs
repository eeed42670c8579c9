//! A segment of a cycle: from a state of a product back to itself, over an edge with a wanted mark.

use super::product::{Product, ProductAction, ProductState};
use crate::model::{Computed, Model, Sink};
use crate::progress::{Progress, Value};

/// The product from one state on, with a flag that says whether a wanted edge was taken.
pub(crate) struct Segment<'c, 'a, M: Model> {
    pub(crate) product: &'c Product<'a, M>,
    pub(crate) from: &'c ProductState<M::State>,
    /// Edges with one of these marks are not taken.
    pub(crate) avoid: u32,
    /// The edges to meet: those with one of these marks, or any edge if this is zero.
    pub(crate) wanted: u32,
}

/// A state of a [`Segment`].
#[derive(Clone)]
pub(crate) struct SegmentState<S> {
    pub(crate) at: ProductState<S>,
    pub(crate) met: bool,
}

impl<M: Model> Segment<'_, '_, M> {
    /// The bytes of the last state of the segment.
    pub(crate) fn end(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&SegmentState { at: self.from.clone(), met: true }, &mut bytes);
        bytes
    }
}

impl<M: Model> Model for Segment<'_, '_, M> {
    type State = SegmentState<M::State>;
    type Action = ProductAction<M::Action>;
    type Worker = M::Worker;

    fn worker(&self) -> M::Worker {
        self.product.worker()
    }

    fn initial(&self, push: &mut dyn FnMut(&Self::State)) {
        push(&SegmentState { at: self.from.clone(), met: false });
    }

    fn successors(
        &self,
        worker: &mut M::Worker,
        state: &Self::State,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        let Segment { avoid, wanted, .. } = *self;
        let mut scratch = state.clone();
        let mut onward = |action: Self::Action, at: &ProductState<M::State>| {
            if action.marks & avoid != 0 {
                return;
            }
            scratch.at.clone_from(at);
            scratch.met = state.met || wanted == 0 || action.marks & wanted != 0;
            sink.push(action, &scratch);
        };
        self.product.successors(worker, &state.at, &mut onward)
    }

    fn encode(&self, state: &Self::State, bytes: &mut Vec<u8>) {
        self.product.encode(&state.at, bytes);
        bytes.push(u8::from(state.met));
    }

    fn decode(&self, bytes: &[u8]) -> Self::State {
        let (met, at) = bytes.split_last().expect("a state has a last byte");
        SegmentState { at: self.product.decode(at), met: *met != 0 }
    }
}

/// The measure of a product as one of a segment.
pub(crate) struct OfSegment<'q, Q>(pub(crate) &'q Q);

impl<'a, M: Model, Q: Progress<Product<'a, M>>> Progress<Segment<'_, 'a, M>> for OfSegment<'_, Q> {
    fn measure(
        &self,
        worker: &mut M::Worker,
        state: &SegmentState<M::State>,
        value: &mut Value,
    ) -> Computed {
        self.0.measure(worker, &state.at, value)
    }

    fn measure_step(
        &self,
        worker: &mut M::Worker,
        from: &Value,
        action: &ProductAction<M::Action>,
        target: &SegmentState<M::State>,
        value: &mut Value,
    ) -> Computed {
        self.0.measure_step(worker, from, action, &target.at, value)
    }
}
