//! A smaller net that preserves reachability conditions over some places, and deadlocks on request.
//!
//! The rules are those of Berthelot and of Bønneland et al. ("Stubborn versus structural reductions for Petri nets"),
//! with strict preconditions. The smaller net has the same places; those that are gone have no arcs and no tokens. Each
//! transition remembers the original transitions that it stands for, so that counterexamples are lifted to the original
//! net and replayed there.

mod agglomerate;
mod draft;
mod lift;
mod rules;

use sweepline::Interrupt;

use crate::net::{Net, PlaceId, Transition, TransitionId};
use draft::Draft;

/// Rounds of all rules, at most.
const MOST_ROUNDS: usize = 50;
/// A net with more arcs is not reduced.
const MOST_ARCS: usize = 1_000_000;

/// A smaller net for some questions.
pub struct Reduced {
    net: Net,
    keeps_deadlocks: bool,
    /// For each transition, what it stands for.
    paths: Vec<Vec<TransitionId>>,
    /// What was fired before the start.
    prefix: Vec<TransitionId>,
    /// Paths that the smaller net delays: they may have to be completed before the original net is dead.
    delayed: Vec<Vec<TransitionId>>,
    observed: Vec<PlaceId>,
    n_places: usize,
}

impl Reduced {
    /// The smaller net in which the same token counts of the places `observed` are reachable and, if
    /// `keeps_deadlocks`, with the same ones in dead markings. `None` if the rules find nothing.
    pub fn new(
        net: &Net,
        observed: &[PlaceId],
        keeps_deadlocks: bool,
        interrupt: &Interrupt,
    ) -> Option<Self> {
        if net.n_arcs() > MOST_ARCS {
            return None;
        }
        let mut draft = Draft::new(net, observed, keeps_deadlocks);
        for _ in 0..MOST_ROUNDS {
            if interrupt.is_raised() {
                return None;
            }
            // Both, whatever the first one finds.
            let (simpler, fused) = (rules::simplify(&mut draft), agglomerate::fuse(&mut draft));
            if !simpler && !fused {
                break;
            }
        }
        let Draft { tokens, is_gone, moves, prefix, delayed, .. } = draft;
        let moves: Vec<_> = moves.into_iter().flatten().collect();
        let n_places = is_gone.iter().filter(|gone| !**gone).count();
        if n_places == net.n_places() && moves.len() == net.n_transitions() {
            return None;
        }
        let mut smaller =
            Net { name: net.name.clone(), places: net.places.clone(), ..Net::default() };
        smaller.places.iter_mut().zip(tokens).for_each(|(place, tokens)| place.initial = tokens);
        let mut paths = Vec::with_capacity(moves.len());
        for (number, one) in moves.into_iter().enumerate() {
            let id = format!("{number}");
            let [inputs, outputs] =
                [one.inputs, one.outputs].map(|arcs| arcs.into_iter().collect());
            smaller.transitions.push(Transition { name: id.clone(), id, inputs, outputs });
            paths.push(one.path);
        }
        let (net, observed) = (smaller, observed.to_vec());
        Some(Reduced { net, keeps_deadlocks, paths, prefix, delayed, observed, n_places })
    }

    /// The smaller net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The places that are left.
    pub fn n_places(&self) -> usize {
        self.n_places
    }
}
