//! Random nets, and a token game on plain vectors to compare with.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use sweepline::observe::{Flow, Visit};
use sweepline::{Model, Observer};
use sweepline_pnml::{Expr, MarkingView, Net, NetModel, TransitionId, parse_expr};

/// The state space of a net, computed naively.
pub(crate) struct Plain {
    pub(crate) markings: BTreeSet<Vec<u64>>,
    pub(crate) dead: BTreeSet<Vec<u64>>,
    pub(crate) edges: u64,
}

pub(crate) fn fire(net: &Net, marking: &[u64], t: TransitionId) -> Option<Vec<u64>> {
    let transition = &net.transitions[t.index()];
    let mut next = marking.to_vec();
    for &(place, weight) in &transition.inputs {
        next[place.index()] = next[place.index()].checked_sub(weight)?;
    }
    for &(place, weight) in &transition.outputs {
        next[place.index()] += weight;
    }
    Some(next)
}

impl Plain {
    pub(crate) fn explore(net: &Net, limit: usize) -> Option<Plain> {
        let mut found = Plain { markings: BTreeSet::new(), dead: BTreeSet::new(), edges: 0 };
        let mut queue = VecDeque::from([net.initial_marking()]);
        while let Some(marking) = queue.pop_front() {
            if !found.markings.insert(marking.clone()) {
                continue;
            }
            if found.markings.len() > limit {
                return None;
            }
            let next: Vec<_> =
                net.transition_ids().filter_map(|t| Some((t, fire(net, &marking, t)?))).collect();
            if next.is_empty() {
                found.dead.insert(marking);
            }
            found.edges += next.len() as u64;
            queue.extend(next.into_iter().map(|(_, target)| target));
        }
        Some(found)
    }
}

/// A plain marking, for evaluating expressions.
pub(crate) struct PlainView<'a>(pub(crate) &'a Net, pub(crate) &'a [u64]);

impl MarkingView for PlainView<'_> {
    fn tokens(&self, place: sweepline_pnml::PlaceId) -> u64 {
        self.1[place.index()]
    }

    fn fireable(&self, t: TransitionId) -> bool {
        fire(self.0, self.1, t).is_some()
    }

    fn deadlock(&self) -> bool {
        self.0.transition_ids().all(|t| !self.fireable(t))
    }
}

#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) markings: BTreeSet<Vec<u64>>,
    pub(crate) dead: BTreeSet<Vec<u64>>,
}

impl Observer<NetModel> for Seen {
    fn node(
        &mut self,
        visit: &Visit<'_, NetModel>,
        _worker: &mut <NetModel as Model>::Worker,
    ) -> Flow {
        assert_eq!(visit.model.try_decode(visit.bytes).as_ref(), Some(visit.state));
        self.markings.insert(visit.model.tokens(visit.state));
        Ok(())
    }

    fn dead(
        &mut self,
        visit: &Visit<'_, NetModel>,
        _worker: &mut <NetModel as Model>::Worker,
    ) -> Flow {
        self.dead.insert(visit.model.tokens(visit.state));
        Ok(())
    }
}

type Arcs = Vec<(usize, u64)>;

/// Random nets whose transitions move tokens; with `leaky`, some of them remove or create tokens. With
/// `weight` above 255, counts exceed the narrow layout; with more than 512 transitions, enabled ones are
/// found by key places.
pub(crate) fn net(
    weight: u64,
    transitions: Range<usize>,
    leaky: bool,
) -> impl Strategy<Value = Net> {
    (1..8usize).prop_flat_map(move |places| {
        let moves = vec((0..places, 1..=weight, 0..places), 1..3);
        let most = usize::from(leaky);
        let arcs =
            move || prop_oneof![6 => Just(Vec::new()), 1 => vec((0..places, 1..=weight), 0..=most)];
        let transition = (moves, arcs(), arcs()).prop_map(|(moves, mut inputs, mut outputs)| {
            inputs.extend(moves.iter().map(|&(from, w, _)| (from, w)));
            outputs.extend(moves.iter().map(|&(_, w, to)| (to, w)));
            (inputs, outputs)
        });
        let tokens = vec(prop_oneof![Just(0), 0..=3 * weight], places);
        (tokens, vec(transition, transitions.clone())).prop_map(build)
    })
}

fn build((tokens, transitions): (Vec<u64>, Vec<(Arcs, Arcs)>)) -> Net {
    let mut net = Net::builder("random");
    let names: Vec<String> = (0..tokens.len()).map(|p| format!("p{p}")).collect();
    for (name, initial) in names.iter().zip(&tokens) {
        net = net.place(name, *initial);
    }
    let named = |arcs: &Arcs| -> Vec<(&str, u64)> {
        arcs.iter().map(|&(p, w)| (names[p].as_str(), w)).collect()
    };
    for (t, (inputs, outputs)) in transitions.iter().enumerate() {
        net = net.transition(&format!("t{t}"), &named(inputs), &named(outputs));
    }
    net.build().unwrap()
}

pub(crate) fn weighted(net: &Net, weights: &[i64]) -> Expr {
    let terms: Vec<String> =
        net.places.iter().zip(weights).map(|(p, w)| format!("{w} * {}", p.id)).collect();
    parse_expr(net, &terms.join(" + ")).unwrap()
}
