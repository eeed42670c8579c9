//! The state equation of a net.

use std::collections::HashSet;

use crate::net::{Net, PlaceId};

/// What the transitions that may ever fire do to places.
pub(super) struct System {
    pub(super) initial: Vec<u64>,
    /// The effects, each once and none of them empty: places in order, and what changes.
    pub(super) columns: Vec<Vec<(u32, i128)>>,
    /// For each place, the columns that change it, and by how much.
    pub(super) rows: Vec<Vec<(u32, i128)>>,
    /// For each transition, whether it can never fire, because its inputs can never be marked together.
    pub(super) is_dead: Vec<bool>,
    /// Numbers in all columns.
    pub(super) n_terms: usize,
}

impl System {
    pub(super) fn new(net: &Net) -> Self {
        let is_dead = dead(net);
        let mut seen = HashSet::new();
        let (mut columns, mut rows) = (Vec::new(), vec![Vec::new(); net.n_places()]);
        for (transition, _) in net.transitions.iter().zip(&is_dead).filter(|(_, dead)| !**dead) {
            let column: Vec<(u32, i128)> = transition.changes().map(|(p, n)| (p.0, n)).collect();
            if column.is_empty() || !seen.insert(column.clone()) {
                continue;
            }
            for &(place, change) in &column {
                rows[place as usize].push((columns.len() as u32, change));
            }
            columns.push(column);
        }
        let n_terms = columns.iter().map(Vec::len).sum();
        System { initial: net.initial_marking(), columns, rows, is_dead, n_terms }
    }

    pub(super) fn n_places(&self) -> usize {
        self.initial.len()
    }
}

/// The transitions with an input place that stays empty: the places that are never marked even if tokens are never
/// removed are an empty siphon.
fn dead(net: &Net) -> Vec<bool> {
    let mut waits_for: Vec<Vec<u32>> = vec![Vec::new(); net.n_places()];
    let mut missing: Vec<usize> = Vec::with_capacity(net.n_transitions());
    for (number, transition) in (0..).zip(&net.transitions) {
        transition.inputs.iter().for_each(|(place, _)| waits_for[place.index()].push(number));
        missing.push(transition.inputs.len());
    }
    let mut is_marked: Vec<bool> = net.places.iter().map(|place| place.initial > 0).collect();
    let mut fresh: Vec<PlaceId> =
        net.place_ids().filter(|place| is_marked[place.index()]).collect();
    let mut fires: Vec<u32> =
        (0..net.n_transitions() as u32).filter(|&t| missing[t as usize] == 0).collect();
    loop {
        for transition in fires.drain(..) {
            for &(place, _) in &net.transitions[transition as usize].outputs {
                if !is_marked[place.index()] {
                    is_marked[place.index()] = true;
                    fresh.push(place);
                }
            }
        }
        let Some(place) = fresh.pop() else { break };
        for &transition in &waits_for[place.index()] {
            let missing = &mut missing[transition as usize];
            *missing -= 1;
            if *missing == 0 {
                fires.push(transition);
            }
        }
    }
    missing.into_iter().map(|missing| missing > 0).collect()
}
