//! Which transitions lead back: on every cycle one must.

use crate::net::{Net, Transition};

/// Chooses among the transitions that cannot rise those that lead back the furthest, and marks them
/// as leading back. `false` when all others rise already.
pub(super) fn choose(net: &Net, rises: &[bool], leads_back: &mut [bool]) -> bool {
    let depth = depths(net);
    let stuck: Vec<usize> = (0..rises.len())
        .filter(|&t| !rises[t] && !leads_back[t])
        .filter(|&t| moves(net, t))
        .collect();
    let furthest = stuck.iter().map(|&t| way_back(&net.transitions[t], &depth)).max();
    for &t in &stuck {
        if Some(way_back(&net.transitions[t], &depth)) == furthest {
            leads_back[t] = true;
        }
    }
    !stuck.is_empty()
}

fn moves(net: &Net, t: usize) -> bool {
    net.transitions[t].changes().next().is_some()
}

/// How much earlier the places it marks come than those it empties.
fn way_back(transition: &Transition, depth: &[i64]) -> i64 {
    let mut from = i64::MIN;
    let mut to = i64::MAX;
    for (place, change) in transition.changes() {
        if change < 0 {
            from = from.max(depth[place.index()]);
        } else {
            to = to.min(depth[place.index()]);
        }
    }
    // What only takes leads nowhere, what only makes comes from nowhere: neither leads back.
    if from == i64::MIN || to == i64::MAX { i64::MIN } else { from - to }
}

/// For each place, after how many rounds of firing whatever has marked inputs it is marked.
fn depths(net: &Net) -> Vec<i64> {
    let mut depth: Vec<Option<i64>> =
        net.places.iter().map(|place| (place.initial > 0).then_some(0)).collect();
    let mut fired = vec![false; net.transitions.len()];
    for round in 1.. {
        let ready: Vec<usize> = (0..fired.len())
            .filter(|&t| !fired[t])
            .filter(|&t| net.transitions[t].inputs.iter().all(|(p, _)| depth[p.index()].is_some()))
            .collect();
        if ready.is_empty() {
            break;
        }
        for t in ready {
            fired[t] = true;
            for (place, _) in &net.transitions[t].outputs {
                depth[place.index()].get_or_insert(round);
            }
        }
    }
    depth.into_iter().map(Option::unwrap_or_default).collect()
}
