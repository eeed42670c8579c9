//! Agglomeration: what puts a token into a place and what takes it from there become one transition.

use super::draft::{Arcs, Draft, Move};
use crate::net::PlaceId;

/// Longer paths are not made.
const LONGEST: usize = 1_000;
/// Tokens that are moved on before the start, at most.
const MOST_TOKENS: u64 = 100;

/// Fuses the transitions around each place that allows it; whether there was one.
pub(super) fn fuse(draft: &mut Draft) -> bool {
    let mut found = false;
    for place in draft.places() {
        if draft.is_gone[place.index()] || draft.is_observed[place.index()] {
            continue;
        }
        found |= at(draft, place).is_some();
    }
    found
}

/// Fuses around one place, if the conditions of either kind hold.
fn at(draft: &mut Draft, place: PlaceId) -> Option<()> {
    let (givers, takers) = (&draft.givers[place.index()], &draft.takers[place.index()]);
    let (n, m) = (givers.len(), takers.len());
    if n == 0 || m == 0 || n * m > n + m || !givers.is_disjoint(takers) {
        return None;
    }
    let of = |number: &usize| draft.moves[*number].as_ref();
    let first: Vec<&Move> = givers.iter().filter_map(of).collect();
    let then: Vec<&Move> = takers.iter().filter_map(of).collect();
    let single = |arcs: &Arcs| arcs.get(&place) == Some(&1);
    if !first.iter().all(|one| single(&one.outputs)) || !then.iter().all(|one| single(&one.inputs))
    {
        return None;
    }
    let tokens = draft.tokens[place.index()];
    let (is_post, is_pre) = (
        may_follow_at_once(draft, &then) && (tokens == 0 || m == 1 && tokens <= MOST_TOKENS),
        tokens == 0 && may_wait(draft, &first, &givers.iter().copied().collect::<Vec<_>>()),
    );
    if !is_post && !is_pre {
        return None;
    }
    let fused: Vec<Move> = first
        .iter()
        .flat_map(|one| then.iter().map(|next| fused(one, next, place)))
        .collect::<Option<_>>()?;
    let delayed: Vec<_> = first.iter().map(|one| one.path.clone()).collect();
    if tokens > 0 {
        let only = then[0].clone();
        start(draft, &only, tokens)?;
    } else if !is_post && draft.keeps_deadlocks {
        draft.delayed.extend(delayed);
    }
    let old: Vec<usize> =
        draft.givers[place.index()].union(&draft.takers[place.index()]).copied().collect();
    old.into_iter().for_each(|number| drop(draft.remove(number)));
    fused.into_iter().for_each(|one| draft.push(one));
    draft.isolate(place);
    Some(())
}

/// Post-agglomeration: nothing but the token enables the second transition, and no one sees it. So it may fire at once.
fn may_follow_at_once(draft: &Draft, then: &[&Move]) -> bool {
    then.iter().all(|one| {
        one.inputs.len() == 1 && one.outputs.keys().all(|place| !draft.is_observed[place.index()])
    })
}

/// Pre-agglomeration: the first transition has no other effect, no one sees it, and no other transition takes its tokens.
/// So it may wait until the second one fires.
fn may_wait(draft: &Draft, first: &[&Move], numbers: &[usize]) -> bool {
    first.iter().zip(numbers).all(|(one, number)| {
        let own = |place: &PlaceId| {
            let takers = &draft.takers[place.index()];
            !draft.is_observed[place.index()] && takers.len() == 1 && takers.contains(number)
        };
        one.outputs.len() == 1 && !one.inputs.is_empty() && one.inputs.keys().all(own)
    })
}

/// One transition and then the other, which takes its token from `place`. In both kinds of agglomeration the second
/// one takes nothing else that the first one takes or puts, so the inputs add up.
fn fused(one: &Move, next: &Move, place: PlaceId) -> Option<Move> {
    if one.path.len() + next.path.len() > LONGEST {
        return None;
    }
    let inputs = sum(&one.inputs, &next.inputs, place)?;
    let outputs = sum(&one.outputs, &next.outputs, place)?;
    let path = one.path.iter().chain(&next.path).copied().collect();
    Some(Move { inputs, outputs, path })
}

fn sum(one: &Arcs, other: &Arcs, without: PlaceId) -> Option<Arcs> {
    let mut sum = one.clone();
    for (&place, &weight) in other {
        let total = sum.entry(place).or_default();
        *total = total.checked_add(weight)?;
    }
    sum.remove(&without);
    Some(sum)
}

/// Fires the only transition that takes from a place as often as the place has tokens.
fn start(draft: &mut Draft, only: &Move, times: u64) -> Option<()> {
    if only.path.len() as u64 * times > LONGEST as u64 {
        return None;
    }
    let mut tokens = draft.tokens.clone();
    for (place, weight) in &only.outputs {
        let count = &mut tokens[place.index()];
        *count = count.checked_add(weight.checked_mul(times)?)?;
    }
    draft.tokens = tokens;
    (0..times).for_each(|_| draft.prefix.extend(&only.path));
    Some(())
}
