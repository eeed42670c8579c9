//! A model that shows only sums of its features: measures found for it are made of those sums.

use sweepline::progress::{Candidate, Effect, Features};
use sweepline::{Computed, Model, Sink};

/// `model` with the sums over `groups` of features in place of its features. Where an equivalence does
/// not change these sums, no measure of them tells equivalent states apart.
pub(super) struct Common<'a, M> {
    model: &'a M,
    groups: &'a [Vec<usize>],
    /// For each feature the groups that it belongs to.
    of: Vec<Vec<usize>>,
}

impl<'a, M: Features> Common<'a, M> {
    pub(super) fn new(model: &'a M, groups: &'a [Vec<usize>]) -> Self {
        let most = groups.iter().flatten().max().map_or(0, |most| most + 1);
        let mut of = vec![Vec::new(); most];
        for (group, features) in groups.iter().enumerate() {
            features.iter().for_each(|&feature| of[feature].push(group));
        }
        Common { model, groups, of }
    }

    /// A measure of sums as one of the features themselves.
    pub(super) fn spread(&self, candidate: Candidate) -> Candidate {
        let spread = |terms: Vec<(usize, i64)>| {
            let each = |(group, weight): (usize, i64)| {
                self.groups[group].iter().map(move |&feature| (feature, weight))
            };
            terms.into_iter().flat_map(each).collect()
        };
        let components = candidate.components.into_iter().map(spread).collect();
        Candidate { components, ..candidate }
    }

    fn groups_of(&self, feature: usize) -> &[usize] {
        self.of.get(feature).map_or(&[], Vec::as_slice)
    }
}

impl<M: Features> Model for Common<'_, M> {
    type State = M::State;
    type Action = M::Action;
    type Worker = M::Worker;

    fn worker(&self) -> M::Worker {
        self.model.worker()
    }

    fn initial(&self, push: &mut dyn FnMut(&M::State)) {
        self.model.initial(push);
    }

    fn successors(
        &self,
        worker: &mut M::Worker,
        state: &M::State,
        sink: &mut impl Sink<Self>,
    ) -> Computed {
        let mut through = |action: M::Action, state: &M::State| sink.push(action, state);
        self.model.successors(worker, state, &mut through)
    }

    fn encode(&self, state: &M::State, bytes: &mut Vec<u8>) {
        self.model.encode(state, bytes);
    }

    fn decode(&self, bytes: &[u8]) -> M::State {
        self.model.decode(bytes)
    }

    fn decode_into(&self, bytes: &[u8], state: &mut M::State) {
        self.model.decode_into(bytes, state);
    }
}

impl<M: Features> Features for Common<'_, M> {
    fn features(&self, state: &M::State, push: &mut dyn FnMut(i64)) {
        let (mut sums, mut feature) = (vec![0i64; self.groups.len()], 0);
        self.model.features(state, &mut |value| {
            for &group in self.groups_of(feature) {
                sums[group] = sums[group].saturating_add(value);
            }
            feature += 1;
        });
        sums.into_iter().for_each(push);
    }

    fn effects(&self) -> Option<Vec<Effect>> {
        let sum = |effect: Effect| {
            let mut sums = std::collections::BTreeMap::new();
            for (feature, change) in effect {
                for &group in self.groups_of(feature) {
                    *sums.entry(group).or_insert(0i64) += change;
                }
            }
            sums.into_iter().filter(|(_, change)| *change != 0).collect()
        };
        self.model.effects().map(|effects| effects.into_iter().map(sum).collect())
    }

    fn effect(&self, action: &M::Action) -> Option<usize> {
        self.model.effect(action)
    }

    fn incoming(&self, state: &M::State, push: &mut dyn FnMut(usize)) {
        self.model.incoming(state, push);
    }
}
