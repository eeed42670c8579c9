//! The most tokens in a place and in a marking, as the contest's `StateSpace` asks for.

use std::sync::{Arc, Mutex, PoisonError};

use sweepline::Observer;
use sweepline::codec;
use sweepline::observe::{Answer, Flow, Fork, Query, Visit};
use sweepline::select::Needs;
use sweepline_pnml::{Marking, MarkingView, NetModel};

/// The most tokens seen.
#[derive(Default)]
pub(crate) struct MostTokens {
    found: Mutex<Option<(u64, u128)>>,
}

impl MostTokens {
    /// In a place, and in a marking; `None` if they were not counted.
    pub(crate) fn found(&self) -> Option<(u64, u128)> {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts up to these.
    fn raise(&self, (in_place, in_marking): (u64, u128)) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let (place, marking) = found.unwrap_or_default();
        *found = Some((place.max(in_place), marking.max(in_marking)));
    }
}

/// Counts, and is never decided before the end: every state matters.
pub(super) struct CountTokens {
    most: Arc<MostTokens>,
    seen: Option<(u64, u128)>,
}

impl CountTokens {
    pub(super) fn new(most: Arc<MostTokens>) -> Self {
        CountTokens { most, seen: None }
    }
}

impl Observer<NetModel> for CountTokens {
    fn node(&mut self, visit: &Visit<'_, NetModel>, _worker: &mut Marking) -> Flow {
        let view = visit.model.view(visit.state);
        let (most, in_marking) = self.seen.unwrap_or_default();
        let (mut in_place, mut sum) = (most, 0u128);
        for place in visit.model.net().place_ids() {
            let tokens = view.tokens(place);
            in_place = in_place.max(tokens);
            sum += u128::from(tokens);
        }
        let seen = (in_place, in_marking.max(sum));
        if self.seen != Some(seen) {
            self.seen = Some(seen);
            self.most.raise(seen);
        }
        Ok(())
    }

    fn fork<'s>(&'s self, _model: &'s NetModel) -> Option<Fork<'s, NetModel>> {
        Some(Box::new(CountTokens::new(self.most.clone())))
    }

    fn save(&self, _model: &NetModel) -> Option<Vec<u8>> {
        Some(codec::to_bytes(&self.seen))
    }

    fn merge(&mut self, _model: &NetModel, saved: &[u8]) -> bool {
        let Some(other) = codec::read::<Option<(u64, u128)>>(saved) else { return false };
        if let Some(other) = other {
            let (place, marking) = self.seen.unwrap_or_default();
            self.seen = Some((place.max(other.0), marking.max(other.1)));
            self.most.raise(other);
        }
        true
    }
}

impl Query<NetModel> for CountTokens {
    fn answer(&self) -> Answer {
        Answer::HoldsSoFar
    }

    /// Edges are counted with it.
    fn needs(&self) -> Needs<NetModel> {
        Needs::Edges
    }

    fn has_witness(&self) -> bool {
        false
    }
}
