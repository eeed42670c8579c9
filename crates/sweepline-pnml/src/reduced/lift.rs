//! Paths of the smaller net, lifted to the original one and replayed there.

use super::Reduced;
use crate::net::{Net, PlaceId, TransitionId};

/// Steps that complete delayed transitions, at most.
const MOST_STEPS: usize = 1_000_000;

impl Reduced {
    /// The path of the original net that `actions`, a path of the smaller net, stand for. It ends with the same tokens in
    /// the observed places and, if deadlocks are kept, in a dead marking if `actions` does. `None` if replaying the
    /// path on the original net does not show that: then the result of the smaller net must not be used.
    pub fn lift(&self, original: &Net, actions: &[TransitionId]) -> Option<Vec<TransitionId>> {
        let mut end = self.net.initial_marking();
        for &action in actions {
            fire(&self.net, &mut end, action)?;
        }
        let mut tokens = original.initial_marking();
        let mut path = self.prefix.clone();
        path.extend(actions.iter().flat_map(|action| &self.paths[action.index()]));
        for &transition in &path {
            fire(original, &mut tokens, transition)?;
        }
        let ends_dead = self.keeps_deadlocks && is_dead(&self.net, &end);
        if ends_dead {
            self.complete(original, &mut tokens, &mut path);
        }
        let same = self.observed.iter().all(|place| end[place.index()] == tokens[place.index()]);
        (same && (!ends_dead || is_dead(original, &tokens))).then_some(path)
    }

    /// Fires what the smaller net delays, until nothing of it is enabled.
    fn complete(&self, net: &Net, tokens: &mut Vec<u64>, path: &mut Vec<TransitionId>) {
        let end = path.len() + MOST_STEPS;
        let mut fired = true;
        while std::mem::take(&mut fired) {
            for delayed in &self.delayed {
                let mut next = tokens.clone();
                while path.len() < end && delayed.iter().all(|&t| fire(net, &mut next, t).is_some())
                {
                    tokens.clone_from(&next);
                    path.extend(delayed);
                    fired = true;
                }
            }
            if path.len() >= end {
                return;
            }
        }
    }
}

/// Fires a transition; `None` if it is disabled or a place overflows.
fn fire(net: &Net, tokens: &mut [u64], transition: TransitionId) -> Option<()> {
    let transition = &net.transitions[transition.index()];
    for &(place, weight) in &transition.inputs {
        tokens[place.index()] = tokens[place.index()].checked_sub(weight)?;
    }
    for &(place, weight) in &transition.outputs {
        tokens[place.index()] = tokens[place.index()].checked_add(weight)?;
    }
    Some(())
}

fn is_dead(net: &Net, tokens: &[u64]) -> bool {
    let lacks = |&(place, weight): &(PlaceId, u64)| tokens[place.index()] < weight;
    net.transitions.iter().all(|transition| transition.inputs.iter().any(lacks))
}
