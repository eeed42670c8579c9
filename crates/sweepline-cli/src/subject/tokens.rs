//! The most tokens in a place and in a marking, as the contest's `StateSpace` asks for.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use sweepline::codec;
use sweepline::observe::{Answer, Flow, Query, Visit};
use sweepline::select::Needs;
use sweepline_pnml::{MarkingView, NetModel};

/// The most tokens seen.
#[derive(Default)]
pub(crate) struct MostTokens {
    found: Cell<Option<(u64, u128)>>,
}

impl MostTokens {
    /// In a place, and in a marking; `None` when nobody counted.
    pub(crate) fn found(&self) -> Option<(u64, u128)> {
        self.found.get()
    }
}

/// Counts, and is never decided before the end: every state matters.
pub(super) struct CountTokens {
    most: Rc<MostTokens>,
    in_place: u64,
    in_marking: u128,
}

impl CountTokens {
    pub(super) fn new(most: Rc<MostTokens>) -> Self {
        CountTokens { most, in_place: 0, in_marking: 0 }
    }
}

impl Query<NetModel> for CountTokens {
    fn node(&mut self, visit: &Visit<'_, NetModel>) -> Flow {
        let view = visit.model.view(visit.state);
        let mut sum = 0u128;
        for place in visit.model.net().place_ids() {
            let tokens = view.tokens(place);
            self.in_place = self.in_place.max(tokens);
            sum += u128::from(tokens);
        }
        self.in_marking = self.in_marking.max(sum);
        self.most.found.set(Some((self.in_place, self.in_marking)));
        ControlFlow::Continue(())
    }

    /// Edges are counted with it.
    fn needs(&self) -> Needs<NetModel> {
        Needs::Edges
    }

    fn has_witness(&self) -> bool {
        false
    }

    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }

    fn save(&self, _model: &NetModel) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.most.found()))
    }

    fn restore(&mut self, _model: &NetModel, saved: &[u8]) -> bool {
        let Some(found) = codec::read(saved) else { return false };
        (self.in_place, self.in_marking) = Option::unwrap_or_default(found);
        self.most.found.set(found);
        true
    }
}
