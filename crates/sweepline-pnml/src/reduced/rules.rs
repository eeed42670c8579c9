//! The rules that leave out places and transitions one by one.

use std::collections::HashMap;

use super::draft::{Arcs, Draft, Move};
use crate::net::PlaceId;

/// Applies each rule once; whether one of them found something.
pub(super) fn simplify(draft: &mut Draft) -> bool {
    let rules = [never_raised, constant, unread, twin_places, twin_moves, idle, irrelevant];
    // Each of them, whatever the others find.
    let found: Vec<bool> = rules.into_iter().map(|rule| rule(draft)).collect();
    found.contains(&true)
}

/// A place that no transition raises never has more tokens than at the start: transitions that need more are dead.
fn never_raised(draft: &mut Draft) -> bool {
    let mut dead = Vec::new();
    for place in draft.places() {
        let rises = |one: &Move| {
            let (taken, put) = one.at(place);
            put > taken
        };
        if draft.touching(place).any(rises) {
            continue;
        }
        let tokens = draft.tokens[place.index()];
        let needs_more = |number: &&usize| {
            draft.moves[**number].as_ref().is_some_and(|one| one.at(place).0 > tokens)
        };
        dead.extend(draft.takers[place.index()].iter().filter(needs_more).copied());
    }
    let found = !dead.is_empty();
    dead.into_iter().for_each(|number| drop(draft.remove(number)));
    found
}

/// A place that no transition changes, and that never disables one.
fn constant(draft: &mut Draft) -> bool {
    remove_places(draft, |draft, place| {
        let tokens = draft.tokens[place.index()];
        draft.touching(place).all(|one| {
            let (taken, put) = one.at(place);
            taken == put && taken <= tokens
        })
    })
}

/// A place that is not observed and that no transition takes from.
fn unread(draft: &mut Draft) -> bool {
    remove_places(draft, |draft, place| {
        !draft.is_observed[place.index()] && draft.takers[place.index()].is_empty()
    })
}

fn remove_places(draft: &mut Draft, may: impl Fn(&Draft, PlaceId) -> bool) -> bool {
    let mut found = false;
    for place in draft.places() {
        let index = place.index();
        let is_done = draft.is_gone[index] || draft.is_observed[index] && draft.is_isolated(place);
        if !is_done && may(draft, place) {
            draft.isolate(place);
            found = true;
        }
    }
    found
}

/// Of places with the same arcs, those with more tokens never disable a transition.
fn twin_places(draft: &mut Draft) -> bool {
    type Shape = Vec<(usize, u64, u64)>;
    let mut least: HashMap<Shape, PlaceId> = HashMap::new();
    let mut implied = Vec::new();
    for place in draft.places().filter(|&place| !draft.is_isolated(place)) {
        let (takers, givers) = (&draft.takers[place.index()], &draft.givers[place.index()]);
        let arcs = |&number: &usize| {
            let (taken, put) = draft.moves[number].as_ref().map_or((0, 0), |one| one.at(place));
            (number, taken, put)
        };
        let shape: Shape = takers.union(givers).map(arcs).collect();
        let other = *least.entry(shape.clone()).or_insert(place);
        if other == place {
            continue;
        }
        let tokens = |place: PlaceId| draft.tokens[place.index()];
        let (more, less) =
            if tokens(place) >= tokens(other) { (place, other) } else { (other, place) };
        if !draft.is_observed[more.index()] {
            implied.push(more);
            least.insert(shape, less);
        }
    }
    let found = !implied.is_empty();
    implied.into_iter().for_each(|place| draft.isolate(place));
    found
}

/// Of transitions with the same arcs, one is enough.
fn twin_moves(draft: &mut Draft) -> bool {
    let mut first: HashMap<(&Arcs, &Arcs), (usize, usize)> = HashMap::new();
    let mut more = Vec::new();
    for (number, one) in draft.left() {
        let length = one.path.len();
        let kept = first.entry((&one.inputs, &one.outputs)).or_insert((number, length));
        if kept.0 == number {
            continue;
        }
        // The shorter path stays.
        let longer =
            if length < kept.1 { std::mem::replace(kept, (number, length)).0 } else { number };
        more.push(longer);
    }
    let found = !more.is_empty();
    more.into_iter().for_each(|number| drop(draft.remove(number)));
    found
}

/// A transition without effect; it matters for deadlocks only.
fn idle(draft: &mut Draft) -> bool {
    if draft.keeps_deadlocks {
        return false;
    }
    let idle = |(_, one): &(usize, &Move)| one.inputs == one.outputs;
    let idle: Vec<usize> = draft.left().filter(idle).map(|(number, _)| number).collect();
    let found = !idle.is_empty();
    idle.into_iter().for_each(|number| drop(draft.remove(number)));
    found
}

/// What has no influence on observed places, not even by enabling: without deadlocks to keep, it is left out.
fn irrelevant(draft: &mut Draft) -> bool {
    if draft.keeps_deadlocks {
        return false;
    }
    let mut matters = draft.is_observed.clone();
    let mut is_used = vec![false; draft.moves.len()];
    let mut fresh: Vec<PlaceId> = draft.places().filter(|place| matters[place.index()]).collect();
    while let Some(place) = fresh.pop() {
        let (takers, givers) = (&draft.takers[place.index()], &draft.givers[place.index()]);
        for &number in takers.union(givers) {
            let Some(one) = &draft.moves[number] else { continue };
            let (taken, put) = one.at(place);
            if taken == put || std::mem::replace(&mut is_used[number], true) {
                continue;
            }
            for &input in one.inputs.keys() {
                if !std::mem::replace(&mut matters[input.index()], true) {
                    fresh.push(input);
                }
            }
        }
    }
    let unused: Vec<usize> =
        draft.left().map(|(number, _)| number).filter(|&number| !is_used[number]).collect();
    let mut found = !unused.is_empty();
    unused.into_iter().for_each(|number| drop(draft.remove(number)));
    for place in draft.places() {
        if !matters[place.index()] && !draft.is_gone[place.index()] {
            draft.isolate(place);
            found = true;
        }
    }
    found
}
