//! The net while it is made smaller.

use std::collections::{BTreeMap, BTreeSet};

use crate::net::{Net, PlaceId, TransitionId};

/// Arcs by place.
pub(super) type Arcs = BTreeMap<PlaceId, u64>;

/// A transition, and the original ones that it stands for.
#[derive(Clone)]
pub(super) struct Move {
    pub(super) inputs: Arcs,
    pub(super) outputs: Arcs,
    pub(super) path: Vec<TransitionId>,
}

impl Move {
    /// The arcs with one place.
    pub(super) fn at(&self, place: PlaceId) -> (u64, u64) {
        let weight = |arcs: &Arcs| arcs.get(&place).copied().unwrap_or(0);
        (weight(&self.inputs), weight(&self.outputs))
    }
}

pub(super) struct Draft {
    pub(super) tokens: Vec<u64>,
    pub(super) is_gone: Vec<bool>,
    pub(super) is_observed: Vec<bool>,
    pub(super) keeps_deadlocks: bool,
    pub(super) moves: Vec<Option<Move>>,
    /// For each place, the moves that take tokens from it, and those that put tokens there.
    pub(super) takers: Vec<BTreeSet<usize>>,
    pub(super) givers: Vec<BTreeSet<usize>>,
    pub(super) prefix: Vec<TransitionId>,
    pub(super) delayed: Vec<Vec<TransitionId>>,
}

impl Draft {
    pub(super) fn new(net: &Net, observed: &[PlaceId], keeps_deadlocks: bool) -> Self {
        let n = net.n_places();
        let mut is_observed = vec![false; n];
        observed.iter().for_each(|place| is_observed[place.index()] = true);
        let mut draft = Draft {
            tokens: net.initial_marking(),
            is_gone: vec![false; n],
            is_observed,
            keeps_deadlocks,
            moves: Vec::with_capacity(net.n_transitions()),
            takers: vec![BTreeSet::new(); n],
            givers: vec![BTreeSet::new(); n],
            prefix: Vec::new(),
            delayed: Vec::new(),
        };
        for (id, transition) in net.transition_ids().zip(&net.transitions) {
            let arcs = |arcs: &[(PlaceId, u64)]| arcs.iter().copied().collect();
            draft.push(Move {
                inputs: arcs(&transition.inputs),
                outputs: arcs(&transition.outputs),
                path: vec![id],
            });
        }
        draft
    }

    pub(super) fn places(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.tokens.len() as u32).map(PlaceId)
    }

    /// The number of a move that is left, and the move.
    pub(super) fn left(&self) -> impl Iterator<Item = (usize, &Move)> {
        let numbered = self.moves.iter().enumerate();
        numbered.filter_map(|(number, one)| Some((number, one.as_ref()?)))
    }

    pub(super) fn push(&mut self, one: Move) {
        let number = self.moves.len();
        for place in one.inputs.keys() {
            self.takers[place.index()].insert(number);
        }
        for place in one.outputs.keys() {
            self.givers[place.index()].insert(number);
        }
        self.moves.push(Some(one));
    }

    pub(super) fn remove(&mut self, number: usize) -> Option<Move> {
        let one = self.moves[number].take()?;
        for place in one.inputs.keys() {
            self.takers[place.index()].remove(&number);
        }
        for place in one.outputs.keys() {
            self.givers[place.index()].remove(&number);
        }
        Some(one)
    }

    /// The moves that touch a place.
    pub(super) fn touching(&self, place: PlaceId) -> impl Iterator<Item = &Move> {
        let (takers, givers) = (&self.takers[place.index()], &self.givers[place.index()]);
        takers.union(givers).filter_map(|&number| self.moves[number].as_ref())
    }

    /// Takes the arcs of a place away. If it is not observed, it is gone.
    pub(super) fn isolate(&mut self, place: PlaceId) {
        for number in std::mem::take(&mut self.takers[place.index()]) {
            if let Some(one) = &mut self.moves[number] {
                one.inputs.remove(&place);
            }
        }
        for number in std::mem::take(&mut self.givers[place.index()]) {
            if let Some(one) = &mut self.moves[number] {
                one.outputs.remove(&place);
            }
        }
        if !self.is_observed[place.index()] {
            self.is_gone[place.index()] = true;
            self.tokens[place.index()] = 0;
        }
    }

    /// Has no arcs.
    pub(super) fn is_isolated(&self, place: PlaceId) -> bool {
        self.takers[place.index()].is_empty() && self.givers[place.index()].is_empty()
    }
}
